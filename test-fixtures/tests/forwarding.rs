//! The forwarding fixtures themselves (FIX-001 to FIX-008): defaults, deviations, and that nothing is left behind.

use std::panic::{AssertUnwindSafe, catch_unwind};

use portcullis_core::authority::DecisionState;
use portcullis_core::host::{Clock as _, HostContext as _, Waiter as _};
use portcullis_test_fixtures::{
    APPROVE, ForwardingTempDir, SubagentEntry, Timeline, UiDecision, make_escalator_deps, make_family, make_forwarder_context,
    make_subagent_registry, make_ui_decision,
};
use pretty_assertions::assert_eq;
use serde_json::json;

/// FIX-001: both folders, or one; the tree goes away, in a panic too, unless it is kept.
#[test]
fn fix_001_an_inbox_on_disk() {
    let dir = ForwardingTempDir::new("parent-session");
    let folders =
        ["sessions/", "sessions/parent-session/", "sessions/parent-session/requests/", "sessions/parent-session/responses/"];
    assert_eq!(dir.tree(), folders);
    let without = ForwardingTempDir::builder("parent-session").responses_dir(false).build();
    assert_eq!(without.tree(), folders[..3]);
    let root = without.forwarding_dir().to_path_buf();
    let panicked = catch_unwind(AssertUnwindSafe(move || {
        assert_eq!(without.tree(), Vec::<String>::new(), "on purpose");
    }));
    assert!(panicked.is_err() && !root.exists());
    let kept = dir.into_path();
    assert!(kept.join("forwarding/sessions/parent-session/requests").is_dir());
    std::fs::remove_dir_all(kept).unwrap();
}

/// FIX-002: the request of an old child; overrides replace whole members.
#[test]
fn fix_002_a_request_of_an_old_child() {
    let dir = ForwardingTempDir::new("parent-session");
    let written = dir.request().created_at(7).write();
    assert_eq!(
        written,
        json!({
            "id": "req-forwarded", "createdAt": 7, "requesterSessionId": "child-session", "targetSessionId": "parent-session",
            "requesterAgentName": "Explore", "message": "Allow git push?",
        })
    );
    assert_eq!(dir.request_files(), ["req-forwarded.json"]);
    dir.request().id("x").file_name("f.json").write();
    dir.request().file_name("bad.json").raw("{").write();
    assert_eq!(dir.request_files(), ["bad.json", "f.json", "req-forwarded.json"]);
    assert_eq!(dir.read_request("bad"), None);
}

/// FIX-003: the folder that nobody named does not exist, and stays so.
#[test]
fn fix_003_collaborators_with_a_root_that_is_not_there() {
    let (one, two) = (make_escalator_deps(), make_escalator_deps());
    let place = |deps: &portcullis_test_fixtures::EscalatorDeps| deps.root.location("p").unwrap().session_dir().to_owned();
    assert!(!std::path::Path::new(&place(&one)).exists());
    assert_ne!(place(&one), place(&two));
    assert_eq!((one.review(), one.diagnostics()), (Vec::new(), Vec::new()));
}

/// FIX-004: nobody, until an id is set.
#[test]
fn fix_004_a_context_without_an_id() {
    let context = make_forwarder_context();
    assert_eq!((context.session_id().as_deref(), context.user_interface().is_none()), (Some(""), true));
    context.set_session_id(Some("p"));
    assert_eq!(context.session_id().as_deref(), Some("p"));
}

/// FIX-005: a yes, and its deviations.
#[test]
fn fix_005_a_decision_in_memory() {
    let yes = make_ui_decision();
    assert_eq!((yes.state, yes.denial_reason.as_deref(), yes.confirmation_unavailable), (DecisionState::Approved, None, false));
    let no = UiDecision::approved().denied_with_reason("why").build();
    assert_eq!((no.state, no.denial_reason.as_deref()), (DecisionState::DeniedWithReason, Some("why")));
}

/// FIX-006: no entry, an entry without a parent, one with.
#[test]
fn fix_006_a_registry() {
    let entry = |entry| make_subagent_registry("c", entry).get("c");
    assert_eq!(entry(None), None);
    assert_eq!(entry(Some(SubagentEntry::default())), Some(None));
    assert_eq!(entry(Some(SubagentEntry::of("p"))), Some(Some("p".to_owned())));
}

/// FIX-008: whole sessions with a scripted person on a clock that stands still between two events.
#[test]
fn fix_008_whole_sessions_and_a_clock() {
    let family = make_family().policy(json!({ "*": "ask" })).answers([APPROVE]).start();
    let before = family.clock().now_ms();
    assert!(family.child.allows("bash", json!({ "command": "git push" })));
    let took = family.clock().now_ms() - before;
    assert!((1..=500).contains(&took), "{took} ms of the clock");
    assert_eq!(family.lines("forwarded_permission.prompted").len(), 1);
    let timeline = Timeline::starting_at(0);
    timeline.wait_ms(600_000);
    assert_eq!(timeline.now_ms(), 600_000);
}
