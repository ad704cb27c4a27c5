//! Step 1: which rule answers.

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::super::super::test_support::*;
use super::super::*;
use crate::policy::{Direction, LossReason, Origin, Ruleset, Scope, Source};
use PermissionState::{Allow, Ask, Deny};

#[rstest]
#[case(json!({"bash": {"git status": "allow", "git *": "deny"}}), "bash", "git status", Deny)]
#[case(json!({"bash": {"rm *": "deny", "*": "allow"}}), "bash", "rm x", Allow)]
#[case::surface_pattern(json!({"b*": "deny"}), "bash", "x", Deny)]
#[case::surface_pattern(json!({"m?p": "deny"}), "mcp", "x", Deny)]
#[case::surface_space_star(json!({"task *": "deny"}), "task", "x", Deny)]
#[case::nothing(json!({}), "bash", "x", Ask)]
#[case::home(json!({"bash": {"~/bin/*": "allow"}}), "bash", "~/bin/x", Ask)]
#[case::home(json!({"bash": {"~/bin/*": "allow"}}), "bash", "/h/bin/x", Allow)]
fn rule_012(#[case] policy: Value, #[case] surface: &str, #[case] value: &str, #[case] expected: PermissionState) {
    assert_eq!(state(&global(policy), surface, &[value]), expected);
}

/// RULE-013 as HARD-026 and RES-15 replace it: all candidates are aliases, the last rule that applies to any wins.
#[rstest]
#[case::one_rule(json!({"mcp": {"a:*": "allow"}}), &["a_b", "a:b", "a"], Allow, "a:b")]
#[case::hard_026_catch_all_first(json!({"mcp": {"*": "ask", "a:*": "allow"}}), &["a_b", "a:b", "a"], Allow, "a:b")]
#[case::policy_d01_deny_behind_catch_all(json!({"mcp": {"*": "allow", "a:b": "deny"}}), &["a_b", "a:b", "a"], Deny, "a:b")]
#[case::res_15_a_later_allow_wins(json!({"mcp": {"a": "deny", "a:b": "allow"}}), &["a_b", "a:b", "a"], Allow, "a:b")]
#[case::no_values(json!({"mcp": {"*": "allow"}}), &[], Allow, "*")]
#[case::rule_019(json!({"mcp": {"dangerousServer": "deny"}}), &["dangerousServer_x", "dangerousServer:x", "dangerousServer"], Deny, "dangerousServer")]
#[case::rule_019_generic(json!({"mcp": {"mcp_call": "deny"}}), &["foo", "mcp_call", "mcp"], Deny, "mcp_call")]
#[case::rule_019_surface_name(json!({"mcp": {"mcp": "deny"}}), &["foo", "mcp_call", "mcp"], Deny, "mcp")]
#[case::rule_019_default(json!({}), &["foo", "mcp_call", "mcp"], Ask, "foo")]
#[case::rule_011_config_behind_baseline(json!({"mcp": {"*": "deny", "exa_*": "allow"}}), &["mcp_status", "mcp"], Deny, "mcp_status")]
#[case::rule_010_baseline(json!({"mcp": {"exa:*": "allow"}}), &["mcp_status", "mcp"], Allow, "mcp_status")]
#[case::hard_026_server(json!({"mcp": {"*": "allow", "github": "deny"}}), &["github_search", "github:search", "github", "search"], Deny, "github")]
fn res_15(#[case] policy: Value, #[case] values: &[&str], #[case] expected: PermissionState, #[case] target: &str) {
    let answer = answer(&global(policy), &ask("mcp", values));
    assert_eq!((answer.state, answer.target.as_deref()), (expected, Some(target)));
}

#[test]
fn rule_010_source_and_origin_of_the_baseline() {
    let answer = answer(&global(json!({"mcp": {"exa:*": "allow"}})), &ask("mcp", &["mcp_connect_exa", "mcp_connect"]));
    assert_eq!((answer.state, answer.source, answer.origin), (Allow, Source::Mcp, Origin::Baseline));
    assert_eq!(answer.matched_pattern, None, "only config and session patterns are reported (RULE-017)");
}

/// RES-16: a native tool is judged on `mcp` by its candidates and on its own name by `*`; the last rule wins.
#[rstest]
#[case::rule_on_the_server(json!({"mcp": {"*": "allow", "github": "deny"}}), Deny)]
#[case::rule_on_the_own_name(json!({"mcp": "allow", "mcp__github__*": "deny"}), Deny)]
#[case::own_name_first(json!({"mcp__github__search": "deny", "mcp": "allow"}), Allow)]
#[case::nothing(json!({"*": "deny"}), Deny)]
fn res_16(#[case] policy: Value, #[case] expected: PermissionState) {
    let question = Question {
        also: vec![("mcp__github__search".to_owned(), "*".to_owned())],
        ..ask("mcp", &["mcp__github__search", "github_search", "github:search", "github", "search", "mcp_call"])
    };
    let answer = answer(&global(policy), &question);
    assert_eq!((answer.state, answer.tool_name.as_str()), (expected, "mcp"));
    assert!(answer.target.as_deref().is_some_and(|target| target != "*"), "the target is a name of the call");
}

/// RULE-014: spellings of one path.
#[rstest]
#[case(json!({"read": {"/w/*": "deny", "src/*": "allow"}}), "read", &["/w/src/a", "src/a"], Allow, "src/a")]
#[case(json!({"read": {"*": "deny", "/w/*": "allow", "*.env": "deny"}}), "read", &["/w/.env", ".env"], Deny, "/w/.env")]
#[case::no_values(json!({"read": {"*": "allow"}}), "read", &[], Allow, "*")]
#[case::rule_015(json!({"read": {"*": "allow", "*.env": "deny"}}), "read", &[], Allow, "*")]
fn rule_014(
    #[case] policy: Value,
    #[case] surface: &str,
    #[case] values: &[&str],
    #[case] expected: PermissionState,
    #[case] value: &str,
) {
    let answer = answer(&global(policy), &ask(surface, values));
    assert_eq!((answer.state, answer.value.as_deref()), (expected, Some(value)));
}

/// RULE-017.
#[test]
fn rule_017_result() {
    let rules = global(json!({
        "*": "ask",
        "bash": {"git push *": {"action": "deny", "reason": "no pushing"}},
        "path": {"*.env": {"action": "deny", "reason": "no env"}}
    }));
    let question = Question { command: Some("git push x # now".to_owned()), ..ask(" bash ", &["git push x"]) };
    let pushed = answer(&rules, &question);
    assert_eq!(pushed.tool_name, " bash ");
    assert_eq!(pushed.command.as_deref(), Some("git push x # now"));
    assert_eq!((pushed.state, pushed.source, pushed.origin), (Deny, Source::Bash, Origin::Global));
    assert_eq!((pushed.reason.as_deref(), pushed.matched_pattern.as_deref()), (Some("no pushing"), Some("git push *")));
    assert_eq!(pushed.rule_surface, None, "written as asked");

    let path = answer(&rules, &ask("path", &["/w/.env"]));
    assert_eq!((path.state, path.reason.as_deref(), path.source), (Deny, Some("no env"), Source::Special));

    let default = answer(&rules, &ask("read", &["x"]));
    assert_eq!((default.origin, default.matched_pattern, default.from_default), (Origin::Global, None, true));
}

/// RULE-018, in the order of its table.
#[rstest]
#[case::default(json!({}), "mcp", Source::Default)]
#[case::default(json!({}), "skill", Source::Skill)]
#[case::default(json!({}), "bash", Source::Bash)]
#[case::default(json!({}), "read", Source::Tool)]
#[case::default(json!({}), "foo", Source::Default)]
#[case::default(json!({}), "path", Source::Special)]
#[case::default(json!({}), "external_directory", Source::Special)]
#[case::config(json!({"mcp": "ask"}), "mcp", Source::Mcp)]
#[case::config(json!({"foo": "ask"}), "foo", Source::Tool)]
fn rule_018(#[case] policy: Value, #[case] surface: &str, #[case] expected: Source) {
    assert_eq!(answer(&global(policy), &ask(surface, &["x"])).source, expected);
}

#[test]
fn rule_018_session_on_path() {
    let session = grants(&[("path", "/w/*")]);
    assert_eq!(answer_with(&global(json!({})), &session, &ask("path", &["/w/a"])).source, Source::Session);
}

/// SURF-008: only the value `*` is looked up; content of the input is not seen.
#[rstest]
#[case(json!({"my_tool": {"*": "allow", "/etc/*": "deny"}}), Allow)]
#[case(json!({"my_tool": {"/etc/*": "deny"}}), Ask)]
fn surf_008(#[case] policy: Value, #[case] expected: PermissionState) {
    assert_eq!(state(&global(policy), "my_tool", &["*"]), expected);
}

/// SURF-004: names are compared raw.
#[test]
fn surf_004() {
    assert_eq!(state(&global(json!({"skill": {"*": "ask", "librarian": "allow"}})), "skill", &[" librarian"]), Ask);
}

fn spelled(values: &[&str], further: &[(&str, &'static str)]) -> Question {
    let further = further.iter().map(|(text, by)| ((*text).to_owned(), *by)).collect();
    Question { further, ..ask("bash", values) }
}

/// RES-14: a further spelling is judged by itself, and counts as deny, or as ask that is no catch-all, when it is stricter.
#[rstest]
#[case::deny_of_the_name(json!({"/bin/rm *": "deny", "rm *": "ask"}), "/bin/rm x", "rm x", Deny, "/bin/rm *")]
#[case::deny_of_the_spelling(json!({"*": "allow", "rm *": "deny"}), "/bin/rm x", "rm x", Deny, "rm *")]
#[case::ask_of_the_spelling(json!({"*": "allow", "rm *": "ask"}), "/bin/rm x", "rm x", Ask, "rm *")]
#[case::never_an_allow(json!({"*": "ask", "rm *": "allow"}), "/bin/rm x", "rm x", Ask, "*")]
#[case::no_catch_all_ask(json!({"*": "ask", "/bin/rm *": "allow"}), "/bin/rm x", "rm x", Allow, "/bin/rm *")]
#[case::its_own_last_match(json!({"rm *": "deny", "rm x": "allow", "/bin/*": "allow"}), "/bin/rm x", "rm x", Allow, "/bin/*")]
#[case::no_catch_all_deny(json!({"*": "deny", "/bin/rm *": "allow"}), "/bin/rm x", "rm x", Allow, "/bin/rm *")]
#[case::a_catch_all_deny_of_the_main_form(json!({"/bin/rm *": "allow", "*": "deny"}), "/bin/rm x", "rm x", Deny, "*")]
fn res_14(
    #[case] bash: Value,
    #[case] text: &str,
    #[case] spelling: &str,
    #[case] expected: PermissionState,
    #[case] pattern: &str,
) {
    let answer = answer(&global(json!({"bash": bash})), &spelled(&[text], &[(spelling, "HARD-027")]));
    assert_eq!((answer.state, answer.matched_pattern.as_deref()), (expected, Some(pattern)));
}

/// RES-14: a home form is no text that a home-anchored pattern could mean; the file itself has been judged.
#[rstest]
#[case::typed_home(json!({"*": "deny", "~/docs/*": "allow"}), Allow)]
#[case::spelled_out(json!({"*": "allow", "~*": "deny"}), Deny)]
fn res_14_home_forms(#[case] read: Value, #[case] expected: PermissionState) {
    let question = Question { further: vec![("~/docs/a".to_owned(), "POLICY-D08")], ..ask("read", &["/h/docs/a"]) };
    assert_eq!(answer(&global(json!({"read": read})), &question).state, expected);
}

/// POLICY-D08: raw spellings serve deny rules only.
#[test]
fn policy_d08() {
    let rules = global(json!({"write": {"*": "deny", "src/*": "allow"}}));
    let question =
        Question { further: vec![("src/../../etc/passwd".to_owned(), "POLICY-D08")], ..ask("write", &["/etc/passwd"]) };
    assert_eq!(answer(&rules, &question).state, Deny);
}

fn directed(surface: &str, direction: Direction, value: &str) -> Question {
    Question { direction: Some(direction), ..ask(surface, &[value]) }
}

/// HARD-035, HARD-036, RES-05, RES-17.
#[rstest]
#[case::read(json!({"external_directory": {"*": "ask"}, "external_directory_read": {"~/dev/*": "allow"}}), Direction::Read, Allow)]
#[case::write(json!({"external_directory": {"*": "ask"}, "external_directory_read": {"~/dev/*": "allow"}}), Direction::Write, Ask)]
#[case::swapped_read(json!({"external_directory_read": {"~/dev/*": "allow"}, "external_directory": {"*": "ask"}}), Direction::Read, Allow)]
#[case::swapped_write(json!({"external_directory_read": {"~/dev/*": "allow"}, "external_directory": {"*": "ask"}}), Direction::Write, Ask)]
#[case::both(json!({"external_directory_read": {"~/dev/*": "allow"}, "external_directory": {"*": "ask"}}), Direction::Both, Ask)]
fn hard_035(#[case] policy: Value, #[case] direction: Direction, #[case] expected: PermissionState) {
    assert_eq!(answer(&global(policy), &directed("external_directory", direction, "/h/dev/x")).state, expected);
}

#[rstest]
#[case::read(Direction::Read, Allow)]
#[case::write(Direction::Write, Deny)]
#[case::edit(Direction::Both, Deny)]
fn hard_035_path_write(#[case] direction: Direction, #[case] expected: PermissionState) {
    let rules = global(json!({"*": "allow", "path_write": {"*": "deny"}}));
    assert_eq!(answer(&rules, &directed("path", direction, "/w/a")).state, expected);
}

/// HARD-036: `path_read {"*.secret":"deny"}` stops an edit and an unproven access, not a write.
#[rstest]
#[case::write(Some(Direction::Write), Ask)]
#[case::edit(Some(Direction::Both), Deny)]
#[case::unproven(None, Deny)]
fn hard_036(#[case] direction: Option<Direction>, #[case] expected: PermissionState) {
    let rules = global(json!({"path_read": {"*.secret": "deny"}}));
    assert_eq!(answer(&rules, &Question { direction, ..ask("path", &["/w/a.secret"]) }).state, expected);
}

#[test]
fn res_17_records_name_the_family() {
    let rules = global(json!({"path_write": {"*": "deny"}}));
    let written = answer(&rules, &ask("path", &["/w/a"]));
    assert_eq!(written.tool_name, "path");
    assert_eq!(written.rule_surface.as_deref(), Some("path_write"));
    assert_eq!(written.direction, Some(Direction::Write), "the losing member is the blame");
    let tie = answer(&global(json!({"path": "ask"})), &ask("path", &["/w/a"]));
    assert_eq!((tie.direction, tie.rule_surface), (Some(Direction::Read), None), "`_read` on a tie");
    let member = answer(&rules, &ask("path_read", &["/w/a"]));
    assert_eq!((member.state, member.direction), (Ask, Some(Direction::Read)), "a member asked by name is asked alone");
}

/// RES-05: a key that matches the family is sugar for both members.
#[rstest]
#[case(json!({"pat*": {"*": "deny"}}), Deny)]
#[case::later_sugar_of_another_scope(json!({"path": "allow"}), Allow)]
fn res_05_between_scopes(#[case] project: Value, #[case] expected: PermissionState) {
    let rules = layered(&[json!({"path_read": "ask", "path_write": "ask"}), project]);
    assert_eq!(answer(&rules, &ask("path", &["/w/a"])).state, expected);
}

/// RES-06, HARD-012: what is left of a broken scope are its deny and ask entries, where they stand.
#[test]
fn res_06_broken_scope() {
    let scopes = [
        broken(Scope::Global, json!({"bash": {"*": "allow", "rm *": "deny"}})),
        scope(Scope::Project, json!({"bash": {"git *": "allow"}})),
    ];
    let rules = Ruleset::compose(&scopes, posix());
    assert_eq!(["rm x", "git push", "ls"].map(|value| state(&rules, "bash", &[value])), [Deny, Allow, Ask]);
}

/// RES-06 under refinement: the package drops a broken file, so an ask of it must not stand in front of an earlier deny.
#[rstest]
#[case::pattern(json!({"bash": {"rm *": "deny"}}), json!({"bash": {"*": "ask"}}), Deny)]
#[case::default_state(json!({"*": "deny"}), json!({"*": "ask"}), Deny)]
#[case::allow_is_tightened(json!({"bash": "allow"}), json!({"bash": {"rm *": "ask"}}), Ask)]
#[case::own_deny_stands(json!({"bash": "allow"}), json!({"bash": {"rm *": "deny"}}), Deny)]
fn res_06_a_broken_scope_restricts_only(#[case] sound: Value, #[case] damaged: Value, #[case] expected: PermissionState) {
    let scopes = [scope(Scope::Global, sound), broken(Scope::Project, damaged)];
    let rules = Ruleset::compose(&scopes, posix());
    assert_eq!(state(&rules, "bash", &["rm x"]), expected);
}

/// RES-10: the stricter of the answers with and without the files of an agent that only a tag names.
#[rstest]
#[case::a_tag_may_tighten(json!({"bash": "allow"}), json!({"bash": "deny"}), Deny)]
#[case::a_tag_may_not_loosen(json!({"bash": "ask"}), json!({"bash": "allow"}), Ask)]
fn res_10(#[case] global_policy: Value, #[case] agent: Value, #[case] expected: PermissionState) {
    let with = layered(&[global_policy.clone(), json!({}), agent]);
    let without = global(global_policy);
    let session = GrantSet::new();
    let resolver = PermissionResolver { without_tag_agent: Some(&without), ..resolver(&with, &session) };
    assert_eq!(resolver.resolve(&ask("bash", &["x"])).state, expected);
    assert_eq!(resolver.tool_level_state("bash"), expected);
    assert_eq!(resolver.is_hidden("bash"), expected == Deny);
}

/// RES-51: of an unknown place deny and ask see the word, an allow counts as catch-all only, and no grant.
#[rstest]
#[case::deny_sees_it(json!({"*": "allow", "sub/*": "deny"}), Deny)]
#[case::ask_sees_it(json!({"*": "allow", "sub/*": "ask"}), Ask)]
#[case::an_allow_does_not(json!({"*": "ask", "sub/*": "allow"}), Ask)]
#[case::an_allow_as_catch_all(json!({"*": "allow"}), Allow)]
#[case::a_hidden_allow_hides_nothing(json!({"sub/*": "deny", "sub/x": "allow"}), Deny)]
fn res_51_unknown_place(#[case] policy: Value, #[case] expected: PermissionState) {
    let question = Question { unknown_place: true, ..ask("external_directory", &["sub/x"]) };
    let session = grants(&[("external_directory", "sub/*")]);
    assert_eq!(answer_with(&global(json!({"external_directory": policy})), &session, &question).state, expected);
}

/// The whole story, for whoever asks: every rule of the surface, last first, with the reason it lost.
#[test]
fn detail_lists_every_rule_with_its_fate() {
    let rules = global(json!({"bash": {"*": "ask", "git *": "allow", "git push*": "ask", "rm *": "allow"}, "read": "deny"}));
    let session = GrantSet::new();
    let resolver = PermissionResolver { detail: true, ..resolver(&rules, &session) };
    let trace = resolver.resolve(&spelled(&["git push x"], &[("rm x", "HARD-027")])).trace;
    let fates: Vec<_> = trace.rules.iter().map(|seen| (&*seen.rule.pattern, seen.matched.as_deref(), seen.lost)).collect();
    let expected = [
        ("rm *", Some("rm x"), Some(LossReason::MilderSpelling)),
        ("git push*", Some("git push x"), None),
        ("git *", Some("git push x"), Some(LossReason::LaterRuleWins)),
        ("*", Some("git push x"), Some(LossReason::LaterRuleWins)),
        ("*", Some("git push x"), Some(LossReason::LaterRuleWins)),
    ];
    assert_eq!(fates, expected);
    assert_eq!(trace.winner.map(|rule| rule.pattern.to_string()).as_deref(), Some("git push*"));
}

#[test]
fn rule_007_windows_surfaces() {
    let policy =
        json!({"read": {"C:/Users/*": "deny"}, "b*": {"GIT *": "deny"}, "r*": {"D:/X": "ask"}, "READ": {"E:/x": "deny"}});
    let rules = Ruleset::compose(&[scope(Scope::Global, policy)], windows());
    assert_eq!(state(&rules, "read", &[r"c:\users\me"]), Deny);
    assert_eq!(state(&rules, "read", &[r"d:\x"]), Ask);
    assert_eq!(answer(&rules, &ask("read", &[r"e:\x"])).from_default, true, "surface names do not fold");
    assert_eq!(answer(&rules, &ask("bash", &["git status"])).from_default, true, "other surfaces do not fold");
}
