//! The gates: pure functions from facts to a check, the runner that acts on it, and the two pipelines.

mod descriptor;

pub use descriptor::{GateBypass, GateCheck, GateDescriptor, GateOutcome, GateResult, LogFields, ToolCallContext};
