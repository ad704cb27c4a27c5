//! What stands at the places of a tree in memory, and the system's words for what goes wrong there.

use std::io;
use std::sync::Arc;

use hashbrown::HashMap;

use super::split_last;

/// The permission bits of directories and files that are made without a wish.
pub(super) const DIRECTORY_MODE: u32 = 0o755;
pub(super) const FILE_MODE: u32 = 0o644;
const LINK_MODE: u32 = 0o777;

/// One entry.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) content: Content,
    pub(super) mode: u32,
    pub(super) inode: u64,
    pub(super) changed: i128,
}

/// What it is.
#[derive(Debug, Clone)]
pub(super) enum Content {
    File(Arc<[u8]>),
    Directory,
    Link(String),
}

/// All entries by their paths without links. An entry's directory is always there. They are looked up much more often than
/// listed.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    all: HashMap<String, Node>,
    /// Counts changes: it gives numbers to new entries, and is the clock of the tree.
    ticks: u64,
}

impl Nodes {
    pub(super) fn get(&self, path: &str) -> Option<&Node> {
        self.all.get(path)
    }

    pub(super) fn content(&self, path: &str) -> Option<&Content> {
        self.all.get(path).map(|node| &node.content)
    }

    fn tick(&mut self) -> u64 {
        self.ticks += 1;
        self.ticks
    }

    /// A directory shows that something in it came or went.
    fn touch_above(&mut self, path: &str, tick: u64) {
        if let Some(above) = split_last(path).and_then(|(above, _)| self.all.get_mut(above)) {
            above.changed = tick.into();
        }
    }

    /// Puts a new entry there. `None`: the mode that such entries have without a wish.
    pub(super) fn add(&mut self, path: String, content: Content, mode: Option<u32>) {
        let tick = self.tick();
        self.touch_above(&path, tick);
        let usual = match content {
            Content::File(_) => FILE_MODE,
            Content::Directory => DIRECTORY_MODE,
            Content::Link(_) => LINK_MODE,
        };
        let node = Node { content, mode: mode.unwrap_or(usual), inode: tick, changed: tick.into() };
        self.all.insert(path, node);
    }

    /// Other content for a file that is there.
    pub(super) fn change(&mut self, path: &str, bytes: &[u8], append: bool) {
        let tick = self.tick();
        let Some(node) = self.all.get_mut(path) else { return };
        let before: &[u8] = match &node.content {
            Content::File(before) if append => before,
            _ => &[],
        };
        node.content = Content::File([before, bytes].concat().into());
        node.changed = tick.into();
    }

    pub(super) fn set_mode(&mut self, path: &str, mode: u32) {
        if let Some(node) = self.all.get_mut(path) {
            node.mode = mode;
        }
    }

    /// Removes an entry with all that is below it.
    pub(super) fn remove(&mut self, path: &str) {
        let tick = self.tick();
        self.touch_above(path, tick);
        if let Some(Node { content: Content::Directory, .. }) = self.all.remove(path) {
            self.all.retain(|place, _| !place.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')));
        }
    }

    /// Gives an entry another name, with all that is below it.
    pub(super) fn rename(&mut self, from: &str, to: &str) {
        let Some(node) = self.all.get(from).cloned() else { return };
        let below = if matches!(node.content, Content::Directory) { self.below(from) } else { Vec::new() };
        let moved: Vec<(String, Node)> = below
            .into_iter()
            .filter_map(|path| Some((format!("{to}{}", path.strip_prefix(from)?), self.all.get(&path)?.clone())))
            .collect();
        self.remove(from);
        let tick = self.tick();
        self.touch_above(to, tick);
        self.all.insert(to.to_owned(), node);
        self.all.extend(moved);
    }

    /// The paths below a directory.
    fn below(&self, directory: &str) -> Vec<String> {
        let is_below = |path: &&String| path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
        self.all.keys().filter(is_below).cloned().collect()
    }

    /// The names in a directory.
    pub(super) fn names(&self, directory: &str) -> Vec<String> {
        let first = format!("{directory}/");
        let below = self.all.keys().filter_map(|path| path.strip_prefix(&first));
        let mut names: Vec<String> = below.filter(|name| !name.contains('/')).map(str::to_owned).collect();
        names.sort_unstable();
        names
    }
}

/// What goes wrong, in the words that the system has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    NotFound,
    AlreadyExists,
    NotADirectory,
    IsADirectory,
    NotEmpty,
    Invalid,
    NameTooLong,
    Loop,
    /// A change of something that is not in the tree.
    Away,
}

impl Problem {
    pub(super) fn error(self) -> io::Error {
        let (number, kind) = match self {
            Self::NotFound => (2, io::ErrorKind::NotFound),
            Self::AlreadyExists => (17, io::ErrorKind::AlreadyExists),
            Self::NotADirectory => (20, io::ErrorKind::NotADirectory),
            Self::IsADirectory => (21, io::ErrorKind::IsADirectory),
            Self::Invalid => (22, io::ErrorKind::InvalidInput),
            Self::NameTooLong if cfg!(target_os = "linux") => (36, io::ErrorKind::InvalidFilename),
            Self::NameTooLong => (63, io::ErrorKind::InvalidFilename),
            Self::NotEmpty if cfg!(target_os = "linux") => (39, io::ErrorKind::DirectoryNotEmpty),
            Self::NotEmpty => (66, io::ErrorKind::DirectoryNotEmpty),
            Self::Loop if cfg!(target_os = "linux") => (40, io::ErrorKind::Other),
            Self::Loop => (62, io::ErrorKind::Other),
            Self::Away => (13, io::ErrorKind::PermissionDenied),
        };
        if cfg!(unix) { io::Error::from_raw_os_error(number) } else { kind.into() }
    }
}
