//! What sessions need of the world to pass questions to each other (docs/spec/forwarding.md, FWD; HARD-047, HARD-049).
//!
//! The store is the folder tree that two processes share, so every operation names what it may not do: links are never
//! followed at the last component, nothing is read beyond a bound, everything created belongs to its owner alone.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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

    /// A new bell, for threads that wait for each other and not for time. Where time is not the system's, whoever waits for a bell
    /// has to be known to whoever moves it.
    fn bell(&self) -> Arc<dyn Bell> {
        Arc::new(SystemBell::default())
    }
}

/// What threads tell each other with that something has changed. Whoever waits names the rings it has heard before it looked, so
/// that none is missed in between.
///
/// ```
/// use portcullis_core::host::{Bell, SystemBell};
///
/// let bell = SystemBell::default();
/// let heard = bell.rings();
/// std::thread::scope(|scope| {
///     scope.spawn(|| bell.ring());
///     bell.wait(heard);
/// });
/// assert_eq!(bell.rings(), heard + 1);
/// ```
pub trait Bell: Send + Sync {
    /// How often it has rung.
    fn rings(&self) -> u64;
    /// Wakes everybody who waits.
    fn ring(&self);
    /// Comes back when it has rung since, or even earlier.
    fn wait(&self, heard: u64);
}

/// The bell in life.
#[derive(Debug, Default)]
pub struct SystemBell {
    rings: Mutex<u64>,
    rang: Condvar,
}

impl SystemBell {
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bell for SystemBell {
    fn rings(&self) -> u64 {
        *self.lock()
    }

    fn ring(&self) {
        *self.lock() += 1;
        self.rang.notify_all();
    }

    fn wait(&self, heard: u64) {
        let rings = self.lock();
        if *rings == heard {
            drop(self.rang.wait(rings).unwrap_or_else(PoisonError::into_inner));
        }
    }
}

/// What is known of other processes.
pub trait Processes: Send + Sync {
    /// Whether a process of this number lives; `None` when the system does not tell.
    fn is_alive(&self, process_id: u32) -> Option<bool>;
}
