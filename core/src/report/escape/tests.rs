use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::{INVISIBLE, is_invisible, visible, visible_layout};

/// HARD-062, RES-41: one form, lower-case hexadecimal.
#[rstest]
#[case::plain("rm -rf x", "rm -rf x")]
#[case::escape("a\u{1b}[2K", "a\\u{1b}[2K")]
#[case::line_feed("a\nb", "a\\u{a}b")]
#[case::tab("a\tb", "a\\u{9}b")]
#[case::carriage_return("a\rb", "a\\u{d}b")]
#[case::nul("a\0b", "a\\u{0}b")]
#[case::delete("a\u{7f}b", "a\\u{7f}b")]
#[case::c1("a\u{85}\u{9b}b", "a\\u{85}\\u{9b}b")]
#[case::bidi_override("a\u{202e}b", "a\\u{202e}b")]
#[case::bidi_isolate("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}")]
#[case::zero_width("a\u{200b}\u{200d}\u{feff}b", "a\\u{200b}\\u{200d}\\u{feff}b")]
#[case::soft_hyphen("a\u{ad}b", "a\\u{ad}b")]
#[case::separators("a\u{2028}\u{2029}b", "a\\u{2028}\\u{2029}b")]
#[case::other_blanks("a\u{a0}\u{2003}\u{3000}b", "a\\u{a0}\\u{2003}\\u{3000}b")]
#[case::hangul_filler("a\u{3164}b", "a\\u{3164}b")]
#[case::variation_selector("a\u{fe0f}\u{e0100}b", "a\\u{fe0f}\\u{e0100}b")]
#[case::tags("a\u{e0041}b", "a\\u{e0041}b")]
#[case::letters_stay("é ß 日本 😀 e\u{301}", "é ß 日本 😀 e\u{301}")]
#[case::backslash_stays(r"C:\u{1b}", r"C:\u{1b}")]
#[case::empty("", "")]
fn hard_062_invisible_characters_are_shown(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(visible(text), expected);
}

#[test]
fn res_41_line_feed_and_tab_stay_in_a_shown_command_only() {
    assert_eq!(visible_layout("a\n\tb\r\n\u{b}\u{2028}"), "a\n\tb\\u{d}\n\\u{b}\\u{2028}");
}

#[test]
fn the_ranges_are_sorted_and_disjoint() {
    for window in INVISIBLE.windows(2) {
        assert!(window[0].1 < window[1].0, "{window:?}");
    }
    assert!(INVISIBLE.iter().all(|(first, last)| first <= last));
}

proptest! {
    /// HARD-062: nothing that is escaped survives, whatever comes in.
    #[test]
    fn hard_062_no_invisible_character_is_left(text in any::<String>()) {
        let shown = visible(&text);
        prop_assert!(!shown.chars().any(is_invisible), "{shown:?}");
        prop_assert!(!shown.chars().any(char::is_control));
    }

    #[test]
    fn hard_062_layout_leaves_line_feed_and_tab_alone(text in any::<String>()) {
        let shown = visible_layout(&text);
        prop_assert!(!shown.chars().any(|c| is_invisible(c) && c != '\n' && c != '\t'));
        prop_assert_eq!(shown.matches('\n').count(), text.matches('\n').count());
    }

    #[test]
    fn hard_062_escaping_twice_changes_nothing(text in any::<String>()) {
        let shown = visible(&text);
        prop_assert_eq!(visible(&shown), &*shown);
    }
}
