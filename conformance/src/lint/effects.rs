//! Rules that something else overrides: floors of a program, the boundary of the session directory.

use std::sync::Arc;

use portcullis_core::policy::{FloorKind, PermissionState};

use super::catalogue as lints;
use super::policy::CheckedRule;
use super::{Finding, place_at};
use crate::explain::floor_words;
use crate::own_policy::{Call, Judge, Verdict};
use crate::parse::{Place as Where, Request, analyse};
use crate::source::{Place, SourceFile};

/// How many rules about paths are put to the reference.
const MOST_CALLS: usize = 200;

pub(super) fn findings(source: &Arc<SourceFile>, rules: &[CheckedRule], judge: &Judge) -> Vec<Finding> {
    let allows = || rules.iter().filter(|rule| rule.rule.action == PermissionState::Allow);
    let floors = allows().filter(|rule| &*rule.rule.surface == "bash").filter_map(|rule| floor(source, rule));
    let outside = allows().filter(|rule| rule.is_about_paths()).take(MOST_CALLS).filter_map(|rule| outside(source, rule, judge));
    floors.chain(outside).collect()
}

fn finding(source: &Arc<SourceFile>, rule: &CheckedRule, lint: &'static super::Lint, message: String, help: &str) -> Finding {
    let place = rule.rule.location.as_ref().map_or(Place::START, |place| place_at(source, place.line, place.column));
    Finding { lint, file: Arc::clone(source), place, message, help: Some(help.into()), ignored: None }
}

/// An allow that the program's floor raises to ask, shown by one of its commands.
fn floor(source: &Arc<SourceFile>, rule: &CheckedRule) -> Option<Finding> {
    if rule.rule.is_catch_all() || rule.rule.pattern.starts_with(['*', '?']) {
        return None;
    }
    let command = rule.set.example("x")?;
    let program = analyse(&Request { command: command.clone(), ..Request::default() }, &Where::Nowhere).ok()?;
    let unit = program.units.iter().find(|unit| unit.text == command)?;
    let wins =
        |kind| matches!(kind, FloorKind::OpaqueBashWrapper | FloorKind::IndirectionBashWrapper | FloorKind::LoaderVariable);
    let floor = unit.floors.iter().find(|floor| wins(floor.kind))?;
    let sentinel = floor.kind.as_str();
    let message =
        format!("`{command}` asks although `{}` allows it: {} ({})", rule.rule.pattern, floor_words(sentinel), floor.requirement);
    Some(finding(source, rule, &lints::FLOOR_WINS, message, "an allow cannot lift it; `ask` says what happens"))
}

/// An allow of a path that the boundary stops, shown by one of its paths.
fn outside(source: &Arc<SourceFile>, rule: &CheckedRule, judge: &Judge) -> Option<Finding> {
    let surface = &*rule.rule.surface;
    let tool = match surface {
        "read" | "write" | "edit" | "grep" | "find" | "ls" => surface,
        "path" | "path_read" => "read",
        "path_write" => "write",
        _ => return None,
    };
    let head = rule.set.head();
    let cwd = judge.options().cwd.trim_end_matches('/');
    let below = format!("{cwd}/");
    if !head.starts_with('/') || head.starts_with(&below) || below.starts_with(&head) {
        return None;
    }
    let path = rule.set.example("x")?;
    let judgement = judge.judge(&Call::from_words(tool, std::slice::from_ref(&path)).ok()?).ok()?;
    let gate = judgement.trace.gates.iter().find(|gate| gate.gate == "external-directory")?;
    let stops = match judgement.verdict {
        Verdict::Allow => false,
        Verdict::Ask => gate.ask.is_some(),
        Verdict::Deny => judgement.trace.end.gate == gate.gate,
    };
    stops.then(|| {
        let message = format!(
            "`{}` allows `{path}`, but in a session outside of it `external_directory` still {}s",
            rule.rule.pattern,
            judgement.verdict.as_str().replace("deny", "denie"),
        );
        finding(source, rule, &lints::OUTSIDE_ALLOW, message, "allow it on `external_directory` as well")
    })
}
