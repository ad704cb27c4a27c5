//! Where a path leads on the file system, component by component as the system walks it (PATH-006, GATES-D07, GATES-D08,
//! BASH-D18), and what the package's textual reading of the same path would have been.

use super::flavour::{Place, is_separator, locate};
use super::normalise::{PathText, normalise};
use crate::host::{EntryKind, FileFaultKind, FileView, Platform};

/// How many links one path may lead through; more is a loop.
const LINK_BUDGET: u32 = 40;

/// What stands at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// A directory.
    Directory,
    /// Anything else that exists.
    File,
    /// Nothing, or nobody can tell.
    Nothing,
}

/// The readings of one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reality {
    /// Names without `.` and `..`, links kept, except where a `..` steps back over a link: there the link was followed, as the
    /// system does.
    pub(crate) plain: String,
    /// Every link followed, a dangling one's target included.
    pub(crate) canonical: String,
    /// `..` taken textually, links kept (PATH-004).
    pub(crate) textual: String,
    /// The package's canonical value: the textual form, its longest existing prefix resolved (PATH-006, PATH-007).
    pub(crate) package: String,
    /// What stands at `canonical`.
    pub(crate) standing: Standing,
    /// The longest prefix of `canonical` that is a directory.
    pub(crate) existing: String,
    /// Whether a link was met.
    pub(crate) met_link: bool,
    /// Whether the last name itself is an entry, a link that leads nowhere included (GATES-D08).
    pub(crate) is_entry: bool,
}

/// Looks at the file system for one flavour.
#[derive(Clone, Copy)]
pub(crate) struct LinkResolver<'a> {
    pub(crate) files: &'a dyn FileView,
    pub(crate) platform: Platform,
}

impl LinkResolver<'_> {
    /// All readings of a place.
    pub(crate) fn look(&self, place: &Place<'_>) -> Reality {
        let textual = normalise(self.platform, place);
        let mut walk = Walk::new(*self, real_root(self.platform, &place.root));
        let mut plain = PathText::at_root(self.platform, place.root.clone());
        // One flag a name of `plain`: it is a link, so that a `..` behind it leaves the text's own way.
        let mut linked: Vec<bool> = Vec::new();
        for name in &place.names {
            match *name {
                "" | "." => {}
                ".." => {
                    walk.up();
                    if linked.pop() == Some(true) {
                        plain = walk.path.clone();
                        linked = vec![false; plain.depth()];
                    } else {
                        plain.pop();
                    }
                }
                name => {
                    plain.push(name);
                    linked.push(walk.step(name));
                }
            }
            if walk.looped {
                if place.names.contains(&"..") {
                    // The system cannot open it, but a host that takes `..` textually first never meets the loop.
                    return self.without_parents(&textual);
                }
                // Nobody can open it; the text is all there is (PATH-006).
                let existing = walk.existing();
                let textual = textual.into_string();
                return Reality {
                    plain: textual.clone(),
                    canonical: textual.clone(),
                    package: textual.clone(),
                    textual,
                    standing: Standing::Nothing,
                    existing,
                    met_link: true,
                    is_entry: true,
                };
            }
        }
        let package = if walk.met_link { self.package_reading(&textual) } else { textual.as_str().to_owned() };
        let is_entry = walk.standing != Standing::Nothing || linked.last() == Some(&true);
        Reality {
            is_entry,
            plain: plain.into_string(),
            existing: walk.existing(),
            standing: walk.standing,
            met_link: walk.met_link,
            canonical: walk.path.into_string(),
            textual: textual.into_string(),
            package,
        }
    }

    /// All readings of a textual normal form.
    fn without_parents(&self, textual: &PathText) -> Reality {
        let (root, names) = super::flavour::split_root(self.platform, textual.as_str()).unwrap_or_default();
        let names = names.split(|c| is_separator(self.platform, c)).filter(|name| *name != "..").collect();
        Reality { met_link: true, ..self.look(&Place { root, names }) }
    }

    /// PATH-006 as the package does it: the longest prefix that resolves, the rest appended; a dangling link resolves to
    /// itself, and an error other than a missing entry leaves the text.
    fn package_reading(&self, textual: &PathText) -> String {
        let Some((root, names)) = super::flavour::split_root(self.platform, textual.as_str()) else {
            return textual.as_str().to_owned();
        };
        let mut walk = Walk::new(*self, root);
        let mut names = names.split(|c| is_separator(self.platform, c)).filter(|name| !name.is_empty());
        for name in names.by_ref() {
            let before = walk.path.clone();
            walk.step(name);
            if walk.looped || walk.blind {
                return textual.as_str().to_owned();
            }
            if walk.missing.is_some() {
                walk.path = before;
                walk.path.push(name);
                break;
            }
        }
        names.for_each(|name| walk.path.push(name));
        walk.path.into_string()
    }
}

/// Windows: `\\?\C:\` and `\\.\C:\` are other spellings of `C:\`.
fn real_root(platform: Platform, root: &str) -> String {
    let drive = match platform {
        Platform::Posix => None,
        Platform::Windows => root.strip_prefix("\\\\?\\").or_else(|| root.strip_prefix("\\\\.\\")),
    };
    drive.filter(|drive| drive.len() == 3 && drive.ends_with(":\\")).unwrap_or(root).to_owned()
}

/// A walk from a root; `path` never holds a link.
struct Walk<'a> {
    resolver: LinkResolver<'a>,
    path: PathText,
    /// From this length of `path` on nothing exists.
    missing: Option<usize>,
    links_left: u32,
    met_link: bool,
    /// An entry could not be looked at; what is behind it counts as missing.
    blind: bool,
    looped: bool,
    standing: Standing,
}

impl<'a> Walk<'a> {
    fn new(resolver: LinkResolver<'a>, root: String) -> Self {
        Self {
            resolver,
            path: PathText::at_root(resolver.platform, root),
            missing: None,
            links_left: LINK_BUDGET,
            met_link: false,
            blind: false,
            looped: false,
            standing: Standing::Directory,
        }
    }

    /// The longest directory on the way.
    fn existing(&self) -> String {
        let mut path = self.path.clone();
        match self.missing {
            Some(len) => path.truncate(len),
            None if self.standing == Standing::Directory => {}
            None => path.pop(),
        }
        path.into_string()
    }

    fn up(&mut self) {
        self.path.pop();
        if self.missing.is_some_and(|from| self.path.len() <= from) {
            self.missing = None;
        }
        self.standing = if self.missing.is_some() { Standing::Nothing } else { Standing::Directory };
    }

    /// Goes down by one name, through links. Whether there was one.
    fn step(&mut self, name: &str) -> bool {
        if self.missing.is_some() {
            self.path.push(name);
            return false;
        }
        let Some(target) = self.enter(name) else { return false };
        self.follow(&target);
        true
    }

    /// Enters one name. A link is not entered: its target is given back.
    fn enter(&mut self, name: &str) -> Option<String> {
        let before = self.path.len();
        self.path.push(name);
        match self.resolver.files.entry(self.path.as_str()) {
            Ok(EntryKind::Directory) => self.standing = Standing::Directory,
            Ok(EntryKind::File) => self.standing = Standing::File,
            Ok(EntryKind::Symlink(target)) => {
                self.met_link = true;
                self.path.truncate(before);
                match self.links_left.checked_sub(1) {
                    Some(left) => self.links_left = left,
                    None => self.looped = true,
                }
                return Some(target);
            }
            Err(fault) => {
                match fault.kind {
                    FileFaultKind::NotFound | FileFaultKind::NotADirectory => {}
                    FileFaultKind::Loop => self.looped = true,
                    _ => self.blind = true,
                }
                self.missing = Some(before);
                self.standing = Standing::Nothing;
            }
        }
        None
    }

    /// Follows a link's target and the links in it; `pending` is a stack of names, the next one last.
    fn follow(&mut self, target: &str) {
        let mut pending = Vec::new();
        self.aim(target, &mut pending);
        while let Some(name) = pending.pop() {
            if self.looped {
                return;
            }
            match name.as_str() {
                "" | "." => {}
                ".." => self.up(),
                name if self.missing.is_some() => self.path.push(name),
                name => {
                    if let Some(target) = self.enter(name) {
                        self.aim(&target, &mut pending);
                    }
                }
            }
        }
    }

    /// Puts a target's names in front of the pending ones; an absolute target moves the walk to its root.
    fn aim(&mut self, target: &str, pending: &mut Vec<String>) {
        let platform = self.resolver.platform;
        match locate(platform, "", target) {
            Some(place) => {
                self.path = PathText::at_root(platform, place.root);
                self.standing = Standing::Directory;
                pending.extend(place.names.into_iter().rev().map(str::to_owned));
            }
            None if target.starts_with(|c| is_separator(platform, c)) => {
                // Windows: rooted without a drive; the drive is the link's own.
                while self.path.depth() > 0 {
                    self.path.pop();
                }
                pending.extend(target.split(|c| is_separator(platform, c)).rev().map(str::to_owned));
            }
            None => pending.extend(target.split(|c| is_separator(platform, c)).rev().map(str::to_owned)),
        }
    }
}
