//! The serving side by itself: what it asks of policy and person, and what it writes (FIX-007).

use std::fs;

use portcullis_core::authority::forwarding::Verdict;
use portcullis_core::authority::{DecisionState, PermissionPromptDecision};
use portcullis_core::report::{Cause, DecidedBy, DecidedByKind};
use portcullis_test_fixtures::{ForwardingTempDir, ServerDeps, UiDecision, make_server_deps};
use pretty_assertions::assert_eq;
use rstest::rstest;

fn staged(arrange: impl FnOnce(ServerDeps) -> ServerDeps) -> (ForwardingTempDir, ServerDeps) {
    let dir = ForwardingTempDir::new("parent-session");
    let deps = arrange(make_server_deps(&dir));
    dir.request().created_at(deps.now_ms()).write();
    deps.pass();
    (dir, deps)
}

fn events(deps: &ServerDeps) -> Vec<String> {
    deps.review().iter().map(|line| line["event"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn fix_007_one_ask_one_answer_and_clean_folders() {
    let (dir, deps) = staged(|deps| deps);
    assert_eq!((deps.judged().len(), deps.asked().len()), (1, 1));
    let response = dir.read_response("req-forwarded").expect("an answer");
    assert_eq!((response.state, response.responder_session_id.as_str()), (DecisionState::Approved, "parent-session"));
    let names = ["", "/parent-session", "/parent-session/responses", "/parent-session/responses/req-forwarded.json"];
    let tree = names.map(|name| format!("sessions{name}{}", if name.ends_with("json") { "" } else { "/" }));
    assert_eq!(dir.tree(), tree);
    deps.pass();
    assert_eq!(deps.asked().len(), 1, "an answer is given once");
}

/// The request of an old child: neither source nor display pair, and nothing to store.
#[test]
fn fix_007_degraded_defaults() {
    let (_dir, deps) = staged(|deps| deps);
    let asked = deps.asked();
    let ask = asked.first().expect("one ask");
    assert_eq!(ask.request_id, "req-forwarded");
    assert_eq!(ask.details.source.as_str(), "tool_call");
    assert_eq!(ask.details.agent_name.as_deref(), Some("Explore"));
    assert_eq!((ask.details.tool_name.as_deref(), ask.details.command.as_deref()), (None, None));
    for said in ["Explore", "child-session", "Allow git push?"] {
        assert!(ask.details.message.contains(said), "{}", ask.details.message);
    }
    assert!(ask.suggestion.as_ref().is_none_or(|suggestion| suggestion.pairs.is_empty()));
}

#[rstest]
#[case::rule(Verdict::Deny(DecidedBy { pattern: Some("rm *".into()), ..DecidedBy::own(DecidedByKind::Rule) }), "auto_denied", false)]
#[case::permissive_mode(Verdict::Allow(DecidedBy::own(DecidedByKind::PermissiveMode)), "auto_approved", true)]
fn fix_007_policy_answers_without_a_dialog(#[case] verdict: Verdict, #[case] event: &str, #[case] approved: bool) {
    let (dir, deps) = staged(|deps| deps.verdict(verdict));
    assert_eq!(deps.asked(), []);
    assert_eq!(dir.read_response("req-forwarded").expect("an answer").approved, approved);
    let closing = if approved { "approved" } else { "denied" };
    assert_eq!(events(&deps), [event, closing].map(|word| format!("forwarded_permission.{word}")));
}

#[test]
fn fix_007_missing_responses_are_made_again_without_an_error() {
    let dir = ForwardingTempDir::builder("parent-session").responses_dir(false).build();
    let deps = make_server_deps(&dir);
    dir.request().created_at(deps.now_ms()).write();
    deps.pass();
    assert!(dir.read_response("req-forwarded").is_some());
    assert_eq!(deps.diagnostics(), [""; 0]);
}

fn wide() -> PermissionPromptDecision {
    UiDecision::approved().state(DecisionState::ApprovedForServingSession).build()
}

/// INBOX-012, invariant 4.
#[rstest]
#[case::stored(&[("bash", "git *"), ("path", "/a/*")])]
#[case::nothing_to_store(&[])]
fn inbox_012_the_internal_state_never_travels(#[case] grants: &[(&str, &str)]) {
    let (dir, deps) = staged(|deps| deps.grants(grants).decision(wide()));
    let text = fs::read_to_string(dir.location().response_file("req-forwarded")).expect("an answer");
    assert!(text.contains(r#""state":"approved""#) && !text.contains("serving_session"), "{text}");
    let stored: Vec<(String, String)> = grants.iter().map(|(s, p)| ((*s).to_owned(), (*p).to_owned())).collect();
    assert_eq!(deps.granted(), stored);
}

#[test]
fn inbox_012_this_subagent_only_is_passed_through() {
    let decision = UiDecision::approved().state(DecisionState::ApprovedForSession).build();
    let (dir, deps) = staged(|deps| deps.grants(&[("bash", "git *")]).decision(decision));
    assert_eq!(dir.read_response("req-forwarded").expect("an answer").state, DecisionState::ApprovedForSession);
    assert_eq!(deps.granted(), []);
}

#[test]
fn inbox_016_a_failing_dialog_is_answered() {
    let (dir, deps) = staged(|deps| deps.failing_dialog("the screen is gone"));
    let response = dir.read_response("req-forwarded").expect("an answer");
    assert_eq!(response.state, DecisionState::Denied);
    assert_eq!(response.decided_by.and_then(|who| who.cause), Some(Cause::ServingError));
    assert_eq!(deps.diagnostics().len(), 1);
}

#[test]
fn inbox_017_a_failing_policy_asks() {
    let (dir, deps) = staged(|deps| deps.failing_policy("the policy is gone"));
    assert_eq!(deps.asked().len(), 1);
    assert!(dir.read_response("req-forwarded").expect("an answer").approved);
}

#[test]
fn fwd_d09_a_session_that_has_ended_serves_nobody() {
    let (dir, deps) = staged(ServerDeps::ended);
    assert_eq!((deps.asked().len(), dir.response_files().len()), (0, 0));
    assert_eq!(dir.request_files(), ["req-forwarded.json"]);
}

/// FIX-004: the default id of a context names nobody.
#[test]
fn fix_004_an_empty_id_serves_nothing() {
    let dir = ForwardingTempDir::new("unknown-1");
    dir.request().write();
    let deps = portcullis_test_fixtures::make_escalator_deps().in_dir(&dir).serving("");
    deps.pass();
    assert_eq!((deps.judged().len(), dir.request_files().len()), (0, 1));
}
