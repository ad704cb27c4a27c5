use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::super::fixtures::check;
use super::{
    Ruling, format_deny_reason, format_not_approved_reason, format_unavailable_reason, format_user_denied_reason, gate_error,
    invalid_call,
};
use crate::policy::{PermissionCheckResult, Source, UnitContext};
use crate::report::{Cause, DecidedBy, DecidedByKind, DecidedWhere, DenialContext, ExternalPathDisclosure};

fn tool(check: PermissionCheckResult) -> DenialContext {
    DenialContext::Tool { check: Box::new(check), input: json!({"secretless": "input"}) }
}

fn named(surface: &str, field: &str) -> DenialContext {
    let input = json!({ field: " p ", "content": "hunter2" });
    DenialContext::Tool { check: Box::new(check(surface)), input }
}

fn bash(command: &str) -> DenialContext {
    tool(PermissionCheckResult { source: Source::Bash, command: Some(command.to_owned()), ..check("bash") })
}

fn mcp() -> DenialContext {
    tool(PermissionCheckResult { source: Source::Mcp, target: Some("exa:search".to_owned()), ..check("mcp__exa__search") })
}

fn path() -> DenialContext {
    DenialContext::Path { tool_name: "read".into(), path_value: ".env".into() }
}

fn outside(resolved: Option<&str>) -> DenialContext {
    DenialContext::ExternalDirectory {
        tool_name: "read".into(),
        path_value: "etc/hosts".into(),
        resolved_path: resolved.map(str::to_owned),
        cwd: "/w".into(),
    }
}

fn bash_outside() -> DenialContext {
    let external_paths = vec![
        ExternalPathDisclosure { path: "/e/f".into(), resolved_path: None },
        ExternalPathDisclosure { path: "/w/l".into(), resolved_path: Some("/g".into()) },
    ];
    DenialContext::BashExternalDirectory { command: "cat /e/f l".into(), external_paths, cwd: "/w".into() }
}

fn bash_path() -> DenialContext {
    DenialContext::BashPath { command: "cat ./.env".into(), path_value: "./.env".into(), tool_name: "bash".into() }
}

fn skill_read() -> DenialContext {
    DenialContext::SkillRead { skill_name: "lib".into(), read_path: "/s/lib/SKILL.md".into() }
}

fn skill_input() -> DenialContext {
    DenialContext::SkillInput { skill_name: "lib".into() }
}

/// MSG-003, column "deny". Tag first; a subject always but on a tool, where an agent has to be known.
#[rstest]
#[case::tool(tool(check("deploy")), None, "The policy does not permit the tool 'deploy'.")]
#[case::tool_agent(tool(check("deploy")), Some("A"), "Agent 'A' is not permitted to use the tool 'deploy'.")]
#[case::res_40_path(named("read", "path"), None, "The policy does not permit the tool 'read' for the path 'p'.")]
#[case::res_40_file_path(named("write", "file_path"), None, "The policy does not permit the tool 'write' for the path 'p'.")]
#[case::res_40_skill(named("skill", "name"), Some("A"), "Agent 'A' is not permitted to use the tool 'skill' for the skill 'p'.")]
#[case::hard_052_other_input(named("deploy", "path"), None, "The policy does not permit the tool 'deploy'.")]
#[case::bash(bash("rm -rf x"), None, "The policy does not permit the tool 'bash' for the command `rm -rf x`.")]
#[case::bash_empty(bash(""), None, "The policy does not permit the tool 'bash'.")]
#[case::mcp(mcp(), None, "The policy does not permit the MCP target 'exa:search'.")]
#[case::mcp_agent(mcp(), Some("A"), "Agent 'A' is not permitted to use the MCP target 'exa:search'.")]
#[case::path(path(), None, "The current agent is not permitted to access the path '.env' with the tool 'read'.")]
#[case::path_agent(path(), Some("A"), "Agent 'A' is not permitted to access the path '.env' with the tool 'read'.")]
#[case::outside(
    outside(None),
    None,
    "The current agent is not permitted to use the tool 'read' outside the working directory '/w': 'etc/hosts'."
)]
#[case::outside_resolved(
    outside(Some("/etc/hosts")),
    None,
    "The current agent is not permitted to use the tool 'read' outside the working directory '/w': 'etc/hosts' (leads to '/etc/hosts')."
)]
#[case::bash_outside(
    bash_outside(),
    None,
    "The current agent is not permitted to run the command `cat /e/f l`, which reaches outside the working directory '/w': '/e/f', '/w/l' (leads to '/g')."
)]
#[case::bash_path(bash_path(), None, "The current agent is not permitted to access the path './.env' with the tool 'bash'.")]
#[case::bash_path_alias(DenialContext::BashPath { command: "x".into(), path_value: "p".into(), tool_name: "exec".into() }, None, "The current agent is not permitted to access the path 'p' with the tool 'exec' (a bash shell).")]
#[case::skill_read(skill_read(), Some("A"), "Agent 'A' is not permitted to read the file '/s/lib/SKILL.md' of the skill 'lib'.")]
#[case::skill_input(skill_input(), None, "The current agent is not permitted to use the skill 'lib'.")]
fn msg_003_deny(#[case] context: DenialContext, #[case] agent: Option<&str>, #[case] expected: &str) {
    assert_eq!(format_deny_reason(&context, agent, Ruling::default()), format!("[pi-permission-system] {expected}"));
}

/// MSG-003, column "unavailable".
#[rstest]
#[case::tool(tool(check("deploy")), "the tool 'deploy'")]
#[case::bash(bash("rm x"), "the tool 'bash' for the command `rm x`")]
#[case::bash_empty(bash(""), "the tool 'bash'")]
#[case::mcp(mcp(), "the MCP target 'exa:search' by the tool 'mcp__exa__search'")]
#[case::path(path(), "access to the path '.env' with the tool 'read'")]
#[case::outside(
    outside(Some("/etc/hosts")),
    "the tool 'read' outside the working directory: 'etc/hosts' (leads to '/etc/hosts')"
)]
#[case::bash_outside(
    bash_outside(),
    "the command `cat /e/f l`, which reaches outside the working directory: '/e/f', '/w/l' (leads to '/g')"
)]
#[case::bash_path(bash_path(), "access to the path './.env' by the command `cat ./.env`")]
#[case::skill_read(skill_read(), "the file '/s/lib/SKILL.md' of the skill 'lib'")]
#[case::skill_input(skill_input(), "the skill 'lib'")]
fn msg_003_unavailable_and_user_denied(#[case] context: DenialContext, #[case] object: &str) {
    assert_eq!(
        format_unavailable_reason(&context, None),
        format!(
            "[pi-permission-system] Approval is needed for {object}, but no interactive user interface is available to ask. The call was not made."
        )
    );
    assert_eq!(format_user_denied_reason(&context, None), format!("[pi-permission-system] The user denied {object}."));
    assert_eq!(format_user_denied_reason(&context, Some("")), format!("[pi-permission-system] The user denied {object}."));
    assert_eq!(
        format_user_denied_reason(&context, Some("too risky")),
        format!("[pi-permission-system] The user denied {object}. Reason: too risky")
    );
}

/// MSG-006: pattern and context in one parenthesis, nothing when both are absent; MSG-003: the rule's reason.
#[rstest]
#[case::both(
    Some("rm *"),
    Some(UnitContext::CommandSubstitution),
    Some("WR"),
    " (matched 'rm *', inside: command substitution). Reason: WR"
)]
#[case::process_substitution(None, Some(UnitContext::ProcessSubstitution), None, " (inside: process substitution).")]
#[case::subshell(None, Some(UnitContext::Subshell), None, " (inside: subshell).")]
#[case::pattern(Some("rm *"), None, None, " (matched 'rm *').")]
#[case::neither(None, None, None, ".")]
#[case::empty_reason(None, None, Some(""), ".")]
fn msg_006_qualifier(
    #[case] pattern: Option<&str>,
    #[case] context: Option<UnitContext>,
    #[case] reason: Option<&str>,
    #[case] rest: &str,
) {
    let denied = tool(PermissionCheckResult { command: Some("rm x".into()), command_context: context, ..check("bash") });
    assert_eq!(
        format_deny_reason(&denied, None, Ruling { pattern, reason }),
        format!("[pi-permission-system] The policy does not permit the tool 'bash' for the command `rm x`{rest}")
    );
}

/// GATES-D22, RES-40: pattern and reason on every surface.
#[rstest]
#[case(path())]
#[case(outside(None))]
#[case(bash_outside())]
#[case(bash_path())]
#[case(skill_read())]
#[case(skill_input())]
fn gates_d22_a_rules_reason_is_told_on_every_surface(#[case] context: DenialContext) {
    let text = format_deny_reason(&context, None, Ruling { pattern: Some("*.env"), reason: Some("WR") });
    assert!(text.ends_with(" (matched '*.env'). Reason: WR"), "{text}");
}

#[test]
fn the_ruling_of_a_check_is_its_pattern_and_reason() {
    let check = PermissionCheckResult { matched_pattern: Some("p".into()), reason: Some("r".into()), ..check("read") };
    assert_eq!(Ruling::from(&check), Ruling { pattern: Some("p"), reason: Some("r") });
}

/// RES-40, HARD-052, HARD-062: masked, escaped, 1,000 characters a fact, and nothing else of the input.
#[test]
fn res_40_facts_are_masked_escaped_and_bounded() {
    let text = format_deny_reason(&bash("TOKEN=v rm \u{1b}x"), None, Ruling::default());
    assert_eq!(
        text,
        "[pi-permission-system] The policy does not permit the tool 'bash' for the command `TOKEN=[redacted] rm \\u{1b}x`."
    );
    let long = format_deny_reason(&bash(&"z".repeat(1500)), None, Ruling::default());
    assert!(long.ends_with(&format!("`{}… [500 more characters]`.", "z".repeat(1000))), "{long}");
    let denied = format_user_denied_reason(&path(), Some("use --token v\nplease"));
    assert!(denied.ends_with(" Reason: use --token [redacted]\\u{a}please"), "{denied}");
    assert!(!format_deny_reason(&tool(check("deploy")), None, Ruling::default()).contains("secretless"));
}

#[test]
fn res_41_a_shown_command_keeps_its_lines() {
    let text = format_deny_reason(&bash("a\n\tb"), None, Ruling::default());
    assert!(text.ends_with("`a\n\tb`."), "{text}");
}

fn decided(kind: DecidedByKind, where_: DecidedWhere) -> DecidedBy {
    DecidedBy { where_, ..DecidedBy::own(kind) }
}

/// RES-38, HARD-048: the wording tells who decided; a failure to reach anyone is never a user's no.
#[rstest]
#[case::user(decided(DecidedByKind::User, DecidedWhere::Own), Some("no"), "The user denied the skill 'lib'. Reason: no")]
#[case::link(DecidedBy { name: Some("judge".into()), reason: Some("risky".into()), ..decided(DecidedByKind::Link, DecidedWhere::Own) }, None, "The authorizer link 'judge' denied the skill 'lib'. Reason: risky")]
#[case::serving_rule(DecidedBy { pattern: Some("l*".into()), reason: Some("WR".into()), ..decided(DecidedByKind::Rule, DecidedWhere::Serving) }, None, "The policy of the serving session does not permit the skill 'lib' (matched 'l*'). Reason: WR")]
#[case::nobody(DecidedBy { cause: Some(Cause::NoAuthority), ..decided(DecidedByKind::Nobody, DecidedWhere::Own) }, None, "Approval is needed for the skill 'lib', but no interactive user interface is available to ask. The call was not made.")]
#[case::timeout(DecidedBy { cause: Some(Cause::Timeout), ..decided(DecidedByKind::Transport, DecidedWhere::Own) }, Some("ignored"), "Approval is needed for the skill 'lib', but the request timed out without an answer. The call was not made.")]
#[case::other(decided(DecidedByKind::GateError, DecidedWhere::Serving), None, "Approval was not given for the skill 'lib'.")]
fn res_38_who_decided(#[case] decided_by: DecidedBy, #[case] reason: Option<&str>, #[case] expected: &str) {
    assert_eq!(format_not_approved_reason(&skill_input(), &decided_by, reason), format!("[pi-permission-system] {expected}"));
}

#[test]
fn hard_048_no_cause_reads_like_a_users_no() {
    for cause in Cause::ALL {
        let text = format_unavailable_reason(&skill_input(), Some(*cause));
        assert!(!text.contains("user denied") && !text.contains("denied by"), "{text}");
        assert!(text.starts_with("[pi-permission-system] Approval is needed for the skill 'lib', but "), "{text}");
    }
}

/// MSG-004: says that the gate failed and blocked, fail-closed, and ends with the error's text; untagged.
#[rstest]
#[case("boom", "The permission gate failed and blocked the call (fail-closed): boom")]
#[case("s", "The permission gate failed and blocked the call (fail-closed): s")]
#[case("", "The permission gate failed and blocked the call (fail-closed): unknown error")]
#[case("a\u{1b}b", "The permission gate failed and blocked the call (fail-closed): a\\u{1b}b")]
fn msg_004_gate_error(#[case] error: &str, #[case] expected: &str) {
    assert_eq!(gate_error(error), expected);
}

#[test]
fn res_35_a_wrong_shape_names_its_field() {
    assert_eq!(
        invalid_call("'command' is no string"),
        "The call was blocked before any permission check because its input has the wrong shape: 'command' is no string"
    );
}
