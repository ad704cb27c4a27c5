//! The composed list of rules of one agent, and the questions about it that are no call's question: what a tool is as such,
//! whether it is worth showing, which bare words a rule spells.

use super::compose;
use super::index::PatternIndex;
use super::list::{Probe, RuleList, prepare};
use super::promotion;
use super::rule::{Layer, Origin, PermissionState, Rule};
use super::scope::{LoadedScope, ScopeStatus};
use super::surfaces::{FAMILIES, family_of, members_of};
use super::wildcard::{Fold, MatchOptions, Pattern, fold_value};
use crate::host::Platform;
use crate::text::js_trim;

/// All rules of one agent in the order in which they count: default, baseline, then the scopes (RES-04).
///
/// ```
/// use std::sync::Arc;
/// use portcullis_core::policy::*;
///
/// let rule = |surface: &str, pattern: &str, action| Rule {
///     surface: Arc::from(surface),
///     pattern: Arc::from(pattern),
///     action,
///     reason: None,
///     layer: Layer::Config,
///     origin: Origin::Global,
///     location: None,
/// };
/// let mut global = LoadedScope::empty(Scope::Global, "config.json", ScopeStatus::Ok);
/// global.rules = vec![
///     rule("bash", "*", PermissionState::Deny),
///     rule("bash", "git status", PermissionState::Allow),
/// ];
/// let rules = Ruleset::compose(&[global], MatchOptions::default());
///
/// assert_eq!(rules.tool_level_state("bash"), PermissionState::Deny);
/// assert!(!rules.is_hidden("bash"), "`git status` is within reach (HARD-051)");
/// ```
#[derive(Debug, Clone)]
pub struct Ruleset {
    options: MatchOptions,
    list: RuleList,
    /// What the package makes of the same files, when it is another list. For the trace only.
    package: Option<RuleList>,
    promotable: PatternIndex,
    /// Deny and ask patterns on the `path` family that may speak of absolute paths (RES-51).
    absolute: Vec<Pattern>,
    broken: Vec<Origin>,
    rejected_by: Option<&'static str>,
    unread: bool,
}

impl Ruleset {
    /// Lays the scopes end to end (RES-04, RES-05, HARD-061) and prepares every pattern.
    pub fn compose(scopes: &[LoadedScope], options: MatchOptions) -> Self {
        let rules = compose::in_order(scopes, &options);
        let package = compose::order_may_differ(scopes)
            .then(|| compose::merged_by_key(scopes))
            .filter(|merged| *merged != rules)
            .map(|merged| RuleList::build(merged.default, merged.rest, &options));
        let broken: Vec<&LoadedScope> = scopes.iter().filter(|scope| scope.status == ScopeStatus::Broken).collect();
        Self {
            promotable: promotion::matcher(&rules.rest, &options),
            absolute: absolute_restrictions(&rules.rest, &options),
            list: RuleList::build(rules.default, rules.rest, &options),
            package,
            broken: broken.iter().map(|scope| scope.scope.into()).collect(),
            rejected_by: scopes.iter().find_map(|scope| scope.rejected_by),
            unread: scopes.iter().any(|scope| scope.status == ScopeStatus::NotRead),
            options,
        }
    }

    /// The path flavour and home that patterns were prepared with.
    pub fn options(&self) -> &MatchOptions {
        &self.options
    }

    /// The state of a tool as such: its name as surface, the value `*`, over default, baseline and config (RULE-022,
    /// EVT-019). A family gives the stricter of its members (RES-17).
    pub fn tool_level_state(&self, name: &str) -> PermissionState {
        self.probes(js_trim(name), "*").map(|probe| self.state(probe)).max().unwrap_or(PermissionState::Ask)
    }

    /// The rules of the policy files in list order (RULE-024).
    pub fn config_rules(&self) -> &[Rule] {
        let rules = self.list.rules();
        let head = rules.iter().take_while(|rule| rule.layer != Layer::Config).count();
        rules.get(head..).unwrap_or_default()
    }

    /// What answers when no other rule applies: the universal default, as RES-06 leaves it (RULE-009).
    pub fn default_rule(&self) -> &Rule {
        self.list.default_rule()
    }

    /// Every rule in list order: the universal default, the baseline, the policy files' (RULE-011). The last that applies wins.
    pub fn rules(&self) -> &[Rule] {
        self.list.rules()
    }

    /// Whether a rule on the `path` family spells this bare word (RULE-023, RES-17).
    pub fn is_promotable(&self, token: &str) -> bool {
        promotion::is_promotable(&self.promotable, token)
    }

    /// Whether every way into a tool is denied: the value `*`, and each pattern text of the surface evaluated over the whole
    /// list (RES-25, HARD-051).
    pub fn is_hidden(&self, surface: &str) -> bool {
        let denied = |probe: Probe| self.state(probe) == PermissionState::Deny;
        self.probes(js_trim(surface), "*").all(|probe| {
            denied(probe.clone())
                && self.list.pattern_texts(&probe).all(|(written, prepared)| {
                    denied(probe.with_values(vec![written])) && prepared.is_none_or(|text| denied(probe.with_values(vec![text])))
                })
        })
    }

    /// Whether a deny or ask pattern on the `path` family could match the word below a directory that nobody knows (RES-51,
    /// BASH-D16). A pattern that matches the word as it stands is left to the rules themselves.
    pub fn absolute_restriction_could_end_with(&self, word: &str) -> bool {
        let (separator, word) = match self.options.platform {
            Platform::Posix => ('/', word.to_owned()),
            Platform::Windows => ('\\', fold_value(word).replace('/', "\\")),
        };
        let mut below: Vec<&str> = Vec::new();
        for part in word.split(separator).filter(|part| !matches!(*part, "" | ".")) {
            if part == ".." {
                // Above an unknown directory is another unknown one.
                below.pop();
            } else {
                below.push(part);
            }
        }
        let ending: String = below.iter().flat_map(|part| std::iter::once(separator).chain(part.chars())).collect();
        self.absolute.iter().any(|pattern| !pattern.matches(&word) && pattern.could_match_ending_with(&ending))
    }

    pub(crate) fn list(&self) -> &RuleList {
        &self.list
    }

    /// The list that the package would use (its merge by key).
    pub(crate) fn package_list(&self) -> &RuleList {
        self.package.as_ref().unwrap_or(&self.list)
    }

    /// Whether the rule comes from a file that is broken (RES-06).
    pub(crate) fn is_from_broken_scope(&self, rule: &Rule) -> bool {
        rule.layer != Layer::Baseline && self.broken.contains(&rule.origin)
    }

    /// The requirement by which a file is rejected that the package takes.
    pub(crate) fn rejected_by(&self) -> Option<&'static str> {
        self.rejected_by
    }

    /// Whether the project's files were left unread (HARD-011).
    pub(crate) fn has_unread_scopes(&self) -> bool {
        self.unread
    }

    fn probes<'s>(&'s self, name: &'s str, value: &'s str) -> impl Iterator<Item = Probe> + 's {
        let members = members_of(name, None);
        let single = members.is_empty().then_some(name);
        members.iter().copied().chain(single).map(move |name| {
            let names: Vec<&str> = std::iter::once(name).chain(family_of(name)).collect();
            self.list.probe(&names, vec![value.to_owned()], &self.options)
        })
    }

    fn state(&self, probe: Probe) -> PermissionState {
        let found = self.list.last_match(&[probe], |_| true).map(|found| found.rule);
        found.unwrap_or(self.list.default_rule()).action
    }
}

impl Rule {
    /// Whether the rule, with its surface prepared, restricts words below a directory that nobody knows, as far as its pattern
    /// speaks of absolute paths (RES-51). Later allows do not cancel.
    pub fn restricts_unknown_places(&self, surface: &Pattern) -> bool {
        let mut names = FAMILIES.first().into_iter().chain(members_of("path", None));
        self.layer == Layer::Config
            && self.action != PermissionState::Allow
            && !self.is_catch_all()
            && names.any(|name| surface.matches(name))
    }
}

fn absolute_restrictions(rules: &[Rule], options: &MatchOptions) -> Vec<Pattern> {
    let fold = match options.platform {
        Platform::Posix => Fold::Exact,
        Platform::Windows => Fold::Windows,
    };
    rules
        .iter()
        .filter(|rule| rule.restricts_unknown_places(&Pattern::prepare(&rule.surface, options)))
        .map(|rule| prepare(rule, options, fold))
        .filter(Pattern::may_start_absolute)
        .collect()
}

#[cfg(test)]
mod tests;
