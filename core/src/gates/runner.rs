//! Acts on what a gate gave (RUN): logs, events, the ask, the grant, in the one order that records may show.

use super::descriptor::{GateOutcome, GateResult};
use super::inputs::{Escalator, GateDecisionReporter, RequestIds, SessionApprovalRecorder};
use super::record::CallRecord;
use crate::host::{HostError, HostResult};

/// How the run of one gate ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateRun {
    /// Whether the call goes on.
    pub outcome: GateOutcome,
    /// Whether a grant was recorded: the gates behind have to be produced again (RES-26).
    pub granted: bool,
}

/// Whom an ask is for: a tool call or a typed skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// Ids of shape FWD-003.
    ToolCall,
    /// Ids of shape PIPE-012.
    SkillInput,
}

/// The runner of one call.
pub struct GateRunner<'a> {
    pub(crate) reporter: &'a dyn GateDecisionReporter,
    pub(crate) recorder: &'a dyn SessionApprovalRecorder,
    pub(crate) escalator: &'a dyn Escalator,
    pub(crate) ids: &'a dyn RequestIds,
}

impl<'a> GateRunner<'a> {
    /// A runner with its four collaborators.
    pub fn new(
        reporter: &'a dyn GateDecisionReporter,
        recorder: &'a dyn SessionApprovalRecorder,
        escalator: &'a dyn Escalator,
        ids: &'a dyn RequestIds,
    ) -> Self {
        Self { reporter, recorder, escalator, ids }
    }

    /// Runs one gate to its end (RUN-001 to RUN-015).
    pub fn run(&self, kind: RunKind, gate: GateResult, agent: Option<&str>, record: &mut CallRecord) -> HostResult<GateRun> {
        let _ = (kind, gate, agent, record, self.reporter, self.recorder, self.escalator, self.ids);
        Err(HostError::new("the runner is not built yet"))
    }
}
