use pretty_assertions::assert_eq;
use rstest::rstest;

use super::super::fixtures::{check, matched};
use super::{
    AskFrame, AskingPath, AskingUnit, BashAsk, ask_bash, ask_bash_external_directory, ask_bash_path, ask_external_directory,
    ask_mcp, ask_path, ask_skill_input, ask_skill_read, ask_tool,
};
use crate::policy::{FloorKind, Origin, PermissionCheckResult, Source, UnitContext};
use crate::report::previews::Preview;

const NOBODY: AskFrame<'static> = AskFrame { agent: None, policy_fault: None };
const REVIEWER: AskFrame<'static> = AskFrame { agent: Some("reviewer"), policy_fault: None };

fn unit<'a>(text: &'a str, check: &'a PermissionCheckResult) -> AskingUnit<'a> {
    AskingUnit { text, check, inner: &[] }
}

fn bash(command: &str, units: &[AskingUnit<'_>]) -> String {
    ask_bash(NOBODY, &BashAsk { tool_name: "bash", command, workdir: None, units }).message
}

fn floored(surface: &str, floor: FloorKind) -> PermissionCheckResult {
    PermissionCheckResult { floor: Some(floor), ..matched(surface, floor.as_str()) }
}

/// MSG-005: tool name, matched pattern if any, preview; the subject always.
#[test]
fn msg_005_tool() {
    let preview = Preview::whole("path 'a', 2 lines, 2 characters");
    assert_eq!(
        ask_tool(REVIEWER, "write", &matched("write", "src/*"), &preview).message,
        "Agent 'reviewer' asks to use the tool 'write'.\n\
         Rule: 'src/*' on write, global\n\
         Input: path 'a', 2 lines, 2 characters"
    );
    assert_eq!(
        ask_tool(NOBODY, "deploy", &check("deploy"), &Preview::default()).message,
        "The current agent asks to use the tool 'deploy'.\nRule: no rule decides, so it is asked"
    );
}

#[test]
fn msg_005_mcp_with_a_target() {
    let check = PermissionCheckResult { source: Source::Mcp, target: Some("exa:search".into()), ..matched("mcp", "exa:*") };
    assert_eq!(
        ask_mcp(NOBODY, "mcp", "exa:search", &check, &Preview::whole("q: \"hello\"")).message,
        "The current agent asks to call an MCP server with the tool 'mcp'.\n\
         Target: exa:search\n\
         Rule: 'exa:*' on mcp, global\n\
         Input: q: \"hello\""
    );
}

/// MSG-005, RES-33, GATES-D05: the whole command, and every asking unit with its rule.
#[test]
fn res_33_every_asking_unit_with_its_rule() {
    let (rm, push) = (matched("bash", "rm *"), check("bash"));
    assert_eq!(
        bash("cd /a && rm x; git push", &[unit("rm x", &rm), unit("git push", &push)]),
        "The current agent asks to run a shell command with the tool 'bash'.\n\
         Asks: rm x\n  rule: 'rm *' on bash, global\n\
         Asks: git push\n  rule: no rule decides, so it is asked\n\
         Command:\ncd /a && rm x; git push"
    );
}

#[test]
fn msg_005_a_command_that_is_its_unit_is_not_repeated() {
    let rm = matched("bash", "rm *");
    assert_eq!(
        bash(" rm x ", &[unit("rm x", &rm)]),
        "The current agent asks to run a shell command with the tool 'bash'.\nRule: 'rm *' on bash, global\nCommand:\nrm x"
    );
}

#[test]
fn msg_005_an_aliased_tool_shows_the_whole_command_and_where_it_starts() {
    let rm = matched("bash", "*");
    let ask = BashAsk { tool_name: "exec", command: "ls && rm -rf q", workdir: Some("/o"), units: &[unit("rm -rf q", &rm)] };
    assert_eq!(
        ask_bash(NOBODY, &ask).message,
        "The current agent asks to run a shell command with the tool 'exec'.\n\
         Starts in: /o\n\
         Asks: rm -rf q\n  rule: '*' on bash, global\n\
         Command:\nls && rm -rf q"
    );
}

/// HARD-053: the command that will really run behind a wrapper.
#[test]
fn hard_053_the_inner_command_is_shown() {
    let wrapper = floored("bash", FloorKind::IndirectionBashWrapper);
    let inner = ["xargs rm".to_owned(), "rm".to_owned()];
    let units = [AskingUnit { text: "sudo xargs rm", check: &wrapper, inner: &inner }];
    assert_eq!(
        bash("sudo xargs rm", &units),
        "The current agent asks to run a shell command with the tool 'bash'.\n\
         Rule: <indirection-bash-wrapper>: it runs another program\n  runs: xargs rm\n  runs: rm\n\
         Command:\nsudo xargs rm"
    );
}

#[test]
fn msg_006_nesting_is_told() {
    let nested = PermissionCheckResult { command_context: Some(UnitContext::CommandSubstitution), ..matched("bash", "npm *") };
    let text = bash("git a $(npm i)", &[unit("npm i", &nested)]);
    assert!(text.contains("Asks: npm i\n  rule: 'npm *' on bash, global; inside: command substitution\n"), "{text}");
}

#[test]
fn msg_005_path() {
    let path = |resolved| AskingPath { path: ".env", resolved, check: Box::leak(Box::new(matched("path", "*.env"))) };
    assert_eq!(
        ask_path(NOBODY, "read", &[path(None)]).message,
        "The current agent asks to access a path with the tool 'read'.\nPath: .env\n  rule: '*.env' on path, global"
    );
    assert_eq!(
        ask_path(NOBODY, "read", &[path(Some("/w/x"))]).message,
        "The current agent asks to access a path with the tool 'read'.\n\
         Path: .env\n  leads to: /w/x\n  rule: '*.env' on path, global"
    );
}

/// RES-17: the rule is named as it is written.
#[test]
fn res_17_the_rules_own_surface_is_shown() {
    let check = PermissionCheckResult { rule_surface: Some("path_write".into()), ..matched("path", "*.env") };
    let text = ask_path(NOBODY, "edit", &[AskingPath { path: ".env", resolved: None, check: &check }]).message;
    assert!(text.ends_with("rule: '*.env' on path_write, global"), "{text}");
}

#[test]
fn msg_005_external_directory() {
    let check = check("external_directory");
    let path = AskingPath { path: "etc/hosts", resolved: Some("/etc/hosts"), check: &check };
    assert_eq!(
        ask_external_directory(REVIEWER, "read", &[path], "/w").message,
        "Agent 'reviewer' asks to leave the working directory with the tool 'read'.\n\
         Path: etc/hosts\n  leads to: /etc/hosts\n  rule: no rule decides, so it is asked\n\
         Working directory: /w"
    );
}

#[test]
fn msg_005_bash_external_directory() {
    let (first, second) = (matched("external_directory", "/e/*"), check("external_directory"));
    let paths = [
        AskingPath { path: "/e/f", resolved: None, check: &first },
        AskingPath { path: "/w/l", resolved: Some("/g"), check: &second },
    ];
    assert_eq!(
        ask_bash_external_directory(NOBODY, "bash", "cat /e/f l", "/w", &paths).message,
        "The current agent asks to leave the working directory by a shell command with the tool 'bash'.\n\
         Outside: /e/f\n  rule: '/e/*' on external_directory, global\n\
         Outside: /w/l\n  leads to: /g\n  rule: no rule decides, so it is asked\n\
         Working directory: /w\n\
         Command:\ncat /e/f l"
    );
}

#[test]
fn msg_005_bash_path() {
    let check = matched("path", "*.key");
    let path = AskingPath { path: "./a.key", resolved: None, check: &check };
    assert_eq!(
        ask_bash_path(NOBODY, "bash", "cat ./a.key", &[path]).message,
        "The current agent asks to access a path by a shell command with the tool 'bash'.\n\
         Path: ./a.key\n  rule: '*.key' on path, global\n\
         Command:\ncat ./a.key"
    );
}

#[test]
fn msg_005_skills() {
    assert_eq!(
        ask_skill_input(REVIEWER, "lib", &matched("skill", "l*")).message,
        "Agent 'reviewer' asks to use a skill.\nSkill: lib\nRule: 'l*' on skill, global"
    );
    assert_eq!(
        ask_skill_read(NOBODY, "read", "lib", "/s/lib/SKILL.md", None).message,
        "The current agent asks to read a file of a skill with the tool 'read'.\nSkill: lib\nPath: /s/lib/SKILL.md"
    );
    assert_eq!(
        ask_skill_read(NOBODY, "bash", "lib", "/s/lib/a", Some(" cat a ")).message,
        "The current agent asks to read a file of a skill with the tool 'bash'.\nSkill: lib\nPath: /s/lib/a\nCommand:\ncat a"
    );
}

/// RES-07: what is broken in the policy is part of the question.
#[test]
fn res_07_the_fault_of_the_policy_is_part_of_the_question() {
    let frame = AskFrame { agent: None, policy_fault: Some("global /c.json:1:2: expected ','") };
    let clamped = PermissionCheckResult { origin: Origin::FailClosed, ..matched("read", "*") };
    assert_eq!(
        ask_tool(frame, "read", &clamped, &Preview::default()).message,
        "The current agent asks to use the tool 'read'.\n\
         Policy is broken: global /c.json:1:2: expected ','\n\
         Rule: '*' on read, fail-closed; raised because a policy file is broken"
    );
}

/// Section 6, "Floors": each is explained beside its sentinel.
#[rstest]
#[case(FloorKind::UnparseableBashCommand, "<unparseable-bash-command>: the gate found no command in this text")]
#[case(FloorKind::OpaqueBashWrapper, "<opaque-bash-wrapper>: it runs program text that arrives as data")]
#[case(FloorKind::IndirectionBashWrapper, "<indirection-bash-wrapper>: it runs another program")]
#[case(FloorKind::UnparsedBashSubtree, "<unparsed-bash-subtree>: a part of it could not be read")]
#[case(FloorKind::DangerousBashOption, "<dangerous-bash-option>: an option of it writes files or runs programs")]
#[case(FloorKind::LoaderVariable, "<loader-variable>: a variable in front of it may load code")]
#[case(FloorKind::ComputedCommandWord, "<computed-command-word>: its program is computed only when it runs")]
#[case(FloorKind::UnknownDirectory, "<unknown-directory>: its directory is not known")]
#[case(FloorKind::AnalysisBound, "<analysis-bound>: it is too large to be read whole")]
#[case(FloorKind::ProtectedPath, "<protected-path>: the path belongs to the gate's own rules or runs code later")]
fn floors_are_explained(#[case] floor: FloorKind, #[case] words: &str) {
    let check = floored("bash", floor);
    assert!(bash("x", &[unit("x", &check)]).contains(&format!("\nRule: {words}\n")));
}

/// HARD-062: nothing that comes from outside can begin a line or hide.
#[test]
fn hard_062_no_fact_passes_for_another() {
    let check = matched("path", "a\nRule: none");
    let path = AskingPath { path: "a\nRule: '*' on path\u{202e}", resolved: Some("b\r"), check: &check };
    let frame = AskFrame { agent: Some("a\u{200b}'"), policy_fault: None };
    assert_eq!(
        ask_path(frame, "read\u{7}", &[path]).message,
        "Agent 'a\\u{200b}'' asks to access a path with the tool 'read\\u{7}'.\n\
         Path: a\\u{a}Rule: '*' on path\\u{202e}\n  leads to: b\\u{d}\n  rule: 'a\\u{a}Rule: none' on path, global"
    );
    let text = bash("rm x\n\techo\u{1b}[2K\r", &[unit("rm x", &matched("bash", "*"))]);
    assert!(text.ends_with("Command:\nrm x\n\techo\\u{1b}[2K"), "{text}");
}

/// HARD-053: a command of 10,000 signs is shortened with a mark, whole on request; every other fact stays.
#[test]
fn hard_053_a_long_command_is_shortened_and_whole_on_request() {
    let command = format!("echo {} && rm -rf /", "z".repeat(10_000));
    let (rm, echo_check) = (matched("bash", "rm *"), check("bash"));
    let echo = command.split(" && ").next().unwrap();
    let units = [unit("rm -rf /", &rm), unit(echo, &echo_check)];
    let ask = ask_bash(NOBODY, &BashAsk { tool_name: "bash", command: &command, workdir: None, units: &units });
    assert!(ask.message.chars().count() < 3500);
    assert!(ask.message.contains("Asks: rm -rf /\n"));
    assert!(ask.message.contains("… [8017 more characters] …"), "{}", ask.message);
    assert!(ask.message.ends_with("z && rm -rf /"));
    assert!(ask.full_message.ends_with(&command));
    assert!(ask.full_message.contains(&format!("Asks: {echo}\n")));
}

#[test]
fn hard_053_many_lines_leave_the_other_facts_on_the_screen() {
    let command = (0..1000).map(|n| format!("echo {n}")).collect::<Vec<_>>().join("\n");
    let check = check("bash");
    let text = bash(&command, &[unit("echo 0", &check)]);
    assert_eq!(text.lines().count(), 45);
    assert!(text.contains("\necho 29\n… [960 more lines]\necho 990\n"), "{text}");
}

#[test]
fn hard_053_many_facts_are_counted() {
    let check = check("path");
    let names: Vec<String> = (0..60).map(|n| format!("/p/{n}")).collect();
    let paths: Vec<AskingPath<'_>> = names.iter().map(|path| AskingPath { path, resolved: None, check: &check }).collect();
    let ask = ask_bash_path(NOBODY, "bash", "x", &paths);
    assert!(ask.message.contains("\nPath: … [10 more]\n"), "{}", ask.message);
    assert!(!ask.message.contains("/p/50"));
    assert!(ask.full_message.contains("\nPath: /p/59\n"));
}

#[test]
fn hard_053_a_message_that_is_whole_has_no_second_view() {
    assert_eq!(ask_skill_read(NOBODY, "read", "s", "/p", None).full_message, "");
}

#[test]
fn hard_053_the_full_view_opens_a_cut_preview() {
    let preview = Preview { text: "{\"a\":… [9 more characters]".into(), full: Some("{\"a\":\"whole\"}".into()) };
    let ask = ask_tool(NOBODY, "deploy", &check("deploy"), &preview);
    assert!(ask.message.ends_with("Input: {\"a\":… [9 more characters]"));
    assert!(ask.full_message.ends_with("Input: {\"a\":\"whole\"}"));
}

/// HARD-052, RES-43: prompts are not masked, what goes into records is.
#[test]
fn hard_052_records_are_masked_and_prompts_are_not() {
    let check = matched("bash", "*");
    let command = "TOKEN=v make \"it isn't\"";
    let ask = ask_bash(NOBODY, &BashAsk { tool_name: "bash", command, workdir: None, units: &[unit(command, &check)] });
    assert!(ask.message.ends_with(command));
    assert!(ask.record_message.ends_with("TOKEN=[redacted] make \"it isn't\""));
    assert_eq!(ask.full_message, "");
    let preview = Preview::whole("{\"password\":\"v\"}");
    assert!(
        ask_tool(NOBODY, "deploy", &super::super::fixtures::check("deploy"), &preview)
            .record_message
            .ends_with("{\"password\":\"[redacted]\"}")
    );
}
