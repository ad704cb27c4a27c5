//! Shell words under a base (EXT-001 to EXT-010, CWD-007, PATH-024).

use pretty_assertions::assert_eq;

use super::*;

#[rstest]
#[case::path_020("a", "/w/p/sub", &["/w/p/sub/a", "sub/a", "a"])]
#[case::path_020("../../z", "/w/p/sub", &["/w/z", "../../z"])]
#[case::path_020_typed("'a'", "/w/p", &["/w/p/a", "a", "'a'"])]
#[case::path_002_home("~/x", "/w/p", &["/home/u/x", "~/x"])]
#[case::ext_002("//etc//a/", "/w/p", &["/etc/a", "//etc//a/"])]
#[case::ext_002("src/../../x", "/w/p", &["/w/x", "src/../../x"])]
#[case::ext_002("/etc/../etc/b", "/w/p", &["/etc/b", "/etc/../etc/b"])]
#[case::ext_002("/", "/w/p", &["/"])]
#[case::ext_008("./src/a", "/w/p", &["/w/p/src/a", "src/a", "./src/a"])]
#[case::ext_008("src//b/../a", "/w/p", &["/w/p/src/a", "src/a", "src//b/../a"])]
#[case::ext_008("..", "/w/p", &["/w", ".."])]
#[case::ext_008("/w/p/src/a", "/w/p", &["/w/p/src/a", "src/a"])]
#[case::ext_008("a/b", "/w/p/pkg", &["/w/p/pkg/a/b", "pkg/a/b", "a/b"])]
#[case::ext_008_star("'*'", "/w/p", &["*", "/w/p/*", "'*'"])]
#[case::cwd_007("../x", "/srv", &["/x", "../x"])]
fn values_of_words(#[case] word: &str, #[case] base: &str, #[case] expected: &[&str]) {
    assert_eq!(package_values(&posix(&[]).resolve_word(word, &known(base)).unwrap()), expected);
}

#[rstest]
#[case::ext_001("$HOME/a", &["/home/u/a"], &[("$HOME/a", "POLICY-D08")])]
#[case::ext_001("~//d/", &["/home/u/d"], &[("/home/u/d/", "POLICY-D08"), ("~//d/", "POLICY-D08")])]
#[case::ext_001("@/etc/d", &["/etc/d"], &[("@/etc/d", "POLICY-D08")])]
#[case::ext_001("'/etc/e'", &["/etc/e"], &[("'/etc/e'", "POLICY-D08")])]
#[case::ext_001(" /etc/f ", &["/etc/f"], &[])]
#[case::hard_018("${HOME}/g", &["/home/u/g"], &[("${HOME}/g", "POLICY-D08"), ("/w/p/${HOME}/g", "HARD-018")])]
#[case::res_50_url("file:///etc/x", &["/etc/x"], &[
    ("file:///etc/x", "POLICY-D08"), ("/w/p/file:/etc/x", "BASH-D10"), ("file:/etc/x", "BASH-D10")
])]
fn spellings_of_words(#[case] word: &str, #[case] values: &[&str], #[case] further: &[(&str, &str)]) {
    let path = posix(&[]).resolve_word(word, &known("/w/p")).unwrap();
    assert_eq!(spellings(&path), (values.to_vec(), further.to_vec()));
}

#[rstest]
#[case("")]
#[case("@")]
#[case("''")]
#[case("  ")]
fn ext_001_words_that_name_nothing(#[case] word: &str) {
    assert_eq!(posix(&[]).resolve_word(word, &known("/w/p")), None);
}

#[rstest]
#[case::ext_010("ln/a", "ln/a")]
#[case::ext_010(".env", ".env")]
#[case::cwd_019("../x", "../x")]
#[case::cwd_019("./w", "./w")]
fn ext_010_words_under_an_unknown_base(#[case] word: &str, #[case] value: &str) {
    let path = posix(&[("/w/p/ln", "-> /vault")]).resolve_word(word, &Base::Unknown).unwrap();
    assert_eq!(spellings(&path), (vec![value], vec![]));
    assert_eq!((path.canonical.as_str(), path.outside, path.unknown_place), ("", true, true));
}

#[rstest]
#[case::cwd_019("/w/p/q", &["/w/p/q", "q"])]
#[case::cwd_019("~/r", &["/home/u/r"])]
fn cwd_019_words_that_need_no_base(#[case] word: &str, #[case] values: &[&str]) {
    let path = posix(&[]).resolve_word(word, &Base::Unknown).unwrap();
    assert_eq!((path.values.iter().map(String::as_str).collect::<Vec<_>>(), path.unknown_place), (values.to_vec(), false));
}

#[test]
fn ext_006_the_packages_boundary_values_are_kept() {
    let path = posix(&[]).resolve_word("src/../b", &Base::Unknown).unwrap();
    assert_eq!(path.assumed, ["/w/p/b", "b"]);
}

#[rstest]
#[case::hard_018("~root/h", &[("/w/p/~root/h", "HARD-018")])]
#[case::hard_018("~+", &[("/w/p/~+", "HARD-018")])]
fn hard_018_other_homes_are_unknown_places(#[case] word: &str, #[case] further: &[(&str, &str)]) {
    let path = posix(&[]).resolve_word(word, &known("/w/p")).unwrap();
    assert_eq!(spellings(&path), (vec![word], further.to_vec()));
    assert!(path.outside && path.unknown_place);
}

#[rstest]
#[case::path_024("/", known("/w/p"), known("/"))]
#[case::path_024("~x", known("/w/p"), known("/w/p/~x"))]
#[case::cwd_006("~/p", known("/w/p"), known("/w/p/~/p"))]
#[case::cwd_003("..", known("/w/p"), known("/w"))]
#[case::cwd_007("../..", known("/w/p"), known("/"))]
#[case::cwd_007("/w/p/src", Base::Unknown, known("/w/p/src"))]
#[case::cwd_007("sub", Base::Unknown, Base::Unknown)]
#[case::cwd_020("pkg", known("/w/p"), known("/w/p/pkg"))]
#[case::cwd_020("/srv/a", known("/w/p"), known("/srv/a"))]
#[case::cwd_020("", known("/w/p"), known("/w/p"))]
fn folds_directories(#[case] word: &str, #[case] base: Base, #[case] expected: Base) {
    assert_eq!(posix(&[]).fold_directory(word, &base), expected);
}
