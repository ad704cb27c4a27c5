//! Reasons of blocks, for the agent (MSG-003, MSG-004, MSG-006; RES-38, RES-40, GATES-D22).

use serde_json::Value;

use super::EXTENSION_TAG;
use super::words::{AGENT_LIMIT, FACT_LIMIT, command_fact, fact, qualifier, reason_sentence, subject};
use crate::access::{ToolKind, text_field, tool_kind};
use crate::policy::PermissionCheckResult;
use crate::report::decision::{Cause, DecidedBy, DecidedByKind, DecidedWhere};
use crate::report::denial::{DenialContext, ExternalPathDisclosure};

/// What decided a deny, beside the context: the pattern and the rule's own reason (RES-40).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ruling<'a> {
    /// The pattern as written, or the sentinel.
    pub pattern: Option<&'a str>,
    /// The reason that the rule gives (GATES-D22: on every surface).
    pub reason: Option<&'a str>,
}

impl<'a> From<&'a PermissionCheckResult> for Ruling<'a> {
    fn from(check: &'a PermissionCheckResult) -> Self {
        Self { pattern: check.matched_pattern.as_deref(), reason: check.reason.as_deref() }
    }
}

/// A rule denies (MSG-003, column "deny").
pub fn format_deny_reason(context: &DenialContext, agent: Option<&str>, ruling: Ruling<'_>) -> String {
    let nested = match context {
        DenialContext::Tool { check, .. } => check.command_context,
        _ => None,
    };
    let sentence = match (context, agent) {
        (DenialContext::Tool { check, input }, None) => format!("The policy does not permit {}", tool_object(check, input)),
        _ => format!("{} is not permitted to {}", subject(agent), denied_act(context)),
    };
    format!("{EXTENSION_TAG} {sentence}{}.{}", qualifier(ruling.pattern, nested), reason_sentence(ruling.reason))
}

/// Nobody could be asked (MSG-003, column "unavailable"; RES-38).
pub fn format_unavailable_reason(context: &DenialContext, cause: Option<Cause>) -> String {
    format_unavailable_reason_because(context, cause, None)
}

/// The same with what can be done about it, when anybody knows.
pub fn format_unavailable_reason_because(context: &DenialContext, cause: Option<Cause>, reason: Option<&str>) -> String {
    format!(
        "{EXTENSION_TAG} Approval is needed for {}, but {}. The call was not made.{}",
        asked_object(context),
        cause_words(cause.unwrap_or(Cause::NoAuthority)),
        reason_sentence(reason)
    )
}

/// The person said no (MSG-003, column "user-denied").
pub fn format_user_denied_reason(context: &DenialContext, denial_reason: Option<&str>) -> String {
    format!("{EXTENSION_TAG} The user denied {}.{}", asked_object(context), reason_sentence(denial_reason))
}

/// An ask was not approved: the wording by who decided (RES-38, HARD-048). A failure to reach anyone is never a user's no.
pub fn format_not_approved_reason(context: &DenialContext, decided_by: &DecidedBy, denial_reason: Option<&str>) -> String {
    let reason = denial_reason.or(decided_by.reason.as_deref());
    match decided_by.kind {
        DecidedByKind::User => format_user_denied_reason(context, reason),
        DecidedByKind::Link => {
            let name = fact(decided_by.name.as_deref().unwrap_or("unnamed"), AGENT_LIMIT);
            format!("{EXTENSION_TAG} The authorizer link '{name}' denied {}.{}", asked_object(context), reason_sentence(reason))
        }
        DecidedByKind::Rule if decided_by.where_ == DecidedWhere::Serving => format!(
            "{EXTENSION_TAG} The policy of the serving session does not permit {}{}.{}",
            asked_object(context),
            qualifier(decided_by.pattern.as_deref(), None),
            reason_sentence(reason)
        ),
        DecidedByKind::Nobody | DecidedByKind::Transport => format_unavailable_reason(context, decided_by.cause),
        _ => format!("{EXTENSION_TAG} Approval was not given for {}.{}", asked_object(context), reason_sentence(reason)),
    }
}

/// The gate itself failed (MSG-004). Untagged; the error's text comes last.
///
/// ```
/// use portcullis_core::report::messages::gate_error;
/// assert_eq!(gate_error("boom"), "The permission gate failed and blocked the call (fail-closed): boom");
/// ```
pub fn gate_error(error: &str) -> String {
    let error = fact(error, FACT_LIMIT);
    let error = if error.is_empty() { "unknown error" } else { &error };
    format!("The permission gate failed and blocked the call (fail-closed): {error}")
}

/// The call has the wrong shape (RES-35, RES-36): the fault names the field.
pub fn invalid_call(fault: &str) -> String {
    format!("The call was blocked before any permission check because its input has the wrong shape: {}", fact(fault, FACT_LIMIT))
}

/// What a deny forbids, as the continuation of "is not permitted to".
fn denied_act(context: &DenialContext) -> String {
    match context {
        DenialContext::Tool { check, input } => format!("use {}", tool_object(check, input)),
        DenialContext::Path { tool_name, path_value } => {
            format!("access the path '{}' with the tool '{}'", fact(path_value, FACT_LIMIT), fact(tool_name, FACT_LIMIT))
        }
        DenialContext::ExternalDirectory { tool_name, path_value, resolved_path, cwd } => format!(
            "use the tool '{}' outside the working directory '{}': {}",
            fact(tool_name, FACT_LIMIT),
            fact(cwd, FACT_LIMIT),
            place(path_value, resolved_path.as_deref())
        ),
        DenialContext::BashExternalDirectory { command, external_paths, cwd } => format!(
            "run the command `{}`, which reaches outside the working directory '{}': {}",
            command_fact(command),
            fact(cwd, FACT_LIMIT),
            places(external_paths)
        ),
        DenialContext::BashPath { path_value, tool_name, .. } => {
            format!("access the path '{}' with the tool {}", fact(path_value, FACT_LIMIT), shell_tool(tool_name))
        }
        DenialContext::SkillRead { skill_name, read_path } => {
            format!("read the file '{}' of the skill '{}'", fact(read_path, FACT_LIMIT), fact(skill_name, FACT_LIMIT))
        }
        DenialContext::SkillInput { skill_name } => format!("use the skill '{}'", fact(skill_name, FACT_LIMIT)),
    }
}

/// What was asked about, for the columns "unavailable" and "user-denied".
fn asked_object(context: &DenialContext) -> String {
    match context {
        DenialContext::Tool { check, input } if check.target.is_some() => {
            format!("{} by the tool '{}'", tool_object(check, input), fact(&check.tool_name, FACT_LIMIT))
        }
        DenialContext::Tool { check, input } => tool_object(check, input),
        DenialContext::Path { tool_name, path_value } => {
            format!("access to the path '{}' with the tool '{}'", fact(path_value, FACT_LIMIT), fact(tool_name, FACT_LIMIT))
        }
        DenialContext::ExternalDirectory { tool_name, path_value, resolved_path, .. } => format!(
            "the tool '{}' outside the working directory: {}",
            fact(tool_name, FACT_LIMIT),
            place(path_value, resolved_path.as_deref())
        ),
        DenialContext::BashExternalDirectory { command, external_paths, .. } => format!(
            "the command `{}`, which reaches outside the working directory: {}",
            command_fact(command),
            places(external_paths)
        ),
        DenialContext::BashPath { command, path_value, .. } => {
            format!("access to the path '{}' by the command `{}`", fact(path_value, FACT_LIMIT), command_fact(command))
        }
        DenialContext::SkillRead { skill_name, read_path } => {
            format!("the file '{}' of the skill '{}'", fact(read_path, FACT_LIMIT), fact(skill_name, FACT_LIMIT))
        }
        DenialContext::SkillInput { skill_name } => format!("the skill '{}'", fact(skill_name, FACT_LIMIT)),
    }
}

/// The tool, or the MCP target instead of it, with what was decided about: a non-empty command, the path of a path tool, the
/// skill (RES-40). Nothing else of the input is named (HARD-052).
fn tool_object(check: &PermissionCheckResult, input: &Value) -> String {
    let tool = fact(&check.tool_name, FACT_LIMIT);
    if let Some(target) = &check.target {
        return format!("the MCP target '{}'", fact(target, FACT_LIMIT));
    }
    match check.command.as_deref().filter(|command| !command.is_empty()) {
        Some(command) => format!("the tool '{tool}' for the command `{}`", command_fact(command)),
        None => match tool_subject(&check.tool_name, input) {
            Some((kind, text)) => format!("the tool '{tool}' for the {kind} '{}'", fact(text, FACT_LIMIT)),
            None => format!("the tool '{tool}'"),
        },
    }
}

fn tool_subject<'a>(tool: &str, input: &'a Value) -> Option<(&'static str, &'a str)> {
    match tool_kind(tool) {
        ToolKind::Path => Some(("path", text_field(input, "path").or_else(|| text_field(input, "file_path"))?)),
        ToolKind::Skill => Some(("skill", text_field(input, "name")?)),
        ToolKind::Bash | ToolKind::Mcp | ToolKind::Extension => None,
    }
}

/// `bash`, and the invoked name beside it when it is an alias.
fn shell_tool(tool_name: &str) -> String {
    if tool_name == "bash" { "'bash'".to_owned() } else { format!("'{}' (a bash shell)", fact(tool_name, FACT_LIMIT)) }
}

fn place(path: &str, resolved: Option<&str>) -> String {
    match resolved {
        Some(resolved) => format!("'{}' (leads to '{}')", fact(path, FACT_LIMIT), fact(resolved, FACT_LIMIT)),
        None => format!("'{}'", fact(path, FACT_LIMIT)),
    }
}

fn places(paths: &[ExternalPathDisclosure]) -> String {
    paths.iter().map(|path| place(&path.path, path.resolved_path.as_deref())).collect::<Vec<_>>().join(", ")
}

/// Why nobody answered, as the second half of a sentence. Never a user's no (HARD-048).
fn cause_words(cause: Cause) -> &'static str {
    match cause {
        Cause::NoAuthority => "no interactive user interface is available to ask",
        Cause::NoTarget => "no session with an interactive user interface is known to ask",
        Cause::SelfTarget => "the only session to ask is this one, and it has no interactive user interface",
        Cause::TargetAbsent => "the session to ask is not there",
        Cause::TargetStale => "the session to ask has stopped responding",
        Cause::TargetDead => "the session to ask has ended",
        Cause::Timeout => "the request timed out without an answer",
        Cause::WriteFailed => "the request could not be written",
        Cause::ResponseInvalid => "the answer was not a valid one",
        Cause::InvalidRequest => "the serving session refused the request as invalid",
        Cause::Expired => "the request was too old when it was seen",
        Cause::ServingError => "the serving session failed while it decided",
        Cause::SessionEnded => "the session ended before anybody answered",
    }
}

#[cfg(test)]
mod tests;
