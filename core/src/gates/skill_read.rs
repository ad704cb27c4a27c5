//! Gate 1: files of skills that the policy asks about or denies (GATE-004 to GATE-006, GATES-D06, RES-23).
//!
//! The package looks at `read` alone, by the path as written, and forgets denied skills. This gate keeps them, and looks at
//! every path tool and every path of a shell command, where it leads included. What is new here speaks only when it is
//! stricter than what the package would have said.

use super::asked_facts::call_facts;
use super::descriptor::{GateCheck, GateDescriptor, GateResult, ToolCallContext};
use super::facts::{CallFacts, CallTarget};
use super::fields::{call_details, call_fields, put, put_message};
use super::names::{SKILL_READ, SKILL_SURFACE};
use super::skill_entry::SkillPromptEntry;
use super::view::GateView;
use super::wording;
use crate::access::path::{AccessPath, within};
use crate::authority::AskSource;
use crate::authority::forwarding::FactItem;
use crate::host::Platform;
use crate::policy::{Origin, PermissionCheckResult, PermissionState, QuestionTrace, Source, Tightening};
use crate::report::DenialContext;

/// Describes gate 1.
pub fn describe_skill_read_gate(view: &GateView<'_>, entries: &[SkillPromptEntry]) -> GateResult {
    let GateView { context, facts, .. } = *view;
    let known = baseline_match(context, facts, entries);
    let found = touched_paths(facts)
        .filter_map(|(shown, path)| Some((match_entry(entries, path, facts)?, shown)))
        .fold(None, stricter)
        .filter(|(entry, _)| entry.state > known.as_ref().map_or(PermissionState::Allow, |(entry, _)| entry.state));
    let before = known.as_ref().map_or(PermissionState::Allow, |(entry, _)| entry.state);
    match found.or(known) {
        Some((entry, shown)) => GateResult::Check(Box::new(descriptor(view, entry, shown, before))),
        None => GateResult::Null { gate: SKILL_READ, questions: Vec::new() },
    }
}

type Match<'a> = (&'a SkillPromptEntry, &'a str);

/// The later one only when it is stricter.
fn stricter<'a>(best: Option<Match<'a>>, next: Match<'a>) -> Option<Match<'a>> {
    match best {
        Some(best) if best.0.state >= next.0.state => Some(best),
        _ => Some(next),
    }
}

/// What the package finds: `read`, the path as written, entries that are not denied.
fn baseline_match<'a>(context: &ToolCallContext, facts: &'a CallFacts, entries: &'a [SkillPromptEntry]) -> Option<Match<'a>> {
    if context.tool_name != "read" || facts.target != CallTarget::PathTool {
        return None;
    }
    let operand = facts.own_path().filter(|operand| operand.introduced_by.is_none())?;
    let known = || entries.iter().filter(|entry| entry.baseline);
    let entry = find(known(), &operand.path.lexical, facts.platform, |entry| (&entry.location, Some(&entry.base_directory)))?;
    Some((entry, &operand.path.typed))
}

/// Every path that the call names: operands of path tools, words of a shell command.
fn touched_paths(facts: &CallFacts) -> Box<dyn Iterator<Item = (&str, &AccessPath)> + '_> {
    match &facts.target {
        CallTarget::PathTool => Box::new(facts.operands.iter().map(|operand| (operand.path.typed.as_str(), &operand.path))),
        CallTarget::Shell(shell) => {
            let words = shell.program.iter().flat_map(|program| &program.paths);
            Box::new(words.map(|word| (word.token.as_str(), &word.path)))
        }
        CallTarget::Mcp(_) | CallTarget::Skill(_) | CallTarget::Extension => Box::new(std::iter::empty()),
    }
}

/// The entry whose file or folder the path is in, by either of its forms; the stricter of the two.
fn match_entry<'a>(entries: &'a [SkillPromptEntry], path: &AccessPath, facts: &CallFacts) -> Option<&'a SkillPromptEntry> {
    if path.unknown_place {
        return None;
    }
    let lexical = find(entries.iter(), &path.lexical, facts.platform, |entry| {
        (&entry.location, own_folder(&entry.base_directory, &facts.cwd, facts.platform))
    });
    let canonical = find(entries.iter(), &path.canonical, facts.platform, |entry| {
        (&entry.canonical_location, own_folder(&entry.canonical_base_directory, &facts.canonical_cwd, facts.platform))
    });
    match (lexical, canonical) {
        (Some(lexical), Some(canonical)) if canonical.state > lexical.state => Some(canonical),
        (lexical, canonical) => lexical.or(canonical),
    }
}

/// A folder that holds the whole session is not the skill's own (RES-23).
fn own_folder<'a>(folder: &'a String, cwd: &str, platform: Platform) -> Option<&'a String> {
    (!within(platform, cwd, folder)).then_some(folder)
}

/// GATE-004: the first entry at this very location, else the longest folder that holds the path, the first among equals.
fn find<'a>(
    entries: impl Iterator<Item = &'a SkillPromptEntry> + Clone,
    path: &str,
    platform: Platform,
    places: impl Fn(&'a SkillPromptEntry) -> (&'a String, Option<&'a String>),
) -> Option<&'a SkillPromptEntry> {
    if path.is_empty() {
        return None;
    }
    if let Some(exact) = entries.clone().find(|entry| places(entry).0 == path) {
        return Some(exact);
    }
    let mut best: Option<(usize, &SkillPromptEntry)> = None;
    for entry in entries {
        let Some(folder) = places(entry).1.filter(|folder| within(platform, path, folder)) else { continue };
        if best.is_none_or(|(length, _)| folder.len() > length) {
            best = Some((folder.len(), entry));
        }
    }
    best.map(|(_, entry)| entry)
}

fn descriptor(view: &GateView<'_>, entry: &SkillPromptEntry, shown: &str, before: PermissionState) -> GateDescriptor {
    let context = view.context;
    let message = wording::ask_skill_read(view, &entry.name, shown);
    let mut log = call_fields(context, AskSource::SkillRead);
    put(&mut log, "skillName", &entry.name);
    put(&mut log, "path", shown);
    put_message(&mut log, &message);
    let mut ask = call_details(context, AskSource::SkillRead, message);
    ask.skill_name = Some(entry.name.clone());
    ask.path = Some(shown.to_owned());
    let asks = entry.state == PermissionState::Ask;
    let items = asks.then(|| FactItem::Value { value: entry.name.clone() }).into_iter().collect();
    let facts = call_facts(view, SKILL_READ, SKILL_SURFACE, &ask, items);
    GateDescriptor {
        gate: SKILL_READ,
        surface: SKILL_SURFACE.to_owned(),
        value: entry.name.clone(),
        check: resolved_check(entry, shown, before),
        denial: DenialContext::SkillRead { skill_name: entry.name.clone(), read_path: shown.to_owned() },
        ask,
        suggestion: None,
        facts,
        log,
    }
}

/// The check that the entry's stored state makes (RUN-003): nobody is asked again.
fn resolved_check(entry: &SkillPromptEntry, shown: &str, before: PermissionState) -> GateCheck {
    let raised = (entry.state > before).then(|| Tightening {
        requirement: "GATES-D06",
        before,
        after: entry.state,
        subject: shown.to_owned(),
    });
    GateCheck {
        result: PermissionCheckResult {
            tool_name: SKILL_SURFACE.to_owned(),
            state: entry.state,
            reason: entry.reason.clone(),
            matched_pattern: None,
            source: Source::Tool,
            origin: Origin::Builtin,
            command: None,
            target: None,
            command_context: None,
            rule_surface: None,
            direction: None,
            value: Some(entry.name.clone()),
            floor: None,
            from_default: false,
            from_catch_all: false,
            trace: QuestionTrace::default(),
        },
        questions: Vec::new(),
        deciding: None,
        all_allowed: entry.state == PermissionState::Allow,
        baseline_state: before,
        tightenings: raised.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests;
