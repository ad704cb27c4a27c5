//! Gate 5: rules on paths that a shell command names (GATE-017 to GATE-020, EXT-017, RES-18).

use super::answers::Answers;
use super::asked_facts::{call_facts, path_item};
use super::descriptor::{GateBypass, GateDescriptor, GateResult, ToolCallContext};
use super::fields::{call_details, call_fields, label, put, put_list};
use super::inputs::GrantSuggester;
use super::names::{BASH_PATH, PATH_SURFACE};
use super::path_questions::{ask_path, path_question};
use super::suggestions::suggest_paths;
use super::view::GateView;
use super::wording;
use crate::access::shell::{CandidateKind, PathWord};
use crate::authority::{AskSource, GateSuggestion};
use crate::policy::{FloorKind, GrantLift, PermissionCheckResult, PermissionState, Question, Source};
use crate::report::DenialContext;

/// Describes gate 5. The first deny ends the look (GATE-032).
pub fn describe_bash_path_gate(view: &GateView<'_>) -> GateResult {
    let GateView { context, facts, resolver, .. } = *view;
    let Some((command, program)) = facts.program() else {
        return GateResult::Null { gate: BASH_PATH, questions: Vec::new() };
    };
    let words: Vec<&PathWord> = program.paths.iter().filter(|word| word.rule_candidate).collect();
    let mut answers = Answers::default();
    for word in &words {
        let question = word_question(word);
        let star_is_silent = word.kind == CandidateKind::Existence;
        let answer = ask_path(&mut answers, resolver, &question, star_is_silent);
        if answer.is_some_and(|result| result.state == PermissionState::Deny) {
            break;
        }
    }
    let restrictive: Vec<(&PathWord, PermissionCheckResult)> =
        answers.restrictive().filter_map(|(index, result)| Some((*words.get(index)?, result.clone()))).collect();
    if restrictive.is_empty() {
        let granted = |result: &PermissionCheckResult| result.source == Source::Session && result.state == PermissionState::Allow;
        return if !words.is_empty() && answers.all().all(granted) {
            GateResult::Bypass(Box::new(bypass(context, command, &words, answers)))
        } else {
            GateResult::Null { gate: BASH_PATH, questions: answers.into_questions() }
        };
    }
    let deciding = answers.strictest().and_then(|index| Some((index, *words.get(index)?)));
    let items = answers.asking().filter_map(|(index, question)| Some(path_item(question, &words.get(index)?.path)));
    let items = items.collect();
    let message = wording::ask_bash_path(view, command, &restrictive);
    let Some((check, word)) = deciding.and_then(|(index, word)| Some((answers.into_check(index)?, word))) else {
        return GateResult::Null { gate: BASH_PATH, questions: Vec::new() };
    };
    let suggestion = suggestion(view.suggester, word, &check.result);
    let mut log = call_fields(context, AskSource::ToolCall);
    put(&mut log, "command", command);
    put(&mut log, "path", &word.token);
    let mut ask = label(call_details(context, AskSource::ToolCall, message), &suggestion);
    ask.command = Some(command.to_owned());
    let asked = call_facts(view, BASH_PATH, PATH_SURFACE, &ask, items);
    GateResult::Check(Box::new(GateDescriptor {
        gate: BASH_PATH,
        surface: PATH_SURFACE.to_owned(),
        value: word.token.clone(),
        check,
        denial: DenialContext::BashPath {
            command: command.to_owned(),
            path_value: word.token.clone(),
            tool_name: context.tool_name.clone(),
        },
        ask,
        suggestion: Some(suggestion),
        facts: asked,
        log,
    }))
}

fn word_question(word: &PathWord) -> Question {
    let mut question = path_question(PATH_SURFACE, &word.path, word.direction, word.candidate_by);
    question.floors = word.floors.clone();
    // A reader under its guards only reads (RES-24).
    question.protected &= !word.proven_read;
    question
}

/// One pattern set, of the deciding word (RES-33); nothing where a yes could not be remembered.
fn suggestion(suggester: &dyn GrantSuggester, word: &PathWord, result: &PermissionCheckResult) -> GateSuggestion {
    let guarded = result.floor == Some(FloorKind::ProtectedPath);
    if guarded || word.floors.iter().any(|floor| floor.lift == GrantLift::Never) {
        return GateSuggestion::default();
    }
    suggest_paths(suggester, PATH_SURFACE, [(&word.path, word.direction)])
}

fn bypass(context: &ToolCallContext, command: &str, words: &[&PathWord], answers: Answers) -> GateBypass {
    let mut fields = call_fields(context, AskSource::ToolCall);
    put(&mut fields, "command", command);
    put_list(&mut fields, "tokens", words.iter().map(|word| word.token.clone()));
    put(&mut fields, "resolution", "session_approved");
    GateBypass {
        gate: BASH_PATH,
        log: Some(("permission_request.session_approved", fields)),
        decision: None,
        questions: answers.into_questions(),
    }
}

#[cfg(test)]
mod tests;
