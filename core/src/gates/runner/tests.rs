use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::authority::{AskDetails, AskSource, DecisionState, DialogAnswer, GateSuggestion, unavailable};
use crate::gates::descriptor::GateCheck;
use crate::gates::record::produced;
use crate::gates::test_doubles::{ALLOW, ASK, DENY, World, by_default, by_grant, by_rule, by_yolo, pairs};
use crate::host::HostError;
use crate::policy::PermissionCheckResult;
use crate::report::{Cause, DenialContext};

fn descriptor(result: PermissionCheckResult) -> GateDescriptor {
    let all_allowed = result.state == ALLOW;
    let log = json!({"source": "tool_call", "agentName": "LA", "command": "c"});
    GateDescriptor {
        gate: "tool",
        surface: "bash".to_owned(),
        value: "c".to_owned(),
        denial: DenialContext::BashPath { command: "c".to_owned(), path_value: "p".to_owned(), tool_name: "bash".to_owned() },
        check: GateCheck {
            baseline_state: result.state,
            result,
            questions: Vec::new(),
            deciding: None,
            all_allowed,
            tightenings: Vec::new(),
        },
        ask: AskDetails {
            source: AskSource::ToolCall,
            agent_name: Some("AG".to_owned()),
            message: "May it?".to_owned(),
            full_message: String::new(),
            record_message: String::new(),
            tool_call_id: Some("tc-1".to_owned()),
            tool_name: Some("bash".to_owned()),
            skill_name: None,
            path: None,
            command: Some("c".to_owned()),
            target: None,
            tool_input_preview: None,
            session_label: None,
            both_directions_label: None,
            forwarding: None,
        },
        suggestion: Some(GateSuggestion {
            pairs: pairs(&[("path_read", "/a/*"), ("path_read", "/b/*")]),
            both_directions: pairs(&[("path", "/a/*")]),
        }),
        facts: None,
        log: log.as_object().unwrap().clone(),
    }
}

fn run_gate(world: &World, kind: RunKind, mut gate: GateResult) -> (HostResult<GateRun>, GateTrace) {
    let mut trace = produced(&mut gate);
    let runner = GateRunner::new(world, world, world, world);
    let run = runner.run(kind, &gate, Some("AG"), &mut trace);
    (run, trace)
}

fn run(world: &World, gate: GateDescriptor) -> (HostResult<GateRun>, GateTrace) {
    run_gate(world, RunKind::ToolCall, GateResult::Check(Box::new(gate)))
}

fn reason(run: HostResult<GateRun>) -> Option<String> {
    match run.unwrap().outcome {
        GateOutcome::Allow => None,
        GateOutcome::Block { reason } => Some(reason),
    }
}

#[test]
fn run_001_null_has_no_effects() {
    let world = World::default();
    let (run, trace) = run_gate(&world, RunKind::ToolCall, GateResult::Null { gate: "path", questions: Vec::new() });
    assert_eq!(run, Ok(GateRun::allow()));
    assert_eq!((trace.ran, world.happened.into_inner()), (true, Vec::<String>::new()));
}

#[rstest]
#[case(true, true, &["R infrastructure_auto_allowed -", "E read /ag/x allow infrastructure_auto_allowed"])]
#[case(true, false, &["R infrastructure_auto_allowed -"])]
#[case(false, true, &["E read /ag/x allow infrastructure_auto_allowed"])]
#[case(false, false, &[])]
fn run_002_a_bypass_logs_before_it_emits(#[case] logs: bool, #[case] emits: bool, #[case] expected: &[&str]) {
    let event = PermissionDecisionEvent {
        surface: "read".to_owned(),
        value: "/ag/x".to_owned(),
        result: DecisionResult::Allow,
        resolution: Resolution::InfrastructureAutoAllowed,
        origin: None,
        agent_name: None,
        matched_pattern: None,
        gate: "external-directory".to_owned(),
        request_id: None,
        rule_surface: None,
        decided_by: DecidedBy::own(DecidedByKind::Infrastructure),
    };
    let bypass = GateBypass {
        gate: "external-directory",
        log: logs.then(|| ("permission_request.infrastructure_auto_allowed", LogFields::new())),
        decision: emits.then_some(event),
        questions: Vec::new(),
    };
    let world = World::default();
    let (run, _) = run_gate(&world, RunKind::ToolCall, GateResult::Bypass(Box::new(bypass)));
    assert_eq!((run, world.happened.into_inner()), (Ok(GateRun::allow()), expected.iter().map(|s| (*s).to_owned()).collect()));
}

#[rstest]
#[case("RUN-004 a grant", by_grant("bash", "c *"), &["R session_approved session_approved", "E bash c allow session_approved"])]
#[case("RUN-005 yolo", by_yolo("bash"), &["R auto_approved auto_approved", "E bash c allow auto_approved"])]
#[case("HARD-048 yolo lifts what the grant did not", PermissionCheckResult { origin: Origin::Yolo, ..by_grant("bash", "c *") }, &["R auto_approved auto_approved", "E bash c allow auto_approved"])]
#[case("RUN-006 deny", by_rule("bash", "rm *", DENY), &["R blocked policy_denied", "E bash c deny policy_deny"])]
#[case("RUN-007 allow", by_rule("bash", "*", ALLOW), &["E bash c allow policy_allow"])]
#[case("RUN-007 default", by_default("bash", ALLOW), &["E bash c allow policy_allow"])]
#[case("GATES-D02 a grant on a deny is no hit", PermissionCheckResult { state: DENY, ..by_grant("bash", "c") }, &["R blocked policy_denied", "E bash c deny policy_deny"])]
fn run_without_an_ask(#[case] title: &str, #[case] result: PermissionCheckResult, #[case] expected: &[&str]) {
    let world = World::default();
    let denied = result.state == DENY;
    let (run, trace) = run(&world, descriptor(result));
    assert_eq!(reason(run).is_some(), denied, "{title}");
    assert_eq!(world.happened.into_inner(), expected, "{title}");
    assert_eq!(trace.decision, world.events.into_inner().pop(), "{title}");
}

#[test]
fn run_004_the_line_of_a_grant() {
    let world = World::default();
    let _ = run(&world, descriptor(by_grant("bash", "c *")));
    let expected = json!({
        "source": "tool_call", "agentName": "AG", "command": "c", "resolution": "session_approved", "sessionApprovalPattern": "c *",
    });
    assert_eq!(world.lines.into_inner(), [("permission_request.session_approved".to_owned(), expected)]);
    let by = &world.events.borrow()[0].decided_by;
    assert_eq!((by.kind, by.pattern.as_deref()), (DecidedByKind::SessionGrant, Some("c *")));
}

#[test]
fn run_006_and_013_a_deny_says_which_rule_and_why() {
    let world = World::default();
    let denied = PermissionCheckResult { reason: Some("too risky".to_owned()), ..by_rule("bash", "rm *", DENY) };
    let (run, _) = run(&world, descriptor(denied));
    let reason = reason(run).unwrap();
    for fact in ["[pi-permission-system] ", "AG", "p", "rm *", "too risky"] {
        assert!(reason.contains(fact), "{reason}");
    }
    let expected = PermissionDecisionEvent {
        surface: "bash".to_owned(),
        value: "c".to_owned(),
        result: DecisionResult::Deny,
        resolution: Resolution::PolicyDeny,
        origin: Some(Origin::Global),
        agent_name: Some("AG".to_owned()),
        matched_pattern: Some("rm *".to_owned()),
        gate: "tool".to_owned(),
        request_id: None,
        rule_surface: None,
        decided_by: DecidedBy {
            pattern: Some("rm *".to_owned()),
            reason: Some("too risky".to_owned()),
            ..DecidedBy::own(DecidedByKind::Rule)
        },
    };
    assert_eq!(world.events.into_inner(), [expected]);
}

fn plain(state: DecisionState) -> DialogAnswer {
    DialogAnswer::plain(state)
}

#[rstest]
#[case("once", plain(DecisionState::Approved), &["ask id-1", "E bash c allow user_approved"])]
#[case("session", plain(DecisionState::ApprovedForSession),
    &["ask id-1", "E bash c allow user_approved_for_session", "grant path_read /a/*", "grant path_read /b/*"])]
#[case("both directions", DialogAnswer::both_directions(),
    &["ask id-1", "E bash c allow user_approved_for_session", "grant path /a/*"])]
#[case("serving session", plain(DecisionState::ApprovedForServingSession), &["ask id-1", "E bash c allow user_approved"])]
#[case("no", plain(DecisionState::Denied), &["ask id-1", "E bash c deny user_denied"])]
#[case("no, and why", DialogAnswer::denied("because"), &["ask id-1", "E bash c deny user_denied"])]
fn run_010_and_011_answers(#[case] title: &str, #[case] answer: DialogAnswer, #[case] expected: &[&str]) {
    let world = World::answering(vec![answer.clone()]);
    let (run, trace) = run(&world, descriptor(by_rule("bash", "*", ASK)));
    let run = run.unwrap();
    assert_eq!(world.happened.into_inner(), expected, "{title}");
    let stored = expected.iter().any(|line| line.starts_with("grant"));
    assert_eq!(run.granted, stored, "{title}");
    // RES-37: one id from the ask to the event.
    let event = &world.events.borrow()[0];
    assert_eq!((event.request_id.as_deref(), event.decided_by.kind), (Some("id-1"), DecidedByKind::User), "{title}");
    let ask = trace.ask.unwrap();
    assert_eq!((ask.answer.as_str(), ask.stored), (answer.state.as_str(), stored), "{title}");
    match run.outcome {
        GateOutcome::Allow => assert!(answer.state.is_approved(), "{title}"),
        GateOutcome::Block { reason } => {
            assert!(reason.starts_with("[pi-permission-system] "), "{title}: {reason}");
            assert_eq!(reason.contains("because"), answer.denial_reason.is_some(), "{title}: {reason}");
        }
    }
}

#[rstest]
#[case("an empty suggestion", Some(GateSuggestion::default()))]
#[case("no suggestion", None)]
fn run_010_nothing_to_store_approves_once(#[case] title: &str, #[case] suggestion: Option<GateSuggestion>) {
    let world = World::answering(vec![plain(DecisionState::ApprovedForSession)]);
    let gate = GateDescriptor { suggestion: suggestion.clone(), ..descriptor(by_rule("bash", "*", ASK)) };
    let (run, _) = run(&world, gate);
    assert_eq!(run, Ok(GateRun::allow()), "{title}");
    assert_eq!(world.happened.into_inner(), ["ask id-1", "E bash c allow user_approved"], "{title}");
    assert_eq!(world.asks.borrow()[0].suggestion, suggestion, "RUN-009: {title}");
}

#[rstest]
#[case(Cause::NoAuthority, "no interactive")]
#[case(Cause::Timeout, "timed out")]
#[case(Cause::SessionEnded, "session ended")]
fn hard_048_nobody_answered_is_never_a_users_no(#[case] cause: Cause, #[case] words: &str) {
    let world = World::default();
    world.answers.borrow_mut().push(unavailable(DecidedByKind::Nobody, cause));
    let (run, trace) = run(&world, descriptor(by_rule("bash", "*", ASK)));
    let reason = reason(run).unwrap();
    assert!(reason.contains(words) && !reason.contains("user denied"), "{reason}");
    assert_eq!(world.happened.into_inner(), ["ask id-1", "E bash c deny confirmation_unavailable"]);
    assert_eq!(trace.ask.unwrap().answer, "confirmation_unavailable");
    assert_eq!(world.events.borrow()[0].decided_by.cause, Some(cause));
}

#[rstest]
#[case(DecidedByKind::Link, true, Resolution::LinkApproved)]
#[case(DecidedByKind::Link, false, Resolution::LinkDenied)]
#[case(DecidedByKind::Rule, true, Resolution::ForwardedPolicyAllow)]
#[case(DecidedByKind::Rule, false, Resolution::ForwardedPolicyDeny)]
#[case(DecidedByKind::SessionGrant, true, Resolution::ForwardedSessionApproved)]
#[case(DecidedByKind::PermissiveMode, true, Resolution::ForwardedAutoApproved)]
#[case(DecidedByKind::Transport, false, Resolution::ConfirmationUnavailable)]
fn res_38_who_decided(#[case] kind: DecidedByKind, #[case] yes: bool, #[case] expected: Resolution) {
    let state = if yes { DecisionState::Approved } else { DecisionState::Denied };
    let mut answer = plain(state).into_decision();
    answer.decided_by.kind = kind;
    let world = World::default();
    world.answers.borrow_mut().push(answer);
    let (run, _) = run(&world, descriptor(by_rule("bash", "*", ASK)));
    assert_eq!(world.events.borrow()[0].resolution, expected);
    assert_eq!(reason(run).is_none(), yes);
}

#[test]
fn run_005_an_ask_with_the_modes_origin_is_put_to_the_person() {
    let world = World::answering(vec![plain(DecisionState::Approved)]);
    let asked = PermissionCheckResult { state: ASK, ..by_yolo("bash") };
    let _ = run(&world, descriptor(asked));
    assert_eq!(world.happened.into_inner(), ["ask id-1", "E bash c allow user_approved"]);
    assert_eq!(world.events.borrow()[0].origin, Some(Origin::Yolo));
}

#[test]
fn run_014_a_failing_authority_is_an_error_without_an_event() {
    let world = World::default();
    let (run, trace) = run(&world, descriptor(by_rule("bash", "*", ASK)));
    assert_eq!(run, Err(HostError::new("ui broke")));
    assert_eq!(world.happened.into_inner(), ["ask id-1"]);
    assert_eq!(trace.ask.map(|ask| ask.answer), Some("gate_error".to_owned()));
}

#[rstest]
#[case(by_rule("bash", "*", DENY))]
#[case(by_grant("bash", "*"))]
#[case(by_yolo("bash"))]
fn run_014_a_failing_log_is_an_error_without_an_event(#[case] result: PermissionCheckResult) {
    let world = World { log_fails: true, ..World::default() };
    let (run, _) = run(&world, descriptor(result));
    assert_eq!(run, Err(HostError::new("log broke")));
    assert_eq!(world.happened.into_inner(), Vec::<String>::new());
}

#[test]
fn pipe_012_a_typed_skill_has_ids_of_its_own() {
    let world = World::answering(vec![plain(DecisionState::Approved)]);
    let gate = GateResult::Check(Box::new(descriptor(by_rule("skill", "*", ASK))));
    let _ = run_gate(&world, RunKind::SkillInput, gate);
    assert_eq!(world.happened.borrow()[0], "ask skill-input-1");
}

/// How often somebody is asked, and what the gate itself writes: nothing for an ask (AUTH-015 writes that).
#[rstest]
#[case::allow(ALLOW, None, 0, &[], None)]
#[case::deny(DENY, None, 0, &["permission_request.blocked"], Some("not permitted"))]
#[case::approved(ASK, Some(plain(DecisionState::Approved)), 1, &[], None)]
#[case::for_session(ASK, Some(plain(DecisionState::ApprovedForSession)), 1, &[], None)]
#[case::for_serving_session(ASK, Some(plain(DecisionState::ApprovedForServingSession)), 1, &[], None)]
#[case::denied(ASK, Some(plain(DecisionState::Denied)), 1, &[], Some("The user denied"))]
#[case::with_reason(ASK, Some(DialogAnswer::denied("too risky")), 1, &[], Some("too risky"))]
fn auth_017_who_is_asked_and_what_is_written(
    #[case] state: PermissionState,
    #[case] answer: Option<DialogAnswer>,
    #[case] asks: usize,
    #[case] entries: &[&str],
    #[case] blocked: Option<&str>,
) {
    let world = World::answering(answer.into_iter().collect());
    let (run, _) = run(&world, descriptor(by_rule("bash", "*", state)));
    let written: Vec<String> = world.lines.borrow().iter().map(|(event, _)| event.clone()).collect();
    assert_eq!((world.asks.borrow().len(), written), (asks, entries.iter().map(|entry| (*entry).to_owned()).collect()));
    let reason = reason(run);
    assert_eq!(reason.is_some(), blocked.is_some());
    assert!(reason.unwrap_or_default().contains(blocked.unwrap_or_default()));
    let lines = world.lines.borrow();
    assert!(lines.iter().all(|(_, fields)| fields["resolution"] == "policy_denied"));
}
