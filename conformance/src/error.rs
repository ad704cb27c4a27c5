//! What ends the program early, and with which exit code (docs/design.md, "The program").

use std::fmt;

use crate::problem::Problem;

/// Why the program cannot do what was asked.
#[derive(Debug)]
pub struct CliError {
    /// The kind, and with it the exit code.
    pub kind: CliErrorKind,
    /// What happened, for people.
    pub message: String,
    /// Located faults, when there are some.
    pub problems: Vec<Problem>,
}

/// The kinds, one exit code each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CliErrorKind {
    /// The command line makes no sense, or the input cannot be used.
    Input,
    /// Nothing was run: never a success.
    NothingRan,
    /// The implementation could not be started, or spoke garbage.
    Implementation,
    /// The program itself could not write its result.
    Output,
    /// Somebody ended the run before its time: what did not run did not pass.
    Interrupted,
}

/// The exit code of a run in which something failed.
pub const EXIT_FAILED: u8 = 1;

impl CliErrorKind {
    /// Its exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Input | Self::Output => 2,
            Self::Interrupted => EXIT_FAILED,
            Self::NothingRan => 3,
            Self::Implementation => 4,
        }
    }
}

impl CliError {
    /// An error of this kind.
    pub fn new(kind: CliErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), problems: Vec::new() }
    }

    /// Scenario files with faults.
    pub fn problems(problems: Vec<Problem>) -> Self {
        let files: std::collections::BTreeSet<&str> = problems.iter().map(|problem| problem.file.name.as_str()).collect();
        let message = format!("{} in {}", count(problems.len(), "fault"), count(files.len(), "file"));
        Self { kind: CliErrorKind::Input, message, problems }
    }
}

/// `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CliError {}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        Self::new(CliErrorKind::Output, format!("cannot write: {error}"))
    }
}
