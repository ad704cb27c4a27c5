//! Grants of a session as the resolver needs them: prepared patterns beside their rules (RES-28, HARD-006).

use std::sync::Arc;

use super::rule::{Layer, Origin, PermissionState, Rule};
use super::surfaces::is_path_surface;
use super::wildcard::{Fold, MatchOptions, Pattern, WithoutHome, fold_value};
use crate::host::Platform;

/// Session rules in the order in which they were approved, each with its prepared pattern (SESS-001).
#[derive(Debug, Clone, Default)]
pub struct GrantSet {
    grants: Vec<Grant>,
}

#[derive(Debug, Clone)]
struct Grant {
    rule: Rule,
    pattern: Pattern,
}

impl GrantSet {
    /// No grant at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a yes "for this session".
    pub fn approve(&mut self, surface: &str, pattern: &str, options: &MatchOptions) {
        let fold = if options.platform == Platform::Windows && is_path_surface(surface) { Fold::Windows } else { Fold::Exact };
        self.grants.push(Grant {
            rule: Rule {
                surface: Arc::from(surface),
                pattern: Arc::from(pattern),
                action: PermissionState::Allow,
                reason: None,
                layer: Layer::Session,
                origin: Origin::Session,
                location: None,
            },
            pattern: Pattern::compile(pattern, options, fold, WithoutHome::MatchNothing),
        });
    }

    /// The rules, oldest first.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.grants.iter().map(|grant| &grant.rule)
    }

    /// Whether nothing was granted.
    pub fn is_empty(&self) -> bool {
        self.grants.is_empty()
    }

    /// The grants that cover one of the values on one of the surfaces, latest first, each with the first value it covers.
    pub(crate) fn matching<'g>(
        &'g self,
        surfaces: &'g [&'g str],
        values: &'g [String],
    ) -> impl Iterator<Item = (&'g Rule, &'g str)> + 'g {
        self.grants.iter().rev().filter(move |grant| surfaces.contains(&&*grant.rule.surface)).filter_map(move |grant| {
            let covered = values.iter().find(|value| match grant.pattern.fold() {
                Fold::Exact => grant.pattern.matches(value),
                Fold::Windows => grant.pattern.matches(&fold_value(value)),
            })?;
            Some((&grant.rule, covered.as_str()))
        })
    }
}
