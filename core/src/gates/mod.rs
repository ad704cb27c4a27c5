//! The gates: pure functions from facts to a check, the runner that acts on it, and the two pipelines.

mod descriptor;
mod facts;
mod inputs;
mod record;
mod runner;
mod skill_entry;
mod skill_input_pipeline;
mod tool_call_pipeline;

pub use descriptor::{GateBypass, GateCheck, GateDescriptor, GateOutcome, GateResult, LogFields, ToolCallContext};
pub use facts::{CallFacts, CallTarget, McpFacts, PathOperand, ShellFacts};
pub use inputs::{
    Escalator, GateDecisionReporter, GateNotifier, GateResolver, GrantSuggester, RequestIds, SessionApprovalRecorder,
    SkillInputGateInputs, ToolCallGateInputs, ToolPreviews,
};
pub use record::CallRecord;
pub use runner::{GateRun, GateRunner, RunKind};
pub use skill_entry::SkillPromptEntry;
pub use skill_input_pipeline::SkillInputGatePipeline;
pub use tool_call_pipeline::ToolCallGatePipeline;
