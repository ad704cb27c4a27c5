//! Turns texts into [`AccessPath`]s for one session directory: tool inputs by the host's decoding (RES-19), shell words by
//! EXT-001, search operands as they stand (RES-22). The steps live in the sibling files; here they are put in order.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::access_path::AccessPath;
use super::containment::within;
use super::flavour::{ends_with_separator, fold, is_absolute, locate, separator};
use super::folding::{FoldingProbe, folded_forms, normal_forms, spelling_on_disk};
use super::host_decoding::{Decoded, decode_tool_input};
use super::infrastructure::{HarnessPlaces, InfrastructureEntries};
use super::normalise::normalise;
use super::protected::ProtectedPlaces;
use super::resolve_links::{LinkResolver, Reality, Standing};
use super::shell_word::{CleanedWord, Meaning, WindowsWord, clean_word, windows_word};
use super::values::{Further, SessionDirectory, Spelled};
use super::{Base, WordResolver};
use crate::access::tool_kind::is_listing_tool;
use crate::access::tool_path::{RawPath, search_operands};
use crate::host::{FileView, Platform};
use crate::text::{js_trim, non_blank};

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

/// One path operand of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOperand {
    /// The path.
    pub path: AccessPath,
    /// An operand of a search beside its path (HARD-058).
    pub is_search: bool,
    /// The requirement when the package would not look at it.
    pub introduced_by: Option<&'static str>,
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
    canonical_cwd: String,
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
        facts.home = facts.home.filter(|home| super::flavour::split_root(platform, home).is_some());
        let mut cwd = String::new();
        let mut canonical_cwd = String::new();
        if let Some(place) = locate(platform, "", &facts.cwd) {
            cwd = normalise(platform, &place).into_string();
            let links = LinkResolver { files: facts.files.as_ref(), platform };
            canonical_cwd = fold(platform, &links.look(&place).canonical);
        }
        Self {
            lexical_cwd: fold(platform, &cwd),
            cwd,
            canonical_cwd,
            canonical_agent_dir: OnceLock::new(),
            protected: OnceLock::new(),
            folding: FoldingProbe::default(),
            facts,
        }
    }

    /// The session directory after links, folded; computed once.
    pub fn canonical_cwd(&self) -> &str {
        &self.canonical_cwd
    }

    /// The home directory, when it can be trusted (POLICY-D10).
    pub fn home(&self) -> Option<&str> {
        self.facts.home.as_deref()
    }

    /// The path that a tool input names, after the host's own decoding (HARD-024, RES-19). `None` when it names nothing.
    pub fn tool_path(&self, raw: &str) -> Option<AccessPath> {
        let typed = non_blank(raw)?;
        let decoded = match decode_tool_input(self.facts.platform, self.home(), typed) {
            Decoded::Path(path) => path,
            Decoded::UnknownHome => return Some(self.unknown_home(typed, typed)),
        };
        let text = self.existing_normal_form(&decoded);
        let spelled = Spelled { typed, cleaned: &text, by_parent: "GATES-D07" };
        let mut path = self.build(&self.cwd, &text, &spelled);
        if text != decoded {
            let other = self.lexical(&decoded);
            let relative = self.session().relative(&other).unwrap_or_default();
            add(&mut path, [(decoded, "HARD-024"), (other, "HARD-024"), (relative, "HARD-024")]);
        }
        Some(path)
    }

    /// A further operand of a search tool, relative to its path operand, or to the session directory without one
    /// (HARD-058, RES-22). Patterns are not decoded and not expanded: their literal text is judged.
    pub fn search_operand(&self, base: Option<&AccessPath>, raw: &str) -> Option<AccessPath> {
        let typed = non_blank(raw)?;
        let base = match base {
            Some(base) if base.unknown_place && !is_absolute(self.facts.platform, typed) => {
                return Some(AccessPath::of_unknown_place(typed, typed));
            }
            Some(base) => base.lexical.as_str(),
            None => self.cwd.as_str(),
        };
        Some(self.build(base, typed, &Spelled { typed, cleaned: typed, by_parent: "GATES-D07" }))
    }

    /// All path operands of a call that is no shell: its path first, then the operands of a search (GATE-012, RES-22).
    /// Operands of tools that list or search see the folder's `d/` too.
    pub fn tool_operands(&self, tool: &str, path: Option<&RawPath>, input: &Value) -> Vec<ToolOperand> {
        let tool = js_trim(tool);
        let listed = |path| if is_listing_tool(tool) { self.with_folder_alias(path) } else { path };
        let own = path.and_then(|raw| Some((self.tool_path(&raw.text)?, raw.introduced_by)));
        let search: Vec<AccessPath> = search_operands(tool, input)
            .iter()
            .filter_map(|raw| self.search_operand(own.as_ref().map(|(path, _)| path), raw))
            .collect();
        let own = own.map(|(path, introduced_by)| ToolOperand { path: listed(path), is_search: false, introduced_by });
        let search =
            search.into_iter().map(|path| ToolOperand { path: listed(path), is_search: true, introduced_by: Some("HARD-058") });
        own.into_iter().chain(search).collect()
    }

    /// The path with `d/` beside each of its values, unless it is known to be no folder: a deny of `d/*` covers `d` itself
    /// for tools that list or search (HARD-058, RES-22).
    pub fn with_folder_alias(&self, mut path: AccessPath) -> AccessPath {
        if path.exists && !path.is_directory {
            return path;
        }
        let platform = self.facts.platform;
        let resolved = path.further.iter().filter(|(_, by)| matches!(*by, "HARD-024" | "GATES-D07" | "GATES-D08" | "GATES-D19"));
        let folders: Vec<(String, &'static str)> = path
            .values
            .iter()
            .chain(resolved.map(|(text, _)| text))
            .filter(|value| *value != "*" && !ends_with_separator(platform, value))
            .map(|value| (format!("{value}{}", separator(platform)), "HARD-058"))
            .collect();
        add(&mut path, folders);
        path
    }

    /// The lexical value of a text that needs no decoding, against the session directory (PATH-004). Empty stays empty.
    pub fn lexical(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        self.place(&self.cwd, text, |place| fold(self.facts.platform, normalise(self.facts.platform, place).as_str()))
            .unwrap_or_else(|| text.to_owned())
    }

    /// The canonical value of a text that needs no decoding: links followed, component by component (PATH-006, RES-20).
    pub fn canonical(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        self.place(&self.cwd, text, |place| fold(self.facts.platform, &self.links().look(place).canonical))
            .unwrap_or_else(|| text.to_owned())
    }

    /// Whether the path is the directory or lies below it (PATH-010).
    pub fn within(&self, path: &str, directory: &str) -> bool {
        within(self.facts.platform, path, directory)
    }

    /// The entry by which a read of the path needs no boundary question (PATH-014, RES-21), for the trace. A deny whose
    /// pattern is no catch-all still beats it; that is the gate's part.
    pub fn infrastructure_entry(&self, tool: &str, path: &AccessPath, entries: &InfrastructureEntries) -> Option<String> {
        // Two readings of one path: an exemption has to be right for both.
        if path.unknown_place || path.further.iter().any(|(_, by)| *by == "GATES-D07") {
            return None;
        }
        self.harness().entry(tool, &path.lexical, &path.canonical, entries)
    }

    /// Whether a read of the path needs no boundary question (PATH-014, RES-21).
    pub fn is_infrastructure_read(&self, tool: &str, path: &AccessPath, entries: &InfrastructureEntries) -> bool {
        self.infrastructure_entry(tool, path, entries).is_some()
    }

    /// Whether the package exempts the read, all of the agent directory included (PATH-014, PATH-015).
    pub fn is_baseline_infrastructure_read(&self, tool: &str, path: &AccessPath, entries: &InfrastructureEntries) -> bool {
        self.harness().baseline_entry(tool, &path.canonical, entries).is_some()
    }

    fn links(&self) -> LinkResolver<'_> {
        LinkResolver { files: self.facts.files.as_ref(), platform: self.facts.platform }
    }

    fn session(&self) -> SessionDirectory<'_> {
        SessionDirectory { platform: self.facts.platform, lexical: &self.lexical_cwd, canonical: &self.canonical_cwd }
    }

    fn harness(&self) -> HarnessPlaces<'_> {
        HarnessPlaces {
            platform: self.facts.platform,
            home: self.home(),
            cwd: &self.cwd,
            agent_dir: &self.facts.agent_dir,
            canonical_agent_dir: self.canonical_agent_dir.get_or_init(|| self.canonical(&self.facts.agent_dir)),
        }
    }

    fn protected(&self) -> &ProtectedPlaces {
        self.protected.get_or_init(|| {
            let facts = &self.facts;
            let root = facts.extension_root.as_deref();
            ProtectedPlaces::new(facts.platform, &self.lexical(&facts.agent_dir), &self.cwd, root, &|path| self.canonical(path))
        })
    }

    fn place<T>(&self, base: &str, text: &str, with: impl FnOnce(&super::flavour::Place<'_>) -> T) -> Option<T> {
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
        let package = fold(self.facts.platform, &reality.package);
        let textual = fold(self.facts.platform, &reality.textual);
        path.protected = self.protected().reason(&[&path.lexical, &path.canonical, &textual, &package]);
        path
    }

    /// GATES-D19: what else the same file is called on a volume that folds names.
    fn folded_spellings(&self, path: &AccessPath, reality: &Reality) -> Vec<(String, &'static str)> {
        if self.facts.platform == Platform::Windows {
            return Vec::new();
        }
        let files = self.facts.files.as_ref();
        let mut forms: Vec<String> = Vec::new();
        if self.folding.folds_case(files, &reality.existing) {
            forms.extend(path.values.iter().flat_map(|value| folded_forms(value)));
            if let Some(real) = spelling_on_disk(files, &path.canonical) {
                forms.extend(self.session().relative(&real));
                forms.push(real);
            }
        } else if path.exists {
            let same = normal_forms(&path.canonical).into_iter().filter(|form| files.entry(form).is_ok());
            for form in same {
                forms.extend(self.session().relative(&form));
                forms.push(form);
            }
        }
        forms.into_iter().map(|form| (form, "GATES-D19")).collect()
    }

    /// The decoded text, or its other normal form when only that one exists (RES-19).
    fn existing_normal_form(&self, decoded: &str) -> String {
        let exists = |text: &str| {
            self.place(&self.cwd, text, |place| self.links().look(place).standing != Standing::Nothing).unwrap_or(false)
        };
        let forms = normal_forms(decoded);
        if forms.is_empty() || exists(decoded) {
            return decoded.to_owned();
        }
        forms.into_iter().find(|form| exists(form)).unwrap_or_else(|| decoded.to_owned())
    }

    /// A home directory that nobody can tell. The package takes the text for a name below the base.
    fn unknown_home(&self, typed: &str, text: &str) -> AccessPath {
        let named = self.build(&self.cwd, text, &Spelled { typed, cleaned: text, by_parent: "BASH-D18" });
        let mut path = AccessPath::of_unknown_place(typed, text);
        path.protected = named.protected;
        add(&mut path, named.values.into_iter().map(|value| (value, "HARD-018")));
        path
    }

    /// A relative word under a base that nobody can tell (EXT-006, EXT-010, RES-51).
    fn under_unknown_base(&self, typed: &str, text: &str) -> AccessPath {
        let assumed = self.build(&self.cwd, text, &Spelled { typed, cleaned: text, by_parent: "BASH-D18" });
        let mut path = AccessPath::of_unknown_place(typed, text);
        path.protected = assumed.protected;
        path.assumed = assumed.values.into_iter().filter(|value| value != text).collect();
        path
    }

    /// A path below Git Bash's own root (PATH-022, EXT-013): literal, in both spellings of the separator.
    fn posix_absolute(&self, typed: &str, cleaned: &str, text: &str) -> AccessPath {
        let mut path = AccessPath::literal(typed, text);
        let backslashed = text.replace('/', "\\");
        path.protected = self.protected().reason(&[&backslashed]);
        path.values.push(backslashed);
        add(&mut path, [(cleaned.to_owned(), "POLICY-D08"), (cleaned.replace('/', "\\"), "POLICY-D08")]);
        path
    }

    fn word(&self, typed: &str, cleaned: &str, base: &Base) -> AccessPath {
        let spelled = Spelled { typed, cleaned, by_parent: "BASH-D18" };
        match base {
            Base::Known(base) => self.build(base, cleaned, &spelled),
            Base::Unknown if is_absolute(self.facts.platform, cleaned) => self.build(&self.cwd, cleaned, &spelled),
            Base::Unknown => self.under_unknown_base(typed, cleaned),
        }
    }

    /// RES-50: a `file:` URL names its path; programs that read no URLs see a name below the base.
    fn url(&self, typed: &str, cleaned: &str, path: &str, base: &Base) -> AccessPath {
        let mut found = self.word(typed, path, base);
        let named = self.word(typed, cleaned, base);
        let named = named.values.into_iter().chain(named.assumed).map(|value| (value, "BASH-D10"));
        add(&mut found, named);
        found
    }
}

impl WordResolver for PathNormalizer {
    fn cwd(&self) -> &str {
        &self.cwd
    }

    fn platform(&self) -> Platform {
        self.facts.platform
    }

    fn resolve_word(&self, word: &str, base: &Base) -> Option<AccessPath> {
        let typed = js_trim(word);
        let CleanedWord { text, meaning } = clean_word(self.facts.platform, self.home(), word)?;
        Some(match meaning {
            Meaning::UnknownHome => self.unknown_home(typed, &text),
            Meaning::Url(path) => self.url(typed, &text, &path, base),
            Meaning::Plain if self.facts.platform == Platform::Windows => match windows_word(&text) {
                WindowsWord::Device => AccessPath::device(typed, &text),
                WindowsWord::PosixAbsolute { text: resolved } => self.posix_absolute(typed, &text, &resolved),
                WindowsWord::Native(native) => self.word(typed, &native, base),
                WindowsWord::DottedMount(native) => {
                    let mut path = self.word(typed, &native, base);
                    add(&mut path, [(text.clone(), "POLICY-D08"), (text.replace('/', "\\"), "POLICY-D08")]);
                    AccessPath { outside: true, outside_by: None, ..path }
                }
            },
            Meaning::Plain => self.word(typed, &text, base),
            Meaning::BracedHome(path) => {
                let mut found = self.word(typed, &path, base);
                let named = self.word(typed, &text, base);
                add(&mut found, named.values.into_iter().chain(named.assumed).map(|value| (value, "HARD-018")));
                found
            }
        })
    }

    fn fold_directory(&self, word: &str, base: &Base) -> Base {
        let platform = self.facts.platform;
        let native = match platform {
            Platform::Posix => word.to_owned(),
            Platform::Windows => match windows_word(word) {
                WindowsWord::Native(native) => native,
                _ => return Base::Unknown,
            },
        };
        let base = match base {
            Base::Known(base) => base.as_str(),
            Base::Unknown if is_absolute(platform, &native) => self.cwd.as_str(),
            Base::Unknown => return Base::Unknown,
        };
        let folded = self.place(base, &native, |place| normalise(platform, place).into_string());
        folded.map_or(Base::Unknown, Base::Known)
    }
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
mod tests;
