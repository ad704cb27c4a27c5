//! The gates: pure functions from facts to a check, the runner that acts on it, and the two pipelines.
//!
//! A gate is handed a [`GateView`] and gives a [`GateResult`]; it looks nowhere else and leaves no mark. Everything visible
//! is done by the [`GateRunner`], in the order that [`ToolCallGatePipeline`] and [`SkillInputGatePipeline`] tell. What the
//! session has to offer stands in `inputs`, one narrow trait a role.

mod answers;
mod asked_facts;
mod bash_command;
mod bash_external_directory;
mod bash_path;
mod collect;
mod descriptor;
mod external_directory;
mod facts;
mod fields;
mod inputs;
mod mcp_command;
mod most_restrictive;
pub mod names;
mod path;
mod path_questions;
mod record;
mod runner;
mod skill_entry;
mod skill_input;
mod skill_input_pipeline;
mod skill_read;
mod suggestions;
#[cfg(test)]
mod test_doubles;
mod tool;
mod tool_call_pipeline;
mod view;
mod wording;

pub use bash_command::{BashCheck, resolve_bash_command_check};
pub use bash_external_directory::describe_bash_external_directory_gate;
pub use bash_path::describe_bash_path_gate;
pub use collect::{FactSources, collect_call_facts};
pub use descriptor::{GateBypass, GateCheck, GateDescriptor, GateOutcome, GateResult, LogFields, ToolCallContext};
pub use external_directory::describe_external_directory_gate;
pub use facts::{CallFacts, CallTarget, PathOperand, ShellFacts};
pub use inputs::{
    Escalator, GateDecisionReporter, GateNotifier, GateResolver, GrantSuggester, RequestIds, SessionApprovalRecorder,
    SkillInputGateInputs, ToolCallGateInputs, ToolPreviews,
};
pub use mcp_command::mcp_question;
pub use most_restrictive::most_restrictive;
pub use path::describe_path_gate;
pub use record::CallRecord;
pub use runner::{GateRun, GateRunner, RunKind};
pub use skill_entry::SkillPromptEntry;
pub use skill_input::describe_skill_input_gate;
pub use skill_input_pipeline::SkillInputGatePipeline;
pub use skill_read::describe_skill_read_gate;
pub(crate) use suggestions::{unit_pattern, whole_text_pattern};
pub use tool::describe_tool_gate;
pub use tool_call_pipeline::ToolCallGatePipeline;
pub use view::GateView;
