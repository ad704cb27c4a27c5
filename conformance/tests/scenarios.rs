//! The embedded suite as named tests: one row, one test. `cargo test -p portcullis --test scenarios NAME` plays those whose name
//! contains NAME.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use portcullis_conformance::implementation::{Factory, Reference};
use portcullis_conformance::load;
use portcullis_conformance::report::{Repeat, Style, render_failure};
use portcullis_conformance::run::{Verdict, play};
use portcullis_conformance::scenario::Scenario;
use portcullis_conformance::source::SourceFile;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match load::load_all(&sources(&arguments)) {
        Ok(scenarios) => scenarios.into_iter().map(trial).collect(),
        Err(problems) => problems
            .into_iter()
            .map(|problem| Trial::test(format!("loads: {problem}"), move || Err(Failed::from(problem.to_string()))))
            .collect(),
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The files that can hold the tests that are asked for. A process that plays one row (nextest starts one a test) reads one
/// file and not the suite.
fn sources(arguments: &Arguments) -> Vec<Arc<SourceFile>> {
    let all = load::embedded_sources();
    let (Some(name), true) = (&arguments.filter, arguments.exact) else { return all };
    let id = format!("id: {}", name.split('/').next().unwrap_or(name));
    let some: Vec<_> = all.iter().filter(|source| source.text.lines().any(|line| line.contains(&id))).cloned().collect();
    // An id that is written in another way is found the slow way.
    if some.is_empty() { all } else { some }
}

fn trial(scenario: Scenario) -> Trial {
    Trial::test(scenario.name.clone(), move || {
        let mut implementation = Reference.start()?;
        let mut result = play(&scenario, implementation.as_mut());
        match &result.verdict {
            Verdict::Passed => Ok(()),
            // The reference claims everything: a skip here would be a hole that reads as green.
            Verdict::Skipped { reason } => Err(Failed::from(format!("skipped: {reason}"))),
            _ => {
                let repeat = Repeat { command: "run", implementation: None, from_files: false };
                repeat.note_in(std::slice::from_mut(&mut result));
                Err(Failed::from(render_failure(&result, Style::new(false))))
            }
        }
    })
}
