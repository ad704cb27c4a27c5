//! What a tool's name alone says: its kind (SURF-001) and the direction it proves (HARD-036). The lists are data that no
//! configuration changes.

use serde::Serialize;

use crate::policy::Direction;
use crate::text::js_trim;

/// The kind of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// The shell.
    Bash,
    /// The generic MCP tool. Native MCP tools are extension tools here (RES-16).
    Mcp,
    /// The skill tool.
    Skill,
    /// One of the six path tools.
    Path,
    /// Everything else.
    Extension,
}

/// The six path tools (SURF-002).
pub const PATH_TOOLS: [&str; 6] = ["read", "write", "edit", "find", "grep", "ls"];

/// The path tools that only read (SURF-002).
pub const READ_ONLY_PATH_TOOLS: [&str; 4] = ["read", "find", "grep", "ls"];

/// The kind of a tool by its trimmed name, case-sensitively (SURF-001).
///
/// ```
/// use portcullis_core::access::{ToolKind, tool_kind};
///
/// assert_eq!(tool_kind(" bash "), ToolKind::Bash);
/// assert_eq!(tool_kind("Bash"), ToolKind::Extension);
/// ```
pub fn tool_kind(name: &str) -> ToolKind {
    match js_trim(name) {
        "bash" => ToolKind::Bash,
        "mcp" => ToolKind::Mcp,
        "skill" => ToolKind::Skill,
        name if is_path_tool(name) => ToolKind::Path,
        _ => ToolKind::Extension,
    }
}

/// Whether the name is one of the six path tools, exactly (SURF-002).
pub fn is_path_tool(name: &str) -> bool {
    PATH_TOOLS.contains(&name)
}

/// Whether the name is one of `read`, `find`, `grep`, `ls`, exactly (SURF-002).
pub fn is_read_only_path_tool(name: &str) -> bool {
    READ_ONLY_PATH_TOOLS.contains(&name)
}

/// Whether rules on the surface speak about paths: a path tool, a family, or a member of one (SURF-002, HARD-035).
pub fn is_path_surface(surface: &str) -> bool {
    is_path_tool(surface)
        || matches!(
            surface,
            "path" | "path_read" | "path_write" | "external_directory" | "external_directory_read" | "external_directory_write"
        )
}

/// Whether the tool lists or searches a folder, so that a deny of `d/*` covers `d` itself (HARD-058, RES-22).
pub fn is_listing_tool(name: &str) -> bool {
    matches!(name, "find" | "grep" | "ls")
}

/// The direction that the tool's trimmed name proves (HARD-036); unproven counts as both.
pub fn direction_of_tool(name: &str) -> Direction {
    match js_trim(name) {
        "read" | "grep" | "find" | "ls" => Direction::Read,
        "write" => Direction::Write,
        _ => Direction::Both,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::surf_001(" bash ", ToolKind::Bash)]
    #[case::surf_001("Bash", ToolKind::Extension)]
    #[case::surf_001("BASH", ToolKind::Extension)]
    #[case::surf_001("skills", ToolKind::Extension)]
    #[case::surf_001("mcp_foo", ToolKind::Extension)]
    #[case::surf_001("glob", ToolKind::Extension)]
    #[case::surf_001("task", ToolKind::Extension)]
    #[case::surf_001("", ToolKind::Extension)]
    #[case::surf_001("path", ToolKind::Extension)]
    #[case::surf_001("external_directory", ToolKind::Extension)]
    #[case::surf_001("ls", ToolKind::Path)]
    #[case::surf_001("mcp", ToolKind::Mcp)]
    #[case::surf_001("skill", ToolKind::Skill)]
    #[case::res_16("mcp__github__search", ToolKind::Extension)]
    fn classifies(#[case] name: &str, #[case] kind: ToolKind) {
        assert_eq!(tool_kind(name), kind);
    }

    #[rstest]
    #[case::surf_002("external_directory", true)]
    #[case::surf_002("path", true)]
    #[case::surf_002("glob", false)]
    #[case::surf_002("edit", true)]
    #[case::hard_035("path_write", true)]
    #[case::surf_002("Read", false)]
    fn path_surfaces(#[case] surface: &str, #[case] yes: bool) {
        assert_eq!(is_path_surface(surface), yes);
    }

    #[rstest]
    #[case::hard_036("read", Direction::Read)]
    #[case::hard_036("grep", Direction::Read)]
    #[case::hard_036("find", Direction::Read)]
    #[case::hard_036("ls", Direction::Read)]
    #[case::hard_036("write", Direction::Write)]
    #[case::hard_036("edit", Direction::Both)]
    #[case::hard_036("mcp", Direction::Both)]
    #[case::hard_036("deploy", Direction::Both)]
    #[case::hard_036("bash", Direction::Both)]
    fn directions(#[case] tool: &str, #[case] direction: Direction) {
        assert_eq!(direction_of_tool(tool), direction);
    }

    #[test]
    fn surf_002_sets() {
        assert!(PATH_TOOLS.iter().all(|tool| is_path_tool(tool)));
        assert_eq!(
            PATH_TOOLS.iter().copied().filter(|tool| is_read_only_path_tool(tool)).collect::<Vec<_>>(),
            ["read", "find", "grep", "ls"]
        );
    }
}
