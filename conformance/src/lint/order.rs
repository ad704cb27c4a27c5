//! Rules that decide nothing because later ones match all that they do: the last match wins (RULE-012).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::catalogue as lints;
use super::policy::CheckedRule;
use super::{Finding, place_at};
use crate::pattern_set::{Answer, AnyText, PatternSet, Search};
use crate::source::{Place, SourceFile};

/// How much work one rule is worth.
const BUDGET: usize = 200_000;

/// Who matches all that a rule does.
enum Cover {
    /// One later rule.
    One(usize),
    /// Several together; the last of them.
    Several(usize),
}

pub(super) fn findings(source: &Arc<SourceFile>, rules: &[CheckedRule]) -> (Vec<Finding>, usize) {
    let mut later = Later::default();
    let mut found = Vec::new();
    let mut undecided = 0;
    for (at, rule) in rules.iter().enumerate().rev() {
        match later.cover(rules, rule) {
            Ok(Some(cover)) => found.extend(finding(source, rules, rule, &cover)),
            Ok(None) => {}
            Err(Undecided) => undecided += 1,
        }
        later.add(at, rule);
    }
    (found, undecided)
}

/// For each rule the later one because of which it never decides (the last, when it takes several).
pub(crate) fn shadows(rules: &[CheckedRule]) -> Vec<Option<usize>> {
    let mut later = Later::default();
    let mut found = vec![None; rules.len()];
    for (at, rule) in rules.iter().enumerate().rev() {
        if let (Ok(Some(Cover::One(by) | Cover::Several(by))), Some(place)) = (later.cover(rules, rule), found.get_mut(at)) {
            *place = Some(by);
        }
        later.add(at, rule);
    }
    found
}

struct Undecided;

/// The rules behind the one that is looked at, by surface and by what their values begin with.
#[derive(Default)]
struct Later {
    surfaces: Vec<(Arc<str>, Heads)>,
    /// Which of them reach all of a surface.
    covering: HashMap<Arc<str>, (usize, Vec<usize>)>,
}

#[derive(Default)]
struct Heads {
    first: Option<usize>,
    by_head: BTreeMap<String, Vec<usize>>,
}

impl Heads {
    /// Rules that may match this very text.
    fn before<'h>(&'h self, text: &'h str) -> impl Iterator<Item = usize> + 'h {
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        ends.filter_map(|end| self.by_head.get(text.get(..end)?)).flatten().copied()
    }

    /// Rules that may match a text with this beginning.
    fn near<'h>(&'h self, head: &'h str) -> impl Iterator<Item = usize> + 'h {
        let longer = self.by_head.range(head.to_owned()..).take_while(move |(key, _)| key.starts_with(head));
        let shorter = head.char_indices().filter_map(|(at, _)| self.by_head.get(head.get(..at)?)).flatten().copied();
        shorter.chain(longer.flat_map(|(_, rules)| rules.iter().copied()))
    }
}

impl Later {
    fn add(&mut self, at: usize, rule: &CheckedRule) {
        let known = self.surfaces.iter().position(|(surface, _)| *surface == rule.rule.surface);
        let group = known.unwrap_or_else(|| {
            self.surfaces.push((Arc::clone(&rule.rule.surface), Heads::default()));
            self.surfaces.len() - 1
        });
        if let Some((_, heads)) = self.surfaces.get_mut(group) {
            heads.first.get_or_insert(at);
            heads.by_head.entry(rule.set.head()).or_default().push(at);
        }
    }

    /// The groups whose surface reaches every question that the rule's own surface does.
    fn groups(&mut self, rules: &[CheckedRule], rule: &CheckedRule) -> Vec<usize> {
        let known = self.surfaces.len();
        let entry = self.covering.entry(Arc::clone(&rule.rule.surface)).or_insert((0, Vec::new()));
        for group in entry.0..known {
            let other = self.surfaces.get(group).and_then(|(_, heads)| rules.get(heads.first?));
            if other.is_some_and(|other| covers_surface(other, rule)) {
                entry.1.push(group);
            }
        }
        entry.0 = known;
        entry.1.clone()
    }

    fn cover(&mut self, rules: &[CheckedRule], rule: &CheckedRule) -> Result<Option<Cover>, Undecided> {
        let groups = self.groups(rules, rule);
        let heads: Vec<&Heads> = groups.iter().filter_map(|group| self.surfaces.get(*group)).map(|(_, heads)| heads).collect();
        let matching = |sample: &String| -> Vec<usize> {
            let near = heads.iter().flat_map(|heads| heads.before(sample));
            near.filter(|at| rules.get(*at).is_some_and(|other| other.pattern.matches(sample))).collect()
        };
        let samples: Vec<Vec<usize>> = rule.set.samples().iter().map(matching).collect();
        if samples.is_empty() || samples.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let Some((first, rest)) = samples.split_first() else { return Ok(None) };
        let mut singles: Vec<usize> = first.iter().copied().filter(|at| rest.iter().all(|other| other.contains(at))).collect();
        singles.sort_unstable();
        for at in singles.iter().rev() {
            if let Some(other) = rules.get(*at)
                && left(rule, vec![&other.set])? == Answer::None
            {
                return Ok(Some(Cover::One(*at)));
            }
        }
        let head = rule.set.head();
        let mut near: Vec<usize> = heads.iter().flat_map(|heads| heads.near(&head)).collect();
        near.sort_unstable();
        let sets: Vec<&PatternSet> = near.iter().filter_map(|at| rules.get(*at)).map(|other| &other.set).collect();
        Ok(match left(rule, sets)? {
            Answer::None => near.last().map(|at| Cover::Several(*at)),
            _ => None,
        })
    }
}

fn left(rule: &CheckedRule, over: Vec<&PatternSet>) -> Result<Answer, Undecided> {
    let all = PatternSet::everything();
    let search = Search { target: &rule.set, over, last_of: vec![(&all, true)], shape: &AnyText, budget: BUDGET };
    match search.find() {
        Answer::Undecided => Err(Undecided),
        answer => Ok(answer),
    }
}

/// Whether every question that reaches one rule by its surface reaches the other, too.
fn covers_surface(wide: &CheckedRule, narrow: &CheckedRule) -> bool {
    if wide.rule.surface == narrow.rule.surface {
        return true;
    }
    if narrow.has_plain_surface() {
        return wide.is_on(&narrow.rule.surface);
    }
    let (wide, narrow) = (PatternSet::of(&wide.surface), PatternSet::of(&narrow.surface));
    let all = PatternSet::everything();
    let search = Search { target: &narrow, over: vec![&wide], last_of: vec![(&all, true)], shape: &AnyText, budget: BUDGET };
    search.find() == Answer::None
}

fn finding(source: &Arc<SourceFile>, rules: &[CheckedRule], rule: &CheckedRule, cover: &Cover) -> Option<Finding> {
    let (Cover::One(at) | Cover::Several(at)) = cover;
    let other = rules.get(*at)?;
    let place = rule.rule.location.as_ref().map_or(Place::START, |place| place_at(source, place.line, place.column));
    let on = if other.rule.surface == rule.rule.surface { String::new() } else { format!(" on `{}`", other.rule.surface) };
    let (words, theirs, line) = (rule.words(), other.words(), other.line());
    let (lint, message, help) = match cover {
        Cover::Several(_) => (
            &lints::DEAD_RULE,
            format!(
                "{words} never decides: the rules behind it match all that it does, the last of them {theirs}{on} in line {line}"
            ),
            "the last matching rule wins: move it behind them, or drop it".to_owned(),
        ),
        // It makes words of commands paths, which the other does not (RULE-023).
        Cover::One(_) if other.rule.action == rule.rule.action && rule.rule.promotes_words() && !other.rule.promotes_words() => {
            return None;
        }
        Cover::One(_) if other.rule.action == rule.rule.action => (
            &lints::REPEATED_RULE,
            format!("{words} adds nothing: {theirs}{on} in line {line} matches all that it does"),
            "drop it".to_owned(),
        ),
        Cover::One(_) => (
            &lints::WRONG_ORDER,
            format!("{words} never decides: {theirs}{on} in line {line} comes later and matches all that it does"),
            format!("the last matching rule wins: move it below line {line}"),
        ),
    };
    Some(Finding { lint, file: Arc::clone(source), place, message, help: Some(help), ignored: None })
}
