//! Turns texts into [`AccessPath`]s for one session directory: tool inputs by the host's decoding (RES-19), shell words by
//! EXT-001, search operands as they stand (RES-22). The steps live in the sibling files; here they are put in order.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::access_path::AccessPath;
use super::containment::within;
use super::flavour::{Place, fold, locate, split_root};
use super::folding::FoldingProbe;
use super::normalise::normalise;
use super::protected::{Links, ProtectedPlaces};
use super::resolve_links::LinkResolver;
use super::values::{Further, SessionDirectory, Spelled};
use crate::host::{EntryKind, FileFaultKind, FileView, Platform};

mod harness;
mod spellings;
mod tool_inputs;
mod words;

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

/// The path values of one session directory. Made anew at each activation (HAND-005), so that one call sees one state; the
/// canonical session directory and the guarded places are computed once.
///
/// ```
/// use std::sync::Arc;
///
/// use portcullis_core::access::path::{PathFacts, PathNormalizer};
/// use portcullis_core::host::Platform;
/// use portcullis_core::host::system::SystemFileView;
///
/// let normalizer = PathNormalizer::new(PathFacts {
///     cwd: "/w/p".into(),
///     home: Some("/home/u".into()),
///     agent_dir: "/home/u/.pi/agent".into(),
///     extension_root: None,
///     platform: Platform::Posix,
///     files: Arc::new(SystemFileView),
/// });
/// let path = normalizer.tool_path("src/a.ts").unwrap();
/// assert_eq!(path.values, ["/w/p/src/a.ts", "src/a.ts"]);
/// assert!(!path.outside);
/// assert!(normalizer.tool_path("file:///etc/shadow").unwrap().outside);
/// ```
pub struct PathNormalizer {
    facts: PathFacts,
    /// Lexical, in the host's own case; empty when there is none.
    cwd: String,
    lexical_cwd: String,
    canonical_cwd: OnceLock<String>,
    canonical_agent_dir: OnceLock<String>,
    protected: OnceLock<ProtectedPlaces>,
    folding: FoldingProbe,
}

impl fmt::Debug for PathNormalizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PathNormalizer").field("cwd", &self.cwd).field("platform", &self.facts.platform).finish_non_exhaustive()
    }
}

impl PathNormalizer {
    /// A normaliser for these facts. A session directory that is not absolute counts as none (PATH-026).
    pub fn new(mut facts: PathFacts) -> Self {
        let platform = facts.platform;
        facts.home = facts.home.filter(|home| split_root(platform, home).is_some());
        let cwd = locate(platform, "", &facts.cwd).map(|place| normalise(platform, &place).into_string()).unwrap_or_default();
        Self {
            lexical_cwd: fold(platform, &cwd).into_owned(),
            cwd,
            canonical_cwd: OnceLock::new(),
            canonical_agent_dir: OnceLock::new(),
            protected: OnceLock::new(),
            folding: FoldingProbe::default(),
            facts,
        }
    }

    /// The session directory after links, folded; computed once.
    pub fn canonical_cwd(&self) -> &str {
        self.canonical_cwd.get_or_init(|| {
            let folded = |place: &Place<'_>| fold(self.facts.platform, self.links().look(place).canonical()).into_owned();
            self.place("", &self.facts.cwd, folded).unwrap_or_default()
        })
    }

    /// The home directory, when it can be trusted (POLICY-D10).
    pub fn home(&self) -> Option<&str> {
        self.facts.home.as_deref()
    }

    /// The lexical value of a text that needs no decoding, against the session directory (PATH-004). Empty stays empty.
    pub fn lexical(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        self.place(&self.cwd, text, |place| {
            fold(self.facts.platform, normalise(self.facts.platform, place).as_str()).into_owned()
        })
        .unwrap_or_else(|| text.to_owned())
    }

    /// The canonical value of a text that needs no decoding: links followed, component by component (PATH-006, RES-20).
    pub fn canonical(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        self.place(&self.cwd, text, |place| fold(self.facts.platform, self.links().look(place).canonical()).into_owned())
            .unwrap_or_else(|| text.to_owned())
    }

    /// Whether the path is the directory or lies below it (PATH-010).
    pub fn within(&self, path: &str, directory: &str) -> bool {
        within(self.facts.platform, path, directory)
    }

    fn links(&self) -> LinkResolver<'_> {
        LinkResolver { files: self.facts.files.as_ref(), platform: self.facts.platform }
    }

    fn session(&self) -> SessionDirectory<'_> {
        SessionDirectory { platform: self.facts.platform, lexical: &self.lexical_cwd, canonical: self.canonical_cwd() }
    }

    fn protected(&self) -> &ProtectedPlaces {
        self.protected.get_or_init(|| {
            let facts = &self.facts;
            let root = facts.extension_root.as_deref();
            ProtectedPlaces::new(facts.platform, &self.lexical(&facts.agent_dir), &self.cwd, root, self)
        })
    }

    fn place<T>(&self, base: &str, text: &str, with: impl FnOnce(&Place<'_>) -> T) -> Option<T> {
        locate(self.facts.platform, base, text).map(|place| with(&place))
    }

    /// The path of a text under a base. Without a session directory a relative text is only its text, and nothing is
    /// outside (PATH-026).
    fn build(&self, base: &str, text: &str, spelled: &Spelled<'_>) -> AccessPath {
        let Some(reality) = self.place(base, text, |place| self.links().look(place)) else {
            return AccessPath { outside: !self.cwd.is_empty(), ..AccessPath::literal(spelled.typed, spelled.cleaned) };
        };
        let mut path = self.session().path(spelled, &reality);
        let folded = self.folded_spellings(&path, &reality);
        add(&mut path, folded);
        let package = fold(self.facts.platform, reality.package());
        let textual = fold(self.facts.platform, reality.textual());
        path.protected = self.protected().reason(&[&path.lexical, &path.canonical, &textual, &package]);
        self.add_opened_name(&mut path, &reality);
        path
    }
}

impl Links for PathNormalizer {
    fn canonical(&self, path: &str) -> String {
        Self::canonical(self, path)
    }

    fn is_plain(&self, path: &str) -> bool {
        // Names that a Windows volume folds are for the whole path to tell.
        self.facts.platform == Platform::Posix
            && match self.facts.files.entry(path) {
                Ok(EntryKind::Directory | EntryKind::File) => true,
                Ok(EntryKind::Symlink(_)) => false,
                Err(fault) => matches!(fault.kind, FileFaultKind::NotFound | FileFaultKind::NotADirectory),
            }
    }
}

/// Whether a reading of a text that few programs have is worth a look: something is there, outside, or guarded.
fn matters(path: &AccessPath) -> bool {
    path.exists || path.outside || path.protected.is_some()
}

/// Adds further spellings that the path does not have yet.
fn add(path: &mut AccessPath, spellings: impl IntoIterator<Item = (String, &'static str)>) {
    let mut further = Further::new(&path.values, std::mem::take(&mut path.further));
    for (text, requirement) in spellings {
        further.push(text, requirement);
    }
    path.further = further.into_list();
}

#[cfg(test)]
pub(super) mod tests;
