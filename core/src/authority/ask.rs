//! What is asked, and what a yes for the session would store.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::policy::words;

words! {
    /// What an ask is about.
    AskSource {
        /// A tool call.
        ToolCall => "tool_call",
        /// A typed skill.
        SkillInput => "skill_input",
        /// A skill's file.
        SkillRead => "skill_read",
    }
}

/// What is asked, for the prompt, P and R (EVT-002, EVT-009, AUTH-013). Absent members are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct AskDetails {
    /// What the ask is about.
    pub source: AskSource,
    /// The active agent.
    pub agent_name: Option<String>,
    /// The message, escaped (RES-41). Long facts are abbreviated with a mark, none is left out (HARD-053).
    pub message: String,
    /// The same with every fact in full, for a host that shows it on request (HARD-053). Empty when `message` is already whole.
    pub full_message: String,
    /// The same for records: made of masked facts (HARD-052). Empty means that records mask `message` as it stands.
    pub record_message: String,
    /// The host's id of the call.
    pub tool_call_id: Option<String>,
    /// The invoked tool.
    pub tool_name: Option<String>,
    /// The skill.
    pub skill_name: Option<String>,
    /// The path as typed.
    pub path: Option<String>,
    /// The command (of gate 6: the deciding unit).
    pub command: Option<String>,
    /// The MCP target.
    pub target: Option<String>,
    /// The preview of the input.
    pub tool_input_preview: Option<String>,
    /// The label of the "for this session" option.
    pub session_label: Option<String>,
    /// Label of the fifth option (RES-32), when one is offered.
    pub both_directions_label: Option<String>,
    /// Who asks, when the ask came from another session.
    pub forwarding: Option<ForwardedFrom>,
}

/// The session that asks through this one, and what P shows of its ask (INBOX-010, AUTH-013).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForwardedFrom {
    /// The asking agent; `None` when the request named none.
    pub agent_name: Option<String>,
    /// The asking session; `None` when the request named none.
    pub session_id: Option<String>,
    /// The surface to show.
    pub surface: Option<String>,
    /// The value to show.
    pub value: Option<String>,
}

impl AskDetails {
    /// The message as R and P carry it (HARD-052).
    pub fn message_for_records(&self) -> &str {
        if self.record_message.is_empty() { &self.message } else { &self.record_message }
    }
}

/// What a yes for the session would store (RES-30): surface-pattern pairs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GateSuggestion {
    /// In the direction that was proven.
    pub pairs: Vec<(String, String)>,
    /// With the fifth option: the bare family.
    pub both_directions: Vec<(String, String)>,
}
