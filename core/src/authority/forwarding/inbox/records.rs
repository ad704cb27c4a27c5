//! The review lines of the serving side (INBOX-021).

use serde_json::{Map, Value, json};

use super::super::location::{InboxLocation, LOCATION_LABEL};
use super::super::message::{ForwardedRequest, ForwardedResponse};
use crate::report::Cause;

/// The fields that every line about a request begins with.
pub(super) fn base(request: &ForwardedRequest, location: &InboxLocation) -> Map<String, Value> {
    let mut fields = identity(request);
    fields.insert("requestPath".to_owned(), json!(location.request_file(&request.id)));
    fields
}

fn identity(request: &ForwardedRequest) -> Map<String, Value> {
    let texts = [
        ("requestId", request.id.as_str()),
        ("source", LOCATION_LABEL),
        ("requesterAgentName", &request.requester_agent_name),
        ("requesterSessionId", &request.requester_session_id),
        ("targetSessionId", &request.target_session_id),
    ];
    texts.into_iter().map(|(key, text)| (key.to_owned(), text.into())).collect()
}

/// `approved` or `denied`: the final state and who decided, before the response is written.
pub(super) fn closing(request: &ForwardedRequest, location: &InboxLocation, response: &ForwardedResponse) -> Map<String, Value> {
    let mut fields = identity(request);
    fields.insert("responsePath".to_owned(), json!(location.response_file(&request.id)));
    fields.insert("resolution".to_owned(), json!(response.state));
    fields.insert("denialReason".to_owned(), json!(response.denial_reason));
    fields.insert("decidedBy".to_owned(), json!(response.decided_by));
    fields
}

/// `session_recorded`, a line for each surface (INBOX-012).
pub(super) fn recorded(
    request: &ForwardedRequest,
    location: &InboxLocation,
    pairs: &[(String, String)],
) -> Vec<Map<String, Value>> {
    let groups = pairs.chunk_by(|one, next| one.0 == next.0);
    groups
        .filter_map(|group| {
            let (surface, _) = group.first()?;
            let mut fields = base(request, location);
            fields.insert("surface".to_owned(), json!(surface));
            fields.insert("patterns".to_owned(), group.iter().map(|(_, pattern)| pattern.as_str()).collect());
            Some(fields)
        })
        .collect()
}

/// `refused` (RES-62). What could not be read of the request is null.
pub(super) fn refused(
    id: &str,
    request: Option<&ForwardedRequest>,
    location: &InboxLocation,
    cause: Cause,
    fault: &str,
) -> Map<String, Value> {
    let mut fields = match request {
        Some(request) => identity(request),
        None => ["source", "requesterAgentName", "requesterSessionId", "targetSessionId"]
            .into_iter()
            .map(|key| (key.to_owned(), if key == "source" { LOCATION_LABEL.into() } else { Value::Null }))
            .collect(),
    };
    // The file's stem is the id under which an answer would be found, whatever the content calls itself.
    fields.insert("requestId".to_owned(), json!(id));
    fields.insert("requestPath".to_owned(), json!(location.request_file(id)));
    fields.insert("cause".to_owned(), json!(cause));
    fields.insert("fault".to_owned(), json!(fault));
    fields
}
