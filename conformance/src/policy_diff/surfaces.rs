//! Which surfaces two policies have to be compared on, what their values look like, and the call that asks one.

use portcullis_core::host::Platform;
use portcullis_core::policy::surfaces::{PATH_TOOLS, family_of, members_of};

use super::shapes::{PlainCommand, PlainPath, Star, Word};
use crate::lint::CheckedRule;
use crate::pattern_set::{PatternSet, Shape, classes};

/// Surfaces that every session has.
pub(crate) const BUILT_IN: [&str; 13] = [
    "bash",
    "read",
    "write",
    "edit",
    "find",
    "grep",
    "ls",
    "path_read",
    "path_write",
    "external_directory_read",
    "external_directory_write",
    "mcp",
    "skill",
];

/// How much work the names of surfaces are worth.
const BUDGET: usize = 20_000_000;

/// A surface, or all surfaces that the same rules are on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Surface {
    pub(crate) name: String,
    /// The name is an example of names that no rule spells out: the surface patterns that match them.
    pub(crate) stands_for: Option<Vec<String>>,
}

/// Every surface on which some rule of either policy may answer; `Err` when their names are too entangled.
pub(super) fn surfaces(old: &[CheckedRule], new: &[CheckedRule]) -> Result<Vec<Surface>, String> {
    let mut names: Vec<String> = BUILT_IN.map(str::to_owned).to_vec();
    let mut patterns: Vec<&CheckedRule> = Vec::new();
    let mut known: std::collections::HashSet<String> = names.iter().cloned().collect();
    let mut known_patterns = std::collections::HashSet::new();
    for rule in old.iter().chain(new).filter(|rule| &*rule.rule.surface != "*") {
        if !rule.has_plain_surface() {
            if known_patterns.insert(&rule.rule.surface) {
                patterns.push(rule);
            }
            continue;
        }
        let name = &*rule.rule.surface;
        if members_of(name, None).is_empty() && known.insert(name.to_owned()) {
            names.push(name.to_owned());
        }
    }
    let literals: Vec<String> = names.clone();
    let sets: Vec<PatternSet> = patterns
        .iter()
        .map(|rule| PatternSet::of(&rule.surface))
        .chain(literals.iter().map(|name| PatternSet::literal(name)))
        // A tool may be called like a family.
        .chain(["path", "external_directory"].map(PatternSet::literal))
        .collect();
    let found = classes(&sets, BUDGET).ok_or("the names of surfaces are too entangled to be told apart")?;
    let mut surfaces: Vec<Surface> = names.into_iter().map(|name| Surface { name, stands_for: None }).collect();
    surfaces.extend(found.into_iter().filter(|class| class.matches.iter().all(|at| *at < patterns.len())).map(|class| {
        let by = class.matches.iter().filter_map(|at| patterns.get(*at)).map(|rule| rule.rule.surface.to_string());
        Surface { name: class.example, stands_for: Some(by.collect()) }
    }));
    Ok(surfaces)
}

/// Where ordinary values of a surface lie.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) shape: &'static dyn Shape,
    /// Values stand below the session directory: each is asked with the absolute path in front of it.
    pub(crate) below: bool,
    /// Values that belong to the other room.
    pub(crate) without: Vec<PatternSet>,
}

static COMMAND: PlainCommand = PlainCommand;
static RELATIVE: PlainPath = PlainPath { absolute: false };
static ABSOLUTE: PlainPath = PlainPath { absolute: true };
static WORD: Word = Word;
static STAR: Star = Star;

impl Surface {
    /// Whether its values are paths.
    pub(crate) fn is_about_paths(&self) -> bool {
        PATH_TOOLS.contains(&self.name.as_str()) || family_of(&self.name).is_some()
    }

    /// Whether one call may be asked by several values at once that nothing here ties together.
    pub(super) fn asks_by_several_names(&self) -> bool {
        self.name == "mcp"
    }

    /// Rooms of ordinary values; outside of POSIX paths are compared as texts only.
    pub(crate) fn rooms(&self, cwd: &str, platform: Platform) -> Vec<Room> {
        let plain = |shape| vec![Room { shape, below: false, without: Vec::new() }];
        if self.is_about_paths() {
            if platform == Platform::Windows {
                return Vec::new();
            }
            let cwd = cwd.trim_end_matches('/');
            let inside = [cwd.to_owned(), format!("{cwd}/*")];
            let inside = inside.map(|text| PatternSet::of(&portcullis_core::policy::Pattern::prepare(&text, &<_>::default())));
            let mut rooms = vec![Room { shape: &ABSOLUTE, below: false, without: inside.to_vec() }];
            if !self.name.starts_with("external_directory") {
                rooms.insert(0, Room { shape: &RELATIVE, below: true, without: Vec::new() });
            }
            return rooms;
        }
        match self.name.as_str() {
            "bash" => plain(&COMMAND),
            "mcp" | "skill" => plain(&WORD),
            _ => plain(&STAR),
        }
    }

    /// The call that asks an ordinary value: a kind and its argument, as `explain` takes them.
    pub(super) fn call(&self, value: &str) -> (String, String) {
        let kind = match self.name.as_str() {
            "path_read" | "external_directory_read" => "read",
            "path_write" | "external_directory_write" => "write",
            name @ ("bash" | "mcp" | "skill") => name,
            name if PATH_TOOLS.contains(&name) => name,
            name => return ("tool".into(), name.to_owned()),
        };
        (kind.to_owned(), value.to_owned())
    }
}
