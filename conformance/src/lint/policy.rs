//! The rules of a policy in the order in which they count, each with the values it matches.

use portcullis_core::host::Platform;
use portcullis_core::policy::surfaces::{family_of, is_path_surface};
use portcullis_core::policy::{Fold, MatchOptions, Pattern, PermissionState, PolicySnapshot, Rule, Ruleset, WithoutHome};

use crate::pattern_set::PatternSet;

/// A rule, ready to be reasoned about.
#[derive(Debug, Clone)]
pub(crate) struct CheckedRule {
    pub(crate) rule: Rule,
    pub(crate) pattern: Pattern,
    pub(crate) set: PatternSet,
    pub(crate) surface: Pattern,
}

impl CheckedRule {
    pub(crate) fn new(rule: &Rule, options: &MatchOptions) -> Self {
        let folds = options.platform == Platform::Windows && is_path_surface(&rule.surface);
        let fold = if folds { Fold::Windows } else { Fold::Exact };
        let without_home = match rule.action {
            PermissionState::Allow => WithoutHome::MatchNothing,
            PermissionState::Ask | PermissionState::Deny => WithoutHome::MatchAnywhere,
        };
        let pattern = Pattern::compile(&rule.pattern, options, fold, without_home);
        Self { set: PatternSet::of(&pattern), pattern, surface: Pattern::prepare(&rule.surface, options), rule: rule.clone() }
    }

    /// Whether questions on this surface reach the rule: by its own name, or by that of its family (HARD-035).
    pub(crate) fn is_on(&self, surface: &str) -> bool {
        self.surface.matches(surface) || family_of(surface).is_some_and(|family| self.surface.matches(family))
    }

    /// Whether the surface is one name and no pattern.
    pub(crate) fn has_plain_surface(&self) -> bool {
        !self.rule.surface.contains(['*', '?', '~', '$'])
    }

    /// Whether the rule decides about paths.
    pub(crate) fn is_about_paths(&self) -> bool {
        is_path_surface(&self.rule.surface)
    }

    /// The pattern in quotes with its answer.
    pub(crate) fn words(&self) -> String {
        format!("`{}` ({})", self.rule.pattern, self.rule.action)
    }

    /// The line of the rule.
    pub(crate) fn line(&self) -> u32 {
        self.rule.location.as_ref().map_or(0, |place| place.line)
    }
}

/// The rules of the files in the order in which they count (RES-04, RES-05).
pub(crate) fn rules_of(snapshot: &PolicySnapshot, home: &str) -> Vec<CheckedRule> {
    let platform = if cfg!(windows) { Platform::Windows } else { Platform::Posix };
    let options = MatchOptions { platform, home: Some(home.to_owned()) };
    let ruleset = Ruleset::compose(&snapshot.scopes, options.clone());
    ruleset.config_rules().iter().map(|rule| CheckedRule::new(rule, &options)).collect()
}
