//! What becomes of the files in an inbox (RES-62, FWD-017 to FWD-024, INBOX-001 to INBOX-006, INBOX-014 to INBOX-021).

use std::fs;
use std::sync::Arc;

use portcullis_core::authority::forwarding::ClaimOwner;
use portcullis_core::host::ExchangeFaultKind;
use portcullis_test_fixtures::{APPROVE, DENY, ExchangeVerb, FakeHost, PlannedFault, ScriptedAnswer};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{NONCE, Net, events, lines, value};

fn asking() -> Value {
    json!({ "permission": { "*": "ask" } })
}

fn serving(answers: Vec<ScriptedAnswer>) -> (Net, Arc<FakeHost>) {
    let net = Net::new();
    let parent = net.session("p", &asking(), Some(answers));
    (net, parent)
}

fn ask(net: &Net, id: &str) -> Value {
    net.request(id, &net.facts("tool", "bash", &json!([crate::world::unit("ls")])), &[])
}

fn files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn raw(net: &Net, name: &str, bytes: &[u8]) {
    fs::create_dir_all(net.inbox("p").requests()).unwrap();
    fs::write(format!("{}/{name}", net.inbox("p").requests()), bytes).unwrap();
}

fn warnings(host: &FakeHost) -> Vec<String> {
    let text = |line: &Value| line["message"].as_str().unwrap_or_default().to_owned();
    lines(host, "permission_forwarding.warning").iter().map(text).collect()
}

/// RES-62: what cannot be served is answered with its cause, and nobody is asked.
#[rstest]
#[case::no_json("r1.json", b"{".as_slice(), "invalid_request")]
#[case::no_object("r1.json", b"[]", "invalid_request")]
#[case::empty("r1.json", b"", "invalid_request")]
#[case::mark("r1.json", b"\xef\xbb\xbf{}", "invalid_request")]
#[case::members_missing("r1.json", br#"{"id":"r1"}"#, "invalid_request")]
fn res_62_malformed_requests_are_answered(#[case] name: &str, #[case] bytes: &[u8], #[case] cause: &str) {
    let (net, parent) = serving(vec![APPROVE]);
    raw(&net, name, bytes);
    parent.system.serve_forwarded();
    let response = net.response("p", "r1").expect("an answer");
    let expected = json!({
        "approved": false, "state": "denied", "responderSessionId": "p", "respondedAt": response["respondedAt"], "version": 2,
        "decidedBy": { "kind": "transport", "where": "serving", "cause": cause },
    });
    assert_eq!(response, expected);
    assert_eq!(events(&parent), ["forwarded_permission.refused"]);
    assert_eq!(files(&net.inbox("p").requests()), Vec::<String>::new());
    assert_eq!(parent.journal.dialogs().len(), 0);
}

/// RES-62, INBOX-005, FWD-018, FWD-020: readable, but not to be served. The nonce comes back, so that the child knows it.
#[rstest]
#[case::other_target("targetSessionId", json!("other"), "invalid_request")]
#[case::case_counts("targetSessionId", json!("P"), "invalid_request")]
#[case::nobody("targetSessionId", json!("unknown"), "invalid_request")]
#[case::blank("targetSessionId", json!(""), "invalid_request")]
#[case::another_id("id", json!("x"), "invalid_request")]
#[case::id_that_leads_out("id", json!("../../../../escape"), "invalid_request")]
#[case::long_ago("createdAt", json!(1), "expired")]
#[case::just_over("createdAt", json!(1_700_000_000_000_u64 - 600_000), "expired")]
#[case::far_future("createdAt", json!(1_700_000_000_000_u64 + 600_000), "invalid_request")]
fn res_62_what_is_refused(#[case] member: &str, #[case] wrong: Value, #[case] cause: &str) {
    let (net, parent) = serving(vec![APPROVE]);
    let mut request = ask(&net, "r1");
    request[member] = wrong;
    raw(&net, "r1.json", request.to_string().as_bytes());
    parent.system.serve_forwarded();
    let response = net.response("p", "r1").expect("an answer");
    assert_eq!((&response["nonce"], &response["decidedBy"]["cause"]), (&json!(NONCE), &json!(cause)));
    let refused = lines(&parent, "forwarded_permission.refused");
    assert_eq!((refused.len(), &refused[0]["requestId"], &refused[0]["cause"]), (1, &json!("r1"), &json!(cause)));
    assert_eq!(parent.journal.dialogs().len(), 0);
    assert_eq!(files(&net.inbox("p").responses()), ["r1.json"], "and nothing anywhere else");
    assert!(!net.world.agent_dir().join("escape.json").exists());
}

#[rstest]
#[case::just_within(json!(1_700_000_000_000_u64 - 599_000))]
#[case::a_little_ahead(json!(1_700_000_000_000_u64 + 5_000))]
fn res_62_what_is_young_enough(#[case] created_at: Value) {
    let (net, parent) = serving(vec![APPROVE]);
    let mut request = ask(&net, "r1");
    request["createdAt"] = created_at;
    net.stage("p", &request);
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
}

/// FWD-D02: no response could be named after these.
#[rstest]
#[case(".json")]
#[case("a b.json")]
#[case("é.json")]
#[case("x.json.json")]
fn res_62_without_a_usable_id_it_is_deleted(#[case] name: &str) {
    let (net, parent) = serving(vec![APPROVE]);
    raw(&net, name, ask(&net, "r1").to_string().as_bytes());
    parent.system.serve_forwarded();
    assert_eq!(files(&net.inbox("p").requests()), Vec::<String>::new());
    assert_eq!(files(&net.inbox("p").responses()), Vec::<String>::new());
    assert_eq!(warnings(&parent).len(), 1);
    assert_eq!(parent.journal.dialogs().len(), 0);
}

/// FWD-023, FWD-009: folders, links and other endings are no requests.
#[cfg(unix)]
#[test]
fn fwd_023_only_regular_files_are_looked_at() {
    let (net, parent) = serving(vec![APPROVE]);
    let requests = net.inbox("p").requests();
    raw(&net, "c.JSON", b"{");
    raw(&net, "x.json.1.1700000000000.tmp", b"{");
    fs::create_dir(format!("{requests}/sub.json")).unwrap();
    let target = net.world.cwd().join("real.json");
    fs::write(&target, ask(&net, "link").to_string()).unwrap();
    std::os::unix::fs::symlink(&target, format!("{requests}/link.json")).unwrap();
    parent.system.serve_forwarded();
    assert_eq!(events(&parent), Vec::<String>::new());
    assert_eq!(files(&requests), ["c.JSON", "link.json", "sub.json", "x.json.1.1700000000000.tmp"]);
    assert!(target.exists());
}

#[test]
fn fwd_d10_a_request_beyond_the_bound_is_refused() {
    let (net, parent) = serving(vec![APPROVE]);
    let mut request = ask(&net, "r1");
    request["message"] = json!("x".repeat(300 * 1024));
    net.stage("p", &request);
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["decidedBy"]["cause"], "invalid_request");
    assert_eq!(parent.journal.dialogs().len(), 0);
}

/// INBOX-004, INBOX-003: in order of the names, one after another; a bad one ends nothing.
#[test]
fn fwd_d13_one_bad_file_never_ends_the_pass() {
    let (net, parent) = serving(vec![APPROVE, DENY]);
    raw(&net, "a.json", b"{");
    raw(&net, "a b.json", b"{");
    net.stage("p", &ask(&net, "c"));
    net.stage("p", &ask(&net, "B"));
    parent.system.serve_forwarded();
    let answered = |id| net.response("p", id).map(|response| response["approved"].clone());
    assert_eq!([answered("B"), answered("a"), answered("c")], [Some(json!(true)), Some(json!(false)), Some(json!(false))]);
    assert_eq!(files(&net.inbox("p").requests()), Vec::<String>::new());
}

/// FWD-019: the first answer stands.
#[test]
fn fwd_019_a_second_request_of_an_id_is_dropped() {
    let (net, parent) = serving(vec![APPROVE, DENY]);
    net.stage("p", &ask(&net, "r1"));
    parent.system.serve_forwarded();
    net.stage("p", &ask(&net, "r1"));
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
    // The child has read the first answer; the replay is still none.
    fs::remove_file(net.inbox("p").response_file("r1")).unwrap();
    net.stage("p", &ask(&net, "r1"));
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1"), None);
    assert_eq!(parent.journal.dialogs().len(), 1);
    assert_eq!(lines(&parent, "forwarded_permission.refused").len(), 2);
    assert_eq!(files(&net.inbox("p").requests()), Vec::<String>::new());
}

/// FWD-021: two sessions on one inbox ask once between them, and what one has claimed the other leaves alone.
#[test]
fn fwd_021_a_claimed_request_is_nobody_elses() {
    let net = Net::new();
    net.stage("p", &ask(&net, "r1"));
    let inbox = net.inbox("p");
    let beat = json!({ "sessionId": "p", "pid": 77, "time": 1_700_000_000_000_u64 });
    fs::write(inbox.heartbeat_file(), beat.to_string()).unwrap();
    let parent = net.session("p", &asking(), Some(vec![APPROVE]));
    fs::rename(inbox.request_file("r1"), inbox.claim_file("r1")).unwrap();
    parent.system.serve_forwarded();
    assert_eq!((events(&parent), net.response("p", "r1")), (Vec::new(), None));
    assert_eq!(files(&inbox.requests()), ["r1.claim"]);
}

/// FWD-D09: what a server left that is gone is taken over, unless it had answered already.
#[test]
fn fwd_d09_claims_of_a_dead_server_are_served() {
    let net = Net::new();
    let inbox = net.inbox("p");
    net.stage("p", &ask(&net, "r1"));
    net.stage("p", &ask(&net, "r2"));
    for id in ["r1", "r2"] {
        fs::rename(inbox.request_file(id), inbox.claim_file(id)).unwrap();
    }
    fs::create_dir_all(inbox.responses()).unwrap();
    fs::write(inbox.response_file("r2"), "{}").unwrap();
    let beat = json!({ "sessionId": "p", "pid": 77, "time": 1_700_000_000_000_u64 });
    fs::write(inbox.heartbeat_file(), beat.to_string()).unwrap();
    net.processes.kill(77);
    let parent = net.session("p", &asking(), Some(vec![APPROVE, APPROVE]));
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
    assert_eq!(net.response("p", "r2").unwrap(), json!({}), "the answer that is there stays");
    assert_eq!(parent.journal.dialogs().len(), 1);
    assert_eq!(files(&inbox.requests()), Vec::<String>::new());
}

/// FWD-D09: the one that showed life last is gone, another one may serve here still: what a living process has claimed stays its
/// own. Where nobody shows life, all is taken over; whoever wakes up finds that the claim is not its own any more.
#[rstest]
#[case::a_dead_one_beat_last(77, false)]
#[case::nobody_has_shown_life(78, true)]
fn fwd_d09_claims_of_the_living_are_theirs(#[case] beating: u32, #[case] taken_over: bool) {
    let net = Net::new();
    let inbox = net.inbox("p");
    net.stage("p", &ask(&net, "r1"));
    net.stage("p", &ask(&net, "r2"));
    for (id, process) in [("r1", 77), ("r2", 78)] {
        fs::rename(inbox.request_file(id), inbox.claim_file(id)).unwrap();
        fs::write(inbox.owner_file(id, ClaimOwner::new(process, 0)), "").unwrap();
    }
    let beat = json!({ "sessionId": "p", "pid": beating, "time": 1_700_000_000_000_u64 });
    fs::write(inbox.heartbeat_file(), beat.to_string()).unwrap();
    net.processes.kill(77);
    if taken_over {
        net.clock.advance(5_001);
    }
    let parent = net.session("p", &asking(), Some(vec![APPROVE, APPROVE]));
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
    assert_eq!(net.response("p", "r2").is_some(), taken_over);
    let left: &[&str] = if taken_over { &[] } else { &["r2.78-0.owner", "r2.claim"] };
    assert_eq!(files(&inbox.requests()), left);
}

/// FWD-D09: folders are clean afterwards.
#[test]
fn fwd_d09_leftovers_are_swept() {
    let (net, parent) = serving(vec![]);
    let inbox = net.inbox("p");
    fs::create_dir_all(inbox.requests()).unwrap();
    fs::create_dir_all(inbox.responses()).unwrap();
    let now = 1_700_000_000_000_u64;
    let response = json!({"approved": true, "state": "approved", "responderSessionId": "p", "respondedAt": now});
    fs::write(inbox.response_file(&format!("{now}-abc-77")), response.to_string()).unwrap();
    fs::write(inbox.response_file(&format!("{now}-abc-78")), response.to_string()).unwrap();
    fs::write(format!("{}/x.json.77.{now}.tmp", inbox.requests()), "{").unwrap();
    fs::write(format!("{}/x.json.78.{now}.tmp", inbox.requests()), "{").unwrap();
    let mut old = ask(&net, "r9");
    old["createdAt"] = json!(1);
    fs::write(inbox.claim_file("r9"), old.to_string()).unwrap();
    fs::write(inbox.aside_file("r9"), old.to_string()).unwrap();
    net.processes.kill(77);
    net.clock.advance(20_000);
    parent.system.serve_forwarded();
    assert_eq!(files(&inbox.requests()), [format!("x.json.78.{now}.tmp")], "of a living process");
    assert_eq!(files(&inbox.responses()), [format!("{now}-abc-78.json")]);
    net.clock.advance(620_000);
    parent.system.serve_forwarded();
    assert_eq!(files(inbox.session_dir()), ["heartbeat.json"]);
    parent.session_shutdown();
    assert!(!fs::exists(inbox.session_dir()).unwrap());
}

/// INBOX-003.
#[test]
fn inbox_003_an_empty_inbox_is_left_alone() {
    let (net, parent) = serving(vec![]);
    let inbox = net.inbox("p");
    fs::create_dir_all(inbox.requests()).unwrap();
    parent.system.serve_forwarded();
    assert_eq!(files(inbox.session_dir()), ["heartbeat.json", "requests"]);
}

#[test]
fn inbox_003_a_missing_folder_of_answers_is_made() {
    let (net, parent) = serving(vec![APPROVE]);
    net.stage("p", &ask(&net, "r1"));
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
    assert_eq!(lines(&parent, "permission_forwarding.error"), Vec::<Value>::new());
}

#[test]
fn inbox_003_where_no_answer_can_be_written_nobody_is_asked() {
    let (net, parent) = serving(vec![APPROVE, DENY]);
    net.stage("p", &ask(&net, "r1"));
    fs::write(net.inbox("p").responses(), "a file").unwrap();
    for _ in 0..3 {
        parent.system.serve_forwarded();
        net.clock.advance(250);
    }
    assert_eq!(lines(&parent, "permission_forwarding.error").len(), 1, "said once");
    assert_eq!(parent.journal.dialogs().len(), 0);
    assert_eq!(files(&net.inbox("p").requests()), ["r1.json"], "the request is kept");
    net.stage("p", &ask(&net, "r2"));
    fs::remove_file(net.inbox("p").responses()).unwrap();
    parent.system.serve_forwarded();
    assert_eq!(["r1", "r2"].map(|id| net.response("p", id).unwrap()["approved"].clone()), [json!(true), json!(false)]);
    // It comes back, and is news again.
    net.stage("p", &ask(&net, "r3"));
    fs::remove_dir_all(net.inbox("p").responses()).unwrap();
    fs::write(net.inbox("p").responses(), "a file").unwrap();
    parent.system.serve_forwarded();
    assert_eq!(lines(&parent, "permission_forwarding.error").len(), 2);
}

/// INBOX-003, SUB-011: the own id is trimmed; without one nothing is served.
#[rstest]
#[case(Some(" p "), true)]
#[case(Some("unknown"), false)]
#[case(Some(""), false)]
#[case(None, false)]
fn inbox_003_own_id(#[case] id: Option<&str>, #[case] served: bool) {
    let net = Net::new();
    let parent = net.build("p", &asking(), Some(vec![APPROVE]), |builder| builder);
    parent.context.set_session_id(id);
    parent.session_start("startup");
    let mut request = ask(&net, "r1");
    request["targetSessionId"] = json!("p ");
    net.stage("p", &request);
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").is_some(), served);
}

/// INBOX-001, RES-59, SUB-013: a session serves when it has a person, whatever else it looks like, from its first event on.
#[rstest]
#[case::person(true, false, true)]
#[case::person_that_looks_like_a_child(true, true, true)]
#[case::nobody(false, false, false)]
#[case::child(false, true, false)]
fn inbox_001_who_serves(#[case] person: bool, #[case] child: bool, #[case] served: bool) {
    let net = Net::new();
    let parent = net.build("p", &asking(), person.then(|| vec![APPROVE]), |builder| {
        if child { builder.variable("PI_IS_SUBAGENT", "1") } else { builder }
    });
    net.stage("p", &ask(&net, "r1"));
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1"), None, "before the first event");
    // Any event activates: this one is a tool call of a session that never started (LIFE-001).
    let _answer = parent.tool_call("unknown-tool", json!({}), "t");
    assert_eq!(net.subagents.serving().contains("p"), served);
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").is_some(), served);
    parent.set_ui(if person { None } else { Some(vec![APPROVE]) });
    let _answer = parent.tool_call("unknown-tool", json!({}), "t");
    assert_eq!(net.subagents.serving().contains("p"), !person, "each event decides anew");
}

/// INBOX-006: one word about it, then served.
#[rstest]
#[case::another_parent(Some(Some("elsewhere")), 1)]
#[case::own_parent(Some(Some(" p ")), 0)]
#[case::parent_unknown(Some(None), 0)]
#[case::unregistered(None, 0)]
fn inbox_006_a_child_of_another_session(#[case] entry: Option<Option<&str>>, #[case] said: usize) {
    let (net, parent) = serving(vec![APPROVE]);
    if let Some(entry) = entry {
        net.subagents.register("c", entry);
    }
    net.stage("p", &ask(&net, "r1"));
    parent.system.serve_forwarded();
    assert_eq!(warnings(&parent).len(), said);
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
}

/// INBOX-010, INBOX-011, INBOX-021, INBOX-022: the ask, its records and their order.
#[test]
fn inbox_022_records_of_a_prompted_request() {
    let (net, parent) = serving(vec![ScriptedAnswer::DenyWithReason("  too risky  ".to_owned())]);
    net.stage("p", &ask(&net, "r1"));
    parent.system.serve_forwarded();
    let happened: Vec<String> = parent.journal.all().iter().map(portcullis_test_fixtures::in_short).collect();
    let behind = happened.iter().position(|line| line.contains("prompted")).unwrap();
    let expected = [
        "R forwarded_permission.prompted",
        "R waiting",
        "P bash ls",
        "dialog",
        "input",
        "R denied denied_with_reason",
        "R forwarded_permission.denied denied_with_reason",
    ];
    assert_eq!(happened[behind..], expected);
    let payload = json!({
        "requestId": "r1", "source": "tool_call", "surface": "bash", "value": "ls", "agentName": "Explore",
        "message": "Subagent 'Explore' in session 'c' asks:\n\nMay it?",
        "forwarding": { "requesterAgentName": "Explore", "requesterSessionId": "c" },
    });
    assert_eq!(parent.journal.emitted("permissions:ui_prompt"), [payload]);
    let waiting = json!({
        "requestId": "r1", "source": "tool_call", "agentName": "Explore", "message": "Subagent 'Explore' in session 'c' asks:\\u{a}\\u{a}May it?",
        "toolCallId": null, "toolName": null, "skillName": null, "path": null, "command": null, "target": null,
        "toolInputPreview": null, "resolution": null, "denialReason": null,
    });
    assert_eq!(lines(&parent, "permission_request.waiting"), [waiting]);
    let base = json!({
        "requestId": "r1", "source": "primary", "requesterAgentName": "Explore", "requesterSessionId": "c", "targetSessionId": "p",
        "requestPath": net.inbox("p").request_file("r1"),
    });
    assert_eq!(lines(&parent, "forwarded_permission.prompted"), [base]);
    let response = net.response("p", "r1").unwrap();
    let expected = json!({
        "approved": false, "state": "denied_with_reason", "denialReason": "too risky", "responderSessionId": "p",
        "respondedAt": response["respondedAt"], "version": 2, "nonce": NONCE,
        "decidedBy": { "kind": "user", "where": "serving", "reason": "too risky" },
    });
    assert_eq!(response, expected);
    assert_eq!(parent.journal.decisions(), Vec::<Value>::new(), "INBOX-018: E is the child's");
}

/// FWD-024, INBOX-010: the six keys of an old child.
#[test]
fn fwd_024_an_old_request_is_prompted() {
    let (net, parent) = serving(vec![APPROVE]);
    let mut request = net.old_request("r1", None, None);
    for member in ["source", "surface", "value"] {
        request.as_object_mut().unwrap().remove(member);
    }
    request["requesterAgentName"] = json!("");
    request["requesterSessionId"] = json!("");
    net.stage("p", &request);
    parent.system.serve_forwarded();
    let payload = json!({
        "requestId": "r1", "source": "tool_call", "surface": null, "value": null, "agentName": null,
        "message": "Subagent 'unknown' in session 'unknown' asks:\n\nMay it?",
        "forwarding": { "requesterAgentName": null, "requesterSessionId": null },
    });
    assert_eq!(parent.journal.emitted("permissions:ui_prompt"), [payload]);
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
}

/// INBOX-009: what rules decide is said, and nobody is disturbed.
#[rstest]
#[case("allow", "auto_approved", "approved")]
#[case("deny", "auto_denied", "denied")]
fn inbox_009_decided_by_rules(#[case] rule: &str, #[case] event: &str, #[case] closing: &str) {
    let net = Net::new();
    let parent = net.session("p", &json!({ "permission": { "bash": rule } }), Some(vec![]));
    net.stage("p", &ask(&net, "r1"));
    parent.system.serve_forwarded();
    assert_eq!(events(&parent), [format!("forwarded_permission.{event}"), format!("forwarded_permission.{closing}")]);
    assert_eq!(parent.journal.emitted("permissions:ui_prompt"), Vec::<Value>::new());
    assert_eq!(net.response("p", "r1").unwrap()["approved"], rule == "allow");
}

/// INBOX-016: a failing dialog is nobody's no; the bracket is closed (FWD-D13).
#[test]
fn inbox_016_a_failing_dialog_is_answered_as_unavailable() {
    let (net, parent) = serving(vec![ScriptedAnswer::Fail("ui broke".to_owned()), APPROVE]);
    net.stage("p", &ask(&net, "r1"));
    net.stage("p", &ask(&net, "r2"));
    parent.system.serve_forwarded();
    assert_eq!(
        net.response("p", "r1").unwrap()["decidedBy"],
        json!({"kind": "transport", "where": "serving", "cause": "serving_error"})
    );
    assert_eq!(net.response("p", "r2").unwrap()["approved"], true, "the pass goes on");
    assert_eq!(lines(&parent, "permission_request.denied")[0]["resolution"], "gate_error");
    assert_eq!(lines(&parent, "permission_forwarding.error").len(), 1);
}

/// INBOX-017: a policy that cannot be asked asks the person.
#[test]
fn inbox_017_a_failing_policy_asks() {
    let (net, parent) = serving(vec![APPROVE]);
    net.stage("p", &ask(&net, "r1"));
    parent.tools.fail("registry broke");
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
    assert_eq!(lines(&parent, "permission_forwarding.error").len(), 1);
}

/// INBOX-015, FWD-D02: written again once, then set aside; nobody is asked twice.
#[rstest]
#[case::once(1, true)]
#[case::always(9, false)]
fn inbox_015_an_answer_that_cannot_be_written(#[case] failures: usize, #[case] arrives: bool) {
    let (net, parent) = serving(vec![APPROVE, APPROVE]);
    net.stage("p", &ask(&net, "r1"));
    fs::create_dir_all(net.inbox("p").responses()).unwrap();
    // The first creation of a file is that of the response.
    net.store.always_fail(ExchangeVerb::Rename, "responses/r1.json", ExchangeFaultKind::Other);
    parent.system.serve_forwarded();
    let kept = files(&net.inbox("p").requests());
    assert!(matches!(kept.as_slice(), [owner, claim] if owner.starts_with("r1.4242-") && claim == "r1.claim"), "{kept:?}");
    if failures == 1 {
        net.store.heal();
    }
    parent.system.serve_forwarded();
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").is_some(), arrives);
    assert_eq!(parent.journal.dialogs().len(), 1);
    assert_eq!(lines(&parent, "permission_forwarding.error").len(), usize::from(!arrives));
    assert_eq!(files(&net.inbox("p").requests()), if arrives { vec![] } else { vec!["r1.aside".to_owned()] });
    assert_eq!(
        files(&net.inbox("p").responses()),
        if arrives { vec!["r1.json".to_owned()] } else { vec![] },
        "no temporary file"
    );
}

/// FWD-D09: a claim that fails is tried again, and complained about once.
#[test]
fn fwd_d09_a_claim_that_fails_is_tried_again() {
    let (net, parent) = serving(vec![APPROVE]);
    net.stage("p", &ask(&net, "r1"));
    net.store.always_fail(ExchangeVerb::Rename, "r1.claim", ExchangeFaultKind::Other);
    parent.system.serve_forwarded();
    parent.system.serve_forwarded();
    assert_eq!(lines(&parent, "permission_forwarding.error").len(), 1);
    assert_eq!(parent.journal.dialogs().len(), 0);
    net.store.heal();
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
}

/// What one whole pass over one request does to the exchange, in operations.
fn operations_of_a_pass() -> usize {
    let (net, parent) = serving(vec![APPROVE]);
    net.stage("p", &ask(&net, "r1"));
    let before = net.store.count();
    parent.system.serve_forwarded();
    net.store.count() - before
}

/// HARD-049, FWD-D13: whichever operation fails, in whichever way, the person is asked at most once, and the answer is either
/// theirs or none; nothing is left behind for ever.
#[rstest]
#[case::absent(ExchangeFaultKind::NotFound)]
#[case::momentary(ExchangeFaultKind::Transient)]
#[case::other(ExchangeFaultKind::Other)]
fn fwd_d13_any_operation_may_fail(#[case] kind: ExchangeFaultKind) {
    let mut answered = 0;
    for operation in 0..operations_of_a_pass() {
        for fault in [PlannedFault::Fail(kind), PlannedFault::FailAfter(kind)] {
            let (net, parent) = serving(vec![APPROVE]);
            net.stage("p", &ask(&net, "r1"));
            net.store.plan(net.store.count() + operation, fault);
            for _ in 0..4 {
                parent.system.serve_forwarded();
                net.clock.advance(5_000);
            }
            let asked = parent.journal.dialogs().len();
            let approved = net.response("p", "r1").map(|response| response["approved"] == true);
            let fits = match approved {
                Some(true) => asked == 1,
                // Refused before anybody was asked, because it could not be read.
                Some(false) => asked == 0,
                None => asked <= 1,
            };
            assert!(fits, "operation {operation}, {fault:?}: {asked} dialogs, approved {approved:?}");
            answered += usize::from(approved == Some(true));
            net.clock.advance(700_000);
            for _ in 0..2 {
                parent.system.serve_forwarded();
                net.clock.advance(700_000);
            }
            assert_eq!(files(&net.inbox("p").requests()), Vec::<String>::new(), "operation {operation}, {fault:?}");
        }
    }
    assert!(answered > 0);
}

/// FWD-D09: a server that dies at any operation is followed by one that finishes its work: one answer, and never a yes that
/// nobody gave.
#[rstest]
#[case::before(PlannedFault::CrashBefore)]
#[case::inside(PlannedFault::CrashInside)]
#[case::after(PlannedFault::CrashAfter)]
fn fwd_d09_a_server_may_die_at_any_operation(#[case] crash: PlannedFault) {
    for operation in 0..operations_of_a_pass() {
        let (net, first) = serving(vec![APPROVE]);
        net.stage("p", &ask(&net, "r1"));
        net.store.plan(net.store.count() + operation, crash);
        first.system.serve_forwarded();
        net.store.heal();
        net.processes.kill(4242);
        let early = net.response("p", "r1");
        let second = net.session("p", &asking(), Some(vec![DENY]));
        second.system.serve_forwarded();
        let response = net.response("p", "r1").unwrap_or_else(|| panic!("operation {operation}: no answer"));
        let asked = (first.journal.dialogs().len(), second.journal.dialogs().len());
        if let Some(early) = early {
            assert_eq!((&response, asked), (&early, (1, 0)), "operation {operation}: an answer that was given stays");
        } else {
            assert_eq!((&response["approved"], asked.1), (&json!(false), 1), "operation {operation}");
        }
        assert_eq!(files(&net.inbox("p").requests()), Vec::<String>::new(), "operation {operation}");
    }
}

/// HARD-047: announced each second in memory and on disk, withdrawn at the end.
#[test]
fn hard_047_signs_of_life() {
    let net = Net::new();
    let parent = net.session("p", &asking(), Some(vec![]));
    let inbox = net.inbox("p");
    let beat = || serde_json::from_slice::<Value>(&fs::read(inbox.heartbeat_file()).unwrap()).unwrap();
    let at = |time: u64| json!({ "sessionId": "p", "pid": 4242, "time": time });
    let start = 1_700_000_000_000;
    assert_eq!(beat(), at(start));
    net.clock.advance(999);
    parent.system.beat();
    assert_eq!(beat(), at(start), "not before a second has passed");
    net.clock.advance(1);
    parent.system.beat();
    assert_eq!(beat(), at(start + 1_000));
    net.clock.advance(1_000);
    parent.system.serve_forwarded();
    assert_eq!(beat(), at(start + 2_000), "a pass beats too");
    parent.session_shutdown();
    assert!(!net.subagents.serving().contains("p"));
    assert!(!fs::exists(inbox.session_dir()).unwrap(), "RES-60: the owner removes it, and the folder with it");
    parent.system.beat();
    assert!(!fs::exists(inbox.session_dir()).unwrap(), "a session that ended says nothing");
}

/// LIFE-010: another session id is another inbox.
#[test]
fn life_010_a_new_id_takes_the_sign_of_life_along() {
    let net = Net::new();
    let parent = net.session("p", &asking(), Some(vec![APPROVE]));
    net.stage("p", &ask(&net, "r1"));
    parent.context.set_session_id(Some("q"));
    parent.session_start("resume");
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1"), None);
    assert!(!net.subagents.serving().contains("p") && net.subagents.serving().contains("q"));
    assert!(!fs::exists(net.inbox("p").heartbeat_file()).unwrap() && fs::exists(net.inbox("q").heartbeat_file()).unwrap());
    parent.context.set_session_id(Some("p"));
    parent.session_start("resume");
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
}

#[test]
fn the_narrow_label_says_who_remembers() {
    let (net, parent) = serving(vec![DENY, DENY]);
    net.stage("p", &net.old_request("r1", None, None));
    net.stage("p", &net.request("r2", &net.facts("skill-input", "skill", &json!([value("deploy")])), &[]));
    parent.system.serve_forwarded();
    let labels: Vec<String> = parent.journal.dialogs().iter().map(|dialog| dialog.options[1].label.clone()).collect();
    let expected = ["Yes, for this session of the subagent 'unknown'", "Approve once (nothing can be stored for this session)"];
    assert_eq!(labels, expected);
}
