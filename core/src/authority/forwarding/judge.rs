//! What the serving side of forwarding asks of the session that it serves for. Policy, person and grants are the session's.

use super::message::ForwardedRequest;
use crate::authority::{PermissionPromptDecision, PromptPermissionDetails};
use crate::host::HostResult;
use crate::report::DecidedBy;

/// What the serving session's own policy says of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that asks there is allowed here.
    Allow(DecidedBy),
    /// Something of it is denied here.
    Deny(DecidedBy),
    /// Somebody has to be asked.
    Ask,
}

/// The verdict, and what a prompt needs to know besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// What policy and grants say.
    pub verdict: Verdict,
    /// What a yes for the whole session would store here; empty: nothing, and the wide scope is not offered (RES-58).
    pub grants: Vec<(String, String)>,
    /// What is broken in the serving policy, when something is (RES-07).
    pub policy_fault: Option<String>,
    /// Whether the facts of the request were understood. If not, nothing may be allowed by them: by no rule, and by no link
    /// (RES-55, RES-66).
    pub facts_hold: bool,
}

/// Judges requests by the policy of the session that serves (5.6, 3).
pub trait ForwardedAskJudge {
    /// Judges one request. An error counts as "somebody has to be asked" (INBOX-017).
    fn judge(&self, request: &ForwardedRequest) -> HostResult<Judgement>;
}

/// Puts forwarded asks to whoever answers in the session that serves (5.4).
pub trait ForwardedEscalator {
    /// Answers one ask, within its bracket. An error is a failing authority (INBOX-016).
    fn escalate(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision>;
}

/// The life of the session that serves, and its grants.
pub trait ServingSession {
    /// Whether the session in which the pass began still lives.
    fn is_open(&self) -> bool;
    /// Stores the pairs, unless that session has ended; whether it did (HARD-050).
    fn store_grants(&self, pairs: &[(String, String)]) -> bool;
}
