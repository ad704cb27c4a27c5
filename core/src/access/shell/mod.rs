//! One shell command line, parsed once: units (what runs), path words (what is touched), floors (what hides its program).
//!
//! This room knows the grammar and the file view, no rule and no answer. What it cannot read it says so, by a floor on the
//! whole call.

mod bases;
mod classify;
mod command;
mod continued;
mod expand;
mod facts;
mod file_options;
mod floors;
mod grant;
mod heredocs;
mod late;
mod loaders;
mod marks;
mod names;
mod nested;
mod operands;
mod options;
mod paths;
mod peel;
mod program;
mod quoting;
mod rebound;
mod remember;
mod rooms;
mod simple;
mod spelling;
mod tree;
mod units;
mod unseen;
mod walk;
mod word;
mod wrappers;

pub use facts::{ShellError, ShellErrorKind, ShellFacts};
pub use program::{BashProgram, CandidateKind, GrantWidth, PathWord, ShellUnit, WrapperKind};
