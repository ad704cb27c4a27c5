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
pub fn grant_surface(surface: &str, direction: Option<Direction>) -> &str {
    match members_of(surface, direction) {
        [only] => only,
        _ => surface,
    }
}

/// The direction of a member.
pub(crate) fn direction_of(member: &str) -> Option<Direction> {
    family_of(member).map(|_| if member.ends_with("_read") { Direction::Read } else { Direction::Write })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::surf_002("external_directory", true)]
    #[case::surf_002("path", true)]
    #[case::surf_002("ls", true)]
    #[case::hard_035("path_write", true)]
    #[case::surf_002("glob", false)]
    #[case::surf_002("bash", false)]
    fn path_surfaces(#[case] surface: &str, #[case] expected: bool) {
        assert_eq!(is_path_surface(surface), expected);
    }

    /// HARD-040 and the table "What for this session stores".
    #[rstest]
    #[case::proven("path", Some(Direction::Read), "path_read")]
    #[case::proven("external_directory", Some(Direction::Write), "external_directory_write")]
    #[case::both("path", Some(Direction::Both), "path")]
    #[case::unproven("external_directory", None, "external_directory")]
    #[case::path_tools_have_none("read", Some(Direction::Read), "read")]
    fn hard_040_surface_of_a_grant(#[case] surface: &str, #[case] direction: Option<Direction>, #[case] expected: &str) {
        assert_eq!(grant_surface(surface, direction), expected);
    }
}
