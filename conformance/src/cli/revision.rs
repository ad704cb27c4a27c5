//! `portcullis revision`.

use super::args::Sources;
use super::output::Output;
use crate::error::{CliError, count};
use crate::revision;

fn suite() -> Result<Vec<crate::scenario::Scenario>, CliError> {
    super::check::scenarios(&Sources { paths: Vec::new() })
}

pub(super) fn check(output: &mut Output) -> Result<u8, CliError> {
    let suite = suite()?;
    let mut problems = Vec::new();
    for name in revision::names() {
        match revision::find(name) {
            Err(faults) => problems.extend(faults),
            Ok(revision) => {
                let sums = revision::sums(&suite);
                let later = suite.iter().filter(|row| revision.unscored(row, &sums).is_some()).count();
                let rows = count(revision.frozen(), "row");
                output.line(&format!("{name}  {rows}, {} withdrawn; {later} in the suite not scored", revision.withdrawn()))?;
                problems.extend(revision.check(&suite));
            }
        }
    }
    output.flush()?;
    if problems.is_empty() { Ok(0) } else { Err(CliError::problems(problems)) }
}

pub(super) fn freeze(name: &str, output: &mut Output) -> Result<u8, CliError> {
    output.line(revision::freeze(name, &suite()?).trim_end())?;
    output.flush()?;
    Ok(0)
}
