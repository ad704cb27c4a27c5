//! Plays one scenario row.

use std::time::Instant;

use super::Options;
use super::details::{Details, PlayedStep};
use super::grounds::{AtOnce, Grounds};
use super::result::{RowResult, StepFailure, Verdict};
use crate::compare::{Mismatch, Witnessed, WitnessedExchange, compare};
use crate::implementation::{Hello, Implementation, Observation, Ready, Refusal, Stage, StepRequest};
use crate::scenario::{Action, Capability, Level, Scenario, Step};

/// Plays a row on an implementation. The world is removed before it returns.
pub fn play(scenario: &Scenario, implementation: &mut dyn Implementation) -> RowResult {
    play_on(scenario, implementation, Options::new(1), &mut AtOnce::default())
}

/// The same on grounds that last longer than one row: the world is left to them when that is safe.
pub(super) fn play_on(
    scenario: &Scenario,
    implementation: &mut dyn Implementation,
    options: Options,
    grounds: &mut (impl Grounds + ?Sized),
) -> RowResult {
    let started = Instant::now();
    let mut kept = Kept { decided: None, steps: options.details.then(Vec::new) };
    let verdict = verdict(scenario, implementation, &mut kept, grounds);
    let remarks = if verdict.is_bad() { implementation.remarks() } else { None };
    let Kept { decided, steps } = kept;
    let details = steps.map(|steps| Box::new(Details::new(scenario, steps)));
    RowResult { decided, remarks, details, ..RowResult::new(scenario, verdict, started.elapsed()) }
}

/// What is kept of a row beside its verdict.
struct Kept {
    /// What decided the last call.
    decided: Option<String>,
    /// The steps that were played, when somebody wants to see them.
    steps: Option<Vec<PlayedStep>>,
}

/// What an implementation does not do, and says so before anything is built.
pub(super) fn skipped(scenario: &Scenario, hello: &Hello) -> Option<Verdict> {
    let missing: Vec<&str> =
        scenario.needs.iter().filter(|need| !hello.capabilities.contains(need)).map(|need: &Capability| need.as_str()).collect();
    let reason = if !missing.is_empty() {
        format!("needs {}", missing.join(", "))
    } else if !hello.levels.contains(&scenario.level) {
        format!("does not claim the level {}", scenario.level)
    } else {
        return None;
    };
    Some(Verdict::Skipped { reason })
}

fn verdict(
    scenario: &Scenario,
    implementation: &mut dyn Implementation,
    kept: &mut Kept,
    grounds: &mut (impl Grounds + ?Sized),
) -> Verdict {
    if let Some(skipped) = skipped(scenario, &implementation.hello()) {
        return skipped;
    }
    let (mut stage, world) = match grounds.ready(scenario, implementation) {
        Ok(Ready { stage, world }) => (stage, world),
        Err(error) => return Verdict::Errored { message: format!("the world could not be built: {error}") },
    };
    let ended = match implementation.begin(&world) {
        Ok(()) => steps(scenario, implementation, &mut stage, kept),
        Err(refusal) => Err(refusal),
    };
    // One that broke has nothing more to say; one that breaks while it ends gave answers that nobody can trust.
    let finished = if matches!(ended, Err(Refusal::Error(_))) {
        implementation.end();
        Ok(())
    } else {
        implementation.finish()
    };
    // Whoever broke may still be writing into its world.
    let broke = matches!(ended, Err(Refusal::Error(_))) || finished.is_err();
    if !broke {
        grounds.leave(stage);
    }
    match (ended, finished) {
        (Err(Refusal::Error(message)), _) | (_, Err(Refusal::Error(message) | Refusal::Skip(message))) => {
            Verdict::Errored { message }
        }
        (Ok(None), Ok(())) => Verdict::Passed,
        (Ok(Some(failure)), Ok(())) => Verdict::Failed { failure: Box::new(failure) },
        (Err(Refusal::Skip(reason)), Ok(())) => Verdict::Skipped { reason },
    }
}

fn steps(
    scenario: &Scenario,
    implementation: &mut dyn Implementation,
    stage: &mut Stage,
    kept: &mut Kept,
) -> Result<Option<StepFailure>, Refusal> {
    let starts_itself = scenario.steps.first().is_some_and(|step| matches!(step.action, Action::SessionStart { .. }));
    if !starts_itself || !scenario.given.sessions.is_empty() {
        for start in stage.starts(scenario) {
            let seen = implementation.step(&start)?;
            stage.note_time(seen.now);
        }
        prepare(scenario, implementation, stage)?;
    }
    for (index, step) in scenario.steps.iter().enumerate() {
        if let Some(failure) = one(scenario, index, step, implementation, stage, kept)? {
            return Ok(Some(failure));
        }
        if index == 0 && starts_itself && scenario.given.sessions.is_empty() {
            prepare(scenario, implementation, stage)?;
        }
    }
    Ok(None)
}

/// What a world implies once its session has started.
fn prepare(scenario: &Scenario, implementation: &mut dyn Implementation, stage: &Stage) -> Result<(), Refusal> {
    for (tool, field) in &scenario.given.extractors {
        implementation.step(&StepRequest::RegisterExtractor { tool: tool.clone(), field: field.clone(), fails: None })?;
    }
    if let Some(request) = stage.implied_agent_start() {
        implementation.step(&request)?;
    }
    Ok(())
}

fn one(
    scenario: &Scenario,
    index: usize,
    step: &Step,
    implementation: &mut dyn Implementation,
    stage: &mut Stage,
    kept: &mut Kept,
) -> Result<Option<StepFailure>, Refusal> {
    let looks_at_files = step.expect.as_ref().is_some_and(|expect| expect.files_written.is_some());
    let cannot = |error: std::io::Error| Refusal::Error(format!("the world could not be changed: {error}"));
    let request = stage.request(step).map_err(cannot)?;
    let before = if looks_at_files { Some(stage.inventory().map_err(cannot)?) } else { None };
    let seen = implementation.step(&request)?;
    stage.note_time(seen.now);
    if let Some(what) = seen.decided() {
        kept.decided = Some(stage.places().collapse(&what));
    }
    if let Some(steps) = &mut kept.steps {
        steps.push(PlayedStep::new(step, &seen, stage.places()));
    }
    let mut witnessed = Witnessed::default();
    if let StepRequest::AgentStart { system_prompt, .. } = &request {
        witnessed.sent_prompt = Some(system_prompt.clone());
    }
    if !scenario.given.sessions.is_empty() {
        let (view, root) = (stage.look().map_err(cannot)?, stage.exchange());
        witnessed.exchange = Some(WitnessedExchange { view, root, tree: stage.tree() });
    }
    if let Some(before) = before {
        witnessed.files_written = Some(stage.written(&before).map_err(cannot)?);
    }
    let mut mismatches = match &step.expect {
        Some(expect) => compare(expect, &seen, &witnessed, stage.places()),
        None => Vec::new(),
    };
    mismatches.extend(level(scenario, &seen));
    mismatches.extend(threw(&seen));
    if mismatches.is_empty() {
        return Ok(None);
    }
    Ok(Some(StepFailure {
        step: index + 1,
        action: stage.places().collapse(&step.action.summary()),
        line: step.place.line,
        mismatches,
        trace: seen.trace_text().map(|trace| stage.places().collapse(&trace)),
    }))
}

/// A baseline scenario is one that the package passes too: nothing that only the reference does may have decided it (section 7).
fn level(scenario: &Scenario, seen: &Observation) -> Vec<Mismatch> {
    if scenario.level != Level::Baseline {
        return Vec::new();
    }
    let changed = seen.tightenings.iter().filter(|tightening| tightening.changed_call);
    changed
        .map(|tightening| Mismatch {
            what: "level".into(),
            expected: "baseline: decided by nothing that the npm package does not do".into(),
            got: format!(
                "{} raised {} to {} ({})",
                tightening.requirement, tightening.before, tightening.after, tightening.subject
            ),
        })
        .collect()
}

/// An implementation whose handler threw has no business passing, whatever is expected.
fn threw(seen: &Observation) -> Option<Mismatch> {
    let failed = |seen: &&Observation| seen.outcome.as_deref() == Some("error");
    let seen = std::iter::once(seen).chain(seen.sessions.values()).find(failed)?;
    Some(Mismatch {
        what: "outcome".into(),
        expected: "an answer".into(),
        got: format!("error: {}", seen.reason.as_deref().unwrap_or_default()),
    })
}
