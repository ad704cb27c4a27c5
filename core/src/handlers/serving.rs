//! The serving side of a session with a person (RES-59, docs/spec/README.md, 5.6): it lends its policy, its person and its
//! grants to the inbox.

use serde_json::Value;

use super::services::{Services, tool_names};
use super::settings::follow_trust;
use crate::authority::forwarding::{
    ForwardedAskJudge, ForwardedEscalator, ForwardedRequest, Judgement, ServingRoles, ServingSession,
};
use crate::authority::{PermissionPromptDecision, PromptPermissionDetails};
use crate::host::HostResult;
use crate::host::boundary::attempt;
use crate::session::{ActiveAgent, Bound};

impl Services {
    /// One pass over the inbox, if this session serves. From inside a prompt of the same thread nothing happens: whoever is
    /// asked there would have to be asked here as well (HARD-050).
    pub(crate) fn serve_forwarded(&self) {
        let Some((bound, session_id)) = self.serving() else { return };
        let Some(forwarding) = &self.forwarding else { return };
        if self.session.prompts().is_busy_here() {
            return;
        }
        let serving = Serving { services: self, bound };
        attempt(|| {
            self.beat();
            forwarding.inbox.pass(&session_id, ServingRoles { judge: &serving, escalator: &serving, session: &serving });
        });
    }

    /// Says that this session serves, if it does; else that it serves no longer.
    pub(crate) fn beat(&self) {
        let Some(forwarding) = &self.forwarding else { return };
        if let Some((_, session_id)) = self.serving() {
            attempt(|| forwarding.inbox.beat(&session_id));
        }
        // Asked once more: the session may have ended in another thread while it was announced here.
        if self.serving().is_none() {
            attempt(|| forwarding.inbox.end());
        }
    }

    /// A session serves when it has a person, whatever else it looks like (RES-59).
    fn serving(&self) -> Option<(Bound, String)> {
        let bound = self.session.bound().ok()?;
        bound.context.user_interface()?;
        let session_id = bound.context.session_id()?;
        Some((bound, session_id))
    }

    /// A context without any agent: the rules of an agent are the agent's, not its children's (INBOX-007).
    fn judge_forwarded(&self, bound: &Bound, request: &ForwardedRequest) -> HostResult<Judgement> {
        let tools: Vec<Value> = self.host.tools.get_all()?;
        let names = tool_names(&tools);
        follow_trust(self, bound, &names);
        let snapshot = self.call_snapshot(bound, &ActiveAgent::default(), &tools);
        self.announce_broken_scopes(bound, snapshot.policy());
        Ok(snapshot.judge_forwarded(request, &names))
    }
}

/// The session of one pass: what it was when the pass began.
struct Serving<'a> {
    services: &'a Services,
    bound: Bound,
}

impl ForwardedAskJudge for Serving<'_> {
    fn judge(&self, request: &ForwardedRequest) -> HostResult<Judgement> {
        self.services.judge_forwarded(&self.bound, request)
    }
}

impl ForwardedEscalator for Serving<'_> {
    fn escalate(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        self.services.prompter(&self.bound).prompt_permission(ask)
    }
}

impl ServingSession for Serving<'_> {
    fn is_open(&self) -> bool {
        self.services.session.session_rules().session() == self.bound.grants_of
    }

    fn store_grants(&self, pairs: &[(String, String)]) -> bool {
        self.services.session.session_rules().approve_in(self.bound.grants_of, pairs)
    }
}
