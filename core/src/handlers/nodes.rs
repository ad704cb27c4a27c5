//! Sessions of one process and their services, found by session id and in no other way (HARD-046, RES-64).
//!
//! A handle that all sessions of the process share; what a session does not share it in, it is alone in.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::services::Services;

/// The sessions of this process that have a gate, by their session id.
#[derive(Default)]
pub struct NodeRegistry {
    nodes: Mutex<Nodes>,
}

#[derive(Default)]
struct Nodes {
    alive: HashMap<String, Weak<Services>>,
    /// Every id under which a gate was published, until its child is disposed of.
    seen: HashSet<String>,
}

impl NodeRegistry {
    /// No session yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a session with this id has a gate now.
    pub fn contains(&self, session_id: &str) -> bool {
        self.services(session_id).is_some()
    }

    /// What the session of this id is made of.
    pub(crate) fn services(&self, session_id: &str) -> Option<Arc<Services>> {
        self.lock().alive.get(session_id).and_then(Weak::upgrade)
    }

    /// A session begins, or begins anew: its last word counts.
    pub(crate) fn publish(&self, session_id: &str, services: &Arc<Services>) {
        let mut nodes = self.lock();
        nodes.alive.retain(|_, node| !std::ptr::eq(node.as_ptr(), Arc::as_ptr(services)));
        nodes.alive.insert(session_id.to_owned(), Arc::downgrade(services));
        nodes.seen.insert(session_id.to_owned());
    }

    /// A session ends; only its own entry goes (LIFE-011).
    pub(crate) fn withdraw(&self, services: &Arc<Services>) {
        self.lock().alive.retain(|_, node| !std::ptr::eq(node.as_ptr(), Arc::as_ptr(services)));
    }

    /// A child is disposed of: whether it ever had a gate.
    pub(crate) fn forget(&self, session_id: &str) -> bool {
        self.lock().seen.remove(session_id)
    }

    fn lock(&self) -> MutexGuard<'_, Nodes> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for NodeRegistry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodeRegistry").field("sessions", &self.lock().alive.len()).finish()
    }
}
