//! The trace of the gates of one call, filled by the walk that decides. It is complete up to the point where the walk
//! stopped, an error included.

use crate::policy::Tightening;
use crate::report::{CallEnd, CallTrace, GateTrace, SnapshotTrace};

/// What the pipelines leave behind for the trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallRecord {
    /// The gates in order.
    pub gates: Vec<GateTrace>,
    /// What was raised beyond the package.
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
