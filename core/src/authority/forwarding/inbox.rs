//! The inbox of a serving session (docs/spec/README.md, 5.6): what waits in it is answered, once, or refused.
//!
//! This room knows files, times and messages. What policy, person and grants say is the session's business, which lends them to
//! one pass ([`ServingRoles`]). One bad file never ends a pass, passes never overlap, and nothing is served twice: a request is
//! claimed by a rename before anybody is asked (FWD-D09).

mod answer;
mod claims;
mod identity;
mod leftovers;
mod presence;
mod records;
mod serve;
mod state;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use self::state::InboxState;
use super::exchange::{ClaimOwner, Exchange};
use super::judge::{ForwardedAskJudge, ForwardedEscalator, ServingSession};
use super::location::{ForwardingRoot, InboxLocation, normalize_session_id};
use super::subagents::SubagentRegistry;
use crate::host::boundary::guarded;
use crate::host::{ExchangeFault, HostError, Processes};

/// Tells the servers of one process apart.
static NEXT_SERVER: AtomicU32 = AtomicU32::new(0);

/// What the serving session lends to a pass.
#[derive(Clone, Copy)]
pub struct ServingRoles<'a> {
    /// Its policy.
    pub judge: &'a dyn ForwardedAskJudge,
    /// Its person.
    pub escalator: &'a dyn ForwardedEscalator,
    /// Its life and its grants.
    pub session: &'a dyn ServingSession,
}

/// Serves the inbox of one session. Shared by the threads that serve, beat and end it.
pub struct InboxServer {
    root: ForwardingRoot,
    exchange: Arc<Exchange>,
    subagents: Arc<SubagentRegistry>,
    processes: Arc<dyn Processes>,
    waiting_time_ms: u64,
    /// Whose the claims of this server are.
    owner: ClaimOwner,
    /// Held by the pass that runs (INBOX-002).
    running: Mutex<()>,
    state: Mutex<InboxState>,
}

/// One request's place: the inbox, its owner, the time of the pass.
struct Place<'a> {
    location: &'a InboxLocation,
    own_id: &'a str,
}

impl InboxServer {
    /// A server over these folders. `waiting_time_ms` is how long a child waits: what is older is not answered any more.
    pub fn new(
        root: ForwardingRoot,
        exchange: Arc<Exchange>,
        subagents: Arc<SubagentRegistry>,
        processes: Arc<dyn Processes>,
        waiting_time_ms: u64,
    ) -> Self {
        let (running, state) = (Mutex::new(()), Mutex::default());
        let owner = ClaimOwner::new(exchange.process_id(), NEXT_SERVER.fetch_add(1, Ordering::Relaxed));
        Self { root, exchange, subagents, processes, waiting_time_ms, owner, running, state }
    }

    /// One pass over the inbox (INBOX-003, 5.6). While another one runs, or without a usable id, nothing happens. Nothing that
    /// lies in the inbox ends a pass early.
    pub fn pass(&self, session_id: &str, roles: ServingRoles<'_>) {
        let _running = match self.running.try_lock() {
            Ok(running) => running,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let Some(own_id) = normalize_session_id(Some(session_id)) else { return };
        let Ok(location) = self.root.location(&own_id) else { return };
        self.write_again();
        self.look_after_leftovers(&location);
        let names = self.exchange.list_requests(&location);
        if names.is_empty() || !self.may_answer(&location) {
            return;
        }
        let place = Place { location: &location, own_id: &own_id };
        for name in names {
            if !roles.session.is_open() {
                break;
            }
            // Whatever goes wrong with one request stays with it (FWD-D13).
            if let Err(error) = guarded(|| {
                self.serve(&place, &name, roles);
                Ok(())
            }) {
                self.report_failure(&name, &error);
            }
        }
        self.exchange.clean_up(&location);
    }

    /// Whether answers can be written at all; nobody is asked before that is known (INBOX-003). What stays in the way is said
    /// once, and looked at with each pass.
    fn may_answer(&self, location: &InboxLocation) -> bool {
        let fault = self.exchange.make_responses(location).err();
        let last = std::mem::replace(&mut self.state().responses_fault, fault.clone());
        if let Some(ExchangeFault { message, .. }) = fault.as_ref().filter(|_| fault != last) {
            self.exchange.log().error(&format!("could not make the folder {}", location.responses()), Some(message));
        }
        fault.is_none()
    }

    fn report_failure(&self, name: &str, error: &HostError) {
        self.exchange.log().error(&format!("could not serve the request {name}"), Some(&error.message));
    }

    fn state(&self) -> MutexGuard<'_, InboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
