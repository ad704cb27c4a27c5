use std::sync::Mutex;

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    DECISION_CHANNEL, ExplicitDisplay, READY_CHANNEL, Requester, UI_PROMPT_CHANNEL, UiPromptFacts, broadcast, decision_payload,
    ready_payload, ui_prompt_payload,
};
use crate::host::{EventBus, HostError, HostResult};
use crate::policy::Origin;
use crate::report::{DecidedBy, DecidedByKind, DecisionResult, PermissionDecisionEvent, Resolution};

/// EVT-001: the three channels.
#[test]
fn evt_001_channels() {
    assert_eq!(
        [READY_CHANNEL, UI_PROMPT_CHANNEL, DECISION_CHANNEL],
        ["permissions:ready", "permissions:ui_prompt", "permissions:decision"]
    );
}

#[test]
fn res_64_ready_names_the_session_and_whether_it_answers() {
    assert_eq!(ready_payload(Some("s"), true), json!({"sessionId": "s", "adjudicates": true}));
    assert_eq!(ready_payload(None, false), json!({"sessionId": null, "adjudicates": false}));
}

/// EVT-002: the payload of a bash ask, members in order.
#[test]
fn evt_002_a_bash_ask() {
    let facts = UiPromptFacts {
        request_id: "tc-1",
        source: "tool_call",
        message: "m",
        tool_name: Some("bash"),
        command: Some("make all"),
        ..UiPromptFacts::default()
    };
    assert_eq!(
        ui_prompt_payload(&facts).to_string(),
        r#"{"requestId":"tc-1","source":"tool_call","surface":"bash","value":"make all","agentName":null,"message":"m","forwarding":null}"#
    );
}

#[test]
fn auth_013_forwarding_names_who_asks() {
    let requester = Requester { agent_name: Some("E'"), session_id: None };
    let facts = UiPromptFacts { forwarding: Some(requester), agent_name: Some("A"), ..UiPromptFacts::default() };
    let payload = ui_prompt_payload(&facts);
    assert_eq!(payload["forwarding"], json!({"requesterAgentName": "E'", "requesterSessionId": null}));
    assert_eq!(payload["agentName"], json!("A"));
}

/// EVT-003, AUTH-013: surface and value.
#[rstest]
#[case::empty_command(UiPromptFacts { tool_name: Some("bash"), command: Some(""), path: Some("p"), ..tool() }, Some("bash"), Some(""))]
#[case::path_before_target(UiPromptFacts { tool_name: Some("t"), path: Some("p"), target: Some("tg"), ..tool() }, Some("t"), Some("p"))]
#[case::skill_read(UiPromptFacts { source: "skill_read", tool_name: Some("read"), path: Some("/p"), skill_name: Some("s"), ..tool() }, Some("skill"), Some("/p"))]
#[case::skill_input(UiPromptFacts { source: "skill_input", skill_name: Some("s"), ..tool() }, Some("skill"), Some("s"))]
#[case::nothing(tool(), None, None)]
#[case::explicit_nulls(UiPromptFacts { command: Some("c"), explicit: Some(ExplicitDisplay { surface: None, value: None }), ..tool() }, None, None)]
#[case::explicit_empty(UiPromptFacts { tool_name: Some("t"), explicit: Some(ExplicitDisplay { surface: Some(""), value: Some("") }), ..tool() }, Some(""), Some(""))]
#[case::write(UiPromptFacts { tool_name: Some("write"), ..tool() }, Some("write"), Some("write"))]
#[case::outside(UiPromptFacts { tool_name: Some("read"), path: Some("/p"), ..tool() }, Some("read"), Some("/p"))]
#[case::command_before_path(UiPromptFacts { tool_name: Some("bash"), command: Some("c"), path: Some("p"), ..tool() }, Some("bash"), Some("c"))]
#[case::target(UiPromptFacts { tool_name: Some("mcp"), target: Some("t"), ..tool() }, Some("mcp"), Some("t"))]
#[case::tool_alone(UiPromptFacts { tool_name: Some("demo"), ..tool() }, Some("demo"), Some("demo"))]
fn evt_003_surface_and_value(#[case] facts: UiPromptFacts<'_>, #[case] surface: Option<&str>, #[case] value: Option<&str>) {
    let payload = ui_prompt_payload(&facts);
    assert_eq!((&payload["surface"], &payload["value"]), (&json!(surface), &json!(value)));
}

fn tool() -> UiPromptFacts<'static> {
    UiPromptFacts { source: "tool_call", ..UiPromptFacts::default() }
}

/// RES-41: values are raw, but masked.
#[test]
fn res_41_values_are_raw_but_masked() {
    let facts = UiPromptFacts { tool_name: Some("bash"), command: Some("TOKEN=v x\u{1b}\n"), ..tool() };
    assert_eq!(ui_prompt_payload(&facts)["value"], json!("TOKEN=[redacted] x\u{1b}\n"));
}

fn event() -> PermissionDecisionEvent {
    PermissionDecisionEvent {
        surface: "bash".into(),
        value: "rm a".into(),
        result: DecisionResult::Deny,
        resolution: Resolution::PolicyDeny,
        origin: Some(Origin::Global),
        agent_name: None,
        matched_pattern: Some("rm *".into()),
        gate: "tool".into(),
        request_id: None,
        rule_surface: None,
        decided_by: DecidedBy { pattern: Some("rm *".into()), ..DecidedBy::own(DecidedByKind::Rule) },
    }
}

/// EVT-004, RES-42: the seven members first, then the ids and names of section 6; nulls are written.
#[test]
fn evt_004_a_denied_command() {
    assert_eq!(
        decision_payload(&event()).to_string(),
        concat!(
            r#"{"surface":"bash","value":"rm a","result":"deny","resolution":"policy_deny","origin":"global","agentName":null,"#,
            r#""matchedPattern":"rm *","gate":"tool","decidedBy":{"kind":"rule","where":"own","pattern":"rm *"}}"#
        )
    );
}

/// A granted pattern may be the text of a command; one that a person wrote into a file stays as written (RES-17).
#[rstest]
#[case::granted(Origin::Session, DecidedByKind::SessionGrant, true, true)]
#[case::written(Origin::Global, DecidedByKind::Rule, false, false)]
#[case::granted_elsewhere(Origin::Global, DecidedByKind::SessionGrant, false, true)]
fn hard_052_a_granted_pattern_carries_no_credentials(
    #[case] origin: Origin,
    #[case] kind: DecidedByKind,
    #[case] matched_is_masked: bool,
    #[case] decided_is_masked: bool,
) {
    let shown = |masked| json!(format!("python3 -c 'API_TOKEN={} x'", if masked { "[redacted]" } else { "hunter2" }));
    let pattern = Some("python3 -c 'API_TOKEN=hunter2 x'".to_owned());
    let decided_by = DecidedBy { pattern: pattern.clone(), ..DecidedBy::own(kind) };
    let payload =
        decision_payload(&PermissionDecisionEvent { origin: Some(origin), matched_pattern: pattern, decided_by, ..event() });
    assert_eq!(payload["matchedPattern"], shown(matched_is_masked));
    assert_eq!(payload["decidedBy"]["pattern"], shown(decided_is_masked));
}

#[test]
fn hard_052_a_decision_carries_no_credentials() {
    let mut event = event();
    event.value = "TOKEN=v x".into();
    event.decided_by.reason = Some("no --password v here".into());
    let payload = decision_payload(&event);
    assert_eq!(payload["value"], json!("TOKEN=[redacted] x"));
    assert_eq!(payload["decidedBy"]["reason"], json!("no --password [redacted] here"));
}

struct BrokenBus(Mutex<Vec<String>>);

impl EventBus for BrokenBus {
    fn emit(&self, channel: &str, _payload: &Value) -> HostResult<()> {
        self.0.lock().unwrap().push(channel.to_owned());
        Err(HostError::new("bus"))
    }
}

/// AUTH-014: best effort on all three.
#[test]
fn auth_014_a_broken_bus_disturbs_nobody() {
    let bus = BrokenBus(Mutex::default());
    for channel in [READY_CHANNEL, UI_PROMPT_CHANNEL, DECISION_CHANNEL] {
        broadcast(&bus, channel, &json!({}));
    }
    assert_eq!(*bus.0.lock().unwrap(), [READY_CHANNEL, UI_PROMPT_CHANNEL, DECISION_CHANNEL]);
}
