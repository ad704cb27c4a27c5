use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::*;

const NONCE: &str = "00112233445566778899aabbccddeeff";

/// A response of the target with these members in place of the usual ones.
fn read(members: &Value) -> Result<PermissionPromptDecision, String> {
    let mut response = json!({
        "approved": true, "state": "approved", "responderSessionId": "p", "respondedAt": 5, "version": 2, "nonce": NONCE,
        "decidedBy": {"kind": "user", "where": "own"},
    });
    for (key, value) in members.as_object().unwrap() {
        response[key] = value.clone();
    }
    let expected = Expected { nonce: NONCE, target: "p" };
    read_answer(response.to_string().as_bytes(), 9, &expected).map(|answer| answer.decision)
}

fn decided(state: DecisionState, by: DecidedBy) -> PermissionPromptDecision {
    PermissionPromptDecision {
        state,
        both_directions: false,
        denial_reason: None,
        confirmation_unavailable: false,
        decided_by: DecidedBy { where_: DecidedWhere::Serving, ..by },
    }
}

fn serving(kind: DecidedByKind) -> DecidedBy {
    DecidedBy { where_: DecidedWhere::Serving, ..DecidedBy::own(kind) }
}

#[rstest]
#[case::c1(true, "approved", DecisionState::Approved)]
#[case::c3(true, "approved_for_session", DecisionState::ApprovedForSession)]
#[case::c9(false, "denied", DecisionState::Denied)]
fn auth_004_a_person_answered(#[case] approved: bool, #[case] state: &str, #[case] expected: DecisionState) {
    let answer = read(&json!({"approved": approved, "state": state}));
    assert_eq!(answer, Ok(decided(expected, DecidedBy::own(DecidedByKind::User))));
}

#[test]
fn auth_007_a_persons_reason_is_trimmed() {
    let answer = read(&json!({"approved": false, "state": "denied_with_reason", "denialReason": "  too\nrisky  "}));
    let by = DecidedBy { reason: Some("too\nrisky".to_owned()), ..serving(DecidedByKind::User) };
    let expected =
        PermissionPromptDecision { denial_reason: Some("too\nrisky".to_owned()), ..decided(DecisionState::DeniedWithReason, by) };
    assert_eq!(answer, Ok(expected));
}

#[rstest]
#[case(json!("  "))]
#[case(json!(""))]
#[case(json!(4))]
#[case(Value::Null)]
fn auth_007_a_blank_reason_is_a_plain_no(#[case] reason: Value) {
    let answer = read(&json!({"approved": false, "state": "denied_with_reason", "denialReason": reason}));
    assert_eq!(answer, Ok(decided(DecisionState::Denied, DecidedBy::own(DecidedByKind::User))));
}

#[test]
fn invariant_5_a_plain_no_has_no_reason() {
    let answer = read(&json!({"approved": false, "state": "denied", "denialReason": "smuggled"}));
    assert_eq!(answer, Ok(decided(DecisionState::Denied, DecidedBy::own(DecidedByKind::User))));
}

#[test]
fn hard_048_a_rule_of_the_serving_session_tells_pattern_and_reason() {
    let by = json!({"kind": "rule", "where": "own", "pattern": "rm *", "reason": "use trash"});
    let answer = read(&json!({"approved": false, "state": "denied", "decidedBy": by}));
    let expected =
        DecidedBy { pattern: Some("rm *".to_owned()), reason: Some("use trash".to_owned()), ..serving(DecidedByKind::Rule) };
    assert_eq!(answer, Ok(decided(DecisionState::Denied, expected)));
}

#[rstest]
#[case("rule", DecidedByKind::Rule)]
#[case("session_grant", DecidedByKind::SessionGrant)]
#[case("permissive_mode", DecidedByKind::PermissiveMode)]
#[case("link", DecidedByKind::Link)]
fn res_65_the_serving_session_decided_by_itself(#[case] word: &str, #[case] kind: DecidedByKind) {
    assert_eq!(read(&json!({"decidedBy": {"kind": word}})), Ok(decided(DecisionState::Approved, DecidedBy::own(kind))));
}

#[rstest]
#[case("nobody", "session_ended", DecidedByKind::Nobody, Cause::SessionEnded)]
#[case("transport", "expired", DecidedByKind::Transport, Cause::Expired)]
#[case("transport", "invalid_request", DecidedByKind::Transport, Cause::InvalidRequest)]
#[case("gate_error", "", DecidedByKind::GateError, Cause::ServingError)]
fn hard_048_nobodys_decision_is_nobodys_no(
    #[case] kind: &str,
    #[case] cause: &str,
    #[case] expected: DecidedByKind,
    #[case] by_cause: Cause,
) {
    let by = json!({"kind": kind, "cause": cause});
    let answer = read(&json!({"approved": false, "state": "denied", "decidedBy": by}));
    let by = DecidedBy { cause: Some(by_cause), ..serving(expected) };
    assert_eq!(answer, Ok(PermissionPromptDecision { confirmation_unavailable: true, ..decided(DecisionState::Denied, by) }));
}

/// Neither a machine nor nobody says what only a person may.
#[rstest]
#[case("rule", true, "approved_for_session")]
#[case("link", true, "approved_for_session")]
#[case("session_grant", true, "approved_for_session")]
#[case("session_grant", false, "denied")]
#[case("permissive_mode", false, "denied")]
#[case("infrastructure", true, "approved")]
#[case("nobody", true, "approved")]
#[case("transport", true, "approved_for_session")]
#[case("gate_error", true, "approved")]
#[case("invalid_call", true, "approved")]
fn res_61_who_decided_has_to_fit_what_was_decided(#[case] kind: &str, #[case] approved: bool, #[case] state: &str) {
    let answer = read(&json!({"approved": approved, "state": state, "decidedBy": {"kind": kind}}));
    assert_eq!(answer, Err("what was decided does not fit who decided".to_owned()));
}

#[rstest]
#[case::another(json!({"nonce": "ffffffffffffffffffffffffffffffff"}))]
#[case::none(json!({"nonce": null}))]
#[case::empty(json!({"nonce": ""}))]
fn fwd_d08_the_nonce_is_echoed(#[case] members: Value) {
    assert_eq!(read(&members), Err("the response does not echo the nonce of the request".to_owned()));
}

#[rstest]
#[case("someone-else", false)]
#[case("", false)]
#[case("P", false)]
#[case(" p ", true)]
fn fwd_d08_the_responder_is_the_target(#[case] responder: &str, #[case] believed: bool) {
    let answer = read(&json!({"responderSessionId": responder}));
    assert_eq!(answer.is_ok(), believed, "{answer:?}");
}

#[rstest]
#[case::contradiction(json!({"approved": false, "state": "approved"}))]
#[case::contradiction(json!({"approved": true, "state": "denied_with_reason"}))]
#[case::internal(json!({"approved": true, "state": "approved_for_serving_session"}))]
#[case::unknown(json!({"approved": true, "state": "allow"}))]
#[case::shape(json!({"approved": "true"}))]
fn fwd_d07_what_is_no_response_is_no_answer(#[case] members: Value) {
    assert!(read(&members).is_err());
}
