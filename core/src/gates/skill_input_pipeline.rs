//! The one gate of a typed skill (5.3, PIPE-011 to PIPE-014).

use super::answers::Answers;
use super::descriptor::GateOutcome;
use super::inputs::{GateNotifier, SkillInputGateInputs};
use super::names::SKILL_SURFACE;
use super::record::{CallRecord, produced};
use super::runner::{GateRunner, RunKind};
use super::skill_input::describe_skill_input_gate;
use crate::host::{HostError, HostResult};
use crate::policy::{PermissionState, Question};
use crate::report::messages::format_skill_deny_notice;

/// Produces the skill-input gate, warns on a deny, and tells the runner.
pub struct SkillInputGatePipeline<'a> {
    inputs: &'a dyn SkillInputGateInputs,
}

impl<'a> SkillInputGatePipeline<'a> {
    /// A pipeline over these ingredients.
    pub fn new(inputs: &'a dyn SkillInputGateInputs) -> Self {
        Self { inputs }
    }

    /// Decides one typed skill. Session rules are not consulted (RULE-025), so a grant would change nothing and none is
    /// stored.
    pub fn evaluate(
        &self,
        skill_name: &str,
        agent_name: Option<&str>,
        notifier: &dyn GateNotifier,
        runner: &GateRunner<'_>,
        record: &mut CallRecord,
    ) -> HostResult<GateOutcome> {
        let question = Question {
            surface: SKILL_SURFACE.to_owned(),
            values: vec![skill_name.to_owned()],
            without_session: true,
            ..Question::default()
        };
        let mut answers = Answers::default();
        answers.ask(self.inputs.resolver(), &question, |result| Some(result.clone()));
        let Some(check) = answers.into_check(0) else {
            return Err(HostError::new("the question about the skill has no answer"));
        };
        if check.result.state == PermissionState::Deny {
            notifier.warn(&format_skill_deny_notice(skill_name, agent_name));
        }
        let tightenings = check.tightenings.clone();
        let fault = self.inputs.policy_fault();
        let mut gate =
            describe_skill_input_gate(skill_name, agent_name, fault.as_deref(), &self.inputs.session_directory(), check);
        let mut trace = produced(&mut gate);
        record.ended_by = Some(gate.gate());
        record.tightenings.extend(tightenings);
        let run = runner.run(RunKind::SkillInput, &gate, agent_name, &mut trace);
        record.gates.push(trace);
        run.map(|run| run.outcome)
    }
}

#[cfg(test)]
mod tests;
