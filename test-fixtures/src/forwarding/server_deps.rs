//! A serving side by itself: the inbox on disk, and doubles for the policy, the person and the grants (FIX-003).

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_core::authority::forwarding::{
    ForwardedAskJudge, ForwardedEscalator, ForwardedRequest, InboxServer, Judgement, ServingRoles, ServingSession, Verdict,
};
use portcullis_core::authority::{PermissionPromptDecision, PromptPermissionDetails};
use portcullis_core::host::{HostError, HostResult};

use super::deps::{EscalatorDeps, make_escalator_deps, make_ui_decision};
use super::temp_dir::ForwardingTempDir;

/// How long a child waits for this server, in milliseconds.
const WAITING_TIME_MS: u64 = 600_000;

/// What the doubles of a [`ServerDeps`] answer, and what they were told.
struct State {
    judgement: Result<Judgement, String>,
    decision: Result<PermissionPromptDecision, String>,
    open: bool,
    judged: Vec<ForwardedRequest>,
    asked: Vec<PromptPermissionDetails>,
    granted: Vec<(String, String)>,
}

/// The collaborators of a serving session (`makeForwarderDeps`), beside those of every forwarding one: a policy that answers
/// ask, a person who says yes, grants that are remembered.
///
/// ```
/// use portcullis_test_fixtures::{ForwardingTempDir, make_server_deps};
///
/// let dir = ForwardingTempDir::new("parent-session");
/// let deps = make_server_deps(&dir);
/// dir.request().created_at(deps.now_ms()).write();
/// deps.pass();
/// assert_eq!(deps.asked()[0].request_id, "req-forwarded");
/// assert!(dir.read_response("req-forwarded").unwrap().approved);
/// ```
pub struct ServerDeps {
    deps: EscalatorDeps,
    server: InboxServer,
    session_id: String,
    state: Mutex<State>,
}

/// A server of this inbox.
pub fn make_server_deps(dir: &ForwardingTempDir) -> ServerDeps {
    make_escalator_deps().in_dir(dir).serving(dir.session_id())
}

impl EscalatorDeps {
    /// A server of this session over these collaborators.
    pub fn serving(self, session_id: &str) -> ServerDeps {
        let server = InboxServer::new(
            self.root.clone(),
            Arc::new(self.exchange()),
            Arc::clone(&self.subagents),
            Arc::clone(&self.processes) as _,
            WAITING_TIME_MS,
        );
        let state = State {
            judgement: Ok(Judgement { verdict: Verdict::Ask, grants: Vec::new(), policy_fault: None, facts_hold: true }),
            decision: Ok(make_ui_decision()),
            open: true,
            judged: Vec::new(),
            asked: Vec::new(),
            granted: Vec::new(),
        };
        ServerDeps { deps: self, server, session_id: session_id.to_owned(), state: Mutex::new(state) }
    }
}

impl ServerDeps {
    /// Another verdict of the policy.
    #[must_use]
    pub fn verdict(self, verdict: Verdict) -> Self {
        self.change(|state| {
            if let Ok(judgement) = &mut state.judgement {
                judgement.verdict = verdict;
            }
        })
    }

    /// What a yes for the whole session would store.
    #[must_use]
    pub fn grants(self, pairs: &[(&str, &str)]) -> Self {
        let pairs = pairs.iter().map(|(surface, pattern)| ((*surface).to_owned(), (*pattern).to_owned())).collect();
        self.change(|state| {
            if let Ok(judgement) = &mut state.judgement {
                judgement.grants = pairs;
            }
        })
    }

    /// The policy fails with this text.
    #[must_use]
    pub fn failing_policy(self, text: &str) -> Self {
        self.change(|state| state.judgement = Err(text.to_owned()))
    }

    /// Another answer of the person.
    #[must_use]
    pub fn decision(self, decision: PermissionPromptDecision) -> Self {
        self.change(|state| state.decision = Ok(decision))
    }

    /// The dialog fails with this text.
    #[must_use]
    pub fn failing_dialog(self, text: &str) -> Self {
        self.change(|state| state.decision = Err(text.to_owned()))
    }

    /// The session has ended.
    #[must_use]
    pub fn ended(self) -> Self {
        self.change(|state| state.open = false)
    }

    fn change(self, change: impl FnOnce(&mut State)) -> Self {
        change(&mut self.state());
        self
    }

    /// One pass over the inbox.
    pub fn pass(&self) {
        self.server.pass(&self.session_id, ServingRoles { judge: self, escalator: self, session: self });
    }

    /// The server, for what only it can do.
    pub fn server(&self) -> &InboxServer {
        &self.server
    }

    /// The time now.
    pub fn now_ms(&self) -> u64 {
        self.deps.exchange().now_ms()
    }

    /// The requests that the policy judged.
    pub fn judged(&self) -> Vec<ForwardedRequest> {
        self.state().judged.clone()
    }

    /// The asks that the person answered.
    pub fn asked(&self) -> Vec<PromptPermissionDetails> {
        self.state().asked.clone()
    }

    /// The pairs that were stored.
    pub fn granted(&self) -> Vec<(String, String)> {
        self.state().granted.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for ServerDeps {
    type Target = EscalatorDeps;

    fn deref(&self) -> &EscalatorDeps {
        &self.deps
    }
}

impl ForwardedAskJudge for ServerDeps {
    fn judge(&self, request: &ForwardedRequest) -> HostResult<Judgement> {
        let mut state = self.state();
        state.judged.push(request.clone());
        state.judgement.clone().map_err(HostError::new)
    }
}

impl ForwardedEscalator for ServerDeps {
    fn escalate(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        let mut state = self.state();
        state.asked.push(ask.clone());
        state.decision.clone().map_err(HostError::new)
    }
}

impl ServingSession for ServerDeps {
    fn is_open(&self) -> bool {
        self.state().open
    }

    fn store_grants(&self, pairs: &[(String, String)]) -> bool {
        let mut state = self.state();
        if state.open {
            state.granted.extend_from_slice(pairs);
        }
        state.open
    }
}
