use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::*;

const NOW: u64 = 99;

fn minimal() -> Value {
    json!({ "approved": true, "state": "approved", "responderSessionId": "p", "respondedAt": 5 })
}

fn with(key: &str, value: Value) -> Value {
    let mut response = minimal();
    response[key] = value;
    response
}

fn read(response: &Value) -> Result<ForwardedResponse, MessageFault> {
    read_response(response.to_string().as_bytes(), NOW)
}

fn plain() -> ForwardedResponse {
    ForwardedResponse {
        approved: true,
        state: DecisionState::Approved,
        denial_reason: None,
        responder_session_id: "p".into(),
        responded_at: 5,
        version: None,
        nonce: None,
        decided_by: None,
    }
}

#[test]
fn fwd_006_captured_responses() {
    assert_eq!(read(&minimal()), Ok(plain()));
    let denied = json!({"approved": false, "state": "denied", "responderSessionId": "p", "respondedAt": 5});
    assert_eq!(read(&denied), Ok(ForwardedResponse { approved: false, state: DecisionState::Denied, ..plain() }));
    let session = json!({"approved": true, "state": "approved_for_session", "responderSessionId": "p", "respondedAt": 5});
    assert_eq!(read(&session), Ok(ForwardedResponse { state: DecisionState::ApprovedForSession, ..plain() }));
    let reason = json!({
        "approved": false, "state": "denied_with_reason", "denialReason": "too risky", "responderSessionId": "p", "respondedAt": 5
    });
    let expected = ForwardedResponse {
        approved: false,
        state: DecisionState::DeniedWithReason,
        denial_reason: Some("too risky".into()),
        ..plain()
    };
    assert_eq!(read(&reason), Ok(expected));
}

#[rstest]
#[case::approves_a_no(true, "denied_with_reason")]
#[case::approves_a_plain_no(true, "denied")]
#[case::denies_a_yes(false, "approved_for_session")]
#[case::denies_a_plain_yes(false, "approved")]
#[case::internal(true, "approved_for_serving_session")]
#[case::internal_no(false, "approved_for_serving_session")]
fn fwd_d07_contradictions(#[case] approved: bool, #[case] state: &str) {
    let mut response = minimal();
    response["approved"] = json!(approved);
    response["state"] = json!(state);
    assert_eq!(read(&response).expect_err("no response").kind, MessageFaultKind::Contradiction);
}

#[rstest]
#[case::word("state", json!("allow"))]
#[case::upper_case("state", json!("Approved"))]
#[case::state_null("state", json!(null))]
#[case::state_number("state", json!(1))]
#[case::text_for_a_boolean("approved", json!("true"))]
#[case::number_for_a_boolean("approved", json!(1))]
#[case::responder("responderSessionId", json!(null))]
fn fwd_006_invalid_members(#[case] key: &str, #[case] value: Value) {
    assert_eq!(read(&with(key, value)).expect_err("no response").kind, MessageFaultKind::Shape);
}

#[rstest]
#[case("approved")]
#[case("state")]
#[case("responderSessionId")]
fn fwd_006_required_members(#[case] key: &str) {
    let mut response = minimal();
    response.as_object_mut().expect("an object").remove(key);
    assert_eq!(read(&response).expect_err("no response").kind, MessageFaultKind::Shape);
}

#[rstest]
#[case::null("null", MessageFaultKind::Shape)]
#[case::open("{", MessageFaultKind::Unreadable)]
#[case::empty("", MessageFaultKind::Unreadable)]
fn fwd_006_no_response(#[case] text: &str, #[case] kind: MessageFaultKind) {
    assert_eq!(read_response(text.as_bytes(), NOW).expect_err("no response").kind, kind);
}

#[test]
fn fwd_006_optional_members_degrade_singly() {
    assert_eq!(read(&with("denialReason", json!(4))), Ok(plain()));
    assert_eq!(read(&with("denialReason", json!(""))), Ok(ForwardedResponse { denial_reason: Some(String::new()), ..plain() }));
    for value in [json!(null), json!("5")] {
        assert_eq!(read(&with("respondedAt", value)), Ok(ForwardedResponse { responded_at: NOW, ..plain() }));
    }
    assert_eq!(read(&with("responderSessionId", json!(""))).expect("a response").responder_session_id, "");
    let other = read(&with("responderSessionId", json!("someone-else"))).expect("the asker compares it with its target");
    assert_eq!(other.responder_session_id, "someone-else");
    assert_eq!(read(&with("later", json!({}))), Ok(plain()));
}

#[rstest]
#[case::rule(json!({"kind": "rule", "where": "serving", "pattern": "rm *", "reason": "no", "later": 1}),
    Some(DecidedBy { pattern: Some("rm *".into()), reason: Some("no".into()), ..DecidedBy { where_: DecidedWhere::Serving, ..DecidedBy::own(DecidedByKind::Rule) } }))]
#[case::cause(json!({"kind": "transport", "where": "own", "cause": "expired"}),
    Some(DecidedBy { cause: Some(Cause::Expired), ..DecidedBy::own(DecidedByKind::Transport) }))]
#[case::unknown_cause(json!({"kind": "transport", "where": "own", "cause": "later"}), Some(DecidedBy::own(DecidedByKind::Transport)))]
#[case::null(Value::Null, None)]
fn hard_048_who_decided(#[case] value: Value, #[case] expected: Option<DecidedBy>) {
    assert_eq!(read(&with("decidedBy", value)).expect("a response").decided_by, expected);
}

#[rstest]
#[case::unknown_kind(json!({"kind": "later", "where": "own"}))]
#[case::no_kind(json!({"where": "own"}))]
#[case::text(json!("user"))]
fn hard_048_somebody_unknown_passes_for_nobody_else(#[case] value: Value) {
    assert_eq!(read(&with("decidedBy", value)).expect_err("no response").kind, MessageFaultKind::Shape);
}

#[test]
fn fwd_006_what_is_written_reads_back() {
    let response = ForwardedResponse {
        approved: false,
        state: DecisionState::DeniedWithReason,
        denial_reason: Some("no".into()),
        version: Some(2),
        nonce: Some("0123456789abcdef0123456789abcdef".into()),
        decided_by: Some(DecidedBy { where_: DecidedWhere::Serving, ..DecidedBy::own(DecidedByKind::User) }),
        ..plain()
    };
    let text = serde_json::to_string(&response).expect("a text");
    assert_eq!(
        text,
        r#"{"approved":false,"state":"denied_with_reason","denialReason":"no","responderSessionId":"p","respondedAt":5,"version":2,"nonce":"0123456789abcdef0123456789abcdef","decidedBy":{"kind":"user","where":"serving"}}"#
    );
    assert_eq!(read_response(text.as_bytes(), NOW), Ok(response));
    let plain_text = serde_json::to_string(&plain()).expect("a text");
    assert_eq!(plain_text, r#"{"approved":true,"state":"approved","responderSessionId":"p","respondedAt":5}"#);
}

proptest! {
    /// Invariant 6, and FWD-D07: whatever is read as a yes has a state that says so.
    #[test]
    fn fwd_006_never_fails_hard(bytes in prop::collection::vec(any::<u8>(), 0..300), at in 0usize..90, byte in any::<u8>()) {
        let _ = read_response(&bytes, NOW);
        let mut damaged = minimal().to_string().into_bytes();
        if let Some(there) = damaged.get_mut(at) {
            *there = byte;
        }
        if let Ok(response) = read_response(&damaged, NOW) {
            prop_assert_eq!(response.approved, response.state.is_approved());
        }
    }
}
