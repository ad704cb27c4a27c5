//! What a server remembers between passes.

use std::collections::{HashSet, VecDeque};

use super::super::location::InboxLocation;
use super::super::message::{ForwardedRequest, ForwardedResponse};
use crate::host::ExchangeFault;

/// How many answered ids are remembered.
const ANSWERED_LIMIT: usize = 4_096;

/// The memory of one inbox server.
#[derive(Default)]
pub(super) struct InboxState {
    /// The session that was announced last, and when.
    pub(super) beating: Option<(String, u64)>,
    /// The last heartbeat could not be written, and was complained about.
    pub(super) beat_failed: bool,
    /// Whoever served here before is gone: which claims are taken over in the next pass.
    pub(super) adopt: Option<Adopt>,
    /// What the person is asked about just now. Whoever takes it out answers it: the pass, or the end of the session.
    pub(super) asking: Option<Asking>,
    /// Answers that could not be written once.
    pub(super) unwritten: Vec<Unwritten>,
    /// What was complained about, so that it is complained about once.
    pub(super) noted: HashSet<String>,
    /// Why the folder of answers could not be made by the last pass.
    pub(super) responses_fault: Option<ExchangeFault>,
    /// When leftovers were looked for last.
    pub(super) swept_at: Option<u64>,
    /// Claims that nobody can read, seen once.
    unreadable: HashSet<String>,
    answered: VecDeque<String>,
    answered_set: HashSet<String>,
}

/// Which claims a server takes over when it begins to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adopt {
    /// All: nobody shows life here.
    All,
    /// Those that no living process owns: the one that showed life last is gone, and there may be others.
    OfTheDead,
}

/// A request whose dialog is open.
pub(super) struct Asking {
    pub(super) location: InboxLocation,
    pub(super) own_id: String,
    pub(super) request: ForwardedRequest,
}

/// An answer that still has to be written.
pub(super) struct Unwritten {
    pub(super) location: InboxLocation,
    pub(super) id: String,
    pub(super) response: ForwardedResponse,
}

impl InboxState {
    /// Remembers that this id was answered, or refused; the oldest are forgotten.
    pub(super) fn remember(&mut self, id: &str) {
        if !self.answered_set.insert(id.to_owned()) {
            return;
        }
        self.answered.push_back(id.to_owned());
        if self.answered.len() > ANSWERED_LIMIT
            && let Some(oldest) = self.answered.pop_front()
        {
            self.answered_set.remove(&oldest);
        }
    }

    pub(super) fn was_answered(&self, id: &str) -> bool {
        self.answered_set.contains(id)
    }

    pub(super) fn is_unwritten(&self, id: &str) -> bool {
        self.unwritten.iter().any(|unwritten| unwritten.id == id)
    }

    /// A file that nobody can read was seen: whether it was before. What is seen twice goes, so little is remembered.
    pub(super) fn saw_unreadable(&mut self, path: &str) -> bool {
        if self.unreadable.remove(path) {
            return true;
        }
        if self.unreadable.len() >= ANSWERED_LIMIT {
            self.unreadable.clear();
        }
        self.unreadable.insert(path.to_owned());
        false
    }

    /// Whether this is the first word about it.
    pub(super) fn note(&mut self, what: &str) -> bool {
        if self.noted.len() >= ANSWERED_LIMIT {
            self.noted.clear();
        }
        self.noted.insert(what.to_owned())
    }
}
