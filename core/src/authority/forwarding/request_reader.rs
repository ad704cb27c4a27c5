//! Bytes to a request (FWD-005). Never fails hard: any bytes are a request or a fault with a name.

use serde_json::{Map, Value};

use super::facts::AskFacts;
use super::message::{ForwardedRequest, LegacyApproval};
use super::reading::{MessageFault, MessageFaultKind, integer, object_of, optional_text, required_text};
use crate::authority::AskSource;

/// Reads a request. Unknown keys are ignored, of a key that stands twice the last counts, optional members that are malformed
/// are absent, each by itself. Facts that do not parse whole are absent (RES-55), grants too (HARD-042). Whether the id, the
/// address and the age are good is for the server to judge (RES-62).
///
/// ```
/// use portcullis_core::authority::forwarding::read_request;
/// let request = read_request(br#"{"id":"r","createdAt":1,"requesterSessionId":"c","targetSessionId":"p",
///     "requesterAgentName":"unknown","message":"Allow?"}"#).unwrap();
/// assert_eq!((request.id.as_str(), request.facts), ("r", None));
/// assert!(read_request(b"{").is_err());
/// ```
pub fn read_request(bytes: &[u8]) -> Result<ForwardedRequest, MessageFault> {
    let mut object = object_of(bytes)?;
    Ok(ForwardedRequest {
        id: required_text(&object, "id")?,
        created_at: object
            .get("createdAt")
            .and_then(integer)
            .ok_or_else(|| MessageFault::new(MessageFaultKind::Shape, "createdAt is no number"))?,
        requester_session_id: required_text(&object, "requesterSessionId")?,
        target_session_id: required_text(&object, "targetSessionId")?,
        requester_agent_name: required_text(&object, "requesterAgentName")?,
        message: required_text(&object, "message")?,
        source: optional_text(&object, "source").and_then(|word| AskSource::parse(&word)),
        surface: optional_text(&object, "surface"),
        value: optional_text(&object, "value"),
        session_approval: legacy_approval(&object),
        version: object.get("version").and_then(Value::as_u64),
        nonce: optional_text(&object, "nonce").filter(|nonce| is_nonce(nonce)),
        grants: object.get("grants").and_then(grants).unwrap_or_default(),
        facts: object.remove("facts").and_then(|facts| serde_json::from_value::<AskFacts>(facts).ok()),
    })
}

/// The shape of a nonce: 32 hexadecimal digits (5.5, 4).
pub fn is_nonce(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn legacy_approval(object: &Map<String, Value>) -> Option<LegacyApproval> {
    let approval = object.get("sessionApproval")?.as_object()?;
    let surface = approval.get("surface")?.as_str().filter(|surface| !surface.is_empty())?.to_owned();
    let patterns = approval.get("patterns")?.as_array()?.iter().map(|pattern| pattern.as_str().map(str::to_owned));
    Some(LegacyApproval { surface, patterns: patterns.collect::<Option<_>>()? })
}

/// All pairs or none: a part of a suggestion would be another suggestion.
fn grants(value: &Value) -> Option<Vec<(String, String)>> {
    value.as_array()?.iter().map(pair).collect()
}

fn pair(value: &Value) -> Option<(String, String)> {
    match value.as_array()?.as_slice() {
        [surface, pattern] => Some((surface.as_str()?.to_owned(), pattern.as_str()?.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
