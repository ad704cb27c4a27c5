//! Taking a request for oneself, and knowing whether it is still one's own (5.6, 2 and 6).

use std::collections::{HashMap, HashSet};

use super::super::exchange::ClaimOwner;
use super::super::location::{InboxLocation, usable_request_id};
use super::InboxServer;
use super::state::Adopt;
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
        let claimed = self.exchange.sign(location, id, self.owner).and_then(|()| self.exchange.claim(location, id));
        if claimed.is_err() {
            self.exchange.unsign(location, id, self.owner);
        }
        match claimed {
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

    /// Whether the claim still stands, and is this server's own; `None` when nobody can tell. A child that gives up removes it,
    /// and who took this server for dead has claimed it anew.
    pub(super) fn claim_stands(&self, location: &InboxLocation, id: &str) -> Option<bool> {
        match self.exchange.read_message(&location.claim_file(id)) {
            Ok(_) => {
                let signed = self.exists(&location.owner_file(id, self.owner));
                Some(signed || self.exchange.owners(location, id).is_empty())
            }
            Err(fault) if fault.kind == ExchangeFaultKind::NotFound => Some(false),
            Err(_) => None,
        }
    }

    /// Ends the claim. Whose it was is forgotten first, so that nothing is left of it by a server that dies between.
    pub(super) fn end_claim(&self, location: &InboxLocation, id: &str) {
        self.exchange.unsign(location, id, self.owner);
        self.exchange.remove(&location.claim_file(id));
    }

    /// Takes over what a server left behind that is gone: it is asked again, unless it was answered (FWD-D09).
    pub(super) fn adopt_claims(&self, location: &InboxLocation, adopt: Adopt) {
        let names = self.exchange.list_all(&location.requests());
        let mut all_owners: HashMap<&str, Vec<ClaimOwner>> = HashMap::new();
        for (id, owner) in names.iter().filter_map(|name| ClaimOwner::of_name(name)) {
            all_owners.entry(id).or_default().push(owner);
        }
        let claimed: HashSet<&str> = names.iter().filter_map(|name| name.strip_suffix(".claim")).collect();
        for (id, owners) in &all_owners {
            // They died before they had it, or after.
            let gone = owners.iter().filter(|owner| !claimed.contains(id) && owner.is_gone(self.processes.as_ref()));
            gone.for_each(|owner| self.exchange.unsign(location, id, *owner));
        }
        for name in &names {
            let Some(id) = name.strip_suffix(".claim").filter(|id| usable_request_id(id)) else { continue };
            if self.state().is_unwritten(id) {
                continue;
            }
            let owners = all_owners.get(id).map(Vec::as_slice).unwrap_or_default();
            let lives = |owner: &ClaimOwner| !owner.is_gone(self.processes.as_ref());
            if adopt == Adopt::OfTheDead && owners.iter().any(lives) {
                continue;
            }
            if self.exists(&location.response_file(id)) {
                owners.iter().for_each(|owner| self.exchange.unsign(location, id, *owner));
                self.exchange.remove(&location.claim_file(id));
            } else if let Err(fault) = self.exchange.hand_back(location, id, owners) {
                self.exchange.log().warning(&format!("could not take over the request {id}"), Some(&fault.message));
            }
        }
    }

    fn exists(&self, path: &str) -> bool {
        !self.exchange.is_absent(path)
    }
}
