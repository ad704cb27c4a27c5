//! `portcullis effective`.

use clap::Args as ClapArgs;

use super::args::PolicyOptions;
use super::output::Output;
use super::own_policy::judge;
use crate::effective::{effective as policy_of, render};
use crate::error::{CliError, CliErrorKind};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis effective
  portcullis effective --project ../app --agent reviewer
  portcullis effective --policy global.json --policy project.json --json")]
pub(super) struct EffectiveOptions {
    #[command(flatten)]
    pub(super) policy: PolicyOptions,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn effective(options: &EffectiveOptions, output: &mut Output) -> Result<u8, CliError> {
    let policy = policy_of(&judge(&options.policy)?);
    if options.json {
        let text = serde_json::to_string(&policy).map_err(|error| CliError::new(CliErrorKind::Output, error.to_string()))?;
        output.line(&text)?;
    } else {
        output.line(&render(&policy))?;
    }
    output.flush()?;
    Ok(0)
}
