//! Plays a scenario without comparing anything, and keeps what was seen.

use serde_json::Value;

use crate::implementation::{Implementation, Observation, Refusal, Stage, StepRequest};
use crate::scenario::Scenario;

/// What was seen of each step. Paths of the world are places again, so that two worlds can be compared.
pub type Transcript = Vec<Observation>;

/// Plays all steps of a scenario that does not start its session itself. The world is gone when it returns.
pub fn transcript(scenario: &Scenario, implementation: &mut dyn Implementation) -> Result<Transcript, Refusal> {
    let cannot = |error: std::io::Error| Refusal::Error(format!("the world could not be built: {error}"));
    let mut stage = Stage::build(&scenario.given).map_err(cannot)?;
    implementation.begin(&stage.world(scenario))?;
    let seen = steps(scenario, &mut stage, implementation);
    match seen {
        Err(Refusal::Error(message)) => {
            implementation.end();
            Err(Refusal::Error(message))
        }
        other => implementation.finish().and(other),
    }
}

fn steps(scenario: &Scenario, stage: &mut Stage, implementation: &mut dyn Implementation) -> Result<Transcript, Refusal> {
    for start in stage.starts(scenario) {
        stage.note_time(implementation.step(&start)?.now);
    }
    for (tool, field) in &scenario.given.extractors {
        implementation.step(&StepRequest::RegisterExtractor { tool: tool.clone(), field: field.clone(), fails: None })?;
    }
    if let Some(request) = stage.implied_agent_start() {
        implementation.step(&request)?;
    }
    let mut all = Vec::new();
    for step in &scenario.steps {
        let request = stage.request(step).map_err(|error| Refusal::Error(format!("the world could not be changed: {error}")))?;
        let seen = implementation.step(&request)?;
        stage.note_time(seen.now);
        all.push(collapsed(&seen, stage)?);
    }
    Ok(all)
}

/// Real paths become places, in every member.
fn collapsed(seen: &Observation, stage: &Stage) -> Result<Observation, Refusal> {
    let text = serde_json::to_string(seen).map_err(|error| Refusal::Error(error.to_string()))?;
    serde_json::from_str(&stage.places().collapse(&text)).map_err(|error| Refusal::Error(error.to_string()))
}

/// An observation without what may differ from run to run, and from gate to gate: ids, times, and the explanation.
pub(super) fn bare(seen: &Observation) -> Value {
    let seen = Observation { trace: None, tightenings: Vec::new(), now: None, took: None, ready: Vec::new(), ..seen.clone() };
    let mut value = serde_json::to_value(seen).unwrap_or_default();
    let mut open = vec![&mut value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                for key in ["requestId", "timestamp", "createdAt", "debugLog"] {
                    members.shift_remove(key);
                }
                open.extend(members.values_mut());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    value
}

/// Whether two transcripts show the same, but for ids, times and explanations.
pub fn same(one: &Transcript, other: &Transcript) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| bare(one) == bare(other))
}
