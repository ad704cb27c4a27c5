//! Which authority answers in this session (AUTH-001). Chosen anew at every activation (AUTH-002).

use crate::host::HostResult;

/// The kinds of authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuthorityKind {
    /// The person in front of this session.
    LocalUser,
    /// A parent session.
    Parent,
    /// Nobody.
    Denying,
}

/// Chooses the authority. The detector is not consulted when the session has a person; a failing detector is an error,
/// never a denial (SUB-005).
///
/// ```
/// use portcullis_core::authority::{AuthorityKind, select_authority};
/// assert_eq!(select_authority(false, || Ok(true)), Ok(AuthorityKind::Parent));
/// ```
pub fn select_authority(has_ui: bool, is_subagent: impl FnOnce() -> HostResult<bool>) -> HostResult<AuthorityKind> {
    if has_ui {
        return Ok(AuthorityKind::LocalUser);
    }
    Ok(if is_subagent()? { AuthorityKind::Parent } else { AuthorityKind::Denying })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;
    use crate::host::HostError;

    #[rstest]
    #[case(true, true, AuthorityKind::LocalUser, 0)]
    #[case(true, false, AuthorityKind::LocalUser, 0)]
    #[case(false, true, AuthorityKind::Parent, 1)]
    #[case(false, false, AuthorityKind::Denying, 1)]
    fn auth_001_selection(#[case] has_ui: bool, #[case] subagent: bool, #[case] expected: AuthorityKind, #[case] looks: usize) {
        let count = Cell::new(0);
        let detect = || {
            count.set(count.get() + 1);
            Ok(subagent)
        };
        assert_eq!((select_authority(has_ui, detect), count.get()), (Ok(expected), looks));
    }

    #[test]
    fn sub_005_a_failing_detector_is_an_error() {
        let detect = || Err(HostError::new("folder"));
        assert_eq!(select_authority(false, detect), Err(HostError::new("folder")));
    }
}
