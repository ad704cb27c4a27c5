//! Whose a claim is (docs/spec/README.md, 5.6, 2). A rename cannot say so; an empty file beside the claim does, named
//! `<id>.<process>-<number>.owner` and made before the rename, so that no claim stands for a moment without one.

use super::{Exchange, InboxLocation};
use crate::host::{ExchangeFault, ExchangeFaultKind, Processes};

/// A server as the owner of claims: its process, and which of the servers of that process it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClaimOwner {
    process: u32,
    number: u32,
}

impl ClaimOwner {
    /// The server of this number in this process.
    pub fn new(process: u32, number: u32) -> Self {
        Self { process, number }
    }

    /// Whether its process is known to be gone.
    pub fn is_gone(self, processes: &dyn Processes) -> bool {
        processes.is_alive(self.process) == Some(false)
    }

    /// The request's id and its owner, in the name of such a file.
    pub(in super::super) fn of_name(name: &str) -> Option<(&str, Self)> {
        let (id, owner) = name.strip_suffix(".owner")?.split_once('.')?;
        let (process, number) = owner.split_once('-')?;
        Some((id, Self::new(process.parse().ok()?, number.parse().ok()?)))
    }
}

impl InboxLocation {
    /// Beside the claim: whose it is.
    pub fn owner_file(&self, id: &str, owner: ClaimOwner) -> String {
        let ClaimOwner { process, number } = owner;
        self.in_requests(id, &format!("{process}-{number}.owner"))
    }
}

impl Exchange {
    /// Says whose the claim will be.
    pub fn sign(&self, location: &InboxLocation, id: &str, owner: ClaimOwner) -> Result<(), ExchangeFault> {
        match self.store.create_file(&location.owner_file(id, owner), b"") {
            // Its own, of an earlier try.
            Err(fault) if fault.kind == ExchangeFaultKind::AlreadyExists => Ok(()),
            outcome => outcome,
        }
    }

    /// Takes back what [`Exchange::sign`] said.
    pub fn unsign(&self, location: &InboxLocation, id: &str, owner: ClaimOwner) {
        self.remove(&location.owner_file(id, owner));
    }

    /// Everybody who says that the claim is theirs; of a claim made by an older server, nobody.
    pub fn owners(&self, location: &InboxLocation, id: &str) -> Vec<ClaimOwner> {
        let names = self.list_all(&location.requests());
        names.iter().filter_map(|name| ClaimOwner::of_name(name)).filter(|(of, _)| *of == id).map(|(_, owner)| owner).collect()
    }

    /// Makes a claim a request again, because its owners are gone. Whoever removes a word of theirs may do it, and nobody else:
    /// another session may have done so already, and a third one claimed it anew.
    pub fn hand_back(&self, location: &InboxLocation, id: &str, owners: &[ClaimOwner]) -> Result<(), ExchangeFault> {
        let mut first = owners.is_empty();
        for owner in owners {
            first |= self.store.remove_file(&location.owner_file(id, *owner)).is_ok();
        }
        if first { self.rename(&location.claim_file(id), &location.request_file(id)) } else { Ok(()) }
    }
}
