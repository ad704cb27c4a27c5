//! The ask and its answer (AUTH-004, AUTH-005).

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ask::{AskDetails, GateSuggestion};
use super::forwarding::AskFacts;
use crate::host::HostResult;
use crate::policy::words;
use crate::report::DecidedBy;

words! {
    /// The answer's state (AUTH-005).
    DecisionState {
        /// This call only.
        Approved => "approved",
        /// This call, and the asking session stores the suggestion.
        ApprovedForSession => "approved_for_session",
        /// This call, and the serving session stores it; never on disk.
        ApprovedForServingSession => "approved_for_serving_session",
        /// No.
        Denied => "denied",
        /// No, with a reason.
        DeniedWithReason => "denied_with_reason",
    }
}

impl DecisionState {
    /// Whether the call goes ahead. The one source of `approved` (FWD-D07).
    pub fn is_approved(self) -> bool {
        matches!(self, Self::Approved | Self::ApprovedForSession | Self::ApprovedForServingSession)
    }
}

/// What is put to an authority: the details, the id, and what a session yes would store.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptPermissionDetails {
    /// The id of this ask (RES-37).
    pub request_id: String,
    /// What is asked.
    pub details: AskDetails,
    /// Surface-pattern pairs.
    pub suggestion: Option<GateSuggestion>,
    /// What another session needs to judge it (HARD-009); `None` when the asking gate has none to give.
    pub facts: Option<Arc<AskFacts>>,
}

/// The answer to an ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionPromptDecision {
    /// The state.
    pub state: DecisionState,
    /// The person chose the wider width (RES-32).
    pub both_directions: bool,
    /// The reason of a no, trimmed and non-blank (AUTH-007).
    pub denial_reason: Option<String>,
    /// Nobody decided (RES-38); `decided_by.cause` says why.
    pub confirmation_unavailable: bool,
    /// Who decided.
    pub decided_by: DecidedBy,
}

impl PermissionPromptDecision {
    /// Whether the call goes ahead: the state says yes, and somebody stands behind it.
    pub fn is_approved(&self) -> bool {
        self.state.is_approved() && !self.confirmation_unavailable
    }

    /// What this answer stores of a suggestion (RUN-010): nothing unless it is a yes for the asking session.
    pub fn granted_pairs<'a>(&self, suggestion: Option<&'a GateSuggestion>) -> &'a [(String, String)] {
        match suggestion {
            Some(suggestion) if self.is_approved() && self.state == DecisionState::ApprovedForSession => {
                if self.both_directions {
                    &suggestion.both_directions
                } else {
                    &suggestion.pairs
                }
            }
            _ => &[],
        }
    }
}

/// Somebody who answers asks.
pub trait Authorizer: Send + Sync {
    /// Answers one ask. An error is a failing authority: the bracket is closed and the call blocks (5.4, 4).
    fn authorize(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision>;

    /// Whether it only passes asks on to another session. Such a session decides nothing itself: no link is consulted there, and
    /// it says so when it announces itself (HARD-046).
    fn relays(&self) -> bool {
        false
    }

    /// Whether the session in which it was selected has ended: then nobody stands behind a yes any more, a link's neither
    /// (HARD-050).
    fn has_ended(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
