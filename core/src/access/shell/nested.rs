//! Parentheses that the grammar takes for an arithmetic command, and then gives up (HARD-004): to the shell `((rm x) )` is one
//! subshell in another, because the two do not close together.

use std::borrow::Cow;

use super::continued::Patch;
use super::tree::Arena;

/// Places that are looked at, and how far the closing sign is looked for.
const MAX_PLACES: usize = 64;
const MAX_LENGTH: usize = 4096;

/// Where the tree has an error: the same without the doubt.
pub(crate) fn apart(text: &str, arena: &Arena) -> Vec<Patch> {
    if !arena.get(Arena::ROOT).has_error {
        return Vec::new();
    }
    let places = text.match_indices("((").map(|(at, _)| at).take(MAX_PLACES);
    let nested = places.filter(|at| is_nested(text.as_bytes().get(*at..).unwrap_or_default()));
    nested.map(|at| (at, at + 2, Cow::Borrowed("( ("))).collect()
}

/// `((…)…)`: the two do not close together.
fn is_nested(text: &[u8]) -> bool {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    let mut bytes = text.iter().take(MAX_LENGTH).peekable();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            _ if std::mem::take(&mut escaped) => {}
            (None | Some(b'"'), b'\\') => escaped = true,
            (Some(open), _) if open == *byte => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(*byte),
            (None, b'(') => depth += 1,
            (None, b')') if depth == 2 => return bytes.peek() != Some(&&b')'),
            (None, b')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}
