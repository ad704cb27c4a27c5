//! The three broadcasts and their payloads (EVT-001 to EVT-004, AUTH-013, AUTH-014).
//!
//! They carry the minimum (HARD-053, RES-42): never units, aliases or facts. Values are raw but masked (RES-41): whoever listens
//! may want to compare them, and the bus is no place for credentials.

use serde_json::{Map, Value, json};

use super::decision::{DecidedByKind, PermissionDecisionEvent};
use super::masking::mask_text;
use crate::host::EventBus;
use crate::policy::Origin;

/// Announces a session's gate.
pub const READY_CHANNEL: &str = "permissions:ready";
/// Announces a dialog, immediately before it opens.
pub const UI_PROMPT_CHANNEL: &str = "permissions:ui_prompt";
/// Announces a decision.
pub const DECISION_CHANNEL: &str = "permissions:decision";

/// Who asks, on a forwarded ask.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requester<'a> {
    /// The asking agent.
    pub agent_name: Option<&'a str>,
    /// The asking session.
    pub session_id: Option<&'a str>,
}

/// An explicit surface and value, which win over everything else; `None` inside counts (EVT-003).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExplicitDisplay<'a> {
    /// The surface to show.
    pub surface: Option<&'a str>,
    /// The value to show.
    pub value: Option<&'a str>,
}

/// What P is made of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UiPromptFacts<'a> {
    /// The id of the ask (RES-37).
    pub request_id: &'a str,
    /// `tool_call`, `skill_input` or `skill_read`.
    pub source: &'a str,
    /// The explicit display pair, if the ask carries one.
    pub explicit: Option<ExplicitDisplay<'a>>,
    /// The asking agent.
    pub agent_name: Option<&'a str>,
    /// The escaped message, made of masked facts.
    pub message: &'a str,
    /// The invoked tool.
    pub tool_name: Option<&'a str>,
    /// The skill.
    pub skill_name: Option<&'a str>,
    /// The path.
    pub path: Option<&'a str>,
    /// The command.
    pub command: Option<&'a str>,
    /// The MCP target.
    pub target: Option<&'a str>,
    /// Who asks, when the ask was forwarded.
    pub forwarding: Option<Requester<'a>>,
}

impl<'a> UiPromptFacts<'a> {
    /// The surface that P shows (EVT-003): the explicit one, else `skill` for skill sources, else the tool.
    pub fn surface(&self) -> Option<&'a str> {
        match (self.explicit, self.source) {
            (Some(explicit), _) => explicit.surface,
            (None, "skill_input" | "skill_read") => Some("skill"),
            (None, _) => self.tool_name,
        }
    }

    /// The value that P shows (EVT-003): the explicit one, else the first that is present; an empty command is present.
    pub fn value(&self) -> Option<&'a str> {
        match self.explicit {
            Some(explicit) => explicit.value,
            None => self.command.or(self.path).or(self.target).or(self.skill_name).or(self.tool_name),
        }
    }
}

/// The payload of P; every member is present (EVT-002, AUTH-013).
pub fn ui_prompt_payload(facts: &UiPromptFacts<'_>) -> Value {
    json!({
        "requestId": facts.request_id,
        "source": facts.source,
        "surface": facts.surface(),
        "value": facts.value().map(mask_text),
        "agentName": facts.agent_name,
        "message": facts.message,
        "forwarding": facts.forwarding.as_ref().map(|requester| json!({
            "requesterAgentName": requester.agent_name,
            "requesterSessionId": requester.session_id,
        })),
    })
}

/// The event as it is sent: what was decided about, and the reason in it, masked (RES-41).
pub fn masked_decision(event: &PermissionDecisionEvent) -> PermissionDecisionEvent {
    let mut event = event.clone();
    event.value = mask_text(&event.value).into_owned();
    let masked = |text: &String| mask_text(text).into_owned();
    // What a person granted, here or in the serving session, may be the text of a whole command.
    let granted_here = event.origin == Some(Origin::Session);
    if granted_here {
        event.matched_pattern = event.matched_pattern.as_ref().map(masked);
    }
    if granted_here || event.decided_by.kind == DecidedByKind::SessionGrant {
        event.decided_by.pattern = event.decided_by.pattern.as_ref().map(masked);
    }
    event.decided_by.reason = event.decided_by.reason.as_ref().map(masked);
    event
}

/// The payload of E (EVT-004).
pub fn decision_payload(event: &PermissionDecisionEvent) -> Value {
    serde_json::to_value(masked_decision(event)).unwrap_or_else(|_| Value::Object(Map::new()))
}

/// The payload of `permissions:ready` (EVT-001, RES-64): which session it is, and whether it answers asks.
pub fn ready_payload(session_id: Option<&str>, adjudicates: bool) -> Value {
    json!({ "sessionId": session_id, "adjudicates": adjudicates })
}

/// Sends; a failing bus or listener changes nothing (AUTH-014).
pub fn broadcast(bus: &dyn EventBus, channel: &str, payload: &Value) {
    // Best effort by requirement: there is nobody to tell who is not on the bus.
    let _ = bus.emit(channel, payload);
}

#[cfg(test)]
mod tests;
