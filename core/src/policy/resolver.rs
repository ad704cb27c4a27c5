//! One question, answered: the seven steps of docs/spec/README.md, section 5.1, in their order and in one place (RES-27).
//!
//! The walk that decides writes its own trace. Step 1 is [`rule_step`](super::rule_step)'s; what the package would have said,
//! and so what is a tightening, is [`tightening`](super::tightening)'s.

mod walk;

use self::walk::Walk;
use super::considered;
use super::grants::GrantSet;
use super::question::{PermissionCheckResult, Question};
use super::rule::{Layer, PermissionState};
use super::rule_step::{Asked, RuleAnswer};
use super::ruleset::Ruleset;
use super::surfaces::members_of;
use super::trace::QuestionTrace;
use crate::text::js_trim;

/// Answers questions on one snapshot of rules and grants.
///
/// ```
/// use portcullis_core::policy::*;
///
/// let rules = Ruleset::compose(&[], MatchOptions::default());
/// let grants = GrantSet::new();
/// let resolver = PermissionResolver {
///     rules: &rules,
///     without_tag_agent: None,
///     session: &grants,
///     clamp: false,
///     permissive: false,
///     permissive_lost: None,
///     detail: false,
/// };
/// let question = Question { surface: "bash".into(), values: vec!["ls".into()], ..Question::default() };
/// let answer = resolver.resolve(&question);
///
/// assert_eq!((answer.state, answer.origin), (PermissionState::Ask, Origin::Builtin), "nobody wrote a rule");
/// ```
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
    /// The requirement by which the permissive mode of the last reload counts no more (RES-11). For the trace only: there it
    /// is still on in the package.
    pub permissive_lost: Option<&'static str>,
    /// Fill [`QuestionTrace::rules`] (it costs a scan).
    pub detail: bool,
}

impl PermissionResolver<'_> {
    /// Answers one question: a family for each member that its direction needs, the stricter answer counts, `_read` on a tie
    /// (RES-17).
    pub fn resolve(&self, question: &Question) -> PermissionCheckResult {
        let surface = js_trim(&question.surface);
        let members = members_of(surface, question.direction);
        let answers = members.iter().map(|member| self.ask(question, member));
        let stricter = |kept: PermissionCheckResult, next: PermissionCheckResult| {
            if next.state > kept.state { next } else { kept }
        };
        answers.reduce(stricter).unwrap_or_else(|| self.ask(question, surface))
    }

    /// The strictest tool-level state of the rules in force (RULE-022, RES-10).
    pub fn tool_level_state(&self, name: &str) -> PermissionState {
        let without = self.without_tag_agent.map(|rules| rules.tool_level_state(name));
        without.into_iter().fold(self.rules.tool_level_state(name), Ord::max)
    }

    /// Whether a tool is not worth showing under the rules in force (RES-25, RES-10).
    pub fn is_hidden(&self, name: &str) -> bool {
        self.rules.is_hidden(name) || self.without_tag_agent.is_some_and(|rules| rules.is_hidden(name))
    }

    fn ask(&self, question: &Question, name: &str) -> PermissionCheckResult {
        let asked = Asked::new(question, name);
        // Step 1: rules.
        let with = RuleAnswer::find(self.rules, &asked);
        let without = self.without_tag_agent.map(|rules| RuleAnswer::find(rules, &asked));
        let tag_state = with.state();
        let (rules, answer) = match (without, self.without_tag_agent) {
            (Some(without), Some(rules)) if without.state() > tag_state => (rules, without),
            _ => (self.rules, with),
        };
        let mut walk = Walk::begin(self, &asked, &answer);
        if answer.state() > tag_state {
            walk.raises.add("POLICY-D16", answer.state(), "agent known from a tag of the prompt");
        }
        walk.steps();
        let Walk { state, layer, source, origin, matched_pattern, value, floor, steps, raises, grant_surface, .. } = walk;
        let dropped = asked.is_path_family() && layer == Some(Layer::Default) && floor.is_none();
        let tightenings = if dropped {
            // The gates stay silent on what only the universal default says of a path (GATE-010).
            Vec::new()
        } else {
            raises.conclude(self, &asked, &answer, tag_state, state)
        };
        let rule = answer.rule;
        let config = layer == Some(Layer::Config);
        PermissionCheckResult {
            tool_name: question.surface.clone(),
            state,
            reason: rule.reason.as_deref().filter(|_| state == PermissionState::Deny).map(str::to_owned),
            matched_pattern,
            source,
            origin,
            command: question.command.clone(),
            target: (asked.trimmed() == "mcp").then(|| value.clone()),
            command_context: question.command_context,
            rule_surface: grant_surface
                .or_else(|| config.then(|| rule.surface.clone()))
                .filter(|surface| &**surface != asked.trimmed()),
            direction: asked.direction,
            value: Some(value.clone()),
            floor,
            from_default: layer == Some(Layer::Default),
            from_catch_all: rule.is_catch_all() && layer != Some(Layer::Session),
            trace: QuestionTrace {
                surface: question.surface.clone(),
                direction: asked.direction,
                values: question.values.clone(),
                further: question.further.iter().map(|(spelling, _)| spelling.clone()).collect(),
                winner: Some(rule.clone()),
                winning_value: Some(answer.value.clone()),
                rules: if self.detail { considered::list(rules, &asked, &answer) } else { Vec::new() },
                steps,
                tightenings,
            },
        }
    }
}

#[cfg(test)]
mod tests;
