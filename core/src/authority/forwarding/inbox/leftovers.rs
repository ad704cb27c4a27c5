//! What sessions left behind that ended in the middle of something (FWD-D09): swept, so that folders are clean afterwards.

use std::collections::HashSet;

use super::super::exchange::ClaimOwner;
use super::super::location::{InboxLocation, usable_request_id};
use super::super::request_reader::read_request;
use super::super::response_reader::read_response;
use super::InboxServer;

/// How often leftovers are looked for, in milliseconds.
const SWEEP_INTERVAL_MS: u64 = 10_000;
/// How long a file of a process that is gone may still be of use to somebody, in milliseconds.
const GRACE_MS: u64 = 10_000;

impl InboxServer {
    /// Takes over or removes what nobody will finish.
    pub(super) fn look_after_leftovers(&self, location: &InboxLocation) {
        self.sweep(location);
        let adopt = self.state().adopt.take();
        if let Some(adopt) = adopt {
            self.adopt_claims(location, adopt);
        }
    }

    fn sweep(&self, location: &InboxLocation) {
        let now = self.exchange.now_ms();
        {
            let mut state = self.state();
            let due = state.swept_at.is_none_or(|at| at > now || now - at >= SWEEP_INTERVAL_MS);
            if !due {
                return;
            }
            state.swept_at = Some(now);
        }
        let temporaries = self.exchange.sweep_temporaries(location, self.processes.as_ref(), self.waiting_time_ms);
        if temporaries | self.sweep_requests(location, now) | self.sweep_responses(location, now) {
            self.exchange.clean_up(location);
        }
    }

    fn sweep_requests(&self, location: &InboxLocation, now: u64) -> bool {
        let mut swept = false;
        let names = self.exchange.list_all(&location.requests());
        let standing: HashSet<&str> =
            names.iter().filter_map(|name| name.strip_suffix(".claim").or(name.strip_suffix(".json"))).collect();
        for name in &names {
            let over = if let Some((id, owner)) = ClaimOwner::of_name(name) {
                // Of nothing that stands there any more.
                // This server claims nothing just now.
                !standing.contains(id) && (owner == self.owner || owner.is_gone(self.processes.as_ref()))
            } else if let Some(id) = name.strip_suffix(".claim").or(name.strip_suffix(".aside")) {
                !self.state().is_unwritten(id) && self.is_over(&location.request_named(name), id, now)
            } else {
                false
            };
            if over {
                swept |= self.exchange.remove(&location.request_named(name));
            }
        }
        swept
    }

    /// Whether nobody waits for this claimed request any more. One that nobody can read gets the benefit of one more look.
    fn is_over(&self, path: &str, id: &str, now: u64) -> bool {
        let Ok(bytes) = self.exchange.read_message(path) else { return false };
        match read_request(&bytes) {
            Ok(request) => self.has_passed(request.created_at, id, now),
            Err(_) => self.state().saw_unreadable(path),
        }
    }

    fn sweep_responses(&self, location: &InboxLocation, now: u64) -> bool {
        let folder = location.responses();
        let mut swept = false;
        for name in self.exchange.list_all(&folder) {
            let Some(id) = name.strip_suffix(".json").filter(|id| usable_request_id(id)) else { continue };
            let path = location.response_file(id);
            let Ok(bytes) = self.exchange.read_message(&path) else { continue };
            let over = match read_response(&bytes, now) {
                Ok(response) => self.has_passed(response.responded_at, id, now),
                Err(_) => self.state().saw_unreadable(&path),
            };
            if over {
                swept |= self.exchange.remove(&path);
            }
        }
        swept
    }

    /// Nobody waits longer than the waiting time, and nobody waits whose process is gone. Ids end in its number (FWD-003).
    fn has_passed(&self, written_at: u64, id: &str, now: u64) -> bool {
        if written_at.saturating_sub(now) >= self.waiting_time_ms {
            // It would outlive every other one, as a request of such a time would (RES-62).
            return true;
        }
        let age = now.saturating_sub(written_at);
        let process = id.rsplit('-').next().and_then(|number| number.parse().ok());
        age >= self.waiting_time_ms.saturating_add(GRACE_MS)
            || (age >= GRACE_MS && process.is_some_and(|process| self.is_gone(process)))
    }

    /// `<final>.<process>.<milliseconds>.tmp` (FWD-007).
    fn is_gone(&self, process: u32) -> bool {
        self.processes.is_alive(process) == Some(false)
    }
}
