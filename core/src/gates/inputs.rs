//! What gates, runner and pipelines need from outside: one narrow trait a role.
//!
//! The session implements them, tests put doubles behind them. Everything here is asked from one thread at a time for one
//! call, but several calls may be under way.

use super::descriptor::ToolCallContext;
use super::facts::CallFacts;
use super::skill_entry::SkillPromptEntry;
use crate::access::path::AccessPath;
use crate::authority::{AskPrompter, PermissionPromptDecision, PromptPermissionDetails, ReviewLogWriter};
use crate::host::HostResult;
use crate::policy::{PermissionCheckResult, Question};
use crate::report::PermissionDecisionEvent;
use crate::report::previews::Preview;

/// Answers the questions of gates (5.1). One snapshot of the policy for a whole call, but the session rules as they are
/// now: a grant that was recorded since the last question counts (RES-26).
pub trait GateResolver {
    /// Answers one question.
    fn resolve(&self, question: &Question) -> PermissionCheckResult;
}

/// What a yes "for this session" may store (table "What for this session stores").
pub trait GrantSuggester {
    /// The prefix pattern of a plain command (SESS-005).
    fn suggest_bash(&self, text: &str) -> Option<String>;
    /// The pattern of a wrapper's own words and the command that it runs (HARD-041).
    fn suggest_peeled(&self, own: &str, inner: &str) -> Option<String>;
    /// The patterns of a path: a file's folder, a folder and its content.
    fn suggest_path(&self, path: &AccessPath) -> Vec<String>;
}

/// The two previews of a call's input (PREV-010, PREV-011).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolPreviews {
    /// For the prompt.
    pub prompt: Preview,
    /// For the log.
    pub log: Option<String>,
}

/// The ingredients of the tool-call pipeline, for one call.
pub trait ToolCallGateInputs {
    /// What the call touches; the command is parsed here, once (PIPE-005). An error blocks the call.
    fn call_facts(&self, context: &ToolCallContext) -> HostResult<CallFacts>;
    /// The skills of the agent's prompt, denied ones included, in the order of the prompt.
    fn active_skill_entries(&self) -> Vec<SkillPromptEntry>;
    /// The previews of the input under the configured limits; a failing formatter blocks the call.
    fn tool_previews(&self, context: &ToolCallContext, facts: &CallFacts) -> HostResult<ToolPreviews>;
    /// What is broken in the policy, when something is: prompts say so (RES-07).
    fn policy_fault(&self) -> Option<String> {
        None
    }
    /// Who answers questions.
    fn resolver(&self) -> &dyn GateResolver;
    /// Who knows what a grant may store.
    fn suggester(&self) -> &dyn GrantSuggester;
}

/// The ingredients of the skill-input pipeline.
pub trait SkillInputGateInputs {
    /// Who answers questions. The pipeline asks without session rules (RULE-025).
    fn resolver(&self) -> &dyn GateResolver;
    /// The session directory after links.
    fn session_directory(&self) -> String;
    /// What is broken in the policy, when something is: prompts say so (RES-07).
    fn policy_fault(&self) -> Option<String> {
        None
    }
}

/// Where decisions go: R and E.
pub trait GateDecisionReporter: ReviewLogWriter {
    /// Broadcasts E; best effort (AUTH-014).
    fn emit_decision(&self, event: &PermissionDecisionEvent);
}

/// Stores grants.
pub trait SessionApprovalRecorder {
    /// Stores every pair, in order (RUN-010).
    fn record_session_approval(&self, pairs: &[(String, String)]);
}

/// Puts an ask to whoever answers; the ask prompter in life (5.4).
pub trait Escalator {
    /// Answers one ask. An error ends the call at the boundary; the bracket is closed by then.
    fn escalate(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision>;
}

/// Mints the ids of asks (RES-37).
pub trait RequestIds {
    /// An id for an ask of a tool call, shape FWD-003.
    fn create_request_id(&self) -> String;
    /// An id for an ask of a typed skill, shape PIPE-012.
    fn create_skill_input_request_id(&self) -> String;
}

/// Tells the person something, when there is one.
pub trait GateNotifier {
    /// A warning, or nothing.
    fn warn(&self, message: &str);
}

impl Escalator for AskPrompter<'_> {
    fn escalate(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        self.prompt_permission(ask)
    }
}
