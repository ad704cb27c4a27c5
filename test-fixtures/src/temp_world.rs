//! A tree of files that is always removed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

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

/// A home directory with a project (`work/app`) and the host's agent directory (`.pi/agent`) in a fresh temp dir. Everything goes away
/// when the value is dropped.
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
    ticks: Mutex<u64>,
    _folder: TempDir,
}

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

    fn in_folder(folder: TempDir) -> io::Result<Self> {
        // The temp dir itself may be reached through a link; the world's places are none.
        let home = fs::canonicalize(folder.path())?.join("home");
        let cwd = home.join("work/app");
        let agent_dir = home.join(".pi/agent");
        fs::create_dir_all(&cwd)?;
        fs::create_dir_all(&agent_dir)?;
        Ok(Self { home, cwd, agent_dir, ticks: Mutex::new(0), _folder: folder })
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
        if up || !path.starts_with(&self.home) {
            let text = format!("{} lies outside the world", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        Ok(path)
    }

    /// Writes an entry, its parents included. A file that was there changes, and its modification time with it.
    pub fn put(&self, path: &Path, entry: &WorldEntry) -> io::Result<()> {
        let path = self.checked(path)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
            // A link on the way would lead out of the world.
            if !fs::canonicalize(parent)?.starts_with(&self.home) {
                let text = format!("{} lies behind a link that leads outside the world", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
        }
        if !matches!(entry, WorldEntry::Directory) && fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
            fs::remove_file(path)?;
        }
        match entry {
            WorldEntry::Directory => fs::create_dir_all(path),
            WorldEntry::Symlink(target) => link(target, path),
            WorldEntry::Text(text) => {
                let existed = path.exists();
                fs::write(path, text)?;
                if existed { self.touch(path) } else { Ok(()) }
            }
        }
    }

    /// Two changes within one tick of the file system's clock must not look the same.
    fn touch(&self, path: &Path) -> io::Result<()> {
        let mut ticks = self.ticks.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *ticks += 1;
        fs::File::options().write(true).open(path)?.set_modified(SystemTime::now() + Duration::from_secs(2 * *ticks))
    }

    /// Removes a file, a link or a whole directory; what is not there is fine.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        let path = self.checked(path)?;
        let removed = match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Everything in the world, by path below the home with `/` between the parts.
    pub fn inventory(&self) -> io::Result<Inventory> {
        let mut found = Inventory::new();
        let mut open = vec![self.home.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let name = path.strip_prefix(&self.home).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                let kind = fs::symlink_metadata(&path)?;
                let value = if kind.is_symlink() {
                    WorldEntry::Symlink(fs::read_link(&path)?.to_string_lossy().into_owned())
                } else if kind.is_dir() {
                    open.push(path);
                    WorldEntry::Directory
                } else {
                    WorldEntry::Text(String::from_utf8_lossy(&fs::read(&path)?).into_owned())
                };
                found.insert(name, value);
            }
        }
        Ok(found)
    }
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_target: &str, _path: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "links need a Unix file system"))
}

#[cfg(test)]
mod tests;
