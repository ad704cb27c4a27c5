//! Patterns as sets of values: which values one matches and others do not, exactly for this wildcard language (RULE-001 to
//! RULE-007). Knows texts only: no rule, no file, no answer.

mod classes;
mod search;
mod shape;

use portcullis_core::policy::{Pattern, PatternToken};

pub use classes::{Class, classes};
pub use search::{Answer, Search};
pub use shape::{AnyText, Shape, ShapeState};

/// Letters that stand for any other letter, the first that no pattern names.
pub(crate) const LETTERS: &str = "xyzabcdefghijklmnopqrstuvw0123456789";

/// Stands for a character that no pattern names.
pub const FRESH: char = '\u{F8FF}';

/// The values that a pattern matches: those of any of its alternatives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PatternSet {
    pub(crate) alternatives: Vec<Vec<PatternToken>>,
}

impl PatternSet {
    /// The values of a prepared pattern.
    pub fn of(pattern: &Pattern) -> Self {
        Self { alternatives: pattern.alternatives() }
    }

    /// Every value.
    pub fn everything() -> Self {
        Self { alternatives: vec![vec![PatternToken::Many]] }
    }

    /// One value.
    pub fn literal(text: &str) -> Self {
        Self { alternatives: vec![text.chars().map(PatternToken::Char).collect()] }
    }

    /// What every value begins with.
    pub fn head(&self) -> String {
        let heads = self.alternatives.iter().map(|tokens| {
            tokens.iter().map_while(|token| if let PatternToken::Char(c) = token { Some(*c) } else { None }).collect::<String>()
        });
        heads.reduce(|kept, next| common(&kept, &next)).unwrap_or_default()
    }

    /// Some values of the first alternative: each star as nothing, each star as a character that nobody names.
    pub fn samples(&self) -> Vec<String> {
        let Some(tokens) = self.alternatives.last() else { return Vec::new() };
        vec![fill(tokens, "", FRESH), fill(tokens, &FRESH.to_string(), FRESH)]
    }

    /// A value that a person can read: each wildcard as this word.
    pub fn example(&self, word: &str) -> Option<String> {
        self.alternatives.last().map(|tokens| fill(tokens, word, word.chars().next().unwrap_or('x')))
    }

    /// What may follow this beginning.
    #[must_use]
    pub fn after(&self, prefix: &str) -> Self {
        let mut found: Vec<Vec<PatternToken>> = Vec::new();
        for tokens in &self.alternatives {
            let mut places = vec![0];
            close(tokens, &mut places);
            for c in prefix.chars() {
                let mut next = Vec::new();
                for at in &places {
                    match tokens.get(*at) {
                        Some(PatternToken::Char(want)) if *want == c => next.push(at + 1),
                        Some(PatternToken::One) => next.push(at + 1),
                        Some(PatternToken::Many) => next.push(*at),
                        _ => {}
                    }
                }
                close(tokens, &mut next);
                places = next;
            }
            // A star's own place holds all that the place behind it does.
            let starred = |at: usize| at > 0 && tokens.get(at - 1) == Some(&PatternToken::Many) && places.contains(&(at - 1));
            found.extend(places.iter().filter(|at| !starred(**at)).filter_map(|at| tokens.get(*at..)).map(<[_]>::to_vec));
        }
        Self { alternatives: found }
    }

    /// The values of both.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        self.alternatives.extend(other.alternatives);
        self
    }
}

fn fill(tokens: &[PatternToken], star: &str, one: char) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            PatternToken::Char(c) => text.push(*c),
            PatternToken::One => text.push(one),
            PatternToken::Many => text.push_str(star),
        }
    }
    text
}

/// Places together with those behind stars, sorted, once each.
fn close(tokens: &[PatternToken], places: &mut Vec<usize>) {
    let mut at = 0;
    while let Some(place) = places.get(at).copied() {
        if tokens.get(place) == Some(&PatternToken::Many) && !places.contains(&(place + 1)) {
            places.push(place + 1);
        }
        at += 1;
    }
    places.sort_unstable();
    places.dedup();
}

fn common(a: &str, b: &str) -> String {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

#[cfg(test)]
mod tests;
