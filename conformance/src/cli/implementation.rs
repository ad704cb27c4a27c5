//! `portcullis implementation check`.

use super::args::ImplementationCheck;
use super::output::Output;
use crate::error::{CliError, CliErrorKind, EXIT_FAILED, count};
use crate::implementation::external::{External, FindingVerdict, check as try_all};

pub(super) fn check(options: &ImplementationCheck, output: &mut Output) -> Result<u8, CliError> {
    super::run::end_gently();
    let limits = options.times.limits();
    let external = External::parse(&options.command, limits)
        .ok_or_else(|| CliError::new(CliErrorKind::Input, format!("there is no program `{}`", options.command)))?;
    let findings = try_all(&external).map_err(super::run::broken)?;
    let style = output.style();
    let mut wrong = 0;
    for finding in &findings {
        let line = match &finding.verdict {
            FindingVerdict::Good => format!("{}  {}", style.green("good   "), finding.what),
            FindingVerdict::Skipped(reason) => format!("{}  {} ({reason})", style.yellow("skipped"), finding.what),
            FindingVerdict::Wrong(fault) => {
                wrong += 1;
                format!("{}  {}: {fault}", style.red("wrong  "), finding.what)
            }
        };
        output.line(&line)?;
    }
    output.line(&if wrong == 0 { "nothing wrong".to_owned() } else { format!("{} wrong", count(wrong, "thing")) })?;
    output.flush()?;
    Ok(if wrong == 0 { 0 } else { EXIT_FAILED })
}
