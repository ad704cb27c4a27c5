//! The trace of a call as a plain text tree: for failure reports, and for people who ask why.
//!
//! It only reads the one value that the deciding walk made; what is not in the trace is not said. Texts are escaped (HARD-062).

use std::fmt::Write as _;

use super::bounds::bound;
use super::decision::{DecidedBy, DecidedWhere, PermissionDecisionEvent};
use super::escape::visible;
use super::trace::{AskTrace, CallTrace, GateOutcomeTrace, GateTrace, SnapshotTrace};
use crate::policy::{ConsideredRule, LossReason, QuestionStep, QuestionTrace, Rule, Tightening};

/// The longest text on one line of the tree, in characters.
const TEXT_LIMIT: usize = 400;

/// The tree; every line ends with a line feed.
///
/// ```
/// use portcullis_core::report::{CallEnd, CallTrace, render_trace};
/// let trace = CallTrace {
///     tool: "nope".into(),
///     snapshot: Default::default(),
///     gates: vec![],
///     tightenings: vec![],
///     end: CallEnd { outcome: "block".into(), gate: "registration".into(), reason: Some("not registered".into()) },
/// };
/// assert_eq!(render_trace(&trace), "nope: block by registration\n  reason: not registered\n");
/// ```
pub fn render_trace(trace: &CallTrace) -> String {
    let mut tree = Tree::default();
    tree.line(0, format_args!("{}: {} by {}", text(&trace.tool), text(&trace.end.outcome), text(&trace.end.gate)));
    if let Some(reason) = &trace.end.reason {
        tree.line(1, format_args!("reason: {}", text(reason)));
    }
    snapshot(&mut tree, &trace.snapshot);
    for tightening in &trace.tightenings {
        tightened(&mut tree, 1, tightening);
    }
    for one in &trace.gates {
        gate(&mut tree, one);
    }
    tree.out
}

#[derive(Default)]
struct Tree {
    out: String,
}

impl Tree {
    fn line(&mut self, depth: usize, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{:1$}{line}", "", depth * 2);
    }

    fn list(&mut self, label: &str, items: &[String]) {
        for item in items {
            self.line(1, format_args!("{label}: {}", text(item)));
        }
    }
}

fn text(raw: &str) -> String {
    bound(&visible(raw), TEXT_LIMIT)
}

fn snapshot(tree: &mut Tree, snapshot: &SnapshotTrace) {
    if let Some(agent) = &snapshot.agent {
        let how = if snapshot.agent_from_tag { " (agent from tag)" } else { "" };
        tree.line(1, format_args!("agent: {}{how}", text(agent)));
    }
    tree.list("scope not read", &snapshot.not_read);
    tree.list("scope broken", &snapshot.broken);
    tree.list("setting ignored", &snapshot.ignored_settings);
    tree.list("known limit", &snapshot.known_limits);
    tree.list("inherited", &snapshot.inherited);
}

fn gate(tree: &mut Tree, gate: &GateTrace) {
    let not_run = if gate.ran { "" } else { " (produced, not run)" };
    match &gate.outcome {
        GateOutcomeTrace::Null => tree.line(1, format_args!("gate {}: does not apply{not_run}", gate.gate)),
        GateOutcomeTrace::Bypass { reason } => {
            tree.line(1, format_args!("gate {}: passes, {}{not_run}", gate.gate, text(reason)));
        }
        GateOutcomeTrace::Check { state, .. } => tree.line(1, format_args!("gate {}: {state}{not_run}", gate.gate)),
    }
    let deciding = gate.deciding();
    for one in &gate.questions {
        question(tree, one, deciding.is_some_and(|deciding| std::ptr::eq(deciding, one)));
    }
    if let Some(ask) = &gate.ask {
        asked(tree, ask);
    }
    if let Some(event) = &gate.decision {
        decision(tree, event);
    }
}

fn question(tree: &mut Tree, question: &QuestionTrace, decides: bool) {
    let direction = question.direction.map(|direction| format!(" ({direction})")).unwrap_or_default();
    let values = quoted(&question.values);
    let decides = if decides { ", decides" } else { "" };
    tree.line(2, format_args!("{}{direction} {values}{decides}", text(&question.surface)));
    if !question.further.is_empty() {
        tree.line(3, format_args!("further spellings: {}", quoted(&question.further)));
    }
    match &question.winner {
        Some(winner) => {
            let matched =
                question.winning_value.as_deref().map(|value| format!(", matches '{}'", text(value))).unwrap_or_default();
            tree.line(3, format_args!("rule {}{matched}", rule(winner)));
        }
        None => tree.line(3, format_args!("no rule matches")),
    }
    for considered in &question.rules {
        lost(tree, considered);
    }
    for one in &question.steps {
        step(tree, one);
    }
    for tightening in &question.tightenings {
        tightened(tree, 3, tightening);
    }
}

fn quoted(values: &[String]) -> String {
    values.iter().map(|value| format!("'{}'", text(value))).collect::<Vec<_>>().join(", ")
}

/// Pattern, surface, answer, layer, origin, and where it is written.
fn rule(rule: &Rule) -> String {
    let place = match &rule.location {
        Some(location) => format!(", {}:{}:{}", text(&location.file), location.line, location.column),
        None => String::new(),
    };
    format!("'{}' on {}: {} ({}, {}{place})", text(&rule.pattern), text(&rule.surface), rule.action, rule.layer, rule.origin)
}

fn lost(tree: &mut Tree, considered: &ConsideredRule) {
    let why = match considered.lost {
        None => return,
        Some(LossReason::PatternDoesNotMatch) => "does not match",
        Some(LossReason::LaterRuleWins) => "a later rule wins",
        Some(LossReason::MilderSpelling) => "a further spelling never takes it",
        Some(LossReason::UnknownPlace) => "no allow for an unknown place",
    };
    let matched = considered.matched.as_deref().map(|value| format!(" of '{}'", text(value))).unwrap_or_default();
    tree.line(4, format_args!("not {}{matched}: {why}", rule(&considered.rule)));
}

fn step(tree: &mut Tree, step: &QuestionStep) {
    match step {
        QuestionStep::Rules { state } => tree.line(3, format_args!("the rules say {state}")),
        QuestionStep::Clamp => tree.line(3, format_args!("allow becomes ask: a policy file is broken (HARD-012)")),
        QuestionStep::Grant { pattern } => tree.line(3, format_args!("granted for the session by '{}'", text(pattern))),
        QuestionStep::GrantRefused { pattern, requirement } => {
            tree.line(3, format_args!("the grant '{}' does not count ({requirement})", text(pattern)));
        }
        QuestionStep::Floor { sentinel, requirement } => {
            tree.line(3, format_args!("allow becomes ask: {sentinel} ({requirement})"));
        }
        QuestionStep::Permissive => tree.line(3, format_args!("ask becomes allow: the permissive mode is on")),
        QuestionStep::Protected => {
            tree.line(3, format_args!("allow becomes ask: {} (HARD-056)", crate::policy::FloorKind::ProtectedPath));
        }
    }
}

fn tightened(tree: &mut Tree, depth: usize, tightening: &Tightening) {
    let Tightening { requirement, before, after, subject } = tightening;
    tree.line(depth, format_args!("tightening {requirement}: {before} becomes {after} for '{}'", text(subject)));
}

fn asked(tree: &mut Tree, ask: &AskTrace) {
    tree.line(2, format_args!("ask {}: {}", text(&ask.request_id), text(&ask.answer)));
    for line in ask.message.lines() {
        tree.line(3, format_args!("| {}", text(line)));
    }
    for (surface, pattern) in &ask.suggestion {
        let stored = if ask.stored { "stored" } else { "offered" };
        tree.line(3, format_args!("{stored} for the session: {} '{}'", text(surface), text(pattern)));
    }
}

/// The kind; beyond the own session's rules and grants, which the line shows already, also who, where and why.
fn who(by: &DecidedBy) -> String {
    let mut words = by.kind.to_string();
    let mut add = |before: &str, said: Option<&str>| {
        if let Some(said) = said {
            // Writing into a text cannot fail.
            let _ = write!(words, "{before}'{}'", text(said));
        }
    };
    add(" ", by.name.as_deref());
    let elsewhere = by.where_ == DecidedWhere::Serving;
    add(" ", by.pattern.as_deref().filter(|_| elsewhere));
    add(", reason ", by.reason.as_deref().filter(|_| elsewhere));
    if elsewhere {
        words.push_str(" in the serving session");
    }
    if let Some(cause) = by.cause {
        let _ = write!(words, ", cause {cause}");
    }
    words
}

fn decision(tree: &mut Tree, event: &PermissionDecisionEvent) {
    let origin = event.origin.map_or_else(String::new, |origin| format!(", origin {origin}"));
    let pattern = event.matched_pattern.as_deref().map(|pattern| format!(", pattern '{}'", text(pattern))).unwrap_or_default();
    let by = who(&event.decided_by);
    tree.line(
        2,
        format_args!(
            "decision: {} ({}) on {} '{}'{pattern}{origin}, decided by {by}",
            event.result,
            event.resolution,
            text(&event.surface),
            text(&event.value)
        ),
    );
}

#[cfg(test)]
mod tests;
