//! The gates by name (closed list of docs/spec/README.md, section 6) and the surfaces they report.

use crate::policy::Direction;

/// Gate 1.
pub const SKILL_READ: &str = "skill-read";
/// Gate 2.
pub const PATH: &str = "path";
/// Gate 3.
pub const EXTERNAL_DIRECTORY: &str = "external-directory";
/// Gate 4.
pub const BASH_EXTERNAL_DIRECTORY: &str = "bash-external-directory";
/// Gate 5.
pub const BASH_PATH: &str = "bash-path";
/// Gate 6.
pub const TOOL: &str = "tool";
/// The gate of a typed skill.
pub const SKILL_INPUT: &str = "skill-input";

pub(crate) const PATH_SURFACE: &str = "path";
pub(crate) const BOUNDARY_SURFACE: &str = "external_directory";
pub(crate) const BASH_SURFACE: &str = "bash";
pub(crate) const MCP_SURFACE: &str = "mcp";
pub(crate) const SKILL_SURFACE: &str = "skill";

/// The surface on which a grant of a family is stored: the proven member, else the family (HARD-040).
pub(crate) fn granted_surface(family: &str, direction: Direction) -> String {
    match direction {
        Direction::Read => format!("{family}_read"),
        Direction::Write => format!("{family}_write"),
        Direction::Both => family.to_owned(),
    }
}
