//! Wildcards (RULE-001 to RULE-007, HARD-064, POLICY-D09, POLICY-D10): a pattern is prepared once and then matched in time
//! linear in the product of both lengths at worst, without an allocation.
//!
//! This file knows texts only: no rule, no surface, no answer.

mod glob;
mod home;

use self::glob::Glob;
use self::home::{Directory, home_rest, separator};
use crate::host::Platform;

/// What a pattern needs to know of the machine: path flavour and home directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MatchOptions {
    /// Decides about folding and separators (RULE-007).
    pub platform: Platform,
    /// The home directory as the environment has it (RULE-006). An empty or relative one is refused (POLICY-D10).
    pub home: Option<String>,
}

/// How letters compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fold {
    /// Every character is itself (RULE-004).
    Exact,
    /// RULE-007: case is ignored, `/` of the pattern reads as `\`.
    Windows,
}

/// What a home-anchored pattern does when no home can be trusted (POLICY-D10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithoutHome {
    /// Matches no value: an allow that points nowhere opens nothing.
    MatchNothing,
    /// Matches as if any directory were the home, and the bare relative rest too. A deny or ask whose place is unknown must
    /// not vanish; where it might apply, it applies.
    MatchAnywhere,
}

/// A prepared pattern.
///
/// ```
/// use portcullis_core::policy::{MatchOptions, Pattern};
///
/// let pattern = Pattern::prepare("git *", &MatchOptions::default());
/// assert!(pattern.matches("git status"));
/// assert!(pattern.matches("git"), "the tail ` *` is optional as a unit");
/// assert!(!pattern.matches("gitx"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The value matches when one of these does. None: the pattern matches nothing.
    globs: Vec<Glob>,
    /// What every matching value holds.
    required: Required,
    fold: Fold,
}

/// Which texts an index may file the pattern under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Required {
    /// The literal runs of the first glob, both ends anchored.
    Whole,
    /// The literal runs of the first glob, the end left open (space-star).
    OpenEnd,
    /// Nothing is known: several unrelated alternatives.
    Nothing,
}

/// One token of a prepared pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// This character.
    Char(char),
    /// `?`: one character.
    One,
    /// `*`: any run of characters.
    Many,
}

impl Pattern {
    /// Prepares a pattern for exact comparison. A home that cannot be trusted makes a home-anchored pattern match nothing.
    pub fn prepare(text: &str, options: &MatchOptions) -> Self {
        Self::compile(text, options, Fold::Exact, WithoutHome::MatchNothing)
    }

    /// Prepares a pattern.
    pub fn compile(text: &str, options: &MatchOptions, fold: Fold, without_home: WithoutHome) -> Self {
        let Some(rest) = home_rest(text) else {
            return Self::from_tokens(parse(text).collect(), fold);
        };
        match options.home.as_deref().and_then(|home| Directory::absolute(home, options.platform)) {
            Some(home) => Self::from_tokens(home.join(rest, options.platform), fold),
            None if without_home == WithoutHome::MatchNothing => Self { globs: Vec::new(), required: Required::Nothing, fold },
            None => Self::anywhere(rest, options.platform, fold),
        }
    }

    fn from_tokens(tokens: Vec<Token>, fold: Fold) -> Self {
        let tokens = folded(tokens, fold);
        match tokens.as_slice() {
            [base @ .., Token::Char(' '), Token::Many] => {
                Self { globs: vec![Glob::build(base), Glob::build(&tokens)], required: Required::OpenEnd, fold }
            }
            _ => Self { globs: vec![Glob::build(&tokens)], required: Required::Whole, fold },
        }
    }

    fn anywhere(rest: &str, platform: Platform, fold: Fold) -> Self {
        let below = Directory::unknown().join(rest, platform);
        let mut under_any = vec![Token::Many];
        if !below.is_empty() {
            under_any.push(Token::Char(separator(platform)));
            under_any.extend(below.iter().copied());
        }
        let mut globs = Self::from_tokens(under_any, fold).globs;
        globs.extend(Self::from_tokens(below, fold).globs);
        Self { globs, required: Required::Nothing, fold }
    }

    /// Whether the value matches. The value of a folding pattern has to be folded before ([`fold_value`]).
    pub fn matches(&self, value: &str) -> bool {
        self.globs.iter().any(|glob| glob.matches(value))
    }

    /// Whether every value matches.
    pub fn matches_everything(&self) -> bool {
        self.globs.iter().any(Glob::is_star)
    }

    /// The pattern as token lists, for tools that reason about sets of values: a value matches when it matches one of them.
    pub fn alternatives(&self) -> Vec<Vec<Token>> {
        self.globs.iter().map(Glob::tokens).collect()
    }

    /// How letters compare.
    pub fn fold(&self) -> Fold {
        self.fold
    }

    /// Whether some value that ends with this text matches. Both ends are taken as open: what stands before is free.
    pub fn could_match_ending_with(&self, ending: &str) -> bool {
        self.globs.iter().any(|glob| glob.could_match_ending_with(ending))
    }

    /// Whether only absolute texts match, or texts about whose beginning nothing is said.
    pub(crate) fn may_start_absolute(&self) -> bool {
        self.globs.iter().any(|glob| glob.head.may_start_absolute() || (glob.starred && glob.head.is_empty()))
    }

    /// The exact text, when the pattern matches one text only.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.globs.as_slice() {
            [glob] => glob.literal(),
            _ => None,
        }
    }

    /// The pattern as a text: what is left after expansion and folding, every run of stars as one.
    pub(crate) fn as_text(&self) -> Option<String> {
        self.globs.last().map(Glob::as_text)
    }

    /// Calls back with each run of literal characters that every matching value holds: whether it stands at the start, the
    /// run, whether it stands at the end. `None` when nothing is known.
    pub(crate) fn literal_runs(&self, mut each: impl FnMut(bool, &str, bool)) {
        let Some(glob) = self.globs.first().filter(|_| self.required != Required::Nothing) else { return };
        let closed = self.required == Required::Whole;
        glob.head.runs(|starts, run, ends| each(starts, run, ends && closed && !glob.starred));
        if glob.starred {
            for segment in &glob.middle {
                segment.runs(|_, run, _| each(false, run, false));
            }
            glob.tail.runs(|_, run, ends| each(false, run, ends && closed));
        }
    }
}

/// Folds a value for a folding pattern (RULE-007); separators stay as they are.
pub fn fold_value(value: &str) -> String {
    value.chars().map(fold_char).collect()
}

/// One UTF-16 unit to one, by upper case; nothing beyond U+FFFF, and no letter outside ASCII becomes one inside.
fn fold_char(c: char) -> char {
    if u32::from(c) > 0xFFFF {
        return c;
    }
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(up), None) if up.len_utf16() == 1 && (c.is_ascii() || !up.is_ascii()) => up,
        _ => c,
    }
}

fn folded(mut tokens: Vec<Token>, fold: Fold) -> Vec<Token> {
    if fold == Fold::Windows {
        for token in &mut tokens {
            if let Token::Char(c) = token {
                *c = if *c == '/' { '\\' } else { fold_char(*c) };
            }
        }
    }
    tokens
}

fn parse(text: &str) -> impl Iterator<Item = Token> + '_ {
    text.chars().map(|c| match c {
        '*' => Token::Many,
        '?' => Token::One,
        c => Token::Char(c),
    })
}

#[cfg(test)]
mod tests;
