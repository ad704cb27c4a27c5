//! One request, from its claim to its answer (5.6, 2 to 7).

use super::super::judge::{Judgement, Verdict};
use super::super::location::{normalize_session_id, usable_request_id};
use super::super::message::ForwardedRequest;
use super::super::request_reader::read_request;
use super::answer::{by_policy, nobody};
use super::claims::Claim;
use super::identity::forwarded_details;
use super::state::Asking;
use super::{InboxServer, Place, ServingRoles, records};
use crate::authority::{DecisionState, PermissionPromptDecision};
use crate::host::ExchangeFaultKind;
use crate::host::boundary::guarded;
use crate::report::Cause;

/// Why a claimed request is not served, with as much of it as could be read.
struct Refusal {
    request: Option<Box<ForwardedRequest>>,
    cause: Cause,
    fault: String,
}

impl Refusal {
    fn unread(cause: Cause, fault: String) -> Self {
        Self { request: None, cause, fault }
    }
}

impl InboxServer {
    /// Serves one listed file.
    pub(super) fn serve(&self, place: &Place<'_>, name: &str, roles: ServingRoles<'_>) {
        let log = self.exchange.log();
        let Some(id) = name.strip_suffix(".json").filter(|id| usable_request_id(id)) else {
            // No response could be named after it (FWD-D02, RES-62).
            if self.state().note(name) {
                log.warning(&format!("removed a request whose name is no usable id: {name}"), None);
            }
            self.exchange.remove(&place.location.request_named(name));
            return;
        };
        match self.claim(place.location, id) {
            Claim::Taken => self.serve_claimed(place, id, roles),
            Claim::Duplicate => {
                let fields = records::refused(id, None, place.location, Cause::InvalidRequest, "the id was used before");
                log.review("forwarded_permission.refused", fields);
                // The first one's answer stands; a second one would take its place (FWD-019).
                self.exchange.remove(&place.location.request_file(id));
            }
            Claim::Gone => log.warning(&format!("the request {id} was gone before it was served"), None),
            Claim::Failed => {}
        }
    }

    fn serve_claimed(&self, place: &Place<'_>, id: &str, roles: ServingRoles<'_>) {
        match self.read_claimed(place, id) {
            Ok(Some(request)) => self.decide(place, &request, roles),
            Ok(None) => self.exchange.unsign(place.location, id, self.owner),
            Err(Refusal { request, cause, fault }) => self.refuse(place, id, request.as_deref(), cause, &fault),
        }
    }

    /// Reads a claimed request and checks id, address and age (RES-62).
    fn read_claimed(&self, place: &Place<'_>, id: &str) -> Result<Option<ForwardedRequest>, Refusal> {
        let bytes = match self.exchange.read_message(&place.location.claim_file(id)) {
            Ok(bytes) => bytes,
            Err(fault) if fault.kind == ExchangeFaultKind::NotFound => return Ok(None),
            Err(fault) => {
                let own_fault = matches!(fault.kind, ExchangeFaultKind::Transient | ExchangeFaultKind::Other);
                let cause = if own_fault { Cause::ServingError } else { Cause::InvalidRequest };
                return Err(Refusal::unread(cause, fault.message));
            }
        };
        let request = read_request(&bytes).map_err(|fault| Refusal::unread(Cause::InvalidRequest, fault.message))?;
        let refused =
            |request, cause, fault: &str| Err(Refusal { request: Some(Box::new(request)), cause, fault: fault.to_owned() });
        if request.id != id {
            return refused(request, Cause::InvalidRequest, "the file is not named after the request");
        }
        let target = normalize_session_id(Some(&request.target_session_id));
        if target.as_deref() != Some(place.own_id) {
            self.exchange.log().warning(&format!("the request {id} is addressed to another session"), None);
            return refused(request, Cause::InvalidRequest, "it is addressed to another session");
        }
        let now = self.exchange.now_ms();
        if now.saturating_sub(request.created_at) >= self.waiting_time_ms {
            return refused(request, Cause::Expired, "it is older than anybody waits");
        }
        if request.created_at.saturating_sub(now) >= self.waiting_time_ms {
            // It would outlive every other one (FWD-D09).
            return refused(request, Cause::InvalidRequest, "it comes from the future");
        }
        Ok(Some(request))
    }

    fn decide(&self, place: &Place<'_>, request: &ForwardedRequest, roles: ServingRoles<'_>) {
        self.warn_of_relays(place.own_id, request);
        let log = self.exchange.log();
        let judgement = guarded(|| roles.judge.judge(request)).unwrap_or_else(|error| {
            log.error(&format!("could not judge the request {}", request.id), Some(&error.message));
            Judgement { verdict: Verdict::Ask, grants: Vec::new(), policy_fault: None, facts_hold: false }
        });
        let line = |event| log.review(event, records::base(request, place.location));
        let decision = match &judgement.verdict {
            Verdict::Deny(decided_by) => {
                line("forwarded_permission.auto_denied");
                by_policy(false, decided_by.clone())
            }
            Verdict::Allow(decided_by) => {
                line("forwarded_permission.auto_approved");
                by_policy(true, decided_by.clone())
            }
            Verdict::Ask => {
                line("forwarded_permission.prompted");
                let (location, own_id) = (place.location.clone(), place.own_id.to_owned());
                self.state().asking = Some(Asking { location, own_id, request: request.clone() });
                let decision = self.ask(place, request, &judgement, roles);
                if self.state().asking.take().is_none() {
                    // The session ended meanwhile, and its end answered (RES-63).
                    return;
                }
                decision
            }
        };
        if self.claim_stands(place.location, &request.id) == Some(false) {
            self.withdrawn(place, request);
            return;
        }
        let decision = self.keep_for_session(place, request, &judgement, decision, roles);
        self.answer(place, request, &decision);
    }

    /// The child gave up, or ended: nobody waits, and nothing is stored (INBOX-020).
    pub(super) fn withdrawn(&self, place: &Place<'_>, request: &ForwardedRequest) {
        self.state().remember(&request.id);
        self.exchange.unsign(place.location, &request.id, self.owner);
        self.exchange.log().review("forwarded_permission.withdrawn", records::base(request, place.location));
    }

    fn ask(
        &self,
        place: &Place<'_>,
        request: &ForwardedRequest,
        judgement: &Judgement,
        roles: ServingRoles<'_>,
    ) -> PermissionPromptDecision {
        let answer = guarded(|| roles.escalator.escalate(&forwarded_details(request, judgement)));
        match answer {
            // Whatever was said after the session ended, nobody stands behind it (HARD-050).
            Ok(_) if !roles.session.is_open() => nobody(Cause::SessionEnded),
            Ok(decision) => decision,
            Err(error) => {
                let text = format!("could not ask about the request {} of {}", request.id, place.own_id);
                self.exchange.log().error(&text, Some(&error.message));
                nobody(Cause::ServingError)
            }
        }
    }

    /// INBOX-012, HARD-042: the wide scope is stored here and nowhere else, and only while the claim stands.
    fn keep_for_session(
        &self,
        place: &Place<'_>,
        request: &ForwardedRequest,
        judgement: &Judgement,
        decision: PermissionPromptDecision,
        roles: ServingRoles<'_>,
    ) -> PermissionPromptDecision {
        if decision.state != DecisionState::ApprovedForServingSession || !decision.is_approved() {
            return decision;
        }
        let decision = PermissionPromptDecision { state: DecisionState::Approved, ..decision };
        if judgement.grants.is_empty() {
            return decision;
        }
        if self.claim_stands(place.location, &request.id) != Some(true) {
            let text = format!("nothing is stored for {}, because its claim cannot be read", request.id);
            self.exchange.log().warning(&text, None);
            return decision;
        }
        if !roles.session.store_grants(&judgement.grants) {
            return nobody(Cause::SessionEnded);
        }
        for fields in records::recorded(request, place.location, &judgement.grants) {
            self.exchange.log().review("forwarded_permission.session_recorded", fields);
        }
        decision
    }

    /// INBOX-006: a request travels one hop; one that another session should have answered is served, with a word about it.
    fn warn_of_relays(&self, own_id: &str, request: &ForwardedRequest) {
        let parent = self.subagents.get(&request.requester_session_id).flatten();
        let parent = normalize_session_id(parent.as_deref());
        if parent.is_some_and(|parent| parent != own_id) {
            let text = format!("the request {} comes from a child of another session; asks travel one hop only", request.id);
            self.exchange.log().warning(&text, None);
        }
    }
}
