use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::report::DecidedByKind;

#[rstest]
#[case("approved", Some(DecisionState::Approved), true)]
#[case("approved_for_session", Some(DecisionState::ApprovedForSession), true)]
#[case("approved_for_serving_session", Some(DecisionState::ApprovedForServingSession), true)]
#[case("denied", Some(DecisionState::Denied), false)]
#[case("denied_with_reason", Some(DecisionState::DeniedWithReason), false)]
#[case("Approved", None, false)]
#[case("allow", None, false)]
#[case("", None, false)]
fn auth_005_states_are_exact(#[case] word: &str, #[case] state: Option<DecisionState>, #[case] approved: bool) {
    assert_eq!(DecisionState::parse(word), state);
    assert_eq!(state.is_some_and(DecisionState::is_approved), approved);
}

fn decision(state: DecisionState) -> PermissionPromptDecision {
    PermissionPromptDecision {
        state,
        both_directions: false,
        denial_reason: None,
        confirmation_unavailable: false,
        decided_by: DecidedBy::own(DecidedByKind::User),
    }
}

fn pair(surface: &str) -> Vec<(String, String)> {
    vec![(surface.to_owned(), "/a/*".to_owned())]
}

/// `approved` is what the state says, and nothing else can say it (FWD-D07); a grant is stored for one state only (AUTH-017).
#[rstest]
#[case(DecisionState::Approved, true, false)]
#[case(DecisionState::ApprovedForSession, true, true)]
#[case(DecisionState::ApprovedForServingSession, true, false)]
#[case(DecisionState::Denied, false, false)]
#[case(DecisionState::DeniedWithReason, false, false)]
fn auth_006_the_state_decides(#[case] state: DecisionState, #[case] approved: bool, #[case] stores: bool) {
    let suggestion = GateSuggestion { pairs: pair("path_read"), both_directions: pair("path") };
    let answer = decision(state);
    assert_eq!(answer.is_approved(), approved);
    let narrow = if stores { pair("path_read") } else { Vec::new() };
    assert_eq!(answer.granted_pairs(Some(&suggestion)), narrow);
    let wide = PermissionPromptDecision { both_directions: true, ..answer.clone() };
    assert_eq!(wide.granted_pairs(Some(&suggestion)), if stores { pair("path") } else { Vec::new() });
    assert_eq!(answer.granted_pairs(None), []);
    let nobodys = PermissionPromptDecision { confirmation_unavailable: true, ..answer };
    assert_eq!((nobodys.is_approved(), nobodys.granted_pairs(Some(&suggestion))), (false, &[][..]));
}
