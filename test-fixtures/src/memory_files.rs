//! Files in memory: what a gate looks at and writes, for worlds that need nothing of this machine.
//!
//! This file knows what stands where and how the links lead; what the operations of each trait do with it stands in
//! `memory_files/verbs.rs`, and the traits themselves in `memory_files/roles.rs`.

mod nodes;
mod roles;
mod verbs;

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nodes::{Content, Nodes, Problem};

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
enum Spot {
    /// To a place of this tree without links before its last part; whether something stands there is another question.
    Here(String),
    /// Away from it.
    Away(String),
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
    fn walk(&self, nodes: &Nodes, path: &str, follow: bool) -> io::Result<Spot> {
        if let Some(problem) = unnameable(path) {
            return Err(problem.error());
        }
        if let Some(known) = self.shortcut(nodes, path, follow) {
            return known;
        }
        if !path.starts_with('/') {
            return Ok(Spot::Away(path.to_owned()));
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
                    return Ok(Spot::Away(rest));
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
        if self.holds(&at) { Ok(Spot::Here(at)) } else { Ok(Spot::Away(if at.is_empty() { "/".into() } else { at })) }
    }

    /// Most paths are written as they are kept, and lead to something or to nothing in a directory that is there.
    fn shortcut(&self, nodes: &Nodes, path: &str, follow: bool) -> Option<io::Result<Spot>> {
        match nodes.content(path) {
            Some(Content::Link(_)) if follow => return None,
            Some(_) => return Some(Ok(Spot::Here(path.to_owned()))),
            None => {}
        }
        let plain = |part: &str| !matches!(part, "" | "." | "..");
        let (mut above, last) = path.rsplit_once('/')?;
        if !plain(last) {
            return None;
        }
        let mut distance = 1;
        loop {
            match nodes.content(above) {
                Some(Content::Directory) if distance == 1 => return Some(Ok(Spot::Here(path.to_owned()))),
                Some(Content::Directory) => return Some(Err(Problem::NotFound.error())),
                Some(_) => return None,
                None => {}
            }
            let (next, part) = above.rsplit_once('/')?;
            if !plain(part) {
                return None;
            }
            above = next;
            distance += 1;
        }
    }

    /// A place of this tree, for changes: nothing else is changed.
    fn own_place(&self, nodes: &Nodes, path: &str, follow: bool) -> io::Result<String> {
        match self.walk(nodes, path, follow)? {
            Spot::Here(place) => Ok(place),
            Spot::Away(_) => Err(Problem::Away.error()),
        }
    }
}

/// What the system says of a path without looking for it.
fn unnameable(path: &str) -> Option<Problem> {
    const MAX_PATH: usize = 4096;
    const MAX_NAME: usize = 255;
    if path.as_bytes().contains(&0) {
        return Some(Problem::Invalid);
    }
    let is_long = path.len() >= MAX_PATH || path.len() > MAX_NAME && path.split('/').any(|part| part.len() > MAX_NAME);
    is_long.then_some(Problem::NameTooLong)
}

/// Paths that are no text stand in no such tree.
fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path is no text"))
}

#[cfg(test)]
mod tests;
