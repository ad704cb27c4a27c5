//! The two events by which a parent learns of its children (SUB-007, SUB-008). Handling is synchronous: the entry is there when
//! the call returns, for the child binds right after.

use serde_json::Value;

use super::subagents::SubagentRegistry;

/// A child session was created: `{sessionId, parentSessionId?}`.
pub const CHILD_CREATED_CHANNEL: &str = "subagents:child:session-created";

/// A child session is gone: `{sessionId}`.
pub const CHILD_DISPOSED_CHANNEL: &str = "subagents:child:disposed";

/// Registers the child that the payload names. One without a usable id names none; a parent that is no text is unknown.
pub fn register_child(registry: &SubagentRegistry, payload: &Value) {
    if let Some(child) = text(payload, "sessionId") {
        registry.register(child, text(payload, "parentSessionId"));
    }
}

/// Forgets the child that the payload names.
pub fn forget_child(registry: &SubagentRegistry, payload: &Value) {
    if let Some(child) = text(payload, "sessionId") {
        registry.unregister(child);
    }
}

fn text<'a>(payload: &'a Value, key: &str) -> Option<&'a str> {
    payload.get(key).and_then(Value::as_str)
}

#[cfg(test)]
mod tests;
