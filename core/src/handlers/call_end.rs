//! How one call ended, in the words of records (5.2, 11 to 13).

use crate::gates::{CallRecord, GateOutcome};
use crate::host::HostError;
use crate::report::audit::AuditEnd;
use crate::report::{CallEnd, messages};

/// The end of the walk.
#[derive(Debug)]
pub(crate) enum Ending {
    /// The pipeline came to an outcome.
    Decided(GateOutcome),
    /// The call could not be judged: `registration` or `shape`, and the text for the agent.
    Invalid { gate: &'static str, reason: String },
    /// Something failed.
    Error(HostError),
}

impl Ending {
    pub(crate) fn unregistered(reason: String) -> Self {
        Self::Invalid { gate: "registration", reason }
    }

    pub(crate) fn misshapen(reason: String) -> Self {
        Self::Invalid { gate: "shape", reason }
    }
}

/// One call at its end.
pub(crate) struct CallEnding {
    /// The name by HAND-009, for R, D and the trace.
    pub(crate) tool: String,
    /// The name by HAND-001, for E (RES-35).
    pub(crate) name: String,
    /// The command by HAND-010.
    pub(crate) command: Option<String>,
    /// The host's id.
    pub(crate) call_id: String,
    /// How it ended.
    pub(crate) ending: Ending,
    /// The end outside the gates that an error is filed under.
    pub(crate) fallback_gate: &'static str,
}

impl CallEnding {
    /// What the host is told.
    pub(crate) fn outcome(&self) -> GateOutcome {
        match &self.ending {
            Ending::Decided(outcome) => outcome.clone(),
            Ending::Invalid { reason, .. } => GateOutcome::Block { reason: reason.clone() },
            Ending::Error(error) => GateOutcome::Block { reason: messages::gate_error(&error.message) },
        }
    }

    /// What is counted: one word a call (EVT-014).
    pub(crate) fn audited(&self, outcome: &GateOutcome) -> AuditEnd {
        match (&self.ending, outcome) {
            (Ending::Error(_), _) => AuditEnd::Error,
            (_, GateOutcome::Allow) => AuditEnd::Allowed,
            (_, GateOutcome::Block { .. }) => AuditEnd::Blocked,
        }
    }

    /// The end in the words of the trace.
    pub(crate) fn trace_end(&self, outcome: &GateOutcome, record: &CallRecord) -> CallEnd {
        let gate = match &self.ending {
            Ending::Decided(_) => record.ended_by.unwrap_or("none"),
            Ending::Invalid { gate, .. } => gate,
            Ending::Error(_) => self.fallback_gate,
        };
        let (word, reason) = match outcome {
            GateOutcome::Allow => ("allow", None),
            GateOutcome::Block { reason } => ("block", Some(reason.clone())),
        };
        CallEnd { outcome: word.to_owned(), gate: gate.to_owned(), reason }
    }
}
