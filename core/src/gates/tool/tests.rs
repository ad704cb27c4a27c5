use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::access::mcp::{mcp_call, native_mcp_call};
use crate::access::shell::{BashProgram, GrantWidth, ShellUnit};
use crate::gates::ToolPreviews;
use crate::gates::test_doubles::{
    ALLOW, ASK, DENY, Dispatch, Parents, by_rule, call, checked, describe, facts, file_facts, operand, pairs, program,
    shell_facts, unit,
};
use crate::policy::{Floor, FloorKind, GrantLift, Origin, PermissionCheckResult, Source, UnitContext};
use crate::report::previews::Preview;

fn gate(tool: &str, target: CallTarget, resolver: &Dispatch) -> GateDescriptor {
    checked(describe(&call(tool), &facts(tool, target, Vec::new()), resolver, describe_tool_gate))
}

fn shell(tool: &str, program: BashProgram, resolver: &Dispatch) -> GateDescriptor {
    checked(describe(&call(tool), &shell_facts(tool, program), resolver, describe_tool_gate))
}

fn empty_shell() -> CallTarget {
    CallTarget::Shell(ShellFacts { command: String::new(), workdir: None, program: None })
}

#[rstest]
// GATE-025
#[case("bash", empty_shell(), "bash", "")]
#[case("exec_command", empty_shell(), "bash", "")]
#[case("deploy", CallTarget::Extension, "deploy", "deploy")]
#[case("read", CallTarget::PathTool, "read", "read")]
#[case("skill", CallTarget::Skill(Some("lib".to_owned())), "skill", "skill")]
fn gate_025_surface_and_value(#[case] tool: &str, #[case] target: CallTarget, #[case] surface: &str, #[case] value: &str) {
    let resolver = Dispatch::new(ALLOW, Vec::new());
    let gate = gate(tool, target, &resolver);
    assert_eq!((gate.gate, gate.surface.as_str(), gate.value.as_str()), ("tool", surface, value));
    assert_eq!(resolver.asked.borrow()[0].surface, surface);
}

#[test]
fn gate_025_a_path_tool_is_judged_by_its_path() {
    let resolver = Dispatch::new(ALLOW, vec![("read", "/w/p/al", by_rule("read", "*.env", DENY))]);
    let mut linked = operand("al");
    linked.path.values.push("/w/p/x.env".to_owned());
    let facts = file_facts("read", vec![linked]);
    let gate = checked(describe(&call("read"), &facts, &resolver, describe_tool_gate));
    assert_eq!((gate.value.as_str(), gate.check.result.state), ("al", DENY));
    assert_eq!(resolver.asked.borrow()[0].values, ["/w/p/al", "al", "/w/p/x.env"]);
}

#[test]
fn res_22_search_operands_are_not_this_gates() {
    let resolver = Dispatch::new(ALLOW, Vec::new());
    let mut facts = file_facts("grep", vec![operand(".env")]);
    facts.has_path = false;
    let gate = checked(describe(&call("grep"), &facts, &resolver, describe_tool_gate));
    assert_eq!((gate.value.as_str(), resolver.asked.borrow()[0].values.len()), ("grep", 0));
}

#[test]
fn gate_025_mcp_is_decided_by_its_target() {
    let known =
        PermissionCheckResult { source: Source::Mcp, target: Some("exa:search".to_owned()), ..by_rule("mcp", "exa:*", ASK) };
    let resolver = Dispatch::new(ALLOW, vec![("mcp", "exa:search", known)]);
    let target = CallTarget::Mcp(mcp_call(&json!({"tool": "exa:search"}), &[]));
    let gate = gate("mcp", target, &resolver);
    assert_eq!((gate.surface.as_str(), gate.value.as_str()), ("mcp", "exa:search"));
    // RES-30: the call's own name, and nothing wider.
    assert_eq!(gate.suggestion.unwrap().pairs, pairs(&[("mcp", "exa:search")]));
    assert_eq!((gate.log["target"].as_str(), gate.ask.target.as_deref()), (Some("exa:search"), Some("exa:search")));
    let asked = resolver.asked.borrow();
    assert_eq!(asked[0].values, ["exa_search", "exa:search", "exa", "search", "mcp_call", "mcp"]);
    assert_eq!(asked[0].grant_values, Some(vec!["exa:search".to_owned()]));
    for fact in ["exa:search", "exa:*"] {
        assert!(gate.ask.message.contains(fact), "{}", gate.ask.message);
    }
}

#[test]
fn res_16_a_native_tool_is_judged_on_mcp_and_by_its_own_name() {
    let resolver = Dispatch::new(ASK, Vec::new());
    let target = CallTarget::Mcp(native_mcp_call("mcp__github__search", &[]).unwrap());
    let gate = gate("mcp__github__search", target, &resolver);
    assert_eq!((gate.surface.as_str(), gate.value.as_str()), ("mcp", "mcp"));
    let asked = resolver.asked.borrow();
    assert_eq!(asked[0].also, [("mcp__github__search".to_owned(), "*".to_owned())]);
    assert_eq!(gate.suggestion.unwrap().pairs, pairs(&[("mcp", "github:search")]));
}

#[rstest]
#[case(Some("lib"), &["lib"], &[("skill", "lib")])]
#[case(Some(""), &[""], &[])]
#[case(Some("a*"), &["a*"], &[])]
#[case(None, &[], &[])]
fn surf_004_the_skill_tool(#[case] name: Option<&str>, #[case] values: &[&str], #[case] stored: &[(&str, &str)]) {
    let resolver = Dispatch::new(ASK, Vec::new());
    let gate = gate("skill", CallTarget::Skill(name.map(str::to_owned)), &resolver);
    assert_eq!(resolver.asked.borrow()[0].values, values);
    assert_eq!(gate.suggestion.unwrap().pairs, pairs(stored));
}

#[rstest]
// GATE-028, RES-30, RES-31
#[case("deploy", CallTarget::Extension, &[("deploy", "*")])]
#[case("de*", CallTarget::Extension, &[])]
#[case("read", CallTarget::PathTool, &[])]
#[case("bash", empty_shell(), &[("bash", "")])]
fn gate_028_what_is_stored(#[case] tool: &str, #[case] target: CallTarget, #[case] stored: &[(&str, &str)]) {
    let gate = gate(tool, target, &Dispatch::new(ASK, Vec::new()));
    let suggestion = gate.suggestion.unwrap();
    assert_eq!((suggestion.pairs, suggestion.both_directions), (pairs(stored), Vec::new()));
    assert_eq!(gate.ask.session_label.unwrap().contains("nothing can be stored"), stored.is_empty());
    assert_eq!(gate.ask.both_directions_label, None);
}

#[test]
fn gate_028_a_path_tool_stores_on_its_own_surface() {
    let facts = file_facts("read", vec![operand("src/a")]);
    let gate = checked(describe(&call("read"), &facts, &Dispatch::new(ASK, Vec::new()), describe_tool_gate));
    assert_eq!(gate.suggestion.unwrap().pairs, pairs(&[("read", "/w/p/src/*")]));
}

fn floored(kind: FloorKind, lift: GrantLift) -> Vec<Floor> {
    vec![Floor { kind, requirement: kind.requirement(), baseline: false, lift, void_if_rule_spells: Vec::new() }]
}

fn asked_by(floor: Option<FloorKind>) -> PermissionCheckResult {
    PermissionCheckResult { floor, ..by_rule("bash", "*", ASK) }
}

#[rstest]
#[case("a prefix", unit("git push x"), None, Some("git *"))]
#[case("exact", ShellUnit { grant: GrantWidth::Exact, ..unit("find . -delete") }, None, Some("find . -delete"))]
#[case("a peeled wrapper", ShellUnit { grant: GrantWidth::Pattern("nohup tool *".into()), ..unit("nohup tool a") }, None, Some("nohup tool *"))]
#[case("nothing", ShellUnit { grant: GrantWidth::Nothing, ..unit("x") }, None, None)]
#[case("an option asks: the whole unit", unit("rg --pre x y"), Some(FloorKind::DangerousBashOption), Some("rg --pre x y"))]
#[case("unparsed: the whole command", unit("ls"), Some(FloorKind::UnparsedBashSubtree), Some("ls; if"))]
#[case("a text that holds a star", ShellUnit { grant: GrantWidth::Exact, ..unit("find . -name *.rs") }, None, None)]
#[case("a prefix that is a pattern", unit("rm? x"), None, None)]
#[case("never everything", ShellUnit { grant: GrantWidth::Pattern("*".into()), ..unit("x") }, None, None)]
#[case("never the root", ShellUnit { grant: GrantWidth::Pattern("/*".into()), ..unit("x") }, None, None)]
#[case("never an assignment", ShellUnit { grant: GrantWidth::Exact, ..unit("FOO=1 sudo x") }, None, None)]
#[case("never a redirection", ShellUnit { grant: GrantWidth::Exact, ..unit("2>/dev/null x") }, None, None)]
#[case(
    "a floor that no grant lifts",
    ShellUnit { floors: floored(FloorKind::LoaderVariable, GrantLift::Never), ..unit("git push") },
    Some(FloorKind::LoaderVariable),
    None
)]
fn res_30_what_a_unit_stores(
    #[case] title: &str,
    #[case] unit: ShellUnit,
    #[case] floor: Option<FloorKind>,
    #[case] stored: Option<&str>,
) {
    let resolver = Dispatch::new(ALLOW, vec![("bash", "*", asked_by(floor))]);
    let gate = shell("bash", program("ls; if", vec![unit], Vec::new()), &resolver);
    let expected: Vec<_> = stored.map(|pattern| ("bash".to_owned(), pattern.to_owned())).into_iter().collect();
    assert_eq!(gate.suggestion.unwrap().pairs, expected, "RES-30: {title}");
}

#[rstest]
#[case("# only", true)]
#[case("> out", false)]
fn res_30_a_text_without_a_command_stores_nothing(#[case] command: &str, #[case] trivial: bool) {
    let program = BashProgram { trivial, ..program(command, Vec::new(), Vec::new()) };
    let gate = shell("bash", program, &Dispatch::new(ASK, Vec::new()));
    assert_eq!((gate.value.as_str(), gate.suggestion.unwrap().pairs), (command, Vec::new()));
}

#[test]
fn gate_026_the_deciding_unit_is_value_label_and_pattern() {
    let resolver = Dispatch::new(ASK, Vec::new());
    let gate = shell("bash", program("ls && make x", vec![unit("ls"), unit("make x")], Vec::new()), &resolver);
    assert_eq!((gate.value.as_str(), gate.ask.command.as_deref()), ("ls", Some("ls")));
    assert_eq!(gate.suggestion.unwrap().pairs, pairs(&[("bash", "ls *")]));
    assert!(gate.ask.session_label.unwrap().contains("ls *"));
    // GATES-D05, RES-33: the whole command, and every asking unit.
    assert!(gate.ask.message.contains("ls && make x") && gate.ask.message.contains("make x"), "{}", gate.ask.message);
}

#[test]
fn pipe_007_an_alias_keeps_its_name_in_prompts_and_lines() {
    let resolver = Dispatch::new(
        ALLOW,
        vec![("bash", "rm x", by_rule("bash", "rm *", DENY)), ("exec_command", "*", by_rule("exec_command", "*", DENY))],
    );
    let gate = shell("exec_command", program("rm x", vec![unit("rm x")], Vec::new()), &resolver);
    assert_eq!((gate.surface.as_str(), gate.value.as_str(), gate.check.result.state), ("bash", "rm x", DENY));
    assert_eq!((gate.log["toolName"].as_str(), gate.ask.tool_name.as_deref()), (Some("exec_command"), Some("exec_command")));
    assert_eq!(resolver.asked_values(), ["bash rm x"]);
}

#[test]
fn hard_053_a_wrapper_shows_what_really_runs() {
    let wrapper = ShellUnit { wrapper: Some(crate::access::shell::WrapperKind::Indirection), ..unit("sudo xargs rm") };
    let inner = ShellUnit { restrict_only: true, context: Some(UnitContext::WrappedCommand), ..unit("rm") };
    let resolver = Dispatch::new(ALLOW, vec![("bash", "sudo xargs rm", by_rule("bash", "sudo *", ASK))]);
    let gate = shell("bash", program("sudo xargs rm", vec![wrapper, inner], Vec::new()), &resolver);
    assert!(gate.ask.message.contains("\n  runs: rm\n"), "{}", gate.ask.message);
}

#[test]
fn gate_027_log_and_details() {
    let context = call("deploy");
    let facts = facts("deploy", CallTarget::Extension, Vec::new());
    let resolver = Dispatch::new(ALLOW, vec![("deploy", "*", by_rule("deploy", "*", ASK))]);
    let previews = ToolPreviews { prompt: Preview::whole("{\"a\":1}"), log: Some("{\"a\":1}".to_owned()) };
    let view = GateView {
        context: &context,
        facts: &facts,
        resolver: &resolver,
        suggester: &Parents,
        previews: &previews,
        policy_fault: Some("config.json:3:1"),
    };
    let gate = checked(describe_tool_gate(&view));
    let keys: Vec<_> = gate.log.keys().map(String::as_str).collect();
    assert_eq!(keys, ["source", "toolCallId", "toolName", "message", "toolInputPreview", "origin"]);
    assert_eq!((gate.log["origin"].as_str(), gate.check.result.origin), (Some("global"), Origin::Global));
    assert_eq!(gate.ask.tool_input_preview.as_deref(), Some("{\"a\":1}"));
    // RES-07: what is broken is part of the question.
    for fact in ["deploy", "{\"a\":1}", "config.json:3:1"] {
        assert!(gate.ask.message.contains(fact), "{}", gate.ask.message);
    }
    let denial = DenialContext::Tool { check: Box::new(gate.check.result.clone()), input: json!({}) };
    assert_eq!(gate.denial, denial);
}
