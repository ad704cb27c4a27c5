//! Faults in how the gate looks at files: which ones it knows, what it takes a link for, and how long it remembers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use portcullis_core::composition::Host;
use portcullis_core::host::{EntryKind, Environment, FileFault, FileFaultKind, FileStamp, FileView, Platform};

use crate::implementation::World;

/// A link is a file like any other.
pub(super) fn links_are_files(_: &World, host: &mut Host) {
    host.files = Arc::new(Looking { files: Arc::clone(&host.files), links: false, hidden: Vec::new(), slow: false });
}

/// Agents have no files.
pub(super) fn no_agent_files(_: &World, host: &mut Host) {
    host.files = Arc::new(Looking { files: Arc::clone(&host.files), links: true, hidden: vec!["/agents/".into()], slow: false });
}

/// The project has no files of its own.
pub(super) fn no_project_files(world: &World, host: &mut Host) {
    let hidden = vec![format!("{}/.pi/", world.cwd)];
    host.files = Arc::new(Looking { files: Arc::clone(&host.files), links: true, hidden, slow: false });
}

/// Patterns of many stars take their time.
pub(super) fn stars_take_time(_: &World, host: &mut Host) {
    host.files = Arc::new(Looking { files: Arc::clone(&host.files), links: true, hidden: Vec::new(), slow: true });
}

/// Longer than any limit that a run of doubles sets.
const LATE: Duration = Duration::from_secs(15);

struct Looking {
    files: Arc<dyn FileView>,
    links: bool,
    hidden: Vec<String>,
    slow: bool,
}

impl Looking {
    fn known(&self, path: &str) -> Result<&dyn FileView, FileFault> {
        if self.hidden.iter().any(|part| path.contains(part)) {
            return Err(FileFault { kind: FileFaultKind::NotFound, message: "no such file".into() });
        }
        Ok(self.files.as_ref())
    }
}

impl FileView for Looking {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        Ok(match self.known(path)?.entry(path)? {
            EntryKind::Symlink(_) if !self.links => EntryKind::File,
            other => other,
        })
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        let bytes = self.known(path)?.read(path)?;
        let stars = |line: &[u8]| line.iter().filter(|byte| **byte == b'*').count() > 6;
        if self.slow && path.ends_with("config.json") && bytes.split(|byte| *byte == b'\n').any(stars) {
            std::thread::sleep(LATE);
        }
        Ok(bytes)
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        self.known(path)?.stamp(path)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        self.known(path)?.list(path)
    }
}

/// What was read once is never read again.
pub(super) fn never_read_again(_: &World, host: &mut Host) {
    host.files = Arc::new(Remembering { files: Arc::clone(&host.files), read: Mutex::default(), stamps: Mutex::default() });
}

type Known<T> = Mutex<BTreeMap<String, Result<T, FileFault>>>;

struct Remembering {
    files: Arc<dyn FileView>,
    read: Known<Vec<u8>>,
    stamps: Known<FileStamp>,
}

fn once<T: Clone>(known: &Known<T>, path: &str, look: impl FnOnce() -> Result<T, FileFault>) -> Result<T, FileFault> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(path.to_owned()).or_insert_with(look).clone()
}

impl FileView for Remembering {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        self.files.entry(path)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        once(&self.read, path, || self.files.read(path))
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        once(&self.stamps, path, || self.files.stamp(path))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        self.files.list(path)
    }
}

/// There is no home: `~` in a pattern is a letter.
pub(super) fn no_home(_: &World, host: &mut Host) {
    host.environment = Arc::new(Homeless(Arc::clone(&host.environment)));
}

struct Homeless(Arc<dyn Environment>);

impl Environment for Homeless {
    fn var(&self, name: &str) -> Option<String> {
        if name == "HOME" { None } else { self.0.var(name) }
    }

    fn home(&self) -> Option<String> {
        None
    }

    fn platform(&self) -> Platform {
        self.0.platform()
    }
}
