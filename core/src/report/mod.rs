//! What is said about a decision: events, log lines, messages, previews, and the trace. Nothing here decides.

pub mod audit;
pub mod bounds;
mod decision;
mod denial;
pub mod escape;
pub mod events;
pub mod log;
pub mod masking;
pub mod messages;
pub mod previews;
mod render_trace;
mod timestamp;
mod trace;

pub use decision::{Cause, DecidedBy, DecidedByKind, DecidedWhere, DecisionResult, PermissionDecisionEvent, Resolution};
pub use denial::{DenialContext, ExternalPathDisclosure};
pub use render_trace::render_trace;
pub use trace::{AskTrace, CallEnd, CallTrace, GateOutcomeTrace, GateTrace, SnapshotTrace, TraceSink};
