//! Where the files of a world are, in all the roles in which they are looked at: this machine's, or those in memory.

use std::sync::Arc;

use portcullis_core::host::system::{SystemExchangeStore, SystemFileStore, SystemFileView};
use portcullis_core::host::{ExchangeStore, FileStore, FileView};
use portcullis_test_fixtures::{Disk, MemoryFiles, Tree};

/// Files for a gate in this process.
#[derive(Clone)]
pub(super) struct Files {
    /// To look at them is dear.
    pub(super) on_disk: bool,
    /// What the gate looks at.
    pub(super) view: Arc<dyn FileView>,
    /// What it writes.
    pub(super) store: Arc<dyn FileStore>,
    /// The folders between sessions.
    pub(super) exchange: Arc<dyn ExchangeStore>,
    /// The same files for whoever changes the world.
    pub(super) tree: Arc<dyn Tree>,
}

impl Files {
    /// Those of this machine.
    pub(super) fn on_disk() -> Self {
        Self {
            on_disk: true,
            view: Arc::new(SystemFileView),
            store: Arc::new(SystemFileStore),
            exchange: Arc::new(SystemExchangeStore),
            tree: Arc::new(Disk),
        }
    }

    /// Those in memory.
    pub(super) fn in_memory(files: &Arc<MemoryFiles>) -> Self {
        Self {
            on_disk: false,
            view: Arc::clone(files) as _,
            store: Arc::clone(files) as _,
            exchange: Arc::clone(files) as _,
            tree: Arc::clone(files) as _,
        }
    }
}
