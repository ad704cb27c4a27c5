//! From the `permission` object to rules in file order (RULE-008, RULE-009, RES-06).

use std::sync::Arc;

use super::super::json::{Member, Node, Position};
use super::super::rule::{Layer, PermissionState, Rule, RuleLocation, Scope};
use super::super::scope::{LoadedScope, ScopeStatus, SurfaceShape};

/// Which entries count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All: the file is valid.
    All,
    /// Only what denies or asks: the file is broken (RES-06).
    Restrictions,
}

impl Keep {
    fn admits(self, state: PermissionState) -> bool {
        self == Self::All || state != PermissionState::Allow
    }
}

/// The rules of one file, without scope and path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FilePolicy {
    /// The plain state of the key `*`.
    pub(crate) default: Option<(PermissionState, Position)>,
    /// The entries in the order of the text.
    pub(crate) entries: Vec<Entry>,
    /// The surfaces of a valid file in their order, empty ones included.
    pub(crate) shapes: Vec<SurfaceShape>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) surface: Arc<str>,
    pub(crate) pattern: Arc<str>,
    pub(crate) action: PermissionState,
    pub(crate) reason: Option<Arc<str>>,
    pub(crate) at: Position,
}

impl FilePolicy {
    /// Reads the well-formed entries below a `permission` object and adds them; anything else is passed over, because
    /// validation has its own walk (RES-06, CFG-019).
    pub(crate) fn read(&mut self, permission: &Node, keep: Keep) {
        for surface in permission.members().unwrap_or_default() {
            if surface.key == "*" {
                self.read_default(surface, keep);
            } else if !surface.key.is_empty() {
                self.read_surface(surface, keep);
            }
        }
    }

    fn read_default(&mut self, surface: &Member, keep: Keep) {
        if let Some(state) = state_of(&surface.value).filter(|state| keep.admits(*state)) {
            self.default = Some((state, surface.at));
        }
    }

    fn read_surface(&mut self, surface: &Member, keep: Keep) {
        let name: Arc<str> = surface.key.as_str().into();
        if keep == Keep::All {
            self.shapes.push(SurfaceShape { surface: Arc::clone(&name), plain: state_of(&surface.value).is_some() });
        }
        if let Some(action) = state_of(&surface.value) {
            if keep.admits(action) {
                self.entries.push(Entry { surface: name, pattern: "*".into(), action, reason: None, at: surface.at });
            }
            return;
        }
        for entry in surface.value.members().unwrap_or_default().iter().filter(|entry| !entry.key.is_empty()) {
            if let Some((action, reason)) = entry_answer(&entry.value).filter(|(action, _)| keep.admits(*action)) {
                let pattern = entry.key.as_str().into();
                self.entries.push(Entry { surface: Arc::clone(&name), pattern, action, reason, at: entry.at });
            }
        }
    }

    /// The scope that these rules make.
    pub(crate) fn into_scope(self, scope: Scope, file: &Arc<str>, status: ScopeStatus) -> LoadedScope {
        let place = |at: Position| RuleLocation { file: Arc::clone(file), line: at.line, column: at.column };
        let rules = self
            .entries
            .into_iter()
            .map(|entry| Rule {
                surface: entry.surface,
                pattern: entry.pattern,
                action: entry.action,
                reason: entry.reason,
                layer: Layer::Config,
                origin: scope.into(),
                location: Some(place(entry.at)),
            })
            .collect();
        LoadedScope {
            scope,
            file: Arc::clone(file),
            status,
            default: self.default.map(|(state, at)| (state, place(at))),
            rules,
            shapes: self.shapes,
            rejected_by: None,
        }
    }
}

fn state_of(node: &Node) -> Option<PermissionState> {
    PermissionState::parse(node.as_str()?)
}

/// A state, or a deny object. A deny object with a faulty reason still denies: only its words are dropped.
fn entry_answer(node: &Node) -> Option<(PermissionState, Option<Arc<str>>)> {
    if let Some(state) = state_of(node) {
        return Some((state, None));
    }
    let denies = node.members()?.iter().any(|member| member.key == "action" && member.value.as_str() == Some("deny"));
    let reason = node.get("reason").and_then(Node::as_str).filter(|reason| reason.chars().count() <= 500);
    denies.then(|| (PermissionState::Deny, reason.map(Arc::from)))
}
