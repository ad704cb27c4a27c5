//! HAND-007 to HAND-011, 5.2 steps 11 to 13: whatever fails blocks, and leaves exactly one E, one count, one line of each kind.

use std::sync::Arc;

use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::HostError;
use portcullis_test_fixtures::{APPROVE, HostSetup, RecordingBus, RecordingLog, ScriptedAnswer, StartedHost, fake_host};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Map, Value, json};

use crate::collaborators::{Panics, command, counts, members, path, seat_a_panicking_person};

fn asking() -> HostSetup {
    fake_host()
        .policy(json!({ "write": "ask", "bash": { "*": "ask", "ls": "allow" }, "read": "allow", "deploy": "ask" }))
        .setting("debugLog", json!(true))
        .tools(["read", "write", "bash", "deploy"])
        .answers([APPROVE])
}

/// One call of `write` that has to end in an error: the records, without the path that a broken bracket may leave before them.
fn ends_in_an_error(host: &StartedHost, text: &str) {
    host.forget();
    let before = counts(host);
    let reason = host.blocks("write", path("a.txt"));
    assert!(reason.contains(text), "{reason}");
    let (calls, allowed, blocked, errors) = before;
    assert_eq!(counts(host), (calls + 1, allowed, blocked, errors + 1), "one count, an error");
    let blocked: Vec<Value> =
        host.review_log().into_iter().filter(|line| line["event"] == "permission_request.blocked").collect();
    assert_eq!(blocked.len(), 1);
    assert_eq!(
        members(&blocked[0], &["toolName", "command", "resolution"]),
        json!({ "toolName": "write", "command": null, "resolution": "gate_error" })
    );
    assert!(blocked[0]["error"].as_str().unwrap().contains(text));
    let decisions = host.decisions();
    assert_eq!(decisions.len(), 1, "RES-35: exactly one terminal decision");
    assert_eq!(
        members(&decisions[0], &["surface", "value", "result", "resolution", "origin", "matchedPattern", "gate"]),
        json!({
            "surface": "write", "value": "write", "result": "deny", "resolution": "gate_error",
            "origin": null, "matchedPattern": null, "gate": "boundary",
        })
    );
    let decided: Vec<Value> = host.debug_log().into_iter().filter(|line| line["event"] == "permission.decision").collect();
    assert_eq!(decided.len(), 1, "D once a call, errors too");
    assert_eq!(
        members(&decided[0], &["toolName", "action", "reason", "decidedBy"]),
        json!({
            "toolName": "write", "action": "block", "reason": reason,
            "decidedBy": { "kind": "gate_error", "where": "own" },
        })
    );
    assert_eq!(host.traces().len(), 1);
    assert_eq!((host.traces()[0].end.outcome.as_str(), host.traces()[0].end.gate.as_str()), ("block", "boundary"));
}

#[test]
fn hand_007_a_registry_that_cannot_be_listed() {
    let host = asking().start();
    host.tools.fail("registry");
    ends_in_an_error(&host, "registry");
}

#[test]
fn hand_007_entries_that_cannot_be_read() {
    let host = asking().start();
    host.context.fail_entries("entries");
    ends_in_an_error(&host, "entries");
}

#[test]
fn hand_007_a_context_without_a_directory() {
    let host = asking().start();
    host.context.fail_cwd("no cwd");
    ends_in_an_error(&host, "no cwd");
}

#[test]
fn hand_007_a_dialog_that_fails() {
    let host = asking().start();
    host.set_ui(Some(vec![ScriptedAnswer::Fail("ui broke".into())]));
    ends_in_an_error(&host, "ui broke");
    assert_eq!(
        host.happened(),
        [
            "R waiting",
            "P write write",
            "dialog",
            "R denied gate_error",
            "R blocked gate_error",
            "E write write deny gate_error",
            "D permission.decision",
        ],
        "the bracket is closed before the call is blocked"
    );
}

#[test]
fn hand_007_a_dialog_that_panics() {
    let host = asking().start();
    seat_a_panicking_person(&host, "ui panicked");
    ends_in_an_error(&host, "ui panicked");
}

#[test]
fn hard_050_a_dialog_that_panics_gives_its_turn_back() {
    let host = asking().start();
    seat_a_panicking_person(&host, "ui panicked");
    host.blocks("write", path("a.txt"));
    host.set_ui(Some(vec![APPROVE]));
    assert!(host.allows("write", path("a.txt")));
}

#[test]
fn hand_007_a_clock_that_panics() {
    let host = asking().start();
    let answer = host.call("bash", command("ls"));
    assert_eq!(answer, ToolCallAnswer::Allow);
    let host = asking().with(|builder| builder.change_host(|_, host| host.ids = Arc::new(Panics("ids")))).start();
    ends_in_an_error(&host, "ids");
}

#[test]
fn hand_007_an_extractor_that_fails() {
    let host = asking().start();
    host.register_extractor("deploy", "target", Some("boom")).unwrap();
    host.forget();
    assert!(host.blocks("deploy", json!({ "target": "x" })).contains("boom"));
    assert_eq!(counts(&host), (1, 0, 0, 1));
    assert_eq!(host.happened(), ["R blocked gate_error", "E deploy deploy deny gate_error", "D permission.decision"]);
}

#[test]
fn hand_007_a_formatter_that_fails() {
    let host = asking().start();
    let fails = |_: &Map<String, Value>| Err::<Option<String>, _>(HostError::new("preview"));
    let _registered = host.service().unwrap().tool_input_formatters().register("deploy", Arc::new(fails)).unwrap();
    host.forget();
    assert!(host.blocks("deploy", json!({})).contains("preview"));
    assert_eq!(host.happened(), ["R blocked gate_error", "E deploy deploy deny gate_error", "D permission.decision"]);
}

#[test]
fn hand_007_no_context_at_all() {
    let host = asking().start();
    host.forget();
    let event = portcullis_test_fixtures::tool_call_event("write", path("a"), "c");
    let ToolCallAnswer::Block { reason } = host.system.handle_tool_call(&event, None) else { panic!("allowed") };
    assert!(reason.contains("without a context"), "{reason}");
    assert_eq!(host.happened(), ["R blocked gate_error", "E write write deny gate_error", "D permission.decision"]);
}

#[rstest]
#[case::error(false)]
#[case::panic(true)]
fn auth_014_a_bus_that_fails_changes_no_decision(#[case] panics: bool) {
    let host = asking()
        .with(move |builder| {
            builder.change_host(move |journal, host| {
                host.bus = if panics { Arc::new(Panics("bus")) } else { Arc::new(RecordingBus::failing(journal, "bus")) };
            })
        })
        .start();
    assert!(host.allows("bash", command("ls")));
    assert!(host.allows("write", path("a.txt")), "EVT-001: a listener that throws does not disturb the ask");
    assert_eq!(counts(&host), (2, 2, 0, 0));
}

#[test]
fn evt_008_a_log_that_fails_changes_no_decision() {
    let host = asking()
        .with(|builder| {
            builder.change_host(|journal, host| host.log = Some(Arc::new(RecordingLog::failing(journal, "disk full"))))
        })
        .start();
    assert!(host.allows("write", path("a.txt")));
    assert_eq!(counts(&host), (1, 1, 0, 0));
    assert_eq!(host.journal.notices().iter().filter(|text| text.contains("disk full")).count(), 1, "one warning");
}

#[test]
fn run_014_a_log_that_panics_blocks_and_is_counted_once() {
    let host = asking()
        .with(|builder| builder.change_host(|_, host| host.log = Some(Arc::new(Panics("log broke")))))
        .without_session_start();
    // Building the gate writes a line already.
    let host = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| host.start()));
    let host = host.expect("nothing can fail while the gate is built");
    assert!(host.blocks("write", path("a.txt")).contains("log broke"));
    assert!(host.blocks("bash", command("ls")).contains("log broke"), "HAND-011: an error in the last steps blocks an allow");
    assert_eq!(counts(&host), (2, 0, 0, 2), "a failure in the last steps is the one count");
}

#[test]
fn a_trace_listener_that_panics_changes_nothing() {
    let host = asking().with(|builder| builder.change_host(|_, host| host.trace = Some(Arc::new(Panics("trace"))))).start();
    assert!(host.allows("bash", command("ls")));
    assert_eq!(counts(&host), (1, 1, 0, 0));
}

#[rstest]
#[case(json!({ "name": "n", "toolName": "t" }), "n", json!(null))]
#[case(json!({ "name": null, "toolName": "tt" }), "tt", json!(null))]
#[case(json!({ "name": "", "toolName": "t" }), "<unknown>", json!(null))]
#[case(json!({ "tool": "bash" }), "<unknown>", json!(null))]
#[case(json!({ "toolName": " bash " }), " bash ", json!(null))]
#[case(json!({ "name": "bash", "input": null, "arguments": { "command": "c" } }), "bash", json!("c"))]
#[case(json!({ "name": "bash", "arguments": { "command": 5 } }), "bash", json!(null))]
fn hand_009_hand_010_what_an_error_is_filed_under(#[case] event: Value, #[case] tool: &str, #[case] command: Value) {
    let host = asking().start();
    host.tools.fail("registry");
    host.forget();
    host.raw_tool_call(&event);
    let log = host.review_log();
    assert_eq!(members(&log[0], &["toolName", "command"]), json!({ "toolName": tool, "command": command }));
    assert_eq!(host.debug_log()[0]["toolName"], tool);
}

/// HAND-004 with RES-35, RES-36: calls that cannot be judged.
#[rstest]
#[case::no_name(json!({}), "registration", "<unknown>")]
#[case::not_an_object(json!(42), "registration", "<unknown>")]
#[case::unknown(json!({ "toolName": "nosuch" }), "registration", "nosuch")]
#[case::named_by_the_third_field(json!({ "tool": "nosuch" }), "registration", "nosuch")]
#[case::untrimmed(json!({ "toolName": " bash ", "input": {} }), "shape", "bash")]
#[case::case_counts(json!({ "toolName": "READ" }), "registration", "READ")]
#[case::no_command(json!({ "toolName": "bash", "input": {} }), "shape", "bash")]
#[case::command_is_a_list(json!({ "toolName": "bash", "input": { "command": ["ls"] } }), "shape", "bash")]
#[case::nul_in_a_command(json!({ "toolName": "bash", "input": { "command": "ls\u{0}" } }), "shape", "bash")]
#[case::input_is_no_object(json!({ "toolName": "read", "input": "a" }), "shape", "read")]
#[case::path_is_no_text(json!({ "toolName": "read", "input": { "path": 5 } }), "shape", "read")]
#[case::nul_in_a_path(json!({ "toolName": "read", "input": { "path": "a\u{0}b" } }), "shape", "read")]
fn res_35_res_36_calls_that_cannot_be_judged(#[case] event: Value, #[case] gate: &str, #[case] name: &str) {
    let host = asking().start();
    host.forget();
    let ToolCallAnswer::Block { reason } = host.raw_tool_call(&event) else { panic!("allowed") };
    assert!(!reason.is_empty());
    let ended = format!("E {name} {name} deny invalid_call");
    assert_eq!(host.happened(), ["R blocked invalid_call", ended.as_str(), "D permission.decision"]);
    assert_eq!(host.decisions()[0]["gate"], gate);
    assert_eq!(host.decisions()[0]["decidedBy"]["kind"], "invalid_call");
    assert_eq!(counts(&host), (1, 0, 1, 0));
    assert_eq!(host.traces()[0].end.gate, gate);
}

#[test]
fn hand_004_names_are_read_from_texts_and_objects() {
    let entries = json!([{"name": "read"}, {"name": "bash"}, {"name": "bash"}, null, {"foo": 1}, "ls", {"tool": "x-tool"}]);
    let host = fake_host().policy(json!({ "*": "allow" })).tool_entries(entries.as_array().unwrap().clone()).start();
    let goes = |event: Value| host.raw_tool_call(&event) == ToolCallAnswer::Allow;
    assert!(goes(json!({ "name": "x-tool" })));
    assert!(goes(json!({ "name": " read ", "input": { "path": "a" } })));
    assert!(goes(json!("ls")));
    assert!(!goes(json!({ "name": "READ" })));
    assert!(!goes(json!({})));
}

#[rstest]
#[case::empty("")]
#[case::relative("work/app")]
#[case::blank("  ")]
fn hand_007_a_directory_that_is_no_absolute_path(#[case] cwd: &str) {
    let host = fake_host().policy(json!({ "*": "allow", "bash": "allow" })).start();
    host.context.set_cwd(cwd);
    host.forget();
    assert!(host.blocks("read", path("a")).contains("directory"));
    assert!(host.blocks("bash", command("cat ../x")).contains("directory"));
    assert_eq!(counts(&host), (2, 0, 0, 2));
}
