use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{missing_tool_name, unknown_tool};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|n| format!("t{n:02}")).collect()
}

/// MSG-001, TOOL-004: the call has no name.
#[test]
fn msg_001_missing_tool_name() {
    assert_eq!(
        missing_tool_name(),
        "No tool name was given, so the call was stopped before any permission check. Pick a name from the list of registered tools."
    );
}

const STOPPED: &str = "is not registered, so the call was stopped before any permission check.";
const HINT: &str =
    " If it is a tool of an MCP server, call the registered tool 'mcp' instead, for example with {\"tool\":\"server:tool\"}.";

/// MSG-002, TOOL-004: names the tool, hints at mcp unless it is asked for, lists at most ten names.
#[rstest]
#[case::listed("nope", names(&["read"]), format!("The tool 'nope' {STOPPED}{HINT} Registered tools: read."))]
#[case::none("nope", names(&[]), format!("The tool 'nope' {STOPPED}{HINT} Registered tools: none."))]
#[case::ten("nope", numbered(10), format!("The tool 'nope' {STOPPED}{HINT} Registered tools: {}.", numbered(10).join(", ")))]
#[case::twelve("nope", numbered(12), format!("The tool 'nope' {STOPPED}{HINT} Registered tools: {}, … [2 more].", numbered(10).join(", ")))]
#[case::mcp("mcp", names(&["read"]), format!("The tool 'mcp' {STOPPED} Registered tools: read."))]
#[case::order("nope", names(&["read", "bash", "bash", "ls", "x-tool", "Änd", "zed", "Bash2"]), format!("The tool 'nope' {STOPPED}{HINT} Registered tools: Änd, bash, Bash2, ls, read, x-tool, zed."))]
#[case::tool_003_order("nope", names(&["b", "a", "Zed", "é", "_q", "B", "a"]), format!("The tool 'nope' {STOPPED}{HINT} Registered tools: _q, a, b, B, é, Zed."))]
#[case::escaped("no\u{1b}pe", names(&["a\u{202e}b"]), format!("The tool 'no\\u{{1b}}pe' {STOPPED}{HINT} Registered tools: a\\u{{202e}}b."))]
fn msg_002_unknown_tool(#[case] name: &str, #[case] available: Vec<String>, #[case] expected: String) {
    assert_eq!(unknown_tool(name, &available), expected);
}
