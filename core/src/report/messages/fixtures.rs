//! Check results for the tests of this room.

use crate::policy::{Origin, PermissionCheckResult, PermissionState, QuestionTrace, Source};

/// An ask on a surface, without a rule.
pub(super) fn check(surface: &str) -> PermissionCheckResult {
    PermissionCheckResult {
        tool_name: surface.to_owned(),
        state: PermissionState::Ask,
        reason: None,
        matched_pattern: None,
        source: Source::Tool,
        origin: Origin::Global,
        command: None,
        target: None,
        command_context: None,
        rule_surface: None,
        direction: None,
        value: None,
        floor: None,
        from_default: false,
        from_catch_all: false,
        trace: QuestionTrace::default(),
    }
}

/// The same with a pattern.
pub(super) fn matched(surface: &str, pattern: &str) -> PermissionCheckResult {
    PermissionCheckResult { matched_pattern: Some(pattern.to_owned()), ..check(surface) }
}
