//! Bytes to a response (FWD-006, FWD-D07). Never fails hard; what is doubtful is no response.

use serde_json::Value;

use super::message::ForwardedResponse;
use super::reading::{MessageFault, MessageFaultKind, integer, object_of, optional_text, required_text};
use super::request_reader::is_nonce;
use crate::authority::DecisionState;
use crate::report::{Cause, DecidedBy, DecidedByKind, DecidedWhere};

/// Reads a response. `approved` has to fit `state`, and the internal state is refused (FWD-D07). A missing `respondedAt` is now.
/// Whether it answers the question that was put (nonce, responder; FWD-D08) is for the asker to judge.
///
/// ```
/// use portcullis_core::authority::forwarding::read_response;
/// assert!(read_response(br#"{"approved":true,"state":"approved","responderSessionId":"p","respondedAt":1}"#, 5).is_ok());
/// assert!(read_response(br#"{"approved":true,"state":"denied","responderSessionId":"p","respondedAt":1}"#, 5).is_err());
/// ```
pub fn read_response(bytes: &[u8], now_ms: u64) -> Result<ForwardedResponse, MessageFault> {
    let object = object_of(bytes)?;
    let shape = |text: &str| MessageFault::new(MessageFaultKind::Shape, text);
    let approved = object.get("approved").and_then(Value::as_bool).ok_or_else(|| shape("approved is no boolean"))?;
    let state = DecisionState::parse(&required_text(&object, "state")?).ok_or_else(|| shape("state is no known word"))?;
    if state == DecisionState::ApprovedForServingSession {
        return Err(MessageFault::new(MessageFaultKind::Contradiction, "the state never travels"));
    }
    if approved != state.is_approved() {
        return Err(MessageFault::new(MessageFaultKind::Contradiction, "approved contradicts state"));
    }
    let decided_by = match object.get("decidedBy") {
        None | Some(Value::Null) => None,
        Some(value) => Some(decided_by(value).ok_or_else(|| shape("decidedBy is not understood"))?),
    };
    Ok(ForwardedResponse {
        approved,
        state,
        denial_reason: optional_text(&object, "denialReason"),
        responder_session_id: required_text(&object, "responderSessionId")?,
        responded_at: object.get("respondedAt").and_then(integer).unwrap_or(now_ms),
        version: object.get("version").and_then(Value::as_u64),
        nonce: optional_text(&object, "nonce").filter(|nonce| is_nonce(nonce)),
        decided_by,
    })
}

/// Who decided. An unknown kind is nobody that this session knows: it must not pass for a person (HARD-048).
fn decided_by(value: &Value) -> Option<DecidedBy> {
    let object = value.as_object()?;
    let word = |key: &str| object.get(key).and_then(Value::as_str);
    let text = |key: &str| word(key).map(str::to_owned);
    Some(DecidedBy {
        kind: DecidedByKind::parse(word("kind")?)?,
        where_: word("where").and_then(DecidedWhere::parse).unwrap_or(DecidedWhere::Serving),
        pattern: text("pattern"),
        reason: text("reason"),
        cause: word("cause").and_then(Cause::parse),
        name: text("name"),
    })
}

#[cfg(test)]
mod tests;
