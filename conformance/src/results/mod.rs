//! The results of several implementations on one page: docs/results.md. Reads what `run --json-lines` wrote, so that the page says what
//! was played and nothing else.

mod compared;
mod page;
mod read;

use crate::scenario::Level;

pub use compared::Compared;
pub(crate) use page::Score;
pub use page::page;
pub use read::read;

/// What was played on one implementation, in the order of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language it is written in.
    pub language: String,
    /// Where it lives.
    pub homepage: Option<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One row of the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The folder of its scenario file.
    pub area: String,
    /// Its level.
    pub level: Level,
    /// How it ended.
    pub ended: Ended,
    /// Why that is known, when it is.
    pub expected: Option<String>,
}

/// How a row ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// As it should.
    Passed,
    /// In another way; the outcomes that were expected and got, when it is they that differ.
    Failed(Option<(String, String)>),
    /// Without an answer.
    Errored,
    /// Skipped, and why.
    Skipped(String),
    /// Not played, or not scored.
    Apart,
}

#[cfg(test)]
mod tests;
