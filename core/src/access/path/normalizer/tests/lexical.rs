//! PATH-004: texts only.

use pretty_assertions::assert_eq;

use super::*;

#[rstest]
#[case::path_004("/w/p", "a/../b", "/w/p/b")]
#[case::path_004("/w/p", "../a", "/w/a")]
#[case::path_004("/w/p", "/x//y/./z/", "/x/y/z")]
#[case::path_004("/w/p", "a/", "/w/p/a")]
#[case::path_004("/w/p", ".", "/w/p")]
#[case::path_004("/w/p", "/", "/")]
#[case::path_004("/w/p", "//x/y", "/x/y")]
#[case::path_004("/w/p", "a\\b", "/w/p/a\\b")]
#[case::path_004("/w/p", "C:\\x", "/w/p/C:\\x")]
#[case::path_004("/w/p", "%2e%2e/x", "/w/p/%2e%2e/x")]
#[case::path_004("/w/p", "", "")]
#[case::path_005("/w/p", ".ENV", "/w/p/.ENV")]
#[case::path_005("/w/p", "été", "/w/p/été")]
#[case::root_stays("/w/p", "../../../..", "/")]
fn lexical_on_posix(#[case] cwd: &str, #[case] text: &str, #[case] expected: &str) {
    assert_eq!(posix_at(cwd, MemoryFiles::default()).lexical(text), expected);
}
