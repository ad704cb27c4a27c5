//! Processes that live until a test kills them.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use portcullis_core::host::Processes;

/// Every process lives, unless it was killed.
#[derive(Debug, Default)]
pub struct FakeProcesses {
    dead: Mutex<HashSet<u32>>,
    silent: bool,
}

impl FakeProcesses {
    /// A system that does not tell.
    pub fn silent() -> Self {
        Self { silent: true, ..Self::default() }
    }

    /// A process ends.
    pub fn kill(&self, process_id: u32) {
        self.dead.lock().unwrap_or_else(PoisonError::into_inner).insert(process_id);
    }

    /// Another process gets its number.
    pub fn start(&self, process_id: u32) {
        self.dead.lock().unwrap_or_else(PoisonError::into_inner).remove(&process_id);
    }
}

impl Processes for FakeProcesses {
    fn is_alive(&self, process_id: u32) -> Option<bool> {
        (!self.silent).then(|| !self.dead.lock().unwrap_or_else(PoisonError::into_inner).contains(&process_id))
    }
}
