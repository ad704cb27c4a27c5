//! What the gate says, to agents and to people. One file a subject; the wording is decided here and nowhere else.
//!
//! Two kinds of text are kept apart. A *reason* goes back to the agent and from there into a transcript: it names what decided,
//! masked, escaped, 1,000 characters a fact, and echoes nothing else (RES-40, HARD-052). A *prompt* is for the person: it is
//! escaped but not masked, and no fact of the request is missing from it (HARD-053).

mod ask;
mod collation;
#[cfg(test)]
mod fixtures;
mod forwarded;
mod refusal;
mod registration;
mod session_labels;
mod sheet;
mod skill_notice;
mod words;

pub use ask::{
    AskFrame, AskingPath, AskingUnit, BashAsk, ask_bash, ask_bash_external_directory, ask_bash_path, ask_external_directory,
    ask_mcp, ask_path, ask_skill_input, ask_skill_read, ask_tool,
};
pub use forwarded::{ForwardedAsk, forwarded_ask};
pub use refusal::{
    Ruling, format_deny_reason, format_not_approved_reason, format_unavailable_reason, format_unavailable_reason_because,
    format_user_denied_reason, gate_error, invalid_call,
};
pub use registration::{missing_tool_name, unknown_tool};
pub use session_labels::{
    both_directions_label, requester_scope_label, requester_session_label, serving_scope_label, session_label,
};
pub use sheet::AskMessage;
pub use skill_notice::format_skill_deny_notice;

/// The tag in front of every reason of the runner (MSG-007).
pub const EXTENSION_TAG: &str = "[pi-permission-system]";
