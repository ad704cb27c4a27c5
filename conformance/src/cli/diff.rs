//! `portcullis diff`.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::args::{PolicyOptions, Ui};
use super::output::Output;
use super::own_policy::judge;
use crate::error::{CliError, CliErrorKind, EXIT_FAILED};
use crate::own_policy::Judge;
use crate::policy_diff::{policy_diff, render};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis diff config.json new.json
  portcullis diff installed new.json --fail-on loosened
  portcullis diff .pi/agents/reviewer.md new.md --json

With --fail-on, what is found ends with exit code 1; what cannot be decided counts as found.")]
pub(super) struct DiffOptions {
    /// The policy as it was: a configuration file, an agent's file (ending in .md), or `installed`.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The policy as it is to be.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// The session directory, against which relative paths are read; by default the current one.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// End with exit code 1 when something is milder, or when anything differs.
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What is a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Something is milder.
    Loosened,
    /// Anything differs.
    Any,
}

pub(super) fn diff(options: &DiffOptions, output: &mut Output) -> Result<u8, CliError> {
    let project = options.project.as_deref();
    let (old, new) = (one_policy(&options.old, project)?, one_policy(&options.new, project)?);
    let diff = policy_diff(&old, &new).map_err(|message| CliError::new(CliErrorKind::Input, message))?;
    if options.json {
        let text = serde_json::to_string(&diff).map_err(|error| CliError::new(CliErrorKind::Output, error.to_string()))?;
        output.line(&text)?;
    } else {
        output.line(&render(&diff, output.style()))?;
    }
    output.flush()?;
    let fails = match options.fail_on {
        None => false,
        Some(FailOn::Loosened) => diff.loosens(),
        Some(FailOn::Any) => diff.differs(),
    };
    Ok(if fails { EXIT_FAILED } else { 0 })
}

/// A policy named by one word: a file, or what is installed.
pub(super) fn one_policy(name: &Path, project: Option<&Path>) -> Result<Judge, CliError> {
    let installed = name == Path::new("installed");
    let of_agent = !installed && name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let file = || vec![name.to_path_buf()];
    judge(&PolicyOptions {
        policy: if installed || of_agent { Vec::new() } else { file() },
        project: project.map(Path::to_path_buf),
        untrusted: false,
        agent: of_agent.then(|| "agent".to_owned()),
        agent_file: of_agent.then(|| name.to_path_buf()),
        ui: Ui::Person,
    })
}
