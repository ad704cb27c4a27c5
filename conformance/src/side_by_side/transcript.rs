//! Plays a scenario without comparing anything, and keeps what was seen.

use std::io;

use serde_json::Value;

use crate::implementation::{Implementation, Observation, Ready, Refusal, Stage, StepRequest, World};
use crate::scenario::Scenario;

/// What was seen of each step. Paths of the world are places again, so that two worlds can be compared.
pub type Transcript = Vec<SeenStep>;

/// What was seen of a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SeenStep {
    /// What the gate answered, said and wrote into its logs.
    pub answer: Observation,
    /// Files that came or changed, when somebody looked.
    pub written: Vec<String>,
}

/// How closely one looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// At the verdict, what decided and the explanation; only these are made comparable.
    Answers,
    /// At all that the gate says, and at the files around it.
    Files,
}

/// Plays all steps of a scenario that does not start its session itself. The world is gone when it returns.
pub fn transcript(scenario: &Scenario, implementation: &mut dyn Implementation, looks: Looks) -> Result<Transcript, Refusal> {
    let Ready { mut stage, world } = built(Ready::build_for(implementation, scenario))?;
    let seen = played(scenario, &mut stage, &world, implementation, looks)?;
    collapsed(seen, &stage, looks)
}

/// A world, or why there is none.
pub(super) fn built(ready: io::Result<Ready>) -> Result<Ready, Refusal> {
    ready.map_err(|error| Refusal::Error(format!("the world could not be built: {error}")))
}

/// The same in a world that stands ready and stays. Paths of the world are still in what was seen.
pub(super) fn played(
    scenario: &Scenario,
    stage: &mut Stage,
    world: &World,
    implementation: &mut dyn Implementation,
    looks: Looks,
) -> Result<Transcript, Refusal> {
    implementation.begin(world)?;
    let seen = steps(scenario, stage, implementation, looks);
    match seen {
        Err(Refusal::Error(message)) => {
            implementation.end();
            Err(Refusal::Error(message))
        }
        other => implementation.finish().and(other),
    }
}

fn steps(
    scenario: &Scenario,
    stage: &mut Stage,
    implementation: &mut dyn Implementation,
    looks: Looks,
) -> Result<Transcript, Refusal> {
    let cannot = |error: io::Error| Refusal::Error(format!("the world could not be looked at: {error}"));
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
        let before = if looks == Looks::Files { Some(stage.inventory().map_err(cannot)?) } else { None };
        let answer = implementation.step(&request)?;
        stage.note_time(answer.now);
        let written = before.map(|before| stage.written(&before)).transpose().map_err(cannot)?.unwrap_or_default();
        all.push(SeenStep { answer, written });
    }
    Ok(all)
}

/// Real paths become places, wherever one looks.
pub(super) fn collapsed(mut seen: Transcript, stage: &Stage, looks: Looks) -> Result<Transcript, Refusal> {
    for step in &mut seen {
        step.answer.write_traces();
        for path in &mut step.written {
            *path = stage.places().collapse(path);
        }
        match looks {
            Looks::Files => step.answer = whole(&step.answer, stage)?,
            Looks::Answers => {
                let by = step.answer.by.as_mut().into_iter().flat_map(|by| [&mut by.surface, &mut by.rule, &mut by.origin]);
                for text in by.chain([&mut step.answer.trace]).flatten() {
                    *text = stage.places().collapse(text);
                }
            }
        }
    }
    Ok(seen)
}

/// In every member.
fn whole(seen: &Observation, stage: &Stage) -> Result<Observation, Refusal> {
    let text = serde_json::to_string(seen).map_err(|error| Refusal::Error(error.to_string()))?;
    serde_json::from_str(&stage.places().collapse(&text)).map_err(|error| Refusal::Error(error.to_string()))
}

/// An observation without what may differ from run to run, and from gate to gate: ids, times, and the explanation.
pub(super) fn bare(step: &SeenStep) -> Value {
    let seen = &step.answer;
    let seen = Observation { trace: None, tightenings: Vec::new(), now: None, took: None, ready: Vec::new(), ..seen.clone() };
    let mut value = serde_json::to_value(seen).unwrap_or_default();
    if let Some(members) = value.as_object_mut().filter(|_| !step.written.is_empty()) {
        members.insert("files written".into(), step.written.clone().into());
    }
    let mut open = vec![&mut value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                for key in ["requestId", "timestamp", "createdAt"] {
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
