//! What a gate gives: nothing, a bypass, or a descriptor for the runner (docs/spec/gates.md, vocabulary).

use std::sync::Arc;

use serde_json::Value;

use crate::authority::forwarding::AskFacts;
use crate::authority::{AskDetails, GateSuggestion};
use crate::policy::{PermissionCheckResult, PermissionState, QuestionTrace, Tightening};
use crate::report::{DenialContext, PermissionDecisionEvent};

/// Fields of a log line in order.
pub type LogFields = serde_json::Map<String, Value>;

/// The facts of one tool call that every gate may see.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCallContext {
    /// The tool's name, trimmed (HAND-001).
    pub tool_name: String,
    /// The active agent.
    pub agent_name: Option<String>,
    /// The input as it came (HAND-002).
    pub input: Value,
    /// The host's id of the call, or empty (HAND-003).
    pub tool_call_id: String,
    /// The session's working directory.
    pub cwd: String,
}

/// A check that the runner acts on.
#[derive(Debug, Clone, PartialEq)]
pub struct GateCheck {
    /// The strictest answer of the gate.
    pub result: PermissionCheckResult,
    /// Every question in order; the runner moves them into the trace.
    pub questions: Vec<QuestionTrace>,
    /// Index of the question that decided.
    pub deciding: Option<usize>,
    /// RES-29: every unit is allowed (the session short cut needs it).
    pub all_allowed: bool,
    /// The state without anything that the package does not have.
    pub baseline_state: PermissionState,
    /// What raised it beyond that: of the gate itself and of its questions, as far as it changed the gate's state.
    pub tightenings: Vec<Tightening>,
}

/// A gate that needs the runner.
#[derive(Debug, Clone, PartialEq)]
pub struct GateDescriptor {
    /// The gate (closed list, section 6).
    pub gate: &'static str,
    /// Surface of the decision.
    pub surface: String,
    /// Value of the decision.
    pub value: String,
    /// The answer.
    pub check: GateCheck,
    /// What a refusal names.
    pub denial: DenialContext,
    /// What an ask shows.
    pub ask: AskDetails,
    /// What a yes for the session stores; `None` when the gate has no suggestion at all.
    pub suggestion: Option<GateSuggestion>,
    /// What another session needs to judge an ask of this gate (HARD-009).
    pub facts: Option<Arc<AskFacts>>,
    /// Fields of R lines.
    pub log: LogFields,
}

/// A gate that lets the call pass without a question.
#[derive(Debug, Clone, PartialEq)]
pub struct GateBypass {
    /// The gate.
    pub gate: &'static str,
    /// R line: event name and fields.
    pub log: Option<(&'static str, LogFields)>,
    /// E, if it has one.
    pub decision: Option<PermissionDecisionEvent>,
    /// The questions that were asked on the way.
    pub questions: Vec<QuestionTrace>,
}

/// What a gate gives.
#[derive(Debug, Clone, PartialEq)]
pub enum GateResult {
    /// It does not apply; questions that were asked on the way stay for the trace.
    Null {
        /// The gate.
        gate: &'static str,
        /// Questions.
        questions: Vec<QuestionTrace>,
    },
    /// Passes.
    Bypass(Box<GateBypass>),
    /// Needs the runner.
    Check(Box<GateDescriptor>),
}

impl GateResult {
    /// The gate's name (closed list of docs/spec/README.md, section 6).
    pub fn gate(&self) -> &'static str {
        match self {
            Self::Null { gate, .. } => gate,
            Self::Bypass(bypass) => bypass.gate,
            Self::Check(descriptor) => descriptor.gate,
        }
    }

    /// The descriptor, if the gate checks.
    pub fn descriptor(&self) -> Option<&GateDescriptor> {
        match self {
            Self::Check(descriptor) => Some(descriptor),
            Self::Null { .. } | Self::Bypass(_) => None,
        }
    }
}

/// How a gate, or the whole call, ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateOutcome {
    /// Goes ahead.
    Allow,
    /// Refused.
    Block {
        /// Why, for the agent. Never empty.
        reason: String,
    },
}
