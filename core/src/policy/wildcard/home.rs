//! The home directory in front of a pattern (RULE-005, RULE-006, POLICY-D10): joined part by part, so that `..` of the pattern
//! can climb out of it, and literal whatever characters it holds.

use super::{Token, parse};
use crate::host::Platform;

/// What follows the home form, when the pattern has one (RULE-005).
pub(super) fn home_rest(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('~').or_else(|| text.strip_prefix("$HOME"))?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(['/', '\\']) }
}

pub(super) fn separator(platform: Platform) -> char {
    match platform {
        Platform::Posix => '/',
        Platform::Windows => '\\',
    }
}

fn is_separator(c: char, platform: Platform) -> bool {
    c == '/' || (c == '\\' && platform == Platform::Windows)
}

/// A directory as a list of parts.
pub(super) struct Directory {
    root: Vec<Token>,
    parts: Vec<Vec<Token>>,
    /// Parts that `..` cannot take away (server and share).
    kept: usize,
}

impl Directory {
    /// A directory about which nothing is known.
    pub(super) fn unknown() -> Self {
        Self { root: Vec::new(), parts: Vec::new(), kept: 0 }
    }

    /// An absolute home; an empty or relative one is refused.
    pub(super) fn absolute(home: &str, platform: Platform) -> Option<Self> {
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

    pub(super) fn join(self, rest: &str, platform: Platform) -> Vec<Token> {
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
