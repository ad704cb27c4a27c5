//! One shell command line, parsed once: units (what runs), path words (what is touched), floors (what hides its program).
//!
//! This room knows the grammar and the file view, no rule and no answer. What it cannot read it says so, by a floor on the
//! whole call.

mod facts;
mod program;

pub use facts::{ShellError, ShellErrorKind, ShellFacts};
pub use program::{BashProgram, CandidateKind, GrantWidth, PathWord, ShellUnit, WrapperKind};
