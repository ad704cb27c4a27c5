//! Host events and session entries.

use serde_json::{Value, json};

/// A `tool_call` event as hosts send it (`makeToolCallEvent`).
///
/// ```
/// use portcullis_test_fixtures::tool_call_event;
/// use serde_json::json;
///
/// let event = tool_call_event("bash", json!({"command": "ls"}), "c1");
/// assert_eq!(event["toolName"], "bash");
/// assert_eq!(event["input"]["command"], "ls");
/// ```
pub fn tool_call_event(tool: &str, input: Value, id: &str) -> Value {
    json!({ "type": "tool_call", "toolName": tool, "toolCallId": id, "input": input })
}

/// The session entry that names the active agent; `None` is the null entry (HAND-016).
pub fn active_agent_entry(name: Option<&str>) -> Value {
    json!({ "type": "custom", "customType": "active_agent", "data": { "name": name } })
}
