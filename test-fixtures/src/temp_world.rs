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
    /// How often the world was used: part of its path, so that no place has the path that another had before.
    uses: u64,
    folder: TempDir,
}

/// Where the gate's configuration stands in the agent directory; kept while worlds are used again.
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

    fn in_folder(folder: TempDir) -> io::Result<Self> {
        let world = Self::at(folder, 1)?;
        fs::create_dir_all(&world.cwd)?;
        fs::create_dir_all(&world.agent_dir)?;
        Ok(world)
    }

    fn at(folder: TempDir, uses: u64) -> io::Result<Self> {
        // The temp dir itself may be reached through a link; the world's places are none.
        let home = fs::canonicalize(folder.path())?.join(uses.to_string()).join("home");
        let (cwd, agent_dir) = (home.join("work/app"), home.join(".pi/agent"));
        Ok(Self { home, cwd, agent_dir, ticks: Mutex::new(0), uses, folder })
    }

    /// The world as it was when it was fresh, at another path: everything in it is removed. To make and remove the same few directories
    /// for each of thousands of worlds is what takes most of the time on a disk. The directory of the gate's configuration stays;
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
        let extensions = self.agent_dir.join(CONFIG_FOLDER[0]);
        empty(&self.home, &["work", ".pi"])?;
        empty(&self.home.join("work"), &["app"])?;
        empty(&self.cwd, &[])?;
        empty(&self.home.join(".pi"), &["agent"])?;
        empty(&self.agent_dir, &CONFIG_FOLDER[..1])?;
        if is_directory(&extensions) {
            empty(&extensions, &CONFIG_FOLDER[1..])?;
            let config = extensions.join(CONFIG_FOLDER[1]);
            if is_directory(&config) {
                empty(&config, &[])?;
            }
        }
        let uses = self.uses + 1;
        let top = |uses: u64| self.folder.path().join(uses.to_string());
        fs::rename(top(self.uses), top(uses))?;
        Self::at(self.folder, uses)
    }

    /// Takes away what is left of an earlier use and stands empty: to be called once the configuration is written.
    pub fn settle(&self) {
        let extensions = self.agent_dir.join(CONFIG_FOLDER[0]);
        // What holds something is not removed.
        if self.uses > 1 && fs::remove_dir(extensions.join(CONFIG_FOLDER[1])).is_ok() {
            let _ = fs::remove_dir(extensions);
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
