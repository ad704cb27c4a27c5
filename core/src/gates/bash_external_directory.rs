//! Gate 4: shell commands that leave the session directory (GATE-015, GATE-016, EXT-016, RES-39).
//!
//! Every outside path is asked, there is no short cut (GATE-032), and no exemption of harness files.

use super::answers::Answers;
use super::asked_facts::{call_facts, path_item};
use super::descriptor::{GateBypass, GateDescriptor, GateResult, ToolCallContext};
use super::fields::{call_details, call_fields, label, put, put_list, put_message};

use super::names::{BASH_EXTERNAL_DIRECTORY, BOUNDARY_SURFACE};
use super::path_questions::path_question;
use super::suggestions::suggest_paths;
use super::view::GateView;
use super::wording;
use crate::access::shell::{BashProgram, PathWord};
use crate::authority::AskSource;
use crate::policy::{Origin, PermissionCheckResult, Source};
use crate::report::{DenialContext, ExternalPathDisclosure};

/// Describes gate 4.
pub fn describe_bash_external_directory_gate(view: &GateView<'_>) -> GateResult {
    let GateView { context, facts, resolver, .. } = *view;
    let Some((command, program)) = facts.program() else {
        return GateResult::Null { gate: BASH_EXTERNAL_DIRECTORY, questions: Vec::new() };
    };
    let words = outside_words(program);
    let mut answers = Answers::default();
    for word in &words {
        let by = word.boundary_by.or(word.path.outside_by);
        let question = path_question(BOUNDARY_SURFACE, &word.path, word.direction, by);
        answers.ask(resolver, &question, |result| Some(result.clone()));
    }
    let uncovered: Vec<(&PathWord, PermissionCheckResult)> =
        answers.restrictive().filter_map(|(index, result)| Some((*words.get(index)?, result.clone()))).collect();
    if words.is_empty() {
        return GateResult::Null { gate: BASH_EXTERNAL_DIRECTORY, questions: Vec::new() };
    }
    if uncovered.is_empty() {
        return GateResult::Bypass(Box::new(bypass(context, command, &words, answers)));
    }
    let items = answers.asking().filter_map(|(index, question)| Some(path_item(question, &words.get(index)?.path)));
    let items = items.collect();
    let message = wording::ask_bash_external_directory(view, command, &uncovered);
    let Some(check) = answers.strictest().and_then(|deciding| answers.into_check(deciding)) else {
        return GateResult::Null { gate: BASH_EXTERNAL_DIRECTORY, questions: Vec::new() };
    };
    let stored = uncovered.iter().map(|(word, _)| (&word.path, word.direction));
    let suggestion = suggest_paths(view.suggester, BOUNDARY_SURFACE, stored);
    let mut log = call_fields(context, AskSource::ToolCall);
    put(&mut log, "command", command);
    put_list(&mut log, "externalPaths", uncovered.iter().map(|(word, _)| word.path.lexical.clone()));
    put_message(&mut log, &message);
    let mut ask = label(call_details(context, AskSource::ToolCall, message), &suggestion);
    ask.command = Some(command.to_owned());
    let external_paths = uncovered.iter().map(|(word, _)| disclosure(word)).collect();
    let asked = call_facts(view, BASH_EXTERNAL_DIRECTORY, BOUNDARY_SURFACE, &ask, items);
    GateResult::Check(Box::new(GateDescriptor {
        gate: BASH_EXTERNAL_DIRECTORY,
        surface: BOUNDARY_SURFACE.to_owned(),
        value: command.to_owned(),
        check,
        denial: DenialContext::BashExternalDirectory { command: command.to_owned(), external_paths, cwd: facts.cwd.clone() },
        ask,
        suggestion: Some(suggestion),
        facts: asked,
        log,
    }))
}

/// The words that leave the session directory, each place and direction once. A workdir that the command's own words name
/// too gives way to them (PIPE-008).
fn outside_words(program: &BashProgram) -> Vec<&PathWord> {
    let outside = || program.paths.iter().filter(|word| word.boundary && word.path.outside);
    let place =
        |word: &PathWord| (word.path.lexical.clone(), word.path.canonical.clone(), word.direction, word.path.unknown_place);
    let named: std::collections::HashSet<(&str, &str)> = outside()
        .filter(|word| word.rule_candidate)
        .map(|word| (word.path.lexical.as_str(), word.path.canonical.as_str()))
        .collect();
    let mut seen = std::collections::HashSet::new();
    outside()
        .filter(|word| word.rule_candidate || !named.contains(&(word.path.lexical.as_str(), word.path.canonical.as_str())))
        .filter(|word| seen.insert(place(word)))
        .collect()
}

fn disclosure(word: &PathWord) -> ExternalPathDisclosure {
    ExternalPathDisclosure { path: word.path.lexical.clone(), resolved_path: word.path.resolved_alias().map(str::to_owned) }
}

/// Every path is allowed. The line says by whom (RES-39); there is no event.
fn bypass(context: &ToolCallContext, command: &str, words: &[&PathWord], answers: Answers) -> GateBypass {
    let (event, resolution) = if answers.all().any(|result| result.source == Source::Session) {
        ("permission_request.session_approved", "session_approved")
    } else if answers.all().any(|result| result.origin == Origin::Yolo) {
        ("permission_request.auto_approved", "auto_approved")
    } else {
        ("permission_request.policy_allowed", "policy_allow")
    };
    let mut fields = call_fields(context, AskSource::ToolCall);
    put(&mut fields, "command", command);
    put_list(&mut fields, "externalPaths", words.iter().map(|word| word.path.lexical.clone()));
    put(&mut fields, "resolution", resolution);
    GateBypass { gate: BASH_EXTERNAL_DIRECTORY, log: Some((event, fields)), decision: None, questions: answers.into_questions() }
}

#[cfg(test)]
mod tests;
