//! The trace of one call (docs/design.md): every gate that was consulted with what it gave, and how the call ended. Made by the
//! walk that decides; views only read it.

use serde::Serialize;

use super::decision::PermissionDecisionEvent;
use crate::policy::{PermissionState, QuestionTrace, Source, Tightening};

/// What one gate gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "gave", rename_all = "snake_case")]
pub enum GateOutcomeTrace {
    /// It does not apply.
    Null,
    /// It lets the call pass without a question.
    Bypass {
        /// Why, in the words of R's event name.
        reason: String,
    },
    /// It checked.
    Check {
        /// The state of its check.
        state: PermissionState,
        /// The kind of the answer behind it (RULE-018).
        source: Source,
        /// Index into `questions` of the question that decided.
        deciding: Option<usize>,
    },
}

/// An ask that was put to somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AskTrace {
    /// The request id.
    pub request_id: String,
    /// The message as shown.
    pub message: String,
    /// The decision state, or `confirmation_unavailable`.
    pub answer: String,
    /// Surface-pattern pairs that a yes for the session would store.
    pub suggestion: Vec<(String, String)>,
    /// Whether they were stored.
    pub stored: bool,
}

/// One gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateTrace {
    /// Its name (closed list, section 6).
    pub gate: String,
    /// What it gave.
    pub outcome: GateOutcomeTrace,
    /// Every question that it put to the resolver, in order.
    pub questions: Vec<QuestionTrace>,
    /// Whether the runner ran it (a gate behind a deny is only produced).
    pub ran: bool,
    /// The ask, if there was one.
    pub ask: Option<AskTrace>,
    /// The decision event it left.
    pub decision: Option<PermissionDecisionEvent>,
}

impl GateTrace {
    /// The question that decided.
    pub fn deciding(&self) -> Option<&QuestionTrace> {
        match self.outcome {
            GateOutcomeTrace::Check { deciding, .. } => self.questions.get(deciding?),
            GateOutcomeTrace::Null | GateOutcomeTrace::Bypass { .. } => None,
        }
    }
}

/// How the call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallEnd {
    /// `allow` or `block`. Of a typed skill, too: an allow lets it continue, a block handles it.
    pub outcome: String,
    /// The gate that ended it, or `registration`, `shape`, `boundary`, `none`; for an allow the last gate that checked.
    pub gate: String,
    /// The reason of a block.
    pub reason: Option<String>,
}

/// What the call was judged with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SnapshotTrace {
    /// The active agent.
    pub agent: Option<String>,
    /// The agent is known from a prompt tag only (RES-10).
    pub agent_from_tag: bool,
    /// Scopes that were not read, and why.
    pub not_read: Vec<String>,
    /// Scopes that are broken (HARD-012).
    pub broken: Vec<String>,
    /// Project settings that were ignored (RES-03).
    pub ignored_settings: Vec<String>,
    /// Stamps of the policy files (RES-11).
    pub stamp: String,
    /// Known limits that this call touched, by requirement (RES-13).
    pub known_limits: Vec<String>,
    /// What was looked up in a session above this one (HARD-046).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inherited: Vec<String>,
}

/// The explanation of one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallTrace {
    /// The tool, or `skill` for a typed skill.
    pub tool: String,
    /// The policy it was judged with.
    pub snapshot: SnapshotTrace,
    /// The gates in order.
    pub gates: Vec<GateTrace>,
    /// Everything that was raised beyond the package, of all gates in order.
    pub tightenings: Vec<Tightening>,
    /// The end.
    pub end: CallEnd,
}

impl CallTrace {
    /// The gate that ended the call; `None` when it ended outside of the gates.
    pub fn ended_by(&self) -> Option<&GateTrace> {
        self.gates.iter().rev().find(|gate| gate.gate == self.end.gate)
    }
}

/// Listens to explanations. Nobody has to: without a listener no rule list is collected.
pub trait TraceSink: Send + Sync {
    /// Takes the trace of one call, after its records were written.
    fn record(&self, trace: &CallTrace);
}
