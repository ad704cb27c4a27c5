use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::super::test_support::{broken, posix, scope};
use super::*;
use crate::policy::Scope;

fn lines(rules: &[Rule]) -> Vec<String> {
    rules.iter().map(|rule| format!("{}/{}={}", rule.surface, rule.pattern, rule.action)).collect()
}

fn scopes(permissions: &[Value]) -> Vec<LoadedScope> {
    Scope::ALL.iter().zip(permissions).map(|(which, permission)| scope(*which, permission.clone())).collect()
}

/// RES-05: only a member's own name moves, only behind its family, only inside its scope.
#[rstest]
#[case::hard_035_swapped(
    &[json!({"external_directory_read": {"~/dev/*": "allow"}, "external_directory": {"*": "ask"}})],
    &["external_directory/*=ask", "external_directory_read/~/dev/*=allow"])]
#[case::in_order_already(
    &[json!({"path": "ask", "path_read": "allow"})], &["path/*=ask", "path_read/*=allow"])]
#[case::sugar_by_pattern(
    &[json!({"path_write": "deny", "pat*": "ask"})], &["pat*/*=ask", "path_write/*=deny"])]
#[case::pattern_of_members_stays(
    &[json!({"path_read": "deny", "path_r*": "ask", "read": "allow"})], &["path_read/*=deny", "path_r*/*=ask", "read/*=allow"])]
#[case::other_family(
    &[json!({"path_read": "deny", "external_directory": "ask"})], &["path_read/*=deny", "external_directory/*=ask"])]
#[case::between_scopes(
    &[json!({"path_read": "deny"}), json!({"path": "allow"})], &["path_read/*=deny", "path/*=allow"])]
#[case::moved_ones_keep_their_order(
    &[json!({"path_read": {"a": "deny", "b": "ask"}, "path_write": "ask", "path": "allow", "ls": "ask"})],
    &["path/*=allow", "path_read/a=deny", "path_read/b=ask", "path_write/*=ask", "ls/*=ask"])]
fn res_05(#[case] permissions: &[Value], #[case] expected: &[&str]) {
    assert_eq!(lines(&in_order(&scopes(permissions), &posix()).rest), expected);
}

/// CFG-021 to CFG-023: what the package makes of the same files; for the trace only.
#[rstest]
#[case::union(
    &[json!({"bash": {"git *": "allow", "*": "ask"}}), json!({"bash": {"git *": "deny"}})], &["bash/git *=deny", "bash/*=ask"])]
#[case::map_over_string(&[json!({"bash": "deny"}), json!({"bash": {"ls": "allow"}})], &["bash/ls=allow"])]
#[case::empty_map_over_string(&[json!({"bash": "deny"}), json!({"bash": {}})], &[])]
#[case::empty_map_over_map(&[json!({"bash": {"rm *": "deny"}}), json!({"bash": {}})], &["bash/rm *=deny"])]
#[case::string_over_map(&[json!({"bash": {"rm *": "deny"}}), json!({"bash": "allow"})], &["bash/*=allow"])]
#[case::surface_keeps_its_place(
    &[json!({"read": "deny", "r*": "ask"}), json!({"read": "allow"})], &["read/*=allow", "r*/*=ask"])]
#[case::cfg_007_numbers(
    &[json!({"skill": {"*": "deny", "42": "allow", "07": "ask", "4294967295": "ask", "7": "deny"}})],
    &["skill/7=deny", "skill/42=allow", "skill/*=deny", "skill/07=ask", "skill/4294967295=ask"])]
#[case::cfg_023(
    &[json!({"bash": {"a": "deny"}}), json!({"bash": {"a": "allow", "b": "ask"}}), json!({"bash": "deny"})], &["bash/*=deny"])]
fn cfg_021(#[case] permissions: &[Value], #[case] expected: &[&str]) {
    assert_eq!(lines(&merged_by_key(&scopes(permissions)).rest), expected);
}

#[test]
fn cfg_008_a_broken_file_adds_nothing_to_the_package() {
    let scopes = [broken(Scope::Global, json!({"*": "deny", "bash": "deny"})), scope(Scope::Project, json!({"bash": "allow"}))];
    let merged = merged_by_key(&scopes);
    assert_eq!((lines(&merged.rest), merged.default.action), (vec!["bash/*=allow".to_owned()], PermissionState::Ask));
    // RES-06: ours keeps its deny.
    let ours = in_order(&scopes, &posix());
    assert_eq!(lines(&ours.rest), ["bash/*=deny", "bash/*=allow"]);
    assert_eq!(ours.default.action, PermissionState::Deny);
}

#[test]
fn shapes_are_read_off_when_nobody_noted_them() {
    let mut scopes =
        scopes(&[json!({"bash": {"rm *": "deny", "*": "ask"}, "read": "ask"}), json!({"bash": "allow", "read": {"a": "deny"}})]);
    let noted = lines(&merged_by_key(&scopes).rest);
    scopes.iter_mut().for_each(|scope| scope.shapes.clear());
    assert_eq!(lines(&merged_by_key(&scopes).rest), noted);
    assert_eq!(noted, ["bash/*=allow", "read/a=deny"]);
}

#[rstest]
#[case::one_file(&[json!({"bash": {"*": "ask", "git *": "allow"}})], false)]
#[case::two_files(&[json!({"bash": "ask"}), json!({"read": "ask"})], true)]
#[case::numbers(&[json!({"skill": {"*": "ask", "42": "allow"}})], true)]
fn order_may_differ_is_cheap(#[case] permissions: &[Value], #[case] expected: bool) {
    assert_eq!(order_may_differ(&scopes(permissions)), expected);
}
