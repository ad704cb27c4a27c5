//! One pattern without alternatives, matched without backtracking: segments have a fixed length, so the leftmost place of each
//! is as good as any later one (HARD-064).

use super::Token;

/// A pattern without alternatives: segments between runs of stars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob {
    /// Before the first star; the whole, when there is none.
    pub(super) head: Segment,
    /// Between stars, none of them empty.
    pub(super) middle: Vec<Segment>,
    /// After the last star.
    pub(super) tail: Segment,
    pub(super) starred: bool,
}

impl Glob {
    pub(super) fn build(tokens: &[Token]) -> Self {
        let mut pieces = tokens.split(|token| *token == Token::Many).map(Segment::build);
        let head = pieces.next().unwrap_or_default();
        let mut middle: Vec<Segment> = pieces.collect();
        let starred = !middle.is_empty();
        let tail = middle.pop().unwrap_or_default();
        middle.retain(|segment| !segment.is_empty());
        Self { head, middle, tail, starred }
    }

    pub(super) fn as_text(&self) -> String {
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

    pub(super) fn tokens(&self) -> Vec<Token> {
        let mut tokens = self.head.tokens();
        if self.starred {
            for segment in self.middle.iter().chain(std::iter::once(&self.tail)) {
                tokens.push(Token::Many);
                tokens.extend(segment.tokens());
            }
        }
        tokens
    }

    /// The text, when there is no wildcard.
    pub(super) fn literal(&self) -> Option<&str> {
        match &self.head {
            Segment::Literal(text) if !self.starred => Some(text),
            _ => None,
        }
    }

    pub(super) fn is_star(&self) -> bool {
        self.starred && self.head.is_empty() && self.middle.is_empty() && self.tail.is_empty()
    }

    /// Segments have a fixed length, so the leftmost place of each is as good as any later one: no backtracking.
    pub(super) fn matches(&self, value: &str) -> bool {
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
    pub(super) fn could_match_ending_with(&self, ending: &str) -> bool {
        if self.starred {
            return self.tail.agrees_at_end(ending);
        }
        self.head.length() >= ending.chars().count() && self.head.agrees_at_end(ending)
    }
}

/// Characters, some of them free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Segment {
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

    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Literal(text) if text.is_empty())
    }

    fn tokens(&self) -> Vec<Token> {
        match self {
            Self::Literal(text) => text.chars().map(Token::Char).collect(),
            Self::Mixed(chars) => chars.iter().map(|c| c.map_or(Token::One, Token::Char)).collect(),
        }
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
    pub(super) fn may_start_absolute(&self) -> bool {
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
    pub(super) fn runs(&self, mut each: impl FnMut(bool, &str, bool)) {
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
