//! `portcullis coverage`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::args::{PolicyOptions, Sources, TESTS, Ui};
use super::lint::read;
use super::output::Output;
use super::own_policy::judge;
use crate::error::{CliError, CliErrorKind, EXIT_FAILED};
use crate::policy_coverage::{Coverage, html, lcov, of_policy, of_suite, render};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis coverage config.json
  portcullis coverage config.json tests/policy.yaml --threshold 90 --lcov coverage.info
  portcullis coverage config.json --html coverage.html
  portcullis coverage --suite

Without --suite, only scenarios that name the policy file count (policy: { file: … }).")]
pub(super) struct CoverageOptions {
    /// The policy file; one that ends in .md is an agent's.
    #[arg(value_name = "POLICY", required_unless_present = "suite")]
    policy: Option<PathBuf>,
    /// Scenario files or folders.
    #[arg(value_name = "PATH", default_value = TESTS)]
    tests: Vec<PathBuf>,
    /// Say which gates and surfaces the suite inside the program reaches.
    #[arg(long, conflicts_with_all = ["policy", "lcov", "html"])]
    suite: bool,
    /// End with exit code 1 when fewer of a hundred rules are reached (with --suite: of gates and surfaces).
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(0..=100))]
    threshold: Option<u64>,
    /// Write the lines of the policy file as LCOV; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Write the policy file as a page with the hits in its margin; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn coverage(options: &CoverageOptions, output: &mut Output) -> Result<u8, CliError> {
    let coverage = match &options.policy {
        None => of_suite(&super::check::playable(&Sources { paths: Vec::new() }, false, output)?),
        Some(policy) => one_policy(policy, options, output)?,
    };
    let to_output = [&options.lcov, &options.html].into_iter().flatten().any(|file| file == Path::new("-"));
    if options.json {
        let text = serde_json::to_string(&coverage).map_err(|error| CliError::new(CliErrorKind::Output, error.to_string()))?;
        output.line(&text)?;
    } else if !to_output {
        output.line(&render(&coverage, output.style()))?;
    }
    output.flush()?;
    let below = options.threshold.is_some_and(|least| coverage.percent() < least);
    if below {
        output.remark(&format!("{} % is below the threshold", coverage.percent()));
    }
    Ok(if below || !coverage.failed.is_empty() { EXIT_FAILED } else { 0 })
}

fn one_policy(policy: &Path, options: &CoverageOptions, output: &mut Output) -> Result<Coverage, CliError> {
    let source = read(policy)?;
    let of_agent = policy.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let judge = judge(&PolicyOptions {
        policy: if of_agent { Vec::new() } else { vec![policy.to_path_buf()] },
        project: None,
        untrusted: false,
        agent: of_agent.then(|| "agent".to_owned()),
        agent_file: of_agent.then(|| policy.to_path_buf()),
        ui: Ui::Person,
    })?;
    if let [only] = options.tests.as_slice()
        && only == Path::new(TESTS)
        && !only.exists()
    {
        let message = format!("there is no folder `{TESTS}`; `portcullis init POLICY` writes a first test into it");
        return Err(CliError::new(CliErrorKind::Input, message));
    }
    let scenarios = super::check::playable(&Sources { paths: options.tests.clone() }, true, output)?;
    let coverage = of_policy(&judge, &source, &scenarios).ok_or_else(|| {
        let message = format!("nothing ran: no scenario names {} (policy: {{ file: … }})", policy.display());
        CliError::new(CliErrorKind::NothingRan, message)
    })?;
    for (file, text) in [(&options.lcov, lcov(&coverage)), (&options.html, html(&coverage, &source.text))] {
        match file {
            None => {}
            Some(file) if file == Path::new("-") => output.line(text.trim_end())?,
            Some(file) => {
                let cannot = |error: std::io::Error| {
                    CliError::new(CliErrorKind::Output, format!("cannot write {}: {error}", file.display()))
                };
                fs::write(file, format!("{}\n", text.trim_end())).map_err(cannot)?;
            }
        }
    }
    Ok(coverage)
}
