//! A list of rules that can be asked for its last match: rules are grouped by the text of their surface, and each group keeps
//! its patterns in an index. Places in the list decide (RULE-012); the universal default stands at place 0 and always applies.
//!
//! This file knows how to look up, not in which order rules belong ([`compose`](super::compose)) nor what an answer means.

use std::sync::Arc;

use hashbrown::HashMap;

use super::index::PatternIndex;
use super::rule::{PermissionState, Rule};
use super::surfaces::is_path_surface;
use super::wildcard::{Fold, MatchOptions, Pattern, WithoutHome, fold_value};
use crate::host::Platform;

/// Rules in the order in which they count, with their indexes.
#[derive(Debug, Clone)]
pub(crate) struct RuleList {
    /// The universal default (RULE-009), place 0.
    default: Rule,
    /// Default, baseline, config.
    rules: Vec<Rule>,
    groups: Vec<Group>,
    /// The surfaces of the groups as patterns.
    surfaces: PatternIndex,
}

/// All rules whose surface is written alike.
#[derive(Debug, Clone)]
struct Group {
    exact: PatternIndex,
    /// For questions on path surfaces where case does not count (RULE-007).
    folded: Option<PatternIndex>,
}

/// Where to look for one value: the groups of one or more surfaces, with the value as they need it.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    groups: Vec<u32>,
    fold: Fold,
    /// The values as asked.
    values: Vec<String>,
    /// The values as compared.
    compared: Vec<String>,
}

/// A rule that decided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'l> {
    pub(crate) rule: &'l Rule,
    /// Which probe, and which of its values: the first that the rule applies to.
    pub(crate) probe: usize,
    pub(crate) value: usize,
}

impl RuleList {
    /// Indexes the rules that follow the universal default.
    pub(crate) fn build(default: Rule, rest: Vec<Rule>, options: &MatchOptions) -> Self {
        let rules: Vec<Rule> = std::iter::once(default.clone()).chain(rest).collect();
        let mut by_surface: HashMap<Arc<str>, usize> = HashMap::new();
        let mut members: Vec<(Arc<str>, Vec<u32>)> = Vec::new();
        for (place, rule) in (0..).zip(&rules).skip(1) {
            let at = *by_surface.entry(Arc::clone(&rule.surface)).or_insert_with(|| {
                members.push((Arc::clone(&rule.surface), Vec::new()));
                members.len() - 1
            });
            if let Some((_, places)) = members.get_mut(at) {
                places.push(place);
            }
        }
        let index = |places: &[u32], fold| {
            PatternIndex::build(places.iter().filter_map(|place| {
                let rule = rules.get(*place as usize)?;
                Some((*place, prepare(rule, options, fold)))
            }))
        };
        let folds = options.platform == Platform::Windows;
        let groups = members
            .iter()
            .map(|(_, places)| Group { exact: index(places, Fold::Exact), folded: folds.then(|| index(places, Fold::Windows)) })
            .collect();
        // Surface names are compared exactly on every platform (RULE-007).
        let surfaces = (0..).zip(&members).map(|(number, (surface, _))| (number, Pattern::prepare(surface, options)));
        let surfaces = PatternIndex::build(surfaces);
        Self { default, rules, groups, surfaces }
    }

    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(crate) fn rule(&self, place: u32) -> Option<&Rule> {
        self.rules.get(place as usize)
    }

    /// The universal default (RULE-009).
    pub(crate) fn default_rule(&self) -> &Rule {
        &self.default
    }

    /// Prepares a look-up of values on surfaces: a rule applies when its surface matches one of these names. Case folds when
    /// the first of them, the one asked, is a path surface.
    pub(crate) fn probe(&self, surfaces: &[&str], values: Vec<String>, options: &MatchOptions) -> Probe {
        let mut groups: Vec<u32> = surfaces.iter().flat_map(|surface| self.surfaces.all_matches(surface)).collect();
        groups.sort_unstable();
        groups.dedup();
        let folds = options.platform == Platform::Windows && surfaces.first().is_some_and(|name| is_path_surface(name));
        let fold = if folds { Fold::Windows } else { Fold::Exact };
        let compared = if folds { values.iter().map(|value| fold_value(value)).collect() } else { values.clone() };
        Probe { groups, fold, values, compared }
    }

    /// The last accepted rule that applies to any value of any probe; `None`: only the universal default does.
    pub(crate) fn last_match(&self, probes: &[Probe], accept: impl Fn(&Rule) -> bool) -> Option<Found<'_>> {
        let accept = |place| self.rule(place).is_some_and(&accept);
        let mut best = None;
        for probe in probes {
            for index in probe.groups.iter().filter_map(|group| self.index(*group, probe.fold)) {
                for value in &probe.compared {
                    best = index.last_match(value, best, accept).or(best);
                }
            }
        }
        let place = best?;
        let (probe, value) = self.first_value(probes, place)?;
        Some(Found { rule: self.rule(place)?, probe, value })
    }

    /// The first probe and value that the rule at a place applies to (RULE-014, RULE-019).
    pub(crate) fn first_value(&self, probes: &[Probe], place: u32) -> Option<(usize, usize)> {
        probes.iter().enumerate().find_map(|(number, probe)| {
            let pattern = probe.groups.iter().filter_map(|group| self.index(*group, probe.fold)?.pattern(place)).next()?;
            let value = probe.compared.iter().position(|value| pattern.matches(value))?;
            Some((number, value))
        })
    }

    /// The places of all rules on the surfaces of the probes, latest first, the default left out.
    pub(crate) fn places(&self, probes: &[Probe]) -> Vec<u32> {
        let mut places: Vec<u32> = probes
            .iter()
            .flat_map(|probe| probe.groups.iter().filter_map(|group| self.index(*group, probe.fold)))
            .flat_map(|index| index.latest_first().map(|(place, _)| place))
            .collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        places.dedup();
        places
    }

    /// The texts of all patterns on a probe's surfaces, as written and as prepared.
    pub(crate) fn pattern_texts<'s>(&'s self, probe: &'s Probe) -> impl Iterator<Item = (String, Option<String>)> + 's {
        let indexes = probe.groups.iter().filter_map(|group| self.index(*group, probe.fold));
        indexes
            .flat_map(PatternIndex::latest_first)
            .filter_map(|(place, pattern)| Some((self.rule(place)?.pattern.to_string(), pattern.as_text())))
    }

    fn index(&self, group: u32, fold: Fold) -> Option<&PatternIndex> {
        let group = self.groups.get(group as usize)?;
        match fold {
            Fold::Exact => Some(&group.exact),
            Fold::Windows => group.folded.as_ref(),
        }
    }
}

impl Probe {
    /// One of the values as asked.
    pub(crate) fn value(&self, at: usize) -> Option<&str> {
        self.values.get(at).map(String::as_str)
    }

    /// The same surfaces with other values.
    pub(crate) fn with_values(&self, values: Vec<String>) -> Self {
        let compared = match self.fold {
            Fold::Exact => values.clone(),
            Fold::Windows => values.iter().map(|value| fold_value(value)).collect(),
        };
        Self { groups: self.groups.clone(), fold: self.fold, values, compared }
    }

    /// One probe a value, in order.
    pub(crate) fn one_by_one(&self) -> impl Iterator<Item = Self> + '_ {
        self.values.iter().map(|value| self.with_values(vec![value.clone()]))
    }
}

/// A rule's pattern, ready to match. Only an allow is lost without a home (POLICY-D10).
pub(crate) fn prepare(rule: &Rule, options: &MatchOptions, fold: Fold) -> Pattern {
    let without_home = match rule.action {
        PermissionState::Allow => WithoutHome::MatchNothing,
        PermissionState::Ask | PermissionState::Deny => WithoutHome::MatchAnywhere,
    };
    Pattern::compile(&rule.pattern, options, fold, without_home)
}
