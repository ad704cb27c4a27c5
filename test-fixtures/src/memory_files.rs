//! Files in memory: what a gate looks at and writes, for worlds that need nothing of this machine.
//!
//! This file knows what stands where and how the links lead; what the operations of each trait do with it stands in
//! `memory_files/verbs.rs`, and the traits themselves in `memory_files/roles.rs`.

mod nodes;
mod roles;
mod verbs;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nodes::{Content, Node, Nodes, Problem};

/// Links that are followed for one path, as on Linux.
const MAX_LINKS: usize = 40;

/// A tree of files, directories and links in memory.
///
/// ```
/// use portcullis_core::host::FileView;
/// use portcullis_test_fixtures::MemoryFiles;
///
/// let files = MemoryFiles::default();
/// files.put("/a/b.json", "{}");
/// assert_eq!(files.read("/a/b.json").unwrap(), b"{}");
/// let before = files.stamp("/a/b.json").unwrap();
/// files.put("/a/b.json", "[]");
/// assert_ne!(files.stamp("/a/b.json").unwrap(), before);
/// files.remove("/a/b.json");
/// assert!(files.entry("/a/b.json").is_err());
/// ```
#[derive(Debug)]
pub struct MemoryFiles {
    /// What stands below this directory stands in memory: everything when it is empty.
    root: String,
    nodes: Mutex<Nodes>,
    worlds: AtomicU32,
}

/// Where a path leads.
enum Spot<'p, 'n> {
    /// To a place of this tree without links before its last part, and to what stands there, if anything does.
    Here(Cow<'p, str>, Option<&'n Node>),
    /// Away from it.
    Away(Cow<'p, str>),
}

impl Default for MemoryFiles {
    fn default() -> Self {
        Self::below(String::new())
    }
}

impl MemoryFiles {
    fn below(root: String) -> Self {
        let files = Self { root, nodes: Mutex::default(), worlds: AtomicU32::default() };
        files.lock().add(files.root.clone(), Content::Directory, None);
        files
    }

    /// A tree that takes the place of a directory in this machine's folder for temporary files; all other paths lead to what really
    /// stands there, which can be looked at and not be changed.
    pub fn in_temporary_folder() -> io::Result<Self> {
        static TREES: AtomicU32 = AtomicU32::new(0);
        let number = TREES.fetch_add(1, Ordering::Relaxed);
        let folder = fs::canonicalize(std::env::temp_dir())?;
        let root = folder.join(format!("portcullis-m{number:05}")).to_string_lossy().into_owned();
        Ok(Self::below(root))
    }

    /// Whether the path lies in the tree as a text.
    pub fn holds(&self, path: &str) -> bool {
        path.strip_prefix(self.root.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Writes a file, with its directories.
    pub fn put(&self, path: &str, text: &str) {
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        // A path that leads through a file has nothing below it: whoever looks there is told so.
        let _ = self.make_directories(parent, nodes::DIRECTORY_MODE).and_then(|()| self.write_file(path, text.as_bytes()));
    }

    /// Removes what stands there, with all that is below it.
    pub fn remove(&self, path: &str) {
        let _ = self.remove_all(path);
    }

    /// The directory of another world: a place where none was before. It is not made yet.
    pub(crate) fn next_world(&self) -> String {
        let number = self.worlds.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        // As many digits as a world on disk has: a text that is cut says how much of it is left out.
        format!("{}/{number:06}", self.root)
    }

    fn lock(&self) -> MutexGuard<'_, Nodes> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the path is one of the directories above the root. These are there, and no links.
    fn is_above(&self, path: &str) -> bool {
        self.root.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Follows a path part by part; links before the last part always, and the last one if it is wished.
    fn walk<'p, 'n>(&self, nodes: &'n Nodes, path: &'p str, follow: bool) -> io::Result<Spot<'p, 'n>> {
        if path.len() >= MAX_PATH {
            return Err(Problem::NameTooLong.error());
        }
        match nodes.get(path) {
            Some(Node { content: Content::Link(_), .. }) if follow => self.walk_parts(nodes, path, follow),
            // Most paths are written as they are kept.
            Some(node) => Ok(Spot::Here(path.into(), Some(node))),
            None => self.shortcut(nodes, path).unwrap_or_else(|| self.walk_parts(nodes, path, follow)),
        }
    }

    /// The same for a path that is no place of an entry as it is written.
    fn walk_parts<'p, 'n>(&self, nodes: &'n Nodes, path: &'p str, follow: bool) -> io::Result<Spot<'p, 'n>> {
        nameable(path)?;
        if !path.starts_with('/') {
            return Ok(Spot::Away(path.into()));
        }
        let mut open: VecDeque<String> = path.split('/').skip(1).map(str::to_owned).collect();
        let mut at = String::new();
        let mut links = 0;
        while let Some(part) = open.pop_front() {
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    at.truncate(at.rfind('/').unwrap_or_default());
                    continue;
                }
                _ => {}
            }
            // Whatever stands behind the part, be it nothing but a `/`, asks for a directory.
            let is_last = open.is_empty();
            let next = format!("{at}/{part}");
            if self.is_above(&next) {
                at = next;
                continue;
            }
            if !self.holds(&next) {
                if open.iter().all(|part| part != "..") {
                    let rest = open.iter().fold(next, |path, part| format!("{path}/{part}"));
                    return Ok(Spot::Away(rest.into()));
                }
                // It may come back.
                let real = fs::canonicalize(&next)?;
                if !real.is_dir() {
                    return Err(Problem::NotADirectory.error());
                }
                at = real.to_string_lossy().into_owned();
                continue;
            }
            match nodes.content(&next) {
                Some(Content::Link(target)) if !is_last || follow => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Problem::Loop.error());
                    }
                    if target.starts_with('/') {
                        at.clear();
                    }
                    target.split('/').rev().for_each(|part| open.push_front(part.to_owned()));
                }
                Some(Content::File(_)) if !is_last => return Err(Problem::NotADirectory.error()),
                None if open.iter().any(|part| !part.is_empty()) => return Err(Problem::NotFound.error()),
                _ => at = next,
            }
        }
        if self.holds(&at) {
            let node = nodes.get(&at);
            return Ok(Spot::Here(at.into(), node));
        }
        Ok(Spot::Away(if at.is_empty() { "/".into() } else { at.into() }))
    }

    /// Most paths without an entry lead to nothing in a directory that is there, or away from the tree.
    fn shortcut<'p, 'n>(&self, nodes: &'n Nodes, path: &'p str) -> Option<io::Result<Spot<'p, 'n>>> {
        let is_plain = |part: &str| !matches!(part, "" | "." | "..");
        if !self.holds(path) {
            let is_plain = path.strip_prefix('/')?.split('/').all(is_plain);
            return is_plain.then(|| nameable(path).map(|()| Spot::Away(path.into())));
        }
        let (mut above, last) = split_last(path)?;
        if !is_plain(last) {
            return None;
        }
        let folder = above;
        loop {
            match nodes.content(above) {
                Some(Content::Directory) => {
                    let here =
                        || if above == folder { Ok(Spot::Here(path.into(), None)) } else { Err(Problem::NotFound.error()) };
                    // The names of what is there are names.
                    return Some(nameable(path.get(above.len()..)?).and_then(|()| here()));
                }
                Some(_) => return None,
                None => {}
            }
            let (next, part) = split_last(above)?;
            if !is_plain(part) {
                return None;
            }
            above = next;
        }
    }

    /// A place of this tree, for changes: nothing else is changed.
    fn own_place<'p>(&self, nodes: &Nodes, path: &'p str, follow: bool) -> io::Result<Cow<'p, str>> {
        match self.walk(nodes, path, follow)? {
            Spot::Here(place, _) => Ok(place),
            Spot::Away(_) => Err(Problem::Away.error()),
        }
    }
}

/// The directory of a path, and its last name. The name is short: it is looked for from behind, byte by byte.
fn split_last(path: &str) -> Option<(&str, &str)> {
    let slash = path.bytes().rposition(|byte| byte == b'/')?;
    Some((path.get(..slash)?, path.get(slash + 1..)?))
}

/// From this length on a path is none.
const MAX_PATH: usize = 4096;

/// What the system says of names without looking for them.
fn nameable(names: &str) -> io::Result<()> {
    const MAX_NAME: usize = 255;
    if names.as_bytes().contains(&0) {
        return Err(Problem::Invalid.error());
    }
    if names.len() > MAX_NAME && names.split('/').any(|part| part.len() > MAX_NAME) {
        return Err(Problem::NameTooLong.error());
    }
    Ok(())
}

/// Paths that are no text stand in no such tree.
fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path is no text"))
}

#[cfg(test)]
mod tests;
