//! From files to scenarios. Everything that is not understood is a [`Problem`] with its place; nothing is skipped silently.
//!
//! `files` finds and reads sources, `table` fills rows into templates, `given`, `sessions`, `steps` and `expect` read the parts, `check` asks whether
//! what was read makes sense, `suite` puts it together.

mod check;
mod expect;
mod files;
mod given;
mod policy_file;
mod reader;
mod sessions;
mod steps;
mod suite;
mod table;

pub use files::{MAX_FILE_BYTES, embedded_sources, read_sources};
pub use suite::{Loaded, load};

/// The names that the loader knows, for the schema.
pub(crate) mod keys {
    pub(crate) use super::expect::{
        BY_KEYS as BY, EXPECT_KEYS as EXPECT, MESSAGE_KEYS as MESSAGE, PROMPT_KEYS as PROMPT, debug_events, decision_members,
        origins, resolutions, review_events,
    };
    pub(crate) use super::given::{GIVEN_KEYS as GIVEN, POLICY_FILE_KEYS as POLICY_FILES, SCOPE_KEYS as SCOPES};
    pub(crate) use super::sessions::{
        SESSION_KEYS as SESSION, STAGED_KEYS as STAGED, STAGED_SIDE_KEYS as STAGED_SIDE, TROUBLE_KEYS as TROUBLE,
    };
    pub(crate) use super::steps::{CHANGE_KEYS as CHANGE, HOST_CHANGE_KEYS as HOST_CHANGE, step_keys as step};
    pub(crate) use super::suite::SCENARIO_KEYS as SCENARIO;
}

use crate::problem::Problem;
use crate::scenario::Scenario;

/// Loads sources and gives the scenarios only when nothing is wrong with any of them.
pub fn load_all(sources: &[std::sync::Arc<crate::source::SourceFile>]) -> Result<Vec<Scenario>, Vec<Problem>> {
    let loaded = load(sources);
    if loaded.problems.is_empty() { Ok(loaded.scenarios) } else { Err(loaded.problems) }
}

/// Loads sources for a run: objections go along and refuse nothing, every other fault refuses all.
pub fn load_playable(
    sources: &[std::sync::Arc<crate::source::SourceFile>],
) -> Result<(Vec<Scenario>, Vec<Problem>), Vec<Problem>> {
    let loaded = load(sources);
    if loaded.problems.iter().all(|problem| problem.objection) {
        Ok((loaded.scenarios, loaded.problems))
    } else {
        Err(loaded.problems)
    }
}

#[cfg(test)]
mod tests;
