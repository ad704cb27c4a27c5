//! What a dialog came to: the part of a decision that the person chose.

use super::decision::{DecisionState, PermissionPromptDecision};
use crate::report::{DecidedBy, DecidedByKind};
use crate::text::js_trim;

/// The person's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogAnswer {
    /// The state.
    pub state: DecisionState,
    /// For the session, in both directions (RES-32).
    pub both_directions: bool,
    /// The reason of a no.
    pub denial_reason: Option<String>,
}

impl DialogAnswer {
    /// An answer without further words.
    pub fn plain(state: DecisionState) -> Self {
        Self { state, both_directions: false, denial_reason: None }
    }

    /// For the session, in both directions.
    pub fn both_directions() -> Self {
        Self { both_directions: true, ..Self::plain(DecisionState::ApprovedForSession) }
    }

    /// A no with a reason, which is trimmed; a blank one makes it a plain no (AUTH-007).
    pub fn denied(reason: &str) -> Self {
        match js_trim(reason) {
            "" => Self::plain(DecisionState::Denied),
            reason => Self { denial_reason: Some(reason.to_owned()), ..Self::plain(DecisionState::DeniedWithReason) },
        }
    }

    /// The decision that a person of this session made.
    pub fn into_decision(self) -> PermissionPromptDecision {
        PermissionPromptDecision {
            state: self.state,
            both_directions: self.both_directions,
            confirmation_unavailable: false,
            decided_by: DecidedBy { reason: self.denial_reason.clone(), ..DecidedBy::own(DecidedByKind::User) },
            denial_reason: self.denial_reason,
        }
    }
}
