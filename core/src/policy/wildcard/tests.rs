use std::time::{Duration, Instant};

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::super::test_support::{posix, windows};
use super::*;

fn matches(pattern: &str, value: &str) -> bool {
    Pattern::prepare(pattern, &posix()).matches(value)
}

/// The pattern after home expansion, folding left aside.
fn expanded(pattern: &str, home: &str) -> String {
    let options = MatchOptions { home: Some(home.to_owned()), ..MatchOptions::default() };
    Pattern::prepare(pattern, &options).as_text().unwrap()
}

#[rstest]
#[case("*", "", true)]
#[case("*", "a\nb", true)]
#[case("", "", true)]
#[case("", "a", false)]
#[case("src/*", "src/a/b", true)]
#[case("src/*", "src/", true)]
#[case("src/*", "src", false)]
#[case("*.env", "a/.env", true)]
#[case("*.env", ".env.local", false)]
#[case("a.b", "axb", false)]
#[case("[ab]", "a", false)]
#[case("[ab]", "[ab]", true)]
#[case("(a|b)", "a", false)]
#[case("^a$", "^a$", true)]
#[case(r"a\*b", r"a\xb", true)]
#[case(r"a\*b", "a*b", false)]
#[case(r"a\?", r"a\x", true)]
#[case("a", "a\n", false)]
#[case::double_star("a**b", "axb", true)]
#[case::double_star("**", "", true)]
#[case::overlap("aba*aba", "aba", false)]
#[case::overlap("a*a", "a", false)]
#[case::several("*a*b*c", "xaybzc", true)]
#[case::several("*a*b*c", "xbyazc", false)]
#[case::middle_before_tail("*ab*b", "ab", false)]
#[case::leftmost_is_enough("a*?b*b", "axbb", true)]
#[case::free_middle("*?x?*", "axb", true)]
#[case::free_middle("*?x?*", "ax", false)]
fn rule_001(#[case] pattern: &str, #[case] value: &str, #[case] expected: bool) {
    assert_eq!(matches(pattern, value), expected);
}

/// RULE-002 with POLICY-D09: one Unicode scalar value.
#[rstest]
#[case("?", "é", true)]
#[case::policy_d09("?", "😀", true)]
#[case::policy_d09("??", "😀", false)]
#[case("?", "\n", true)]
#[case("?", "*", true)]
#[case("?", "", false)]
fn rule_002(#[case] pattern: &str, #[case] value: &str, #[case] expected: bool) {
    assert_eq!(matches(pattern, value), expected);
}

#[rstest]
#[case("git *", "git", true)]
#[case("git *", "git ", true)]
#[case("git *", "git a\nb", true)]
#[case("git *", "gitx", false)]
#[case("git *", "git\tstatus", false)]
#[case("git **", "git", false)]
#[case("git * ", "git ", false)]
#[case("git ?", "git", false)]
#[case("git * *", "git x", true)]
#[case("git * *", "git", false)]
#[case("* *", "", true)]
#[case(" *", "", true)]
#[case("\t*", "", false)]
#[case::on_any_surface("/w/a *", "/w/a", true)]
fn rule_003(#[case] pattern: &str, #[case] value: &str, #[case] expected: bool) {
    assert_eq!(matches(pattern, value), expected);
}

#[rstest]
#[case("git", "Git", false)]
#[case("é", "e\u{301}", false)]
fn rule_004(#[case] pattern: &str, #[case] value: &str, #[case] expected: bool) {
    assert_eq!(matches(pattern, value), expected);
}

#[rstest]
#[case("~", "/h")]
#[case("$HOME", "/h")]
#[case("~/", "/h")]
#[case("~/a/", "/h/a/")]
#[case("~/a/../b", "/h/b")]
#[case("~//a", "/h/a")]
#[case(r"~\a", "/h/a")]
#[case("$HOME/a", "/h/a")]
#[case(r"$HOME\a", "/h/a")]
#[case("~/../x", "/x")]
#[case("~/../../../x", "/x")]
#[case("~/./a", "/h/a")]
#[case("~/a/.", "/h/a")]
#[case("~a", "~a")]
#[case("~user/x", "~user/x")]
#[case("$HOMEX/a", "$HOMEX/a")]
#[case("${HOME}/a", "${HOME}/a")]
#[case(" ~/a", " ~/a")]
#[case("a/~/b", "a/~/b")]
fn rule_005(#[case] pattern: &str, #[case] expected: &str) {
    assert_eq!(expanded(pattern, "/h"), expected);
}

#[test]
fn rule_005_values_do_not_expand() {
    assert!(!matches("~/x", "~/x"));
    assert!(matches("~/bin/*", "/h/bin/x"));
}

/// RULE-006 with POLICY-D10: what is in a home is literal.
#[rstest]
#[case("/h.me", "~/x", "/hxme/x", false)]
#[case::policy_d10_star("/ho*e", "~/x", "/hoZZe/x", false)]
#[case::policy_d10_star("/ho*e", "~/x", "/ho*e/x", true)]
#[case::policy_d10_question("/h?", "~", "/hx", false)]
#[case::policy_d10_space_star("/a *", "~", "/a", false)]
fn rule_006(#[case] home: &str, #[case] pattern: &str, #[case] value: &str, #[case] expected: bool) {
    let options = MatchOptions { home: Some(home.to_owned()), ..MatchOptions::default() };
    assert_eq!(Pattern::prepare(pattern, &options).matches(value), expected);
}

/// POLICY-D10: an empty or relative home is refused. An allow then matches nothing, a restriction applies under any directory
/// and to the bare rest, which the package takes it for.
#[rstest]
fn policy_d10_no_home(#[values(None, Some(""), Some("rel"))] home: Option<&str>) {
    let options = MatchOptions { home: home.map(str::to_owned), ..MatchOptions::default() };
    let allow = Pattern::compile("~/.ssh/*", &options, Fold::Exact, WithoutHome::MatchNothing);
    let deny = Pattern::compile("~/.ssh/*", &options, Fold::Exact, WithoutHome::MatchAnywhere);
    for value in ["/h/.ssh/id", ".ssh/id", "~/.ssh/id", "rel/.ssh/id"] {
        assert!(!allow.matches(value), "{value}");
        assert!(deny.matches(value), "{value}");
    }
    assert!(!deny.matches("/h/.gnupg/id"));
}

#[rstest]
#[case("C:/Users/*", r"c:\users\me\x", true)]
#[case("C:/Users/*", "c:/users/me", false)]
#[case("Σ", "ς", true)]
#[case("É", "é", true)]
#[case("\u{212a}", "k", false)]
#[case("ß", "SS", false)]
#[case("ß", "ß", true)]
#[case("ſ", "s", false)]
#[case("𐐀", "𐐨", false)]
#[case("~/X", r"c:\users\me\x", true)]
#[case(r"~\..\other", r"C:\Users\other", true)]
fn rule_007(#[case] pattern: &str, #[case] value: &str, #[case] expected: bool) {
    let pattern = Pattern::compile(pattern, &windows(), Fold::Windows, WithoutHome::MatchNothing);
    assert_eq!(pattern.matches(&fold_value(value)), expected);
}

#[rstest]
#[case::posix(posix(), "GIT *", "git status")]
#[case::windows(windows(), "C:/A", r"c:\a")]
fn rule_007_other_surfaces_are_exact(#[case] options: MatchOptions, #[case] pattern: &str, #[case] value: &str) {
    assert!(!Pattern::prepare(pattern, &options).matches(value));
}

#[rstest]
#[case(r"\\srv\share\me", "~/../../../x", r"\\srv\share\x")]
#[case(r"C:\", "~/a", r"C:\a")]
#[case("C:/Users/me/", "~", r"C:\Users\me")]
fn rule_005_windows_homes(#[case] home: &str, #[case] pattern: &str, #[case] expected: &str) {
    let options = MatchOptions { platform: Platform::Windows, home: Some(home.to_owned()) };
    assert_eq!(Pattern::prepare(pattern, &options).as_text().as_deref(), Some(expected));
}

#[rstest]
#[case("/etc/*", "/shadow", true)]
#[case("/etc/shadow", "/shadow", true)]
#[case("/etc/shadow", "/passwd", false)]
#[case("/etc/*.conf", "/a.conf", true)]
#[case("/etc/*.conf", "/a.txt", false)]
#[case("shadow", "/shadow", false)]
#[case("/e?c/sh?dow", "/shadow", true)]
#[case("/a*/long/tail", "/tail", true)]
fn res_51_ending(#[case] pattern: &str, #[case] ending: &str, #[case] expected: bool) {
    assert_eq!(Pattern::prepare(pattern, &posix()).could_match_ending_with(ending), expected);
}

/// HARD-064: the example, and patterns that make backtracking matchers slow.
#[rstest]
#[case("*a*a*a*a*a*a*a*a*a*a*b", 5_000)]
#[case("*?a*?a*?a*?a*?a*?a*?b", 5_000)]
#[case("*aaaaaaaaaaaaaaaaaaaaaaaaaab", 5_000)]
#[case("*?aaaaaaaaaaaaaaaaaaaaaaaaab*", 5_000)]
fn hard_064_no_stall(#[case] pattern: &str, #[case] length: usize) {
    let (pattern, value) = (Pattern::prepare(pattern, &posix()), "a".repeat(length));
    let start = Instant::now();
    assert!(!pattern.matches(&value));
    // A backtracking matcher takes seconds to years; the bound leaves room for a busy machine.
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
}

/// The textbook definition, by dynamic programming over characters.
fn reference(pattern: &str, value: &str) -> bool {
    let (pattern, value): (Vec<char>, Vec<char>) = (pattern.chars().collect(), value.chars().collect());
    let mut reached = vec![false; value.len() + 1];
    reached[0] = true;
    for c in pattern {
        if c == '*' {
            for at in 1..=value.len() {
                reached[at] |= reached[at - 1];
            }
            continue;
        }
        for at in (0..value.len()).rev() {
            reached[at + 1] = reached[at] && (c == '?' || c == value[at]);
        }
        reached[0] = false;
    }
    reached[value.len()]
}

proptest! {
    #[test]
    fn rule_001_as_defined(pattern in "[ab?* é😀]{0,8}", value in "[ab é😀\n]{0,10}") {
        let optional = pattern.strip_suffix(" *").is_some_and(|base| reference(base, &value));
        prop_assert_eq!(matches(&pattern, &value), reference(&pattern, &value) || optional);
    }

    #[test]
    fn hard_064_never_panics(pattern in "\\PC{0,30}", value in "\\PC{0,30}", home in "\\PC{0,10}", windows: bool) {
        let platform = if windows { Platform::Windows } else { Platform::Posix };
        let options = MatchOptions { platform, home: Some(home) };
        for fold in [Fold::Exact, Fold::Windows] {
            let pattern = Pattern::compile(&pattern, &options, fold, WithoutHome::MatchAnywhere);
            pattern.matches(&value);
            pattern.could_match_ending_with(&value);
        }
    }

    /// What may end with a text does so for every value that matches and ends with it.
    #[test]
    fn res_51_ending_misses_nothing(pattern in "[/ab?*]{0,8}", front in "[/ab]{0,4}", ending in "[/ab]{0,4}") {
        let value = format!("{front}{ending}");
        if matches(&pattern, &value) {
            prop_assert!(Pattern::prepare(&pattern, &posix()).could_match_ending_with(&ending));
        }
    }
}
