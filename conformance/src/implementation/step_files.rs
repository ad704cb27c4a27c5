//! Files as they stand during one step. The runner changes a world between steps and never within one, so what a gate looked at is
//! what it still is, until the gate itself writes. A call looks at the same few folders again and again.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use portcullis_core::composition::Host;
use portcullis_core::host::{EntryKind, FileFault, FileStamp, FileStore, FileView};

use crate::select::Fnv;

/// Counts steps, and writes within them.
#[derive(Debug, Clone, Default)]
pub(super) struct Steps(Arc<AtomicU64>);

impl Steps {
    /// Another step begins: whatever was seen is looked at anew.
    pub(super) fn next(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Lets a host look at each place once a step.
    pub(super) fn watch(&self, host: &mut Host) {
        let (files, store) = (Arc::clone(&host.files), Arc::clone(&host.store));
        host.files = Arc::new(StepFiles { files, steps: self.clone(), seen: Mutex::default() });
        host.store = Arc::new(StepStore { store, steps: self.clone() });
    }
}

type Seen<T> = HashMap<String, Result<T, FileFault>, BuildHasherDefault<Fnv>>;

#[derive(Default)]
struct All {
    step: u64,
    entries: Seen<EntryKind>,
    contents: Seen<Vec<u8>>,
    stamps: Seen<FileStamp>,
    lists: Seen<Vec<String>>,
}

struct StepFiles {
    files: Arc<dyn FileView>,
    steps: Steps,
    seen: Mutex<All>,
}

impl StepFiles {
    fn once<T: Clone>(
        &self,
        path: &str,
        of: impl Fn(&mut All) -> &mut Seen<T>,
        look: impl FnOnce() -> Result<T, FileFault>,
    ) -> Result<T, FileFault> {
        let now = self.steps.0.load(Ordering::Relaxed);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.step != now {
            *seen = All { step: now, ..All::default() };
        }
        if let Some(known) = of(&mut seen).get(path) {
            return known.clone();
        }
        let found = look();
        of(&mut seen).insert(path.to_owned(), found.clone());
        found
    }
}

impl FileView for StepFiles {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        self.once(path, |all| &mut all.entries, || self.files.entry(path))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        self.once(path, |all| &mut all.contents, || self.files.read(path))
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        self.once(path, |all| &mut all.stamps, || self.files.stamp(path))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        self.once(path, |all| &mut all.lists, || self.files.list(path))
    }
}

struct StepStore {
    store: Arc<dyn FileStore>,
    steps: Steps,
}

impl FileStore for StepStore {
    fn create_private_dir(&self, path: &str) -> Result<(), FileFault> {
        let done = self.store.create_private_dir(path);
        self.steps.next();
        done
    }

    fn append_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        let done = self.store.append_private(path, bytes);
        self.steps.next();
        done
    }

    fn replace_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        let done = self.store.replace_private(path, bytes);
        self.steps.next();
        done
    }
}
