//! What the trace names where the package would have been milder, and that it names nothing where it would not.

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::super::super::test_support::*;
use super::super::*;
use crate::policy::{Direction, Floor, FloorKind, GrantLift, Ruleset, Scope, ScopeStatus, Tightening};
use PermissionState::{Allow, Ask, Deny};

/// HARD-061: list order where the package merges by key.
#[rstest]
#[case::project_deny_last(&[json!({"bash": {"*": "ask", "git *": "allow"}}), json!({"bash": {"*": "deny"}})], "git push", Allow, Deny)]
#[case::string_then_map(&[json!({"bash": "deny"}), json!({"bash": {"ls": "allow"}})], "rm x", Ask, Deny)]
#[case::string_then_empty(&[json!({"bash": "deny"}), json!({"bash": {}})], "rm x", Ask, Deny)]
#[case::redefined(&[json!({"bash": {"git *": "allow", "*": "ask"}}), json!({"bash": {"git *": "deny"}})], "git status", Ask, Deny)]
#[case::numbers(&[json!({"*": "allow", "bash": {"ls": "allow", "*": "allow", "42": "deny"}})], "42", Allow, Deny)]
fn hard_061(#[case] scopes: &[Value], #[case] value: &str, #[case] before: PermissionState, #[case] after: PermissionState) {
    let answer = answer(&layered(scopes), &ask("bash", &[value]));
    let [tightening] = answer.trace.tightenings.as_slice() else { panic!("{:?}", answer.trace.tightenings) };
    assert_eq!((tightening.requirement, tightening.before, tightening.after), ("HARD-061", before, after));
}

/// Where both say the same, or the package more, nothing is named.
#[rstest]
#[case::one_file(&[json!({"bash": {"*": "ask", "git *": "deny"}})], "bash", "git push")]
#[case::other_surfaces(&[json!({"bash": "deny"}), json!({"read": "allow"})], "bash", "x")]
#[case::appended(&[json!({"bash": {"*": "allow"}}), json!({"bash": {"git *": "deny"}})], "bash", "git push")]
#[case::milder_than_the_package(&[json!({"bash": "allow"}), json!({"bash": {"rm *": "deny", "l*": "ask"}})], "bash", "ls")]
#[case::default(&[json!({"*": "ask"}), json!({"*": "deny"})], "bash", "x")]
#[case::path_with_a_catch_all(&[json!({"path": {"*": "ask", "*.env": "deny"}})], "path", "/w/.env")]
#[case::mcp(&[json!({"mcp": {"a": "deny"}})], "mcp", "a")]
fn nothing_to_name(#[case] scopes: &[Value], #[case] surface: &str, #[case] value: &str) {
    assert_eq!(named(&answer(&layered(scopes), &ask(surface, &[value]))), Vec::<&str>::new());
}

/// HARD-026: all names at once where the package stops at the first that any rule matches.
#[rstest]
#[case::policy_d01(json!({"mcp": {"*": "allow", "exa:delete": "deny"}}), Allow)]
#[case::server(json!({"mcp": {"*": "allow", "exa": "ask"}}), Allow)]
#[case::later_name(json!({"mcp": {"exa_delete": "allow", "delete": "deny"}}), Allow)]
fn hard_026(#[case] policy: Value, #[case] before: PermissionState) {
    let answer = answer(&global(policy), &ask("mcp", &["exa_delete", "exa:delete", "exa", "delete", "mcp_call"]));
    let [tightening] = answer.trace.tightenings.as_slice() else { panic!("{:?}", answer.trace.tightenings) };
    assert_eq!((tightening.requirement, tightening.before, tightening.after), ("HARD-026", before, answer.state));
}

/// A native tool is an extension tool to the package.
#[test]
fn hard_026_native_tools() {
    let question = Question {
        also: vec![("mcp__exa__x".to_owned(), "*".to_owned())],
        ..ask("mcp", &["mcp__exa__x", "exa_x", "exa:x", "exa"])
    };
    let denied = answer(&global(json!({"*": "allow", "mcp": {"*": "allow", "exa": "deny"}})), &question);
    assert_eq!((denied.state, named(&denied)), (Deny, vec!["HARD-026"]));
    let same = answer(&global(json!({"mcp__*": "deny"})), &question);
    assert_eq!((same.state, named(&same)), (Deny, vec![]));
}

/// HARD-035: a directional rule, unknown to the package.
#[rstest]
#[case(json!({"*": "allow", "path_write": {"*": "deny"}}), Direction::Write, &["HARD-035"])]
#[case::same_without_it(json!({"path": {"*": "deny"}, "path_read": {"*": "deny"}}), Direction::Write, &[])]
#[case::milder_with_it(json!({"path": {"*": "ask"}, "path_read": {"*": "allow"}}), Direction::Read, &[])]
fn hard_035(#[case] policy: Value, #[case] direction: Direction, #[case] expected: &[&str]) {
    let question = Question { direction: Some(direction), ..ask("path", &["/w/a"]) };
    assert_eq!(named(&answer(&global(policy), &question)), expected);
}

/// A further spelling is named by what introduced it, unless the package counts it as well.
#[rstest]
#[case::spelling("bash", json!({"bash": {"*": "allow", "rm *": "deny"}}), "/bin/rm x", ("rm x", "HARD-027"), &["HARD-027"])]
#[case::raw_path("read", json!({"read": {"*": "allow", "./*": "deny"}}), "/w/a", ("./a", "POLICY-D08"), &[])]
#[case::folder("ls", json!({"ls": {"*": "allow", "d/*": "deny"}}), "d", ("d/", "HARD-058"), &["HARD-058"])]
#[case::slice_is_the_packages_text("bash", json!({"bash": {"*": "allow", "rm *": "deny"}}), "rm x", (">q rm x", "HARD-003"), &["HARD-003"])]
#[case::both_texts_denied("bash", json!({"bash": {"*": "deny"}}), "rm x", (">q rm x", "HARD-003"), &[])]
fn further_spellings(
    #[case] surface: &str,
    #[case] policy: Value,
    #[case] value: &str,
    #[case] further: (&str, &'static str),
    #[case] expected: &[&str],
) {
    let question = Question { further: vec![(further.0.to_owned(), further.1)], ..ask(surface, &[value]) };
    assert_eq!(named(&answer(&global(policy), &question)), expected);
}

/// What the package would not have asked at all is named by what introduced it, whatever makes it stricter than allow.
#[rstest]
#[case::deny(json!({"bash": {"rm *": "deny"}}), &["HARD-001"])]
#[case::ask(json!({}), &["HARD-001"])]
#[case::allow(json!({"bash": "allow"}), &[])]
fn introduced_by(#[case] policy: Value, #[case] expected: &[&str]) {
    let question = Question { introduced_by: Some("HARD-001"), ..ask("bash", &["rm x"]) };
    assert_eq!(named(&answer(&global(policy), &question)), expected);
}

/// The path gates stay silent on what only the universal default says; so does the trace.
#[test]
fn introduced_but_dropped() {
    let question = Question { introduced_by: Some("HARD-015"), ..ask("path", &["/w/a"]) };
    assert_eq!(named(&answer(&global(json!({"*": "deny"})), &question)), Vec::<&str>::new());
}

fn floor(kind: FloorKind, baseline: bool) -> Floor {
    Floor { kind, requirement: kind.requirement(), baseline, lift: GrantLift::Any, void_if_rule_spells: Vec::new() }
}

#[rstest]
#[case::the_packages_own("allow", vec![floor(FloorKind::IndirectionBashWrapper, true)], &[])]
#[case::ours("allow", vec![floor(FloorKind::LoaderVariable, false)], &["HARD-059"])]
#[case::one_of_each("allow", vec![floor(FloorKind::IndirectionBashWrapper, true), floor(FloorKind::LoaderVariable, false)], &[])]
#[case::asked_anyway("ask", vec![floor(FloorKind::LoaderVariable, false)], &[])]
fn floors_of_ours(#[case] bash: &str, #[case] standing: Vec<Floor>, #[case] expected: &[&str]) {
    let question = Question { floors: standing, ..ask("bash", &["x"]) };
    assert_eq!(named(&answer(&global(json!({"bash": bash})), &question)), expected);
}

/// The package floors what it has as a unit; in what error recovery found it floors nothing (HARD-004).
#[rstest]
#[case::its_wrapper(vec![floor(FloorKind::IndirectionBashWrapper, true)], "HARD-001")]
#[case::beside_ours(vec![floor(FloorKind::IndirectionBashWrapper, true), floor(FloorKind::UnparsedBashSubtree, false)], "HARD-004")]
fn floors_of_what_the_package_has_not(#[case] standing: Vec<Floor>, #[case] expected: &str) {
    let question = Question { floors: standing, introduced_by: Some("HARD-001"), ..ask("bash", &["env x"]) };
    assert_eq!(named(&answer(&global(json!({"bash": "allow"})), &question)), [expected]);
}

/// RES-11: the package is still in the permissive mode. An ask there is none; a deny is one in both.
#[rstest]
#[case::rule(json!({"bash": "ask"}), &["POLICY-D19"])]
#[case::default(json!({}), &["POLICY-D19"])]
#[case::denied(json!({"bash": "deny"}), &[])]
#[case::allowed(json!({"bash": "allow"}), &[])]
fn a_permissive_mode_that_counts_no_more(#[case] policy: Value, #[case] expected: &[&str]) {
    let (rules, session) = (global(policy), GrantSet::new());
    let resolver = PermissionResolver { permissive_lost: Some("POLICY-D19"), ..resolver(&rules, &session) };
    assert_eq!(named(&resolver.resolve(&ask("bash", &["x"]))), expected);
}

#[test]
fn hard_012_clamp_and_broken_scopes() {
    let session = GrantSet::new();
    let clamped = |scopes: &[crate::policy::LoadedScope], value: &str| {
        let rules = Ruleset::compose(scopes, posix());
        named(&PermissionResolver { clamp: true, ..resolver(&rules, &session) }.resolve(&ask("bash", &[value])))
    };
    let allows = scope(Scope::Global, json!({"bash": {"*": "allow", "rm *": "deny"}}));
    let lost = broken(Scope::Project, json!({"bash": {"git *": "deny"}}));
    assert_eq!(clamped(&[allows.clone(), lost.clone()], "ls"), ["HARD-012"], "allow became ask");
    assert_eq!(clamped(&[allows.clone(), lost.clone()], "git x"), ["HARD-012"], "the package forgets that deny");
    assert_eq!(clamped(&[allows.clone(), lost.clone()], "rm x"), Vec::<&str>::new(), "that deny holds in both");
    // Rejected by us, taken by the package: its allows count there.
    let rejected = crate::policy::LoadedScope { rejected_by: Some("HARD-061"), ..lost };
    assert_eq!(clamped(&[allows, rejected], "rm x"), ["HARD-061"]);
}

/// The package forgets the denies of a broken file, and its path gates do not go by the universal default.
#[rstest]
#[case::a_path("path", &["HARD-012"])]
#[case::a_place_outside("external_directory", &[])]
fn hard_012_a_lost_deny_above_a_default_that_denies(#[case] surface: &str, #[case] expected: &[&str]) {
    let lost = broken(Scope::Global, json!({surface: {"/p/a": "deny"}}));
    let rules = Ruleset::compose(&[lost, scope(Scope::Project, json!({"*": "deny"}))], posix());
    assert_eq!(named(&answer(&rules, &ask(surface, &["/p/a"]))), expected);
}

#[test]
fn hard_011_unread_project() {
    let mut project = scope(Scope::Project, json!({}));
    project.status = ScopeStatus::NotRead;
    let rules = Ruleset::compose(&[scope(Scope::Global, json!({"bash": {"rm *": "deny", "ls": "allow"}})), project], posix());
    let answer_of = |value| answer(&rules, &ask("bash", &[value]));
    let expected = Tightening {
        requirement: "HARD-011",
        before: Allow,
        after: Deny,
        subject: "the project's files were not read".to_owned(),
    };
    assert_eq!(answer_of("rm x").trace.tightenings, [expected]);
    assert_eq!(named(&answer_of("ls")), Vec::<&str>::new());
}

#[test]
fn policy_d16_tag_only_agent() {
    let with = layered(&[json!({"bash": "ask"}), json!({}), json!({"bash": "allow"})]);
    let (without, session) = (global(json!({"bash": "ask"})), GrantSet::new());
    let resolver = PermissionResolver { without_tag_agent: Some(&without), ..resolver(&with, &session) };
    let answer = resolver.resolve(&ask("bash", &["x"]));
    assert_eq!((answer.state, named(&answer)), (Ask, vec!["POLICY-D16"]));
}

/// A grant of the package would cover the question; ours is of another direction (HARD-040) or of another name (HARD-041).
#[test]
fn narrower_grants() {
    let rules = global(json!({"*": "ask"}));
    let question = Question { direction: Some(Direction::Write), ..ask("path", &["/w/a"]) };
    // From the universal default the path gates stay silent; a rule has to ask.
    let asking = global(json!({"path": "ask"}));
    let other_direction = answer_with(&asking, &grants(&[("path_read", "/w/*")]), &question);
    assert_eq!((other_direction.state, named(&other_direction)), (Ask, vec!["HARD-040"]));
    let question = Question { grant_values: Some(vec!["exa:b".to_owned()]), ..ask("mcp", &["exa_b", "exa:b", "exa"]) };
    let other_name = answer_with(&rules, &grants(&[("mcp", "exa")]), &question);
    assert_eq!((other_name.state, named(&other_name)), (Ask, vec!["HARD-041"]));
}

/// What a grant or the permissive mode lifted again is no tightening.
#[test]
fn lifted_raises_are_forgotten() {
    let (rules, session) = (
        layered(&[json!({"bash": {"*": "ask", "git *": "allow"}}), json!({"bash": {"*": "ask"}})]),
        grants(&[("bash", "git *")]),
    );
    let question = Question { floors: vec![floor(FloorKind::LoaderVariable, false)], ..ask("bash", &["git push"]) };
    let granted = PermissionResolver { clamp: true, ..resolver(&rules, &session) }.resolve(&question);
    assert_eq!((granted.state, named(&granted)), (Allow, vec![]));
}
