use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::gates::test_doubles::{
    ALLOW, ASK, DENY, Dispatch, by_grant, by_rule, by_yolo, call, checked, describe, file_facts, operand, pairs, path, program,
    shell_facts, unit, word,
};
use crate::policy::Direction;

const SURFACE: &str = "external_directory";

fn gate(command: &str, words: Vec<PathWord>, resolver: &Dispatch) -> GateResult {
    let facts = shell_facts("bash", program(command, vec![unit(command)], words));
    describe(&call("bash"), &facts, resolver, describe_bash_external_directory_gate)
}

#[test]
fn gate_015_every_path_is_asked_and_the_uncovered_ones_count() {
    let resolver = Dispatch::new(
        ASK,
        vec![(SURFACE, "/k", by_rule(SURFACE, "/k", ALLOW)), (SURFACE, "/g/h/i", by_rule(SURFACE, "/g/*", DENY))],
    );
    let command = "cat /e/f /g/h/i /k";
    let gate = checked(gate(command, vec![word("/e/f"), word("/g/h/i"), word("/k")], &resolver));
    assert_eq!(resolver.asked_values(), ["external_directory /e/f", "external_directory /g/h/i", "external_directory /k"]);
    assert_eq!((gate.check.result.state, gate.check.result.matched_pattern.as_deref()), (DENY, Some("/g/*")));
    assert_eq!((gate.gate, gate.surface.as_str(), gate.value.as_str()), ("bash-external-directory", SURFACE, command));
    assert_eq!(gate.log["externalPaths"], json!(["/e/f", "/g/h/i"]));
    assert_eq!(gate.suggestion.unwrap().pairs, pairs(&[(SURFACE, "/e/*"), (SURFACE, "/g/h/*")]));
    let keys: Vec<_> = gate.log.keys().map(String::as_str).collect();
    assert_eq!(keys, ["source", "toolCallId", "toolName", "agentName", "command", "externalPaths", "message"]);
    for fact in [command, "/e/f", "/g/h/i", "/w/p"] {
        assert!(gate.ask.message.contains(fact), "{}", gate.ask.message);
    }
    assert_eq!((gate.ask.command.as_deref(), gate.ask.path.as_deref()), (Some(command), None));
}

#[test]
fn gate_032_no_short_cut() {
    let resolver = Dispatch::new(ALLOW, vec![(SURFACE, "/a", by_rule(SURFACE, "/a", DENY))]);
    let _ = gate("cat /a /b /c", vec![word("/a"), word("/b"), word("/c")], &resolver);
    assert_eq!(resolver.asked.borrow().len(), 3);
}

#[rstest]
// RES-39: any grant, else any yolo, else the rules
#[case("config", &[], "policy_allowed", "policy_allow")]
#[case("yolo", &["yolo"], "auto_approved", "auto_approved")]
#[case("a grant", &["grant"], "session_approved", "session_approved")]
#[case("a grant before yolo", &["yolo", "grant"], "session_approved", "session_approved")]
fn gate_016_bypass(#[case] title: &str, #[case] who: &[&str], #[case] event: &str, #[case] resolution: &str) {
    let mut entries = Vec::new();
    for (index, who) in who.iter().enumerate() {
        let answer = if *who == "yolo" { by_yolo(SURFACE) } else { by_grant(SURFACE, "/etc/*") };
        entries.push((SURFACE, if index == 0 { "/etc/hosts" } else { "/etc/passwd" }, answer));
    }
    entries.push((SURFACE, "*", by_rule(SURFACE, "/etc/*", ALLOW)));
    let resolver = Dispatch::new(DENY, entries);
    let command = "cat /etc/hosts /etc/passwd";
    let GateResult::Bypass(bypass) = gate(command, vec![word("/etc/hosts"), word("/etc/passwd")], &resolver) else {
        panic!("no bypass: {title}");
    };
    let (logged, fields) = bypass.log.unwrap();
    assert_eq!(logged, format!("permission_request.{event}"), "GATE-016: {title}");
    let expected = json!({
        "source": "tool_call", "toolCallId": "tc-1", "toolName": "bash", "agentName": null, "command": command,
        "externalPaths": ["/etc/hosts", "/etc/passwd"], "resolution": resolution,
    });
    assert_eq!(serde_json::Value::Object(fields), expected, "GATE-016: {title}");
    assert_eq!(bypass.decision, None);
}

#[rstest]
#[case("no outside path", vec![word("a"), word("./b")])]
#[case("no word", Vec::new())]
#[case("only a candidate on path", vec![PathWord { boundary: false, ..word("/etc/x") }])]
fn gate_015_does_not_apply(#[case] title: &str, #[case] words: Vec<PathWord>) {
    let resolver = Dispatch::new(DENY, Vec::new());
    let null = GateResult::Null { gate: "bash-external-directory", questions: Vec::new() };
    assert_eq!(gate("x", words, &resolver), null, "{title}");
}

#[test]
fn ext_018_no_program_no_gate() {
    let resolver = Dispatch::new(DENY, Vec::new());
    let facts = file_facts("read", vec![operand("/etc/x")]);
    let result = describe(&call("read"), &facts, &resolver, describe_bash_external_directory_gate);
    assert_eq!(result, GateResult::Null { gate: "bash-external-directory", questions: Vec::new() });
}

fn workdir(token: &str) -> PathWord {
    PathWord { rule_candidate: false, ..word(token) }
}

#[rstest]
#[case(vec![workdir("/opt"), word("/opt/a")], &["/opt", "/opt/a"])]
#[case(vec![workdir("/opt"), word("/opt/a"), word("/opt")], &["/opt/a", "/opt"])]
#[case(vec![word("/opt/a"), word("/opt/a")], &["/opt/a"])]
fn pipe_008_the_workdir_comes_first_unless_it_is_named(#[case] words: Vec<PathWord>, #[case] expected: &[&str]) {
    let gate = checked(gate("cat /opt/a", words, &Dispatch::new(ASK, Vec::new())));
    assert_eq!(gate.log["externalPaths"], json!(expected));
}

#[test]
fn hard_037_one_place_in_two_directions_is_asked_twice() {
    let read = PathWord { direction: Direction::Read, ..word("/a/x") };
    let write = PathWord { direction: Direction::Write, ..word("/a/x") };
    let resolver = Dispatch::new(ASK, Vec::new());
    let gate = checked(gate("sort </a/x >/a/x", vec![read, write], &resolver));
    let suggestion = gate.suggestion.unwrap();
    let stored = pairs(&[("external_directory_read", "/a/*"), ("external_directory_write", "/a/*")]);
    // RES-32: a second width exists for one proven direction only.
    assert_eq!((suggestion.pairs, suggestion.both_directions), (stored, Vec::new()));
}

#[test]
fn res_51_an_unknown_place_is_asked_and_not_stored() {
    let mut lost = word("x");
    lost.path =
        crate::access::path::AccessPath { unknown_place: true, outside: true, assumed: vec!["/w/p/x".to_owned()], ..path("x") };
    lost.boundary_by = Some("HARD-023");
    let resolver = Dispatch::new(ASK, Vec::new());
    let gate = checked(gate("cat $D/x", vec![lost], &resolver));
    let asked = resolver.asked.borrow();
    assert_eq!((asked[0].unknown_place, asked[0].introduced_by), (true, Some("HARD-023")));
    assert_eq!(asked[0].further, [("/w/p/x".to_owned(), "EXT-006")]);
    assert_eq!(gate.suggestion.unwrap().pairs, Vec::new());
}

#[test]
fn gate_015_targets_of_links_are_disclosed() {
    let mut linked = word("sl/a");
    linked.path.canonical = "/vault/a".to_owned();
    linked.path.outside = true;
    let gate = checked(gate("cat sl/a", vec![linked], &Dispatch::new(ASK, Vec::new())));
    let expected = DenialContext::BashExternalDirectory {
        command: "cat sl/a".to_owned(),
        external_paths: vec![ExternalPathDisclosure { path: "/w/p/sl/a".to_owned(), resolved_path: Some("/vault/a".to_owned()) }],
        cwd: "/w/p".to_owned(),
    };
    assert_eq!(gate.denial, expected);
    assert!(gate.ask.message.contains("/vault/a"), "{}", gate.ask.message);
}
