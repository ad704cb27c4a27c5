use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::gates::test_doubles::{
    ALLOW, ASK, DENY, Dispatch, by_default, by_grant, by_rule, call, checked, describe, file_facts, operand, pairs,
};

fn gate(tool: &str, operands: Vec<PathOperand>, resolver: &Dispatch) -> GateResult {
    describe(&call(tool), &file_facts(tool, operands), resolver, describe_external_directory_gate)
}

fn harness(typed: &str, exempt: bool, exempt_before: bool) -> PathOperand {
    PathOperand { infrastructure: exempt, baseline_infrastructure: exempt_before, ..operand(typed) }
}

#[rstest]
#[case("inside", vec![operand("a")])]
#[case("no path", Vec::new())]
fn gate_013_does_not_apply(#[case] title: &str, #[case] operands: Vec<PathOperand>) {
    let resolver = Dispatch::new(DENY, Vec::new());
    let null = GateResult::Null { gate: "external-directory", questions: Vec::new() };
    assert_eq!(gate("read", operands, &resolver), null, "GATE-013: {title}");
    assert!(resolver.asked.borrow().is_empty());
}

#[rstest]
#[case("the default counts here", by_default("external_directory", ASK), ASK)]
#[case("a rule allows: still a check", by_rule("external_directory", "/etc/*", ALLOW), ALLOW)]
#[case("a rule denies", by_rule("external_directory", "*", DENY), DENY)]
#[case("a grant", by_grant("external_directory", "/etc/*"), ALLOW)]
fn gate_013_outside_is_always_checked(
    #[case] title: &str,
    #[case] answer: PermissionCheckResult,
    #[case] expected: PermissionState,
) {
    let resolver = Dispatch::new(ALLOW, vec![("external_directory", "*", answer)]);
    let gate = checked(gate("read", vec![operand("/etc/hosts")], &resolver));
    assert_eq!((gate.surface.as_str(), gate.value.as_str()), ("external_directory", "/etc/hosts"), "{title}");
    assert_eq!(gate.check.result.state, expected, "GATE-013: {title}");
    assert!(gate.ask.message.contains("/etc/hosts"), "MSG-005: every line names the path, {title}: {}", gate.ask.message);
}

#[test]
fn gate_014_descriptor_of_a_path_through_a_link() {
    let mut linked = operand("etc/hosts");
    linked.path.canonical = "/etc/hosts".to_owned();
    linked.path.outside = true;
    let resolver = Dispatch::new(ASK, Vec::new());
    let gate = checked(gate("read", vec![linked], &resolver));
    // The grant concerns the lexical value, so `/etc/passwd` asks again afterwards.
    assert_eq!(gate.suggestion.unwrap().pairs, pairs(&[("external_directory_read", "/w/p/etc/*")]));
    let expected = DenialContext::ExternalDirectory {
        tool_name: "read".to_owned(),
        path_value: "etc/hosts".to_owned(),
        resolved_path: Some("/etc/hosts".to_owned()),
        cwd: "/w/p".to_owned(),
    };
    assert_eq!(gate.denial, expected);
    let keys: Vec<_> = gate.log.keys().map(String::as_str).collect();
    assert_eq!(keys, ["source", "toolCallId", "toolName", "agentName", "path", "message"]);
    for fact in ["read", "etc/hosts", "/etc/hosts", "/w/p"] {
        assert!(gate.ask.message.contains(fact), "{}", gate.ask.message);
    }
}

#[test]
fn gate_013_a_harness_file_passes() {
    let resolver = Dispatch::new(DENY, vec![("external_directory", "*", by_rule("external_directory", "*", DENY))]);
    let GateResult::Bypass(bypass) = gate("read", vec![harness("/ag/skills/a.md", true, true)], &resolver) else {
        panic!("no bypass");
    };
    let (event, fields) = bypass.log.unwrap();
    assert_eq!(event, "permission_request.infrastructure_auto_allowed");
    let line =
        json!({"source": "tool_call", "toolCallId": "tc-1", "toolName": "read", "agentName": null, "path": "/ag/skills/a.md"});
    assert_eq!(serde_json::Value::Object(fields), line);
    let expected = PermissionDecisionEvent {
        surface: "read".to_owned(),
        value: "/ag/skills/a.md".to_owned(),
        result: DecisionResult::Allow,
        resolution: Resolution::InfrastructureAutoAllowed,
        origin: None,
        agent_name: None,
        matched_pattern: None,
        gate: "external-directory".to_owned(),
        request_id: None,
        rule_surface: None,
        decided_by: DecidedBy::own(DecidedByKind::Infrastructure),
    };
    assert_eq!(bypass.decision, Some(expected));
}

#[rstest]
// HARD-025, RES-21: a deny that names the file beats the exemption; a catch-all or the default does not
#[case("named", by_rule("external_directory", "/ag/*", DENY), Some(DENY))]
#[case("catch-all", by_rule("external_directory", "*", DENY), None)]
#[case("default", by_default("external_directory", DENY), None)]
#[case("a named ask", by_rule("external_directory", "/ag/*", ASK), None)]
fn hard_025_what_beats_the_exemption(
    #[case] title: &str,
    #[case] answer: PermissionCheckResult,
    #[case] expected: Option<PermissionState>,
) {
    let resolver = Dispatch::new(ALLOW, vec![("external_directory", "*", answer)]);
    let result = gate("read", vec![harness("/ag/skills/a.md", true, true)], &resolver);
    let found = result.descriptor().map(|gate| (gate.check.result.state, gate.check.tightenings.clone()));
    let raised =
        |after| vec![Tightening { requirement: "HARD-025", before: ALLOW, after, subject: "/ag/skills/a.md".to_owned() }];
    assert_eq!(found, expected.map(|state| (state, raised(state))), "HARD-025: {title}");
}

#[rstest]
#[case("credentials are not exempt any more", true, 1)]
#[case("what never was exempt is no tightening", false, 0)]
fn hard_025_the_narrow_list(#[case] title: &str, #[case] exempt_before: bool, #[case] tightenings: usize) {
    let resolver = Dispatch::new(ALLOW, vec![("external_directory", "*", by_rule("external_directory", "*", DENY))]);
    let gate = checked(gate("read", vec![harness("/ag/auth.json", false, exempt_before)], &resolver));
    assert_eq!((gate.check.result.state, gate.check.tightenings.len()), (DENY, tightenings), "HARD-025: {title}");
}

#[test]
fn res_22_an_outside_search_operand_decides() {
    let resolver = Dispatch::new(ASK, Vec::new());
    let mut pattern = operand("/etc/*");
    pattern.introduced_by = Some("HARD-058");
    let gate = checked(gate("find", vec![operand("src"), pattern], &resolver));
    assert_eq!((gate.value.as_str(), resolver.asked_values()), ("/etc/*", vec!["external_directory /etc/*".to_owned()]));
    assert_eq!(resolver.asked.borrow()[0].introduced_by, Some("HARD-058"));
}

#[test]
fn res_20_outside_by_the_textual_value_names_its_requirement() {
    let mut dotted = operand("lnk/../shadow");
    dotted.path.outside = true;
    dotted.path.outside_by = Some("GATES-D07");
    let resolver = Dispatch::new(ASK, Vec::new());
    let _ = gate("read", vec![dotted], &resolver);
    assert_eq!(resolver.asked.borrow()[0].introduced_by, Some("GATES-D07"));
    assert!(!resolver.asked.borrow()[0].protected);
}
