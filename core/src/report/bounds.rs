//! Cuts that say how much they cut (HARD-062), on character boundaries (GATES-D20).
//!
//! The form holds the baseline's and the hardened one: the kept text, U+2026, and the number of characters that are missing in
//! brackets. A cut never lands inside an escape that [`super::escape`] wrote.

/// At most `max_chars` characters of the text; more are replaced by `… [N more characters]`.
///
/// ```
/// use portcullis_core::report::bounds::bound;
/// assert_eq!(bound("short", 5), "short");
/// assert_eq!(bound("short", 3), "sho… [2 more characters]");
/// ```
///
/// A text that was cut before, to that length or less, is not cut again: the mark would count itself.
pub fn bound(text: &str, max_chars: usize) -> String {
    // Most texts are short, and each character has a byte at least.
    if text.len() <= max_chars {
        return text.to_owned();
    }
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some(_) if is_bounded(text, max_chars) => text.to_owned(),
        Some((cut, _)) => with_mark(text, back_off_escape(text, cut)),
    }
}

/// The longest mark that counts as one, in characters; those of previews name what was dropped.
const LONGEST_MARK: usize = 500;

/// Whether all that stands behind the limit, or a little before it, is the mark of an earlier cut.
fn is_bounded(text: &str, max_chars: usize) -> bool {
    let Some((kept, mark)) = text.rsplit_once("… [") else { return false };
    let digits = mark.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0
        && mark.get(digits..).is_some_and(|rest| rest.starts_with(" more character"))
        && mark.ends_with(']')
        && mark.chars().count() <= LONGEST_MARK
        && kept.chars().count() <= max_chars
}

/// The same with the limit in UTF-16 units (PREV-001): a character that would be split is left out whole.
pub fn bound_utf16(text: &str, max_units: usize) -> String {
    match cut_at_utf16(text, max_units) {
        None => text.to_owned(),
        Some(cut) => with_mark(text, cut),
    }
}

/// Where a text has to be cut to fit into so many UTF-16 units; `None` when it fits.
pub(crate) fn cut_at_utf16(text: &str, max_units: usize) -> Option<usize> {
    let mut units = 0_usize;
    for (at, character) in text.char_indices() {
        units += character.len_utf16();
        if units > max_units {
            return Some(at);
        }
    }
    None
}

/// Keeps head and tail, for texts that a person has to judge: what stands last is often what matters.
pub fn bound_middle(text: &str, max_chars: usize) -> String {
    let count = text.chars().count();
    if count <= max_chars {
        return text.to_owned();
    }
    let tail_chars = max_chars / 4;
    let head_chars = max_chars - tail_chars;
    let head_end = text.char_indices().nth(head_chars).map_or(text.len(), |(at, _)| at);
    let tail_start = text.char_indices().nth(count - tail_chars).map_or(text.len(), |(at, _)| at);
    let (head_end, tail_start) = (back_off_escape(text, head_end), back_off_escape(text, tail_start));
    let (head, middle, tail) = (
        text.get(..head_end).unwrap_or_default(),
        text.get(head_end..tail_start).unwrap_or_default(),
        text.get(tail_start..).unwrap_or_default(),
    );
    format!("{head}{} …{tail}", mark(middle.chars().count()))
}

/// The mark of a cut: `… [3 more characters]`.
pub(crate) fn mark(missing: usize) -> String {
    mark_of(missing, "character")
}

/// The mark for other things than characters: `… [1 more line]`.
pub(crate) fn mark_of(missing: usize, thing: &str) -> String {
    let plural = if missing == 1 { "" } else { "s" };
    format!("… [{missing} more {thing}{plural}]")
}

fn with_mark(text: &str, cut: usize) -> String {
    let (kept, rest) = (text.get(..cut).unwrap_or_default(), text.get(cut..).unwrap_or_default());
    format!("{kept}{}", mark(rest.chars().count()))
}

/// The longest escape is `\u{e0fff}`: nine bytes, all ASCII.
const LONGEST_ESCAPE: usize = 9;

/// Moves a cut that would split `\u{…}` to the front of it.
fn back_off_escape(text: &str, cut: usize) -> usize {
    let bytes = text.as_bytes();
    let first = cut.saturating_sub(LONGEST_ESCAPE - 1);
    for start in (first..cut).rev() {
        if bytes.get(start) != Some(&b'\\') {
            continue;
        }
        let Some(rest) = bytes.get(start..) else { break };
        let splits = rest.strip_prefix(b"\\u{").is_some_and(|digits| {
            let count = digits.iter().take_while(|b| b.is_ascii_hexdigit()).count();
            (1..=6).contains(&count) && digits.get(count) == Some(&b'}') && start + 3 + count >= cut
        });
        return if splits { start } else { cut };
    }
    cut
}

#[cfg(test)]
mod tests;
