//! `portcullis effective`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::args::PolicyOptions;
use super::diff::one_policy;
use super::output::Output;
use super::own_policy::judge;
use crate::effective::{difference, effective as policy_of, render};
use crate::error::{CliError, CliErrorKind};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis effective
  portcullis effective --project ../app --agent reviewer
  portcullis effective --policy global.json --policy project.json --json
  portcullis effective --diff new.json")]
pub(super) struct EffectiveOptions {
    #[command(flatten)]
    pub(super) policy: PolicyOptions,
    /// Show what this policy lists otherwise: a configuration file, an agent's file, or `installed`. For what it answers
    /// otherwise, see `portcullis diff`.
    #[arg(long, value_name = "OTHER", conflicts_with = "json")]
    pub(super) diff: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn effective(options: &EffectiveOptions, output: &mut Output) -> Result<u8, CliError> {
    let policy = policy_of(&judge(&options.policy)?);
    if let Some(other) = &options.diff {
        let name = match options.policy.policy.first() {
            Some(file) => file.display().to_string(),
            None => "installed".to_owned(),
        };
        let theirs = policy_of(&one_policy(other, options.policy.project.as_deref())?);
        let diff = difference((&name, &policy), (&other.display().to_string(), &theirs));
        output.line(if diff.is_empty() { "the same rules in the same order" } else { &diff })?;
    } else if options.json {
        let text = serde_json::to_string(&policy).map_err(|error| CliError::new(CliErrorKind::Output, error.to_string()))?;
        output.line(&text)?;
    } else {
        output.line(&render(&policy))?;
    }
    output.flush()?;
    Ok(0)
}
