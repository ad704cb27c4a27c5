//! `portcullis explain`: what the gate says of one call, and why (docs/guide/explain.md).
//!
//! A view of the trace that the deciding walk made ([`CallTrace`]); nothing is matched here again.

mod snippet;
mod text;

use portcullis_core::policy::{FloorKind, Layer, QuestionStep, QuestionTrace, Rule};
use portcullis_core::report::{CallTrace, GateTrace};
use serde::Serialize;

use crate::own_policy::{Judge, Judgement, Verdict};
pub use snippet::Snippet;
pub use text::render;

/// The version of the JSON form.
pub const VERSION: u32 = 1;

/// The explanation of one call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Of this form.
    pub version: u32,
    /// The call in a few words.
    pub call: String,
    /// The answer in one word.
    pub verdict: Verdict,
    /// What decided.
    pub by: Decider,
    /// Whether somebody is there to be asked.
    #[serde(rename = "hasUi")]
    pub has_ui: bool,
    /// What a person would be asked, in order.
    pub prompts: Vec<Prompt>,
    /// Faults of the policy files, a line each.
    pub issues: Vec<String>,
    /// Gate by gate.
    pub trace: CallTrace,
}

/// What decided.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Decider {
    /// The gate, or the end outside of the gates.
    pub gate: String,
    /// The surface that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<String>,
    /// The unit, path or name that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What records name as the pattern: a floor's sentinel, a grant's, else that of a written rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The winning rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// What raised its answer: a floor's sentinel, the clamp, a protected path; or lowered it: a grant, the permissive mode.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<QuestionStep>,
    /// The rule in its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Snippet>,
}

/// One question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// The gate.
    pub gate: String,
    /// What it says.
    pub message: String,
    /// What a yes "for this session" would store: surface and pattern.
    pub grant: Vec<(String, String)>,
}

/// Explains a judgement.
pub fn explain(judge: &Judge, call: &str, judgement: Judgement) -> Explanation {
    let by = decider(&judgement.trace, judgement.verdict);
    let asked = judgement.trace.gates.iter().filter_map(|gate| Some((gate, gate.ask.as_ref()?)));
    let prompts = asked
        .map(|(gate, ask)| Prompt { gate: gate.gate.clone(), message: ask.message.clone(), grant: ask.suggestion.clone() })
        .collect();
    let issues = judge.policy().issues.iter().map(|issue| judge.renamed(issue)).collect();
    Explanation {
        version: VERSION,
        has_ui: judge.options().has_ui,
        call: call.to_owned(),
        verdict: judgement.verdict,
        by,
        prompts,
        issues,
        trace: judgement.trace,
    }
}

/// The gate that a verdict comes from: the first that asked; else the one that ended the call.
pub(crate) fn deciding_gate(judgement: &Judgement) -> Option<&GateTrace> {
    gate_behind(&judgement.trace, judgement.verdict)
}

/// The same of a call in any session.
pub(crate) fn gate_behind(trace: &CallTrace, verdict: Verdict) -> Option<&GateTrace> {
    match verdict {
        Verdict::Ask => trace.gates.iter().find(|gate| gate.ask.is_some()),
        Verdict::Allow | Verdict::Deny => trace.ended_by(),
    }
}

/// What decided a call, in whatever state its session is: the trace says it all.
pub(crate) fn decider(trace: &CallTrace, verdict: Verdict) -> Decider {
    match gate_behind(trace, verdict) {
        Some(gate) => Decider::behind(gate),
        None => Decider { gate: trace.end.gate.clone(), ..Decider::default() },
    }
}

impl Decider {
    /// What is behind the answer of a gate.
    pub(crate) fn behind(gate: &GateTrace) -> Self {
        let Some(question) = gate.deciding() else {
            return Self { gate: gate.gate.clone(), ..Self::default() };
        };
        let rule = question.winner.clone();
        let location = rule.as_ref().and_then(|rule| rule.location.as_ref());
        let snippet = location.and_then(|place| Snippet::read(&place.file, place.line, place.column));
        Self {
            gate: gate.gate.clone(),
            surface: Some(question.surface.clone()),
            value: question.winning_value.clone().or_else(|| question.values.first().cloned()),
            pattern: shown_pattern(question),
            rule,
            steps: question.steps.iter().filter(|step| !matches!(step, QuestionStep::Rules { .. })).cloned().collect(),
            snippet,
        }
    }
}

/// What records name as the pattern: the sentinel of a floor that stands, a grant's, else that of a written rule.
fn shown_pattern(question: &QuestionTrace) -> Option<String> {
    let by_step = question.steps.iter().rev().find_map(|step| match step {
        QuestionStep::Protected => Some(FloorKind::ProtectedPath.as_str().to_owned()),
        QuestionStep::Floor { sentinel, .. } => Some((*sentinel).to_owned()),
        QuestionStep::Grant { pattern } => Some(pattern.clone()),
        QuestionStep::Rules { .. } | QuestionStep::Clamp | QuestionStep::GrantRefused { .. } | QuestionStep::Permissive => None,
    });
    let written = question.winner.as_ref().filter(|rule| rule.layer == Layer::Config);
    by_step.or_else(|| written.map(|rule| rule.pattern.to_string()))
}

/// What a floor means, in words.
pub(crate) fn floor_words(sentinel: &str) -> &'static str {
    match FloorKind::parse(sentinel) {
        Some(FloorKind::UnparseableBashCommand) => "the line runs no command that could be judged",
        Some(FloorKind::OpaqueBashWrapper) => "its program arrives as data",
        Some(FloorKind::IndirectionBashWrapper) => "it runs another program",
        Some(FloorKind::UnparsedBashSubtree) => "a part of it was not understood",
        Some(FloorKind::DangerousBashOption) => "an option makes a writer or launcher of a reader",
        Some(FloorKind::LoaderVariable) => "a variable in front of it may load code",
        Some(FloorKind::ComputedCommandWord) => "the shell computes which program it is",
        Some(FloorKind::UnknownDirectory) => "nobody can tell in which directory this path lies",
        Some(FloorKind::AnalysisBound) => "the line is larger than what is analysed",
        Some(FloorKind::ProtectedPath) => "it is one of the files that the gate itself lives by",
        None => "an allow of it asks",
    }
}

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;
