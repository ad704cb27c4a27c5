//! Trees of files that worlds are made of: on disk, or in memory.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use portcullis_core::host::EntryKind;

/// What the builder of a world does with files. Paths are absolute.
pub trait Tree: fmt::Debug + Send + Sync {
    /// What stands there; a final link is not followed.
    fn kind(&self, path: &Path) -> io::Result<EntryKind>;
    /// The permission bits of what stands there, a final link not followed; `None` where the system has none.
    fn mode(&self, path: &Path) -> io::Result<Option<u32>>;
    /// The names in a directory, in any order.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
    /// The whole content, links followed.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Replaces the content, links followed; the file is made if there is none.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Makes the directory and its parents; one that is there is fine.
    fn make_directory(&self, path: &Path) -> io::Result<()>;
    /// Makes a link with this target, as stored.
    fn link(&self, target: &str, path: &Path) -> io::Result<()>;
    /// Gives a file, a link or a directory another name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file, a link or a whole directory; what is not there is fine.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// The path without links. There has to be something.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;
    /// Whether a directory stands there, links followed.
    fn is_directory(&self, path: &Path) -> bool {
        self.canonical(path).and_then(|path| self.kind(&path)).is_ok_and(|kind| kind == EntryKind::Directory)
    }
}

/// The files of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Tree for Disk {
    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        let found = fs::symlink_metadata(path)?;
        Ok(if found.is_symlink() {
            EntryKind::Symlink(fs::read_link(path)?.to_string_lossy().into_owned())
        } else if found.is_dir() {
            EntryKind::Directory
        } else {
            EntryKind::File
        })
    }

    #[cfg(unix)]
    fn mode(&self, path: &Path) -> io::Result<Option<u32>> {
        use std::os::unix::fs::PermissionsExt as _;
        Ok(Some(fs::symlink_metadata(path)?.permissions().mode() & 0o7777))
    }

    #[cfg(not(unix))]
    fn mode(&self, path: &Path) -> io::Result<Option<u32>> {
        fs::symlink_metadata(path).map(|_| None)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::write(path, bytes)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    #[cfg(unix)]
    fn link(&self, target: &str, path: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(target, path)
    }

    #[cfg(not(unix))]
    fn link(&self, _target: &str, _path: &Path) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "links need a Unix file system"))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let removed = match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
            other => other,
        }
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }
}
