use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::access::shell::WrapperKind;
use crate::gates::test_doubles::{ALLOW, ASK, DENY, Dispatch, by_default, by_grant, by_rule, by_yolo, program, unit};
use crate::policy::UnitContext;

fn rule(pattern: &str, state: PermissionState) -> PermissionCheckResult {
    PermissionCheckResult { source: Source::Bash, ..by_rule("bash", pattern, state) }
}

fn resolve(command: &str, units: Vec<ShellUnit>, resolver: &Dispatch) -> BashCheck {
    let program = BashProgram { trivial: is_trivial(command), ..program(command, units, Vec::new()) };
    resolve_bash_command_check(command, Some(&program), resolver).unwrap()
}

fn is_trivial(command: &str) -> bool {
    command.lines().all(|line| line.trim().is_empty() || line.trim().starts_with('#'))
}

type Shown<'a> = (PermissionState, Option<&'a str>, Option<&'a str>);

fn shown(check: &BashCheck) -> Shown<'_> {
    let result = &check.check.result;
    (result.state, result.matched_pattern.as_deref(), result.command.as_deref())
}

#[rstest]
#[case("cd pkg && npm i x", &["cd pkg", "npm i x"], (DENY, Some("npm *"), Some("npm i x")))]
#[case("b 1; a 2", &["b 1", "a 2"], (ASK, Some("b *"), Some("b 1")))]
#[case("ls && pwd", &["ls", "pwd"], (ALLOW, Some("ls"), Some("ls")))]
fn cmd_028_combination(#[case] command: &str, #[case] units: &[&str], #[case] expected: Shown<'_>) {
    let resolver = Dispatch::new(
        ALLOW,
        vec![
            ("bash", "npm i x", rule("npm *", DENY)),
            ("bash", "b 1", rule("b *", ASK)),
            ("bash", "a 2", rule("a *", ASK)),
            ("bash", "ls", rule("ls", ALLOW)),
        ],
    );
    let check = resolve(command, units.iter().map(|text| unit(text)).collect(), &resolver);
    assert_eq!(shown(&check), expected);
    // CMD-027: every unit is resolved, there is no short cut.
    assert_eq!(resolver.asked.borrow().len(), units.len());
}

#[test]
fn cmd_028_the_context_of_the_deciding_unit() {
    let nested = ShellUnit { context: Some(UnitContext::CommandSubstitution), ..unit("npm i") };
    let resolver = Dispatch::new(ALLOW, vec![("bash", "npm i", rule("npm *", DENY))]);
    let check = resolve("git a $(npm i)", vec![unit("git a $(npm i)"), nested], &resolver);
    assert_eq!(check.check.result.command_context, Some(UnitContext::CommandSubstitution));
    assert_eq!(check.unit.map(|unit| unit.text), Some("npm i".to_owned()));
}

#[test]
fn res_33_every_asking_unit_is_named() {
    let resolver = Dispatch::new(ASK, vec![("bash", "ls", rule("ls", ALLOW))]);
    let check = resolve("b 1; ls; a 2", vec![unit("b 1"), unit("ls"), unit("a 2")], &resolver);
    let asking: Vec<_> = check.asking.iter().map(|(unit, result)| (unit.text.as_str(), result.state)).collect();
    assert_eq!(asking, [("b 1", ASK), ("a 2", ASK)]);
}

#[rstest]
#[case("an inner allow counts for nothing", ASK, ALLOW, "sudo ls", ASK)]
#[case("and is not even reported", ALLOW, ALLOW, "sudo ls", ALLOW)]
#[case("an inner deny decides", ASK, DENY, "ls", DENY)]
#[case("an inner ask decides over an allow", ALLOW, ASK, "ls", ASK)]
fn res_49_restricting_units(
    #[case] title: &str,
    #[case] outer: PermissionState,
    #[case] inner: PermissionState,
    #[case] decides: &str,
    #[case] state: PermissionState,
) {
    let wrapper = ShellUnit { wrapper: Some(WrapperKind::Indirection), ..unit("sudo ls") };
    let behind = ShellUnit { restrict_only: true, context: Some(UnitContext::WrappedCommand), ..unit("ls") };
    let resolver = Dispatch::new(ALLOW, vec![("bash", "sudo ls", rule("sudo *", outer)), ("bash", "ls", rule("ls", inner))]);
    let check = resolve("sudo ls", vec![wrapper, behind], &resolver);
    assert_eq!((check.check.result.command.as_deref(), check.check.result.state), (Some(decides), state), "{title}");
    assert_eq!(check.check.questions.len(), 2);
}

#[rstest]
// GATE-033, CMD-025, RES-45, BASH-D08
#[case("allowed", rule("*", ALLOW), true, (ASK, Some("<unparseable-bash-command>"), Some("> out")), Origin::Builtin)]
#[case("a rule asks", rule("> *", ASK), true, (ASK, Some("<unparseable-bash-command>"), Some("> out")), Origin::Builtin)]
#[case("the default asks", by_default("bash", ASK), true, (ASK, Some("<unparseable-bash-command>"), Some("> out")), Origin::Builtin)]
#[case("a rule denies", rule("> *", DENY), true, (DENY, Some("> *"), Some("> out")), Origin::Global)]
#[case("yolo", by_yolo("bash"), false, (ALLOW, Some("*"), Some("> out")), Origin::Yolo)]
#[case("its own grant", by_grant("bash", "> out"), false, (ALLOW, Some("> out"), Some("> out")), Origin::Session)]
fn res_45_no_unit(
    #[case] title: &str,
    #[case] mut answer: PermissionCheckResult,
    #[case] floored: bool,
    #[case] expected: Shown<'_>,
    #[case] origin: Origin,
) {
    if floored && answer.state == ALLOW {
        // Step 5 of the resolver.
        answer.state = ASK;
        answer.floor = Some(FloorKind::UnparseableBashCommand);
    }
    let resolver = Dispatch::new(ALLOW, vec![("bash", "*", answer)]);
    let check = resolve("> out", Vec::new(), &resolver);
    assert_eq!((shown(&check), check.check.result.origin), (expected, origin), "RES-45: {title}");
    let floors = &resolver.asked.borrow()[0].floors;
    assert_eq!((floors[0].kind, &floors[0].lift), (FloorKind::UnparseableBashCommand, &GrantLift::WholeText("> out".into())));
    assert_eq!(check.unit, None);
    let raised = Tightening { requirement: "HARD-005", before: ASK, after: DENY, subject: "> out".to_owned() };
    let expected = if check.check.result.state == DENY { vec![raised] } else { Vec::new() };
    assert_eq!(check.check.tightenings, expected, "{title}");
}

#[test]
fn hard_012_a_broken_policy_is_still_named() {
    let clamped = PermissionCheckResult { origin: Origin::FailClosed, ..rule("*", ASK) };
    let check = resolve("> out", Vec::new(), &Dispatch::new(ALLOW, vec![("bash", "*", clamped)]));
    assert_eq!((check.check.result.origin, shown(&check).1), (Origin::FailClosed, Some("*")));
}

#[rstest]
#[case("# only", rule("*", ALLOW), (ALLOW, Some("*"), Some("# only")))]
#[case("# just a note", rule("# *", DENY), (DENY, Some("# *"), Some("# just a note")))]
fn cmd_026_a_comment_is_asked_as_it_stands(
    #[case] command: &str,
    #[case] answer: PermissionCheckResult,
    #[case] expected: Shown<'_>,
) {
    let resolver = Dispatch::new(ASK, vec![("bash", "*", answer)]);
    let check = resolve(command, Vec::new(), &resolver);
    assert_eq!(shown(&check), expected);
    assert_eq!(resolver.asked.borrow()[0].floors, []);
}

#[test]
fn pipe_010_the_empty_command_is_the_empty_value() {
    let resolver = Dispatch::new(ASK, vec![("bash", "", rule("*", ALLOW))]);
    let check = resolve_bash_command_check("", None, &resolver).unwrap();
    assert_eq!(shown(&check), (ALLOW, Some("*"), Some("")));
    assert_eq!(check.unit, None);
}

#[test]
fn bash_d24_lines_that_look_like_comments_restrict_only() {
    let text = "python3 -c '\n# rm\nprint(1)'";
    let resolver = Dispatch::new(ALLOW, Vec::new());
    let _ = resolve(text, vec![unit(text)], &resolver);
    let asked = resolver.asked.borrow();
    assert_eq!(asked[0].values, [text]);
    assert_eq!(asked[0].further, [("python3 -c '\nprint(1)'".to_owned(), "BASH-D24")]);
    assert_eq!(asked[0].command.as_deref(), Some(text));
}

#[test]
fn res_29_a_chain_is_a_session_hit_only_when_all_of_it_is_allowed() {
    let resolver =
        Dispatch::new(ALLOW, vec![("bash", "sudo rm y", by_grant("bash", "sudo rm y")), ("bash", "curl x", rule("curl *", ASK))]);
    let mixed = resolve("sudo rm y && ls", vec![unit("sudo rm y"), unit("ls")], &resolver);
    assert_eq!((mixed.check.all_allowed, mixed.check.result.source), (true, Source::Session));
    let asking = resolve("sudo rm y && curl x", vec![unit("sudo rm y"), unit("curl x")], &resolver);
    assert_eq!((asking.check.all_allowed, shown(&asking)), (false, (ASK, Some("curl *"), Some("curl x"))));
}

#[rstest]
#[case("sudo rm y && curl x", &["sudo rm y", "curl x"], &["HARD-007"])]
// The package asks too when the other ask comes first, or when the grant covers no wrapper.
#[case("curl x && sudo rm y", &["curl x", "sudo rm y"], &[])]
#[case("ls && curl x", &["ls", "curl x"], &[])]
#[case("sudo rm y && ls", &["sudo rm y", "ls"], &[])]
fn hard_007_a_granted_wrapper_approves_no_sibling(#[case] command: &str, #[case] texts: &[&str], #[case] requirements: &[&str]) {
    let resolver = Dispatch::new(
        ALLOW,
        vec![
            ("bash", "sudo rm y", by_grant("bash", "sudo rm y")),
            ("bash", "ls", by_grant("bash", "ls")),
            ("bash", "curl x", rule("curl *", ASK)),
        ],
    );
    let kind = FloorKind::IndirectionBashWrapper;
    let floor =
        Floor { kind, requirement: kind.requirement(), baseline: true, lift: GrantLift::Any, void_if_rule_spells: Vec::new() };
    let make = |text: &&str| {
        let floors = if text.starts_with("sudo") { vec![floor.clone()] } else { Vec::new() };
        ShellUnit { floors, ..unit(text) }
    };
    let check = resolve(command, texts.iter().map(make).collect(), &resolver);
    let named: Vec<_> = check.check.tightenings.iter().map(|step| step.requirement).collect();
    assert_eq!(named, requirements);
}

#[test]
fn the_questions_carry_what_the_units_know() {
    let odd = ShellUnit {
        spellings: vec![("rm x".to_owned(), "HARD-055")],
        introduced_by: Some("HARD-001"),
        context: Some(UnitContext::ControlFlow),
        ..unit("/bin/rm x")
    };
    let resolver = Dispatch::new(ALLOW, Vec::new());
    let _ = resolve("if true; then /bin/rm x; fi", vec![odd], &resolver);
    let asked = resolver.asked.borrow();
    assert_eq!(asked[0].further, [("rm x".to_owned(), "HARD-055")]);
    assert_eq!((asked[0].introduced_by, asked[0].command_context), (Some("HARD-001"), Some(UnitContext::ControlFlow)));
}
