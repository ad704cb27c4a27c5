use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::access::path::ProtectedReason;
use crate::gates::facts::CallTarget;
use crate::gates::test_doubles::{
    ALLOW, ASK, DENY, Dispatch, by_default, by_grant, by_rule, by_yolo, call, checked, describe, facts, file_facts, operand,
    pairs,
};
use crate::policy::{Direction, Origin, PermissionCheckResult, PermissionState, Tightening};

fn gate(tool: &str, operands: Vec<PathOperand>, resolver: &Dispatch) -> GateResult {
    describe(&call(tool), &file_facts(tool, operands), resolver, describe_path_gate)
}

#[rstest]
#[case("a rule denies", by_rule("path", "*.env", DENY), Some(DENY))]
#[case("a rule asks", by_rule("path", "*.key", ASK), Some(ASK))]
#[case("a lone star counts for a tool's path", by_rule("path", "*", DENY), Some(DENY))]
#[case("config allows", by_rule("path", "*", ALLOW), None)]
#[case("a grant allows", by_grant("path", "/w/p/*"), None)]
#[case("yolo allows", by_yolo("path"), None)]
#[case("only the default: deny", by_default("path", DENY), None)]
#[case("only the default: ask", by_default("path", ASK), None)]
#[case("only the default, clamped", PermissionCheckResult { origin: Origin::FailClosed, ..by_default("path", ASK) }, None)]
fn gate_010_when_it_speaks(
    #[case] title: &str,
    #[case] answer: PermissionCheckResult,
    #[case] expected: Option<PermissionState>,
) {
    let resolver = Dispatch::new(ALLOW, vec![("path", "*", answer)]);
    let result = gate("read", vec![operand("sub/.env")], &resolver);
    let state = result.descriptor().map(|gate| gate.check.result.state);
    assert_eq!(state, expected, "GATE-010: {title}");
    assert_eq!(resolver.asked_values(), ["path /w/p/sub/.env"], "{title}");
}

#[test]
fn gate_010_descriptor() {
    let resolver = Dispatch::new(ALLOW, vec![("path", "*", by_rule("path", "*.key", ASK))]);
    let gate = checked(gate("write", vec![operand("a.key")], &resolver));
    assert_eq!((gate.gate, gate.surface.as_str(), gate.value.as_str()), ("path", "path", "a.key"));
    assert_eq!(
        gate.log,
        *json!({"source": "tool_call", "toolCallId": "tc-1", "toolName": "write", "agentName": null, "path": "a.key"})
            .as_object()
            .unwrap()
    );
    assert_eq!((gate.ask.path.as_deref(), gate.ask.command.as_deref()), (Some("a.key"), None));
    for fact in ["write", "a.key", "*.key"] {
        assert!(gate.ask.message.contains(fact), "{}", gate.ask.message);
    }
    assert_eq!(gate.denial, DenialContext::Path { tool_name: "write".to_owned(), path_value: "a.key".to_owned() });
}

#[rstest]
// HARD-036, HARD-040, RES-32: the proven member; a second width where one direction is proven
#[case("read", Direction::Read, &[("path_read", "/w/p/*")], &[("path", "/w/p/*")])]
#[case("grep", Direction::Read, &[("path_read", "/w/p/*")], &[("path", "/w/p/*")])]
#[case("write", Direction::Write, &[("path_write", "/w/p/*")], &[("path", "/w/p/*")])]
#[case("edit", Direction::Both, &[("path", "/w/p/*")], &[])]
#[case("deploy", Direction::Both, &[("path", "/w/p/*")], &[])]
fn hard_040_direction_and_suggestion(
    #[case] tool: &str,
    #[case] direction: Direction,
    #[case] stored: &[(&str, &str)],
    #[case] wide: &[(&str, &str)],
) {
    let resolver = Dispatch::new(ALLOW, vec![("path", "*", by_rule("path", "*.key", ASK))]);
    let gate = checked(gate(tool, vec![operand("a.key")], &resolver));
    assert_eq!(resolver.asked.borrow()[0].direction, Some(direction));
    let suggestion = gate.suggestion.unwrap();
    assert_eq!((suggestion.pairs, suggestion.both_directions), (pairs(stored), pairs(wide)));
    // HARD-041: the label shows what is stored.
    assert!(gate.ask.session_label.unwrap().contains(stored[0].1));
    assert_eq!(gate.ask.both_directions_label.is_some(), !wide.is_empty());
}

#[test]
fn gate_012_other_tools_have_paths_too() {
    let resolver = Dispatch::new(ALLOW, vec![("path", "*", by_rule("path", "*.env", DENY))]);
    let facts = facts("deploy", CallTarget::Extension, vec![operand("z.env")]);
    let result = describe(&call("deploy"), &facts, &resolver, describe_path_gate);
    assert_eq!(result.descriptor().map(|gate| gate.value.as_str()), Some("z.env"));
}

#[test]
fn gate_012_without_a_path_nothing_is_asked() {
    let resolver = Dispatch::new(DENY, Vec::new());
    assert_eq!(gate("ls", Vec::new(), &resolver), GateResult::Null { gate: "path", questions: Vec::new() });
    assert!(resolver.asked.borrow().is_empty());
}

#[test]
fn res_22_the_strictest_operand_is_the_check_and_all_are_shown() {
    let resolver = Dispatch::new(
        ALLOW,
        vec![("path", "/w/p/src", by_rule("path", "src", ASK)), ("path", "/w/p/.env", by_rule("path", "*.env", ASK))],
    );
    let mut glob = operand(".env");
    glob.introduced_by = Some("HARD-058");
    let gate = checked(gate("grep", vec![operand("src"), glob], &resolver));
    assert_eq!((gate.value.as_str(), gate.check.deciding, gate.check.questions.len()), ("src", Some(0), 2));
    for fact in ["src", ".env"] {
        assert!(gate.ask.message.contains(fact), "{}", gate.ask.message);
    }
    assert_eq!(resolver.asked.borrow()[1].introduced_by, Some("HARD-058"));
}

#[test]
fn res_22_a_later_operand_decides_when_stricter() {
    let resolver = Dispatch::new(
        ALLOW,
        vec![("path", "/w/p/src", by_rule("path", "src", ASK)), ("path", "/w/p/.env", by_rule("path", "*.env", DENY))],
    );
    let gate = checked(gate("grep", vec![operand("src"), operand(".env")], &resolver));
    assert_eq!((gate.value.as_str(), gate.check.result.state, gate.check.deciding), (".env", DENY, Some(1)));
}

fn guarded() -> PathOperand {
    let mut operand = operand(".pi/x");
    operand.path.protected = Some(ProtectedReason::PolicyFile);
    operand
}

#[rstest]
#[case("write", true)]
#[case("edit", true)]
#[case("deploy", true)]
#[case("read", false)]
#[case("ls", false)]
fn hard_056_only_a_proven_read_is_free(#[case] tool: &str, #[case] protected: bool) {
    let resolver = Dispatch::new(ALLOW, Vec::new());
    let _ = gate(tool, vec![guarded()], &resolver);
    assert_eq!(resolver.asked.borrow()[0].protected, protected);
}

#[rstest]
#[case("the default denies", DENY)]
#[case("the default asks", ASK)]
fn hard_056_the_guard_stands_where_the_default_is_dropped(#[case] title: &str, #[case] default: PermissionState) {
    let resolver = Dispatch::new(default, Vec::new());
    let gate = checked(gate("write", vec![guarded()], &resolver));
    let check = &gate.check.result;
    let expected = (ASK, Some("<protected-path>"), Origin::Builtin);
    assert_eq!((check.state, check.matched_pattern.as_deref(), check.origin), expected, "{title}");
    // Nothing of it can be stored, and the second option says so (RES-24, RES-32).
    assert_eq!(gate.suggestion, Some(GateSuggestion::default()));
    assert!(gate.ask.session_label.unwrap().contains("nothing can be stored"));
    let raised = Tightening { requirement: "HARD-056", before: ALLOW, after: ASK, subject: "/w/p/.pi/x".to_owned() };
    assert_eq!(gate.check.tightenings, [raised]);
}

#[test]
fn gate_010_tightenings_that_change_nothing_are_not_the_calls() {
    let mut answer = by_rule("path", "*.env", DENY);
    let raised = Tightening { requirement: "HARD-058", before: ALLOW, after: DENY, subject: "x".to_owned() };
    answer.trace.tightenings.push(raised.clone());
    let plain = by_rule("path", "src", DENY);
    let resolver = Dispatch::new(ALLOW, vec![("path", "/w/p/.env", answer), ("path", "/w/p/src", plain)]);
    let both = checked(gate("grep", vec![operand(".env"), operand("src")], &resolver));
    assert_eq!((both.check.baseline_state, both.check.tightenings), (DENY, Vec::new()));
    let alone = checked(gate("grep", vec![operand(".env")], &resolver));
    assert_eq!((alone.check.baseline_state, alone.check.tightenings), (ALLOW, vec![raised]));
}
