use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{both_directions_label, requester_scope_label, serving_scope_label, session_label};

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(surface, pattern)| ((*surface).to_owned(), (*pattern).to_owned())).collect()
}

/// SESS-010, HARD-041: the label is the stored text; RES-32: when nothing can be stored it says so.
#[rstest]
#[case(&[("bash", "git status *")], "Approve for this session: bash 'git status *'")]
#[case(&[("mcp", "exa:search")], "Approve for this session: mcp 'exa:search'")]
#[case(&[("skill", "lib")], "Approve for this session: skill 'lib'")]
#[case(&[("path", "/w/*")], "Approve for this session: path '/w/*'")]
#[case(&[("read", "/w/*")], "Approve for this session: read '/w/*'")]
#[case(&[("external_directory_read", "/o"), ("external_directory_read", "/o/*")], "Approve for this session: external_directory_read '/o' and '/o/*'")]
#[case(&[("external_directory", "/a/*"), ("path", "/b/*")], "Approve for this session: external_directory '/a/*', path '/b/*'")]
#[case(&[("foo", "*")], "Approve for this session: every call of 'foo'")]
#[case(&[("foo", "*"), ("path", "/b")], "Approve for this session: every call of 'foo', path '/b'")]
#[case(&[("bash", "")], "Approve for this session: bash ''")]
#[case(&[("bash", "a\u{1b}b")], "Approve for this session: bash 'a\\u{1b}b'")]
#[case(&[], "Approve once (nothing can be stored for this session)")]
fn sess_010_session_label(#[case] stored: &[(&str, &str)], #[case] expected: &str) {
    assert_eq!(session_label(&pairs(stored)), expected);
}

#[test]
fn res_32_the_fifth_option_names_the_family() {
    let label = both_directions_label(&pairs(&[("path", "/w/*")]));
    assert_eq!(label, "Approve for this session, reading and writing: path '/w/*'");
}

/// SESS-010, AUTH-012: the two scopes of a forwarded yes.
#[rstest]
#[case(Some("a"), "Only for the subagent 'a'")]
#[case(Some("E'"), "Only for the subagent 'E''")]
#[case(Some(""), "Only for this subagent")]
#[case(None, "Only for this subagent")]
fn auth_012_requester_scope(#[case] agent: Option<&str>, #[case] expected: &str) {
    assert_eq!(requester_scope_label(agent), expected);
}

#[test]
fn auth_012_serving_scope() {
    assert_eq!(serving_scope_label(&pairs(&[("bash", "git *")])), "For this session and all its subagents: bash 'git *'");
}
