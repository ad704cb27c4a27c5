use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::*;

fn servers(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[rstest]
#[case::surf_007(json!({}), &["mcp_status"])]
#[case::surf_007(json!({"tool": "mcp"}), &["mcp", "mcp_call"])]
#[case::surf_015(json!({"connect": "exa"}), &["mcp_connect_exa", "exa", "mcp_connect"])]
#[case::surf_015(json!({"search": "web", "server": "exa"}), &["mcp_server_exa", "exa", "web", "mcp_search"])]
#[case::surf_015(json!({"search": "mcp_search"}), &["mcp_search"])]
#[case::surf_015(json!({"server": "exa"}), &["mcp_server_exa", "exa", "mcp_list"])]
#[case::surf_015(json!(null), &["mcp_status"])]
#[case::surf_015(json!("str"), &["mcp_status"])]
#[case::surf_015(json!([1]), &["mcp_status"])]
#[case::surf_015(json!({"tool": 5}), &["mcp_status"])]
#[case::surf_015(json!({"action": "list"}), &["mcp_status"])]
#[case::surf_015(json!({"connect": "exa", "server": "z", "tool": "t"}), &["z_t", "z:t", "z", "t", "mcp_call"])]
#[case::surf_015(json!({"connect": "a", "describe": "b"}), &["mcp_connect_a", "a", "mcp_connect"])]
#[case::surf_015(json!({"describe": "b", "search": "c"}), &["b", "mcp_describe"])]
#[case::surf_015(json!({"tool": "", "connect": "exa"}), &["mcp_connect_exa", "exa", "mcp_connect"])]
#[case::surf_016(json!({"tool": "exa:search"}), &["exa_search", "exa:search", "exa", "search", "mcp_call"])]
#[case::surf_016(json!({"tool": "search", "server": "exa"}), &["exa_search", "exa:search", "exa", "search", "mcp_call"])]
#[case::surf_016(
    json!({"tool": "exa:search", "server": "other"}),
    &["other_search", "other:search", "other", "search", "exa:search", "mcp_call"]
)]
#[case::surf_016(json!({"tool": "a:b:c"}), &["a_b:c", "a:b:c", "a", "b:c", "mcp_call"])]
#[case::surf_016(json!({"tool": " a : b "}), &["a_b", "a:b", "a", "b", "a : b", "mcp_call"])]
#[case::surf_016(json!({"tool": ":x"}), &[":x", "mcp_call"])]
#[case::surf_016(json!({"tool": "x:"}), &["x:", "mcp_call"])]
#[case::surf_016(json!({"tool": "Exa:Search"}), &["Exa_Search", "Exa:Search", "Exa", "Search", "mcp_call"])]
#[case::surf_016(json!({"describe": "exa:search"}), &["exa_search", "exa:search", "exa", "search", "mcp_describe"])]
fn candidates_without_servers(#[case] input: Value, #[case] expected: &[&str]) {
    let call = mcp_call(&input, &[]);
    assert_eq!(call.candidates, expected);
    assert_eq!(call.values().split_last().unwrap(), (&"mcp".to_owned(), call.candidates.as_slice()), "SURF-007");
    assert_eq!(call.own_tool, None);
    assert!(call.introduced.iter().all(Option::is_none));
}

#[rstest]
#[case::surf_017(&["exa"], "web_search_exa", &["exa_web_search_exa", "exa:web_search_exa", "exa", "web_search_exa", "mcp_call"])]
#[case::surf_017(&["exa"], "_exa", &["exa__exa", "exa:_exa", "exa", "_exa", "mcp_call"])]
#[case::surf_017(
    &["my_server", "server"],
    "x_my_server",
    &[
        "my_server_x_my_server", "my_server:x_my_server", "my_server", "server_x_my_server", "server:x_my_server", "server",
        "x_my_server", "mcp_call"
    ]
)]
#[case::surf_017_unknown(&["exa"], "search", &["search", "mcp_call"])]
#[case::hard_026_prefix(&["github"], "github_search_code", &["github_search_code", "github:search_code", "github", "search_code", "mcp_call"])]
#[case::hard_026_prefix(&["exa"], "exa_search", &["exa_search", "exa:search", "exa", "search", "mcp_call"])]
#[case::hard_026_prefix(&["exa"], "exa_exa", &["exa_exa", "exa:exa", "exa", "mcp_call"])]
#[case::hard_026_longest(&["git_hub", "git"], "git_hub_x", &["git_hub_x", "git_hub:x", "git_hub", "x", "mcp_call"])]
#[case::hard_026_longest_whatever_the_order(&["git", "git_hub"], "git_hub_x", &["git_hub_x", "git_hub:x", "git_hub", "x", "mcp_call"])]
#[case::hard_026_prefix_before_suffix(&["a", "b"], "a_x_b", &["a_x_b", "a:x_b", "a", "x_b", "mcp_call"])]
#[case::hard_026_sanitised(&["my-srv"], "my_srv_x", &["my_srv_x", "my-srv_x", "my-srv:x", "my-srv", "x", "mcp_call"])]
#[case::hard_026_nothing_behind(&["exa"], "exa_", &["exa_", "mcp_call"])]
fn candidates_with_servers(#[case] known: &[&str], #[case] tool: &str, #[case] expected: &[&str]) {
    assert_eq!(mcp_call(&json!({ "tool": tool }), &servers(known)).candidates, expected);
}

#[test]
fn hard_026_names_what_the_package_does_not_list() {
    let call = mcp_call(&json!({"tool": "github_search"}), &servers(&["github"]));
    let new = Some("HARD-026");
    assert_eq!(call.introduced, [None, new, new, new, None]);
}

#[rstest]
#[case::res_30("exa:search", None, &[], "exa:search")]
#[case::res_30("search", Some("exa"), &[], "exa:search")]
#[case::res_30("search", None, &["exa"], "search")]
#[case::res_30_prefix("exa_search", None, &["exa"], "exa:search")]
#[case::res_30_suffix("web_search_exa", None, &["exa"], "exa:web_search_exa")]
#[case::res_30_bare(":x", None, &[], ":x")]
#[case::res_30_no_generic_call("mcp_search", None, &[], "mcp_call mcp_search")]
#[case::res_30_no_generic_call("mcp_connect_x:a", None, &[], "mcp_call mcp_connect_x:a")]
fn grant_name_of_a_tool_call(#[case] tool: &str, #[case] server: Option<&str>, #[case] known: &[&str], #[case] expected: &str) {
    assert_eq!(mcp_call(&json!({"tool": tool, "server": server}), &servers(known)).grant_name, expected);
}

#[test]
fn hard_026_a_tool_that_is_called_like_a_generic_call() {
    let call = mcp_call(&json!({"tool": "mcp_list", "server": "evil"}), &[]);
    assert_eq!(call.impostors, ["mcp_list"]);
    assert_eq!(call.values(), ["evil_mcp_list", "evil:mcp_list", "evil", "mcp_call", "mcp"]);
    assert_eq!(native_mcp_call("mcp__evil__mcp_list", &[]).unwrap().impostors, ["mcp_list"]);
    for generic in [json!({}), json!({"server": "a"}), json!({"search": "a"}), json!({"describe": "a"}), json!({"connect": "a"})]
    {
        assert_eq!(mcp_call(&generic, &[]).impostors, [""; 0], "{generic}");
    }
}

#[rstest]
#[case::res_30_connect(json!({"connect": "exa"}), "mcp_connect_exa")]
#[case::res_30_list(json!({"server": "exa"}), "mcp_server_exa")]
#[case::res_30_describe(json!({"describe": "exa:search"}), "mcp_describe")]
#[case::res_30_search(json!({"search": "web", "server": "exa"}), "mcp_search")]
#[case::res_30_status(json!({}), "mcp_status")]
fn grant_name_of_other_calls(#[case] input: Value, #[case] expected: &str) {
    assert_eq!(mcp_call(&input, &[]).grant_name, expected);
}

#[rstest]
#[case::res_30("exa:*", false)]
#[case::res_30("exa:a?", false)]
#[case::res_30("exa:a", true)]
fn a_name_with_a_wildcard_is_no_grant(#[case] tool: &str, #[case] grantable: bool) {
    assert_eq!(mcp_call(&json!({ "tool": tool }), &[]).is_grantable(), grantable);
}

#[rstest]
#[case::res_16("mcp__github__search", &[], &["mcp__github__search", "github_search", "github:search", "github", "search", "mcp_call"], "github:search")]
#[case::res_16_configured(
    "mcp__my_srv__x",
    &["my-srv"],
    &["mcp__my_srv__x", "my_srv_x", "my_srv:x", "my_srv", "my-srv_x", "my-srv:x", "my-srv", "x", "mcp_call"],
    "my-srv:x"
)]
#[case::res_16_same_spelling("mcp__gh__x", &["gh"], &["mcp__gh__x", "gh_x", "gh:x", "gh", "x", "mcp_call"], "gh:x")]
#[case::res_16_more_parts("mcp__a__b__c", &[], &["mcp__a__b__c", "a_b__c", "a:b__c", "a", "b__c", "mcp_call"], "a:b__c")]
#[case::res_16_server_with_double(
    "mcp__a__b__c",
    &["a__b"],
    &["mcp__a__b__c", "a_b__c", "a:b__c", "a", "a__b_c", "a__b:c", "a__b", "b__c", "c", "mcp_call"],
    "a__b:c"
)]
fn native(#[case] tool: &str, #[case] known: &[&str], #[case] candidates: &[&str], #[case] grant: &str) {
    let call = native_mcp_call(tool, &servers(known)).unwrap();
    assert_eq!(call.candidates, candidates);
    assert_eq!(call.values(), candidates);
    assert_eq!(call.grant_name, grant);
    assert_eq!(call.own_tool.as_deref(), Some(tool));
}

#[rstest]
#[case::res_16("mcp__github")]
#[case::res_16("mcp____x")]
#[case::res_16("mcp__x__")]
#[case::res_16("mcp_x_y")]
#[case::res_16("MCP__x__y")]
#[case::res_16("mcp")]
fn no_native_tool(#[case] tool: &str) {
    assert_eq!(native_mcp_call(tool, &[]), None);
}

#[rstest]
#[case::policy_d13("evil:delete", &["evil_delete", "evil:delete", "evil", "delete", "mcp_call"])]
#[case::policy_d13(" ", &["mcp_status"])]
fn a_query_names_its_target(#[case] target: &str, #[case] expected: &[&str]) {
    assert_eq!(mcp_target_call(target, &[]).candidates, expected);
}

#[rstest]
#[case::surf_018(Source::Mcp, "x", true)]
#[case::surf_018(Source::Default, " mcp ", true)]
#[case::surf_018(Source::Tool, "exa:search", false)]
fn concerns(#[case] source: Source, #[case] tool: &str, #[case] yes: bool) {
    assert_eq!(concerns_mcp(source, tool), yes);
}

proptest! {
    /// Invariant 7 of docs/spec/policy.md.
    #[test]
    fn candidates_are_distinct_and_end_with_the_generic_name(
        fields in proptest::collection::vec(("tool|server|connect|describe|search", "[ab_: mcp]{0,8}"), 0..4),
        known in proptest::collection::vec("[ab_]{1,3}", 0..3),
    ) {
        let input: Value = fields.into_iter().map(|(name, text)| (name, Value::String(text))).collect::<serde_json::Map<_, _>>().into();
        let call = mcp_call(&input, &known);
        let mut distinct = call.candidates.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), call.candidates.len());
        prop_assert!(call.candidates.iter().all(|name| !name.is_empty()));
        prop_assert_eq!(call.introduced.len(), call.candidates.len());
        let generic = ["mcp_call", "mcp_connect", "mcp_describe", "mcp_search", "mcp_list", "mcp_status"];
        prop_assert!(generic.iter().any(|name| call.candidates.iter().any(|candidate| candidate == name)));
    }
}
