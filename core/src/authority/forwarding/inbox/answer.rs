//! Writing an answer, and what is done when it cannot be written (5.6, 7; INBOX-014, INBOX-015).

use super::super::location::InboxLocation;
use super::super::message::{FORWARDING_VERSION, ForwardedRequest, ForwardedResponse};
use super::state::Unwritten;
use super::{InboxServer, Place, records};
use crate::authority::{DecisionState, PermissionPromptDecision, unavailable};
use crate::report::{Cause, DecidedBy, DecidedByKind, DecidedWhere};

/// The decision when somebody could not be reached, or the request is none.
pub(super) fn nobody(cause: Cause) -> PermissionPromptDecision {
    let kind = if cause == Cause::SessionEnded { DecidedByKind::Nobody } else { DecidedByKind::Transport };
    unavailable(kind, cause)
}

/// The decision of a rule, a grant or the permissive mode of this session.
pub(super) fn by_policy(approved: bool, decided_by: DecidedBy) -> PermissionPromptDecision {
    PermissionPromptDecision {
        state: if approved { DecisionState::Approved } else { DecisionState::Denied },
        both_directions: false,
        denial_reason: None,
        confirmation_unavailable: false,
        decided_by,
    }
}

impl InboxServer {
    /// The response that carries a decision. `approved` and state fit, no internal state leaves the session, a reason only
    /// stands with its state (FWD-D07).
    pub(super) fn response(&self, own_id: &str, nonce: Option<&str>, decision: &PermissionPromptDecision) -> ForwardedResponse {
        let approved = decision.is_approved();
        let state = match decision.state {
            DecisionState::ApprovedForServingSession if approved => DecisionState::Approved,
            state if state.is_approved() && !approved => DecisionState::Denied,
            DecisionState::DeniedWithReason if decision.denial_reason.is_none() => DecisionState::Denied,
            state => state,
        };
        ForwardedResponse {
            approved,
            state,
            denial_reason: decision.denial_reason.clone().filter(|_| state == DecisionState::DeniedWithReason),
            responder_session_id: own_id.to_owned(),
            responded_at: self.exchange.now_ms(),
            version: Some(FORWARDING_VERSION),
            nonce: nonce.map(str::to_owned),
            decided_by: Some(DecidedBy { where_: DecidedWhere::Serving, ..decision.decided_by.clone() }),
        }
    }

    /// R, then the response, then the end of the claim.
    pub(super) fn answer(&self, place: &Place<'_>, request: &ForwardedRequest, decision: &PermissionPromptDecision) {
        let response = self.response(place.own_id, request.nonce.as_deref(), decision);
        let event = if response.approved { "forwarded_permission.approved" } else { "forwarded_permission.denied" };
        self.exchange.log().review(event, records::closing(request, place.location, &response));
        self.write(place.location, &request.id, response);
    }

    /// RES-62: an answer that says why there is none. Without a readable request there is no nonce to echo.
    pub(super) fn refuse(&self, place: &Place<'_>, id: &str, request: Option<&ForwardedRequest>, cause: Cause, fault: &str) {
        let fields = records::refused(id, request, place.location, cause, fault);
        self.exchange.log().review("forwarded_permission.refused", fields);
        let nonce = request.and_then(|request| request.nonce.as_deref());
        self.write(place.location, id, self.response(place.own_id, nonce, &nobody(cause)));
    }

    fn write(&self, location: &InboxLocation, id: &str, response: ForwardedResponse) {
        self.state().remember(id);
        match self.exchange.write_response(location, id, &response) {
            Ok(()) => self.end_claim(location, id),
            Err(fault) => {
                let text = format!("could not write the response to {id}, it is tried once more");
                self.exchange.log().warning(&text, Some(&fault.message));
                self.state().unwritten.push(Unwritten { location: location.clone(), id: id.to_owned(), response });
            }
        }
    }

    /// Answers that could not be written once are written now, or their requests are set aside: nobody is asked again
    /// (FWD-D02).
    pub(super) fn write_again(&self) {
        let unwritten = std::mem::take(&mut self.state().unwritten);
        for Unwritten { location, id, response } in unwritten {
            if self.claim_stands(&location, &id) == Some(false) {
                // Nobody waits for it any more.
                self.exchange.unsign(&location, &id, self.owner);
                self.exchange.clean_up(&location);
                continue;
            }
            match self.exchange.write_response(&location, &id, &response) {
                Ok(()) => self.end_claim(&location, &id),
                Err(fault) => {
                    self.exchange.log().error(&format!("could not write the response to {id}"), Some(&fault.message));
                    self.exchange.unsign(&location, &id, self.owner);
                    if let Err(fault) = self.exchange.set_aside(&location, &id) {
                        let text = format!("could not set the request {id} aside");
                        self.exchange.log().warning(&text, Some(&fault.message));
                    }
                }
            }
            self.exchange.clean_up(&location);
        }
    }
}
