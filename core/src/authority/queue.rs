//! One prompt at a time (HARD-050, RES-63): asks of a session take tickets and are shown in that order.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The queue of one session, shared by its threads.
#[derive(Debug, Default)]
pub struct PromptQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    /// The ticket that the next ask draws.
    next: u64,
    /// The ticket whose turn it is.
    serving: u64,
    /// Asks of an ended session are never shown.
    ended: u64,
    /// Who holds the turn, to refuse an ask from inside a dialog.
    holder: Option<std::thread::ThreadId>,
}

impl PromptQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the session: every ask that waits, or is being shown, is answered with a denial. Later asks start afresh.
    pub fn end_session(&self) {
        self.lock().ended += 1;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
