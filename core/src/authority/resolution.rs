//! The words of an answered ask: in R (closed list of docs/spec/README.md, section 6) and in E (RUN-011, RES-38).

use super::decision::PermissionPromptDecision;
use crate::report::{DecidedByKind, Resolution};

/// The resolution of a closed bracket: for a person the decision state, else who decided.
pub fn review_resolution(decision: &PermissionPromptDecision) -> &'static str {
    match event_resolution(decision, false) {
        Resolution::UserApproved | Resolution::UserApprovedForSession | Resolution::UserDenied => decision.state.as_str(),
        other => other.as_str(),
    }
}

/// The resolution of the decision event. `stored`: something was stored for the session.
pub fn event_resolution(decision: &PermissionPromptDecision, stored: bool) -> Resolution {
    use DecidedByKind as Kind;
    if decision.confirmation_unavailable {
        return Resolution::ConfirmationUnavailable;
    }
    match (decision.decided_by.kind, decision.is_approved()) {
        (Kind::Link, true) => Resolution::LinkApproved,
        (Kind::Link, false) => Resolution::LinkDenied,
        (Kind::Rule, true) => Resolution::ForwardedPolicyAllow,
        (Kind::Rule, false) => Resolution::ForwardedPolicyDeny,
        (Kind::SessionGrant, true) => Resolution::ForwardedSessionApproved,
        (Kind::PermissiveMode, true) => Resolution::ForwardedAutoApproved,
        (Kind::Infrastructure, true) => Resolution::InfrastructureAutoAllowed,
        // None of them ever says no: whoever does in their name is nobody, and not the person (HARD-048).
        (Kind::SessionGrant | Kind::PermissiveMode | Kind::Infrastructure, false) => Resolution::ConfirmationUnavailable,
        (Kind::GateError, _) => Resolution::GateError,
        (Kind::InvalidCall, _) => Resolution::InvalidCall,
        (Kind::Nobody | Kind::Transport, _) => Resolution::ConfirmationUnavailable,
        (Kind::User, true) if stored => Resolution::UserApprovedForSession,
        (Kind::User, true) => Resolution::UserApproved,
        (Kind::User, false) => Resolution::UserDenied,
    }
}

#[cfg(test)]
mod tests;
