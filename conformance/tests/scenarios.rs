//! The embedded suite as named tests: one row, one test. `cargo test -p portcullis --test scenarios NAME` plays those whose name
//! contains NAME.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use portcullis_conformance::implementation::{Factory, Reference};
use portcullis_conformance::load;
use portcullis_conformance::report::{Repeat, Style, render_failure};
use portcullis_conformance::run::{Verdict, play};
use portcullis_conformance::scenario::Scenario;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match load::load_all(&load::embedded_sources()) {
        Ok(scenarios) => scenarios.into_iter().map(trial).collect(),
        Err(problems) => problems
            .into_iter()
            .map(|problem| Trial::test(format!("loads: {problem}"), move || Err(Failed::from(problem.to_string()))))
            .collect(),
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(scenario: Scenario) -> Trial {
    Trial::test(scenario.name.clone(), move || {
        let mut implementation = Reference.start()?;
        let result = play(&scenario, implementation.as_mut());
        match &result.verdict {
            Verdict::Passed | Verdict::Skipped { .. } => Ok(()),
            _ => {
                let repeat = Repeat { implementation: None, from_files: false };
                Err(Failed::from(render_failure(&result, &repeat, Style::new(false))))
            }
        }
    })
    .with_kind("scenario")
}
