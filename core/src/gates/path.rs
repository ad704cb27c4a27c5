//! Gate 2: rules on paths, whatever tool touches them (GATE-010 to GATE-012, RES-17, RES-22).

use super::answers::Answers;
use super::asked_facts::{call_facts, path_item};
use super::descriptor::{GateDescriptor, GateResult};
use super::facts::PathOperand;
use super::fields::{call_details, call_fields, label, put};

use super::names::{PATH, PATH_SURFACE};
use super::path_questions::{ask_path, path_question};
use super::suggestions::suggest_paths;
use super::view::GateView;
use super::wording;
use crate::authority::{AskSource, GateSuggestion};
use crate::policy::FloorKind;
use crate::report::DenialContext;

/// Describes gate 2. Silent unless a rule on `path` (or a floor) restricts an operand.
pub fn describe_path_gate(view: &GateView<'_>) -> GateResult {
    let GateView { context, facts, resolver, .. } = *view;
    let mut answers = Answers::default();
    for operand in &facts.operands {
        let question = path_question(PATH_SURFACE, &operand.path, facts.direction, operand.introduced_by);
        ask_path(&mut answers, resolver, &question, false);
    }
    let deciding = answers.restrictive().next().is_some().then(|| answers.strictest()).flatten();
    let Some((deciding, operand)) = deciding.and_then(|index| Some((index, facts.operands.get(index)?))) else {
        return GateResult::Null { gate: PATH, questions: answers.into_questions() };
    };
    let asking: Vec<(&PathOperand, _)> =
        answers.restrictive().filter_map(|(index, result)| Some((facts.operands.get(index)?, result.clone()))).collect();
    let message = wording::ask_path(view, &asking);
    let items = answers.asking().filter_map(|(index, question)| Some(path_item(question, &facts.operands.get(index)?.path)));
    let items = items.collect();
    let Some(check) = answers.into_check(deciding) else {
        return GateResult::Null { gate: PATH, questions: Vec::new() };
    };
    let suggestion = if check.result.floor == Some(FloorKind::ProtectedPath) {
        GateSuggestion::default()
    } else {
        suggest_paths(view.suggester, PATH_SURFACE, [(&operand.path, facts.direction)])
    };
    let shown = operand.path.typed.clone();
    let mut log = call_fields(context, AskSource::ToolCall);
    put(&mut log, "path", &shown);
    let mut ask = label(call_details(context, AskSource::ToolCall, message), &suggestion);
    ask.path = Some(shown.clone());
    let facts = call_facts(view, PATH, PATH_SURFACE, &ask, items);
    GateResult::Check(Box::new(GateDescriptor {
        gate: PATH,
        surface: PATH_SURFACE.to_owned(),
        value: shown.clone(),
        check,
        denial: DenialContext::Path { tool_name: context.tool_name.clone(), path_value: shown },
        ask,
        suggestion: Some(suggestion),
        facts,
        log,
    }))
}

#[cfg(test)]
mod tests;
