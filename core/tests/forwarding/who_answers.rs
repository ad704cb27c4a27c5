//! Who answers in which session: detection and selection through whole gates (AUTH-001, AUTH-002, SUB, RES-59).

use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::Clock as _;
use portcullis_test_fixtures::{APPROVE, Family, FamilySetup, MemberSetup, make_family};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

fn asking() -> FamilySetup {
    make_family().policy(json!({"*": "ask"}))
}

fn last_decision(family: &Family) -> Value {
    family.child.journal.decisions().pop().unwrap()
}

fn causes(family: &Family) -> (Value, Value, Value) {
    let event = last_decision(family);
    (event["resolution"].clone(), event["decidedBy"]["kind"].clone(), event["decidedBy"]["cause"].clone())
}

#[test]
fn auth_001_nobodys_child_without_a_person_asks_nobody() {
    let family = asking().child(MemberSetup::new("child")).start();
    let reason = family.child.blocks("demo", json!({}));
    assert!(reason.contains("no interactive user interface"), "{reason}");
    assert_eq!(causes(&family), (json!("confirmation_unavailable"), json!("nobody"), json!("no_authority")));
    assert_eq!((family.messages(), family.inboxes()), (vec![], vec!["parent/".to_owned()]), "invariant 2");
}

/// AUTH-002: chosen anew with every event.
#[test]
fn auth_002_the_latest_event_chooses() {
    let family = asking().answers([APPROVE]).start();
    assert!(family.child.allows("demo", json!({})), "the parent's person");
    family.child.set_ui(Some(vec![APPROVE]));
    assert!(family.child.allows("demo", json!({})), "its own person");
    assert_eq!((family.messages().len(), family.child.journal.dialogs().len()), (2, 1));
    family.child.set_ui(None);
    family.subagents().unregister("child");
    assert!(family.child.blocks("demo", json!({})).contains("no interactive user interface"), "nobody");
}

/// SUB-007, SUB-009, on the parent's bus.
#[test]
fn sub_007_a_child_that_its_parent_announces() {
    let family = asking().child(MemberSetup::new("child")).answers([APPROVE, APPROVE]).start();
    let sibling = family.join(MemberSetup::new("sibling"));
    for child in ["child", "sibling"] {
        family.parent.system.handle_subagent_created(&json!({"sessionId": child, "parentSessionId": "parent"}));
    }
    assert!(family.child.allows("demo", json!({})));
    family.parent.system.handle_subagent_disposed(&json!({"sessionId": "child"}));
    assert!(family.child.blocks("demo", json!({})).contains("no interactive user interface"));
    assert!(sibling.allows("demo", json!({})), "the sibling is still registered");
}

#[test]
fn sub_009_an_ended_session_listens_no_longer_and_leaves_its_children() {
    let family = asking().start();
    let parent = &family.parent;
    parent.session_shutdown();
    parent.system.handle_subagent_disposed(&json!({"sessionId": "child"}));
    parent.system.handle_subagent_created(&json!({"sessionId": "late", "parentSessionId": "parent"}));
    assert_eq!(family.subagents().get("child"), Some(Some("parent".to_owned())));
    assert_eq!(family.subagents().get("late"), None);
    parent.session_start("startup");
    parent.system.handle_subagent_created(&json!({"sessionId": "late", "parentSessionId": "parent"}));
    assert_eq!(family.subagents().get("late"), Some(Some("parent".to_owned())));
}

/// SUB-012 as RES-59 rules it.
#[rstest]
#[case::a_named_parent(&[("PI_SUBAGENT_PARENT_SESSION", "parent")])]
#[case::hint_and_parent(&[("PI_SUBAGENT_CHILD", "1"), ("PI_SUBAGENT_PARENT_SESSION", " parent ")])]
#[case::router_first(&[("PI_AGENT_ROUTER_PARENT_SESSION_ID", "parent"), ("PI_SUBAGENT_PARENT_SESSION", "gone")])]
#[case::router_unknown(&[("PI_AGENT_ROUTER_PARENT_SESSION_ID", "unknown"), ("PI_SUBAGENT_PARENT_SESSION", "parent")])]
fn sub_012_a_process_that_names_a_parent(#[case] variables: &'static [(&'static str, &'static str)]) {
    let child =
        MemberSetup::new("child").with(|host| variables.iter().fold(host, |host, (name, value)| host.variable(name, value)));
    let family = asking().child(child).answers([APPROVE]).start();
    assert!(family.child.allows("demo", json!({})));
    assert_eq!(family.messages()[0]["targetSessionId"], "parent");
}

#[test]
fn sub_012_a_hint_names_no_parent() {
    let child = MemberSetup::new("child").with(|host| host.variable("PI_IS_SUBAGENT", "1"));
    let family = asking().child(child).start();
    let reason = family.child.blocks("demo", json!({}));
    assert!(reason.contains("no session with an interactive user interface is known"), "{reason}");
    assert_eq!(causes(&family), (json!("confirmation_unavailable"), json!("nobody"), json!("no_target")));
    let errors = family.lines("permission_forwarding.error");
    assert_eq!(errors.len(), 1);
    assert_eq!((family.messages(), family.lines("forwarded_permission.request_created")), (vec![], vec![]));
}

#[test]
fn sub_010_a_child_of_its_own() {
    let family = asking().child(MemberSetup::new("child").child_of("child")).start();
    assert!(family.child.blocks("demo", json!({})).contains("the only session to ask is this one"));
    assert_eq!(causes(&family), (json!("confirmation_unavailable"), json!("nobody"), json!("self_target")));
    assert_eq!(family.messages(), Vec::<Value>::new());
}

/// SUB-013 as RES-59 rules it: its own person is asked, whatever else points elsewhere.
#[test]
fn sub_013_a_child_with_a_person_asks_that_one() {
    let family = asking().child(MemberSetup::new("child").child_of("parent").answers([APPROVE])).start();
    assert!(family.child.allows("demo", json!({})));
    assert_eq!((family.messages(), family.child.journal.dialogs().len()), (vec![], 1));
}

/// INBOX-001 as RES-59 rules it: a session with a person serves although a hint says that it is a child.
#[test]
fn res_59_a_person_serves_in_spite_of_hints() {
    let family = asking().start();
    let hinted = family.join(MemberSetup::new("hinted").answers([APPROVE]).with(|host| host.variable("PI_IS_SUBAGENT", "1")));
    let grandchild = family.join(MemberSetup::new("grandchild").child_of("hinted"));
    assert!(grandchild.allows("demo", json!({})));
    assert_eq!(hinted.journal.dialogs().len(), 1);
}

/// SUB-004, SUB-005 with FWD-D14.
#[test]
fn sub_004_the_folder_of_children() {
    let family = asking().child(MemberSetup::new("child")).start();
    let folder = family.world.agent_dir().join("subagent-sessions/child");
    family.child.context.set_session_dir(Some(&folder.to_string_lossy()));
    family.child.blocks("demo", json!({}));
    assert_eq!(causes(&family).2, "no_target", "a child, of an unknown parent");
    family.child.context.fail_session_dir("the folder cannot be told");
    family.child.blocks("demo", json!({}));
    assert_eq!(causes(&family).2, "no_authority", "unknown is no child and no error of the gate");
    family.subagents().register("child", Some("parent"));
    family.child.context.set_session_dir(None);
    family.child.blocks("demo", json!({}));
    assert_eq!(causes(&family).0, "user_denied", "the parent's person dismissed the dialog");
}

/// SUB-015: one hop; a parent that cannot serve is found out in two seconds instead of ten minutes (FWD-D09).
#[test]
fn sub_015_a_grandchild_of_a_child() {
    let family = asking().answers([APPROVE]).start();
    let grandchild = family.join(MemberSetup::new("grandchild").child_of("child"));
    let before = family.clock().now_ms();
    let reason = grandchild.blocks("demo", json!({}));
    assert!(reason.contains("the session to ask is not there"), "{reason}");
    assert_eq!(family.clock().now_ms() - before, 2_000);
    assert_eq!((family.messages(), family.parent.journal.dialogs()), (vec![], vec![]));
}

/// AUTH-003: outside of a session nobody is selected, and the call is blocked.
#[test]
fn auth_003_after_the_end_of_the_session() {
    let family = asking().answers([APPROVE]).start();
    family.child.session_shutdown();
    // A call activates anew (AUTH-002).
    assert_eq!(family.child.call("demo", json!({})), ToolCallAnswer::Allow);
    assert!(family.child.system.service().is_some());
}
