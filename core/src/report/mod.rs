//! What is said about a decision: events, log lines, messages, previews, and the trace. Nothing here decides.

mod decision;
mod denial;
mod trace;

pub use decision::{Cause, DecidedBy, DecidedByKind, DecidedWhere, DecisionResult, PermissionDecisionEvent, Resolution};
pub use denial::{DenialContext, ExternalPathDisclosure};
pub use trace::{AskTrace, CallEnd, CallTrace, GateOutcomeTrace, GateTrace, SnapshotTrace};
