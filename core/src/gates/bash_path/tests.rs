use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::access::path::ProtectedReason;
use crate::gates::test_doubles::{
    ALLOW, ASK, DENY, Dispatch, by_default, by_grant, by_rule, by_yolo, call, checked, describe, facts, pairs, program,
    shell_facts, unit, word,
};
use crate::gates::{CallTarget, ShellFacts};
use crate::policy::{Direction, Floor, Tightening};

fn gate_of(tool: &str, command: &str, words: Vec<PathWord>, resolver: &Dispatch) -> GateResult {
    let facts = shell_facts(tool, program(command, vec![unit(command)], words));
    describe(&call(tool), &facts, resolver, describe_bash_path_gate)
}

fn gate(words: Vec<PathWord>, resolver: &Dispatch) -> GateResult {
    gate_of("bash", "cat ./a ./b ./c", words, resolver)
}

fn words() -> Vec<PathWord> {
    vec![word("./a"), word("./b"), word("./c")]
}

fn answers(list: [PermissionCheckResult; 3]) -> Dispatch {
    let values = ["/w/p/a", "/w/p/b", "/w/p/c"];
    Dispatch::new(ASK, values.into_iter().zip(list).map(|(value, answer)| ("path", value, answer)).collect())
}

fn rule(state: PermissionState) -> PermissionCheckResult {
    by_rule("path", "x", state)
}

#[test]
fn gate_017_the_first_deny_ends_the_look() {
    let resolver = answers([rule(ASK), rule(DENY), rule(DENY)]);
    let gate = checked(gate(words(), &resolver));
    assert_eq!((gate.value.as_str(), gate.check.result.state), ("./b", DENY));
    assert_eq!(resolver.asked_values(), ["path /w/p/a", "path /w/p/b"]);
}

#[rstest]
#[case("two asks: the first", [rule(ASK), rule(ASK), rule(ALLOW)], Some(("./a", ASK)))]
#[case("an ask behind an allow", [rule(ALLOW), rule(ALLOW), rule(ASK)], Some(("./c", ASK)))]
#[case("a lone star counts by shape", [by_rule("path", "*", ASK), rule(ALLOW), rule(ALLOW)], Some(("./a", ASK)))]
#[case("only the default", [by_default("path", ASK), by_default("path", DENY), by_default("path", ASK)], None)]
#[case("grants and default", [by_grant("path", "x"), by_grant("path", "x"), by_default("path", ASK)], None)]
#[case("yolo", [by_yolo("path"), by_yolo("path"), by_yolo("path")], None)]
#[case("all allowed by config", [rule(ALLOW), rule(ALLOW), rule(ALLOW)], None)]
fn gate_017_selection(
    #[case] title: &str,
    #[case] list: [PermissionCheckResult; 3],
    #[case] expected: Option<(&str, PermissionState)>,
) {
    let result = gate(words(), &answers(list));
    let found = result.descriptor().map(|gate| (gate.value.as_str(), gate.check.result.state));
    assert_eq!(found, expected, "GATE-017: {title}");
    assert!(matches!(result, GateResult::Check(_) | GateResult::Null { .. }), "{title}");
}

#[test]
fn gate_018_bypass() {
    let grant = || by_grant("path", "/w/p/*");
    let GateResult::Bypass(bypass) = gate(words(), &answers([grant(), grant(), grant()])) else { panic!("no bypass") };
    let (event, fields) = bypass.log.unwrap();
    assert_eq!(event, "permission_request.session_approved");
    let expected = json!({
        "source": "tool_call", "toolCallId": "tc-1", "toolName": "bash", "agentName": null, "command": "cat ./a ./b ./c",
        "tokens": ["./a", "./b", "./c"], "resolution": "session_approved",
    });
    assert_eq!((serde_json::Value::Object(fields), bypass.decision), (expected, None));
}

#[test]
fn gates_d02_a_granted_path_that_still_asks_is_no_bypass() {
    let floored = PermissionCheckResult { state: ASK, ..by_grant("path", "x") };
    let result = gate(words(), &answers([by_grant("path", "x"), floored, by_grant("path", "x")]));
    assert_eq!(result.descriptor().map(|gate| gate.value.as_str()), Some("./b"));
}

#[test]
fn gate_019_descriptor() {
    let resolver = Dispatch::new(ALLOW, vec![("path", "*", by_rule("path", "*.key", ASK))]);
    let gate = checked(gate_of("exec_command", "cat ./a ./d/b", vec![word("./a"), word("./d/b")], &resolver));
    assert_eq!((gate.gate, gate.surface.as_str(), gate.value.as_str()), ("bash-path", "path", "./a"));
    let expected = json!({
        "source": "tool_call", "toolCallId": "tc-1", "toolName": "exec_command", "agentName": null,
        "command": "cat ./a ./d/b", "path": "./a",
    });
    assert_eq!(serde_json::Value::Object(gate.log), expected);
    // RES-33: every asking word is on the screen, the first one's pattern is stored.
    for fact in ["exec_command", "./a", "./d/b", "*.key", "cat ./a ./d/b"] {
        assert!(gate.ask.message.contains(fact), "{}", gate.ask.message);
    }
    assert_eq!(gate.suggestion.unwrap().pairs, pairs(&[("path", "/w/p/*")]));
    assert_eq!((gate.ask.command.as_deref(), gate.ask.path.as_deref()), (Some("cat ./a ./d/b"), None));
    let denial = DenialContext::BashPath {
        command: "cat ./a ./d/b".to_owned(),
        path_value: "./a".to_owned(),
        tool_name: "exec_command".to_owned(),
    };
    assert_eq!(gate.denial, denial);
}

#[rstest]
#[case(Direction::Read, &[("path_read", "/w/p/*")], &[("path", "/w/p/*")])]
#[case(Direction::Write, &[("path_write", "/w/p/*")], &[("path", "/w/p/*")])]
#[case(Direction::Both, &[("path", "/w/p/*")], &[])]
fn hard_037_redirects_prove_a_direction(
    #[case] direction: Direction,
    #[case] stored: &[(&str, &str)],
    #[case] wide: &[(&str, &str)],
) {
    let resolver = Dispatch::new(ALLOW, vec![("path", "*", rule(ASK))]);
    let suggestion = checked(gate(vec![PathWord { direction, ..word("./a") }], &resolver)).suggestion.unwrap();
    assert_eq!(resolver.asked.borrow()[0].direction, Some(direction));
    assert_eq!((suggestion.pairs, suggestion.both_directions), (pairs(stored), pairs(wide)));
}

#[rstest]
#[case("by existence, a lone star is silent", CandidateKind::Existence, by_rule("path", "*", DENY), None)]
#[case("by existence, a rule that names it", CandidateKind::Existence, by_rule("path", "id_*", DENY), Some(DENY))]
#[case("by role, a lone star counts", CandidateKind::Role, by_rule("path", "*", DENY), Some(DENY))]
#[case("promoted", CandidateKind::Promoted, by_rule("path", "id_rsa", ASK), Some(ASK))]
fn res_18_kinds(
    #[case] title: &str,
    #[case] kind: CandidateKind,
    #[case] answer: PermissionCheckResult,
    #[case] expected: Option<PermissionState>,
) {
    let resolver = Dispatch::new(ALLOW, vec![("path", "*", answer)]);
    let result = gate(vec![PathWord { kind, ..word("id_rsa") }], &resolver);
    assert_eq!(result.descriptor().map(|gate| gate.check.result.state), expected, "RES-18: {title}");
}

/// Answers a family's members apart, as the resolver folds them.
struct Members {
    read: PermissionCheckResult,
    write: PermissionCheckResult,
}

impl crate::gates::GateResolver for Members {
    fn resolve(&self, question: &Question) -> PermissionCheckResult {
        match question.direction {
            Some(Direction::Read) => self.read.clone(),
            Some(Direction::Write) => self.write.clone(),
            _ if self.write.state > self.read.state => self.write.clone(),
            _ => self.read.clone(),
        }
    }
}

#[rstest]
#[case("the default hides an ask", by_default("path", DENY), rule(ASK), Some(ASK))]
#[case("the default hides a deny of the same strictness", by_default("path", DENY), rule(DENY), Some(DENY))]
#[case("both silent", by_default("path", DENY), by_default("path", DENY), None)]
#[case("a rule on the other side allows", by_default("path", DENY), rule(ALLOW), Some(ALLOW))]
fn res_17_a_default_on_one_member_hides_no_rule_of_the_other(
    #[case] title: &str,
    #[case] read: PermissionCheckResult,
    #[case] write: PermissionCheckResult,
    #[case] expected: Option<PermissionState>,
) {
    let mut answers = Answers::default();
    let question = word_question(&word("./a"));
    let answer = ask_path(&mut answers, &Members { read, write }, &question, false);
    assert_eq!(answer.map(|result| result.state), expected, "{title}");
}

fn unknown_directory() -> Floor {
    Floor {
        kind: FloorKind::UnknownDirectory,
        requirement: "BASH-D16",
        baseline: false,
        lift: GrantLift::Never,
        void_if_rule_spells: Vec::new(),
    }
}

#[test]
fn res_51_the_floor_stands_where_the_default_is_dropped() {
    let mut lost = word("x/.env");
    lost.floors = vec![unknown_directory()];
    lost.path.unknown_place = true;
    let resolver = Dispatch::new(DENY, Vec::new());
    let gate = checked(gate(vec![lost], &resolver));
    assert_eq!(resolver.asked.borrow()[0].floors, [unknown_directory()]);
    let check = &gate.check.result;
    assert_eq!((check.state, check.matched_pattern.as_deref()), (ASK, Some("<unknown-directory>")));
    let raised = Tightening { requirement: "BASH-D16", before: ALLOW, after: ASK, subject: "/w/p/x/.env".to_owned() };
    assert_eq!(gate.check.tightenings, [raised]);
    assert_eq!(gate.suggestion, Some(GateSuggestion::default()));
}

#[rstest]
#[case("a write", Direction::Write, false, true)]
#[case("unproven", Direction::Both, false, true)]
#[case("a read redirect", Direction::Read, false, false)]
#[case("a reader under its guards", Direction::Both, true, false)]
fn hard_056_who_meets_the_guard(
    #[case] title: &str,
    #[case] direction: Direction,
    #[case] proven_read: bool,
    #[case] protected: bool,
) {
    let mut guarded = PathWord { direction, proven_read, ..word(".git/config") };
    guarded.path.protected = Some(ProtectedReason::GitHook);
    let resolver = Dispatch::new(ALLOW, Vec::new());
    let _ = gate(vec![guarded], &resolver);
    assert_eq!(resolver.asked.borrow()[0].protected, protected, "{title}");
}

#[test]
fn pipe_008_a_workdir_is_no_candidate() {
    let resolver = Dispatch::new(DENY, vec![("path", "*", rule(DENY))]);
    let result = gate(vec![PathWord { rule_candidate: false, ..word("/opt") }], &resolver);
    assert_eq!(result, GateResult::Null { gate: "bash-path", questions: Vec::new() });
}

#[test]
fn ext_018_the_empty_command_has_no_paths() {
    let resolver = Dispatch::new(DENY, vec![("path", "*", rule(DENY))]);
    let shell = ShellFacts { command: String::new(), workdir: Some("/opt".to_owned()), program: None };
    let facts = facts("exec", CallTarget::Shell(shell), Vec::new());
    let result = describe(&call("exec"), &facts, &resolver, describe_bash_path_gate);
    assert_eq!(result, GateResult::Null { gate: "bash-path", questions: Vec::new() });
}
