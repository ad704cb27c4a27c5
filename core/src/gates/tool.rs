//! Gate 6: rules on the tool itself, on the shell command, on the MCP call (PIPE-010, GATE-025 to GATE-028).

use super::answers::Answers;
use super::asked_facts::{call_facts, path_item, unit_item, value_item};
use super::bash_command::{BashCheck, resolve_bash_command_check, unit_question};
use super::descriptor::{GateCheck, GateDescriptor, GateResult};
use super::facts::{CallTarget, ShellFacts};
use super::fields::{call_details, call_fields, label, put, put_message};
use super::mcp_command::resolve_mcp_check;
use super::names::{BASH_SURFACE, MCP_SURFACE, SKILL_SURFACE, TOOL};
use super::suggestions::{suggest_one, suggest_unit};
use super::view::GateView;
use super::wording;
use crate::access::is_path_surface;
use crate::authority::forwarding::FactItem;
use crate::authority::{AskSource, GateSuggestion};
use crate::policy::Question;
use crate::report::DenialContext;
use crate::report::messages::AskMessage;

/// Describes gate 6. It always checks.
pub fn describe_tool_gate(view: &GateView<'_>) -> GateResult {
    let judged = match &view.facts.target {
        CallTarget::Shell(shell) => judge_shell(view, shell),
        CallTarget::Mcp(call) => resolve_mcp_check(view.resolver, call).map(|(check, items)| {
            let pattern = call.is_grantable().then(|| call.grant_name.clone());
            let value = check.result.target.clone().unwrap_or_else(|| MCP_SURFACE.to_owned());
            judged(view, MCP_SURFACE, value, check, suggest_one(MCP_SURFACE, pattern), items)
        }),
        CallTarget::Skill(name) => judge_question(view, skill_question(name.as_deref()), value_item, |_| {
            let pattern = name.clone().filter(|name| is_plain_name(name));
            suggest_one(SKILL_SURFACE, pattern)
        }),
        CallTarget::PathTool => judge_path_tool(view),
        CallTarget::Extension => {
            let surface = &view.context.tool_name;
            let question = Question { surface: surface.clone(), ..Question::default() };
            judge_question(view, question, value_item, |_| suggest_one(surface, is_own_surface(surface).then(|| "*".to_owned())))
        }
    };
    match judged {
        Some(judged) => GateResult::Check(Box::new(describe(view, judged))),
        // Every target puts a question and counts its answer, so there always is a check.
        None => GateResult::Null { gate: TOOL, questions: Vec::new() },
    }
}

/// What gate 6 found, before it is put into words for the runner.
struct Judged {
    surface: String,
    value: String,
    check: GateCheck,
    message: AskMessage,
    suggestion: GateSuggestion,
    /// What still asks.
    items: Vec<FactItem>,
}

fn judged(
    view: &GateView<'_>,
    surface: &str,
    value: String,
    check: GateCheck,
    suggestion: GateSuggestion,
    items: Vec<FactItem>,
) -> Judged {
    let message = wording::ask_tool(view, &check.result);
    Judged { surface: surface.to_owned(), value, check, message, suggestion, items }
}

fn judge_shell(view: &GateView<'_>, shell: &ShellFacts) -> Option<Judged> {
    let bash = resolve_bash_command_check(&shell.command, shell.program.as_ref(), view.resolver)?;
    let message = wording::ask_bash(view, shell, &bash);
    let suggestion = suggest_one(BASH_SURFACE, bash_pattern(view, shell, &bash));
    let value = bash.check.result.command.clone().unwrap_or_else(|| BASH_SURFACE.to_owned());
    let items = bash.asking.iter().map(|(unit, _)| unit_item(&unit_question(unit))).collect();
    Some(Judged { surface: BASH_SURFACE.to_owned(), value, check: bash.check, message, suggestion, items })
}

/// The pattern of the first asking unit (RES-33). The empty command is granted as itself, a mere comment not at all.
fn bash_pattern(view: &GateView<'_>, shell: &ShellFacts, bash: &BashCheck) -> Option<String> {
    if shell.command.is_empty() {
        return Some(String::new());
    }
    suggest_unit(view.suggester, bash.unit.as_ref(), &shell.command, &bash.check.result)
}

fn judge_path_tool(view: &GateView<'_>) -> Option<Judged> {
    let surface = &view.context.tool_name;
    let operand = view.facts.own_path();
    let question = Question {
        surface: surface.clone(),
        values: operand.map(|operand| operand.path.values.clone()).unwrap_or_default(),
        further: operand.map(|operand| operand.path.further.clone()).unwrap_or_default(),
        introduced_by: operand.and_then(|operand| operand.introduced_by),
        ..Question::default()
    };
    let item = |question: &Question| match operand {
        Some(operand) => path_item(question, &operand.path),
        None => value_item(question),
    };
    let mut judged = judge_question(view, question, item, |view| {
        let patterns = operand.map(|operand| view.suggester.suggest_path(&operand.path)).unwrap_or_default();
        let pairs = patterns.into_iter().map(|pattern| (surface.clone(), pattern)).collect();
        GateSuggestion { pairs, both_directions: Vec::new() }
    })?;
    if let Some(operand) = operand {
        judged.value = operand.path.typed.clone();
    }
    Some(judged)
}

fn judge_question(
    view: &GateView<'_>,
    question: Question,
    item: impl Fn(&Question) -> FactItem,
    suggest: impl FnOnce(&GateView<'_>) -> GateSuggestion,
) -> Option<Judged> {
    let mut answers = Answers::default();
    answers.ask(view.resolver, &question, |result| Some(result.clone()));
    let items = answers.asking().map(|(_, question)| item(question)).collect();
    let check = answers.into_check(0)?;
    Some(judged(view, &question.surface, view.context.tool_name.clone(), check, suggest(view), items))
}

/// Surface `skill`, the raw name, or `*` without one (SURF-004).
fn skill_question(name: Option<&str>) -> Question {
    let values = name.map(|name| vec![name.to_owned()]).unwrap_or_default();
    Question { surface: SKILL_SURFACE.to_owned(), values, ..Question::default() }
}

/// Whether everything on the surface is this tool's. A tool may be called `path`; what is stored there would be everybody's.
fn is_own_surface(tool: &str) -> bool {
    is_plain_name(tool) && !is_path_surface(tool)
}

fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['*', '?'])
}

fn describe(view: &GateView<'_>, judged: Judged) -> GateDescriptor {
    let context = view.context;
    let Judged { surface, value, check, message, suggestion, items } = judged;
    let mut log = call_fields(context, AskSource::ToolCall);
    log.shift_remove("agentName");
    put_message(&mut log, &message);
    for (key, text) in [
        ("command", check.result.command.as_deref()),
        ("target", check.result.target.as_deref()),
        ("toolInputPreview", view.previews.log.as_deref()),
    ] {
        if let Some(text) = text {
            put(&mut log, key, text);
        }
    }
    put(&mut log, "origin", check.result.origin.as_str());
    let mut ask = label(call_details(context, AskSource::ToolCall, message), &suggestion);
    ask.command = check.result.command.clone();
    ask.target = check.result.target.clone();
    ask.tool_input_preview = view.previews.log.clone();
    let facts = call_facts(view, TOOL, &surface, &ask, items);
    let denial = DenialContext::Tool { check: Box::new(check.result.clone()), input: context.input.clone() };
    GateDescriptor { gate: TOOL, surface, value, check, denial, ask, suggestion: Some(suggestion), facts, log }
}

#[cfg(test)]
mod tests;
