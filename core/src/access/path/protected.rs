//! The gate's own files, and those that a project's tools run later (HARD-056, RES-24). A list of places; what a call does to
//! them is not known here.

use std::borrow::Cow;
use std::rc::Rc;

use smallvec::SmallVec;

use super::access_path::ProtectedReason;
use super::containment::below_normalised;
use super::flavour::{fold, separator};
use crate::host::Platform;

/// One place that is guarded, built from a trusted directory.
struct Guarded<'a> {
    /// Where the way down begins; each folder from here (included) to the place is a parent folder.
    anchor: Option<&'a str>,
    names: &'a [&'a str],
    reason: ProtectedReason,
    /// Whether the folders on the way are guarded; not in a directory that is another owner's.
    folders: bool,
}

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

/// A place as written, and with links followed.
type Way = (Rc<str>, Rc<str>);

/// The forms of a way that differ; most ways have no links.
fn forms((written, canonical): &Way) -> impl Iterator<Item = &str> {
    let other = (written != canonical).then_some(canonical);
    std::iter::once(written).chain(other).map(|form| &**form)
}

/// The places share most of their ways, and each name on a way is a look at the file system: one way goes on from another.
struct Ways<'a> {
    platform: Platform,
    links: &'a dyn Links,
    known: Vec<Way>,
}

impl Ways<'_> {
    fn known(&self, path: &str) -> Option<Way> {
        self.known.iter().find(|(known, _)| **known == *path).cloned()
    }

    fn note(&mut self, path: Rc<str>, canonical: Option<Rc<str>>) -> Way {
        let canonical = canonical.unwrap_or_else(|| self.links.canonical(&path).into());
        self.known.push((Rc::clone(&path), Rc::clone(&canonical)));
        (path, canonical)
    }

    fn from(&mut self, anchor: &str) -> Way {
        self.known(anchor).unwrap_or_else(|| self.note(anchor.into(), None))
    }

    fn down(&mut self, (folder, canonical): &Way, name: &str) -> Way {
        let path = join(self.platform, folder, name);
        if let Some(known) = self.known(&path) {
            return known;
        }
        let path: Rc<str> = path.into();
        let inside: Rc<str> = if folder == canonical { Rc::clone(&path) } else { join(self.platform, canonical, name).into() };
        let is_plain = self.links.is_plain(&inside);
        self.note(path, is_plain.then_some(inside))
    }
}

const EXTENSION: &str = "pi-permission-system";

impl ProtectedPlaces {
    /// The places for these directories; both forms of every place and folder are guarded, as written and with links followed.
    pub(crate) fn new(platform: Platform, agent_dir: &str, cwd: &str, extension_root: Option<&str>, links: &dyn Links) -> Self {
        let mut places = Self { platform, trees: Vec::new(), folders: Vec::new() };
        let project = if cwd.is_empty() { String::new() } else { join(platform, cwd, ".pi") };
        let mut ways = Ways { platform, links, known: Vec::new() };
        for guarded in guarded(agent_dir, &project, extension_root) {
            places.guard(&guarded, &mut ways);
        }
        places
    }

    fn guard(&mut self, guarded: &Guarded<'_>, ways: &mut Ways<'_>) {
        let Some(anchor) = guarded.anchor.filter(|anchor| !anchor.is_empty()) else { return };
        let mut way = ways.from(anchor);
        for name in guarded.names {
            if guarded.folders {
                forms(&way).for_each(|form| self.add_folder(form));
            }
            way = ways.down(&way, name);
        }
        forms(&way).for_each(|form| self.add_tree(form, guarded.reason));
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
        if folded.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
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

fn guarded<'a>(agent_dir: &'a str, project: &'a str, extension_root: Option<&'a str>) -> Vec<Guarded<'a>> {
    let mut list = Vec::new();
    let own = |anchor, names, reason| Guarded { anchor: Some(anchor), names, reason, folders: true };
    for anchor in [agent_dir, project] {
        let mut add = |names: &'a [&'a str], reason| list.push(own(anchor, names, reason));
        add(&["extensions", EXTENSION], ProtectedReason::PolicyFile);
        // The file itself may be a link into another tree.
        add(&["extensions", EXTENSION, "config.json"], ProtectedReason::PolicyFile);
        add(&["agents"], ProtectedReason::AgentFile);
        add(&["mcp.json"], ProtectedReason::McpList);
    }
    list.push(own(agent_dir, &["pi-permissions.jsonc"], ProtectedReason::PolicyFile));
    list.push(own(project, &["agent", "pi-permissions.jsonc"], ProtectedReason::PolicyFile));
    list.push(own(agent_dir, &["sessions", "permission-forwarding"], ProtectedReason::Forwarding));
    list.push(Guarded { anchor: extension_root, names: &["config.json"], reason: ProtectedReason::PolicyFile, folders: false });
    list
}

fn join(platform: Platform, base: &str, name: &str) -> String {
    let separator = separator(platform);
    if base.ends_with(separator) { format!("{base}{name}") } else { format!("{base}{separator}{name}") }
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
