//! One run of the suite beside others: areas by implementation, and the rows that do not end alike.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Aspect;
use super::transcript::{Looks, transcript};
use crate::implementation::{Factory, Hello, Refusal};
use crate::results::Score;
use crate::run::{RowResult, Verdict};
use crate::scenario::{Level, Scenario};

/// What several implementations made of the same rows.
#[derive(Debug)]
pub struct Suite {
    /// The implementations.
    pub hellos: Vec<Hello>,
    /// The results of each, in the order of the rows.
    pub results: Vec<Vec<RowResult>>,
}

/// A row that two implementations do not end alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Disagreement {
    /// Name of the row.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Its file and line.
    pub origin: crate::scenario::Origin,
    /// Its level.
    pub level: Level,
    /// In what they part: what is not as expected on those that do not pass.
    pub aspects: Vec<Aspect>,
    /// Each side, in the order of the implementations.
    pub sides: Vec<SideResult>,
}

/// How one implementation ended a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SideResult {
    /// `passed`, `failed`, `errored`, `skipped`, `not run`.
    pub outcome: &'static str,
    /// What decided the last call, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// What was not as expected, or why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Its explanation of the step on which they part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

impl Suite {
    /// One line an area and level: the area, the level, a cell for each implementation.
    pub fn areas(&self) -> Vec<Vec<String>> {
        let mut scores: BTreeMap<(String, bool), Vec<Score>> = BTreeMap::new();
        for (side, results) in self.results.iter().enumerate() {
            for row in results {
                let key = (row.origin.area().to_owned(), row.level == Level::Hardened);
                let sides = scores.entry(key).or_insert_with(|| vec![Score::default(); self.results.len()]);
                if let Some(score) = sides.get_mut(side) {
                    score.add(&row.verdict);
                }
            }
        }
        let line = |((area, hardened), sides): ((String, bool), Vec<Score>)| {
            let level = if hardened { Level::Hardened } else { Level::Baseline };
            [area, level.to_string()].into_iter().chain(sides.into_iter().map(Score::cell)).collect()
        };
        scores.into_iter().map(line).collect()
    }
}

/// The rows that do not end alike; one that somebody skips says nothing about that one. Each side is played again for its explanation.
pub fn disagreements(suite: &Suite, scenarios: &[Scenario], factories: &[Box<dyn Factory>]) -> Result<Vec<Disagreement>, String> {
    let mut gates = factories.iter().map(|factory| factory.start()).collect::<Result<Vec<_>, _>>()?;
    let mut all = Vec::new();
    for (index, scenario) in scenarios.iter().enumerate() {
        let rows: Vec<&RowResult> = suite.results.iter().filter_map(|results| results.get(index)).collect();
        if !disagree(&rows) {
            continue;
        }
        let failed_step = rows.iter().find_map(|row| match &row.verdict {
            Verdict::Failed { failure } => Some(failure.step),
            _ => None,
        });
        let mut sides = Vec::new();
        for ((row, gate), factory) in rows.iter().zip(&mut gates).zip(factories) {
            let (mut trace, mut why) = (None, None);
            match &row.verdict {
                Verdict::Failed { failure } => {
                    let said =
                        failure.mismatches.iter().map(|one| format!("{}: expected {}, got {}", one.what, one.expected, one.got));
                    why = Some(format!("step {}, {}", failure.step, said.collect::<Vec<_>>().join("; ")));
                    trace.clone_from(&failure.trace);
                }
                Verdict::Errored { message } => why = Some(message.clone()),
                Verdict::Skipped { reason } => why = Some(reason.clone()),
                Verdict::Passed => match transcript(scenario, gate.as_mut(), Looks::Answers) {
                    Ok(seen) => {
                        let step = failed_step.and_then(|step| seen.get(step.saturating_sub(1))).or(seen.last());
                        trace = step.and_then(|seen| seen.answer.trace_text());
                    }
                    Err(Refusal::Skip(_)) => {}
                    Err(Refusal::Error(_)) => *gate = factory.start()?,
                },
                Verdict::NotRun => {}
            }
            sides.push(SideResult { outcome: row.verdict.word(), decided: row.decided.clone(), why, trace });
        }
        all.push(Disagreement {
            name: scenario.name.clone(),
            title: scenario.title.clone(),
            origin: scenario.origin(),
            level: scenario.level,
            aspects: aspects(&rows),
            sides,
        });
    }
    Ok(all)
}

fn aspects(rows: &[&RowResult]) -> Vec<Aspect> {
    let of = |row: &&RowResult| match &row.verdict {
        Verdict::Failed { failure } => failure.mismatches.iter().map(|one| Aspect::of(&one.what)).collect(),
        Verdict::Errored { .. } => vec![Aspect::Silence],
        _ => Vec::new(),
    };
    let all: BTreeSet<Aspect> = rows.iter().flat_map(of).collect();
    all.into_iter().collect()
}

fn disagree(rows: &[&RowResult]) -> bool {
    let mut played = rows.iter().filter(|row| !matches!(row.verdict, Verdict::Skipped { .. } | Verdict::NotRun));
    let Some(first) = played.next() else { return false };
    played.any(|row| row.verdict.word() != first.verdict.word())
}
