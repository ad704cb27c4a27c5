//! EVT-005 to EVT-008, EVT-013, EVT-015: what stands in the logs of whole calls.

use std::sync::Arc;

use portcullis_test_fixtures::{APPROVE, HostSetup, StartedHost, fake_host};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::collaborators::{command, members};

const REVIEW: &str = "extensions/pi-permission-system/logs/pi-permission-system-permission-review.jsonl";
const DEBUG: &str = "extensions/pi-permission-system/logs/pi-permission-system-debug.jsonl";

/// A host whose log lines go to the files of EVT-005.
fn with_files(setup: HostSetup) -> HostSetup {
    setup.with(|builder| builder.change_host(|_, host| host.log = None))
}

fn lines(host: &StartedHost, file: &str) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(host.world.agent_dir().join(file)).ok()?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn events(host: &StartedHost, file: &str) -> Vec<String> {
    let name = |line: &Value| line["event"].as_str().unwrap().to_owned();
    lines(host, file).unwrap_or_default().iter().map(name).collect()
}

#[test]
fn evt_007_both_streams_off_leave_no_file() {
    let host = with_files(fake_host().policy(json!({ "bash": "deny" })))
        .setting("permissionReviewLog", json!(false))
        .setting("debugLog", json!(false))
        .start();
    host.blocks("bash", command("ls"));
    host.session_shutdown();
    assert_eq!((lines(&host, REVIEW), lines(&host, DEBUG)), (None, None));
}

#[test]
fn evt_007_a_stream_that_is_switched_off_is_silent_from_the_next_reload() {
    let mut host = with_files(fake_host().policy(json!({ "bash": "deny" }))).start();
    host.blocks("bash", command("ls"));
    assert_eq!(events(&host, REVIEW), ["config.resolved", "permission_request.blocked"]);
    host.set("permissionReviewLog", json!(false));
    host.turn(&[]);
    host.blocks("bash", command("ls"));
    assert_eq!(events(&host, REVIEW).len(), 2);
    host.set("permissionReviewLog", json!(true));
    host.turn(&[]);
    host.blocks("bash", command("ls"));
    assert_eq!(events(&host, REVIEW).len(), 3);
}

#[cfg(unix)]
#[test]
fn evt_005_hard_052_files_for_the_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let host = with_files(fake_host().policy(json!({ "bash": "deny" }))).start();
    host.blocks("bash", command("export KEY=v\u{2028}é"));
    let mode = |path: &str| std::fs::metadata(host.world.agent_dir().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(REVIEW), 0o600);
    assert_eq!(mode("extensions/pi-permission-system/logs"), 0o700);
    let line = lines(&host, REVIEW).unwrap().remove(1);
    assert_eq!(line["command"].as_str().unwrap(), "export KEY=[redacted]", "masked, then escaped (RES-43)");
    assert_eq!(
        members(&line, &["extension", "stream", "event"]),
        json!({ "extension": "pi-permission-system", "stream": "review", "event": "permission_request.blocked" })
    );
    assert!(line["timestamp"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn evt_008_a_logs_path_that_is_a_file_gives_one_warning_and_no_other_decision() {
    let host = with_files(fake_host().policy(json!({ "bash": "ask" }))).setting("debugLog", json!(true)).answers([APPROVE]);
    let host = host.without_session_start();
    let host = host.with(|builder| builder).start();
    std::fs::remove_dir_all(host.world.agent_dir().join("extensions/pi-permission-system/logs")).unwrap();
    std::fs::write(host.world.agent_dir().join("extensions/pi-permission-system/logs"), "").unwrap();
    host.session_start("startup");
    assert!(host.allows("bash", command("make")));
    assert!(!host.allows("bash", command("make")));
    let warnings: Vec<_> = host.journal.notices().into_iter().filter(|text| text.contains("log could not be written")).collect();
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
}

#[test]
fn gates_d16_a_fault_before_anybody_looked_is_shown_when_somebody_does() {
    let host = fake_host()
        .setting("debugLog", json!(true))
        .with(|builder| {
            builder.change_host(|journal, host| {
                host.log = Some(Arc::new(portcullis_test_fixtures::RecordingLog::failing(journal, "disk full")));
            })
        })
        .start();
    assert_eq!(host.journal.notices().len(), 0);
    host.set_ui(Some(vec![]));
    host.session_start("new");
    assert_eq!(host.journal.notices().iter().filter(|text| text.contains("disk full")).count(), 1);
}

#[test]
fn evt_013_one_debug_line_a_call() {
    let host = fake_host().policy(json!({ "bash": { "ls": "allow", "rm *": "deny" } })).setting("debugLog", json!(true)).start();
    host.forget();
    host.call("bash", command("ls"));
    host.call("bash", command("rm x"));
    host.call("nosuch", json!({}));
    let log = host.debug_log();
    let actions: Vec<_> = log.iter().map(|line| members(line, &["event", "toolName", "action"])).collect();
    let line = |tool: &str, action: &str| json!({ "event": "permission.decision", "toolName": tool, "action": action });
    assert_eq!(actions, [line("bash", "allow"), line("bash", "block"), line("nosuch", "block")]);
    assert!(log[0].get("reason").is_none(), "of a block only");
    assert!(log[1]["reason"].as_str().unwrap().contains("rm *"));
    assert_eq!(log[1]["decidedBy"], json!({ "kind": "rule", "where": "own", "pattern": "rm *" }));
}
