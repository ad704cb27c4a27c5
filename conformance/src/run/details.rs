//! What was given, done and seen in a row: kept for reports that show it, and only when one was asked for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::implementation::{Observation, Places};
use crate::scenario::{Scenario, Step};

/// A row as it was written, and what could be seen of each step that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Details {
    /// Requirement ids.
    pub covers: Vec<String>,
    /// What an implementation must be able to do.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub needs: Vec<String>,
    /// A remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The world before the first step, as written.
    pub given: Value,
    /// All steps, as written, each with what is expected.
    pub steps: Vec<Value>,
    /// The steps that were played; fewer than there are when one failed.
    pub played: Vec<PlayedStep>,
}

/// A step that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayedStep {
    /// Line of the step in its file.
    pub line: usize,
    /// What it does, in short.
    pub action: String,
    /// What could be seen.
    pub seen: Value,
    /// The explanation, gate by gate; absent when the implementation gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Value>,
}

impl Details {
    pub(super) fn new(scenario: &Scenario, played: Vec<PlayedStep>) -> Self {
        let written = scenario.written.as_deref();
        let steps = written.map_or(Value::Null, |written| written.steps.to_json());
        Self {
            covers: scenario.covers.clone(),
            needs: scenario.needs.iter().map(|need| need.as_str().to_owned()).collect(),
            note: scenario.note.clone(),
            given: written.map_or(Value::Null, |written| written.given.to_json()),
            steps: if let Value::Array(steps) = steps { steps } else { Vec::new() },
            played,
        }
    }
}

impl PlayedStep {
    pub(super) fn new(step: &Step, seen: &Observation, places: &Places) -> Self {
        let mut trace = seen.explanation.as_deref().and_then(|trace| serde_json::to_value(trace).ok());
        let mut seen = serde_json::to_value(seen).unwrap_or_default();
        if let (Some(_), Some(members)) = (&trace, seen.as_object_mut()) {
            // The text is another view of it.
            members.remove("trace");
        }
        if let Some(snapshot) = trace.as_mut().and_then(|trace| trace.get_mut("snapshot")).and_then(Value::as_object_mut) {
            // Times and numbers of files: no two runs have the same.
            snapshot.remove("stamp");
        }
        for value in trace.iter_mut().chain([&mut seen]) {
            tidy(value, places);
        }
        Self { line: step.place.line, action: places.collapse(&step.action.summary()), seen, trace }
    }
}

/// Places instead of this machine's paths; members that say nothing go. No value is deeper than the parser of JSON lets through, or than
/// the core's own types.
fn tidy(value: &mut Value, places: &Places) {
    match value {
        Value::String(text) => *text = places.collapse(text),
        Value::Array(items) => items.iter_mut().for_each(|item| tidy(item, places)),
        Value::Object(members) => {
            members.retain(|_, member| !is_nothing(member));
            members.values_mut().for_each(|member| tidy(member, places));
        }
        _ => {}
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
