//! What the analysis asks of the world outside the command line, and how it can fail.

use std::error::Error;
use std::fmt;

use crate::access::path::WordResolver;

/// The three views that one analysis needs. Nothing else enters it (invariant 2 of docs/spec/bash.md).
pub struct ShellFacts<'a> {
    /// Where words lead.
    pub resolver: &'a dyn WordResolver,
    /// Whether a specific deny or ask rule of the `path` family spells this bare token (TOK-021, RULE-023).
    pub is_promotable: &'a dyn Fn(&str) -> bool,
    /// Whether an absolute deny or ask rule could match a path that ends in `/` and this word (RES-51).
    pub could_hit_absolute: &'a dyn Fn(&str) -> bool,
    /// Whether the parse has taken too long (RES-54). Some malformed texts cost the parser time that grows with the square
    /// of their length; a parse that is given up floors the call.
    pub out_of_time: &'a dyn Fn() -> bool,
}

/// The analysis could not be made at all; the call must be blocked (CMD-003).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellError {
    kind: ShellErrorKind,
}

/// Why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShellErrorKind {
    /// The parser and its grammar do not fit together.
    Grammar,
}

impl ShellError {
    pub(crate) fn new(kind: ShellErrorKind) -> Self {
        Self { kind }
    }

    /// The kind, for decisions.
    pub fn kind(&self) -> ShellErrorKind {
        self.kind
    }
}

impl fmt::Display for ShellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ShellErrorKind::Grammar => f.write_str("the shell parser could not load its grammar"),
        }
    }
}

impl Error for ShellError {}
