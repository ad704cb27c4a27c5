//! The authority of a session without a person and without a parent: nobody decided, so nothing goes ahead (AUTH-004).

use super::decision::{Authorizer, DecisionState, PermissionPromptDecision, PromptPermissionDetails};
use crate::host::HostResult;
use crate::report::{Cause, DecidedBy, DecidedByKind};

/// Refuses every ask as unavailable, cause `no_authority`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DenyingAuthority;

impl Authorizer for DenyingAuthority {
    fn authorize(&self, _ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        Ok(unavailable_by(Cause::NoAuthority))
    }
}

/// The answer when nobody decided for this reason (RES-38).
pub fn unavailable_by(cause: Cause) -> PermissionPromptDecision {
    unavailable(cause.decided_by_kind(), cause)
}

/// The answer when no person decided (RES-38).
pub fn unavailable(kind: DecidedByKind, cause: Cause) -> PermissionPromptDecision {
    PermissionPromptDecision {
        state: DecisionState::Denied,
        both_directions: false,
        denial_reason: None,
        confirmation_unavailable: true,
        decided_by: DecidedBy { cause: Some(cause), ..DecidedBy::own(kind) },
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::report::DecidedWhere;

    #[test]
    fn auth_004_nobody_decided() {
        let expected = PermissionPromptDecision {
            state: DecisionState::Denied,
            both_directions: false,
            denial_reason: None,
            confirmation_unavailable: true,
            decided_by: DecidedBy {
                kind: DecidedByKind::Nobody,
                where_: DecidedWhere::Own,
                pattern: None,
                reason: None,
                cause: Some(Cause::NoAuthority),
                name: None,
            },
        };
        assert_eq!(unavailable(DecidedByKind::Nobody, Cause::NoAuthority), expected);
        assert!(!expected.is_approved());
    }
}
