//! The closed lists of surfaces that rules treat apart (SURF-002, HARD-035).

use super::rule::Direction;

/// The six tools that take a path.
pub const PATH_TOOLS: [&str; 6] = ["read", "write", "edit", "find", "grep", "ls"];

/// The two families.
pub const FAMILIES: [&str; 2] = ["path", "external_directory"];

/// Whether values on this surface are spellings of a path, so that Windows folding applies (SURF-002, RULE-007).
pub fn is_path_surface(surface: &str) -> bool {
    PATH_TOOLS.contains(&surface) || FAMILIES.contains(&surface) || family_of(surface).is_some()
}

/// The family of a member (HARD-035).
pub fn family_of(member: &str) -> Option<&'static str> {
    match member {
        "path_read" | "path_write" => Some("path"),
        "external_directory_read" | "external_directory_write" => Some("external_directory"),
        _ => None,
    }
}

/// The members that a question on a family asks, `_read` first (RES-17); none for any other surface.
pub fn members_of(family: &str, direction: Option<Direction>) -> &'static [&'static str] {
    let [read, both, write]: [&'static [&'static str]; 3] = match family {
        "path" => [&["path_read"], &["path_read", "path_write"], &["path_write"]],
        "external_directory" => [
            &["external_directory_read"],
            &["external_directory_read", "external_directory_write"],
            &["external_directory_write"],
        ],
        _ => return &[],
    };
    match direction {
        Some(Direction::Read) => read,
        Some(Direction::Write) => write,
        Some(Direction::Both) | None => both,
    }
}

/// The member of a family that an access of one proven direction is granted on, else the family ("What for this session
/// stores", HARD-040); any other surface is its own.
pub fn grant_surface<'s>(surface: &'s str, direction: Option<Direction>) -> &'s str {
    match members_of(surface, direction) {
        [only] => only,
        _ => surface,
    }
}

/// The direction of a member.
pub(crate) fn direction_of(member: &str) -> Option<Direction> {
    family_of(member).map(|_| if member.ends_with("_read") { Direction::Read } else { Direction::Write })
}
