//! Path values: what the caller typed, where it leads, and the spellings that rules see (PATH of docs/spec/gates.md).

mod access_path;
mod infrastructure;
mod normalizer;

pub use access_path::{AccessPath, ProtectedReason};
pub use infrastructure::InfrastructureEntries;
pub use normalizer::{PathFacts, PathNormalizer};

use crate::host::Platform;

/// The working directory in force at a shell word (RES-52).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// This directory, absolute and lexical.
    Known(String),
    /// Nobody can tell.
    Unknown,
}

/// What the shell analysis needs of paths: a word under a base becomes a path value (EXT-001, EXT-002, PATH-022).
///
/// The one implementation is the session's normaliser; tests put a file system without links behind it.
pub trait WordResolver {
    /// The session directory, absolute and lexical.
    fn cwd(&self) -> &str;
    /// The flavour of paths.
    fn platform(&self) -> Platform;
    /// The path that a cleaned shell word names under a base. `None` when the word cleans to nothing (EXT-001).
    fn resolve_word(&self, word: &str, base: &Base) -> Option<AccessPath>;
    /// Where `cd word` leads from a base (CWD-007, PATH-024).
    fn fold_directory(&self, word: &str, base: &Base) -> Base;
}
