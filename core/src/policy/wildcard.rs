//! Wildcards (RULE-001 to RULE-007, HARD-064, POLICY-D09, POLICY-D10): a pattern is prepared once and then matched in time
//! linear in the product of both lengths at worst, without an allocation.
//!
//! This file knows texts only: no rule, no surface, no answer.

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Char(char),
    One,
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
        let below = Directory { root: Vec::new(), parts: Vec::new(), kept: 0 }.join(rest, platform);
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
            [Glob { head: Segment::Literal(text), starred: false, .. }] => Some(text),
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

/// What follows the home form, when the pattern has one (RULE-005).
fn home_rest(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('~').or_else(|| text.strip_prefix("$HOME"))?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(['/', '\\']) }
}

fn separator(platform: Platform) -> char {
    match platform {
        Platform::Posix => '/',
        Platform::Windows => '\\',
    }
}

fn is_separator(c: char, platform: Platform) -> bool {
    c == '/' || (c == '\\' && platform == Platform::Windows)
}

/// A directory as a list of parts, so that `..` of a pattern can climb out of it.
struct Directory {
    root: Vec<Token>,
    parts: Vec<Vec<Token>>,
    /// Parts that `..` cannot take away (server and share).
    kept: usize,
}

impl Directory {
    fn absolute(home: &str, platform: Platform) -> Option<Self> {
        let sep = Token::Char(separator(platform));
        let (root, rest, kept) = match platform {
            Platform::Posix => (vec![sep], home.strip_prefix('/')?, 0),
            Platform::Windows => windows_root(home)?,
        };
        let parts = rest
            .split(|c| is_separator(c, platform))
            .filter(|part| !part.is_empty() && *part != ".")
            .map(|part| part.chars().map(Token::Char).collect::<Vec<_>>())
            .fold(Vec::new(), |parts, part| climb(parts, part, kept));
        Some(Self { root, parts, kept })
    }

    fn join(self, rest: &str, platform: Platform) -> Vec<Token> {
        let sep = Token::Char(separator(platform));
        let parts = rest
            .split(|c| is_separator(c, platform))
            .filter(|part| !part.is_empty() && *part != ".")
            .map(|part| parse(part).collect::<Vec<_>>())
            .fold(self.parts, |parts, part| climb(parts, part, self.kept));
        let ends_open = !parts.is_empty() && rest.ends_with(|c| is_separator(c, platform));
        let mut tokens = self.root;
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                tokens.push(sep);
            }
            tokens.extend(part);
        }
        if ends_open {
            tokens.push(sep);
        }
        tokens
    }
}

fn climb(mut parts: Vec<Vec<Token>>, part: Vec<Token>, kept: usize) -> Vec<Vec<Token>> {
    if part == [Token::Char('.'), Token::Char('.')] {
        if parts.len() > kept {
            parts.pop();
        }
    } else {
        parts.push(part);
    }
    parts
}

fn windows_root(home: &str) -> Option<(Vec<Token>, &str, usize)> {
    let is_sep = |c: char| c == '/' || c == '\\';
    if let Some(rest) = home.strip_prefix(is_sep) {
        return Some(match rest.strip_prefix(is_sep) {
            Some(share) => (vec![Token::Char('\\'), Token::Char('\\')], share, 2),
            None => (vec![Token::Char('\\')], rest, 0),
        });
    }
    let mut chars = home.chars();
    let drive = chars.next().filter(char::is_ascii_alphabetic)?;
    let rest = chars.as_str().strip_prefix(':')?.strip_prefix(is_sep)?;
    Some((vec![Token::Char(drive), Token::Char(':'), Token::Char('\\')], rest, 0))
}

/// A pattern without alternatives: segments between runs of stars.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Glob {
    /// Before the first star; the whole, when there is none.
    head: Segment,
    /// Between stars, none of them empty.
    middle: Vec<Segment>,
    /// After the last star.
    tail: Segment,
    starred: bool,
}

impl Glob {
    fn build(tokens: &[Token]) -> Self {
        let mut pieces = tokens.split(|token| *token == Token::Many).map(Segment::build);
        let head = pieces.next().unwrap_or_default();
        let mut middle: Vec<Segment> = pieces.collect();
        let starred = !middle.is_empty();
        let tail = middle.pop().unwrap_or_default();
        middle.retain(|segment| !segment.is_empty());
        Self { head, middle, tail, starred }
    }

    fn as_text(&self) -> String {
        let mut text = self.head.as_text();
        if self.starred {
            for segment in &self.middle {
                text.push('*');
                text.push_str(&segment.as_text());
            }
            text.push('*');
            text.push_str(&self.tail.as_text());
        }
        text
    }

    fn is_star(&self) -> bool {
        self.starred && self.head.is_empty() && self.middle.is_empty() && self.tail.is_empty()
    }

    /// Segments have a fixed length, so the leftmost place of each is as good as any later one: no backtracking.
    fn matches(&self, value: &str) -> bool {
        let Some(rest) = self.head.after_prefix(value) else { return false };
        if !self.starred {
            return rest.is_empty();
        }
        let Some(mut rest) = self.tail.before_suffix(rest) else { return false };
        for segment in &self.middle {
            match segment.after_first(rest) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        true
    }

    /// Behind a star the text only has to agree with what the last segment says: the star takes the rest, and what is free
    /// in front gives head and middle their places.
    fn could_match_ending_with(&self, ending: &str) -> bool {
        if self.starred {
            return self.tail.agrees_at_end(ending);
        }
        self.head.length() >= ending.chars().count() && self.head.agrees_at_end(ending)
    }
}

/// Characters, some of them free.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Literal(Box<str>),
    /// `None` is `?`.
    Mixed(Box<[Option<char>]>),
}

impl Default for Segment {
    fn default() -> Self {
        Self::Literal(Box::default())
    }
}

impl Segment {
    fn build(tokens: &[Token]) -> Self {
        let chars = tokens.iter().map(|token| if let Token::Char(c) = token { Some(*c) } else { None });
        match chars.clone().collect::<Option<String>>() {
            Some(text) => Self::Literal(text.into_boxed_str()),
            None => Self::Mixed(chars.collect()),
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Self::Literal(text) if text.is_empty())
    }

    fn as_text(&self) -> String {
        match self {
            Self::Literal(text) => text.to_string(),
            Self::Mixed(chars) => chars.iter().map(|c| c.unwrap_or('?')).collect(),
        }
    }

    fn length(&self) -> usize {
        match self {
            Self::Literal(text) => text.chars().count(),
            Self::Mixed(chars) => chars.len(),
        }
    }

    /// A separator, a drive, or a free character at the start.
    fn may_start_absolute(&self) -> bool {
        let (first, second) = match self {
            Self::Literal(text) => {
                let mut chars = text.chars();
                (chars.next().map(Some), chars.next().map(Some))
            }
            Self::Mixed(chars) => (chars.first().copied(), chars.get(1).copied()),
        };
        match first {
            None => false,
            Some(None | Some('/' | '\\')) => true,
            Some(Some(c)) => c.is_ascii_alphabetic() && matches!(second, Some(None | Some(':'))),
        }
    }

    /// What follows this segment at the start of the text.
    fn after_prefix<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Literal(literal) => text.strip_prefix(&**literal),
            Self::Mixed(pattern) => {
                let mut rest = text.chars();
                for want in pattern {
                    let got = rest.next()?;
                    if want.is_some_and(|want| want != got) {
                        return None;
                    }
                }
                Some(rest.as_str())
            }
        }
    }

    /// What precedes this segment at the end of the text.
    fn before_suffix<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Literal(literal) => text.strip_suffix(&**literal),
            Self::Mixed(pattern) => {
                let mut rest = text.chars();
                for want in pattern.iter().rev() {
                    let got = rest.next_back()?;
                    if want.is_some_and(|want| want != got) {
                        return None;
                    }
                }
                Some(rest.as_str())
            }
        }
    }

    /// What follows the first place of this segment in the text.
    fn after_first<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Literal(literal) => text.split_once(&**literal).map(|(_, after)| after),
            Self::Mixed(_) => {
                let mut from = text.chars();
                loop {
                    if let Some(after) = self.after_prefix(from.as_str()) {
                        return Some(after);
                    }
                    from.next()?;
                }
            }
        }
    }

    /// Whether this segment and the text agree from their ends backwards, as far as the shorter of them reaches.
    fn agrees_at_end(&self, text: &str) -> bool {
        match self {
            Self::Literal(literal) => literal.chars().rev().zip(text.chars().rev()).all(|(want, got)| want == got),
            Self::Mixed(pattern) => {
                pattern.iter().rev().zip(text.chars().rev()).all(|(want, got)| want.is_none_or(|want| want == got))
            }
        }
    }

    /// Runs of literal characters: whether the run starts the segment, the run, whether it ends the segment.
    fn runs(&self, mut each: impl FnMut(bool, &str, bool)) {
        match self {
            Self::Literal(text) => each(true, text, true),
            Self::Mixed(pattern) => {
                let last = pattern.iter().filter(|c| c.is_none()).count();
                for (at, run) in pattern.split(Option::is_none).enumerate() {
                    each(at == 0, &run.iter().flatten().collect::<String>(), at == last);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
