use std::sync::Arc;

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{render_trace, who};
use crate::policy::{
    ConsideredRule, Direction, Layer, LossReason, Origin, PermissionState, QuestionStep, QuestionTrace, Rule, RuleLocation,
    Source, Tightening,
};
use crate::report::{
    AskTrace, CallEnd, CallTrace, Cause, DecidedBy, DecidedByKind, DecidedWhere, DecisionResult, GateOutcomeTrace, GateTrace,
    PermissionDecisionEvent, Resolution, SnapshotTrace,
};

fn rule(pattern: &str, action: PermissionState, line: u32) -> Rule {
    Rule {
        surface: "bash".into(),
        pattern: pattern.into(),
        action,
        reason: None,
        layer: Layer::Config,
        origin: Origin::Global,
        location: Some(RuleLocation { file: Arc::from("/c.json"), line, column: 5 }),
    }
}

fn gate(name: &str, outcome: GateOutcomeTrace) -> GateTrace {
    GateTrace { gate: name.into(), outcome, questions: vec![], ran: true, ask: None, decision: None }
}

#[test]
fn the_tree_shows_everything_that_the_trace_holds() {
    let question = QuestionTrace {
        surface: "bash".into(),
        direction: Some(Direction::Both),
        values: vec!["rm \u{202e}x".into()],
        further: vec!["/bin/rm x".into()],
        winner: Some(rule("rm *", PermissionState::Allow, 3)),
        winning_value: Some("rm x".into()),
        rules: vec![
            ConsideredRule { rule: rule("rm *", PermissionState::Allow, 3), matched: Some("rm x".into()), lost: None },
            ConsideredRule {
                rule: rule("*", PermissionState::Deny, 2),
                matched: Some("rm x".into()),
                lost: Some(LossReason::LaterRuleWins),
            },
            ConsideredRule {
                rule: rule("git *", PermissionState::Ask, 1),
                matched: None,
                lost: Some(LossReason::PatternDoesNotMatch),
            },
        ],
        steps: vec![
            QuestionStep::Rules { state: PermissionState::Allow },
            QuestionStep::Clamp,
            QuestionStep::GrantRefused { pattern: "rm *".into(), requirement: "HARD-007" },
            QuestionStep::Floor { sentinel: "<loader-variable>", requirement: "HARD-059" },
            QuestionStep::Grant { pattern: "rm x".into() },
            QuestionStep::Permissive,
            QuestionStep::Protected,
        ],
        tightenings: vec![Tightening {
            requirement: "HARD-059",
            before: PermissionState::Allow,
            after: PermissionState::Ask,
            subject: "rm x".into(),
        }],
    };
    let event = PermissionDecisionEvent {
        surface: "bash".into(),
        value: "rm x".into(),
        result: DecisionResult::Deny,
        resolution: Resolution::UserDenied,
        origin: Some(Origin::Global),
        agent_name: None,
        matched_pattern: Some("<loader-variable>".into()),
        gate: "tool".into(),
        request_id: Some("r-1".into()),
        rule_surface: None,
        decided_by: DecidedBy::own(DecidedByKind::User),
    };
    let ask = AskTrace {
        request_id: "r-1".into(),
        message: "May it?\nCommand:\nrm x".into(),
        answer: "denied".into(),
        suggestion: vec![("bash".into(), "rm *".into())],
        stored: false,
    };
    let trace = CallTrace {
        tool: "bash".into(),
        snapshot: SnapshotTrace {
            agent: Some("reviewer".into()),
            agent_from_tag: true,
            not_read: vec!["project: not trusted".into()],
            broken: vec!["global".into()],
            ignored_settings: vec!["project: yoloMode".into()],
            stamp: String::new(),
            known_limits: vec!["HARD-019".into()],
            inherited: vec!["path extractor of 'demo'".into()],
        },
        gates: vec![
            gate("path", GateOutcomeTrace::Null),
            gate("bash-external-directory", GateOutcomeTrace::Bypass { reason: "permission_request.policy_allowed".into() }),
            GateTrace {
                questions: vec![question],
                ask: Some(ask),
                decision: Some(event),
                ..gate("tool", GateOutcomeTrace::Check { state: PermissionState::Ask, source: Source::Bash, deciding: Some(0) })
            },
        ],
        tightenings: vec![],
        end: CallEnd { outcome: "block".into(), gate: "tool".into(), reason: Some("The user denied it.".into()) },
    };
    let expected = r"bash: block by tool
  reason: The user denied it.
  agent: reviewer (agent from tag)
  scope not read: project: not trusted
  scope broken: global
  setting ignored: project: yoloMode
  known limit: HARD-019
  inherited: path extractor of 'demo'
  gate path: does not apply
  gate bash-external-directory: passes, permission_request.policy_allowed
  gate tool: ask
    bash (both) 'rm \u{202e}x', decides
      further spellings: '/bin/rm x'
      rule 'rm *' on bash: allow (config, global, /c.json:3:5), matches 'rm x'
        not '*' on bash: deny (config, global, /c.json:2:5) of 'rm x': a later rule wins
        not 'git *' on bash: ask (config, global, /c.json:1:5): does not match
      the rules say allow
      allow becomes ask: a policy file is broken (HARD-012)
      the grant 'rm *' does not count (HARD-007)
      allow becomes ask: <loader-variable> (HARD-059)
      granted for the session by 'rm x'
      ask becomes allow: the permissive mode is on
      allow becomes ask: <protected-path> (HARD-056)
      tightening HARD-059: allow becomes ask for 'rm x'
    ask r-1: denied
      | May it?
      | Command:
      | rm x
      offered for the session: bash 'rm *'
    decision: deny (user_denied) on bash 'rm x', pattern '<loader-variable>', origin global, decided by user
";
    assert_eq!(render_trace(&trace), expected);
}

#[rstest]
#[case(DecidedBy { pattern: Some("rm *".into()), reason: Some("no".into()), ..DecidedBy::own(DecidedByKind::Rule) }, "rule")]
#[case(
    DecidedBy {
        where_: DecidedWhere::Serving, pattern: Some("rm *".into()), reason: Some("use \u{1b} trash".into()),
        ..DecidedBy::own(DecidedByKind::Rule)
    },
    "rule 'rm *', reason 'use \\u{1b} trash' in the serving session"
)]
#[case(DecidedBy { name: Some("reviewer".into()), ..DecidedBy::own(DecidedByKind::Link) }, "link 'reviewer'")]
#[case(DecidedBy { cause: Some(Cause::Timeout), ..DecidedBy::own(DecidedByKind::Nobody) }, "nobody, cause timeout")]
fn hard_048_the_tree_says_who_decided(#[case] by: DecidedBy, #[case] expected: &str) {
    assert_eq!(who(&by), expected);
}
