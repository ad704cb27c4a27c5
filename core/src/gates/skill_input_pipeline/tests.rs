use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::authority::{DecisionState, DialogAnswer};
use crate::gates::inputs::GateResolver;
use crate::gates::test_doubles::{ALLOW, ASK, DENY, Dispatch, World, by_rule, by_yolo};
use crate::policy::PermissionCheckResult;

struct Inputs(Dispatch);

impl SkillInputGateInputs for Inputs {
    fn resolver(&self) -> &dyn GateResolver {
        &self.0
    }

    fn session_directory(&self) -> String {
        "/w/p".to_owned()
    }
}

/// Notices land in the same list as everything else, so that the order shows.
struct Notices<'a>(&'a World);

impl GateNotifier for Notices<'_> {
    fn warn(&self, message: &str) {
        self.0.note(format!("warn {message}"));
    }
}

fn evaluate(world: &World, result: PermissionCheckResult, agent: Option<&str>) -> (HostResult<GateOutcome>, CallRecord, Inputs) {
    let inputs = Inputs(Dispatch::new(ALLOW, vec![("skill", "*", result)]));
    let mut record = CallRecord::default();
    let runner = GateRunner::new(world, world, world, world);
    let outcome = SkillInputGatePipeline::new(&inputs).evaluate("s", agent, &Notices(world), &runner, &mut record);
    (outcome, record, inputs)
}

#[rstest]
#[case(None, "warn Skill 's' is not permitted by the current skill policy.")]
#[case(Some("A"), "warn Skill 's' is not permitted for agent 'A'.")]
fn pipe_011_and_013_a_deny_warns_first(#[case] agent: Option<&str>, #[case] notice: &str) {
    let world = World::default();
    let (outcome, record, _) = evaluate(&world, by_rule("skill", "s", DENY), agent);
    assert!(matches!(outcome, Ok(GateOutcome::Block { .. })));
    assert_eq!(world.happened.into_inner(), [notice, "R blocked policy_denied", "E skill s deny policy_deny"]);
    assert_eq!((record.ended_by, record.gates.len()), (Some("skill-input"), 1));
}

#[rstest]
#[case("allow", by_rule("skill", "*", ALLOW), &["E skill s allow policy_allow"])]
#[case("yolo", by_yolo("skill"), &["R auto_approved auto_approved", "E skill s allow auto_approved"])]
fn pipe_011_an_allow_is_silent(#[case] title: &str, #[case] result: PermissionCheckResult, #[case] expected: &[&str]) {
    let world = World::default();
    let (outcome, ..) = evaluate(&world, result, None);
    assert_eq!(outcome, Ok(GateOutcome::Allow), "{title}");
    assert_eq!(world.happened.into_inner(), expected, "{title}");
}

#[test]
fn pipe_014_for_this_session_approves_once() {
    let world = World::answering(vec![DialogAnswer::plain(DecisionState::ApprovedForSession)]);
    let (outcome, ..) = evaluate(&world, by_rule("skill", "*", ASK), None);
    assert_eq!(outcome, Ok(GateOutcome::Allow));
    assert_eq!(world.happened.into_inner(), ["ask skill-input-1", "E skill s allow user_approved"]);
    assert_eq!(world.asks.borrow()[0].suggestion, None);
}

#[test]
fn rule_025_session_rules_are_not_consulted() {
    let (_, _, inputs) = evaluate(&World::default(), by_rule("skill", "*", ALLOW), None);
    let asked = inputs.0.asked.borrow();
    assert_eq!((asked.len(), asked[0].without_session, asked[0].values.as_slice()), (1, true, &["s".to_owned()][..]));
}
