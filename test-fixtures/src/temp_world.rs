//! A tree of files that is always removed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use portcullis_core::host::EntryKind;
use tempfile::TempDir;

use crate::memory_files::MemoryFiles;
use crate::tree::{Disk, Tree};

/// What stands at a path of the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorldEntry {
    /// A file with this content.
    Text(String),
    /// A symbolic link with this target, as stored.
    Symlink(String),
    /// A directory.
    Directory,
}

/// A home directory with a project (`work/app`) and the host's agent directory (`.pi/agent`) in a fresh temp dir, or in memory. Everything
/// goes away when the value is dropped.
///
/// ```
/// use portcullis_test_fixtures::{TempWorld, WorldEntry};
///
/// let world = TempWorld::new().unwrap();
/// world.put(&world.cwd().join("src/a.ts"), &WorldEntry::Text("x".into())).unwrap();
/// assert!(world.cwd().join("src/a.ts").is_file());
/// let home = world.home().to_path_buf();
/// drop(world);
/// assert!(!home.exists());
/// ```
#[derive(Debug)]
pub struct TempWorld {
    home: PathBuf,
    cwd: PathBuf,
    agent_dir: PathBuf,
    place: Place,
}

/// Where a world stands.
#[derive(Debug)]
enum Place {
    Disk {
        folder: TempDir,
        /// How often the world was used: part of its path, so that no place has the path that another had before.
        uses: u64,
        ticks: Mutex<u64>,
    },
    Memory(InMemory),
}

/// Files in memory, and the directory in them that goes away with the world.
#[derive(Debug)]
struct InMemory {
    files: Arc<MemoryFiles>,
    top: String,
}

impl Drop for InMemory {
    fn drop(&mut self) {
        self.files.remove(&self.top);
    }
}

/// Where the gate's configuration stands in the agent directory; kept while worlds on disk are used again.
const CONFIG_FOLDER: [&str; 2] = ["extensions", "pi-permission-system"];

/// Path below the home to what stands there: a file's content, a link's target, or nothing for a directory.
pub type Inventory = BTreeMap<String, WorldEntry>;

impl TempWorld {
    /// A fresh world with its three directories, in the system's folder for temporary files.
    pub fn new() -> io::Result<Self> {
        Self::in_folder(tempfile::Builder::new().prefix("portcullis-").tempdir()?)
    }

    /// A fresh world in another folder, for calls that name the one for temporary files.
    pub fn new_in(parent: &Path) -> io::Result<Self> {
        Self::in_folder(tempfile::Builder::new().prefix("portcullis-").tempdir_in(parent)?)
    }

    /// A fresh world in memory, for gates that look at files through these.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use portcullis_core::host::FileView;
    /// use portcullis_test_fixtures::{MemoryFiles, TempWorld, WorldEntry};
    ///
    /// let files = Arc::new(MemoryFiles::in_temporary_folder().unwrap());
    /// let world = TempWorld::in_memory(&files).unwrap();
    /// let path = world.cwd().join("src/a.ts");
    /// world.put(&path, &WorldEntry::Text("x".into())).unwrap();
    /// assert_eq!(files.read(path.to_str().unwrap()).unwrap(), b"x");
    /// assert!(!path.exists());
    /// ```
    pub fn in_memory(files: &Arc<MemoryFiles>) -> io::Result<Self> {
        let top = files.next_world();
        let place = Place::Memory(InMemory { files: Arc::clone(files), top: top.clone() });
        Self::made(Path::new(&top), place)
    }

    fn in_folder(folder: TempDir) -> io::Result<Self> {
        let top = top(&folder, 1)?;
        Self::made(&top, Place::Disk { folder, uses: 1, ticks: Mutex::default() })
    }

    fn made(top: &Path, place: Place) -> io::Result<Self> {
        let world = Self::at(top, place);
        world.tree().make_directory(&world.cwd)?;
        world.tree().make_directory(&world.agent_dir)?;
        Ok(world)
    }

    fn at(top: &Path, place: Place) -> Self {
        let home = top.join("home");
        Self { cwd: home.join("work/app"), agent_dir: home.join(".pi/agent"), home, place }
    }

    /// The world as it was when it was fresh, at another path: everything in it is removed. To make and remove the same few directories
    /// for each of thousands of worlds is what takes most of the time on a disk. The directory of the gate's configuration stays there;
    /// [`settle`](Self::settle) takes it away when nobody needs it.
    ///
    /// ```
    /// use portcullis_test_fixtures::{TempWorld, WorldEntry};
    ///
    /// let world = TempWorld::new().unwrap();
    /// world.put(&world.cwd().join("a.ts"), &WorldEntry::Text("x".into())).unwrap();
    /// let before = world.cwd().to_path_buf();
    /// let world = world.again().unwrap();
    /// world.settle();
    /// assert_ne!(world.cwd(), before);
    /// assert_eq!(world.inventory().unwrap(), TempWorld::new().unwrap().inventory().unwrap());
    /// ```
    pub fn again(self) -> io::Result<Self> {
        match self.place {
            Place::Memory(memory) => Self::in_memory(&memory.files),
            Place::Disk { folder, uses, .. } => {
                empty_world(&self.home, &self.cwd, &self.agent_dir)?;
                let to = top(&folder, uses + 1)?;
                fs::rename(top(&folder, uses)?, &to)?;
                Ok(Self::at(&to, Place::Disk { folder, uses: uses + 1, ticks: Mutex::default() }))
            }
        }
    }

    /// Takes away what is left of an earlier use and stands empty: to be called once the configuration is written.
    pub fn settle(&self) {
        if let Place::Disk { uses: 2.., .. } = self.place {
            let extensions = self.agent_dir.join(CONFIG_FOLDER[0]);
            // What holds something is not removed.
            if fs::remove_dir(extensions.join(CONFIG_FOLDER[1])).is_ok() {
                let _ = fs::remove_dir(extensions);
            }
        }
    }

    /// The files that the world is made of.
    pub fn tree(&self) -> &dyn Tree {
        match &self.place {
            Place::Disk { .. } => &Disk,
            Place::Memory(memory) => memory.files.as_ref(),
        }
    }

    /// The home directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The session's directory.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The agent directory.
    pub fn agent_dir(&self) -> &Path {
        &self.agent_dir
    }

    fn checked<'p>(&self, path: &'p Path) -> io::Result<&'p Path> {
        let up = path.components().any(|part| matches!(part, Component::ParentDir));
        if up || !is_within(path, &self.home) {
            let text = format!("{} lies outside the world", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        Ok(path)
    }

    /// Writes an entry, its parents included. A file that was there changes, and its modification time with it.
    pub fn put(&self, path: &Path, entry: &WorldEntry) -> io::Result<()> {
        let path = self.checked(path)?;
        let tree = self.tree();
        if let Some(parent) = path.parent() {
            tree.make_directory(parent)?;
            // A link on the way would lead out of the world.
            if !is_within(&tree.canonical(parent)?, &self.home) {
                let text = format!("{} lies behind a link that leads outside the world", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
        }
        let mut found = tree.kind(path).ok();
        if !matches!(entry, WorldEntry::Directory) && matches!(found, Some(EntryKind::Symlink(_))) {
            tree.remove(path)?;
            found = None;
        }
        match entry {
            WorldEntry::Directory => tree.make_directory(path),
            WorldEntry::Symlink(target) => tree.link(target, path),
            WorldEntry::Text(text) => {
                tree.write(path, text.as_bytes())?;
                if found.is_some() { self.touch(path) } else { Ok(()) }
            }
        }
    }

    /// Two changes within one tick of the file system's clock must not look the same.
    fn touch(&self, path: &Path) -> io::Result<()> {
        let Place::Disk { ticks, .. } = &self.place else { return Ok(()) };
        let mut ticks = ticks.lock().unwrap_or_else(PoisonError::into_inner);
        *ticks += 1;
        fs::File::options().write(true).open(path)?.set_modified(SystemTime::now() + Duration::from_secs(2 * *ticks))
    }

    /// Removes a file, a link or a whole directory; what is not there is fine.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        self.tree().remove(self.checked(path)?)
    }

    /// Everything in the world, by path below the home with `/` between the parts.
    pub fn inventory(&self) -> io::Result<Inventory> {
        let tree = self.tree();
        let mut found = Inventory::new();
        let mut open = vec![self.home.clone()];
        while let Some(folder) = open.pop() {
            for name in tree.list(&folder)? {
                let path = folder.join(name);
                let value = match tree.kind(&path)? {
                    EntryKind::Symlink(target) => WorldEntry::Symlink(target),
                    EntryKind::File => WorldEntry::Text(String::from_utf8_lossy(&tree.read(&path)?).into_owned()),
                    EntryKind::Directory => WorldEntry::Directory,
                };
                let name = path.strip_prefix(&self.home).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                if value == WorldEntry::Directory {
                    open.push(path);
                }
                found.insert(name, value);
            }
        }
        Ok(found)
    }
}

/// Whether the path is the directory or below it. Most are written as the directory is, and need not be taken apart.
fn is_within(path: &Path, directory: &Path) -> bool {
    let rest = path.as_os_str().as_encoded_bytes().strip_prefix(directory.as_os_str().as_encoded_bytes());
    rest.is_some_and(|rest| matches!(rest, [] | [b'/', ..])) || path.starts_with(directory)
}

/// The directory that holds the home at a world's use.
fn top(folder: &TempDir, uses: u64) -> io::Result<PathBuf> {
    // The temp dir itself may be reached through a link; the world's places are none.
    Ok(fs::canonicalize(folder.path())?.join(format!("{uses:06}")))
}

/// Removes everything but the directories that every world has, and that of the gate's configuration.
fn empty_world(home: &Path, cwd: &Path, agent_dir: &Path) -> io::Result<()> {
    let extensions = agent_dir.join(CONFIG_FOLDER[0]);
    empty(home, &["work", ".pi"])?;
    empty(&home.join("work"), &["app"])?;
    empty(cwd, &[])?;
    empty(&home.join(".pi"), &["agent"])?;
    empty(agent_dir, &CONFIG_FOLDER[..1])?;
    if is_directory(&extensions) {
        empty(&extensions, &CONFIG_FOLDER[1..])?;
        let config = extensions.join(CONFIG_FOLDER[1]);
        if is_directory(&config) {
            empty(&config, &[])?;
        }
    }
    Ok(())
}

fn is_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Removes what a directory holds but for the named directories, which have to be there if they are not the gate's own.
fn empty(folder: &Path, kept: &[&str]) -> io::Result<()> {
    as_made(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_directory = entry.file_type()?.is_dir();
        if is_directory && kept.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if is_directory { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
    }
    Ok(())
}

/// A directory that somebody closed, or put a link in place of, is no fresh one.
fn as_made(folder: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(folder)?;
    #[cfg(unix)]
    let open = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o700 == 0o700;
    #[cfg(not(unix))]
    let open = !found.permissions().readonly();
    if found.is_dir() && open { Ok(()) } else { Err(io::Error::other(format!("{} is not as it was made", folder.display()))) }
}

#[cfg(test)]
mod tests;
