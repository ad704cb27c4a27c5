//! The first test of a policy (docs/guide/test.md): one row a rule, with a value that the rule matches, and with what the reference
//! says of it. A person looks through the rows afterwards; this only saves the typing.
//!
//! Nothing is decided here: [`Judge`] decides, and what stands in a row is read off its trace.

mod probe;
mod text;

use std::fs;
use std::path::Path;

use portcullis_core::policy::{PolicySnapshot, Rule};
use portcullis_core::report::{CallTrace, GateTrace};

use crate::explain::deciding_gate;
use crate::own_policy::{Judge, JudgeOptions, Judgement, PolicySource, Verdict};
use probe::Probe;

/// The text of a first test, and what a person should know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstTest {
    /// The scenario file.
    pub text: String,
    /// Its rows.
    pub rows: usize,
    /// Rules for which no value was found that they win for, in words with their lines.
    pub undecided: Vec<String>,
    /// Faults of the policy file, a line each.
    pub issues: Vec<String>,
}

/// One row.
struct Row {
    probe: Probe,
    verdict: Verdict,
    gate: String,
    pattern: Option<String>,
    /// The rule for which it was made, in words, and what is to be known when it does not decide.
    about: String,
}

/// Writes the first test of a policy file. `shown` is the file's name seen from the test, `name` what the test is called.
pub fn first_test(policy: &Path, shown: &str, name: &str) -> Result<FirstTest, String> {
    let world = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    // The places of a scenario's world (docs/scenarios.md).
    let home = world.path().join("home");
    let cwd = home.join("work/app");
    fs::create_dir_all(&cwd).map_err(|error| format!("no temporary folder: {error}"))?;
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or("a temporary folder whose name is no UTF-8");
    let judge = Judge::new(JudgeOptions::new(PolicySource::global(policy), text(&cwd)?, text(&home)?));
    let snapshot = judge.policy();
    let mut undecided = Vec::new();
    let mut rows = Vec::new();
    for rule in rules(&snapshot) {
        let (row, rank) = row(&judge, &rule)?;
        if rank == 0 {
            undecided.push(rule.words.clone());
        }
        rows.push(row);
    }
    let issues = snapshot.issues.iter().map(|issue| issue.to_string().replace(&*issue.file, judge.shown(&issue.file))).collect();
    Ok(FirstTest { text: text::render(shown, name, &rows), rows: rows.len(), undecided, issues })
}

/// The rules of the file in its order, the universal default first.
fn rules(snapshot: &PolicySnapshot) -> Vec<RuleOfFile> {
    let mut rules = Vec::new();
    for scope in &snapshot.scopes {
        if let Some((state, location)) = &scope.default {
            let line = location.line;
            rules.push(RuleOfFile {
                surface: "*".into(),
                pattern: "*".into(),
                line,
                words: format!("line {line}: {state}, the default"),
            });
        }
        rules.extend(scope.rules.iter().map(RuleOfFile::of));
    }
    rules
}

/// A rule, as far as a row needs it.
struct RuleOfFile {
    surface: String,
    pattern: String,
    line: u32,
    words: String,
}

impl RuleOfFile {
    fn of(rule: &Rule) -> Self {
        let line = rule.location.as_ref().map_or(0, |place| place.line);
        let words = format!("line {line}: {} '{}' on {}", rule.action, rule.pattern, rule.surface);
        Self { surface: rule.surface.to_string(), pattern: rule.pattern.to_string(), line, words }
    }

    fn is(&self, other: &Rule) -> bool {
        other.location.as_ref().is_some_and(|place| place.line == self.line)
            && *other.pattern == *self.pattern
            && *other.surface == *self.surface
    }
}

/// The row of a rule: the first value that the rule decides; else the first that it wins for; else the first.
fn row(judge: &Judge, rule: &RuleOfFile) -> Result<(Row, u8), String> {
    let mut best: Option<(u8, Probe, Judgement)> = None;
    for probe in probe::probes(&rule.surface, &rule.pattern) {
        let judgement = judge.judge(&probe.call()?)?;
        let rank = rank(rule, &judgement);
        if best.as_ref().is_none_or(|(known, ..)| rank > *known) {
            best = Some((rank, probe, judgement));
        }
        if rank == DECIDES {
            break;
        }
    }
    let (rank, probe, judgement) = best.ok_or_else(|| format!("no value for {}", rule.words))?;
    let gate = deciding_gate(&judgement);
    let more = match rank {
        0 => " (another rule wins)",
        DECIDES => "",
        _ => " (wins; another gate has the last word)",
    };
    let row = Row {
        probe,
        verdict: judgement.verdict,
        gate: gate.map_or_else(|| judgement.trace.end.gate.clone(), |gate| gate.gate.clone()),
        pattern: gate.and_then(|gate| gate.decision.as_ref()).and_then(|decision| decision.matched_pattern.clone()),
        about: format!("{}{more}", rule.words),
    };
    Ok((row, rank))
}

const DECIDES: u8 = 2;

fn rank(rule: &RuleOfFile, judgement: &Judgement) -> u8 {
    let winner = deciding_gate(judgement).and_then(GateTrace::deciding).and_then(|question| question.winner.as_ref());
    if winner.is_some_and(|winner| rule.is(winner)) {
        return DECIDES;
    }
    u8::from(wins(rule, &judgement.trace))
}

fn wins(rule: &RuleOfFile, trace: &CallTrace) -> bool {
    trace
        .gates
        .iter()
        .flat_map(|gate| &gate.questions)
        .filter_map(|question| question.winner.as_ref())
        .any(|winner| rule.is(winner))
}

#[cfg(test)]
mod tests;
