//! Two ordered lists of patterns with answers, the last that matches winning: for each kind of change a shortest value.
//!
//! The lists are aligned first. A value whose verdict differs is decided by a rule that only one of the lists has: were both
//! deciding rules in both, then each list would hold both, in one order, and the later would decide in both. So only values of
//! rules outside the alignment are searched, which makes a small change in a long policy cheap, and misses nothing.

use std::collections::BTreeMap;

use portcullis_core::policy::PermissionState;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::pattern_set::{Answer, PatternSet, Search, Shape};

/// How many places one search may look at.
pub(super) const BUDGET: usize = 3_000_000;

/// One rule of a list.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) set: PatternSet,
    /// Cuts searches: what every value begins with.
    head: String,
    pub(crate) state: PermissionState,
}

impl Item {
    pub(crate) fn new(set: PatternSet, state: PermissionState) -> Self {
        Self { head: set.head(), set, state }
    }

    fn may_meet(&self, head: &str) -> bool {
        self.head.starts_with(head) || head.starts_with(self.head.as_str())
    }
}

/// The rules that only one of the lists has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Changed {
    pub(super) old: Vec<usize>,
    pub(super) new: Vec<usize>,
}

impl Changed {
    /// Aligns two lists by what makes rules equal.
    pub(super) fn align<T: Eq + std::hash::Hash + Ord>(old: &[T], new: &[T]) -> Self {
        let mut changed = Self::default();
        for op in capture_diff_slices(Algorithm::Patience, old, new) {
            if !matches!(op, DiffOp::Equal { .. }) {
                changed.old.extend(op.old_range());
                changed.new.extend(op.new_range());
            }
        }
        changed
    }

    pub(super) fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }
}

/// A change: from which answer to which.
pub(super) type Kind = (PermissionState, PermissionState);

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Found {
    /// A shortest value a kind.
    pub(super) values: BTreeMap<Kind, String>,
    /// Kinds for which a search was given up.
    pub(super) undecided: Vec<Kind>,
}

impl Found {
    fn keep(&mut self, kind: Kind, value: String) {
        let key = |text: &str| (text.chars().count(), text.to_owned());
        match self.values.get(&kind) {
            Some(known) if key(known) <= key(&value) => {}
            _ => {
                self.values.insert(kind, value);
            }
        }
    }

    fn give_up(&mut self, kind: Kind) {
        if !self.undecided.contains(&kind) {
            self.undecided.push(kind);
        }
    }
}

/// Where values are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within<'w> {
    pub(super) shape: &'w dyn Shape,
    /// Values that are no business of this search.
    pub(super) without: &'w [PatternSet],
}

/// A shortest value of each kind of change.
pub(super) fn search(old: &[Item], new: &[Item], changed: &Changed, within: Within<'_>) -> Found {
    let mut found = Found::default();
    for at in &changed.old {
        one_rule(old, *at, new, within, &mut found, |mine, theirs| (mine, theirs));
    }
    for at in &changed.new {
        one_rule(new, *at, old, within, &mut found, |mine, theirs| (theirs, mine));
    }
    found
}

/// A shortest value that the last rule of a list allows, and that asks without it.
pub(crate) fn allowed_anew(list: &[Item], shape: &dyn Shape, without: &[PatternSet]) -> Option<String> {
    let (_, before) = list.split_last()?;
    let changed = Changed { old: Vec::new(), new: vec![before.len()] };
    let found = search(before, list, &changed, Within { shape, without });
    found.values.get(&(PermissionState::Ask, PermissionState::Allow)).cloned()
}

/// The values that a rule decides in its own list, and the other list decides otherwise.
fn one_rule(
    own: &[Item],
    at: usize,
    other: &[Item],
    within: Within<'_>,
    found: &mut Found,
    kind: impl Fn(PermissionState, PermissionState) -> Kind,
) {
    let Some(rule) = own.get(at) else { return };
    let later = own.get(at + 1..).unwrap_or_default().iter().filter(|item| item.may_meet(&rule.head));
    let mut over: Vec<&PatternSet> = later.map(|item| &item.set).collect();
    over.extend(within.without);
    let others: Vec<&Item> = other.iter().filter(|item| item.may_meet(&rule.head)).collect();
    for state in PermissionState::ALL.iter().copied().filter(|state| *state != rule.state) {
        let last_of: Vec<(&PatternSet, bool)> = others.iter().map(|item| (&item.set, item.state == state)).collect();
        if !last_of.iter().any(|(_, wanted)| *wanted) {
            continue;
        }
        let search = Search { target: &rule.set, over: over.clone(), last_of, shape: within.shape, budget: BUDGET };
        match search.find() {
            Answer::Witness(value) => found.keep(kind(rule.state, state), value),
            Answer::None => {}
            Answer::Undecided => found.give_up(kind(rule.state, state)),
        }
    }
}

#[cfg(test)]
mod tests {
    use portcullis_core::policy::{MatchOptions, Pattern};
    use proptest::prelude::*;

    use super::*;
    use crate::pattern_set::AnyText;

    type Rules = Vec<(String, PermissionState)>;

    fn items(rules: &Rules) -> (Vec<Item>, Vec<Pattern>) {
        let patterns: Vec<Pattern> = rules.iter().map(|(text, _)| Pattern::prepare(text, &MatchOptions::default())).collect();
        let items = patterns.iter().zip(rules).map(|(pattern, (_, state))| Item::new(PatternSet::of(pattern), *state));
        (items.collect(), patterns)
    }

    /// Every text up to five letters long, the shortest first.
    fn texts() -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..5 {
            last = last.iter().flat_map(|text| ["a", "b", " ", "x"].map(|letter| format!("{text}{letter}"))).collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    fn verdict(rules: &Rules, patterns: &[Pattern], text: &str) -> PermissionState {
        let last = patterns.iter().rposition(|pattern| pattern.matches(text));
        last.map_or(rules[0].1, |at| rules[at].1)
    }

    fn rules() -> impl Strategy<Value = Rules> {
        let state = || prop::sample::select(PermissionState::ALL.to_vec());
        let rule = ("[ab ?*]{0,4}", state());
        (state(), prop::collection::vec(rule, 0..4))
            .prop_map(|(default, rest)| std::iter::once(("*".to_owned(), default)).chain(rest).collect())
    }

    /// Another list, or the same with one rule taken out, put in, or moved.
    fn pairs() -> impl Strategy<Value = (Rules, Rules)> {
        (rules(), rules(), 0..4_usize, any::<prop::sample::Index>()).prop_map(|(old, other, how, place)| {
            let mut new = old.clone();
            match how {
                0 => return (old, other),
                1 if new.len() > 1 => {
                    new.remove(1 + place.index(new.len() - 1));
                }
                2 => new.insert(1 + place.index(new.len()), other[other.len() - 1].clone()),
                _ => new[1..].reverse(),
            }
            (old, new)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        /// A change is found iff trying every text finds one, and no shorter text shows it.
        #[test]
        fn the_search_is_exact((old, new) in pairs()) {
            let ((old_items, old_patterns), (new_items, new_patterns)) = (items(&old), items(&new));
            let changed = Changed::align(&old, &new);
            let found = search(&old_items, &new_items, &changed, Within { shape: &AnyText, without: &[] });
            prop_assert_eq!(&found.undecided, &vec![]);
            let mut tried: BTreeMap<Kind, usize> = BTreeMap::new();
            for text in texts() {
                let kind = (verdict(&old, &old_patterns, &text), verdict(&new, &new_patterns, &text));
                if kind.0 != kind.1 {
                    let length = text.chars().count();
                    tried.entry(kind).and_modify(|known| *known = length.min(*known)).or_insert(length);
                }
            }
            for (kind, value) in &found.values {
                prop_assert_eq!((verdict(&old, &old_patterns, value), verdict(&new, &new_patterns, value)), *kind);
                let length = value.chars().count();
                prop_assert!(length > 5 || tried.get(kind) == Some(&length), "{:?} {:?} {:?}", kind, value, tried);
            }
            for kind in tried.keys() {
                prop_assert!(found.values.contains_key(kind), "{:?} was missed", kind);
            }
        }
    }
}
