//! HAND-016, RES-10 (POLICY-D16, GATES-D18): whose rules a call is judged by, through the handlers.

use portcullis_test_fixtures::{HostSetup, StartedHost, fake_host};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::collaborators::command;

fn with_agents() -> HostSetup {
    fake_host()
        .policy(json!({ "bash": "deny" }))
        .agent_policy("A", &json!({ "bash": "allow" }))
        .agent_policy("strict", &json!({ "write": "deny" }))
}

/// The agent that the next call is filed under.
fn agent_of_a_call(host: &StartedHost) -> Value {
    host.forget();
    host.call("bash", command("ls"));
    host.decisions()[0]["agentName"].clone()
}

#[test]
fn hand_016_entries_and_memory() {
    let host = with_agents().start();
    host.context.append_agent(Some(" A "));
    assert_eq!(agent_of_a_call(&host), "A");
    host.context.append_entry(json!({ "type": "custom", "customType": "active_agent", "data": { "name": 5 } }));
    assert_eq!(agent_of_a_call(&host), "A", "a malformed entry is skipped");
    host.context.append_agent(None);
    assert_eq!(agent_of_a_call(&host), json!(null), "GATES-D18: an explicit null means none");
}

#[test]
fn res_10_the_memory_ends_at_null_at_a_start_and_at_a_shutdown() {
    let tag = "<active_agent name='A'>";
    for end in ["null", "start", "shutdown"] {
        let host = with_agents().start();
        host.before_agent_start(tag);
        assert_eq!(agent_of_a_call(&host), "A", "remembered");
        match end {
            "null" => host.context.append_agent(None),
            "start" => host.session_start("new"),
            _ => {
                host.session_shutdown();
                host.session_start("startup");
            }
        }
        assert_eq!(agent_of_a_call(&host), json!(null), "{end}");
    }
}

#[test]
fn res_10_a_tag_chooses_no_milder_rules() {
    let host = with_agents().start();
    host.before_agent_start("<active_agent name='A' foo>");
    host.forget();
    assert!(!host.allows("bash", command("ls")), "its file would allow");
    assert!(host.traces()[0].snapshot.agent_from_tag);
    host.context.append_agent(Some("A"));
    assert!(host.allows("bash", command("ls")), "a session entry may");
}

#[test]
fn res_10_a_tag_may_choose_stricter_rules() {
    let host = fake_host().policy(json!({ "write": "allow" })).agent_policy("strict", &json!({ "write": "deny" })).start();
    assert!(host.allows("write", json!({ "path": "a" })));
    host.before_agent_start("<active_agent name=\"strict\">");
    host.forget();
    assert!(!host.allows("write", json!({ "path": "a" })));
    assert_eq!(host.tools.active_names().iter().any(|name| name == "write"), false, "and hides what it denies");
}

#[rstest]
#[case("../../evil")]
#[case("a/b")]
#[case(r"a\b")]
#[case("..")]
#[case("a\u{7}")]
fn res_10_an_unusable_name_is_a_broken_agent_scope(#[case] name: &str) {
    let host = fake_host().policy(json!({ "bash": "allow", "write": "deny" })).agent(name).start();
    host.forget();
    host.blocks("bash", command("ls"));
    assert_eq!(host.decisions()[0]["resolution"], "confirmation_unavailable", "allow became ask, and nobody is there");
    assert_eq!(host.decisions()[0]["origin"], "fail-closed");
    assert_eq!(host.traces()[0].snapshot.broken, ["agent"]);
    host.forget();
    host.blocks("write", json!({ "path": "a" }));
    assert_eq!(host.decisions()[0]["resolution"], "policy_deny");
}

#[test]
fn hand_016_the_agent_stands_on_every_record() {
    let host = with_agents().agent("strict").start();
    host.forget();
    host.blocks("write", json!({ "path": "a" }));
    host.blocks("nosuch", json!({}));
    let agents: Vec<_> = host.review_log().iter().map(|line| line["agentName"].clone()).collect();
    assert_eq!(agents, [json!("strict"), json!(null)], "a call that is no call of a tool has no agent yet");
    assert_eq!(host.decisions()[0]["agentName"], "strict");
    assert_eq!(host.traces()[0].snapshot.agent.as_deref(), Some("strict"));
}

#[test]
fn tool_009_tools_are_hidden_for_that_agent_only() {
    let host = fake_host()
        .policy(json!({ "*": "ask" }))
        .agent_policy("rev", &json!({ "write": "deny" }))
        .tools(["read", "write"])
        .start();
    host.before_agent_start("hi");
    assert_eq!(host.tools.active_names(), ["read", "write"]);
    host.context.append_agent(Some("rev"));
    host.before_agent_start("hi");
    assert_eq!(host.tools.active_names(), ["read"]);
    host.context.append_agent(None);
    host.before_agent_start("hi");
    assert_eq!(host.tools.active_names(), ["read", "write"], "RES-25: back again");
}
