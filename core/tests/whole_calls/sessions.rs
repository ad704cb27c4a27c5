//! HAND-017 to HAND-021, CFG-029, CFG-031, CFG-034, POLICY-D06, EVT-014: the life of a session.

use std::sync::Arc;

use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::{LogStream, Trust};
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, Happening, fake_host};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use crate::collaborators::{Panics, command, counts, members, path, seat_a_panicking_person};

#[test]
fn hand_017_order_of_a_start() {
    let host = fake_host().policy(json!({ "bash": "ask" })).setting("debugLog", json!(true)).answers([]).start();
    assert_eq!(
        host.happened(),
        ["D config.loaded", "D config.loaded", "status -", "R config.resolved", "D config.resolved", "ready"],
        "EVT-011: one load when the gate is built, one at the start"
    );
    assert_eq!(host.journal.emitted("permissions:ready"), [json!({ "sessionId": "session-1", "adjudicates": true })], "RES-64");
}

#[rstest]
#[case("reload", 1)]
#[case("startup", 0)]
#[case("new", 0)]
fn hand_017_only_a_reload_is_told(#[case] reason: &str, #[case] lines: usize) {
    let host = fake_host().setting("debugLog", json!(true)).start();
    host.forget();
    host.session_start(reason);
    let told: Vec<_> = host.debug_log().into_iter().filter(|line| line["event"] == "lifecycle.reload").collect();
    assert_eq!(told.len(), lines);
    for line in told {
        assert_eq!(
            members(&line, &["triggeredBy", "reason", "cwd"]),
            json!({ "triggeredBy": "session_start", "reason": "reload", "cwd": host.cwd() })
        );
    }
}

#[test]
fn hand_017_cfg_031_one_warning_for_each_issue_of_a_broken_file() {
    let host = fake_host()
        .policy(json!({ "bash": "ask" }))
        .answers([])
        .project_setting("bad", json!(1))
        .project_setting("yoloMode", json!("x"))
        .start();
    let notices = host.journal.notices();
    assert_eq!(notices.len(), 2, "{notices:#?}");
    assert!(notices[0].contains("yoloMode"), "{notices:#?}");
    assert!(notices[1].contains("bad"), "{notices:#?}");
    let review: Vec<_> = host.review_log().iter().map(|line| line["event"].clone()).collect();
    assert_eq!(review, ["config.resolved", "config.rejected"], "RES-06 adds the second line");
    host.turn(&[]);
    host.call("bash", command("ls"));
    assert_eq!(host.journal.notices().len(), 2, "told once");
}

#[test]
fn cfg_029_the_same_warning_is_shown_once_and_again_after_it_was_gone() {
    let mut host = fake_host().policy(json!({ "*": "allow" })).answers([]).start();
    assert_eq!(host.journal.notices().len(), 1, "CFG-028: bash inherits allow");
    host.forget();
    host.turn(&[]);
    host.turn(&[]);
    assert_eq!(host.journal.notices().len(), 0, "the same text again");
    host.set_policy(json!({ "*": "ask" }));
    host.turn(&[]);
    host.set_policy(json!({ "*": "allow" }));
    host.turn(&[]);
    assert_eq!(host.journal.notices().len(), 1, "issue, clean, issue: shown twice");
}

#[test]
fn policy_d06_a_warning_that_nobody_saw_is_shown_later() {
    let host = fake_host().policy(json!({ "*": "allow" })).start();
    assert_eq!(host.journal.notices().len(), 0);
    host.set_ui(Some(vec![]));
    host.turn(&[]);
    assert_eq!(host.journal.notices().len(), 1);
    host.turn(&[]);
    assert_eq!(host.journal.notices().len(), 1);
}

#[test]
fn policy_d06_a_notice_that_failed_is_shown_later() {
    let host = fake_host().policy(json!({ "*": "allow" })).without_session_start().start();
    seat_a_panicking_person(&host, "notify");
    host.session_start("startup");
    host.set_ui(Some(vec![]));
    host.turn(&[]);
    assert_eq!(host.journal.notices().len(), 1);
}

#[test]
fn cfg_029_the_memory_is_cleared_by_a_clean_reload_without_a_person() {
    let mut host = fake_host().policy(json!({ "*": "allow" })).answers([]).start();
    host.set_ui(None);
    host.set_policy(json!({ "*": "ask" }));
    host.turn(&[]);
    host.set_policy(json!({ "*": "allow" }));
    host.set_ui(Some(vec![]));
    host.forget();
    host.turn(&[]);
    assert_eq!(host.journal.notices().len(), 1);
}

#[test]
fn cfg_029_status_follows_the_permissive_mode() {
    let mut host = fake_host().setting("yoloMode", json!(true)).answers([]).start();
    let statuses = |host: &portcullis_test_fixtures::StartedHost| {
        let status = |happening| match happening {
            Happening::Status { key, text } => Some((key, text)),
            _ => None,
        };
        host.journal.take().into_iter().filter_map(status).collect::<Vec<_>>()
    };
    let key = "pi-permission-system".to_owned();
    assert_eq!(statuses(&host), [(key.clone(), Some("yolo".to_owned()))]);
    host.set("yoloMode", json!(false));
    host.turn(&[]);
    assert_eq!(statuses(&host), [(key.clone(), None)]);
    host.session_shutdown();
    assert_eq!(statuses(&host), [(key, None)], "HAND-020");
}

#[test]
fn hand_018_grants_outlive_a_start_and_end_with_a_shutdown() {
    let host = fake_host().policy(json!({ "write": "ask" })).answers([APPROVE_FOR_SESSION, APPROVE]).start();
    assert!(host.allows("write", path("a")));
    host.session_start("new");
    host.forget();
    assert!(host.allows("write", path("a")));
    assert_eq!(host.decisions()[0]["resolution"], "session_approved");
    host.session_shutdown();
    host.session_start("startup");
    assert_eq!(host.granted(), Vec::<String>::new());
    host.forget();
    assert!(host.allows("write", path("a")));
    assert_eq!(host.decisions()[0]["resolution"], "user_approved");
    assert_eq!(host.prompts().len(), 1);
}

#[test]
fn hand_019_resources_reload_clears_skills_and_keeps_grants() {
    let host = fake_host()
        .policy(json!({ "*": "allow", "bash": "ask", "skill": "ask" }))
        .setting("debugLog", json!(true))
        .answers([APPROVE_FOR_SESSION, APPROVE])
        .start();
    assert!(host.allows("bash", command("make")));
    let skill = format!("{}/skills/s/SKILL.md", host.cwd());
    host.turn(&[("s", &skill)]);
    host.forget();
    assert!(host.allows("read", path(&skill)));
    assert_eq!(host.prompts().len(), 1, "gate 1 asks");
    host.forget();
    host.resources_discover("startup");
    assert_eq!(host.happened(), Vec::<String>::new());
    host.resources_discover("reload");
    let log = host.debug_log();
    assert_eq!(log.len(), 1);
    assert_eq!(
        members(&log[0], &["event", "triggeredBy", "reason", "cwd"]),
        json!({ "event": "lifecycle.reload", "triggeredBy": "resources_discover", "reason": "reload", "cwd": host.cwd() })
    );
    assert!(host.allows("read", path(&skill)));
    assert_eq!(host.prompts().len(), 0, "the file is not gated before the next turn");
    assert_eq!(host.granted(), ["bash make"], "grants stay");
}

#[test]
fn hand_019_a_reload_before_any_session_has_no_directory() {
    let host = fake_host().setting("debugLog", json!(true)).without_session_start().start();
    host.forget();
    host.resources_discover("reload");
    assert_eq!(host.debug_log()[0]["cwd"], json!(null));
}

#[test]
fn hand_020_evt_014_a_shutdown_writes_the_summary_and_takes_the_service_away() {
    let host = fake_host().policy(json!({ "bash": "allow" })).setting("debugLog", json!(true)).answers([]).start();
    host.call("bash", command("a"));
    host.call("bash", command("b"));
    host.forget();
    host.session_shutdown();
    assert_eq!(host.happened(), ["status -", "D permission.session_summary"]);
    let names = ["toolCalls", "allowed", "blocked", "errors"];
    assert_eq!(members(&host.debug_log()[0], &names), json!({ "toolCalls": 2, "allowed": 2, "blocked": 0, "errors": 0 }));
    assert!(host.service().is_none());
    host.session_start("startup");
    host.blocks("nosuch", json!({}));
    host.forget();
    host.session_shutdown();
    assert_eq!(
        members(&host.debug_log()[0], &names),
        json!({ "toolCalls": 3, "allowed": 2, "blocked": 1, "errors": 0 }),
        "cumulative"
    );
}

#[test]
fn hand_020_a_shutdown_ends_the_session_whatever_fails() {
    let host = fake_host().policy(json!({ "bash": "ask" })).answers([APPROVE_FOR_SESSION]).start();
    assert!(host.allows("bash", command("make")));
    seat_a_panicking_person(&host, "status");
    host.session_shutdown();
    assert_eq!((host.granted(), host.service().is_none()), (Vec::new(), true));

    let host = fake_host()
        .setting("debugLog", json!(true))
        .with(|builder| builder.change_host(|_, host| host.log = Some(Arc::new(Panics("log")))))
        .without_session_start()
        .start();
    host.system.record_session_rule("bash", "*");
    host.session_start("startup");
    host.resources_discover("reload");
    host.session_shutdown();
    assert_eq!((host.granted(), host.service().is_none()), (Vec::new(), true), "a log that panics");
}

#[test]
fn hand_021_a_turn_sets_the_tools_and_narrows_the_prompt() {
    let host = fake_host().policy(json!({ "bash": "deny", "skill": { "beta": "deny" } })).tools(["read", "bash"]).start();
    host.forget();
    let listing = "Available tools:\n- read: reads\n- bash: runs\n\n";
    let prompt = format!("{listing}{}", portcullis_test_fixtures::skill_prompt(&[("alpha", "/s/a.md"), ("beta", "/s/b.md")]));
    let narrowed = host.before_agent_start(&prompt).unwrap();
    assert!(narrowed.contains("- read") && !narrowed.contains("- bash"), "{narrowed}");
    assert!(narrowed.contains("alpha") && !narrowed.contains("beta"), "{narrowed}");
    assert_eq!(host.happened(), ["active read"], "TOOL-008: no review line, no event");
}

#[test]
fn hand_021_nothing_to_change() {
    let host = fake_host().policy(json!({ "*": "ask" })).tools(["read", "bash"]).start();
    host.forget();
    assert_eq!(host.before_agent_start("hello"), None);
    assert_eq!(host.happened(), ["active read,bash"]);
    host.before_agent_start("hello");
    assert_eq!(host.happened().len(), 2, "computed anew every turn");
}

#[test]
fn a_turn_that_fails_is_told_and_leaves_the_gate_in_force() {
    let host = fake_host().policy(json!({ "bash": "deny" })).answers([]).start();
    host.tools.fail("registry");
    host.forget();
    assert_eq!(host.before_agent_start("hello"), None);
    assert!(host.journal.notices()[0].contains("registry"));
    assert!(matches!(host.call("bash", command("ls")), ToolCallAnswer::Block { .. }));
}

#[test]
fn res_01_trust_that_is_granted_later_counts_for_the_next_call() {
    let host = fake_host()
        .policy(json!({ "*": "ask", "bash": { "*": "allow" } }))
        .project_policy(json!({ "bash": { "rm *": "deny" }, "write": "allow" }))
        .project_setting("shellTools", json!({ "exec": { "commandArgument": "cmd" } }))
        .tools(["bash", "write", "exec"])
        .untrusted()
        .start();
    let untrusted: Vec<_> = host.review_log().into_iter().filter(|line| line["event"] == "config.untrusted").collect();
    assert_eq!(untrusted.len(), 1);
    assert!(host.allows("bash", command("rm x")), "neither its allows nor its denies exist");
    host.blocks("write", path("a"));
    host.context.set_trust(Trust::Trusted);
    host.blocks("bash", command("rm x"));
    assert!(host.allows("write", path("a")));
    assert!(host.blocks("exec", json!({ "cmd": "rm x" })).contains("rm x"), "RES-03: its shell tools count as well");
    host.context.set_trust(Trust::Unknown);
    assert!(host.allows("bash", command("rm x")), "unknown is untrusted");
}

#[test]
fn res_01_one_warning_and_one_line_a_start() {
    let host = fake_host().project_policy(json!({ "bash": "allow" })).untrusted().answers([]).start();
    assert_eq!(host.journal.notices().len(), 1, "{:#?}", host.journal.notices());
    let events: Vec<_> = host.journal.log(LogStream::Review).iter().map(|line| line["event"].clone()).collect();
    assert_eq!(events, ["config.resolved", "config.untrusted"]);
    assert_eq!(counts(&host), (0, 0, 0, 0));
}
