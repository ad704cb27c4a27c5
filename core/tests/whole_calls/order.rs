//! HAND-005, PIPE-001 to PIPE-003, RUN-012, RES-26: what happens in which order in one call.

use portcullis_core::host::Choice;
use portcullis_core::policy::PermissionState::{Allow, Ask, Deny};
use portcullis_test_fixtures::{
    APPROVE, APPROVE_FOR_SESSION, CheckAnswer, DENY, ScriptedAnswer, fake_host, make_handler, make_resolver,
};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::collaborators::{command, counts, members, path};

#[test]
fn run_012_one_ask_from_waiting_to_the_end() {
    let host =
        fake_host().policy(json!({ "write": "ask" })).setting("debugLog", json!(true)).answers([APPROVE_FOR_SESSION]).start();
    host.forget();
    assert!(host.allows("write", path("src/a.ts")));
    assert_eq!(
        host.happened(),
        [
            "R waiting",
            "P write write",
            "dialog",
            "R approved approved_for_session",
            "E write src/a.ts allow user_approved_for_session",
            "D permission.decision",
        ]
    );
    assert_eq!(host.session_rules(), [("write".to_owned(), format!("{}/src/*", host.cwd()))]);
    let ids: Vec<_> = host.review_log().iter().map(|line| line["requestId"].clone()).collect();
    assert_eq!(ids[0], ids[1], "HARD-048: one id from creation to the last record");
    assert_eq!(host.decisions()[0]["requestId"], ids[0]);
    assert_eq!(host.journal.emitted("permissions:ui_prompt")[0]["requestId"], ids[0]);
    assert_eq!(host.review_log()[0]["toolCallId"], "tc-1", "RES-37: the call's id stands beside it");

    host.forget();
    assert!(host.allows("write", path("src/b.ts")));
    assert_eq!(
        host.happened(),
        ["R session_approved session_approved", "E write src/b.ts allow session_approved", "D permission.decision"]
    );
}

#[test]
fn hand_005_a_call_without_a_session_start_prompts() {
    let host = fake_host().policy(json!({ "write": "ask" })).answers([APPROVE]).without_session_start().start();
    assert!(host.allows("write", path("a")));
    assert_eq!(host.happened(), ["R waiting", "P write write", "dialog", "R approved approved", "E write a allow user_approved"]);
}

#[test]
fn hand_005_auth_002_a_rejected_name_activates_all_the_same() {
    let host = fake_host().without_session_start().start();
    assert!(host.service().is_none());
    host.blocks("nosuch", json!({}));
    assert!(host.service().is_some());
}

#[test]
fn pipe_001_six_gates_in_their_order() {
    let host = fake_host()
        .policy(json!({ "*": "ask", "path": { "*.key": "ask" } }))
        .setting("shellTools", json!({ "run": { "commandArgument": "c" } }))
        .tools(["run", "read"])
        .answers(vec![APPROVE; 5])
        .start();
    host.forget();
    assert!(host.allows("run", json!({ "c": "cat /opt/z ./k.key", "path": "/etc/k.key" })));
    let surfaces: Vec<_> = host.decisions().iter().map(|event| event["surface"].clone()).collect();
    assert_eq!(surfaces, ["path", "external_directory", "external_directory", "path", "bash"]);
    let gates: Vec<_> = host.traces()[0].gates.iter().map(|gate| gate.gate.clone()).collect();
    assert_eq!(gates, ["skill-read", "path", "external-directory", "bash-external-directory", "bash-path", "tool"]);
}

#[test]
fn pipe_001_a_skill_file_outside_meets_four_gates() {
    let host = fake_host().policy(json!({ "*": "ask", "path": { "*.md": "ask" } })).answers(vec![APPROVE; 4]).start();
    host.turn(&[("deploy", "/opt/skills/deploy/SKILL.md")]);
    host.forget();
    assert!(host.allows("read", path("/opt/skills/deploy/SKILL.md")));
    let surfaces: Vec<_> = host.decisions().iter().map(|event| event["surface"].clone()).collect();
    assert_eq!(surfaces, ["skill", "path", "external_directory", "read"]);
}

#[test]
fn pipe_003_one_call_may_ask_once_a_gate() {
    let host = fake_host().policy(json!({ "*": "ask" })).answers([APPROVE, DENY]).start();
    host.forget();
    let reason = host.blocks("read", path("/etc/hosts"));
    assert!(reason.contains("read") || reason.contains("/etc/hosts"), "{reason}");
    assert_eq!(
        host.happened(),
        [
            "R waiting",
            "P read /etc/hosts",
            "dialog",
            "R approved approved",
            "E external_directory /etc/hosts allow user_approved",
            "R waiting",
            "P read read",
            "dialog",
            "R denied denied",
            "E read /etc/hosts deny user_denied",
        ]
    );
    let asks: Vec<_> = host.decisions().iter().map(|event| event["requestId"].clone()).collect();
    assert_ne!(asks[0], asks[1], "RES-37: two asks, two ids");
    assert_eq!(counts(&host), (1, 0, 1, 0));
}

#[test]
fn hard_008_a_deny_pre_empts_every_question() {
    let policy = json!({ "*": "ask", "bash": { "*": "ask", "find / *": "deny" }, "external_directory": { "*": "ask" } });
    let host = fake_host().policy(policy).answers([APPROVE]).start();
    host.forget();
    host.blocks("bash", command("find / -name x"));
    assert_eq!(host.happened(), ["R blocked policy_denied", "E bash find / -name x deny policy_deny"]);
    assert_eq!(host.decisions()[0]["matchedPattern"], "find / *");
    assert_eq!(host.traces()[0].tightenings[0].requirement, "HARD-008");
}

#[test]
fn res_26_the_first_denying_gate_alone_runs() {
    let resolver = make_resolver(Allow).on_surface("external_directory", Deny).on_surface("read", Deny).on_surface("path", Ask);
    let host = make_handler(resolver).answers([APPROVE]).start();
    host.forget();
    host.blocks("read", path("/etc/hosts"));
    assert_eq!(host.happened(), ["R blocked policy_denied", "E external_directory /etc/hosts deny policy_deny"]);
    let ran: Vec<_> = host.traces()[0].gates.iter().filter(|gate| gate.ran).map(|gate| gate.gate.clone()).collect();
    assert_eq!(ran, ["external-directory"]);
}

#[test]
fn res_26_gates_behind_a_grant_are_produced_again() {
    // The boundary and `path` ask about the same folder; the yes for the session at gate 2 says nothing about gate 3.
    let policy = json!({ "read": "allow", "path": { "/opt/*": "ask" }, "external_directory": "ask" });
    let host = fake_host().policy(policy).answers([APPROVE_FOR_SESSION, APPROVE_FOR_SESSION]).start();
    host.forget();
    assert!(host.allows("read", path("/opt/a")));
    assert_eq!(host.granted(), ["path_read /opt/*", "external_directory_read /opt/*"]);
    host.forget();
    assert!(host.allows("read", path("/opt/b")));
    let resolutions: Vec<_> = host.decisions().iter().map(|event| event["resolution"].clone()).collect();
    assert_eq!(resolutions, ["session_approved", "policy_allow"], "gate 2 is silent on an allow (GATE-010)");
}

#[test]
fn run_004_run_005_run_007_the_three_ways_of_an_allow() {
    let host = make_handler(
        make_resolver(Allow)
            .on_surface("granted", CheckAnswer::grant("*"))
            .on_surface("permissive", CheckAnswer::permissive())
            .on_surface("plain", CheckAnswer::new(Allow).pattern("*")),
    )
    .tools(["granted", "permissive", "plain"])
    .start();
    host.forget();
    for tool in ["granted", "permissive", "plain"] {
        assert!(host.allows(tool, json!({})));
    }
    assert_eq!(
        host.happened(),
        [
            "R session_approved session_approved",
            "E granted granted allow session_approved",
            "R auto_approved auto_approved",
            "E permissive permissive allow auto_approved",
            "E plain plain allow policy_allow",
        ]
    );
}

#[test]
fn run_015_auth_004_nobody_to_ask() {
    let host = fake_host().policy(json!({ "bash": "ask" })).start();
    host.forget();
    let reason = host.blocks("bash", command("make all"));
    assert!(reason.contains("make all"), "{reason}");
    assert_eq!(
        host.happened(),
        ["R waiting", "R denied confirmation_unavailable", "E bash make all deny confirmation_unavailable"]
    );
    assert_eq!(host.decisions()[0]["decidedBy"], json!({ "kind": "nobody", "where": "own", "cause": "no_authority" }));
}

#[test]
fn auth_007_the_reason_of_a_no_reaches_the_agent_and_the_log() {
    let host = fake_host()
        .policy(json!({ "bash": "ask" }))
        .answers([ScriptedAnswer::DenyWithReason("  because  ".into()), ScriptedAnswer::DenyWithReason(" \n".into())])
        .start();
    host.forget();
    assert!(host.blocks("bash", command("make")).contains("because"));
    let closed = &host.review_log()[1];
    assert_eq!(
        members(closed, &["event", "resolution", "denialReason"]),
        json!({ "event": "permission_request.denied", "resolution": "denied_with_reason", "denialReason": "because" })
    );
    host.forget();
    host.blocks("bash", command("make"));
    assert_eq!(
        members(&host.review_log()[1], &["resolution", "denialReason"]),
        json!({ "resolution": "denied", "denialReason": null })
    );
}

#[test]
fn auth_008_four_options_and_a_fifth_for_paths() {
    let host = fake_host().policy(json!({ "*": "ask", "path": { "*.key": "ask" } })).answers([APPROVE, APPROVE, APPROVE]).start();
    host.call("bash", command("make"));
    host.call("read", path("a.key"));
    let options = |index: usize| host.prompts()[index].options.iter().map(|option| option.choice).collect::<Vec<_>>();
    let four = vec![Choice::Approve, Choice::ApproveForSession, Choice::Deny, Choice::DenyWithReason];
    assert_eq!(options(0), four);
    assert_eq!(options(1), [four.as_slice(), &[Choice::ApproveForSessionBothDirections]].concat(), "RES-32");
}
