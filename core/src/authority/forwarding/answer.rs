//! What a response means to the session that asked (RES-61, HARD-048): whether it answers this very question, and who decided.

use super::location::normalize_session_id;
use super::message::ForwardedResponse;
use super::response_reader::read_response;
use crate::authority::{DecisionState, DialogAnswer, PermissionPromptDecision};
use crate::report::{Cause, DecidedBy, DecidedByKind, DecidedWhere};

/// What the answer has to fit.
pub(super) struct Expected<'a> {
    /// The request's nonce.
    pub(super) nonce: &'a str,
    /// Whom the request was put to.
    pub(super) target: &'a str,
}

/// A response that may be believed, and what it decides.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    /// As it was read.
    pub(super) response: ForwardedResponse,
    /// What it decides.
    pub(super) decision: PermissionPromptDecision,
}

/// Reads an answer; the fault is for people. A forged file is no answer: the nonce has to be the request's, the responder the
/// target, and who decided has to fit what was decided.
pub(super) fn read_answer(bytes: &[u8], now_ms: u64, expected: &Expected<'_>) -> Result<Answer, String> {
    let response = read_response(bytes, now_ms).map_err(|fault| fault.to_string())?;
    if response.nonce.as_deref() != Some(expected.nonce) {
        return Err("the response does not echo the nonce of the request".to_owned());
    }
    if normalize_session_id(Some(&response.responder_session_id)) != normalize_session_id(Some(expected.target)) {
        return Err("the responder is not the session that was asked".to_owned());
    }
    let decision = decide(&response).ok_or("what was decided does not fit who decided")?;
    Ok(Answer { response, decision })
}

/// The decision, made elsewhere. `None` when it could not have been made by who is named.
fn decide(response: &ForwardedResponse) -> Option<PermissionPromptDecision> {
    use DecidedByKind as Kind;
    let named = response.decided_by.clone().unwrap_or_else(|| DecidedBy::own(Kind::User));
    let by = DecidedBy { where_: DecidedWhere::Serving, ..named };
    let state = response.state;
    match by.kind {
        Kind::User => Some(by_person(response, by)),
        // What a machine decided holds for this call only.
        Kind::Rule | Kind::Link if state != DecisionState::ApprovedForSession => Some(by_machine(state, by)),
        Kind::SessionGrant | Kind::PermissiveMode if state == DecisionState::Approved => Some(by_machine(state, by)),
        Kind::Nobody | Kind::Transport | Kind::GateError | Kind::InvalidCall if !state.is_approved() => Some(by_nobody(by)),
        _ => None,
    }
}

fn by_person(response: &ForwardedResponse, by: DecidedBy) -> PermissionPromptDecision {
    let dialog = match response.state {
        DecisionState::Denied | DecisionState::DeniedWithReason => {
            let reason = response.denial_reason.as_deref().filter(|_| response.state == DecisionState::DeniedWithReason);
            DialogAnswer::denied(reason.unwrap_or_default())
        }
        yes => DialogAnswer::plain(yes),
    };
    let decision = dialog.into_decision();
    let decided_by = DecidedBy { reason: decision.denial_reason.clone(), pattern: None, cause: None, ..by };
    PermissionPromptDecision { decided_by, ..decision }
}

fn by_machine(state: DecisionState, by: DecidedBy) -> PermissionPromptDecision {
    // The reason of a rule or a link is theirs; a denied state with a reason is a person's.
    let state = if state.is_approved() { DecisionState::Approved } else { DecisionState::Denied };
    decision(state, false, DecidedBy { cause: None, ..by })
}

fn by_nobody(by: DecidedBy) -> PermissionPromptDecision {
    let cause = by.cause.unwrap_or(Cause::ServingError);
    decision(DecisionState::Denied, true, DecidedBy { cause: Some(cause), ..by })
}

fn decision(state: DecisionState, confirmation_unavailable: bool, decided_by: DecidedBy) -> PermissionPromptDecision {
    PermissionPromptDecision { state, both_directions: false, denial_reason: None, confirmation_unavailable, decided_by }
}

#[cfg(test)]
mod tests;
