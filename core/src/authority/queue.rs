//! One prompt at a time (HARD-050, RES-63): asks of a session stand in one line and are shown in that order.
//!
//! The queue knows neither asks nor answers. Who has the turn keeps it until the [`Turn`] is dropped; nobody can take its
//! place. When the session ends, everybody in the line is told so, the one with the turn included.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use crate::host::{Bell, HostError, HostResult, SystemBell};

/// The line of one session, shared by its threads.
pub struct PromptQueue {
    state: Mutex<QueueState>,
    /// Rings when the line changes.
    changed: Arc<dyn Bell>,
}

impl Default for PromptQueue {
    fn default() -> Self {
        Self::with_bell(Arc::new(SystemBell::default()))
    }
}

impl fmt::Debug for PromptQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PromptQueue").field("state", &self.state).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct QueueState {
    /// The number of the next ticket.
    next: u64,
    /// How many sessions have ended.
    ended: u64,
    /// Everybody in the line with their thread; the front has the turn.
    line: VecDeque<(u64, ThreadId)>,
}

impl PromptQueue {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty line whose threads wait for this bell.
    pub fn with_bell(changed: Arc<dyn Bell>) -> Self {
        Self { state: Mutex::default(), changed }
    }

    /// Waits for the turn, first come first served. `None`: the session ended first.
    ///
    /// An ask from inside a dialog of the same thread would wait for itself; it is an error.
    pub fn take_turn(&self) -> HostResult<Option<Turn<'_>>> {
        let session = self.session();
        self.take_turn_in(session)
    }

    /// The session whose asks form the line now.
    pub fn session(&self) -> u64 {
        self.lock().ended
    }

    /// The same for an ask of a call that began in this session: when it has ended meanwhile, the ask is sent away at once.
    pub fn take_turn_in(&self, session: u64) -> HostResult<Option<Turn<'_>>> {
        let me = thread::current().id();
        let mut state = self.lock();
        if state.ended != session {
            return Ok(None);
        }
        if state.line.iter().any(|(_, thread)| *thread == me) {
            return Err(HostError::new("a prompt cannot be opened from inside another prompt"));
        }
        let ticket = state.next;
        state.next += 1;
        state.line.push_back((ticket, me));
        drop(state);
        // In the line, and out of it whatever happens while it waits.
        let turn = Turn { queue: self, ticket, session };
        loop {
            let heard = self.changed.rings();
            let state = self.lock();
            if state.ended != session {
                return Ok(None);
            }
            if state.line.front().is_some_and(|(front, _)| *front == ticket) {
                drop(state);
                return Ok(Some(turn));
            }
            drop(state);
            self.changed.wait(heard);
        }
    }

    /// Whether this very thread shows a prompt of this line, or waits to.
    pub fn is_busy_here(&self) -> bool {
        let me = thread::current().id();
        self.lock().line.iter().any(|(_, thread)| *thread == me)
    }

    /// How many asks wait or are being shown.
    pub fn pending(&self) -> usize {
        self.lock().line.len()
    }

    /// Ends the session: everybody in the line is sent away. Later asks form a new line.
    pub fn end_session(&self) {
        let mut state = self.lock();
        state.ended += 1;
        state.line.clear();
        drop(state);
        self.changed.ring();
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to show a prompt, given back when dropped.
#[derive(Debug)]
#[must_use = "the turn ends when this is dropped"]
pub struct Turn<'a> {
    queue: &'a PromptQueue,
    ticket: u64,
    session: u64,
}

impl Turn<'_> {
    /// Whether the session ended while the prompt was shown: its answer counts for nothing then.
    pub fn session_ended(&self) -> bool {
        self.queue.lock().ended != self.session
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.queue.lock().line.retain(|(ticket, _)| *ticket != self.ticket);
        self.queue.changed.ring();
    }
}

#[cfg(test)]
mod tests;
