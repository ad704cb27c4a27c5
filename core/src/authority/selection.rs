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
