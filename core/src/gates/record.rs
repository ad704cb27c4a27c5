//! The trace of the gates of one call, filled by the walk that decides. It is complete up to the point where the walk
//! stopped, an error included.

use super::descriptor::{GateBypass, GateResult};
use crate::policy::Tightening;
use crate::report::{CallEnd, CallTrace, GateOutcomeTrace, GateTrace, SnapshotTrace};

/// What the pipelines leave behind for the trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallRecord {
    /// The gates in order.
    pub gates: Vec<GateTrace>,
    /// What was raised beyond the package, of the gates that took part in the end.
    pub tightenings: Vec<Tightening>,
    /// The gate that ended the call; for an allow the last gate that checked.
    pub ended_by: Option<&'static str>,
    /// Known limits that the call touched, by requirement (RES-13).
    pub known_limits: Vec<String>,
}

impl CallRecord {
    /// The trace of the call.
    pub fn into_trace(self, tool: String, mut snapshot: SnapshotTrace, end: CallEnd) -> CallTrace {
        snapshot.known_limits.extend(self.known_limits);
        CallTrace { tool, snapshot, gates: self.gates, tightenings: self.tightenings, end }
    }
}

/// The trace of a gate that was produced and not yet run. Takes the questions out of the gate's result.
pub(crate) fn produced(result: &mut GateResult) -> GateTrace {
    let gate = result.gate().to_owned();
    let (outcome, questions) = match result {
        GateResult::Null { questions, .. } => (GateOutcomeTrace::Null, std::mem::take(questions)),
        GateResult::Bypass(bypass) => (bypass_outcome(bypass), std::mem::take(&mut bypass.questions)),
        GateResult::Check(descriptor) => {
            let check = &mut descriptor.check;
            let outcome =
                GateOutcomeTrace::Check { state: check.result.state, source: check.result.source, deciding: check.deciding };
            (outcome, std::mem::take(&mut check.questions))
        }
    };
    GateTrace { gate, outcome, questions, ran: false, ask: None, decision: None }
}

fn bypass_outcome(bypass: &GateBypass) -> GateOutcomeTrace {
    let reason = bypass.log.as_ref().map(|(event, _)| (*event).to_owned()).unwrap_or_default();
    GateOutcomeTrace::Bypass { reason }
}
