//! Small builders that several gates share: fields of log lines, and the details of an ask.

use serde_json::Value;

use super::descriptor::{LogFields, ToolCallContext};
use crate::authority::{AskDetails, AskSource, GateSuggestion};
use crate::report::messages::{AskMessage, both_directions_label, session_label};

/// The fields that every R line of a tool gate begins with.
pub(crate) fn call_fields(context: &ToolCallContext, source: AskSource) -> LogFields {
    let mut fields = LogFields::new();
    put(&mut fields, "source", source.as_str());
    put(&mut fields, "toolCallId", &context.tool_call_id);
    put(&mut fields, "toolName", &context.tool_name);
    fields.insert("agentName".to_owned(), context.agent_name.as_deref().into());
    fields
}

/// Sets a text field.
pub(crate) fn put(fields: &mut LogFields, key: &str, text: &str) {
    fields.insert(key.to_owned(), Value::String(text.to_owned()));
}

/// Sets the field `message`, as records carry it (HARD-052).
pub(crate) fn put_message(fields: &mut LogFields, message: &AskMessage) {
    put(fields, "message", &message.record_message);
}

/// Sets a field of texts.
pub(crate) fn put_list(fields: &mut LogFields, key: &str, texts: impl IntoIterator<Item = String>) {
    fields.insert(key.to_owned(), texts.into_iter().collect());
}

/// The details of an ask of a tool gate; path, command and the like are still missing.
pub(crate) fn call_details(context: &ToolCallContext, source: AskSource, message: AskMessage) -> AskDetails {
    AskDetails {
        source,
        agent_name: context.agent_name.clone(),
        message: message.message,
        full_message: message.full_message,
        record_message: message.record_message,
        tool_call_id: Some(context.tool_call_id.clone()),
        tool_name: Some(context.tool_name.clone()),
        skill_name: None,
        path: None,
        command: None,
        target: None,
        tool_input_preview: None,
        session_label: Some(session_label(&[])),
        both_directions_label: None,
        forwarding: None,
    }
}

/// Puts the labels of a suggestion into the details: they read exactly what is stored (HARD-041), the fifth option only
/// where a second width exists (RES-32).
pub(crate) fn label(mut details: AskDetails, suggestion: &GateSuggestion) -> AskDetails {
    details.session_label = Some(session_label(&suggestion.pairs));
    details.both_directions_label =
        (!suggestion.both_directions.is_empty()).then(|| both_directions_label(&suggestion.both_directions));
    details
}
