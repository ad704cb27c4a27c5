//! The six gates of a tool call in their order, and the deny that pre-empts (5.2, 6 to 10; PIPE-001, RES-26).

use super::bash_external_directory::describe_bash_external_directory_gate;
use super::bash_path::describe_bash_path_gate;
use super::descriptor::{GateOutcome, GateResult, ToolCallContext};
use super::external_directory::describe_external_directory_gate;
use super::inputs::ToolCallGateInputs;
use super::path::describe_path_gate;
use super::record::{CallRecord, produced};
use super::runner::{GateRunner, RunKind};
use super::skill_entry::SkillPromptEntry;
use super::skill_read::describe_skill_read_gate;
use super::tool::describe_tool_gate;
use super::view::GateView;
use crate::host::HostResult;
use crate::policy::{PermissionState, Tightening};

/// Produces all gates, then tells the runner.
pub struct ToolCallGatePipeline<'a> {
    inputs: &'a dyn ToolCallGateInputs,
}

/// How many gates a tool call passes.
const GATES: usize = 6;

impl<'a> ToolCallGatePipeline<'a> {
    /// A pipeline over these ingredients.
    pub fn new(inputs: &'a dyn ToolCallGateInputs) -> Self {
        Self { inputs }
    }

    /// Decides one tool call. The record is filled as far as the walk came, also when it ends in an error.
    pub fn evaluate(
        &self,
        context: &ToolCallContext,
        runner: &GateRunner<'_>,
        record: &mut CallRecord,
    ) -> HostResult<GateOutcome> {
        let facts = self.inputs.call_facts(context)?;
        record.known_limits.extend(facts.known_limits.iter().map(|limit| (*limit).to_owned()));
        let previews = self.inputs.tool_previews(context, &facts)?;
        let entries = self.inputs.active_skill_entries();
        let policy_fault = self.inputs.policy_fault();
        let view = GateView {
            context,
            facts: &facts,
            resolver: self.inputs.resolver(),
            suggester: self.inputs.suggester(),
            previews: &previews,
            policy_fault: policy_fault.as_deref(),
        };
        let mut gates = produce(&view, &entries, 0);
        record.gates = gates.iter_mut().map(produced).collect();
        if let Some(denying) = first_deny(&gates) {
            record.tightenings.extend(pre_emption(&gates, denying));
            return run_one(context, runner, record, &gates, denying).map(|run| run.outcome);
        }
        for index in 0..GATES {
            let run = run_one(context, runner, record, &gates, index)?;
            if run.outcome != GateOutcome::Allow {
                return Ok(run.outcome);
            }
            if run.granted {
                let mut remaining = produce(&view, &entries, index + 1);
                record.gates.truncate(index + 1);
                record.gates.extend(remaining.iter_mut().map(produced));
                gates.truncate(index + 1);
                gates.append(&mut remaining);
            }
        }
        Ok(GateOutcome::Allow)
    }
}

/// The gates from this one on, in their order.
fn produce(view: &GateView<'_>, entries: &[SkillPromptEntry], from: usize) -> Vec<GateResult> {
    (from..GATES)
        .map(|gate| match gate {
            0 => describe_skill_read_gate(view, entries),
            1 => describe_path_gate(view),
            2 => describe_external_directory_gate(view),
            3 => describe_bash_external_directory_gate(view),
            4 => describe_bash_path_gate(view),
            _ => describe_tool_gate(view),
        })
        .collect()
}

/// Deny pre-empts ask (HARD-008): the first gate in order whose check is deny.
fn first_deny(gates: &[GateResult]) -> Option<usize> {
    gates.iter().position(|gate| gate.descriptor().is_some_and(|gate| gate.check.result.state == PermissionState::Deny))
}

/// The package would have put a question first; here the deny comes without one.
fn pre_emption(gates: &[GateResult], denying: usize) -> Option<Tightening> {
    let mut earlier = gates.iter().take(denying).filter_map(GateResult::descriptor);
    let asked = earlier.any(|gate| gate.check.baseline_state == PermissionState::Ask);
    let denying = gates.get(denying).and_then(GateResult::descriptor)?;
    asked.then(|| Tightening {
        requirement: "HARD-008",
        before: PermissionState::Ask,
        after: PermissionState::Deny,
        subject: denying.value.clone(),
    })
}

fn run_one(
    context: &ToolCallContext,
    runner: &GateRunner<'_>,
    record: &mut CallRecord,
    gates: &[GateResult],
    index: usize,
) -> HostResult<super::runner::GateRun> {
    let (Some(gate), Some(trace)) = (gates.get(index), record.gates.get_mut(index)) else {
        return Err(crate::host::HostError::new("a gate is missing from its pipeline"));
    };
    if let Some(descriptor) = gate.descriptor() {
        record.ended_by = Some(descriptor.gate);
        record.tightenings.extend(descriptor.check.tightenings.iter().cloned());
    }
    runner.run(RunKind::ToolCall, gate, context.agent_name.as_deref(), trace)
}

#[cfg(test)]
mod tests;
