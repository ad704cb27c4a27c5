//! One path of a call with everything that gates need to know about it.

use serde::Serialize;

/// Why a path is protected (HARD-056, RES-24).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtectedReason {
    /// The gate's own configuration, rules, logs.
    PolicyFile,
    /// An agent file or its folder.
    AgentFile,
    /// The MCP server list.
    McpList,
    /// The forwarding folder.
    Forwarding,
    /// A file that git runs or reads later.
    GitHook,
    /// A folder on the way down to one of these.
    ParentFolder,
}

/// A path of a call (PATH-021). Three strings are told apart: what is shown (`typed`), what rules and grants see
/// (`lexical` and the values), and what containment is judged by (`canonical`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AccessPath {
    /// The text as the caller wrote it, trimmed.
    pub typed: String,
    /// Absolute and normalised, links not followed (PATH-004). For literal-only paths the text itself.
    pub lexical: String,
    /// Relative to the session directory, when strictly inside it.
    pub relative: Option<String>,
    /// After links, component by component as the system does (PATH-006, GATES-D07, GATES-D08). Empty for literal-only paths.
    pub canonical: String,
    /// The main form: lexical, relative and canonical value, distinct, in this order (RES-14). A literal `*` stands in place
    /// of the first two (PATH-020).
    pub values: Vec<String>,
    /// Further spellings with the requirement that introduced each (RES-14): the text as typed, `d/` of a folder, folded forms.
    pub further: Vec<(String, &'static str)>,
    /// Under an unknown base: the values the package judges on the boundary, as if the word stood in the session directory
    /// (EXT-006). Further spellings of the boundary question only; on `path` they say nothing (RES-51).
    pub assumed: Vec<String>,
    /// Outside the session directory (PATH-012), by the lexical or the canonical value (RES-20); literal-only paths are outside (PATH-023).
    pub outside: bool,
    /// The requirement when the package would have called it inside.
    pub outside_by: Option<&'static str>,
    /// The place is unknown (RES-51): only deny and ask rules see its word.
    pub unknown_place: bool,
    /// Whether the path names an existing directory, or is written with a trailing separator.
    pub is_directory: bool,
    /// Whether an entry of that name exists, a link that leads nowhere included (HARD-015, GATES-D08).
    pub exists: bool,
    /// Protected by HARD-056, and why.
    pub protected: Option<ProtectedReason>,
}

impl AccessPath {
    /// The place that the typed text does not name by itself: where links lead, or what the host's own decoding makes of the
    /// text (HARD-024). A question shows it beside the text.
    pub fn named_elsewhere(&self) -> Option<&str> {
        let plain = |text: &str| text.replace('\\', "/").to_lowercase();
        let typed = plain(&self.typed);
        let typed = typed.trim_start_matches("./").trim_end_matches('/');
        let itself = typed.is_empty() || typed == "." || plain(&self.lexical).ends_with(typed);
        self.resolved_alias().or_else(|| (!itself && !self.lexical.is_empty()).then_some(self.lexical.as_str()))
    }

    /// The canonical form when it differs from the lexical one (GATE-014).
    pub fn resolved_alias(&self) -> Option<&str> {
        (!self.canonical.is_empty() && self.canonical != self.lexical).then_some(self.canonical.as_str())
    }
}
