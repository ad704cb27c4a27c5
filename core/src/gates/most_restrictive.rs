//! The strictest of several states; the earliest among equals (GATE-031).

use crate::policy::PermissionState;

/// The index of the strictest state. Nothing for nothing.
///
/// ```
/// use portcullis_core::gates::most_restrictive;
/// use portcullis_core::policy::PermissionState::{Allow, Ask, Deny};
/// assert_eq!(most_restrictive([Ask, Deny, Deny]), Some(1));
/// assert_eq!(most_restrictive([]), None);
/// ```
pub fn most_restrictive(states: impl IntoIterator<Item = PermissionState>) -> Option<usize> {
    let mut strictest: Option<(usize, PermissionState)> = None;
    for (index, state) in states.into_iter().enumerate() {
        if strictest.is_none_or(|(_, best)| state > best) {
            strictest = Some((index, state));
        }
    }
    strictest.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use PermissionState::{Allow, Ask, Deny};
    use pretty_assertions::assert_eq;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case(&[Allow, Ask, Ask], Some(1))]
    #[case(&[Ask, Deny, Deny], Some(1))]
    #[case(&[Deny, Ask], Some(0))]
    #[case(&[Ask, Allow, Deny, Ask], Some(2))]
    #[case(&[Allow, Allow], Some(0))]
    #[case(&[], None)]
    fn gate_031_selection(#[case] states: &[PermissionState], #[case] expected: Option<usize>) {
        assert_eq!(most_restrictive(states.iter().copied()), expected);
    }

    proptest! {
        /// Invariant 9: order changes which entry is reported, never the state.
        #[test]
        fn invariant_9_order_never_changes_the_state(
            states in prop::collection::vec(prop::sample::select(vec![Allow, Ask, Deny]), 1..12), seed: u64,
        ) {
            let mut shuffled = states.clone();
            let turn = usize::try_from(seed % 12).unwrap_or_default() % shuffled.len();
            shuffled.rotate_left(turn);
            let state = |list: &[PermissionState]| most_restrictive(list.iter().copied()).map(|index| list[index]);
            prop_assert_eq!(state(&states), state(&shuffled));
            prop_assert_eq!(state(&states), states.iter().max().copied());
        }
    }
}
