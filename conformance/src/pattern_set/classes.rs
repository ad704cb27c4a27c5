//! Which combinations of patterns a value can match at all, each with a shortest value: what falls into one combination is one
//! thing to these patterns.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use portcullis_core::policy::PatternToken;

use super::{LETTERS, PatternSet};

/// One combination: the numbers of the patterns that match, and a shortest value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// In order.
    pub matches: Vec<usize>,
    /// A value that these match and no other does.
    pub example: String,
}

/// Places within the patterns: pattern, alternative, token.
type Places = Vec<(usize, usize, usize)>;

/// Every combination that some text has, the empty text apart; `None` when that takes more work than allowed.
pub fn classes(sets: &[PatternSet], budget: usize) -> Option<Vec<Class>> {
    let starts = sets.iter().enumerate().flat_map(|(set, patterns)| (0..patterns.alternatives.len()).map(move |at| (set, at, 0)));
    let start = close(sets, starts.collect());
    let mut found: HashMap<Vec<usize>, String> = HashMap::new();
    let mut seen: HashSet<Places> = HashSet::new();
    let mut queue: VecDeque<(Places, String)> = VecDeque::from([(start, String::new())]);
    let mut spent = 0_usize;
    while let Some((places, text)) = queue.pop_front() {
        spent = spent.saturating_add(places.len() + text.len() + 1);
        if spent > budget {
            return None;
        }
        if !text.is_empty() {
            let ended = places.iter().filter(|place| token(sets, place).is_none()).map(|(set, ..)| *set);
            let matches: BTreeSet<usize> = ended.collect();
            found.entry(matches.into_iter().collect()).or_insert_with(|| text.clone());
        }
        for (c, next) in moves(sets, &places) {
            if seen.insert(next.clone()) {
                let mut longer = text.clone();
                longer.push(c);
                queue.push_back((next, longer));
            }
        }
    }
    let mut classes: Vec<Class> = found.into_iter().map(|(matches, example)| Class { matches, example }).collect();
    classes.sort_by(|a, b| (a.example.len(), &a.example).cmp(&(b.example.len(), &b.example)));
    Some(classes)
}

fn token(sets: &[PatternSet], (set, alternative, at): &(usize, usize, usize)) -> Option<PatternToken> {
    sets.get(*set)?.alternatives.get(*alternative)?.get(*at).copied()
}

fn moves(sets: &[PatternSet], places: &Places) -> Vec<(char, Places)> {
    let named: BTreeSet<char> = places
        .iter()
        .filter_map(|place| if let Some(PatternToken::Char(c)) = token(sets, place) { Some(c) } else { None })
        .collect();
    let fresh = LETTERS.chars().find(|c| !named.contains(c)).unwrap_or(super::FRESH);
    let step = |c: char| {
        let next = places.iter().filter_map(|place| {
            let (set, alternative, at) = *place;
            match token(sets, place)? {
                PatternToken::Char(want) => (want == c).then_some((set, alternative, at + 1)),
                PatternToken::One => Some((set, alternative, at + 1)),
                PatternToken::Many => Some(*place),
            }
        });
        (c, close(sets, next.collect()))
    };
    std::iter::once(fresh).chain(named.iter().copied()).map(step).collect()
}

/// With the places behind stars; sorted, once each.
fn close(sets: &[PatternSet], mut places: Places) -> Places {
    let mut at = 0;
    while let Some(place) = places.get(at).copied() {
        if token(sets, &place) == Some(PatternToken::Many) {
            places.push((place.0, place.1, place.2 + 1));
        }
        at += 1;
    }
    places.sort_unstable();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use portcullis_core::policy::{MatchOptions, Pattern};
    use pretty_assertions::assert_eq;

    use super::*;

    fn found(patterns: &[&str]) -> Vec<(String, Vec<usize>)> {
        let sets: Vec<PatternSet> =
            patterns.iter().map(|text| PatternSet::of(&Pattern::prepare(text, &MatchOptions::default()))).collect();
        classes(&sets, 100_000).unwrap().into_iter().map(|class| (class.example, class.matches)).collect()
    }

    #[test]
    fn each_combination_has_a_shortest_value() {
        assert_eq!(
            found(&["re*", "read", "*d"]),
            [
                ("d".into(), vec![2]),
                ("x".into(), vec![]),
                ("re".into(), vec![0]),
                ("red".into(), vec![0, 2]),
                ("read".into(), vec![0, 1, 2])
            ]
        );
        assert_eq!(found(&["*"]), [("x".into(), vec![0])]);
        assert_eq!(found(&[]), [("x".into(), vec![])]);
    }

    #[test]
    fn more_work_than_allowed_is_no_answer() {
        let sets = vec![PatternSet::literal("abcdef")];
        assert_eq!(classes(&sets, 3), None);
    }
}
