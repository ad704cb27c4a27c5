//! From a gate's findings to the facts of its prompt. The words themselves are [`crate::report::messages`]' business.

use super::bash_command::BashCheck;
use super::facts::{PathOperand, ShellFacts};
use super::view::GateView;
use crate::access::mcp::concerns_mcp;
use crate::access::shell::{BashProgram, PathWord, ShellUnit};
use crate::policy::{PermissionCheckResult, UnitContext};
use crate::report::messages::{self, AskFrame, AskMessage, AskingPath, AskingUnit, BashAsk};

fn frame<'a>(view: &GateView<'a>) -> AskFrame<'a> {
    AskFrame { agent: view.context.agent_name.as_deref(), policy_fault: view.policy_fault }
}

pub(crate) fn ask_skill_read(view: &GateView<'_>, skill: &str, path: &str) -> AskMessage {
    let command = view.facts.program().map(|(command, _)| command);
    messages::ask_skill_read(frame(view), &view.context.tool_name, skill, path, command)
}

pub(crate) fn ask_path(view: &GateView<'_>, asking: &[(&PathOperand, PermissionCheckResult)]) -> AskMessage {
    messages::ask_path(frame(view), &view.context.tool_name, &operands(asking))
}

pub(crate) fn ask_external_directory(view: &GateView<'_>, asking: &[(&PathOperand, PermissionCheckResult)]) -> AskMessage {
    messages::ask_external_directory(frame(view), &view.context.tool_name, &operands(asking), &view.facts.cwd)
}

pub(crate) fn ask_bash_external_directory(
    view: &GateView<'_>,
    command: &str,
    asking: &[(&PathWord, PermissionCheckResult)],
) -> AskMessage {
    let paths: Vec<AskingPath<'_>> = asking
        .iter()
        .map(|(word, check)| AskingPath { path: &word.path.lexical, resolved: word.path.resolved_alias(), check })
        .collect();
    messages::ask_bash_external_directory(frame(view), &view.context.tool_name, command, &view.facts.cwd, &paths)
}

pub(crate) fn ask_bash_path(view: &GateView<'_>, command: &str, asking: &[(&PathWord, PermissionCheckResult)]) -> AskMessage {
    let paths: Vec<AskingPath<'_>> = asking
        .iter()
        .map(|(word, check)| AskingPath { path: &word.token, resolved: word.path.resolved_alias(), check })
        .collect();
    messages::ask_bash_path(frame(view), &view.context.tool_name, command, &paths)
}

/// Gate 6 for a tool that is no shell.
pub(crate) fn ask_tool(view: &GateView<'_>, check: &PermissionCheckResult) -> AskMessage {
    let (tool, preview) = (&view.context.tool_name, &view.previews.prompt);
    match check.target.as_deref().filter(|_| concerns_mcp(check.source, &check.tool_name)) {
        Some(target) => messages::ask_mcp(frame(view), tool, target, check, preview),
        None => messages::ask_tool(frame(view), tool, check, preview),
    }
}

/// Gate 6 for a shell: every asking unit with its rule, the deciding one first, and the whole command (RES-33).
pub(crate) fn ask_bash(view: &GateView<'_>, shell: &ShellFacts, bash: &BashCheck) -> AskMessage {
    let inner: Vec<Vec<String>> = bash.asking.iter().map(|(unit, _)| inner_commands(shell.program.as_ref(), unit)).collect();
    let units: Vec<AskingUnit<'_>> =
        bash.asking.iter().zip(&inner).map(|((unit, check), inner)| AskingUnit { text: &unit.text, check, inner }).collect();
    let workdir = shell.workdir.as_deref();
    let ask = BashAsk { tool_name: &view.context.tool_name, command: &shell.command, workdir, units: &units };
    messages::ask_bash(frame(view), &ask)
}

/// The commands that run behind a wrapper: the units that stand inside it, right behind it (RES-49, HARD-053).
fn inner_commands(program: Option<&BashProgram>, wrapper: &ShellUnit) -> Vec<String> {
    let Some(program) = program.filter(|_| wrapper.wrapper.is_some()) else { return Vec::new() };
    let behind = program.units.iter().skip_while(|unit| *unit != wrapper).skip(1);
    let inside = |unit: &&ShellUnit| {
        matches!(unit.context, Some(UnitContext::WrappedCommand | UnitContext::InlineProgram)) && unit.restrict_only
    };
    behind.take_while(inside).map(|unit| unit.text.clone()).collect()
}

fn operands<'a>(asking: &'a [(&PathOperand, PermissionCheckResult)]) -> Vec<AskingPath<'a>> {
    asking
        .iter()
        .map(|(operand, check)| AskingPath { path: &operand.path.typed, resolved: operand.path.named_elsewhere(), check })
        .collect()
}
