//! What the sessions of one process share, and what differs from one process to the next.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_core::authority::forwarding::SubagentRegistry;
use portcullis_core::composition::NodeRegistry;
use portcullis_core::host::{Environment, IdSource, Platform};

/// One process of a world.
#[derive(Debug, Clone, Default)]
pub(super) struct Process {
    pub(super) number: u32,
    pub(super) subagents: Arc<SubagentRegistry>,
    pub(super) nodes: Arc<NodeRegistry>,
}

/// Numbers that count up over the whole world, so that no two sessions mint the same id.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    pub(super) counter: Arc<AtomicU64>,
    pub(super) process: u32,
}

impl IdSource for Ids {
    fn random(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn process_id(&self) -> u32 {
        self.process
    }
}

/// Variables that a step may change.
#[derive(Debug, Default)]
pub(super) struct Variables(Mutex<BTreeMap<String, String>>);

impl Variables {
    pub(super) fn new(variables: &[(String, String)]) -> Self {
        Self(Mutex::new(variables.iter().cloned().collect()))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.lock().insert(name.to_owned(), value.to_owned()),
            None => self.lock().remove(name),
        };
    }
}

impl Environment for Variables {
    fn var(&self, name: &str) -> Option<String> {
        self.lock().get(name).cloned()
    }

    fn home(&self) -> Option<String> {
        self.var("HOME")
    }

    fn platform(&self) -> Platform {
        Platform::Posix
    }
}
