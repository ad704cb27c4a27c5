//! What sessions need of the world to pass questions to each other (docs/spec/forwarding.md, FWD; HARD-047, HARD-049).
//!
//! The store is the folder tree that two processes share, so every operation names what it may not do: links are never
//! followed at the last component, nothing is read beyond a bound, everything created belongs to its owner alone.

use std::fmt;

/// Why an operation on the exchange failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeFault {
    /// The kind, for decisions.
    pub kind: ExchangeFaultKind,
    /// The operating system's words, for people.
    pub message: String,
}

impl ExchangeFault {
    /// A fault with these words.
    pub fn new(kind: ExchangeFaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// Something else stands where a file was meant.
    pub fn not_regular() -> Self {
        Self::new(ExchangeFaultKind::NotRegular, "it is no regular file")
    }

    /// Something else stands where a folder was meant.
    pub fn not_a_folder() -> Self {
        Self::new(ExchangeFaultKind::NotRegular, "it is no folder")
    }

    /// More than the bound.
    pub fn too_large() -> Self {
        Self::new(ExchangeFaultKind::TooLarge, "it is too large")
    }
}

impl fmt::Display for ExchangeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExchangeFault {}

/// The kinds of fault that the protocol tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExchangeFaultKind {
    /// No such entry.
    NotFound,
    /// Something stands there already.
    AlreadyExists,
    /// A directory that is not empty.
    NotEmpty,
    /// A momentary refusal: EPERM, EBUSY, EACCES (HARD-049).
    Transient,
    /// Larger than the bound.
    TooLarge,
    /// No regular file: a link, a folder, a pipe (FWD-023).
    NotRegular,
    /// It belongs to somebody else (FWD-D08).
    ForeignOwner,
    /// Anything else: no space, a read-only system, a name too long.
    Other,
}

/// The folders through which sessions exchange messages. Paths are absolute texts.
pub trait ExchangeStore: Send + Sync {
    /// Creates the directory and its parents, mode 0700 for what it creates. One that exists already is fine when it is a
    /// real directory of this user; it is tightened to 0700.
    fn create_dir(&self, path: &str) -> Result<(), ExchangeFault>;
    /// The names of the regular files in a directory, in any order; links and folders are left out (FWD-023).
    fn list_files(&self, path: &str) -> Result<Vec<String>, ExchangeFault>;
    /// The whole content of a regular file of this user, at most so many bytes; no link is followed.
    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, ExchangeFault>;
    /// Creates a file that must not exist yet, mode 0600, with this content.
    fn create_file(&self, path: &str, bytes: &[u8]) -> Result<(), ExchangeFault>;
    /// Renames a file; an existing target is replaced.
    fn rename(&self, from: &str, to: &str) -> Result<(), ExchangeFault>;
    /// Removes a file.
    fn remove_file(&self, path: &str) -> Result<(), ExchangeFault>;
    /// Removes an empty directory.
    fn remove_dir(&self, path: &str) -> Result<(), ExchangeFault>;
}

/// Lets time pass between two looks. The one in life sleeps; a test moves its clock and lets other sessions have their turn.
pub trait Waiter: Send + Sync {
    /// Comes back when about so many milliseconds are over.
    fn wait_ms(&self, milliseconds: u64);
}

/// What is known of other processes.
pub trait Processes: Send + Sync {
    /// Whether a process of this number lives; `None` when the system does not tell.
    fn is_alive(&self, process_id: u32) -> Option<bool>;
}
