//! What a person is asked, one function a gate (MSG-005, HARD-053, RES-33). Every function lists its facts and nothing else.

use super::sheet::{AskMessage, Item, Sheet};
use super::words::{FACT_LIMIT, context_words, subject};
use crate::policy::{FloorKind, Origin, PermissionCheckResult};
use crate::report::bounds::bound;
use crate::report::escape::visible;
use crate::report::previews::Preview;
use crate::text::js_trim;

/// What every ask has in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AskFrame<'a> {
    /// The active agent.
    pub agent: Option<&'a str>,
    /// What is broken in the policy, when something is: it is part of the question then (RES-07).
    pub policy_fault: Option<&'a str>,
}

/// One unit of a command that asks (RES-33).
#[derive(Debug, Clone, Copy)]
pub struct AskingUnit<'a> {
    /// Its text.
    pub text: &'a str,
    /// The answer that makes it ask.
    pub check: &'a PermissionCheckResult,
    /// The commands that will really run behind it, when it is a wrapper (HARD-053).
    pub inner: &'a [String],
}

/// One path that asks.
#[derive(Debug, Clone, Copy)]
pub struct AskingPath<'a> {
    /// The path as typed, or the token.
    pub path: &'a str,
    /// Where it leads, when elsewhere (GATE-014).
    pub resolved: Option<&'a str>,
    /// The answer that makes it ask.
    pub check: &'a PermissionCheckResult,
}

/// A shell command that asks.
#[derive(Debug, Clone, Copy)]
pub struct BashAsk<'a> {
    /// The invoked tool: `bash` or an alias.
    pub tool_name: &'a str,
    /// The whole command.
    pub command: &'a str,
    /// The directory that an alias starts it in.
    pub workdir: Option<&'a str>,
    /// Every unit that asks, the deciding one first.
    pub units: &'a [AskingUnit<'a>],
}

/// Gate 6, a tool.
pub fn ask_tool(frame: AskFrame<'_>, tool_name: &str, check: &PermissionCheckResult, preview: &Preview) -> AskMessage {
    let mut sheet = sheet(frame, &format!("to use the tool '{}'", name(tool_name)));
    sheet.fact("Rule", rule(check));
    input(&mut sheet, preview);
    sheet.finish()
}

/// Gate 6, an MCP call whose target is known.
pub fn ask_mcp(
    frame: AskFrame<'_>,
    tool_name: &str,
    target: &str,
    check: &PermissionCheckResult,
    preview: &Preview,
) -> AskMessage {
    let mut sheet = sheet(frame, &format!("to call an MCP server with the tool '{}'", name(tool_name)));
    sheet.fact("Target", Item::new(target));
    sheet.fact("Rule", rule(check));
    input(&mut sheet, preview);
    sheet.finish()
}

/// Gate 6, a shell command.
pub fn ask_bash(frame: AskFrame<'_>, ask: &BashAsk<'_>) -> AskMessage {
    let mut sheet = sheet(frame, &format!("to run a shell command with the tool '{}'", name(ask.tool_name)));
    if let Some(workdir) = ask.workdir {
        sheet.fact("Starts in", Item::new(workdir));
    }
    match ask.units {
        [only] if js_trim(only.text) == js_trim(ask.command) => sheet.fact("Rule", inner_of(rule(only.check), only)),
        units => sheet.list(
            "Asks",
            units.iter().map(|unit| inner_of(Item::new(unit.text), unit).detail("rule", rule_words(unit.check))).collect(),
        ),
    }
    sheet.command(js_trim(ask.command));
    sheet.finish()
}

/// Gate 2: the path, and the operands of a search that ask beside it (RES-22).
pub fn ask_path(frame: AskFrame<'_>, tool_name: &str, paths: &[AskingPath<'_>]) -> AskMessage {
    let mut sheet = sheet(frame, &format!("to access a path with the tool '{}'", name(tool_name)));
    sheet.list("Path", paths.iter().map(path_item).collect());
    sheet.finish()
}

/// Gate 3.
pub fn ask_external_directory(frame: AskFrame<'_>, tool_name: &str, paths: &[AskingPath<'_>], cwd: &str) -> AskMessage {
    let mut sheet = sheet(frame, &format!("to leave the working directory with the tool '{}'", name(tool_name)));
    sheet.list("Path", paths.iter().map(path_item).collect());
    sheet.fact("Working directory", Item::new(cwd));
    sheet.finish()
}

/// Gate 4.
pub fn ask_bash_external_directory(
    frame: AskFrame<'_>,
    tool_name: &str,
    command: &str,
    cwd: &str,
    paths: &[AskingPath<'_>],
) -> AskMessage {
    let headline = format!("to leave the working directory by a shell command with the tool '{}'", name(tool_name));
    let mut sheet = sheet(frame, &headline);
    sheet.list("Outside", paths.iter().map(path_item).collect());
    sheet.fact("Working directory", Item::new(cwd));
    sheet.command(js_trim(command));
    sheet.finish()
}

/// Gate 5.
pub fn ask_bash_path(frame: AskFrame<'_>, tool_name: &str, command: &str, paths: &[AskingPath<'_>]) -> AskMessage {
    let mut sheet = sheet(frame, &format!("to access a path by a shell command with the tool '{}'", name(tool_name)));
    sheet.list("Path", paths.iter().map(path_item).collect());
    sheet.command(js_trim(command));
    sheet.finish()
}

/// Gate 1: a file of a skill; `command` is the whole one when a shell command reaches for it (GATES-D06).
pub fn ask_skill_read(frame: AskFrame<'_>, tool_name: &str, skill: &str, path: &str, command: Option<&str>) -> AskMessage {
    let mut sheet = sheet(frame, &format!("to read a file of a skill with the tool '{}'", name(tool_name)));
    sheet.fact("Skill", Item::new(skill));
    sheet.fact("Path", Item::new(path));
    if let Some(command) = command {
        sheet.command(js_trim(command));
    }
    sheet.finish()
}

/// A typed skill.
pub fn ask_skill_input(frame: AskFrame<'_>, skill: &str, check: &PermissionCheckResult) -> AskMessage {
    let mut sheet = sheet(frame, "to use a skill");
    sheet.fact("Skill", Item::new(skill));
    sheet.fact("Rule", rule(check));
    sheet.finish()
}

fn sheet(frame: AskFrame<'_>, asks: &str) -> Sheet {
    let mut sheet = Sheet::new(format!("{} asks {asks}.", subject(frame.agent)));
    if let Some(fault) = frame.policy_fault {
        sheet.fact("Policy is broken", Item::new(fault));
    }
    sheet
}

/// The longest tool name in a headline, in characters.
const NAME_LIMIT: usize = 200;

fn name(tool_name: &str) -> String {
    bound(&visible(tool_name), NAME_LIMIT)
}

fn input(sheet: &mut Sheet, preview: &Preview) {
    if !preview.text.is_empty() {
        sheet.fact("Input", Item::new(preview.text.as_str()).in_full(preview.full.clone()));
    }
}

/// A path, where it leads when elsewhere, and the rule that asks.
fn path_item(path: &AskingPath<'_>) -> Item {
    let item = Item::new(path.path);
    let item = match path.resolved {
        Some(resolved) => item.detail("leads to", resolved),
        None => item,
    };
    item.detail("rule", rule_words(path.check))
}

/// The commands that a wrapper runs, behind the item that shows the wrapper.
fn inner_of(item: Item, unit: &AskingUnit<'_>) -> Item {
    unit.inner.iter().fold(item, |item, inner| item.detail("runs", inner.as_str()))
}

fn rule(check: &PermissionCheckResult) -> Item {
    Item::new(rule_words(check))
}

/// Which rule asks, in words: pattern, surface and origin; what a floor means; that there is none (MSG-006).
fn rule_words(check: &PermissionCheckResult) -> String {
    let mut words = match (check.matched_pattern.as_deref(), check.floor) {
        (Some(pattern), Some(floor)) => format!("{}: {}", bound(&visible(pattern), FACT_LIMIT), floor_words(floor)),
        (Some(pattern), None) => {
            let surface = check.rule_surface.as_deref().unwrap_or(&check.tool_name);
            format!("'{}' on {}, {}", bound(&visible(pattern), FACT_LIMIT), bound(&visible(surface), FACT_LIMIT), check.origin)
        }
        (None, Some(floor)) => format!("{}: {}", floor, floor_words(floor)),
        (None, None) => "no rule decides, so it is asked".to_owned(),
    };
    if check.origin == Origin::FailClosed {
        words.push_str("; raised because a policy file is broken");
    }
    if let Some(context) = check.command_context {
        words.push_str(&format!("; inside: {}", context_words(context)));
    }
    words
}

/// What a floor says about the call (section 6, "Floors").
fn floor_words(floor: FloorKind) -> &'static str {
    match floor {
        FloorKind::UnparseableBashCommand => "the gate found no command in this text",
        FloorKind::OpaqueBashWrapper => "it runs program text that arrives as data",
        FloorKind::IndirectionBashWrapper => "it runs another program",
        FloorKind::UnparsedBashSubtree => "a part of it could not be read",
        FloorKind::DangerousBashOption => "an option of it writes files or runs programs",
        FloorKind::LoaderVariable => "a variable in front of it may load code",
        FloorKind::ComputedCommandWord => "its program is computed only when it runs",
        FloorKind::UnknownDirectory => "its directory is not known",
        FloorKind::AnalysisBound => "it is too large to be read whole",
        FloorKind::ProtectedPath => "the path belongs to the gate's own rules or runs code later",
    }
}

#[cfg(test)]
mod tests;
