//! What a yes "for this session" may store (table "What for this session stores", docs/spec/README.md). Nothing here is
//! wider than what its label shows (HARD-041).

use crate::access::path::AccessPath;
use crate::host::Platform;

/// The pattern for a plain command (SESS-005, SESS-006), or the whole text where a prefix would say too much (RES-30).
pub fn suggest_bash_pattern(text: &str) -> Option<String> {
    let _ = text;
    None
}

/// The words of a command that name what it does (SESS-006, arity table).
pub fn bash_prefix<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    tokens.iter().take(1).copied().collect()
}

/// The patterns for a path: a file's folder, or a folder and its content (HARD-041, GATE-003).
pub fn suggest_path_patterns(path: &AccessPath, platform: Platform) -> Vec<String> {
    let _ = (path, platform);
    Vec::new()
}

/// The pattern for an MCP call: exactly the name that grants compare with (HARD-026, POLICY-D15).
pub fn suggest_mcp_pattern(grant_name: &str) -> Option<String> {
    suggest_name_pattern(grant_name)
}

/// The pattern for a `skill` tool call: the skill's name.
pub fn suggest_name_pattern(name: &str) -> Option<String> {
    (!name.is_empty() && !name.contains(['*', '?'])).then(|| name.to_owned())
}

/// The pattern for an extension tool: `*` on its own name (RES-31).
pub fn suggest_extension_pattern(tool: &str) -> Option<String> {
    suggest_name_pattern(tool).map(|_| "*".to_owned())
}
