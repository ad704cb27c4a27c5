//! Taking a request for oneself, and knowing whether it is still one's own (5.6, 2 and 6).

use super::super::location::{InboxLocation, usable_request_id};
use super::InboxServer;
use crate::host::ExchangeFaultKind;

/// What became of a listed request when it was to be claimed.
pub(super) enum Claim {
    /// It is ours.
    Taken,
    /// Somebody else has it, or it was withdrawn.
    Gone,
    /// The same id waits, or was answered, already.
    Duplicate,
    /// It cannot be claimed now; the next pass tries again.
    Failed,
}

impl InboxServer {
    /// Claims a request by a rename: of two servers one gets it (FWD-021).
    pub(super) fn claim(&self, location: &InboxLocation, id: &str) -> Claim {
        // The claim is looked for before the request: a rename by another server makes the one while it takes the other away.
        let claimed = self.exists(&location.claim_file(id));
        let known = claimed || self.state().was_answered(id) || self.exists(&location.response_file(id));
        if known {
            return if self.exists(&location.request_file(id)) { Claim::Duplicate } else { Claim::Gone };
        }
        match self.exchange.claim(location, id) {
            Ok(()) => Claim::Taken,
            Err(fault) if fault.kind == ExchangeFaultKind::NotFound => Claim::Gone,
            Err(fault) => {
                if self.state().note(id) {
                    self.exchange.log().error(&format!("could not claim the request {id}"), Some(&fault.message));
                }
                Claim::Failed
            }
        }
    }

    /// Whether the claim still stands; `None` when nobody can tell. A child that gives up removes it.
    pub(super) fn claim_stands(&self, location: &InboxLocation, id: &str) -> Option<bool> {
        match self.exchange.read_message(&location.claim_file(id)) {
            Ok(_) => Some(true),
            Err(fault) if fault.kind == ExchangeFaultKind::NotFound => Some(false),
            Err(_) => None,
        }
    }

    /// Takes over what a server left behind that is gone: it is asked again, unless it was answered (FWD-D09).
    pub(super) fn adopt_claims(&self, location: &InboxLocation) {
        for name in self.exchange.list_all(&location.requests()) {
            let Some(id) = name.strip_suffix(".claim").filter(|id| usable_request_id(id)) else { continue };
            if self.state().is_unwritten(id) {
                continue;
            }
            if self.exists(&location.response_file(id)) {
                self.exchange.remove(&location.claim_file(id));
            } else if let Err(fault) = self.exchange.release(location, id) {
                self.exchange.log().warning(&format!("could not take over the request {id}"), Some(&fault.message));
            }
        }
    }

    fn exists(&self, path: &str) -> bool {
        !self.exchange.is_absent(path)
    }
}
