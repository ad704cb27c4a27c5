//! `portcullis check`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::args::Sources;
use super::output::Output;
use crate::error::{CliError, count};
use crate::load;
use crate::scenario::Scenario;
use crate::source::SourceFile;

/// Reads the sources that were asked for.
pub(super) fn sources(sources: &Sources) -> Result<Vec<Arc<SourceFile>>, CliError> {
    if sources.paths.is_empty() {
        return Ok(load::embedded_sources());
    }
    load::read_sources(&sources.paths).map_err(CliError::problems)
}

/// Loads the scenarios that were asked for, or says everything that is wrong with them.
pub(super) fn scenarios(asked: &Sources) -> Result<Vec<Scenario>, CliError> {
    load::load_all(&sources(asked)?).map_err(CliError::problems)
}

/// The same for a run: what only breaks a rule of the suite is said, unless the scenarios are people's own, and played.
pub(super) fn playable(asked: &Sources, own: bool, output: &mut Output) -> Result<Vec<Scenario>, CliError> {
    let loaded = load::load_playable(&sources(asked)?).map_err(|mut problems| {
        problems.retain(|problem| !own || !problem.objection);
        CliError::problems(problems)
    });
    let (scenarios, objections) = loaded?;
    for objection in objections.iter().filter(|_| !own) {
        output.remark(&format!("warning: {objection}"));
    }
    Ok(scenarios)
}

pub(super) fn check(options: &Sources, output: &mut Output) -> Result<u8, CliError> {
    let scenarios = scenarios(options)?;
    let files: BTreeSet<&str> = scenarios.iter().map(|scenario| scenario.file.name.as_str()).collect();
    let ids: BTreeSet<&str> = scenarios.iter().map(|scenario| scenario.id.as_str()).collect();
    let text = format!(
        "{}, {}, {}: nothing wrong",
        count(files.len(), "file"),
        count(ids.len(), "scenario"),
        count(scenarios.len(), "row"),
    );
    output.line(&text)?;
    output.flush()?;
    Ok(0)
}
