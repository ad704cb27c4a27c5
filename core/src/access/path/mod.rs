//! Path values: what the caller typed, where it leads, and the spellings that rules see (PATH of docs/spec/gates.md).

mod access_path;
mod containment;
mod flavour;
mod folding;
mod host_decoding;
mod infrastructure;
mod normalise;
mod normalizer;
mod protected;
mod resolve_links;
mod shell_word;
mod values;

pub use access_path::{AccessPath, ProtectedReason};
pub use containment::within;
pub(crate) use flavour::is_absolute;
pub use infrastructure::InfrastructureEntries;
#[cfg(test)]
pub(crate) use normalizer::tests::posix;
pub use normalizer::{PathFacts, PathNormalizer};

use crate::host::Platform;

/// The working directory in force at a shell word (RES-52).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// This directory, absolute and lexical; on Windows in the case it was written in.
    Known(String),
    /// Nobody can tell.
    Unknown,
}

/// What the shell analysis needs of paths: a word under a base becomes a path value (EXT-001, EXT-002, PATH-022).
///
/// The one implementation is the session's normaliser; tests put a file system without links behind it.
pub trait WordResolver {
    /// The session directory, absolute and lexical; on Windows in the host's own case.
    fn cwd(&self) -> &str;
    /// The flavour of paths.
    fn platform(&self) -> Platform;
    /// The path that a shell word names under a base. The word comes without the shell's own quoting; what is cleaned off it
    /// here is EXT-001. `None` when nothing is left. A leading `~` that was quoted has to arrive as `./~`.
    fn resolve_word(&self, word: &str, base: &Base) -> Option<AccessPath>;
    /// The home directory in its lexical form, `~` as it stands when nobody can tell it.
    fn home_directory(&self) -> Option<String> {
        self.resolve_word("~", &Base::Known(self.cwd().to_owned())).map(|path| path.lexical)
    }
    /// The path whose name is the word itself, nothing cleaned off (HARD-027). `None` when [`resolve_word`](Self::resolve_word)
    /// reads the same name, or when that name leads to nothing that could matter.
    fn exact_word(&self, _word: &str, _base: &Base) -> Option<AccessPath> {
        None
    }
    /// Whether the way to this directory leads over no link, so that what lies in it is called as it is written.
    fn is_straight(&self, _directory: &str) -> bool {
        false
    }
    /// Whether a bare word (no separator, no leading dot, no shape of a path) names nothing in a directory that
    /// [is straight](Self::is_straight), for sure: no entry, and no place that is guarded (HARD-015, HARD-056). A cheap yes saves
    /// a whole path; `false` decides nothing.
    fn names_nothing(&self, _word: &str, _directory: &str) -> bool {
        false
    }
    /// Where `cd word` leads from a base (CWD-007, PATH-024): `..` is taken textually, as the shell's own `cd` does, and
    /// nothing is expanded: a home form has to arrive as the path it stands for.
    fn fold_directory(&self, word: &str, base: &Base) -> Base;
}
