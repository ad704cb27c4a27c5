use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::{bound, bound_middle, bound_utf16};
use crate::report::escape::visible;

/// HARD-062: a cut says how much it cut; GATES-D20: on character boundaries.
#[rstest]
#[case("", 0, "")]
#[case("abc", 3, "abc")]
#[case("abcd", 3, "abc… [1 more character]")]
#[case("abcdef", 3, "abc… [3 more characters]")]
#[case("a😀b", 1, "a… [2 more characters]")]
#[case("a😀b", 2, "a😀… [1 more character]")]
#[case("ab", 0, "… [2 more characters]")]
#[case(r"ab\u{1b}c", 4, r"ab… [7 more characters]")]
#[case(r"ab\u{1b}c", 7, r"ab… [7 more characters]")]
#[case(r"ab\u{1b}c", 8, r"ab\u{1b}… [1 more character]")]
#[case(r"ab\u{xyz}c", 4, r"ab\u… [6 more characters]")]
fn hard_062_bound_says_how_much_is_missing(#[case] text: &str, #[case] limit: usize, #[case] expected: &str) {
    assert_eq!(bound(text, limit), expected);
}

/// PREV-001: limits in UTF-16 units; a character that would be split is left out.
#[rstest]
#[case("abcd", 4, "abcd")]
#[case("abcd", 3, "abc… [1 more character]")]
#[case("a😀b", 2, "a… [2 more characters]")]
#[case("a😀b", 3, "a😀… [1 more character]")]
#[case("é😀", 3, "é😀")]
fn prev_001_bound_in_utf_16_units(#[case] text: &str, #[case] limit: usize, #[case] expected: &str) {
    assert_eq!(bound_utf16(text, limit), expected);
}

#[rstest]
#[case("abcdefgh", 8, "abcdefgh")]
#[case("abcdefghij", 8, "abcdef… [2 more characters] …ij")]
#[case("abcdefghij", 0, "… [10 more characters] …")]
fn hard_053_head_and_tail_of_a_long_text_stay(#[case] text: &str, #[case] limit: usize, #[case] expected: &str) {
    assert_eq!(bound_middle(text, limit), expected);
}

proptest! {
    /// No character is split, and the number in the mark is the truth.
    #[test]
    fn hard_062_what_is_kept_and_what_is_missing_make_the_whole(text in "[a😀é\u{301}]{0,40}", limit in 0_usize..20) {
        let cut = bound(&text, limit);
        if text.chars().count() <= limit {
            prop_assert_eq!(cut, text);
        } else {
            let (kept, mark) = cut.split_once('…').unwrap();
            let missing: usize = mark.trim_start_matches(" [").split(' ').next().unwrap().parse().unwrap();
            prop_assert!(text.starts_with(kept));
            prop_assert_eq!(kept.chars().count() + missing, text.chars().count());
        }
    }

    #[test]
    fn bounding_twice_changes_nothing(text in r"(?s).{0,60}", limit in 0_usize..40) {
        let cut = bound(&visible(&text), limit);
        prop_assert_eq!(bound(&cut, limit), cut);
    }

    /// A cut never leaves half of an escape behind.
    #[test]
    fn hard_062_a_cut_never_splits_an_escape(text in r"[^\\…{}]{0,60}", limit in 0_usize..40) {
        let shown = visible(&text);
        let cut = bound(&shown, limit);
        let kept = cut.split('…').next().unwrap();
        let whole = |part: &str| part.matches("\\u{").count() <= part.matches('}').count();
        prop_assert!(whole(kept), "{kept:?}");
    }

    #[test]
    fn prev_001_never_longer_than_the_limit(text in "[^…]{0,60}", limit in 0_usize..40) {
        let cut = bound_utf16(&text, limit);
        prop_assert!(cut.split('…').next().unwrap().encode_utf16().count() <= limit || cut == text);
    }
}
