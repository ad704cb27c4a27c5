use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::super::test_support::*;
use super::*;
use crate::policy::{Origin, Scope};
use PermissionState::{Allow, Ask, Deny};

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
#[case::cfg_021_scopes(
    &[json!({"bash": "ask"}), json!({"bash": "deny"}), json!({"bash": "allow"}), json!({"bash": {"*": "deny"}})],
    "bash", "x", Deny)]
#[case::cfg_021_map_then_map(&[json!({"bash": {"rm *": "deny"}}), json!({"bash": {}})], "bash", "rm x", Deny)]
fn res_04(#[case] scopes: &[Value], #[case] surface: &str, #[case] value: &str, #[case] expected: PermissionState) {
    assert_eq!(state(&layered(scopes), surface, &[value]), expected);
}

fn listing(rules: &Ruleset) -> Vec<String> {
    let line = |rule: &Rule| format!("{}/{}={} {}", rule.surface, rule.pattern, rule.action, rule.origin);
    rules.config_rules().iter().map(line).collect()
}

/// RULE-024: config rules of the current agent, in list order, with origins.
#[test]
fn rule_024_listing() {
    let rules = layered(&[json!({"*": "ask", "bash": {"a": "deny"}, "mcp": {"x": "allow"}}), json!({"read": "allow"})]);
    assert_eq!(listing(&rules), ["bash/a=deny global", "mcp/x=allow global", "read/*=allow project"]);
}

/// RULE-011: default, baseline, config.
#[test]
fn rule_011_order() {
    let rules = global(json!({"mcp": {"x": "allow"}, "bash": "deny"}));
    let line = |rule: &Rule| format!("{}/{}={} {}", rule.surface, rule.pattern, rule.action, rule.layer);
    let lines: Vec<String> = rules.list().rules().iter().map(line).collect();
    let expected = [
        "*/*=ask default",
        "mcp/mcp_status=allow baseline",
        "mcp/mcp_list=allow baseline",
        "mcp/mcp_search=allow baseline",
        "mcp/mcp_describe=allow baseline",
        "mcp/mcp_connect=allow baseline",
        "mcp/x=allow config",
        "bash/*=deny config",
    ];
    assert_eq!(lines, expected);
}

/// RULE-008: members become rules in order, reasons with them.
#[test]
fn rule_008_rules() {
    let rules = global(json!({"a": "allow", "b": {"x": "ask", "y": {"action": "deny", "reason": "r"}}}));
    assert_eq!(listing(&rules), ["a/*=allow global", "b/x=ask global", "b/y=deny global"]);
    assert_eq!(rules.config_rules().last().unwrap().reason.as_deref(), Some("r"));
}

/// RULE-009: the universal default is the last scope's plain state for `*` (RES-04), else ask.
#[rstest]
#[case::nothing(&[], Ask, Origin::Builtin)]
#[case::project_last(&[json!({"*": "ask"}), json!({"*": "deny"})], Deny, Origin::Project)]
#[case::project_silent(&[json!({"*": "allow"}), json!({"read": "ask"})], Allow, Origin::Global)]
fn rule_009_default(#[case] scopes: &[Value], #[case] expected: PermissionState, #[case] origin: Origin) {
    let answer = answer(&layered(scopes), &ask("any", &["x"]));
    assert_eq!((answer.state, answer.origin, answer.matched_pattern), (expected, origin, None));
}

#[rstest]
#[case::one_allow(json!({"mcp": {"exa:*": "allow"}}), true)]
#[case::no_allow(json!({"mcp": {"x": "deny", "y": "ask"}}), false)]
#[case::only_the_exact_surface(json!({"m*": "allow"}), false)]
fn rule_010_baseline(#[case] policy: Value, #[case] expected: bool) {
    let head = global(policy).list().rules().iter().filter(|rule| rule.layer == Layer::Baseline).count();
    assert_eq!(head, if expected { 5 } else { 0 });
}

/// RULE-022: the value `*`, a literal.
#[rstest]
#[case(json!({"bash": {"git status": "deny"}}), "bash", Ask)]
#[case(json!({"bash": {"*": "deny", "git status": "allow"}}), "bash", Deny)]
#[case(json!({"write": {"*": "deny", "src/*": "allow"}}), "write", Deny)]
#[case(json!({"write": {"*": "allow", "*.env": "deny"}}), "write", Allow)]
#[case(json!({"bash": {"?": "deny"}}), "bash", Deny)]
#[case(json!({"bash": {"*": "ask", "**": "deny"}}), "bash", Deny)]
#[case(json!({"bash": {"*": "allow", "? *": "deny"}}), "bash", Deny)]
#[case::trimmed(json!({"*": "deny", "x": "ask"}), " x ", Ask)]
#[case::surface_pattern(json!({"exec*": "deny"}), "exec_command", Deny)]
#[case(json!({"mcp": {"exa:*": "allow"}}), "mcp", Ask)]
#[case::empty_name(json!({}), "", Ask)]
#[case::res_17_family(json!({"path_write": "deny", "path": "allow"}), "path", Deny)]
fn rule_022(#[case] policy: Value, #[case] tool: &str, #[case] expected: PermissionState) {
    assert_eq!(global(policy).tool_level_state(tool), expected);
}

/// RULE-023, over family and members (RES-17).
#[test]
fn rule_023_promotable() {
    let policy = json!({
        "path": {"*": "deny", "*.pem": "deny", "id_rsa": "ask", "ok*": "allow", "~/.ssh/*": "deny"},
        "path_read": {"secret": "deny"}
    });
    let rules = global(policy);
    let promotable = |token: &str| rules.is_promotable(token);
    for token in ["a.pem", "id_rsa", "/h/.ssh/x", "secret"] {
        assert!(promotable(token), "{token}");
    }
    for token in ["okx", "status", "id_RSA", "", "~/.ssh/x"] {
        assert!(!promotable(token), "{token}");
    }
}

#[rstest]
#[case::later_allow_does_not_cancel(json!({"path": {"id_rsa": "deny", "id*": "allow"}}), "id_rsa", true)]
#[case::surface_key_is_a_pattern(json!({"pat?": {"id_rsa": "deny"}}), "id_rsa", false)]
#[case::two_stars(json!({"path": {"**": "ask"}}), "", true)]
#[case::no_rule(json!({}), "x", false)]
fn rule_023(#[case] policy: Value, #[case] token: &str, #[case] expected: bool) {
    assert_eq!(global(policy).is_promotable(token), expected);
}

#[test]
fn rule_023_windows() {
    let scopes = [scope(Scope::Global, json!({"path": {"*.PEM": "deny", "dir/x": "deny"}}))];
    let rules = Ruleset::compose(&scopes, windows());
    let promotable = ["a.pem", r"dir\x", "dir/x"].map(|token| rules.is_promotable(token));
    assert_eq!(promotable, [true, true, false]);
}

/// HARD-051, RES-25: hidden only when nothing leads anywhere but to deny.
#[rstest]
#[case::hard_051(json!({"bash": {"*": "deny", "git *": "ask"}}), "bash", false)]
#[case::hard_051(json!({"bash": {"git *": "ask", "*": "deny"}}), "bash", true)]
#[case::policy_d18(json!({"bash": {"*": "deny", "git status": "allow"}}), "bash", false)]
#[case::plain(json!({"bash": "deny"}), "bash", true)]
#[case::default_denies(json!({"*": "deny"}), "bash", true)]
#[case::by_surface_pattern(json!({"*": "deny", "exec*": {"ls": "allow"}}), "exec_command", false)]
#[case::home_pattern(json!({"read": {"*": "deny", "~/dev/*": "allow"}}), "read", false)]
#[case::baseline_of_mcp(json!({"mcp": {"x": "allow", "*": "deny"}}), "mcp", true)]
#[case::trimmed(json!({"bash": "deny"}), " bash ", true)]
fn res_25(#[case] policy: Value, #[case] tool: &str, #[case] expected: bool) {
    assert_eq!(global(policy).is_hidden(tool), expected);
}

#[test]
fn res_25_windows() {
    let scopes = [scope(Scope::Global, json!({"read": {"*": "deny", "Src/*": "allow"}}))];
    assert!(!Ruleset::compose(&scopes, windows()).is_hidden("read"));
}

/// RES-51, BASH-D16: absolute patterns, and those that say nothing about where a path begins.
#[rstest]
#[case::absolute(json!({"path": {"/etc/*": "deny"}}), "shadow", true)]
#[case::absolute_name(json!({"path": {"/etc/shadow": "ask"}}), "shadow", true)]
#[case::absolute_name(json!({"path": {"/etc/shadow": "ask"}}), "./x/../shadow", true)]
#[case::other_name(json!({"path": {"/etc/shadow": "deny"}}), "passwd", false)]
#[case::longer_word(json!({"path": {"/etc/ssl/key": "deny"}}), "ssl/key", true)]
#[case::home(json!({"path_read": {"~/.ssh/*": "deny"}}), "id", true)]
#[case::allow_is_no_restriction(json!({"path": {"/etc/*": "allow"}}), "shadow", false)]
#[case::catch_all(json!({"path": "deny"}), "shadow", false)]
#[case::relative(json!({"path": {"src/*": "deny"}}), "x", false)]
#[case::matches_the_word_itself(json!({"path": {"*.env": "deny"}}), "a.env", false)]
#[case::any_beginning(json!({"path": {"*/secrets/key": "deny"}}), "secrets/key", true)]
#[case::free_beginning(json!({"path": {"?etc/shadow": "deny"}}), "shadow", true)]
#[case::other_surface(json!({"read": {"/etc/*": "deny"}}), "shadow", false)]
#[case::surface_pattern(json!({"pat*": {"/etc/*": "deny"}}), "shadow", true)]
#[case::above(json!({"path": {"/etc/shadow": "deny"}}), "../shadow", true)]
fn res_51(#[case] policy: Value, #[case] word: &str, #[case] expected: bool) {
    assert_eq!(global(policy).absolute_restriction_could_end_with(word), expected);
}

#[test]
fn res_51_windows() {
    let scopes = [scope(Scope::Global, json!({"path": {"C:/Secret/Ke?": "deny"}}))];
    let rules = Ruleset::compose(&scopes, windows());
    assert!(rules.absolute_restriction_could_end_with("secret/key"));
    assert!(!rules.absolute_restriction_could_end_with("other"));
}
