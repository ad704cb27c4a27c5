//! What may differ between two gates, and what a difference is.

use portcullis_core::report::CallTrace;
use serde::Serialize;

use super::Aspect;
use super::transcript::{SeenStep, Transcript, bare};
use crate::implementation::Observation;
use crate::own_policy::Verdict;
use crate::scenario::Scenario;

/// How the first gate may stand to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The same in everything that can be seen.
    Equality,
    /// Never milder; stricter only where the first gate names the requirement behind it.
    Refinement,
}

impl Relation {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equality => "equality",
            Self::Refinement => "refinement",
        }
    }
}

/// In which way two gates differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The first gate is milder.
    Milder,
    /// The first gate is stricter.
    Stricter,
    /// The verdict is the same, something else is not.
    Otherwise,
}

/// What one gate said of a step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// The verdict.
    pub verdict: Verdict,
    /// What decided, in words.
    pub decided: Option<String>,
    /// The pattern of the rule that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The pattern of the configured rule, where a grant, a floor or a broken dialog decided above it; of a gate that shows no
    /// explanation, of the rule that decided.
    #[serde(skip)]
    pub beneath: Option<String>,
    /// Its explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

impl Side {
    pub(super) fn of(seen: &Observation) -> Self {
        let rule = seen.by.as_ref().and_then(|by| by.rule.clone());
        let beneath = seen.explanation.as_deref().and_then(configured).or_else(|| rule.clone());
        Self { verdict: verdict(seen), decided: seen.decided(), rule, beneath, trace: seen.trace_text() }
    }
}

/// The configured rule of the gate that ended the call; of the one that asked, where the dialog broke and no gate did.
fn configured(trace: &CallTrace) -> Option<String> {
    let gate = trace.ended_by().or_else(|| trace.gates.iter().rfind(|gate| gate.ask.is_some()))?;
    Some(gate.deciding()?.winner.as_ref()?.pattern.to_string())
}

/// A step on which two gates differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Counted from 1.
    pub step: usize,
    /// What it does.
    pub action: String,
    /// In which way.
    pub kind: Kind,
    /// The first gate.
    pub ours: Side,
    /// The second gate.
    pub theirs: Side,
    /// The requirements that explain it; none: nothing does.
    pub requirements: Vec<String>,
    /// For [`Kind::Otherwise`]: in what they part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aspect: Option<Aspect>,
    /// For [`Kind::Otherwise`]: the member that differs, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
}

impl Difference {
    /// What stays the same while a difference is made smaller.
    pub(super) fn mark(&self) -> (Kind, Option<Aspect>, Verdict, Verdict) {
        (self.kind, self.aspect, self.ours.verdict, self.theirs.verdict)
    }
}

/// The verdict of a step as docs/spec/gate-cases.md ("How to compare") reads it.
pub fn verdict(seen: &Observation) -> Verdict {
    let blocked = matches!(seen.outcome.as_deref(), Some("block" | "handled" | "error" | "deny"));
    let resolution = |event: &serde_json::Value| event.get("resolution").and_then(serde_json::Value::as_str).map(str::to_owned);
    let unavailable = seen.decisions.iter().any(|event| resolution(event).as_deref() == Some("confirmation_unavailable"));
    let refused = seen.decisions.last().and_then(resolution).as_deref() == Some("policy_deny");
    if blocked && (refused || (seen.prompts.is_empty() && !unavailable)) {
        Verdict::Deny
    } else if !seen.prompts.is_empty() || unavailable || seen.outcome.as_deref() == Some("ask") {
        Verdict::Ask
    } else {
        Verdict::Allow
    }
}

/// All steps on which two gates differ, unexplained but for what the first one's own explanation names.
pub(super) fn differences(relation: Relation, scenario: &Scenario, ours: &Transcript, theirs: &Transcript) -> Vec<Difference> {
    let steps = scenario.steps.iter().zip(ours.iter().zip(theirs)).enumerate();
    let mut found: Vec<Difference> = Vec::new();
    for (index, (step, (first, second))) in steps {
        let (ours, theirs) = (Side::of(&first.answer), Side::of(&second.answer));
        let kind = match ours.verdict.cmp(&theirs.verdict) {
            std::cmp::Ordering::Less => Kind::Milder,
            std::cmp::Ordering::Greater => Kind::Stricter,
            std::cmp::Ordering::Equal => Kind::Otherwise,
        };
        let part = if kind == Kind::Otherwise { unequal(first, second) } else { None };
        if kind == Kind::Otherwise && (relation == Relation::Refinement || part.is_none()) {
            continue;
        }
        let (aspect, what) = part.unzip();
        let requirements = match relation {
            Relation::Refinement if kind == Kind::Stricter => named(&first.answer),
            _ => Vec::new(),
        };
        found.push(Difference { step: index + 1, action: step.action.summary(), kind, ours, theirs, requirements, aspect, what });
    }
    found
}

/// The requirements that a gate's own explanation names: those that changed the call, else any.
pub(super) fn named(seen: &Observation) -> Vec<String> {
    let of = |only: bool| seen.tightenings.iter().filter(move |one| !only || one.changed_call).map(|one| one.requirement.clone());
    let mut all: Vec<String> = of(true).collect();
    if all.is_empty() {
        all = of(false).collect();
    }
    // A call that ends at its shape was never judged: the end names the requirement itself.
    if all.is_empty() && seen.by.as_ref().is_some_and(|by| by.gate.as_deref() == Some("shape")) {
        all.push("HARD-063".into());
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The first member that is not the same.
fn unequal(ours: &SeenStep, theirs: &SeenStep) -> Option<(Aspect, String)> {
    let (ours, theirs) = (bare(ours), bare(theirs));
    let (ours, theirs) = (ours.as_object()?, theirs.as_object()?);
    let mut keys: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
    keys.dedup();
    let differs = keys.into_iter().find(|key| ours.get(*key) != theirs.get(*key))?;
    let shown = |value: Option<&serde_json::Value>| value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
    let what = format!("{differs}: {} and {}", shown(ours.get(differs)), shown(theirs.get(differs)));
    Some((Aspect::of(differs), what))
}
