use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::super::test_support::*;
use super::*;
use PermissionState::{Allow, Deny};

/// RES-04: the changed examples of CFG-021, CFG-022, POLICY-D07 and HARD-061.
#[rstest]
#[case::string_then_map(&[json!({"bash": "deny"}), json!({"bash": {"ls": "allow"}})], "bash", "rm x", Deny)]
#[case::string_then_empty(&[json!({"bash": "deny"}), json!({"bash": {}})], "bash", "rm x", Deny)]
#[case::allow_then_deny(&[json!({"bash": "allow"}), json!({"bash": {"rm *": "deny"}})], "bash", "ls", Allow)]
#[case::redefined(
    &[json!({"bash": {"git *": "allow", "*": "ask"}}), json!({"bash": {"git *": "deny"}})], "bash", "git status", Deny)]
#[case::surface_pattern(&[json!({"read": "deny", "r*": "ask"}), json!({"read": "allow"})], "read", "a", Allow)]
#[case::numbers(&[json!({"skill": {"*": "deny", "42": "allow"}})], "skill", "42", Allow)]
#[case::hard_061_project_last(
    &[json!({"bash": {"*": "ask", "git *": "allow"}}), json!({"bash": {"*": "deny"}})], "bash", "git push", Deny)]
#[case::hard_061_catch_all_last(&[json!({"bash": {"rm *": "deny"}}), json!({"bash": "allow"})], "bash", "rm x", Allow)]
fn res_04(#[case] scopes: &[Value], #[case] surface: &str, #[case] value: &str, #[case] expected: PermissionState) {
    assert_eq!(state(&layered(scopes), surface, &[value]), expected);
}
