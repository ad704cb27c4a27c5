use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::authority::DecisionState;
use crate::report::{Cause, DecidedBy};

fn decision(kind: DecidedByKind, state: DecisionState) -> PermissionPromptDecision {
    PermissionPromptDecision {
        state,
        both_directions: false,
        denial_reason: None,
        confirmation_unavailable: false,
        decided_by: DecidedBy::own(kind),
    }
}

/// The rows of the table about an ask; those about allow and deny are the runner's.
#[rstest]
#[case(DecisionState::Approved, false, Resolution::UserApproved, "approved")]
#[case(DecisionState::ApprovedForSession, true, Resolution::UserApprovedForSession, "approved_for_session")]
#[case(DecisionState::ApprovedForSession, false, Resolution::UserApproved, "approved_for_session")]
#[case(DecisionState::ApprovedForServingSession, false, Resolution::UserApproved, "approved_for_serving_session")]
#[case(DecisionState::Denied, false, Resolution::UserDenied, "denied")]
#[case(DecisionState::DeniedWithReason, false, Resolution::UserDenied, "denied_with_reason")]
fn auth_018_a_person_answered(
    #[case] state: DecisionState,
    #[case] stored: bool,
    #[case] event: Resolution,
    #[case] review: &str,
) {
    let answer = decision(DecidedByKind::User, state);
    assert_eq!((event_resolution(&answer, stored), review_resolution(&answer)), (event, review));
}

/// Whatever else an answer says: with the mark nobody decided, and only a person's no reads like one (HARD-048).
#[test]
fn auth_018_the_mark_wins_and_a_users_no_is_a_users() {
    for kind in DecidedByKind::ALL {
        for state in DecisionState::ALL {
            for stored in [false, true] {
                let answer = decision(*kind, *state);
                let unmarked = event_resolution(&answer, stored);
                let users_no = *kind == DecidedByKind::User && !state.is_approved();
                assert_eq!(unmarked == Resolution::UserDenied, users_no, "{answer:?}");
                let marked = PermissionPromptDecision { confirmation_unavailable: true, ..answer };
                assert_eq!(event_resolution(&marked, stored), Resolution::ConfirmationUnavailable);
                assert_eq!(review_resolution(&marked), "confirmation_unavailable");
            }
        }
    }
}

#[test]
fn hard_048_every_cause_is_nobodys_or_the_transports() {
    for cause in Cause::ALL {
        let answer = crate::authority::unavailable_by(*cause);
        assert_eq!(event_resolution(&answer, false), Resolution::ConfirmationUnavailable);
        assert!(matches!(answer.decided_by.kind, DecidedByKind::Nobody | DecidedByKind::Transport), "{cause}");
        assert!(!answer.is_approved());
    }
}
