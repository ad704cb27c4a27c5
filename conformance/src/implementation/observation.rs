//! What could be seen of one step: the `step` answer of the protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis_core::report::{CallTrace, render_trace};
use portcullis_test_fixtures::LogLine;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What happened in one step, seen from outside. Absent members were not observed; lists that are empty stayed empty.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Observation {
    /// `allow`, `block`; `continue`, `handled`; `allow`, `ask`, `deny`; `error` when a handler threw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The reason of a block, or the text of an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<ObservedBy>,
    /// The questions to the person, in order.
    pub prompts: Vec<ObservedPrompt>,
    /// The notices to the person, in order.
    pub notifications: Vec<String>,
    /// The payloads of `permissions:decision`.
    pub decisions: Vec<Value>,
    /// The payloads of `permissions:ui_prompt`.
    pub ui_prompts: Vec<Value>,
    /// The lines of the review log.
    #[schemars(with = "Vec<Value>")]
    pub review_log: Vec<LogLine>,
    /// The lines of the debug log.
    #[schemars(with = "Vec<Value>")]
    pub debug_log: Vec<LogLine>,
    /// All grants after the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_rules: Option<Vec<ObservedGrant>>,
    /// The active tools after the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_tools: Option<Vec<String>>,
    /// The new system prompt, when one was returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// Status texts that were set (`null`: cleared), by key.
    pub status: BTreeMap<String, Option<String>>,
    /// Source of a query's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Pattern of a query's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Origin of a query's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The payloads of `permissions:ready`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ready: Vec<Value>,
    /// What could be seen in the other sessions of a world with several, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sessions: BTreeMap<String, Observation>,
    /// The messages that were put into the shared folders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<ObservedMessage>,
    /// Milliseconds since 1970 by the world's clock, after the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<u64>,
    /// Milliseconds by the world's clock that the step took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took: Option<u64>,
    /// What was raised beyond the package, from the trace.
    pub tightenings: Vec<ObservedTightening>,
    /// The explanation as a text, for failure reports.
    // One that is in this process writes it when it is asked for (`trace_text`): most are read by nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The explanation itself, of an implementation in this process; it does not cross the protocol.
    #[serde(skip)]
    pub explanation: Option<Arc<CallTrace>>,
}

/// What decided a call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ObservedBy {
    /// The gate, or the end outside the gates.
    pub gate: Option<String>,
    /// The surface.
    pub surface: Option<String>,
    /// The pattern of the rule, or the sentinel of a floor.
    pub rule: Option<String>,
    /// Who contributed it.
    pub origin: Option<String>,
    /// The kind of answer.
    pub source: Option<String>,
    /// The resolution.
    pub resolution: Option<String>,
    /// The value that was decided about.
    pub value: Option<String>,
}

impl Observation {
    /// The explanation as a text.
    pub fn trace_text(&self) -> Option<String> {
        self.trace.clone().or_else(|| self.explanation.as_deref().map(render_trace))
    }

    /// Writes the explanations of all sessions as texts, for whoever sees nothing else.
    pub fn write_traces(&mut self) {
        self.trace = self.trace_text();
        // Those of other sessions hold no sessions.
        self.sessions.values_mut().for_each(|seen| seen.trace = seen.trace_text());
    }

    /// What decided, in a few words for people: outcome, gate, rule, surface, origin. `None` when nothing was decided.
    pub fn decided(&self) -> Option<String> {
        let (outcome, by) = (self.outcome.as_deref()?, self.by.as_ref()?);
        let mut text = outcome.to_owned();
        if let Some(gate) = &by.gate {
            text.push_str(&format!(" by {gate}"));
        }
        match (&by.rule, &by.surface) {
            (Some(rule), Some(surface)) => text.push_str(&format!(": '{rule}' on {surface}")),
            (None, Some(surface)) => text.push_str(&format!(": no rule on {surface}")),
            _ => {}
        }
        if let Some(origin) = &by.origin {
            text.push_str(&format!(", {origin}"));
        }
        Some(text)
    }
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ObservedPrompt {
    /// Surface of the prompt event.
    pub surface: Option<String>,
    /// Value of the prompt event.
    pub value: Option<String>,
    /// Surface of the decision that followed; absent after an error.
    pub asks_on: Option<String>,
    /// What the dialog shows, its heading included.
    pub message: String,
    /// The complete view behind it, when there is one (HARD-053).
    pub full_message: String,
    /// The labels of the options, in order.
    pub options: Vec<String>,
    /// The label of the "for this session" option.
    pub session_label: Option<String>,
}

/// One message between two sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservedMessage {
    /// `request` or `response`.
    pub kind: String,
    /// Its file.
    pub path: String,
    /// The whole message.
    pub body: Value,
}

/// One grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservedGrant {
    /// Surface.
    pub surface: String,
    /// Pattern.
    pub pattern: String,
}

/// One step beyond the package that raised a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObservedTightening {
    /// The requirement behind it.
    pub requirement: String,
    /// The verdict without it.
    pub before: String,
    /// The verdict with it.
    pub after: String,
    /// What it concerned.
    pub subject: String,
    /// Whether the call as a whole came out otherwise because of it.
    pub changed_call: bool,
}
