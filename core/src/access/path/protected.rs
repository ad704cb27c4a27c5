//! The gate's own files, and those that a project's tools run later (HARD-056, RES-24). A list of places; what a call does to
//! them is not known here.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::access_path::ProtectedReason;
use super::containment::below_normalised;
use super::flavour::{fold, separator};
use crate::host::Platform;

/// A name on the way down from a trusted directory to guarded places.
struct Name {
    name: &'static str,
    /// Why the place itself is guarded, with all that is below it.
    guards: Option<ProtectedReason>,
    below: &'static [Name],
}

const fn folder(name: &'static str, below: &'static [Name]) -> Name {
    Name { name, guards: None, below }
}

const fn place(name: &'static str, reason: ProtectedReason) -> Name {
    Name { name, guards: Some(reason), below: &[] }
}

const CONFIG: Name = place("config.json", ProtectedReason::PolicyFile);

/// In the agent directory and in a project.
const IN_BOTH: &[Name] = &[
    // The configuration itself may be a link into another tree.
    folder("extensions", &[Name { below: &[CONFIG], ..place("pi-permission-system", ProtectedReason::PolicyFile) }]),
    place("agents", ProtectedReason::AgentFile),
    place("mcp.json", ProtectedReason::McpList),
];

/// Policies of an earlier release.
const LEGACY: &[Name] = &[place("pi-permissions.jsonc", ProtectedReason::PolicyFile)];
const LEGACY_OF_PROJECT: &[Name] = &[folder("agent", LEGACY)];

/// Messages between sessions.
const EXCHANGE: &[Name] = &[folder("sessions", &[place("permission-forwarding", ProtectedReason::Forwarding)])];

/// The guarded places of one session, in comparable form: folded, without regard to ASCII case.
pub(crate) struct ProtectedPlaces {
    platform: Platform,
    trees: Vec<(String, ProtectedReason)>,
    folders: Vec<String>,
}

/// How the places are looked up.
pub(crate) trait Links {
    /// The path with all links followed.
    fn canonical(&self, path: &str) -> String;
    /// Whether nothing but the path itself can be meant by it, its folder being without links: no link stands there, and nothing
    /// that cannot be looked at.
    fn is_plain(&self, path: &str) -> bool;
}

/// A place as written, and with links followed where that is another one.
struct Way {
    written: String,
    canonical: Option<String>,
}

impl Way {
    fn of(path: &str, links: &dyn Links) -> Self {
        Self { written: path.to_owned(), canonical: Some(links.canonical(path)).filter(|canonical| canonical != path) }
    }

    /// To a name in this folder. Each name is one look at the file system, however long the way is.
    fn down(&self, name: &str, platform: Platform, links: &dyn Links) -> Self {
        let written = join(platform, &self.written, name);
        let inside = self.canonical.as_ref().map(|folder| join(platform, folder, name));
        let is_plain = links.is_plain(inside.as_ref().unwrap_or(&written));
        let canonical = if is_plain { inside } else { Some(links.canonical(&written)) };
        Self { canonical: canonical.filter(|canonical| *canonical != written), written }
    }

    /// The forms that differ; most ways have no links.
    fn forms(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.written).chain(&self.canonical).map(String::as_str)
    }
}

impl ProtectedPlaces {
    /// The places for these directories; both forms of every place and folder are guarded, as written and with links followed.
    pub(crate) fn new(platform: Platform, agent_dir: &str, cwd: &str, extension_root: Option<&str>, links: &dyn Links) -> Self {
        let mut places = Self { platform, trees: Vec::new(), folders: Vec::new() };
        let way = |directory: &str| (!directory.is_empty()).then(|| Way::of(directory, links));
        let agent_dir = way(agent_dir);
        let project = if cwd.is_empty() { None } else { way(&join(platform, cwd, ".pi")) };
        let own = [
            (&agent_dir, IN_BOTH),
            (&project, IN_BOTH),
            (&agent_dir, LEGACY),
            (&project, LEGACY_OF_PROJECT),
            (&agent_dir, EXCHANGE),
        ];
        for (way, names) in own {
            way.iter().for_each(|way| places.guard_own(way, names, links));
        }
        // The folder of another owner is not guarded itself.
        if let Some(root) = extension_root.and_then(way) {
            places.guard(&root.down(CONFIG.name, platform, links), &CONFIG);
        }
        places
    }

    /// Guards what these names in a folder lead to, and each folder on the way there.
    fn guard_own(&mut self, way: &Way, names: &[Name], links: &dyn Links) {
        if !names.is_empty() {
            way.forms().for_each(|form| self.add_folder(form));
        }
        for name in names {
            let way = way.down(name.name, self.platform, links);
            self.guard(&way, name);
            self.guard_own(&way, name.below, links);
        }
    }

    fn guard(&mut self, way: &Way, name: &Name) {
        if let Some(reason) = name.guards {
            way.forms().for_each(|form| self.add_tree(form, reason));
        }
    }

    fn add_folder(&mut self, path: &str) {
        let path = self.comparable(path);
        if !self.folders.iter().any(|known| *known == path) {
            self.folders.push(path.into_owned());
        }
    }

    fn add_tree(&mut self, path: &str, reason: ProtectedReason) {
        let path = self.comparable(path);
        if !self.trees.iter().any(|(known, why)| *known == path && *why == reason) {
            self.trees.push((path.into_owned(), reason));
        }
    }

    fn comparable<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let folded = fold(self.platform, path);
        // Without a way out at the first byte that is not: so many bytes are looked at at once, and most paths are plain.
        if folded.bytes().fold(true, |plain, b| plain & b.is_ascii() & !b.is_ascii_uppercase()) {
            return folded;
        }
        // By way of the capitals: to a volume that folds names `hooK\u{17f}` is `hooks`.
        Cow::Owned(if folded.is_ascii() { folded.to_ascii_lowercase() } else { folded.to_uppercase().to_lowercase() })
    }

    /// Why one of the forms of a path is guarded, if it is.
    pub(crate) fn reason(&self, forms: &[&str]) -> Option<ProtectedReason> {
        let distinct = |(at, form): &(usize, &&str)| !form.is_empty() && !forms.iter().take(*at).any(|other| other == *form);
        let forms: SmallVec<[Cow<'_, str>; 4]> =
            forms.iter().enumerate().filter(distinct).map(|(_, form)| self.comparable(form)).collect();
        let tree = || forms.iter().find_map(|form| self.tree_reason(form));
        let git = || forms.iter().find_map(|form| git_reason(self.platform, form));
        let folder = || {
            forms.iter().any(|form| self.folders.iter().any(|folder| *folder == **form)).then_some(ProtectedReason::ParentFolder)
        };
        tree().or_else(git).or_else(folder)
    }

    fn tree_reason(&self, path: &str) -> Option<ProtectedReason> {
        let inside = |tree: &str| path == tree || below_normalised(self.platform, path, tree).is_some();
        self.trees.iter().find(|(tree, _)| inside(tree)).map(|(_, reason)| *reason)
    }
}

fn join(platform: Platform, base: &str, name: &str) -> String {
    let mut path = String::with_capacity(base.len() + 1 + name.len());
    path.push_str(base);
    if !base.ends_with(separator(platform)) {
        path.push(separator(platform));
    }
    path.push_str(name);
    path
}

/// What git runs or reads later: below any `.git`, also of a submodule or a linked work tree inside it.
fn git_reason(platform: Platform, path: &str) -> Option<ProtectedReason> {
    if !path.contains(".git") {
        return None;
    }
    let mut names = path.split(separator(platform));
    let mut reason = None;
    while names.by_ref().any(|name| name == ".git") {
        let below: Vec<&str> = names.clone().collect();
        match git_place(&below) {
            Some(ProtectedReason::GitHook) => return Some(ProtectedReason::GitHook),
            found => reason = reason.or(found),
        }
    }
    reason
}

fn git_place(below: &[&str]) -> Option<ProtectedReason> {
    use ProtectedReason::{GitHook, ParentFolder};

    match below {
        [] | ["modules" | "worktrees"] | ["modules" | "worktrees", _] => Some(ParentFolder),
        ["hooks" | "config" | "config.worktree", ..] => Some(GitHook),
        ["worktrees", _, "config.worktree"] => Some(GitHook),
        ["modules", _, inside @ ..] => {
            let last = inside.last().copied().unwrap_or_default();
            (inside.contains(&"hooks") || matches!(last, "config" | "config.worktree")).then_some(GitHook)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn places(platform: Platform) -> ProtectedPlaces {
        let (agent_dir, cwd) = match platform {
            Platform::Posix => ("/home/u/.pi/agent", "/w/p"),
            Platform::Windows => ("C:\\Users\\u\\.pi\\agent", "C:\\Dev\\Proj"),
        };
        ProtectedPlaces::new(platform, agent_dir, cwd, Some("/opt/ext"), &OneLink)
    }

    struct OneLink;

    impl Links for OneLink {
        fn canonical(&self, path: &str) -> String {
            if self.is_plain(path) { path.to_owned() } else { "/vault/agents".to_owned() }
        }

        fn is_plain(&self, path: &str) -> bool {
            path != "/w/p/.pi/agents"
        }
    }

    #[rstest]
    #[case::hard_056("/w/p/.pi/extensions/pi-permission-system/config.json", Some(ProtectedReason::PolicyFile))]
    #[case::hard_056("/home/u/.pi/agent/extensions/pi-permission-system/logs/x", Some(ProtectedReason::PolicyFile))]
    #[case::hard_056("/w/p/.pi/agents", Some(ProtectedReason::AgentFile))]
    #[case::hard_056("/w/p/.pi/agents/a.md", Some(ProtectedReason::AgentFile))]
    #[case::hard_056("/home/u/.pi/agent/agents/a.md", Some(ProtectedReason::AgentFile))]
    #[case::hard_056("/w/p/.pi/mcp.json", Some(ProtectedReason::McpList))]
    #[case::hard_056("/home/u/.pi/agent/mcp.json", Some(ProtectedReason::McpList))]
    #[case::res_24_legacy("/home/u/.pi/agent/pi-permissions.jsonc", Some(ProtectedReason::PolicyFile))]
    #[case::res_24_legacy("/w/p/.pi/agent/pi-permissions.jsonc", Some(ProtectedReason::PolicyFile))]
    #[case::res_24_legacy("/opt/ext/config.json", Some(ProtectedReason::PolicyFile))]
    #[case::res_24_legacy("/opt/ext", None)]
    #[case::res_24_forwarding(
        "/home/u/.pi/agent/sessions/permission-forwarding/s/requests/1.json",
        Some(ProtectedReason::Forwarding)
    )]
    #[case::hard_056_git("/w/p/.git/hooks/pre-commit", Some(ProtectedReason::GitHook))]
    #[case::hard_056_git("/w/p/.git/config", Some(ProtectedReason::GitHook))]
    #[case::hard_056_git("/x/y/.git/config.worktree", Some(ProtectedReason::GitHook))]
    #[case::res_24_git("/w/p/.git/modules/lib/hooks/x", Some(ProtectedReason::GitHook))]
    #[case::res_24_git("/w/p/.git/modules/lib/config", Some(ProtectedReason::GitHook))]
    #[case::res_24_git("/w/p/.git/worktrees/x/config.worktree", Some(ProtectedReason::GitHook))]
    #[case::res_24_git("/w/p/.git/index", None)]
    #[case::res_24_git("/w/p/.git/refs/heads/hooks/x", None)]
    #[case::res_24_git("/w/p/.gitignore", None)]
    #[case::res_24_git_case("/w/p/.GIT/HOOKS/x", Some(ProtectedReason::GitHook))]
    #[case::res_24_nested_git("/a/.git/x/.git/config", Some(ProtectedReason::GitHook))]
    #[case::res_24_folder("/w/p/.pi", Some(ProtectedReason::ParentFolder))]
    #[case::res_24_folder("/w/p/.pi/extensions", Some(ProtectedReason::ParentFolder))]
    #[case::res_24_folder("/w/p/.pi/agent", Some(ProtectedReason::ParentFolder))]
    #[case::res_24_folder("/w/p/.git", Some(ProtectedReason::ParentFolder))]
    #[case::res_24_folder("/home/u/.pi/agent", Some(ProtectedReason::ParentFolder))]
    #[case::res_24_folder("/home/u/.pi/agent/sessions", Some(ProtectedReason::ParentFolder))]
    #[case::res_24_above("/home/u/.pi", None)]
    #[case::res_24_above("/w/p", None)]
    #[case::res_24_beside("/w/p/.pi/npm/x", None)]
    #[case::res_24_beside("/home/u/.pi/agent/auth.json", None)]
    #[case::res_24_canonical("/vault/agents/a.md", Some(ProtectedReason::AgentFile))]
    fn posix(#[case] path: &str, #[case] reason: Option<ProtectedReason>) {
        assert_eq!(places(Platform::Posix).reason(&[path]), reason);
    }

    #[rstest]
    #[case::hard_056("c:\\dev\\proj\\.pi\\extensions\\pi-permission-system\\config.json", Some(ProtectedReason::PolicyFile))]
    #[case::hard_056_git("c:\\dev\\proj\\.git\\hooks\\x", Some(ProtectedReason::GitHook))]
    #[case::res_24_folder("c:\\users\\u\\.pi\\agent", Some(ProtectedReason::ParentFolder))]
    #[case::res_24_beside("c:\\dev\\proj\\a", None)]
    fn windows(#[case] path: &str, #[case] reason: Option<ProtectedReason>) {
        assert_eq!(places(Platform::Windows).reason(&[path]), reason);
    }

    #[test]
    fn the_first_form_that_names_a_file_gives_the_reason() {
        let reason = places(Platform::Posix).reason(&["/w/p/.git", "/w/p/.pi/mcp.json", ""]);
        assert_eq!(reason, Some(ProtectedReason::McpList));
    }
}
