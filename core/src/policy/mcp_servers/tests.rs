use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;

#[rstest]
#[case::trimmed_sorted(r#"{"mcpServers":{"b":{},"aa":{},"a":1," exa ":{},"":{}}}"#, &["exa", "aa", "a", "b"])]
#[case::null_gives_way(r#"{"mcpServers":null,"mcp-servers":{"x":{}}}"#, &["x"])]
#[case::empty_does_not(r#"{"mcpServers":{},"mcp-servers":{"x":{}}}"#, &[])]
#[case::malformed("{", &[])]
#[case::array_is_no_record(r#"{"mcpServers":["x"]}"#, &[])]
#[case::comments("{\"mcpServers\": /* all */ {\"x\": {}}} // end", &["x"])]
#[case::no_object("[]", &[])]
#[case::same_name_once(r#"{"mcpServers":{"x":{}," x":{}}}"#, &["x"])]
fn cfg_035_server_names(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(order_servers(server_names(text)), expected);
}
