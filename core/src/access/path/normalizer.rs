//! Turns texts into [`AccessPath`]s for one session directory: tool inputs by the host's decoding (RES-19), shell words by
//! EXT-001, search operands as they stand (RES-22).

use std::sync::Arc;

use super::access_path::AccessPath;
use super::infrastructure::InfrastructureEntries;
use super::{Base, WordResolver};
use crate::host::{FileView, Platform};

/// What path values depend on.
#[derive(Clone)]
pub struct PathFacts {
    /// The session directory, absolute.
    pub cwd: String,
    /// The home directory. Empty or relative homes count as none (POLICY-D10).
    pub home: Option<String>,
    /// The host's agent directory.
    pub agent_dir: String,
    /// Where this engine is installed, when known; its old configuration file is protected.
    pub extension_root: Option<String>,
    /// The flavour of paths.
    pub platform: Platform,
    /// The file system.
    pub files: Arc<dyn FileView>,
}

/// The path values of one session directory. Made anew at each activation (HAND-005), so that one call sees one state.
pub struct PathNormalizer {
    facts: PathFacts,
}

impl PathNormalizer {
    /// A normaliser for these facts.
    pub fn new(facts: PathFacts) -> Self {
        Self { facts }
    }

    /// The session directory after links; computed once.
    pub fn canonical_cwd(&self) -> &str {
        &self.facts.cwd
    }

    /// The path that a tool input names, after the host's own decoding (RES-19). `None` when it names nothing.
    pub fn tool_path(&self, raw: &str) -> Option<AccessPath> {
        literal(raw)
    }

    /// A further operand of a search tool, relative to its path operand, or to the session directory without one (RES-22).
    pub fn search_operand(&self, _base: Option<&AccessPath>, raw: &str) -> Option<AccessPath> {
        literal(raw)
    }

    /// The path with `d/` beside each value, unless it is known to be no folder: for operands of `ls`, `find`, `grep`
    /// (HARD-058, RES-22).
    pub fn with_folder_alias(&self, path: AccessPath) -> AccessPath {
        path
    }

    /// PATH-004 on a text that needs no decoding: absolute, normalised, links not followed.
    pub fn lexical(&self, path: &str) -> String {
        path.to_owned()
    }

    /// The path after links, component by component.
    pub fn canonical(&self, path: &str) -> String {
        path.to_owned()
    }

    /// PATH-010.
    pub fn within(&self, path: &str, directory: &str) -> bool {
        path == directory
    }

    /// The entry by which a read of the path needs no boundary question (PATH-014, RES-21), for the trace.
    pub fn infrastructure_entry(&self, _tool: &str, _path: &AccessPath, _entries: &InfrastructureEntries) -> Option<String> {
        None
    }

    /// Whether a read of the path needs no boundary question (PATH-014, RES-21).
    pub fn is_infrastructure_read(&self, tool: &str, path: &AccessPath, entries: &InfrastructureEntries) -> bool {
        self.infrastructure_entry(tool, path, entries).is_some()
    }

    /// Whether the package exempts the read: all of the agent directory included (PATH-015).
    pub fn is_baseline_infrastructure_read(&self, tool: &str, path: &AccessPath, entries: &InfrastructureEntries) -> bool {
        self.is_infrastructure_read(tool, path, entries)
    }
}

impl WordResolver for PathNormalizer {
    fn cwd(&self) -> &str {
        &self.facts.cwd
    }

    fn platform(&self) -> Platform {
        self.facts.platform
    }

    fn resolve_word(&self, word: &str, _base: &Base) -> Option<AccessPath> {
        literal(word)
    }

    fn fold_directory(&self, _word: &str, _base: &Base) -> Base {
        Base::Unknown
    }
}

fn literal(text: &str) -> Option<AccessPath> {
    let text = crate::text::non_blank(text)?.to_owned();
    Some(AccessPath {
        typed: text.clone(),
        lexical: text.clone(),
        relative: None,
        canonical: String::new(),
        values: vec![text],
        further: Vec::new(),
        assumed: Vec::new(),
        outside: true,
        outside_by: None,
        unknown_place: false,
        is_directory: false,
        exists: false,
        protected: None,
    })
}
