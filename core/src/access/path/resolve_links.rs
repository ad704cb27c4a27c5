//! Where a path leads on the file system, component by component as the system walks it (PATH-006, GATES-D07, GATES-D08,
//! BASH-D18), and what the package's textual reading of the same path would have been.

use smallvec::SmallVec;

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
    /// The other readings, where they differ: most ways lead over no link, and all four are one text then.
    canonical: Option<String>,
    textual: Option<String>,
    package: Option<String>,
    /// How much of the canonical reading is a directory; on a way that nobody can go to its end, the directory it got to.
    existing: Result<usize, String>,
    /// What stands at the canonical reading.
    pub(crate) standing: Standing,
    /// Whether a link was met.
    pub(crate) met_link: bool,
    /// Whether the last name itself is an entry, a link that leads nowhere included (GATES-D08).
    pub(crate) is_entry: bool,
}

impl Reality {
    /// Every link followed, a dangling one's target included.
    pub(crate) fn canonical(&self) -> &str {
        self.canonical.as_deref().unwrap_or(&self.plain)
    }

    /// `..` taken textually, links kept (PATH-004).
    pub(crate) fn textual(&self) -> &str {
        self.textual.as_deref().unwrap_or(&self.plain)
    }

    /// The package's canonical value: the textual form, its longest existing prefix resolved (PATH-006, PATH-007).
    pub(crate) fn package(&self) -> &str {
        self.package.as_deref().unwrap_or_else(|| self.textual())
    }

    /// The longest prefix of the canonical reading that is a directory.
    pub(crate) fn existing(&self) -> &str {
        match &self.existing {
            Ok(length) => self.canonical().get(..*length).unwrap_or_default(),
            Err(directory) => directory,
        }
    }
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
        let root = real_root(self.platform, &place.root);
        let room = place.names.iter().map(|name| name.len() + 1).sum();
        // As long as no link is met the way is the text's own, and no other text has to be kept.
        let mut plain = (root != place.root).then(|| PathText::at_root(self.platform, place.root.clone()));
        let mut walk = Walk::new(*self, root);
        walk.path.reserve(room);
        // One flag a name of `plain`: it is a link, so that a `..` behind it leaves the text's own way.
        let mut linked: SmallVec<[bool; 32]> = SmallVec::new();
        for name in &place.names {
            match *name {
                "" | "." => {}
                ".." => {
                    walk.up();
                    if linked.pop() == Some(true) {
                        linked = smallvec::smallvec![false; walk.path.depth()];
                        plain = Some(walk.path.clone());
                    } else if let Some(plain) = &mut plain {
                        plain.pop();
                    }
                }
                name => {
                    let target = walk.step(name);
                    if target.is_some() && plain.is_none() {
                        plain = Some(walk.path.clone());
                    }
                    if let Some(plain) = &mut plain {
                        plain.push(name);
                    }
                    linked.push(target.is_some());
                    if let Some(target) = target {
                        walk.follow(&target);
                    }
                }
            }
            if walk.looped {
                let textual = normalise(self.platform, place);
                if place.names.contains(&"..") {
                    // The system cannot open it, but a host that takes `..` textually first never meets the loop.
                    return self.without_parents(&textual);
                }
                // Nobody can open it; the text is all there is (PATH-006).
                let existing = walk.existing();
                let mut way = walk.path;
                way.truncate(existing);
                return Reality {
                    existing: Err(way.into_string()),
                    plain: textual.into_string(),
                    canonical: None,
                    package: None,
                    textual: None,
                    standing: Standing::Nothing,
                    met_link: true,
                    is_entry: true,
                };
            }
        }
        let is_entry = walk.standing != Standing::Nothing || linked.last() == Some(&true);
        let (existing, standing, met_link) = (Ok(walk.existing()), walk.standing, walk.met_link);
        let Some(plain) = plain else {
            let plain = walk.path.into_string();
            return Reality { is_entry, plain, canonical: None, textual: None, package: None, existing, standing, met_link };
        };
        let textual = normalise(self.platform, place);
        let package = if met_link { self.package_reading(&textual) } else { textual.as_str().to_owned() };
        Reality {
            is_entry,
            plain: plain.into_string(),
            canonical: Some(walk.path.into_string()),
            textual: Some(textual.into_string()),
            package: Some(package),
            existing,
            standing,
            met_link,
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
            if let Some(target) = walk.step(name) {
                walk.follow(&target);
            }
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

    /// How long the longest directory on the way is.
    fn existing(&self) -> usize {
        match self.missing {
            Some(len) => len,
            None if self.standing == Standing::Directory => self.path.len(),
            None => self.path.parent_len(),
        }
    }

    fn up(&mut self) {
        self.path.pop();
        if self.missing.is_some_and(|from| self.path.len() <= from) {
            self.missing = None;
        }
        self.standing = if self.missing.is_some() { Standing::Nothing } else { Standing::Directory };
    }

    /// Goes down by one name. A link is not entered: its target is given back, for [`follow`](Self::follow).
    fn step(&mut self, name: &str) -> Option<String> {
        if self.missing.is_some() {
            self.path.push(name);
            return None;
        }
        self.enter(name)
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
