use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::gates::test_doubles::{
    ALLOW, ASK, DENY, Dispatch, call, checked, describe, file_facts, operand, path, program, shell_facts, skill, unit, word,
};

fn gate(tool: &str, facts: &CallFacts, entries: &[SkillPromptEntry]) -> GateResult {
    let resolver = Dispatch::new(ALLOW, Vec::new());
    let result = describe(&call(tool), facts, &resolver, |view| describe_skill_read_gate(view, entries));
    // GATE-005: the state of the turn's start counts, nobody is asked again.
    assert!(resolver.asked.borrow().is_empty());
    result
}

fn found(tool: &str, facts: &CallFacts, entries: &[SkillPromptEntry]) -> Option<(String, PermissionState)> {
    match gate(tool, facts, entries) {
        GateResult::Check(descriptor) => Some((descriptor.value, descriptor.check.result.state)),
        GateResult::Null { .. } => None,
        GateResult::Bypass(_) => panic!("this gate never bypasses"),
    }
}

#[rstest]
#[case("two entries of that location", "/a/SKILL.md", &[("one", "/a/SKILL.md"), ("two", "/a/SKILL.md")], Some("one"))]
#[case("the longest folder", "/a/b/x", &[("one", "/a/SKILL.md"), ("two", "/a/b/SKILL.md")], Some("two"))]
#[case("two equal folders", "/a/x", &[("one", "/a/SKILL.md"), ("two", "/a/OTHER.md")], Some("one"))]
#[case("the folder itself", "/a", &[("one", "/a/SKILL.md")], Some("one"))]
#[case("a location before a longer folder", "/a/b/x", &[("one", "/a/b/x"), ("two", "/a/b/x/SKILL.md")], Some("one"))]
#[case("a sibling", "/s/alphabet/x", &[("one", "/s/alpha/SKILL.md")], None)]
#[case("no entries", "/a/x", &[], None)]
fn gate_004_matching(#[case] title: &str, #[case] read: &str, #[case] skills: &[(&str, &str)], #[case] expected: Option<&str>) {
    let entries: Vec<_> = skills.iter().map(|(name, location)| skill(name, location, ASK)).collect();
    let facts = file_facts("read", vec![operand(read)]);
    let name = found("read", &facts, &entries).map(|(name, _)| name);
    assert_eq!(name.as_deref(), expected, "GATE-004: {title}");
}

#[test]
fn gate_004_no_path_no_match() {
    assert_eq!(found("read", &file_facts("read", Vec::new()), &[skill("one", "/a/SKILL.md", ASK)]), None);
}

#[rstest]
#[case("an allow is a check too", ALLOW, ALLOW)]
#[case("an ask", ASK, ASK)]
#[case("GATES-D06: a deny", DENY, DENY)]
fn gate_005_states_of_a_plain_read(#[case] title: &str, #[case] state: PermissionState, #[case] expected: PermissionState) {
    let facts = file_facts("read", vec![operand("/a/x")]);
    let entries = [skill("one", "/a/SKILL.md", state)];
    assert_eq!(found("read", &facts, &entries), Some(("one".to_owned(), expected)), "{title}");
}

#[test]
fn gate_005_descriptor() {
    let facts = file_facts("read", vec![operand("/a/x")]);
    let gate = checked(gate("read", &facts, &[skill("one", "/a/SKILL.md", ASK)]));
    assert_eq!((gate.gate, gate.surface.as_str(), gate.value.as_str()), ("skill-read", "skill", "one"));
    let check = &gate.check.result;
    assert_eq!((check.origin, check.source, check.matched_pattern.as_deref()), (Origin::Builtin, Source::Tool, None));
    assert_eq!((gate.check.baseline_state, gate.check.tightenings.len()), (ASK, 0));
    assert_eq!(gate.suggestion, None);
    assert_eq!(
        (gate.ask.source, gate.ask.skill_name.as_deref(), gate.ask.path.as_deref()),
        (AskSource::SkillRead, Some("one"), Some("/a/x"))
    );
    let keys: Vec<_> = gate.log.keys().map(String::as_str).collect();
    assert_eq!(keys, ["source", "toolCallId", "toolName", "agentName", "skillName", "path", "message"]);
    assert_eq!(gate.denial, DenialContext::SkillRead { skill_name: "one".to_owned(), read_path: "/a/x".to_owned() });
}

#[rstest]
#[case("grep", ASK, Some(ASK))]
#[case("write", DENY, Some(DENY))]
#[case("grep", ALLOW, None)]
fn gates_d06_every_path_tool(#[case] tool: &str, #[case] state: PermissionState, #[case] expected: Option<PermissionState>) {
    let facts = file_facts(tool, vec![operand("/a/x")]);
    let result = gate(tool, &facts, &[skill("one", "/a/SKILL.md", state)]);
    let Some(expected) = expected else {
        // An allowed skill has nothing to guard: no new event.
        assert!(matches!(result, GateResult::Null { .. }));
        return;
    };
    let gate = checked(result);
    let raised = Tightening { requirement: "GATES-D06", before: ALLOW, after: expected, subject: "/a/x".to_owned() };
    assert_eq!((gate.check.result.state, gate.check.tightenings), (expected, vec![raised]));
}

#[test]
fn gates_d06_words_of_a_shell_command() {
    let command = "cat /b/y /a/x";
    let facts = shell_facts("bash", program(command, vec![unit(command)], vec![word("/b/y"), word("/a/x")]));
    let entries = [skill("asked", "/b/SKILL.md", ASK), skill("denied", "/a/SKILL.md", DENY)];
    assert_eq!(found("bash", &facts, &entries), Some(("denied".to_owned(), DENY)));
    let gate = checked(gate("bash", &facts, &entries[..1]));
    // HARD-053: the whole command is on the screen; the path is the word.
    assert!(gate.ask.message.contains(command));
    assert_eq!(gate.ask.path.as_deref(), Some("/b/y"));
}

#[test]
fn gates_d06_where_a_link_leads() {
    let mut link = operand("lnk/x");
    link.path.canonical = "/a/x".to_owned();
    let facts = file_facts("read", vec![link]);
    assert_eq!(found("read", &facts, &[skill("one", "/a/SKILL.md", ASK)]), Some(("one".to_owned(), ASK)));
}

#[test]
fn gates_d06_a_denied_neighbour_is_stricter_than_the_known_entry() {
    let facts = file_facts("read", vec![operand("/a/b/x")]);
    let entries = [skill("asked", "/a/SKILL.md", ASK), skill("denied", "/a/b/SKILL.md", DENY)];
    let gate = checked(gate("read", &facts, &entries));
    let raised = Tightening { requirement: "GATES-D06", before: ASK, after: DENY, subject: "/a/b/x".to_owned() };
    assert_eq!((gate.value.as_str(), gate.check.tightenings), ("denied", vec![raised]));
}

#[rstest]
#[case("grep", "/w/p/x", None)]
#[case("grep", "/w/SKILL.md", Some(ASK))]
// What the package knows stays: a plain read below the folder.
#[case("read", "/w/p/x", Some(ASK))]
fn res_23_a_folder_around_the_session_is_its_own_file_only(
    #[case] tool: &str,
    #[case] touched: &str,
    #[case] expected: Option<PermissionState>,
) {
    let facts = file_facts(tool, vec![operand(touched)]);
    let state = found(tool, &facts, &[skill("one", "/w/SKILL.md", ASK)]).map(|(_, state)| state);
    assert_eq!(state, expected);
}

#[test]
fn res_51_an_unknown_place_is_nobodys_file() {
    let mut lost = word("x");
    lost.path = AccessPath { unknown_place: true, ..path("/a/x") };
    let facts = shell_facts("bash", program("cat x", vec![unit("cat x")], vec![lost]));
    assert_eq!(found("bash", &facts, &[skill("one", "/a/SKILL.md", DENY)]), None);
}
