//! Texts as ECMAScript sees them: what trims away and what does not (HAND-001).
//!
//! Rust's `trim` differs in both directions: it removes U+0085 and keeps U+FEFF.

/// Whether a character belongs to the JavaScript set of white space.
pub fn is_js_space(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{d}'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// The text without JavaScript white space at its ends.
pub fn js_trim(text: &str) -> &str {
    text.trim_matches(is_js_space)
}
