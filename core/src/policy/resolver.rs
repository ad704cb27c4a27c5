//! One question, answered (docs/spec/README.md, section 5.1).

use super::grants::GrantSet;
use super::question::{PermissionCheckResult, Question};
use super::rule::{Origin, PermissionState, Source};
use super::ruleset::Ruleset;
use super::trace::QuestionTrace;

/// Answers questions on one snapshot of rules and grants.
#[derive(Debug, Clone, Copy)]
pub struct PermissionResolver<'a> {
    /// The rules, the active agent's files included.
    pub rules: &'a Ruleset,
    /// The rules without the agent's files, when the agent is known from a prompt tag only: the stricter answer counts
    /// (RES-10).
    pub without_tag_agent: Option<&'a Ruleset>,
    /// The grants of this session ([`SessionRules::snapshot`](crate::session::SessionRules::snapshot)).
    pub session: &'a GrantSet,
    /// A policy file is broken (HARD-012).
    pub clamp: bool,
    /// The permissive mode is on (HARD-054).
    pub permissive: bool,
    /// Fill [`QuestionTrace::rules`] (it costs a scan).
    pub detail: bool,
}

impl PermissionResolver<'_> {
    /// Answers one question.
    pub fn resolve(&self, question: &Question) -> PermissionCheckResult {
        PermissionCheckResult {
            tool_name: question.surface.clone(),
            state: PermissionState::Ask,
            reason: None,
            matched_pattern: None,
            source: Source::Default,
            origin: Origin::Builtin,
            command: question.command.clone(),
            target: None,
            command_context: question.command_context,
            rule_surface: None,
            direction: question.direction,
            value: None,
            floor: None,
            from_default: true,
            from_catch_all: true,
            trace: QuestionTrace::default(),
        }
    }
}
