//! Files as the gate sees them: a read-only view, and the few writes that logs and settings need.

use std::fmt;

/// Why a look at a file failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFault {
    /// The kind, for decisions.
    pub kind: FileFaultKind,
    /// The operating system's words, for people.
    pub message: String,
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileFault {}

/// The kinds of fault that callers tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFaultKind {
    /// No such entry.
    NotFound,
    /// A component of the path is no directory.
    NotADirectory,
    /// The path is a directory where a file was meant.
    IsADirectory,
    /// No permission.
    PermissionDenied,
    /// Links that never end.
    Loop,
    /// Anything else.
    Other,
}

/// What stands at a path, links not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file, a device, a socket: anything that is no directory and no link.
    File,
    /// A directory.
    Directory,
    /// A symbolic link with the text of its target, as stored.
    Symlink(String),
}

/// The identity of a file's content, as cheap as the file system gives it (POLICY-D19).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileStamp {
    /// Device number.
    pub device: u64,
    /// Inode number.
    pub inode: u64,
    /// Size in bytes.
    pub size: u64,
    /// Modification time in nanoseconds since 1970.
    pub modified_ns: i128,
    /// Change time in nanoseconds since 1970.
    pub changed_ns: i128,
}

/// A read-only view of the file system. Paths are absolute texts in the platform's own form.
pub trait FileView: Send + Sync {
    /// The kind of the entry itself; a final link is not followed, links before it are.
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault>;
    /// The whole content, links followed.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault>;
    /// The stamp of the file, links followed.
    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault>;
    /// The names in a directory, in any order.
    fn list(&self, path: &str) -> Result<Vec<String>, FileFault>;
}

/// The few writes of the gate itself. Everything it creates belongs to its owner alone (HARD-052).
pub trait FileStore: Send + Sync {
    /// Creates the directory and its parents, mode 0700 for the ones it creates.
    fn create_private_dir(&self, path: &str) -> Result<(), FileFault>;
    /// Appends to the file, creating it with mode 0600 and tightening an older one.
    fn append_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault>;
    /// Replaces the file as one step: a sibling with suffix `.tmp`, then a rename. No sibling is left behind on failure.
    fn replace_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault>;
}
