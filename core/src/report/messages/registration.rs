//! Calls that name no registered tool (MSG-001, MSG-002, TOOL-004). Untagged: no permission was checked.

use super::collation::sort_names;
use super::words::{FACT_LIMIT, fact};

/// How many registered names are listed.
const LISTED: usize = 10;
/// The tool through which MCP servers are called.
const MCP: &str = "mcp";

/// The call has no tool name (MSG-001).
pub fn missing_tool_name() -> String {
    "No tool name was given, so the call was stopped before any permission check. Pick a name from the list of registered tools."
        .to_owned()
}

/// The named tool is not registered (MSG-002).
///
/// ```
/// use portcullis_core::report::messages::unknown_tool;
/// let text = unknown_tool("mcp", &["write".into(), "read".into(), "read".into()]);
/// assert_eq!(
///     text,
///     "The tool 'mcp' is not registered, so the call was stopped before any permission check. Registered tools: read, write."
/// );
/// ```
pub fn unknown_tool(name: &str, available: &[String]) -> String {
    let shown = fact(name, FACT_LIMIT);
    let hint = if name == MCP {
        ""
    } else {
        " If it is a tool of an MCP server, call the registered tool 'mcp' instead, for example with {\"tool\":\"server:tool\"}."
    };
    format!(
        "The tool '{shown}' is not registered, so the call was stopped before any permission check.{hint} Registered tools: {}.",
        listed(available)
    )
}

fn listed(available: &[String]) -> String {
    let mut names = available.to_vec();
    sort_names(&mut names);
    if names.is_empty() {
        return "none".to_owned();
    }
    let more = names.len().saturating_sub(LISTED);
    let mut text = names.iter().take(LISTED).map(|name| fact(name, FACT_LIMIT)).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(", … [{more} more]"));
    }
    text
}

#[cfg(test)]
mod tests;
