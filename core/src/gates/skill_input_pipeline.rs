//! The one gate of a typed skill (5.3, PIPE-011 to PIPE-014).

use super::descriptor::GateOutcome;
use super::inputs::{GateNotifier, SkillInputGateInputs};
use super::record::CallRecord;
use super::runner::GateRunner;
use crate::host::{HostError, HostResult};

/// Produces the skill-input gate, warns on a deny, and tells the runner.
pub struct SkillInputGatePipeline<'a> {
    inputs: &'a dyn SkillInputGateInputs,
}

impl<'a> SkillInputGatePipeline<'a> {
    /// A pipeline over these ingredients.
    pub fn new(inputs: &'a dyn SkillInputGateInputs) -> Self {
        Self { inputs }
    }

    /// Decides one typed skill.
    pub fn evaluate(
        &self,
        skill_name: &str,
        agent_name: Option<&str>,
        notifier: &dyn GateNotifier,
        runner: &GateRunner<'_>,
        record: &mut CallRecord,
    ) -> HostResult<GateOutcome> {
        let _ = (skill_name, agent_name, notifier, runner, record, self.inputs);
        Err(HostError::new("the pipeline is not built yet"))
    }
}
