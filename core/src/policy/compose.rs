//! The order of rules. [`in_order`] is ours: scopes laid end to end (RES-04, HARD-061), a member's own entries behind those of
//! its family inside one scope (RES-05). [`merged_by_key`] is what the package makes of the same files (CFG-007, CFG-021,
//! CFG-022): nothing is decided by it, it only tells the trace where our order was the stricter one.

use std::sync::Arc;

use hashbrown::HashMap;

use super::rule::{Layer, Origin, PermissionState, Rule, RuleLocation};
use super::scope::{LoadedScope, ScopeStatus};
use super::surfaces::family_of;
use super::wildcard::{MatchOptions, Pattern};

/// Allows that come with MCP use (RULE-010).
const MCP_BASELINE: [&str; 5] = ["mcp_status", "mcp_list", "mcp_search", "mcp_describe", "mcp_connect"];

/// Default, baseline, then the scopes (RULE-011, RES-04).
pub(crate) fn in_order(scopes: &[LoadedScope], options: &MatchOptions) -> Composed {
    let config: Vec<Rule> = scopes.iter().flat_map(|scope| members_behind_families(&scope.rules, options)).collect();
    with_head(default_rule(last_default(scopes)), config)
}

/// The last plain state of the key `*`; a broken file's ask does not take the place of an earlier deny (RES-06).
fn last_default(scopes: &[LoadedScope]) -> Option<(&LoadedScope, &(PermissionState, RuleLocation))> {
    let mut written = scopes.iter().rev().filter_map(|scope| Some((scope, scope.default.as_ref()?)));
    let last = written.next()?;
    if last.0.status != ScopeStatus::Broken || last.1.0 != PermissionState::Ask {
        return Some(last);
    }
    let before = written.find(|(scope, _)| scope.status != ScopeStatus::Broken);
    Some(before.filter(|(_, (state, _))| *state == PermissionState::Deny).unwrap_or(last))
}

/// The universal default, and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Composed {
    pub(crate) default: Rule,
    pub(crate) rest: Vec<Rule>,
}

fn with_head(default: Rule, config: Vec<Rule>) -> Composed {
    let uses_mcp = config.iter().any(|rule| &*rule.surface == "mcp" && rule.action == PermissionState::Allow);
    let baseline = if uses_mcp { MCP_BASELINE.as_slice() } else { &[] };
    let baseline = baseline.iter().map(|name| Rule {
        surface: Arc::from("mcp"),
        pattern: Arc::from(*name),
        action: PermissionState::Allow,
        reason: None,
        layer: Layer::Baseline,
        origin: Origin::Baseline,
        location: None,
    });
    Composed { default, rest: baseline.chain(config).collect() }
}

/// The universal default (RULE-009): ask, unless a scope says otherwise.
fn default_rule(written: Option<(&LoadedScope, &(PermissionState, RuleLocation))>) -> Rule {
    Rule {
        surface: Arc::from("*"),
        pattern: Arc::from("*"),
        action: written.map_or(PermissionState::Ask, |(_, (state, _))| *state),
        reason: None,
        layer: Layer::Default,
        origin: written.map_or(Origin::Builtin, |(scope, _)| scope.scope.into()),
        location: written.map(|(_, (_, location))| location.clone()),
    }
}

/// RES-05: an entry whose key is a member's name moves behind the last entry of its scope whose key matches the family;
/// nothing else moves, and moved entries keep their order.
fn members_behind_families(rules: &[Rule], options: &MatchOptions) -> Vec<Rule> {
    let last_of = |family: &str| rules.iter().rposition(|rule| Pattern::prepare(&rule.surface, options).matches(family));
    let mut ordered: Vec<((usize, bool, usize), &Rule)> = Vec::with_capacity(rules.len());
    let mut lasts: Vec<(&str, Option<usize>)> = Vec::new();
    for (at, rule) in rules.iter().enumerate() {
        let mut key = (at, false, at);
        if let Some(family) = family_of(&rule.surface) {
            let known = lasts.iter().find(|(name, _)| *name == family).map(|(_, last)| *last);
            let last = known.unwrap_or_else(|| {
                let last = last_of(family);
                lasts.push((family, last));
                last
            });
            if let Some(last) = last.filter(|last| *last > at) {
                key = (last, true, at);
            }
        }
        ordered.push((key, rule));
    }
    ordered.sort_by_key(|(key, _)| *key);
    ordered.into_iter().map(|(_, rule)| rule.clone()).collect()
}

/// Whether the package could make another list of these scopes at all; most policies are one file without numbers.
pub(crate) fn order_may_differ(scopes: &[LoadedScope]) -> bool {
    let speaks = |scope: &&LoadedScope| !scope.rules.is_empty() || !scope.shapes.is_empty() || scope.default.is_some();
    let speaking = || scopes.iter().filter(speaks);
    speaking().count() > 1
        || speaking().any(|scope| scope.status == ScopeStatus::Broken)
        || speaking()
            .flat_map(|scope| &scope.rules)
            .any(|rule| array_index(&rule.surface).is_some() || array_index(&rule.pattern).is_some())
}

/// One surface of the merged policy: a plain state, or patterns in order.
enum Merged {
    Plain(Rule),
    Patterns(Ordered<Rule>),
}

/// The package's list: a broken file adds nothing (CFG-008), a key keeps the place it first had (CFG-022), numbers come first
/// (CFG-007).
pub(crate) fn merged_by_key(scopes: &[LoadedScope]) -> Composed {
    let usable: Vec<&LoadedScope> = scopes.iter().filter(|scope| scope.status == ScopeStatus::Ok).collect();
    let mut surfaces: Ordered<Merged> = Ordered::default();
    for scope in &usable {
        for (surface, written) in surfaces_of(scope).entries {
            match (surfaces.get_mut(&surface), written) {
                (Some(Merged::Patterns(known)), Merged::Patterns(added)) => {
                    for (pattern, rule) in added.entries {
                        known.set(pattern, rule);
                    }
                }
                (_, written) => surfaces.set(surface, written),
            }
        }
    }
    let config = surfaces.numbers_first().flat_map(|merged| match merged {
        Merged::Plain(rule) => vec![rule],
        Merged::Patterns(patterns) => patterns.numbers_first().collect(),
    });
    let default = usable.iter().rev().find_map(|scope| Some((*scope, scope.default.as_ref()?)));
    with_head(default_rule(default), config.collect())
}

/// A scope's surfaces with what is written under each, in file order.
fn surfaces_of(scope: &LoadedScope) -> Ordered<Merged> {
    let mut surfaces: Ordered<Merged> = Ordered::default();
    let mut plain: HashMap<&str, bool> = HashMap::new();
    for rule in &scope.rules {
        // Without a noted shape: plain is the only rule of its surface, for everything.
        let first = !plain.contains_key(&*rule.surface);
        plain.insert(&rule.surface, first && &*rule.pattern == "*");
    }
    for shape in scope.shapes.iter().filter(|shape| &*shape.surface != "*") {
        plain.insert(&shape.surface, shape.plain);
        if !shape.plain {
            surfaces.set(Arc::clone(&shape.surface), Merged::Patterns(Ordered::default()));
        }
    }
    for rule in &scope.rules {
        if plain.get(&*rule.surface).copied().unwrap_or(false) {
            surfaces.set(Arc::clone(&rule.surface), Merged::Plain(rule.clone()));
            continue;
        }
        if surfaces.get_mut(&rule.surface).is_none() {
            surfaces.set(Arc::clone(&rule.surface), Merged::Patterns(Ordered::default()));
        }
        if let Some(Merged::Patterns(patterns)) = surfaces.get_mut(&rule.surface) {
            patterns.set(Arc::clone(&rule.pattern), rule.clone());
        }
    }
    if !scope.shapes.is_empty() {
        // Maps were entered before plain states; the file's own order is what counts.
        let places: HashMap<&str, usize> = scope.shapes.iter().enumerate().map(|(at, shape)| (&*shape.surface, at)).collect();
        surfaces.entries.sort_by_key(|(surface, _)| places.get(&**surface).copied());
    }
    surfaces
}

/// A map that keeps the order of insertion; a key that is set again keeps its place.
struct Ordered<T> {
    entries: Vec<(Arc<str>, T)>,
    places: HashMap<Arc<str>, usize>,
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: HashMap::new() }
    }
}

impl<T> Ordered<T> {
    fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        let at = *self.places.get(key)?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    fn set(&mut self, key: Arc<str>, value: T) {
        match self.get_mut(&key) {
            Some(known) => *known = value,
            None => {
                self.places.insert(Arc::clone(&key), self.entries.len());
                self.entries.push((key, value));
            }
        }
    }

    /// The values, those under array indexes first, ascending (CFG-007).
    fn numbers_first(mut self) -> impl Iterator<Item = T> {
        self.entries.sort_by_key(|(key, _)| array_index(key).map_or((1, 0), |number| (0, number)));
        self.entries.into_iter().map(|(_, value)| value)
    }
}

fn array_index(key: &str) -> Option<u32> {
    let number: u32 = key.parse().ok().filter(|number| *number < u32::MAX)?;
    (number.to_string() == key).then_some(number)
}

#[cfg(test)]
mod tests;
