//! What a round trip leaves behind, in order (INBOX-018, INBOX-021, INBOX-022), and that it takes no longer than it must.

use portcullis_core::host::{Choice, Clock as _};
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, DENY, MemberSetup, ScriptedAnswer, make_family};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

const WHOLE_SESSION: ScriptedAnswer = ScriptedAnswer::Choose(Choice::WholeSession);

#[rstest]
#[case::approved(vec![APPROVE], "approved", "approved", None, "E demo demo allow user_approved")]
#[case::denied(vec![DENY], "denied", "denied", None, "E demo demo deny user_denied")]
#[case::for_this_subagent(
    vec![APPROVE_FOR_SESSION], "approved_for_session", "approved_for_session", None,
    "E demo demo allow user_approved_for_session"
)]
#[case::for_the_whole_session(
    vec![APPROVE_FOR_SESSION, WHOLE_SESSION], "approved_for_serving_session", "approved",
    Some("R forwarded_permission.session_recorded"), "E demo demo allow user_approved"
)]
fn inbox_022_the_order_of_one_round_trip(
    #[case] answers: Vec<ScriptedAnswer>,
    #[case] at_parent: &str,
    #[case] travels: &str,
    #[case] recorded: Option<&str>,
    #[case] event: &str,
) {
    let family = make_family().policy(json!({"*": "ask"})).answers(answers).start();
    family.forget();
    family.child.call("demo", json!({}));
    let word = if travels.starts_with("approved") { "approved" } else { "denied" };
    let mut expected = vec![
        "R waiting".to_owned(),
        "R forwarded_permission.request_created".to_owned(),
        "R forwarded_permission.prompted".to_owned(),
        "R waiting".to_owned(),
        "P demo demo".to_owned(),
        format!("R {word} {at_parent}"),
    ];
    expected.extend(recorded.map(str::to_owned));
    expected.extend([
        format!("R forwarded_permission.{word} {travels}"),
        "R forwarded_permission.response_received".to_owned(),
        format!("R {word} {travels}"),
        event.to_owned(),
    ]);
    assert_eq!(family.happened(), expected);
    assert_eq!(family.parent.journal.decisions(), Vec::<Value>::new(), "the decision is the child's (INBOX-018)");
    assert_eq!(family.child.journal.emitted("permissions:ui_prompt"), Vec::<Value>::new());
}

/// HARD-048, RES-37: one id from creation to the last record.
#[test]
fn hard_048_one_id_in_all_records() {
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE]).start();
    family.forget();
    family.child.call("demo", json!({}));
    let mut ids: Vec<Value> = family.review_log().iter().map(|line| line["requestId"].clone()).collect();
    ids.push(family.child.journal.decisions()[0]["requestId"].clone());
    ids.push(family.parent.journal.emitted("permissions:ui_prompt")[0]["requestId"].clone());
    ids.push(family.messages()[0]["id"].clone());
    assert!(ids.iter().all(|id| *id == ids[0] && id.is_string()), "{ids:?}");
}

/// AUTH-013, INBOX-010: the parent's listeners learn who asks.
#[test]
fn inbox_010_the_prompt_event_names_the_requester() {
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE]).start();
    family.child.context.append_agent(Some("Explore"));
    family.child.call("demo", json!({}));
    let event = &family.parent.journal.emitted("permissions:ui_prompt")[0];
    assert_eq!(event["forwarding"], json!({"requesterAgentName": "Explore", "requesterSessionId": "child"}));
    assert_eq!(event["agentName"], "Explore");
    let dialog = &family.parent.journal.dialogs()[0];
    assert!(dialog.message.contains("Explore") && dialog.message.contains("child"), "{}", dialog.message);
}

/// FWD-011: the answer of a parent that waits is there after one interval.
#[test]
fn fwd_011_one_interval() {
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE; 5]).start();
    for _ in 0..5 {
        let before = family.clock().now_ms();
        assert!(family.child.allows("demo", json!({})));
        assert_eq!(family.clock().now_ms() - before, 250);
    }
}

/// AUTH-019, RES-65: the child's own rules answer first.
#[test]
fn res_65_what_the_child_knows_is_not_asked() {
    let policy = json!({"*": "ask", "bash": {"ls": "allow", "rm *": "deny"}});
    let family = make_family().policy(policy).start();
    assert!(family.child.allows("bash", json!({"command": "ls"})));
    assert!(family.child.blocks("bash", json!({"command": "rm x"})).contains("rm x"));
    assert_eq!(family.messages(), Vec::<Value>::new());
}

/// AUTH-020: under the permissive mode no ask leaves the child.
#[test]
fn auth_020_the_permissive_mode_asks_nobody() {
    let family = make_family().config(json!({"yoloMode": true, "permission": {"*": "ask"}})).start();
    family.forget();
    assert!(family.child.allows("demo", json!({})));
    assert_eq!(family.happened(), ["R auto_approved auto_approved", "E demo demo allow auto_approved"]);
    assert_eq!(family.messages(), Vec::<Value>::new());
    let event = &family.child.journal.decisions()[0];
    assert_eq!((&event["origin"], &event["decidedBy"]["kind"]), (&json!("yolo"), &json!("permissive_mode")));
}

/// INBOX-009, HARD-048: the parent's permissive mode answers, and the child says so.
#[test]
fn hard_010_the_permissive_mode_of_the_parent_answers() {
    let child_asks = json!({"yoloMode": false, "permission": {"*": "ask"}});
    let family =
        make_family().config(json!({"yoloMode": true})).child_config(child_asks).parent_policy(json!({"*": "ask"})).start();
    assert!(family.child.allows("demo", json!({})));
    let event = &family.child.journal.decisions()[0];
    assert_eq!(event["resolution"], "forwarded_auto_approved");
    assert_eq!((&event["decidedBy"]["kind"], &event["decidedBy"]["where"]), (&json!("permissive_mode"), &json!("serving")));
    assert_eq!(family.parent.journal.dialogs(), []);
}

/// RES-65: what the child asks and the parent's rules allow is allowed there, and the child says who allowed it.
#[test]
fn res_65_a_rule_of_the_parent_allows() {
    let family = make_family().policy(json!({"*": "ask"})).parent_policy(json!({"bash": {"git *": "allow"}})).start();
    assert!(family.child.allows("bash", json!({"command": "git status"})));
    let event = &family.child.journal.decisions()[0];
    assert_eq!(event["resolution"], "forwarded_policy_allow");
    assert_eq!(event["decidedBy"], json!({"kind": "rule", "where": "serving", "pattern": "git *"}));
    assert_eq!(
        (&event["origin"], &event["matchedPattern"]),
        (&json!("global"), &Value::Null),
        "the child's own rule (INBOX-018)"
    );
    let closing = family.review_log();
    let closing = closing.iter().rev().find(|line| line["event"] == "permission_request.approved").unwrap();
    assert_eq!(closing["resolution"], "forwarded_policy_allow");
}

/// FWD-010, INBOX-004: siblings are served one after another.
#[test]
fn two_children_of_one_parent() {
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE, DENY]).start();
    let sibling = family.join(MemberSetup::new("sibling").child_of("parent"));
    assert!(family.child.allows("demo", json!({})));
    assert!(sibling.blocks("demo", json!({})).contains("The user denied"));
    let from: Vec<Value> = family.messages().iter().filter_map(|m| m.get("requesterSessionId").cloned()).collect();
    assert_eq!(from, ["child", "sibling"]);
    assert_eq!(family.inboxes(), ["parent/"]);
}
