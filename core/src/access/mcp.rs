//! The names of an MCP call (SURF-015 to SURF-017, RES-15, RES-16, RES-30). All names are aliases of one call; which rule wins is
//! the resolver's business.

use serde_json::Value;

use super::input::text_field;
use super::tool_kind::{ToolKind, tool_kind};
use crate::policy::Source;

/// The names of one MCP call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpCall {
    /// The names in order, without duplicates or empty ones; never empty (SURF-015).
    pub candidates: Vec<String>,
    /// The host-native tool's own name: rules on it count too (RES-16). `None` for the generic `mcp` tool.
    pub own_tool: Option<String>,
    /// The call's own name, and nothing else: what a grant stores and what grants are compared with (RES-30).
    pub grant_name: String,
    /// Those candidates that a called tool shares with a generic call (`mcp_status` …): what is allowed to the generic call
    /// must not let the tool of that name through, so they serve deny and ask only (HARD-026).
    pub impostors: Vec<String>,
    /// The requirement by which the candidate stands in the list when the package would not list it, by position.
    pub introduced: Vec<Option<&'static str>>,
}

impl McpCall {
    /// What rules of surface `mcp` see: the candidates and, for the generic tool, `mcp` itself (SURF-007).
    pub fn values(&self) -> Vec<String> {
        let mut values = self.candidates.clone();
        values.retain(|name| !self.impostors.contains(name));
        if self.own_tool.is_none() {
            values.push("mcp".to_owned());
        }
        values
    }

    /// Whether a grant can be stored: a name that holds a wildcard would cover more than is shown.
    pub fn is_grantable(&self) -> bool {
        !self.grant_name.contains(['*', '?'])
    }
}

/// The names of a call of the generic `mcp` tool. `servers` are the configured servers, longest first (CFG-035).
///
/// ```
/// use portcullis_core::access::mcp::mcp_call;
/// use serde_json::json;
///
/// let call = mcp_call(&json!({"tool": "exa:search"}), &[]);
/// assert_eq!(call.candidates, ["exa_search", "exa:search", "exa", "search", "mcp_call"]);
/// assert_eq!(call.grant_name, "exa:search");
/// ```
pub fn mcp_call(input: &Value, servers: &[String]) -> McpCall {
    let field = |name| text_field(input, name);
    let mut names = Names::default();
    let server = field("server");
    let grant_name = if let Some(tool) = field("tool") {
        let own = names.push_reference(tool, server, servers);
        names.push("mcp_call");
        names.mark_impostors();
        tool_grant_name(own)
    } else if let Some(connect) = field("connect") {
        let own = format!("mcp_connect_{connect}");
        names.push(&own);
        names.push(connect);
        names.push("mcp_connect");
        own
    } else if let Some(described) = field("describe") {
        names.push_reference(described, server, servers);
        names.push("mcp_describe");
        "mcp_describe".to_owned()
    } else if let Some(search) = field("search") {
        if let Some(server) = server {
            names.push(&format!("mcp_server_{server}"));
            names.push(server);
        }
        names.push(search);
        names.push("mcp_search");
        "mcp_search".to_owned()
    } else if let Some(server) = server {
        let own = format!("mcp_server_{server}");
        names.push(&own);
        names.push(server);
        names.push("mcp_list");
        own
    } else {
        names.push("mcp_status");
        "mcp_status".to_owned()
    };
    names.into_call(None, grant_name)
}

/// The names behind a policy query that gives one target as text (POLICY-D13, GATES-D12): the call of that tool. A blank
/// target asks for the status call.
pub fn mcp_target_call(target: &str, servers: &[String]) -> McpCall {
    let mut call = mcp_call(&serde_json::json!({ "tool": target }), servers);
    if GENERIC_CALLS.contains(&target) {
        // Who asks by such a name means the generic call.
        call.impostors.clear();
        call.grant_name = target.to_owned();
    }
    call
}

/// The names of a call of a host-native MCP tool, `mcp__S__T` (RES-16); nothing when the name has another form.
///
/// ```
/// use portcullis_core::access::mcp::native_mcp_call;
///
/// let call = native_mcp_call("mcp__github__search", &[]).unwrap();
/// assert_eq!(call.candidates, ["mcp__github__search", "github_search", "github:search", "github", "search", "mcp_call"]);
/// assert_eq!(call.own_tool.as_deref(), Some("mcp__github__search"));
/// ```
pub fn native_mcp_call(tool_name: &str, servers: &[String]) -> Option<McpCall> {
    let tool_name = crate::text::js_trim(tool_name);
    let rest = tool_name.strip_prefix("mcp__")?;
    let (server, tool) = rest.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())?;
    let configured: Vec<(&str, &str)> = servers
        .iter()
        .filter_map(|known| {
            let tool = rest.strip_prefix(sanitised(known).as_str())?.strip_prefix("__")?;
            (!tool.is_empty()).then_some((known.as_str(), tool))
        })
        .collect();
    let mut names = Names::default();
    names.push(tool_name);
    for (server, tool) in std::iter::once((server, tool)).chain(configured.iter().copied()) {
        names.push_triple(server, tool, Some("HARD-026"));
    }
    for (_, tool) in std::iter::once((server, tool)).chain(configured.iter().copied()) {
        names.push(tool);
    }
    names.push("mcp_call");
    names.mark_impostors();
    let (own_server, own_tool) = configured.first().copied().unwrap_or((server, tool));
    let mut call = names.into_call(Some(tool_name.to_owned()), tool_grant_name(format!("{own_server}:{own_tool}")));
    call.introduced = vec![Some("HARD-026"); call.candidates.len()];
    Some(call)
}

/// Whether an answer concerns MCP (SURF-018).
pub fn concerns_mcp(source: Source, tool_name: &str) -> bool {
    source == Source::Mcp || tool_kind(tool_name) == ToolKind::Mcp
}

/// The ordered list of names under construction.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    impostors: Vec<String>,
    introduced: Vec<Option<&'static str>>,
}

impl Names {
    fn push(&mut self, name: &str) {
        self.push_by(name, None);
    }

    fn push_by(&mut self, name: &str, introduced_by: Option<&'static str>) {
        if !name.is_empty() && !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
            self.introduced.push(introduced_by);
        }
    }

    fn push_triple(&mut self, server: &str, tool: &str, introduced_by: Option<&'static str>) {
        self.push_by(&format!("{server}_{tool}"), introduced_by);
        self.push_by(&format!("{server}:{tool}"), introduced_by);
        self.push_by(server, introduced_by);
    }

    /// Appends the names of a tool reference (SURF-016) and answers its own name (RES-30). The server is, in this order: the
    /// hint, the qualifier, the longest configured server whose name begins the tool's, every one whose name ends it
    /// (HARD-026, SURF-017).
    fn push_reference(&mut self, reference: &str, hint: Option<&str>, servers: &[String]) -> String {
        let qualified = qualified(reference);
        let tool = qualified.map_or(reference, |(_, tool)| tool);
        if let Some(server) = hint.or(qualified.map(|(server, _)| server)) {
            self.push_triple(server, tool, None);
            self.push(tool);
            self.push(reference);
            return format!("{server}:{tool}");
        }
        if let Some((server, inner)) = prefix_server(tool, servers) {
            // The joined form may be the reference itself, which the package lists too.
            self.push_by(tool, None);
            self.push_triple(server, inner, Some("HARD-026"));
            self.push_by(inner, Some("HARD-026"));
            return format!("{server}:{inner}");
        }
        let derived: Vec<&String> = servers.iter().filter(|server| is_suffix_server(tool, server)).collect();
        for server in &derived {
            self.push_triple(server, tool, None);
        }
        self.push(tool);
        self.push(reference);
        match derived.first() {
            Some(server) => format!("{server}:{tool}"),
            None => reference.to_owned(),
        }
    }

    /// The call is one of a tool: its name is whatever its server calls it.
    fn mark_impostors(&mut self) {
        self.impostors = self.names.iter().filter(|name| GENERIC_CALLS.contains(&name.as_str())).cloned().collect();
    }

    fn into_call(self, own_tool: Option<String>, grant_name: String) -> McpCall {
        let Self { names: candidates, impostors, introduced } = self;
        McpCall { candidates, own_tool, grant_name, impostors, introduced }
    }
}

/// The calls that RULE-010 allows beside any configured allow.
const GENERIC_CALLS: [&str; 5] = ["mcp_status", "mcp_list", "mcp_search", "mcp_describe", "mcp_connect"];

/// A tool may be called what a grant of a generic call stores (`mcp_search`, `mcp_connect_x`): the names are kept apart.
fn tool_grant_name(name: String) -> String {
    if name.starts_with("mcp_") { format!("mcp_call {name}") } else { name }
}

/// Server and tool around the first colon that has text on both sides (SURF-016).
fn qualified(reference: &str) -> Option<(&str, &str)> {
    let (server, tool) = reference.split_once(':')?;
    Some((crate::text::non_blank(server)?, crate::text::non_blank(tool)?))
}

/// The longest configured server whose name, as tool names spell it, begins the tool's name (HARD-026).
fn prefix_server<'a>(tool: &'a str, servers: &'a [String]) -> Option<(&'a str, &'a str)> {
    servers
        .iter()
        .filter_map(|server| {
            let inner = tool
                .strip_prefix(server.as_str())
                .or_else(|| tool.strip_prefix(sanitised(server).as_str()))?
                .strip_prefix('_')?;
            (!inner.is_empty()).then_some((server.as_str(), inner))
        })
        .max_by(|(one, _), (other, _)| one.len().cmp(&other.len()).then_with(|| other.cmp(one)))
}

/// SURF-017: the name ends the tool's and does not begin it.
fn is_suffix_server(tool: &str, server: &str) -> bool {
    let ends = tool.strip_suffix(server).is_some_and(|head| head.ends_with('_'));
    let begins = tool.strip_prefix(server).is_some_and(|tail| tail.starts_with('_'));
    ends && !begins && !server.is_empty()
}

/// A server name as tool names spell it: everything but letters, digits and `_` becomes `_` (RES-16).
fn sanitised(server: &str) -> String {
    server.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests;
