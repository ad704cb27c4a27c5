//! The scenario model: what a file of docs/scenarios.md says, typed. This room holds values only; `load` fills them.

mod expect;
mod given;
mod session;
mod step;
mod text;
pub mod words;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use expect::{
    By, EventExpectation, Expect, ListExpectation, MessageExpectation, NoticeExpectation, PromptExpectation,
    SystemPromptExpectation,
};
pub use given::{Answer, BashCheck, CheckAnswer, ConfigTexts, FileEntry, Given, Grant, Policy, SkillEntry, Trusted};
pub use session::{ExchangeTrouble, GivenSession, LinkAnswer, Meanwhile, Staged, StagedContent, StagedMessage, parse_duration};
pub use step::{Action, Change, HostChange, Step};
pub use text::{EXCHANGE, PLACES, Part, Template, WILD};
pub use words::{Capability, Level};

use crate::source::{Place, SourceFile};
use crate::yaml::Node;

/// One scenario row, ready to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Name of the row: the id, or `id/label` of a table's row. Unique in the whole suite.
    pub name: String,
    /// The id that the file gives.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Name of the suite it stands in.
    pub suite: Arc<str>,
    /// Requirement ids.
    pub covers: Vec<String>,
    /// A remark.
    pub note: Option<String>,
    /// Its level.
    pub level: Level,
    /// What an implementation must be able to do: as written, and what the content implies.
    pub needs: Vec<Capability>,
    /// The world before the first step.
    pub given: Given,
    /// What happens.
    pub steps: Vec<Step>,
    /// The file it stands in.
    pub file: Arc<SourceFile>,
    /// Where the scenario stands in it (for a row: the row).
    pub place: Place,
    /// What was written, for reports that show it; absent for rows that nobody wrote.
    pub written: Option<Arc<Written>>,
}

/// The world and the steps as their file says them, with a row's values filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The map under `given`, the file's own part included.
    pub given: Node,
    /// The list under `steps`.
    pub steps: Node,
}

/// A place in a file, as reports name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
}

impl Origin {
    /// The area: the folder of the file.
    pub fn area(&self) -> &str {
        self.file.rsplit('/').nth(1).unwrap_or("other")
    }
}

impl Scenario {
    /// Where it stands.
    pub fn origin(&self) -> Origin {
        Origin { file: self.file.name.clone(), line: self.place.line }
    }
}
