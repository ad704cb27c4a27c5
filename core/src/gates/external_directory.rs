//! Gate 3: tools that leave the session directory (GATE-013, GATE-014, HARD-025, RES-21, RES-22).

use super::answers::Answers;
use super::asked_facts::{call_facts, path_item};
use super::descriptor::{GateBypass, GateDescriptor, GateResult, ToolCallContext};
use super::facts::PathOperand;
use super::fields::{call_details, call_fields, label, put, put_message};

use super::names::{BOUNDARY_SURFACE, EXTERNAL_DIRECTORY};
use super::path_questions::path_question;
use super::suggestions::suggest_paths;
use super::view::GateView;
use super::wording;
use crate::authority::AskSource;
use crate::policy::{PermissionCheckResult, PermissionState, Tightening};
use crate::report::{DecidedBy, DecidedByKind, DecisionResult, DenialContext, PermissionDecisionEvent, Resolution};

/// Describes gate 3. A read of a harness file passes, unless a rule that names it denies.
pub fn describe_external_directory_gate(view: &GateView<'_>) -> GateResult {
    let GateView { context, facts, resolver, .. } = *view;
    let outside: Vec<&PathOperand> = facts.operands.iter().filter(|operand| operand.path.outside).collect();
    let mut answers = Answers::default();
    for operand in &outside {
        let by = operand.introduced_by.or(operand.path.outside_by);
        let question = path_question(BOUNDARY_SURFACE, &operand.path, facts.direction, by);
        answers.ask(resolver, &question, |result| weigh(operand, result));
    }
    let deciding = answers.strictest().and_then(|index| Some((index, *outside.get(index)?)));
    let Some((deciding, operand)) = deciding else {
        let questions = answers.into_questions();
        return match outside.first() {
            Some(exempt) => GateResult::Bypass(Box::new(infrastructure_bypass(context, exempt, questions))),
            None => GateResult::Null { gate: EXTERNAL_DIRECTORY, questions },
        };
    };
    let asking: Vec<(&PathOperand, _)> =
        answers.restrictive().filter_map(|(index, result)| Some((*outside.get(index)?, result.clone()))).collect();
    // A line about a path that is let through names it all the same (MSG-005).
    let named = if asking.is_empty() { answers.get(deciding).map(|result| (operand, result.clone())) } else { None };
    let items = answers.asking().filter_map(|(index, question)| Some(path_item(question, &outside.get(index)?.path)));
    let items = items.collect();
    let message = wording::ask_external_directory(view, if asking.is_empty() { named.as_slice() } else { &asking });
    let Some(check) = answers.into_check(deciding) else {
        return GateResult::Null { gate: EXTERNAL_DIRECTORY, questions: Vec::new() };
    };
    let suggestion = suggest_paths(view.suggester, BOUNDARY_SURFACE, [(&operand.path, facts.direction)]);
    let shown = operand.path.typed.clone();
    let mut log = call_fields(context, AskSource::ToolCall);
    put(&mut log, "path", &shown);
    put_message(&mut log, &message);
    let mut ask = label(call_details(context, AskSource::ToolCall, message), &suggestion);
    ask.path = Some(shown.clone());
    let asked = call_facts(view, EXTERNAL_DIRECTORY, BOUNDARY_SURFACE, &ask, items);
    GateResult::Check(Box::new(GateDescriptor {
        gate: EXTERNAL_DIRECTORY,
        surface: BOUNDARY_SURFACE.to_owned(),
        value: shown.clone(),
        check,
        denial: DenialContext::ExternalDirectory {
            tool_name: context.tool_name.clone(),
            path_value: shown,
            resolved_path: operand.path.resolved_alias().map(str::to_owned),
            cwd: facts.cwd.clone(),
        },
        ask,
        suggestion: Some(suggestion),
        facts: asked,
        log,
    }))
}

/// What an answer comes to: nothing for an exempt read, unless a rule that is no catch-all denies it (RES-21). Where the
/// package would have exempted the read, whatever stops it now is a tightening.
fn weigh(operand: &PathOperand, result: &PermissionCheckResult) -> Option<PermissionCheckResult> {
    let named = result.state == PermissionState::Deny && !result.from_catch_all && !result.from_default;
    if operand.infrastructure && !named {
        return None;
    }
    let mut result = result.clone();
    let exempt_before = operand.infrastructure || operand.baseline_infrastructure;
    if exempt_before && result.state != PermissionState::Allow {
        result.trace.tightenings.push(Tightening {
            requirement: "HARD-025",
            before: PermissionState::Allow,
            after: result.state,
            subject: operand.path.typed.clone(),
        });
    }
    Some(result)
}

fn infrastructure_bypass(
    context: &ToolCallContext,
    operand: &PathOperand,
    questions: Vec<crate::policy::QuestionTrace>,
) -> GateBypass {
    let mut fields = call_fields(context, AskSource::ToolCall);
    put(&mut fields, "path", &operand.path.typed);
    GateBypass {
        gate: EXTERNAL_DIRECTORY,
        log: Some(("permission_request.infrastructure_auto_allowed", fields)),
        decision: Some(PermissionDecisionEvent {
            surface: context.tool_name.clone(),
            value: operand.path.typed.clone(),
            result: DecisionResult::Allow,
            resolution: Resolution::InfrastructureAutoAllowed,
            origin: None,
            agent_name: context.agent_name.clone(),
            matched_pattern: None,
            gate: EXTERNAL_DIRECTORY.to_owned(),
            request_id: None,
            rule_surface: None,
            decided_by: DecidedBy::own(DecidedByKind::Infrastructure),
        }),
        questions,
    }
}

#[cfg(test)]
mod tests;
