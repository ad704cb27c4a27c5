//! Steps 2 to 7: deny, clamp, grants, floors, permissive mode, protected paths.

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::super::super::test_support::*;
use super::super::*;
use crate::policy::{Direction, Floor, FloorKind, GrantLift, Origin, QuestionStep, Source};
use PermissionState::{Allow, Ask, Deny};

fn floor(kind: FloorKind, lift: GrantLift) -> Floor {
    Floor { kind, requirement: kind.requirement(), baseline: false, lift, void_if_rule_spells: Vec::new() }
}

fn floored(value: &str, floors: Vec<Floor>) -> Question {
    Question { floors, ..ask("bash", &[value]) }
}

/// HARD-006: a grant never beats a deny.
#[rstest]
#[case(json!({"bash": {"git *": "ask", "git push --force*": "deny"}}), ("bash", "git *"), "bash", "git push --force", "git push --force*")]
#[case(json!({"external_directory": {"*": "ask", "/etc/shadow": "deny"}}), ("external_directory", "/etc/*"), "external_directory", "/etc/shadow", "/etc/shadow")]
#[case(json!({"path": {"*.env": "deny"}}), ("path", "/w/*"), "path", "/w/.env", "*.env")]
#[case::rule_020(json!({"bash": {"rm *": "deny"}}), ("bash", "rm *"), "bash", "rm x", "rm *")]
fn hard_006(
    #[case] policy: Value,
    #[case] grant: (&str, &str),
    #[case] surface: &str,
    #[case] value: &str,
    #[case] pattern: &str,
) {
    let answer = answer_with(&global(policy), &grants(&[grant]), &ask(surface, &[value]));
    assert_eq!((answer.state, answer.origin, answer.matched_pattern.as_deref()), (Deny, Origin::Global, Some(pattern)));
    let refused = QuestionStep::GrantRefused { pattern: grant.1.to_owned(), requirement: "HARD-006" };
    assert!(answer.trace.steps.contains(&refused));
    assert_eq!(named(&answer), ["HARD-006"]);
}

/// HARD-006: the package knows no direction, so there a grant for reading would have reversed the deny of a write.
#[test]
fn hard_006_a_grant_for_the_other_direction() {
    let rules = global(json!({"external_directory": {"*": "ask", "/etc/passwd": "deny"}}));
    let question = Question { direction: Some(Direction::Write), ..ask("external_directory", &["/etc/passwd"]) };
    let answer = answer_with(&rules, &grants(&[("external_directory_read", "/etc/*")]), &question);
    assert_eq!((answer.state, named(&answer)), (Deny, vec!["HARD-006"]));
}

/// RULE-020: a grant counts on its own surface, for every agent; the last one that matches is named.
#[test]
fn rule_020_grants() {
    let rules = global(json!({"*": "ask"}));
    let session = grants(&[("read", "/w/*"), ("read", "/w/a*")]);
    let read = answer_with(&rules, &session, &ask("read", &["/w/a"]));
    assert_eq!((read.state, read.source, read.origin), (Allow, Source::Session, Origin::Session));
    assert_eq!(read.matched_pattern.as_deref(), Some("/w/a*"));
    assert!(!read.from_default);
    assert_eq!(answer_with(&rules, &session, &ask("write", &["/w/a"])).state, Ask);
}

/// RULE-025: a question may be asked without session rules.
#[test]
fn rule_025_without_session() {
    let (rules, session) = (global(json!({"skill": "ask"})), grants(&[("skill", "*")]));
    let question = ask("skill", &["x"]);
    assert_eq!(answer_with(&rules, &session, &question).state, Allow);
    assert_eq!(answer_with(&rules, &session, &Question { without_session: true, ..question }).state, Ask);
}

/// RES-30: an MCP call's grant is compared with its own name only.
#[test]
fn res_30_grant_values() {
    let rules = global(json!({"mcp": "ask"}));
    let question =
        Question { grant_values: Some(vec!["exa:search".to_owned()]), ..ask("mcp", &["exa_search", "exa:search", "exa"]) };
    assert_eq!(answer_with(&rules, &grants(&[("mcp", "exa:search")]), &question).state, Allow);
    assert_eq!(answer_with(&rules, &grants(&[("mcp", "exa")]), &question).state, Ask);
}

/// HARD-040: a grant of one direction says nothing about the other; a grant of the family covers both.
#[rstest]
#[case("external_directory_read", Direction::Read, Allow)]
#[case("external_directory_read", Direction::Write, Ask)]
#[case("external_directory_read", Direction::Both, Ask)]
#[case("external_directory", Direction::Both, Allow)]
fn hard_040(#[case] granted: &str, #[case] direction: Direction, #[case] expected: PermissionState) {
    let question = Question { direction: Some(direction), ..ask("external_directory", &["/ext/a"]) };
    let answer = answer_with(&global(json!({"*": "ask"})), &grants(&[(granted, "/ext/*")]), &question);
    assert_eq!(answer.state, expected);
}

/// HARD-012: allow becomes ask while a file is broken; deny and ask stay; the pattern of the raised rule is kept.
#[test]
fn hard_012_clamp() {
    let rules = global(json!({"bash": {"*": "allow", "rm *": "deny", "git *": "ask"}}));
    let session = GrantSet::new();
    let resolver = PermissionResolver { clamp: true, ..resolver(&rules, &session) };
    let raised = resolver.resolve(&ask("bash", &["ls"]));
    assert_eq!((raised.state, raised.origin, raised.matched_pattern.as_deref()), (Ask, Origin::FailClosed, Some("*")));
    assert_eq!(resolver.resolve(&ask("bash", &["rm x"])).state, Deny);
    assert_eq!(resolver.resolve(&ask("bash", &["git x"])).origin, Origin::Global);
    let permissive = PermissionResolver { permissive: true, ..resolver }.resolve(&ask("bash", &["ls"]));
    assert_eq!((permissive.state, permissive.origin), (Allow, Origin::Yolo), "the mode applies after the clamp");
    let granted = grants(&[("bash", "ls")]);
    let granted = PermissionResolver { session: &granted, ..resolver }.resolve(&ask("bash", &["ls"]));
    assert_eq!((granted.state, granted.origin), (Allow, Origin::Session), "the clamp is no floor: a grant passes it");
}

/// HARD-054, RULE-021: every ask becomes allow with origin `yolo`; deny and allow stay; floors too.
#[rstest]
#[case("foo", Allow, Origin::Yolo, Some("*"))]
#[case("rm x", Deny, Origin::Global, Some("rm *"))]
#[case("ls", Allow, Origin::Global, Some("ls"))]
fn rule_021(#[case] value: &str, #[case] expected: PermissionState, #[case] origin: Origin, #[case] pattern: Option<&str>) {
    let rules = global(json!({"bash": {"*": "ask", "rm *": "deny", "ls": "allow"}}));
    let session = GrantSet::new();
    let resolver = PermissionResolver { permissive: true, ..resolver(&rules, &session) };
    let answer = resolver.resolve(&ask("bash", &[value]));
    assert_eq!((answer.state, answer.origin, answer.matched_pattern.as_deref()), (expected, origin, pattern));
    assert_eq!(resolver.tool_level_state("bash"), Ask, "the tool-level state does not know the mode");
    assert_eq!(named(&answer), Vec::<&str>::new());
}

#[test]
fn rule_021_no_policy_at_all() {
    let (rules, session) = (global(json!({})), GrantSet::new());
    let answer = PermissionResolver { permissive: true, ..resolver(&rules, &session) }.resolve(&ask("foo", &["*"]));
    assert_eq!((answer.state, answer.origin, answer.source), (Allow, Origin::Yolo, Source::Default));
}

#[test]
fn hard_054_floors_too() {
    let (rules, session) = (global(json!({"bash": "allow"})), GrantSet::new());
    let resolver = PermissionResolver { permissive: true, ..resolver(&rules, &session) };
    let answer = resolver.resolve(&floored("sudo x", vec![floor(FloorKind::IndirectionBashWrapper, GrantLift::Any)]));
    assert_eq!((answer.state, answer.origin, answer.floor), (Allow, Origin::Yolo, None));
    assert_eq!(answer.matched_pattern.as_deref(), Some("<indirection-bash-wrapper>"), "the pattern is kept");
}

/// Section 6, "Floors": what lifts which.
#[rstest]
#[case::no_grant(FloorKind::IndirectionBashWrapper, GrantLift::Any, None, Ask)]
#[case::hard_007_any_grant(FloorKind::IndirectionBashWrapper, GrantLift::Any, Some("sudo *"), Allow)]
#[case::whole_text(FloorKind::UnparsedBashSubtree, GrantLift::WholeText("sudo x".into()), Some("sudo x"), Allow)]
#[case::whole_text_only(FloorKind::UnparsedBashSubtree, GrantLift::WholeText("sudo x".into()), Some("sudo *"), Ask)]
#[case::spelling(FloorKind::DangerousBashOption, GrantLift::Spelling(vec!["--pre".into()]), Some("* --pre *"), Ask)]
#[case::loader(FloorKind::LoaderVariable, GrantLift::Never, Some("sudo x"), Ask)]
#[case::computed(FloorKind::ComputedCommandWord, GrantLift::Never, Some("sudo x"), Ask)]
#[case::unknown_directory(FloorKind::UnknownDirectory, GrantLift::Never, Some("sudo x"), Ask)]
#[case::bound(FloorKind::AnalysisBound, GrantLift::Never, Some("sudo x"), Ask)]
fn res_28(#[case] kind: FloorKind, #[case] lift: GrantLift, #[case] grant: Option<&str>, #[case] expected: PermissionState) {
    let session = grants(&grant.map(|pattern| ("bash", pattern)).into_iter().collect::<Vec<_>>());
    let answer = answer_with(&global(json!({"bash": "allow"})), &session, &floored("sudo x", vec![floor(kind, lift)]));
    assert_eq!(answer.state, expected);
    if expected == Ask {
        assert_eq!((answer.matched_pattern.as_deref(), answer.floor), (Some(kind.as_str()), Some(kind)));
    }
}

/// HARD-057: the deciding rule's own pattern, or the grant's, spells the option.
#[rstest]
#[case::rule_does_not(json!({"find *": "allow"}), None, Ask)]
#[case::rule_does(json!({"find *": "allow", "find * -delete": "allow"}), None, Allow)]
#[case::rule_with_star(json!({"find * -delete*": "allow"}), None, Allow)]
#[case::part_of_a_word(json!({"find *-delete": "allow"}), None, Ask)]
#[case::grant_does_not(json!({"*": "ask"}), Some("find *"), Ask)]
#[case::grant_does(json!({"*": "ask"}), Some("find . -delete"), Allow)]
#[case::a_spelling_rule_behind_a_wide_grant(json!({"find * -delete": "allow"}), Some("find *"), Ask)]
fn hard_057(#[case] bash: Value, #[case] grant: Option<&str>, #[case] expected: PermissionState) {
    let floor = Floor {
        void_if_rule_spells: vec!["-delete".to_owned()],
        ..floor(FloorKind::DangerousBashOption, GrantLift::Spelling(vec!["-delete".to_owned()]))
    };
    let session = grants(&grant.map(|pattern| ("bash", pattern)).into_iter().collect::<Vec<_>>());
    let answer = answer_with(&global(json!({"bash": bash})), &session, &floored("find . -delete", vec![floor]));
    assert_eq!(answer.state, expected);
}

/// Several floors: each has to be lifted, the first of the table is shown.
#[test]
fn floors_are_lifted_one_by_one() {
    let floors = vec![floor(FloorKind::LoaderVariable, GrantLift::Never), floor(FloorKind::OpaqueBashWrapper, GrantLift::Any)];
    let rules = global(json!({"bash": "allow"}));
    let shown = answer(&rules, &floored("x", floors.clone()));
    assert_eq!(shown.floor, Some(FloorKind::OpaqueBashWrapper));
    let granted = answer_with(&rules, &grants(&[("bash", "x")]), &floored("x", floors));
    assert_eq!((granted.state, granted.floor), (Ask, Some(FloorKind::LoaderVariable)));
    assert_eq!((granted.source, granted.origin), (Source::Session, Origin::Session), "source and origin are kept");
}

/// A floor raises only an allow; an explicit ask or deny stands with its own pattern. Source and origin are kept.
#[rstest]
#[case("ask", Ask, "*")]
#[case("deny", Deny, "*")]
#[case("allow", Ask, "<opaque-bash-wrapper>")]
fn floors_raise_allow_only(#[case] bash: &str, #[case] expected: PermissionState, #[case] pattern: &str) {
    let question = floored("x", vec![floor(FloorKind::OpaqueBashWrapper, GrantLift::Any)]);
    let answer = answer(&global(json!({"bash": bash})), &question);
    assert_eq!((answer.state, answer.matched_pattern.as_deref()), (expected, Some(pattern)));
    assert_eq!((answer.source, answer.origin), (Source::Bash, Origin::Global));
}

/// HARD-056: nothing but a person lifts it.
#[rstest]
#[case::rule(json!({"*": "allow"}), &[], false)]
#[case::grant(json!({"*": "ask"}), &[("path", "/w/*")], false)]
#[case::permissive(json!({"*": "ask"}), &[], true)]
fn hard_056(#[case] policy: Value, #[case] session: &[(&str, &str)], #[case] permissive: bool) {
    let (rules, session) = (global(policy), grants(session));
    let resolver = PermissionResolver { permissive, ..resolver(&rules, &session) };
    let answer = resolver.resolve(&Question { protected: true, ..ask("path", &["/w/.git/hooks/x"]) });
    assert_eq!((answer.state, answer.origin, answer.floor), (Ask, Origin::Builtin, Some(FloorKind::ProtectedPath)));
    assert_eq!(answer.matched_pattern.as_deref(), Some("<protected-path>"));
    assert_eq!(named(&answer), ["HARD-056"]);
}

#[test]
fn hard_056_a_deny_stays_a_deny() {
    let rules = global(json!({"path": {"*.git*": "deny"}}));
    let answer = answer(&rules, &Question { protected: true, ..ask("path", &["/w/.git/config"]) });
    assert_eq!((answer.state, answer.matched_pattern.as_deref()), (Deny, Some("*.git*")));
}

#[test]
fn the_trace_names_each_step_in_order() {
    let (rules, session) = (global(json!({"bash": "allow"})), GrantSet::new());
    let resolver = PermissionResolver { clamp: true, permissive: true, ..resolver(&rules, &session) };
    let question = Question { protected: true, ..ask("bash", &["x"]) };
    let steps = resolver.resolve(&question).trace.steps;
    let expected = [QuestionStep::Rules { state: Allow }, QuestionStep::Clamp, QuestionStep::Permissive, QuestionStep::Protected];
    assert_eq!(steps, expected);
}
