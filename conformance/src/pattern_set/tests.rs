use portcullis_core::policy::{MatchOptions, Pattern};
use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn set(text: &str) -> PatternSet {
    PatternSet::of(&pattern(text))
}

fn pattern(text: &str) -> Pattern {
    Pattern::prepare(text, &MatchOptions::default())
}

/// A shortest value of the first pattern that no other matches.
fn left(target: &str, over: &[&str]) -> Answer {
    let over: Vec<PatternSet> = over.iter().map(|text| set(text)).collect();
    let all = PatternSet::everything();
    let search = Search {
        target: &set(target),
        over: over.iter().collect(),
        last_of: vec![(&all, true)],
        shape: &AnyText,
        budget: 1_000_000,
    };
    search.find()
}

#[rstest]
#[case::itself("git *", &["git *"], None)]
#[case::wider("git status", &["git *"], None)]
#[case::rule_003_tail_is_optional("git", &["git *"], None)]
#[case::rule_003_only_as_a_unit("git*", &["git *"], Some("gitx"))]
#[case::rule_003_two_stars("git *", &["git **"], Some("git"))]
#[case::narrower("git *", &["git status"], Some("git"))]
#[case::together("a*", &["a", "a?*"], None)]
#[case::together_by_letter("?", &["a", "b"], Some("x"))]
#[case::by_length("*", &["", "?", "??*"], None)]
#[case::around("*a*", &["a*", "*a"], Some("xax"))]
#[case::rule_001_no_class("[ab]", &["a", "b"], Some("[ab]"))]
#[case::double_star("**", &["*"], None)]
fn rule_001_what_is_left(#[case] target: &str, #[case] over: &[&str], #[case] expected: Option<&str>) {
    let expected = expected.map_or(Answer::None, |value| Answer::Witness(value.into()));
    assert_eq!(left(target, over), expected);
}

#[test]
fn the_last_of_a_list_decides() {
    let (all, narrow, target) = (PatternSet::everything(), set("a*"), set("*b"));
    let find = |first, second| {
        let last_of = vec![(&all, first), (&narrow, second)];
        Search { target: &target, over: Vec::new(), last_of, shape: &AnyText, budget: 1_000_000 }.find()
    };
    assert_eq!(find(true, false), Answer::Witness("b".into()));
    assert_eq!(find(false, true), Answer::Witness("ab".into()));
    assert_eq!(find(false, false), Answer::None);
}

#[test]
fn what_takes_too_long_is_not_guessed() {
    let target = set("*");
    let over = [set("*a????????????????????????????*"), set("*b??????????????????????????*")];
    let (all, one) = (PatternSet::everything(), set("x"));
    let over: Vec<&PatternSet> = over.iter().collect();
    let search = Search { target: &target, over, last_of: vec![(&all, false), (&one, false)], shape: &AnyText, budget: 1_000 };
    assert_eq!(search.find(), Answer::None, "nothing is wanted");
    let many: PatternSet = set("*a??????????????????");
    let search = Search { target: &many, over: vec![&many], last_of: vec![(&all, true)], shape: &AnyText, budget: 1_000 };
    assert_eq!(search.find(), Answer::Undecided);
}

#[rstest]
#[case("/w/src/*", "/w/", &["src/*"])]
#[case("*.env", "/w/", &["*.env"])]
#[case("src/*", "/w/", &[])]
#[case("/?/a", "/w/", &["a"])]
#[case("*/a", "/w/", &["*/a", "a"])]
fn what_follows_a_beginning(#[case] text: &str, #[case] prefix: &str, #[case] expected: &[&str]) {
    let rest = set(text).after(prefix);
    let expected: Vec<_> = expected.iter().flat_map(|text| set(text).alternatives).collect();
    assert_eq!(rest.alternatives, expected);
}

proptest! {
    /// A witness is one, and where none is found no short text is one.
    #[test]
    fn agrees_with_the_matcher(target in "[ab *?]{0,5}", over in prop::collection::vec("[ab *?]{0,5}", 0..4)) {
        let texts: Vec<&str> = over.iter().map(String::as_str).collect();
        let is_one = |value: &str| pattern(&target).matches(value) && !texts.iter().any(|text| pattern(text).matches(value));
        match left(&target, &texts) {
            Answer::Witness(value) => {
                prop_assert!(is_one(&value), "{value:?}");
                for shorter in all_texts(value.chars().count().min(5)) {
                    prop_assert!(shorter.chars().count() >= value.chars().count() || !is_one(&shorter), "{shorter:?} is shorter");
                }
            }
            Answer::None => for value in all_texts(6) {
                prop_assert!(!is_one(&value), "{value:?} was missed");
            },
            Answer::Undecided => {}
        }
    }

    #[test]
    fn what_follows_is_what_matches(text in "[ab/*?]{0,6}", prefix in "[ab/]{0,3}", rest in "[ab/]{0,4}") {
        let whole = pattern(&text).matches(&format!("{prefix}{rest}"));
        let after = set(&text).after(&prefix);
        let all = PatternSet::everything();
        let search = Search {
            target: &PatternSet::literal(&rest),
            over: vec![&after],
            last_of: vec![(&all, true)],
            shape: &AnyText,
            budget: 1_000_000,
        };
        prop_assert_eq!(search.find() == Answer::None, whole);
    }
}

/// All texts over a few letters, up to a length.
fn all_texts(length: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let longer: Vec<String> =
            texts[from..].iter().flat_map(|text| ["a", "b", " ", "z"].map(|c| format!("{text}{c}"))).collect();
        from = texts.len();
        texts.extend(longer);
    }
    texts
}
