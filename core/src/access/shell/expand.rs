//! What a word reads as after the few expansions that text alone can tell: home, the working directory, brace lists.

use std::borrow::Cow;

use super::rebound::Rebound;
use super::remember::Remembering;
use super::word::{Piece, Word};
use crate::access::path::Base;

/// Alternatives of brace lists beyond this number are not listed.
const MAX_ALTERNATIVES: usize = 64;

/// A word read under one base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reading<'w> {
    /// This text; computed parts stand in it as typed.
    Text {
        /// The text.
        text: Cow<'w, str>,
        /// Some part is computed: the text names no file.
        partial: bool,
        /// The requirement by which it reads otherwise than typed.
        by: Option<&'static str>,
    },
    /// A place that nobody can tell (HARD-018).
    UnknownPlace,
}

/// The home directory as the resolver knows it.
pub(crate) fn home(resolver: &Remembering<'_>) -> Option<String> {
    resolver.home().filter(|path| path != "~")
}

/// Reads a word under a base (HARD-018, HARD-027).
pub(crate) fn read<'w>(word: &'w Word<'_>, base: &'w Base, rebound: Rebound, home: Option<&'w str>) -> Reading<'w> {
    if word.is_bare() {
        return Reading::Text { text: Cow::Borrowed(&word.raw), partial: false, by: None };
    }
    let mut out = Cow::Borrowed("");
    let mut partial = false;
    let mut by = None;
    for (index, piece) in word.pieces.iter().enumerate() {
        let expanded = match piece {
            Piece::Text { text, quoted } if index == 0 && !quoted && text.starts_with('~') => {
                by = Some("HARD-018");
                tilde(text, base, rebound, home).map(Cow::Owned)
            }
            Piece::Text { text, .. } => Some(Cow::Borrowed(text.as_ref())),
            Piece::Variable { typed: "$HOME" | "${HOME}", .. } if ends_a_name(word, index) => {
                by = Some("HARD-018");
                home.filter(|_| !rebound.home).map(Cow::Borrowed)
            }
            Piece::Variable { typed: "$PWD" | "${PWD}", .. } if ends_a_name(word, index) => {
                by = Some("HARD-018");
                working_directory(base).filter(|_| !rebound.pwd).map(Cow::Borrowed)
            }
            Piece::Variable { typed, .. } | Piece::Computed { typed, .. } => {
                partial = true;
                Some(Cow::Borrowed(*typed))
            }
        };
        let Some(expanded) = expanded else { return Reading::UnknownPlace };
        if out.is_empty() {
            out = expanded;
        } else {
            out.to_mut().push_str(&expanded);
        }
    }
    Reading::Text { text: out, partial, by }
}

/// What follows a reference has to be the end, a separator or something computed: `$PWD:/app` is no path below `$PWD`.
fn ends_a_name(word: &Word<'_>, index: usize) -> bool {
    let next = word.pieces.iter().skip(index + 1).find(|piece| !matches!(piece, Piece::Text { text, .. } if text.is_empty()));
    !matches!(next, Some(Piece::Text { text, .. }) if !text.starts_with(['/', '\\']))
}

fn tilde(text: &str, base: &Base, rebound: Rebound, home: Option<&str>) -> Option<String> {
    let (prefix, rest) = text.split_once('/').map_or((text, None), |(prefix, rest)| (prefix, Some(rest)));
    let root = match prefix {
        "~" => home.filter(|_| !rebound.home),
        "~+" => working_directory(base).filter(|_| !rebound.pwd),
        _ => None,
    }?;
    Some(match rest {
        Some(rest) => format!("{root}/{rest}"),
        None => root.to_owned(),
    })
}

fn working_directory(base: &Base) -> Option<&str> {
    match base {
        Base::Known(path) => Some(path),
        Base::Unknown => None,
    }
}

/// The words that an unquoted brace list stands for (HARD-019), without the list itself; `None` when there are too many.
pub(crate) fn braces(word: &Word<'_>) -> Option<Vec<String>> {
    // Protected characters become private ones for the expansion, so that they neither open nor divide a list.
    let mut marked = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text { text, quoted: false } => marked.push_str(text),
            Piece::Text { text, .. } => marked.extend(text.chars().map(protect)),
            Piece::Variable { typed, .. } | Piece::Computed { typed, .. } => marked.extend(typed.chars().map(protect)),
        }
    }
    let mut done = Vec::new();
    let mut open = vec![marked];
    while let Some(text) = open.pop() {
        match first_list(&text) {
            Some((before, items, after)) => {
                open.extend(items.iter().rev().map(|item| format!("{before}{item}{after}")));
                if open.len() + done.len() > MAX_ALTERNATIVES {
                    return None;
                }
            }
            None => done.push(text.chars().map(unprotect).collect()),
        }
    }
    Some(done)
}

const PROTECTED: &[(char, char)] = &[('{', '\u{e000}'), ('}', '\u{e001}'), (',', '\u{e002}')];

fn protect(c: char) -> char {
    PROTECTED.iter().find(|(plain, _)| *plain == c).map_or(c, |(_, hidden)| *hidden)
}

fn unprotect(c: char) -> char {
    PROTECTED.iter().find(|(_, hidden)| *hidden == c).map_or(c, |(plain, _)| *plain)
}

/// The first list with a comma in it: text before, its items, text after.
fn first_list(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    for (open, _) in text.match_indices('{') {
        let rest = text.get(open + 1..)?;
        let mut depth = 0usize;
        let mut from = 0usize;
        let mut items = Vec::new();
        for (at, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' if depth == 0 => {
                    items.push(rest.get(from..at)?);
                    from = at + 1;
                }
                '}' => {
                    if items.is_empty() {
                        break;
                    }
                    items.push(rest.get(from..at)?);
                    return Some((text.get(..open)?, items, rest.get(at + 1..)?));
                }
                _ => {}
            }
        }
    }
    None
}
