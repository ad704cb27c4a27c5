//! Texts as ECMAScript sees them: what trims away and what does not (HAND-001).
//!
//! Rust's `trim` differs in both directions: it removes U+0085 and keeps U+FEFF.

/// Whether a character belongs to the JavaScript set of white space.
///
/// ```
/// use portcullis_core::text::is_js_space;
///
/// assert!(is_js_space('\u{feff}') && is_js_space('\u{3000}'));
/// assert!(!is_js_space('\u{85}') && !is_js_space('\u{200b}'));
/// ```
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
///
/// ```
/// assert_eq!(portcullis_core::text::js_trim("\u{feff} a b\u{2003}\n"), "a b");
/// ```
pub fn js_trim(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

/// The text trimmed, when something is left: a *text field* of SURF-003.
pub fn non_blank(text: &str) -> Option<&str> {
    Some(js_trim(text)).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{js_trim, non_blank};

    #[rstest]
    #[case::hand_001_no_break("\u{a0}a", "a")]
    #[case::hand_001_em_space("\u{2003}a\u{3000}", "a")]
    #[case::hand_001_line_separator("\u{2028}a\u{2029}", "a")]
    #[case::hand_001_byte_order_mark("\u{feff}a\u{feff}", "a")]
    #[case::hand_001_next_line_stays("\u{85}a", "\u{85}a")]
    #[case::hand_001_zero_width_stays("a\u{200b}", "a\u{200b}")]
    #[case::ascii(" \t\r\n\u{b}\u{c}a b ", "a b")]
    fn trims_the_javascript_set(#[case] text: &str, #[case] trimmed: &str) {
        assert_eq!(js_trim(text), trimmed);
    }

    #[rstest]
    #[case::surf_003(" a ", Some("a"))]
    #[case::surf_003_no_break("\u{a0}", None)]
    #[case::surf_003_mark("\u{feff}", None)]
    #[case::surf_003_zero_width("\u{200b}", Some("\u{200b}"))]
    fn blank_is_no_text_field(#[case] text: &str, #[case] field: Option<&str>) {
        assert_eq!(non_blank(text), field);
    }
}
