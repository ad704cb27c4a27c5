//! An explanation for people: the verdict in one line, the rule in its file, then gate by gate.

use std::fmt::Write as _;

use portcullis_core::policy::{ConsideredRule, LossReason, QuestionStep, QuestionTrace, Rule};
use portcullis_core::report::escape::{visible, visible_layout};
use portcullis_core::report::{GateOutcomeTrace, GateTrace};

use super::{Explanation, floor_words};
use crate::own_policy::Verdict;
use crate::report::{Style, Tree};

/// The whole explanation, without the last line end. `all_rules` lists the rules that match nothing, too.
pub fn render(explanation: &Explanation, all_rules: bool, style: Style) -> String {
    let mut text = format!("{}  {}", verdict(explanation.verdict, style), style.bold(&visible(&explanation.call)));
    let _ = write!(text, "\n       {}", why(explanation));
    if let Some(snippet) = &explanation.by.snippet {
        let number = snippet.line.to_string();
        let gutter = " ".repeat(number.len());
        let pad = " ".repeat(usize::try_from(snippet.column.saturating_sub(1)).unwrap_or_default());
        let mark = "^".repeat(snippet.mark());
        let place = format!("{}:{}:{}", visible(&snippet.file), snippet.line, snippet.column);
        let _ = write!(text, "\n\n  {}", style.dim(&place));
        let _ = write!(text, "\n  {} {}", style.dim(&format!("{number} │")), visible(&snippet.text));
        let _ = write!(text, "\n  {} {pad}{}", style.dim(&format!("{gutter} │")), style.yellow(&mark));
    }
    for issue in &explanation.issues {
        let _ = write!(text, "\n\n{}: {}", style.yellow("policy fault"), visible_layout(issue));
    }
    let _ = write!(text, "\n\ngate by gate\n{}", gates(explanation, all_rules, style));
    for (number, prompt) in explanation.prompts.iter().enumerate() {
        let nobody = if explanation.has_ui { "" } else { ", and nobody is there" };
        let _ = write!(text, "\n\nquestion {} to a person ({}){nobody}", number + 1, prompt.gate);
        for line in visible_layout(&prompt.message).lines() {
            let _ = write!(text, "\n  {} {line}", style.dim("│"));
        }
        let _ = write!(text, "\n  {}", grant(&prompt.grant));
    }
    text
}

fn verdict(verdict: Verdict, style: Style) -> String {
    let word = format!("{:<5}", verdict.as_str());
    match verdict {
        Verdict::Allow => style.green(&word),
        Verdict::Ask => style.yellow(&word),
        Verdict::Deny => style.red(&word),
    }
}

fn why(explanation: &Explanation) -> String {
    let by = &explanation.by;
    let mut text = format!("by gate {}", by.gate);
    match (&by.rule, &by.surface) {
        (Some(rule), _) => {
            let _ = write!(text, ": {}", one_rule(rule));
        }
        (None, Some(surface)) => {
            let _ = write!(text, ": no rule on {}", visible(surface));
        }
        (None, None) => {
            if let Some(reason) = &explanation.trace.end.reason {
                let _ = write!(text, ": {}", visible(reason));
            }
        }
    }
    if let Some(value) = &by.value {
        let _ = write!(text, ", for {}", quoted(value));
    }
    for step in &by.steps {
        let _ = write!(text, "\n       {}", one_step(step));
    }
    if let Some(reason) = by.rule.as_ref().and_then(|rule| rule.reason.as_deref()) {
        let _ = write!(text, "\n       reason: {}", visible(reason));
    }
    text
}

fn grant(pairs: &[(String, String)]) -> String {
    match pairs {
        [] => "a yes for this session stores nothing: it counts once".into(),
        pairs => {
            let shown: Vec<String> =
                pairs.iter().map(|(surface, pattern)| format!("{} {}", visible(surface), quoted(pattern))).collect();
            format!("a yes for this session stores {}", shown.join(", "))
        }
    }
}

fn gates(explanation: &Explanation, all_rules: bool, style: Style) -> String {
    let mut tree = Tree::default();
    let snapshot = &explanation.trace.snapshot;
    for scope in &snapshot.not_read {
        tree.line(0, format!("scope {} not read: the project is not trusted (HARD-011)", visible(scope)));
    }
    for scope in &snapshot.broken {
        tree.line(0, format!("scope {} is broken: what others allow asks (HARD-012)", visible(scope)));
    }
    for gate in &explanation.trace.gates {
        one_gate(explanation, gate, all_rules, style, &mut tree);
    }
    for limit in &snapshot.known_limits {
        tree.line(0, format!("known limit touched: {limit}"));
    }
    let end = &explanation.trace.end;
    let after = match (explanation.verdict, end.outcome.as_str()) {
        (Verdict::Ask, "allow" | "continue") => "after a yes: ",
        (Verdict::Ask, _) => "nobody says yes: ",
        _ => "",
    };
    tree.line(0, format!("{after}{} by {}", visible(&end.outcome), visible(&end.gate)));
    tree.draw(style)
}

fn one_gate(explanation: &Explanation, gate: &GateTrace, all_rules: bool, style: Style, tree: &mut Tree) {
    let gave = match &gate.outcome {
        GateOutcomeTrace::Null => style.dim("does not apply"),
        GateOutcomeTrace::Bypass { reason } => format!("passes: {}", visible(reason)),
        GateOutcomeTrace::Check { state, .. } => state.as_str().to_owned(),
    };
    let not_run = if gate.ran || gate.outcome == GateOutcomeTrace::Null { "" } else { " (not reached)" };
    tree.line(0, format!("{:<23} {gave}{not_run}", gate.gate));
    let deciding = gate.deciding().filter(|_| gate.gate == explanation.by.gate);
    for question in &gate.questions {
        let decides = deciding.is_some_and(|one| std::ptr::eq(one, question));
        one_question(question, decides, all_rules, style, tree);
    }
}

fn one_question(question: &QuestionTrace, decides: bool, all_rules: bool, style: Style, tree: &mut Tree) {
    let direction = question.direction.map(|direction| format!(" ({direction})")).unwrap_or_default();
    let mut values: Vec<String> = question.values.iter().map(|value| quoted(value)).collect();
    if values.is_empty() {
        // A question without a value is put as the star (RULE-013).
        values.push(quoted("*"));
    }
    let decides = if decides { style.bold("  ← decides") } else { String::new() };
    tree.line(1, format!("{}{direction} {}{decides}", visible(&question.surface), values.join(" or ")));
    if !question.further.is_empty() {
        let further: Vec<String> = question.further.iter().map(|value| quoted(value)).collect();
        tree.line(2, style.dim(&format!("deny and ask rules also see {}", further.join(", "))));
    }
    match &question.winner {
        Some(rule) => tree.line(2, format!("{}{}", one_rule(rule), place(rule))),
        None => tree.line(2, "no rule".into()),
    }
    let mut silent = 0_usize;
    for considered in &question.rules {
        match considered.lost {
            None => {}
            Some(LossReason::PatternDoesNotMatch) if !all_rules => silent += 1,
            Some(lost) => tree.line(3, style.dim(&lost_rule(considered, lost))),
        }
    }
    if silent > 0 {
        let plural = if silent == 1 { "rule does" } else { "rules do" };
        tree.line(3, style.dim(&format!("{silent} {plural} not match")));
    }
    for step in question.steps.iter().filter(|step| !matches!(step, QuestionStep::Rules { .. })) {
        tree.line(2, one_step(step));
    }
}

fn lost_rule(considered: &ConsideredRule, lost: LossReason) -> String {
    let why = match lost {
        LossReason::PatternDoesNotMatch => "does not match",
        LossReason::LaterRuleWins => "matches, but a later rule wins",
        LossReason::MilderSpelling => "matches a further spelling only, which no allow may use (RES-14)",
        LossReason::UnknownPlace => "no allow for a path whose directory nobody knows (RES-51)",
    };
    format!("lost: {}{}: {why}", one_rule(&considered.rule), place(&considered.rule))
}

fn one_rule(rule: &Rule) -> String {
    if rule.surface.as_ref() == "*" {
        return format!("{} by the universal default ({})", rule.action, rule.origin);
    }
    format!("{} by rule {} on {} ({})", rule.action, quoted(&rule.pattern), visible(&rule.surface), rule.origin)
}

fn place(rule: &Rule) -> String {
    match &rule.location {
        Some(location) => format!(" {}:{}", visible(&location.file), location.line),
        None => String::new(),
    }
}

fn one_step(step: &QuestionStep) -> String {
    match step {
        QuestionStep::Rules { state } => format!("the rules say {state}"),
        QuestionStep::Clamp => "raised to ask: a policy file is broken (HARD-012)".into(),
        QuestionStep::Grant { pattern } => format!("allowed for this session by {}", quoted(pattern)),
        QuestionStep::GrantRefused { pattern, requirement } => {
            format!("the grant {} does not count here ({requirement})", quoted(pattern))
        }
        QuestionStep::Floor { sentinel, requirement } => {
            format!("raised to ask: {} {sentinel} ({requirement})", floor_words(sentinel))
        }
        QuestionStep::Permissive => "let through by the permissive mode".into(),
        QuestionStep::Protected => "raised to ask: it is one of the files that the gate itself lives by (HARD-056)".into(),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", visible(text))
}
