use proptest::prelude::*;

use super::super::test_support::posix;
use super::super::wildcard::{Fold, MatchOptions, WithoutHome};
use super::*;

fn prepared(patterns: &[String]) -> Vec<(u32, Pattern)> {
    (0..).zip(patterns.iter().map(|pattern| Pattern::prepare(pattern, &posix()))).collect()
}

/// Texts and values over few letters, so that grams collide and repeat.
fn pattern() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[ab/ *?é]{0,7}", 1 => "[a-c]{1,4} \\*", 1 => "\\*[a-c]{1,4}", 1 => "\\*[a-c]{1,4}\\*", 1 => "~/[ab*]{0,3}"]
}

proptest! {
    /// The index finds what a scan finds, whatever is already found and whatever is not accepted.
    #[test]
    fn hard_064_index_is_a_scan(
        patterns in prop::collection::vec(pattern(), 0..60),
        values in prop::collection::vec("[abc/ é]{0,9}|/h/[ab]{0,3}", 1..8),
        after in prop::option::of(0_u32..60),
        refused in prop::collection::vec(0_u32..60, 0..6),
    ) {
        let (index, naive) = (PatternIndex::build(prepared(&patterns)), PatternIndex::naive(prepared(&patterns)));
        for value in values.iter().chain(&patterns) {
            let accept = |place: u32| !refused.contains(&place);
            prop_assert_eq!(
                index.last_match(value, after, accept),
                naive.last_match(value, after, accept),
                "{:?} among {:?}", value, patterns
            );
            prop_assert_eq!(index.all_matches(value), naive.all_matches(value), "{:?} among {:?}", value, patterns);
        }
    }

    /// The same for folded patterns and for restrictions without a home.
    #[test]
    fn rule_007_policy_d10_index_is_a_scan(
        patterns in prop::collection::vec("(~/)?[aBß/*?]{0,5}", 17..40),
        value in "[aAbBß/\\\\]{0,8}",
    ) {
        let options = MatchOptions { platform: crate::host::Platform::Windows, home: None };
        let prepared = || -> Vec<_> {
            let compile = |text: &String| Pattern::compile(text, &options, Fold::Windows, WithoutHome::MatchAnywhere);
            (0..).zip(patterns.iter().map(compile)).collect()
        };
        let value = super::super::wildcard::fold_value(&value);
        let found = PatternIndex::build(prepared()).last_match(&value, None, |_| true);
        prop_assert_eq!(found, PatternIndex::naive(prepared()).last_match(&value, None, |_| true));
    }
}

/// Ten thousand patterns, and only a handful is looked at.
#[test]
fn hard_064_looks_at_few() {
    let patterns: Vec<String> = (0..10_000)
        .map(|n| match n % 4 {
            0 => format!("tool{n} *"),
            1 => format!("git push origin branch-{n}"),
            2 => format!("*/file{n}.rs"),
            _ => format!("npm run *task{n}*"),
        })
        .collect();
    let index = PatternIndex::build(prepared(&patterns));
    let files = index.files.as_ref().unwrap();
    for value in ["npm run x-task9999-y", "src/file4242.rs", "tool4000 --all", "git push origin branch-1", "nothing of it"] {
        let mut looked_at = 0;
        files.each_list(value, |list| looked_at += list.len());
        assert!(looked_at <= 40, "{value}: {looked_at}");
    }
    assert_eq!(index.last_match("npm run x-task9999-y", None, |_| true), Some(9_999));
    assert_eq!(index.last_match("tool4000", None, |_| true), Some(4_000), "space-star");
    assert_eq!(index.last_match("nothing of it", None, |_| true), None);
}
