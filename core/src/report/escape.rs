//! Makes every character of a text visible (HARD-062, RES-41).
//!
//! One form for all of them: `\u{…}` in lower-case hexadecimal. This room knows characters only: not where a text comes from,
//! nor where it goes. What is escaped: control characters (C0, DEL, C1), bidirectional and other format characters, line and
//! paragraph separators, everything that Unicode calls default-ignorable, and blanks that are not the blank U+0020: they look
//! like one and are none. A backslash stays as it is, so that escaping twice changes nothing.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Inclusive ranges of characters that do not show, or show as something else. Sorted, disjoint.
const INVISIBLE: &[(u32, u32)] = &[
    (0x0000, 0x001f),   // C0
    (0x007f, 0x00a0),   // DEL, C1, no-break space
    (0x00ad, 0x00ad),   // soft hyphen
    (0x034f, 0x034f),   // combining grapheme joiner
    (0x0600, 0x0605),   // Arabic number signs
    (0x061c, 0x061c),   // Arabic letter mark
    (0x06dd, 0x06dd),   // end of ayah
    (0x070f, 0x070f),   // Syriac abbreviation mark
    (0x0890, 0x0891),   // Arabic pound mark above
    (0x08e2, 0x08e2),   // Arabic disputed end of ayah
    (0x115f, 0x1160),   // Hangul fillers
    (0x1680, 0x1680),   // Ogham space
    (0x17b4, 0x17b5),   // Khmer inherent vowels
    (0x180b, 0x180f),   // Mongolian selectors
    (0x2000, 0x200f),   // spaces of all widths, zero-width characters, direction marks
    (0x2028, 0x202f),   // separators, embeddings, overrides, narrow no-break space
    (0x205f, 0x206f),   // mathematical space, word joiner, invisible operators, isolates
    (0x2800, 0x2800),   // blank Braille pattern
    (0x3000, 0x3000),   // ideographic space
    (0x3164, 0x3164),   // Hangul filler
    (0xfe00, 0xfe0f),   // variation selectors
    (0xfeff, 0xfeff),   // byte-order mark
    (0xffa0, 0xffa0),   // halfwidth Hangul filler
    (0xfff0, 0xfffb),   // unassigned ignorables, interlinear annotation
    (0x110bd, 0x110bd), // Kaithi number sign
    (0x110cd, 0x110cd), // Kaithi number sign above
    (0x13430, 0x1343f), // Egyptian format controls
    (0x1bca0, 0x1bca3), // shorthand format controls
    (0x1d173, 0x1d17a), // musical format controls
    (0xe0000, 0xe0fff), // tags, variation selectors supplement
];

/// Whether a character is escaped.
pub fn is_invisible(character: char) -> bool {
    let code = u32::from(character);
    INVISIBLE
        .binary_search_by(|&(first, last)| {
            if last < code {
                std::cmp::Ordering::Less
            } else if first > code {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

/// The text on one line, with every invisible character escaped.
///
/// ```
/// use portcullis_core::report::escape::visible;
/// assert_eq!(visible("rm \u{202e}x\n"), r"rm \u{202e}x\u{a}");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// The text with line feeds and tabs left as layout: only for a command that is shown as a block of its own (RES-41).
///
/// ```
/// use portcullis_core::report::escape::visible_layout;
/// assert_eq!(visible_layout("a\n\tb\r\u{1b}[2K"), "a\n\tb\\u{d}\\u{1b}[2K");
/// ```
pub fn visible_layout(text: &str) -> Cow<'_, str> {
    escape(text, |character| matches!(character, '\n' | '\t'))
}

/// Whether the text is ASCII and nothing in it has to be escaped.
pub(crate) fn is_plain(text: &str) -> bool {
    // Without a way out at the first byte that is not: so many bytes are looked at at once, and most texts are plain.
    text.bytes().fold(true, |plain, byte| plain & (b' '..=b'~').contains(&byte))
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    if is_plain(text) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_invisible(character) && !keep(character) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests;
