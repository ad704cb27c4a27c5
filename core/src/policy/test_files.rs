//! A file system in memory for the tests of this room.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileStore, FileView};

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    File(Vec<u8>),
    Directory,
    Locked,
}

/// Paths with their content; every change gets a new stamp unless it is asked to keep the old one.
#[derive(Default)]
pub(crate) struct MemoryFiles {
    items: Mutex<BTreeMap<String, (Item, u64)>>,
    clock: Mutex<u64>,
    reads: Mutex<Vec<String>>,
    stampless: Mutex<bool>,
}

impl MemoryFiles {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Files with their texts.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let memory = Self::new();
        for (path, text) in files {
            memory.write(path, text);
        }
        memory
    }

    fn tick(&self) -> u64 {
        let mut clock = self.clock.lock().unwrap();
        *clock += 1;
        *clock
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.write_bytes(path, text.as_bytes());
    }

    pub(crate) fn write_bytes(&self, path: &str, bytes: &[u8]) {
        let stamp = self.tick();
        self.items.lock().unwrap().insert(path.to_owned(), (Item::File(bytes.to_vec()), stamp));
    }

    pub(crate) fn directory(&self, path: &str) {
        let stamp = self.tick();
        self.items.lock().unwrap().insert(path.to_owned(), (Item::Directory, stamp));
    }

    /// A file that nobody may read.
    pub(crate) fn locked(&self, path: &str) {
        let stamp = self.tick();
        self.items.lock().unwrap().insert(path.to_owned(), (Item::Locked, stamp));
    }

    pub(crate) fn remove(&self, path: &str) {
        self.items.lock().unwrap().remove(path);
    }

    /// From now on the file system gives no stamps.
    pub(crate) fn without_stamps(&self) {
        *self.stampless.lock().unwrap() = true;
    }

    /// What was read since the last time.
    pub(crate) fn take_reads(&self) -> Vec<String> {
        std::mem::take(&mut *self.reads.lock().unwrap())
    }

    /// All files and their texts.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        self.items
            .lock()
            .unwrap()
            .iter()
            .filter_map(|(path, (item, _))| match item {
                Item::File(bytes) => Some((path.clone(), String::from_utf8_lossy(bytes).into_owned())),
                _ => None,
            })
            .collect()
    }
}

fn fault(kind: FileFaultKind, message: &str) -> FileFault {
    FileFault { kind, message: message.to_owned() }
}

impl FileView for MemoryFiles {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        let items = self.items.lock().unwrap();
        if let Some((item, _)) = items.get(path) {
            return Ok(if *item == Item::Directory { EntryKind::Directory } else { EntryKind::File });
        }
        let folder = format!("{path}/");
        if items.keys().any(|key| key.starts_with(&folder)) {
            return Ok(EntryKind::Directory);
        }
        Err(fault(FileFaultKind::NotFound, "no such file"))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        self.reads.lock().unwrap().push(path.to_owned());
        match self.items.lock().unwrap().get(path) {
            Some((Item::File(bytes), _)) => Ok(bytes.clone()),
            Some((Item::Directory, _)) => Err(fault(FileFaultKind::IsADirectory, "is a directory")),
            Some((Item::Locked, _)) => Err(fault(FileFaultKind::PermissionDenied, "permission denied")),
            None => Err(fault(FileFaultKind::NotFound, "no such file")),
        }
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        if *self.stampless.lock().unwrap() {
            return Err(fault(FileFaultKind::Other, "no stamps here"));
        }
        if let Some((item, stamp)) = self.items.lock().unwrap().get(path) {
            let size = if let Item::File(bytes) = item { bytes.len() as u64 } else { 0 };
            return Ok(FileStamp { device: 1, inode: *stamp, size, modified_ns: 7, changed_ns: 8 });
        }
        self.entry(path).map(|_| FileStamp { device: 1, inode: 0, size: 0, modified_ns: 0, changed_ns: 0 })
    }

    fn list(&self, _: &str) -> Result<Vec<String>, FileFault> {
        Ok(Vec::new())
    }
}

impl FileStore for MemoryFiles {
    fn create_private_dir(&self, _: &str) -> Result<(), FileFault> {
        Ok(())
    }

    fn append_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        let mut old = self.read(path).unwrap_or_default();
        old.extend_from_slice(bytes);
        self.write_bytes(path, &old);
        Ok(())
    }

    fn replace_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        if self.items.lock().unwrap().get(path).is_some_and(|(item, _)| *item == Item::Directory) {
            return Err(fault(FileFaultKind::IsADirectory, "is a directory"));
        }
        self.write_bytes(path, bytes);
        Ok(())
    }
}
