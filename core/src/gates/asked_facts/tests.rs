use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::*;
use crate::access::mcp::mcp_call;
use crate::gates::descriptor::GateResult;
use crate::gates::facts::{CallTarget, ShellFacts};
use crate::gates::test_doubles::{
    ALLOW, ASK, DENY, Dispatch, by_rule, call, checked, describe, facts, file_facts, operand, program, skill, unit, word,
};
use crate::gates::{
    describe_bash_external_directory_gate, describe_bash_path_gate, describe_external_directory_gate, describe_path_gate,
    describe_skill_read_gate, describe_tool_gate,
};
use crate::policy::UnitContext;

/// What a gate's descriptor says for another session, without the prompt.
fn told(
    tool: &str,
    facts: &CallFacts,
    resolver: &Dispatch,
    gate: impl FnOnce(&GateView<'_>) -> GateResult,
) -> (Value, FactPrompt) {
    let asked = checked(describe(&call(tool), facts, resolver, gate)).facts.expect("the gate asks");
    let mut told = serde_json::to_value(asked.as_ref()).unwrap();
    told.as_object_mut().unwrap().remove("prompt");
    (told, asked.prompt.clone())
}

fn shell(command: &str, units: &[&str], paths: &[&str]) -> CallFacts {
    let program = program(command, units.iter().map(|text| unit(text)).collect(), paths.iter().map(|text| word(text)).collect());
    facts("bash", CallTarget::Shell(ShellFacts { command: command.to_owned(), workdir: None, program: Some(program) }), vec![])
}

#[test]
fn hard_010_every_unit_that_still_asks_and_no_other() {
    let resolver = Dispatch::new(ASK, vec![("bash", "git status", by_rule("bash", "git *", ALLOW))]);
    let mut facts = shell("git status && sudo rm x | cat", &["git status", "sudo rm x", "cat"], &[]);
    let CallTarget::Shell(shell) = &mut facts.target else { panic!("a call of the shell") };
    let sudo = &mut shell.program.as_mut().unwrap().units[1];
    sudo.context = Some(UnitContext::Subshell);
    sudo.spellings = vec![("/usr/bin/sudo rm x".to_owned(), "HARD-027")];
    let floor = |kind, lift| Floor { kind, requirement: "WRAP-010", baseline: true, lift, void_if_rule_spells: Vec::new() };
    sudo.floors = vec![
        floor(FloorKind::IndirectionBashWrapper, GrantLift::Any),
        floor(FloorKind::DangerousBashOption, GrantLift::Spelling(vec!["--pre".to_owned()])),
    ];
    let (told, prompt) = told("bash", &facts, &resolver, describe_tool_gate);
    let expected = json!({
        "gate": "tool", "surface": "bash", "cwd": "/w/p", "tool": "bash",
        "items": [
            {
                "kind": "unit", "text": "sudo rm x", "spellings": ["/usr/bin/sudo rm x"], "context": "subshell",
                "floors": [{"kind": "<indirection-bash-wrapper>"}, {"kind": "<dangerous-bash-option>", "options": ["--pre"]}],
            },
            {"kind": "unit", "text": "cat"},
        ],
    });
    assert_eq!(told, expected);
    assert_eq!(prompt.command.as_deref(), Some("git status && sudo rm x | cat"), "the whole command");
}

#[test]
fn hard_009_a_path_with_every_form_of_it() {
    let resolver = Dispatch::new(ASK, vec![("path", "*", by_rule("path", "*.env", ASK))]);
    let mut env = operand("secret.env");
    env.path.canonical = "/real/secret.env".to_owned();
    env.path.further = vec![("./secret.env".to_owned(), "POLICY-D08")];
    let facts = file_facts("read", vec![env]);
    let (told, prompt) = told("read", &facts, &resolver, describe_path_gate);
    let expected = json!({
        "gate": "path", "surface": "path", "direction": "read", "cwd": "/w/p", "tool": "read",
        "items": [{
            "kind": "path", "typed": "secret.env", "lexical": "/w/p/secret.env", "relative": "secret.env",
            "canonical": "/real/secret.env", "spellings": ["./secret.env"],
        }],
    });
    assert_eq!(told, expected);
    assert_eq!(
        prompt,
        FactPrompt { path: Some("secret.env".to_owned()), full_message: prompt.full_message.clone(), ..FactPrompt::default() }
    );
}

#[test]
fn hard_056_a_protected_path_takes_its_floor_along() {
    let resolver = Dispatch::new(ASK, vec![("path", "*", by_rule("path", "*", ASK))]);
    let mut guarded = operand(".git/config");
    guarded.path.protected = Some(crate::access::path::ProtectedReason::GitHook);
    let facts = file_facts("write", vec![guarded]);
    let (told, _) = told("write", &facts, &resolver, describe_path_gate);
    assert_eq!(told["items"][0]["floors"], json!([{"kind": "<protected-path>"}]));
    assert_eq!(told["direction"], "write");
}

#[test]
fn hard_009_a_boundary_question_names_its_family_and_never_the_tool() {
    let facts = file_facts("read", vec![operand("/etc/hosts"), operand("inside")]);
    let (told, _) = told("read", &facts, &Dispatch::new(ASK, vec![]), describe_external_directory_gate);
    let item = json!({"kind": "path", "typed": "/etc/hosts", "lexical": "/etc/hosts", "canonical": "/etc/hosts"});
    let expected = json!({
        "gate": "external-directory", "surface": "external_directory", "direction": "read", "cwd": "/w/p", "tool": "read",
        "items": [item],
    });
    assert_eq!(told, expected);
}

#[test]
fn hard_036_paths_of_different_directions_keep_their_own() {
    let mut facts = shell("cat < /opt/aa/x > /var/bb/y", &["cat"], &["/opt/aa/x", "/var/bb/y", "/tmp/z"]);
    let CallTarget::Shell(shell) = &mut facts.target else { panic!("a call of the shell") };
    shell.program.as_mut().unwrap().paths[0].direction = Direction::Read;
    let resolver = Dispatch::new(ASK, vec![("external_directory", "/tmp/z", by_rule("external_directory", "/tmp/*", ALLOW))]);
    let (told, prompt) = told("bash", &facts, &resolver, describe_bash_external_directory_gate);
    assert_eq!((&told["gate"], &told["direction"]), (&json!("bash-external-directory"), &json!("both")));
    let path = |text: &str| json!({"kind": "path", "typed": text, "lexical": text, "canonical": text});
    let mut read = path("/opt/aa/x");
    read["direction"] = json!("read");
    assert_eq!(told["items"], json!([read, path("/var/bb/y")]));
    assert_eq!(prompt.command.as_deref(), Some("cat < /opt/aa/x > /var/bb/y"));
}

#[test]
fn hard_023_a_word_of_an_unknown_place_says_so() {
    let mut facts = shell("cd $D; cat ../x", &["cat ../x"], &["../x"]);
    let CallTarget::Shell(shell) = &mut facts.target else { panic!("a call of the shell") };
    let word = &mut shell.program.as_mut().unwrap().paths[0];
    word.path = AccessPath::of_unknown_place("../x", "../x");
    word.floors = vec![Floor {
        kind: FloorKind::UnknownDirectory,
        requirement: "BASH-D16",
        baseline: false,
        lift: GrantLift::Never,
        void_if_rule_spells: Vec::new(),
    }];
    let resolver = Dispatch::new(ASK, vec![("path", "*", by_rule("path", "/*", ASK))]);
    let (told, _) = told("bash", &facts, &resolver, describe_bash_path_gate);
    let expected = json!([{
        "kind": "path", "typed": "../x", "lexical": "../x", "canonical": "", "unknownPlace": true,
        "floors": [{"kind": "<unknown-directory>"}],
    }]);
    assert_eq!(told["items"], expected);
}

#[test]
fn path_020_a_lone_star_stands_for_the_first_two_values() {
    let mut star = operand("*");
    star.path.values = vec!["*".to_owned(), "/real".to_owned()];
    star.path.canonical = "/real".to_owned();
    let facts = file_facts("read", vec![star]);
    let (told, _) = told("read", &facts, &Dispatch::new(ASK, vec![]), describe_tool_gate);
    let expected = json!({
        "gate": "tool", "surface": "read", "cwd": "/w/p", "tool": "read",
        "items": [{"kind": "path", "typed": "*", "lexical": "*", "canonical": "/real"}],
    });
    assert_eq!(told, expected);
}

#[test]
fn hard_026_an_mcp_call_by_all_its_names() {
    let facts = facts("mcp", CallTarget::Mcp(mcp_call(&json!({"tool": "exa:mcp_status"}), &[])), vec![]);
    let (told, prompt) = told("mcp", &facts, &Dispatch::new(ASK, vec![]), describe_tool_gate);
    let expected = json!([{
        "kind": "mcp",
        "candidates": ["exa_mcp_status", "exa:mcp_status", "exa", "mcp_call", "mcp"],
        "spellings": ["mcp_status"],
        "grantName": "exa:mcp_status",
    }]);
    assert_eq!((&told["surface"], &told["items"]), (&json!("mcp"), &expected));
    assert_eq!(prompt.command, None);
}

#[test]
fn res_16_a_native_mcp_tool_tells_its_own_name() {
    let native = crate::access::mcp::native_mcp_call("mcp__gh__search", &[]).unwrap();
    let facts = facts("mcp__gh__search", CallTarget::Mcp(native), vec![]);
    let (told, _) = told("mcp__gh__search", &facts, &Dispatch::new(ASK, vec![]), describe_tool_gate);
    assert_eq!((&told["surface"], &told["tool"]), (&json!("mcp"), &json!("mcp__gh__search")));
    let item = &told["items"][0];
    assert_eq!((&item["ownTool"], &item["grantName"]), (&json!("mcp__gh__search"), &json!("gh:search")));
}

#[test]
fn hard_009_plain_values() {
    let resolver = Dispatch::new(ASK, vec![]);
    let (told_tool, _) = told("demo", &facts("demo", CallTarget::Extension, vec![]), &resolver, describe_tool_gate);
    let expected = json!({
        "gate": "tool", "surface": "demo", "cwd": "/w/p", "tool": "demo", "items": [{"kind": "value", "value": "*"}],
    });
    assert_eq!(told_tool, expected);
    let called = facts("skill", CallTarget::Skill(Some("deploy".to_owned())), vec![]);
    let (told_skill, _) = told("skill", &called, &resolver, describe_tool_gate);
    assert_eq!((&told_skill["surface"], &told_skill["items"]), (&json!("skill"), &json!([{"kind": "value", "value": "deploy"}])));
    let (told_read, _) = told("read", &file_facts("read", vec![]), &resolver, describe_tool_gate);
    assert_eq!(told_read["items"], json!([{"kind": "value", "value": "*"}]));
}

#[test]
fn hard_009_a_skill_file_is_asked_by_the_skills_name() {
    let entries = [skill("s1", "/w/p/skills/s1/SKILL.md", ASK)];
    let facts = file_facts("read", vec![operand("skills/s1/SKILL.md")]);
    let gate = |view: &GateView<'_>| describe_skill_read_gate(view, &entries);
    let (told, prompt) = told("read", &facts, &Dispatch::new(ASK, vec![]), gate);
    let expected = json!({
        "gate": "skill-read", "surface": "skill", "cwd": "/w/p", "tool": "read", "items": [{"kind": "value", "value": "s1"}],
    });
    assert_eq!(told, expected);
    assert_eq!((prompt.skill_name.as_deref(), prompt.path.as_deref()), (Some("s1"), Some("skills/s1/SKILL.md")));
}

#[test]
fn hard_009_who_does_not_ask_tells_nothing() {
    for state in [ALLOW, DENY] {
        let resolver = Dispatch::new(ASK, vec![("bash", "*", by_rule("bash", "*", state))]);
        let gate = checked(describe(&call("bash"), &shell("ls", &["ls"], &[]), &resolver, describe_tool_gate));
        assert_eq!((gate.check.result.state, gate.facts), (state, None));
    }
}
