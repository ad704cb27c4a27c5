use std::sync::Mutex;

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::*;
use crate::authority::{AskSource, DecisionState, DenyingAuthority, DialogAnswer, GateSuggestion};

#[derive(Default)]
struct Lines(Mutex<Vec<(String, Value)>>);

impl ReviewLogWriter for Lines {
    fn write_review_log(&self, event: &str, fields: Map<String, Value>) -> HostResult<()> {
        self.0.lock().unwrap().push((event.to_owned(), Value::Object(fields)));
        Ok(())
    }
}

struct Answers(HostResult<PermissionPromptDecision>);

impl Authorizer for Answers {
    fn authorize(&self, _ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        self.0.clone()
    }
}

fn ask() -> PromptPermissionDetails {
    PromptPermissionDetails {
        request_id: "1796040000000-abc-7".to_owned(),
        details: AskDetails {
            source: AskSource::ToolCall,
            agent_name: None,
            message: "May it?".to_owned(),
            full_message: String::new(),
            record_message: String::new(),
            tool_call_id: Some("tc-1".to_owned()),
            tool_name: Some("bash".to_owned()),
            skill_name: None,
            path: None,
            command: Some("make all".to_owned()),
            target: None,
            tool_input_preview: None,
            session_label: Some("not logged".to_owned()),
            both_directions_label: None,
            forwarding: None,
        },
        suggestion: Some(GateSuggestion {
            pairs: vec![("path_read".to_owned(), "/a/*".to_owned())],
            both_directions: vec![("path".to_owned(), "/a/*".to_owned())],
        }),
        facts: None,
    }
}

fn line(resolution: Value, denial_reason: Value) -> Value {
    json!({
        "requestId": "1796040000000-abc-7", "source": "tool_call", "agentName": null, "message": "May it?",
        "toolCallId": "tc-1", "toolName": "bash", "skillName": null, "path": null, "command": "make all", "target": null,
        "toolInputPreview": null, "resolution": resolution, "denialReason": denial_reason,
    })
}

fn run(authority: Option<Arc<dyn Authorizer>>) -> (HostResult<PermissionPromptDecision>, Vec<(String, Value)>) {
    let lines = Lines::default();
    let answer = AskPrompter::new(&lines, authority).prompt_permission(&ask());
    (answer, lines.0.into_inner().unwrap())
}

#[rstest]
#[case("AUTH-015 approved", DialogAnswer::plain(DecisionState::Approved), "approved", json!("approved"), json!(null))]
#[case("AUTH-015 denied", DialogAnswer::plain(DecisionState::Denied), "denied", json!("denied"), json!(null))]
#[case("AUTH-015 with a reason", DialogAnswer::denied(" too risky "), "denied", json!("denied_with_reason"), json!("too risky"))]
fn auth_015_bracket(
    #[case] title: &str,
    #[case] answer: DialogAnswer,
    #[case] end: &str,
    #[case] resolution: Value,
    #[case] reason: Value,
) {
    let decision = answer.into_decision();
    let (given, lines) = run(Some(Arc::new(Answers(Ok(decision.clone())))));
    assert_eq!(given, Ok(decision), "{title}");
    let expected = [
        ("permission_request.waiting".to_owned(), line(Value::Null, Value::Null)),
        (format!("permission_request.{end}"), line(resolution, reason)),
    ];
    assert_eq!(lines, expected, "{title}");
}

#[rstest]
#[case(DialogAnswer::plain(DecisionState::ApprovedForSession), "path_read")]
#[case(DialogAnswer::both_directions(), "path")]
fn hard_040_the_log_names_the_width(#[case] answer: DialogAnswer, #[case] surface: &str) {
    let (_, lines) = run(Some(Arc::new(Answers(Ok(answer.into_decision())))));
    let mut expected = line(json!("approved_for_session"), Value::Null);
    expected["granted"] = json!([{"surface": surface, "pattern": "/a/*"}]);
    assert_eq!(lines[1], ("permission_request.approved".to_owned(), expected));
}

#[test]
fn auth_015_nobody_to_ask() {
    let (answer, lines) = run(Some(Arc::new(DenyingAuthority)));
    let answer = answer.unwrap();
    assert!(!answer.is_approved());
    assert!(answer.confirmation_unavailable);
    let closed = line(json!("confirmation_unavailable"), Value::Null);
    assert_eq!(lines[1], ("permission_request.denied".to_owned(), closed));
}

#[rstest]
#[case("AUTH-016, FWD-D13", Some("ui broke"), "ui broke")]
#[case("AUTH-003", None, "no authority is selected for this session")]
fn a_failing_authority_closes_the_bracket(#[case] title: &str, #[case] fault: Option<&str>, #[case] message: &str) {
    let authority = fault.map(|fault| Arc::new(Answers(Err(HostError::new(fault)))) as Arc<dyn Authorizer>);
    let (answer, lines) = run(authority);
    assert_eq!(answer, Err(HostError::new(message)), "{title}");
    let events: Vec<_> = lines.iter().map(|(event, fields)| (event.as_str(), fields["resolution"].clone())).collect();
    let expected = [("permission_request.waiting", Value::Null), ("permission_request.denied", json!("gate_error"))];
    assert_eq!(events, expected, "{title}");
}

#[test]
fn fwd_d13_an_authority_that_panics_closes_the_bracket_too() {
    struct Panics;
    impl Authorizer for Panics {
        fn authorize(&self, _ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
            panic!("the dialog broke")
        }
    }
    let (answer, lines) = run(Some(Arc::new(Panics)));
    assert_eq!(answer, Err(HostError::new("the dialog broke")));
    let events: Vec<_> = lines.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(events, ["permission_request.waiting", "permission_request.denied"]);
}
