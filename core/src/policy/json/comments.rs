//! Removal of comments before JSON parsing (CFG-005).

use std::borrow::Cow;
use std::ops::Range;

use super::node::Position;

/// The text without comments, and where in the original its pieces stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stripped<'t> {
    /// What is left.
    pub(crate) text: Cow<'t, str>,
    /// The removed places, in order.
    pub(crate) cuts: Vec<Cut>,
}

/// One removed comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The byte of the remaining text before which the comment stood.
    pub(crate) at: usize,
    /// The byte of the original text at which the text goes on.
    pub(crate) resume: usize,
    /// The place of that byte.
    pub(crate) position: Position,
}

/// Removes comments by one scan from left to right (CFG-005).
///
/// `//` goes up to, not including, the next LF; `/* … */` goes with nothing put in its place; an unterminated block comment
/// takes the rest. Inside a string, opened by `"` or by `'`, nothing is removed; a backslash escapes the next character.
pub(crate) fn remove_comments(text: &str) -> Stripped<'_> {
    let comments = comments(text.as_bytes());
    if comments.is_empty() {
        return Stripped { text: text.into(), cuts: Vec::new() };
    }
    let piece = |range: Range<usize>| text.get(range).unwrap_or_default();
    let mut left = String::with_capacity(text.len());
    let mut cuts = Vec::with_capacity(comments.len());
    let (mut from, mut position) = (0, Position::START);
    for Range { start, end } in comments {
        left.push_str(piece(from..start));
        position = position.behind(piece(from..end));
        cuts.push(Cut { at: left.len(), resume: end, position });
        from = end;
    }
    left.push_str(piece(from..text.len()));
    Stripped { text: left.into(), cuts }
}

/// Where the comments stand. All that begins or ends one is ASCII, so that the bytes of other characters are passed like any.
fn comments(text: &[u8]) -> Vec<Range<usize>> {
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    let mut found = Vec::new();
    let mut quote = None;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match (quote, byte) {
            (Some(_), b'\\') => at += 2,
            (Some(open), _) => {
                quote = (byte != open).then_some(open);
                at += 1;
            }
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                at += 1;
            }
            (None, b'/') => {
                let length = comment_length(rest(at));
                if length > 0 {
                    found.push(at..at + length);
                }
                at += length.max(1);
            }
            (None, _) => at += 1,
        }
    }
    found
}

/// How long the comment is with which a text begins; 0: it begins with none.
fn comment_length(text: &[u8]) -> usize {
    match text {
        [b'/', b'/', line @ ..] => 2 + line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len()),
        // The star of `/*/` does not close.
        [b'/', b'*', block @ ..] => 2 + block.windows(2).position(|pair| pair == b"*/").map_or(block.len(), |at| at + 2),
        _ => 0,
    }
}
