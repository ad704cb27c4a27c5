//! The names of known MCP servers (CFG-035, RES-16).

use super::json::{NodeValue, parse_json};
use crate::text::js_trim;

/// The server names that an `mcp.json` lists, in file order. A text that cannot be used lists none.
pub(crate) fn server_names(text: &str) -> Vec<String> {
    let Ok(document) = parse_json(text) else { return Vec::new() };
    let servers = document
        .root
        .get("mcpServers")
        .filter(|servers| servers.value != NodeValue::Null)
        .or_else(|| document.root.get("mcp-servers"))
        .and_then(|servers| servers.members());
    servers
        .unwrap_or_default()
        .iter()
        .map(|member| js_trim(&member.key))
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// All names once, longest first, then alphabetically: a longer name is never mistaken for a shorter one with a tool.
pub(crate) fn order_servers(mut names: Vec<String>) -> Vec<String> {
    names.sort_by(|a, b| length(b).cmp(&length(a)).then_with(|| a.cmp(b)));
    names.dedup();
    names
}

fn length(name: &str) -> usize {
    name.encode_utf16().count()
}

#[cfg(test)]
mod tests;
