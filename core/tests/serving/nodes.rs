//! Links and nodes as a host sees them (HARD-044 to HARD-046, RES-12, RES-64 to RES-66).

use std::sync::Arc;

use portcullis_core::authority::{Link, LinkAnswer, LinkAsk};
use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::HostResult;
use portcullis_test_fixtures::{APPROVE, DENY, FakeHost, FakeHostBuilder, ScriptedAnswer};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Net, events, lines, value};

struct Fixed(&'static str, LinkAnswer);

impl Link for Fixed {
    fn name(&self) -> &str {
        self.0
    }

    fn decide(&self, _ask: &LinkAsk) -> HostResult<LinkAnswer> {
        Ok(self.1.clone())
    }
}

fn allow(name: &'static str) -> Arc<dyn Link> {
    Arc::new(Fixed(name, LinkAnswer::Allow))
}

fn deny(name: &'static str) -> Arc<dyn Link> {
    Arc::new(Fixed(name, LinkAnswer::Deny { reason: Some("not now".to_owned()) }))
}

fn register(host: &FakeHost, link: Arc<dyn Link>) {
    let _kept = host.service().unwrap().register_link(link).unwrap();
}

fn with_tools(builder: FakeHostBuilder) -> FakeHostBuilder {
    builder.tools(["read", "write", "bash", "demo", "open"].map(Value::from).to_vec())
}

/// A session `p` with these links configured globally.
fn session(chain: &[&str], policy: Value, answers: Option<Vec<ScriptedAnswer>>) -> (Net, FakeHost) {
    let net = Net::new();
    net.global(&json!({ "authorizerChain": chain }));
    let host = net.build("p", &json!({ "permission": policy }), answers, with_tools);
    host.session_start("startup");
    (net, host)
}

fn ask_all() -> Value {
    json!({ "*": "ask", "external_directory": "ask", "path": "ask" })
}

/// HARD-045's examples: a link's yes on `write` stopped by `path_write` prompts, on `bash` it counts, its no always does.
#[rstest]
#[case::path_write(json!({"*": "allow", "path_write": "ask"}), "write", json!({"path": "a"}), allow("a"), 1, "user_approved")]
#[case::bash(json!({"bash": "ask"}), "bash", json!({"command": "ls"}), allow("a"), 0, "link_approved")]
#[case::no_on_path(json!({"*": "allow", "path_write": "ask"}), "write", json!({"path": "a"}), deny("a"), 0, "link_denied")]
fn hard_045_a_links_word_at_a_gate(
    #[case] policy: Value,
    #[case] tool: &str,
    #[case] input: Value,
    #[case] link: Arc<dyn Link>,
    #[case] prompts: usize,
    #[case] resolution: &str,
) {
    let (_net, host) = session(&["a"], policy, Some(vec![APPROVE]));
    register(&host, link);
    let answer = host.tool_call(tool, input, "t1");
    assert_eq!((host.journal.dialogs().len(), &host.journal.decisions()[0]["resolution"]), (prompts, &json!(resolution)));
    if let ToolCallAnswer::Block { reason } = answer {
        assert!(reason.contains("not now"), "{reason}");
    }
}

/// HARD-044: a link's yes stores nothing, stands in its bracket, and says who it is.
#[test]
fn hard_044_records_of_a_links_yes() {
    let (_net, host) = session(&["a", "b"], json!({"bash": "ask"}), Some(vec![]));
    register(&host, allow("b"));
    assert_eq!(host.tool_call("bash", json!({"command": "git push x"}), "t1"), ToolCallAnswer::Allow);
    let expected =
        ["permission_request.waiting", "authorizer.link_missing", "authorizer.link_decided", "permission_request.approved"];
    assert_eq!(events(&host), expected);
    assert_eq!(lines(&host, "permission_request.approved")[0]["resolution"], "link_approved");
    assert_eq!(host.journal.decisions()[0]["decidedBy"], json!({"kind": "link", "where": "own", "name": "b"}));
    assert_eq!(host.system.session_rules().len(), 0);
    let _answer = host.tool_call("bash", json!({"command": "git push x"}), "t2");
    let missing = |notice: &&String| notice.contains("'a'") && notice.contains("nothing registered it");
    assert_eq!(host.journal.notices().iter().filter(missing).count(), 1, "announced once, logged each time");
    assert_eq!(lines(&host, "authorizer.link_missing").len(), 2);
}

/// RES-12: registered without being named, or named by a project, a link is nobody.
#[rstest]
#[case::not_configured(json!({}))]
#[case::by_a_project(json!({"authorizerChain": ["a"]}))]
fn res_12_only_the_global_file_gives_power(#[case] project: Value) {
    let net = Net::new();
    let mut config = project;
    config["permission"] = ask_all();
    let host = net.build("p", &config, Some(vec![DENY]), with_tools);
    host.session_start("startup");
    register(&host, allow("a"));
    assert!(matches!(host.tool_call("demo", json!({}), "t1"), ToolCallAnswer::Block { .. }));
    assert_eq!(events(&host), ["permission_request.waiting", "permission_request.denied"]);
}

/// RES-11: a name that the file no longer holds has no power from then on.
#[test]
fn res_11_a_name_that_is_gone_from_the_file() {
    let (net, host) = session(&["a"], ask_all(), Some(vec![DENY]));
    register(&host, allow("a"));
    assert_eq!(host.tool_call("demo", json!({}), "t1"), ToolCallAnswer::Allow);
    net.global(&json!({}));
    assert!(matches!(host.tool_call("demo", json!({}), "t2"), ToolCallAnswer::Block { .. }));
}

/// HARD-044: a session without anybody still asks its links; after them the refusal stands.
#[rstest]
#[case(allow("a"), true)]
#[case(Arc::new(Fixed("a", LinkAnswer::Defer)), false)]
fn hard_044_links_before_the_refusal(#[case] link: Arc<dyn Link>, #[case] goes_ahead: bool) {
    let (_net, host) = session(&["a"], ask_all(), None);
    register(&host, link);
    assert_eq!(host.tool_call("demo", json!({}), "t1") == ToolCallAnswer::Allow, goes_ahead);
    let resolution = if goes_ahead { "link_approved" } else { "confirmation_unavailable" };
    assert_eq!(host.journal.decisions()[0]["resolution"], resolution);
}

#[test]
fn hard_044_a_deny_of_a_rule_asks_no_link() {
    let (_net, host) = session(&["a"], json!({"demo": "deny"}), None);
    register(&host, allow("a"));
    assert!(matches!(host.tool_call("demo", json!({}), "t1"), ToolCallAnswer::Block { .. }));
    assert_eq!(lines(&host, "authorizer.link_decided"), Vec::<Value>::new());
}

/// HARD-045, RES-65: forwarded asks are capped alike; who decided goes back to the child.
#[rstest]
#[case::tool("tool", "demo", value("*"), "link")]
#[case::unknown_tool("tool", "nope", value("*"), "user")]
#[case::boundary("external-directory", "external_directory", crate::world::path("/etc/x"), "user")]
#[case::bash_path("bash-path", "path", crate::world::path("/etc/x"), "user")]
fn hard_045_forwarded_asks(#[case] gate: &str, #[case] surface: &str, #[case] item: Value, #[case] by: &str) {
    let (net, host) = session(&["a"], ask_all(), Some(vec![DENY]));
    register(&host, allow("a"));
    net.stage("p", &net.request("r1", &net.facts(gate, surface, &json!([item])), &[]));
    host.system.serve_forwarded();
    let response = net.response("p", "r1").unwrap();
    assert_eq!((&response["decidedBy"]["kind"], &response["approved"]), (&json!(by), &json!(by == "link")));
    assert_eq!(host.journal.dialogs().len(), usize::from(by == "user"));
}

#[test]
fn hard_045_an_old_request_names_no_surface() {
    let (net, host) = session(&["a"], ask_all(), Some(vec![DENY]));
    register(&host, allow("a"));
    net.stage("p", &net.old_request("r1", Some("demo"), Some("demo")));
    host.system.serve_forwarded();
    assert_eq!(net.response("p", "r1").unwrap()["approved"], false);
}

/// HARD-046: a link on a relaying node is accepted, recorded and never asked, and it does not touch the parent's chain.
#[test]
fn hard_046_a_link_on_a_relaying_node_is_vacant() {
    let (net, parent) = session(&["x"], ask_all(), Some(vec![DENY]));
    net.subagents.register("c", Some("p"));
    let child = net.build("c", &json!({ "permission": ask_all() }), None, with_tools);
    child.session_start("startup");
    register(&child, allow("x"));
    assert_eq!(lines(&child, "authorizer.link_vacant"), [json!({"link": "x", "sessionId": "c"})]);
    let parent = Arc::new(parent);
    let serving = Arc::clone(&parent);
    net.waiter.on_turn(move || serving.system.serve_forwarded());
    assert!(matches!(child.tool_call("demo", json!({}), "t1"), ToolCallAnswer::Block { .. }));
    assert_eq!(lines(&child, "authorizer.link_decided"), Vec::<Value>::new());
    assert_eq!(lines(&parent, "authorizer.link_missing").len(), 1, "the parent has no link of that name");
}

/// RES-64, EVT-001: services by session id; `ready` says which session it is and whether it answers asks.
#[test]
fn res_64_services_are_found_by_session_id() {
    let (net, parent) = session(&[], json!({"demo": "deny"}), Some(vec![]));
    net.subagents.register("c", Some("p"));
    let child = net.build("c", &json!({ "permission": { "demo": "allow" } }), None, with_tools);
    assert!(net.nodes.service("c").is_none(), "before its session starts");
    child.session_start("startup");
    let state = |id: &str| net.nodes.service(id).map(|service| service.get_tool_permission("demo", None).unwrap().as_str());
    assert_eq!((state("p"), state("c"), state("x")), (Some("deny"), Some("allow"), None));
    let ready = |host: &FakeHost| host.journal.emitted("permissions:ready");
    assert_eq!(ready(&parent), [json!({"sessionId": "p", "adjudicates": true})]);
    assert_eq!(ready(&child), [json!({"sessionId": "c", "adjudicates": false})]);
    child.session_shutdown();
    assert_eq!((state("p"), state("c")), (Some("deny"), None), "SUB-016, LIFE-011: a child takes only its own along");
}

/// LIFE-011: a later generation takes the place of an earlier one, whose late end changes nothing.
#[test]
fn life_011_generations_of_one_session() {
    let (net, first) = session(&[], json!({"demo": "deny"}), Some(vec![]));
    let second = net.build("p", &json!({ "permission": { "demo": "allow" } }), Some(vec![]), with_tools);
    second.session_start("reload");
    let state = || net.nodes.service("p").map(|service| service.get_tool_permission("demo", None).unwrap().as_str());
    assert_eq!(state(), Some("allow"));
    first.session_shutdown();
    assert_eq!(state(), Some("allow"));
    second.session_shutdown();
    assert_eq!(state(), None);
}

/// HARD-046: extractors are looked up above, and marked; a link is not.
#[test]
fn hard_046_facts_are_looked_up_in_ancestors() {
    let net = Net::new();
    let parent = net.build("p", &json!({}), Some(vec![]), with_tools);
    parent.session_start("startup");
    parent.register_extractor("open", "target", None).unwrap();
    net.subagents.register("c", Some("p"));
    net.subagents.register("g", Some("c"));
    let policy = json!({ "permission": { "*": "allow", "path": { "*.env": "deny" } } });
    let child = net.build("c", &policy, None, with_tools);
    child.session_start("startup");
    let grandchild = net.build("g", &policy, None, with_tools);
    grandchild.session_start("startup");
    for host in [&child, &grandchild] {
        assert!(matches!(host.tool_call("open", json!({"target": "x.env"}), "t1"), ToolCallAnswer::Block { .. }), "gated");
        assert_eq!(host.traces().last().unwrap().snapshot.inherited, ["path extractor of 'open'"]);
    }
    child.register_extractor("open", "other", None).unwrap();
    assert_eq!(child.tool_call("open", json!({"target": "x.env"}), "t2"), ToolCallAnswer::Allow, "its own comes first");
    assert_eq!(child.traces().last().unwrap().snapshot.inherited, Vec::<String>::new());
    let alone = net.build("a", &policy, None, with_tools);
    alone.session_start("startup");
    assert_eq!(
        alone.tool_call("open", json!({"target": "x.env"}), "t3"),
        ToolCallAnswer::Allow,
        "nobody's child inherits nothing"
    );
}

/// HARD-046: a child that ends without a gate is recorded each time, and told once.
#[test]
fn hard_046_a_child_without_a_node() {
    let (net, parent) = session(&[], json!({}), Some(vec![]));
    let created = |id: &str| parent.system.handle_subagent_created(&json!({"sessionId": id, "parentSessionId": "p"}));
    let disposed = |id: &str| parent.system.handle_subagent_disposed(&json!({"sessionId": id}));
    created("c");
    let child = net.build("c", &json!({}), None, with_tools);
    child.session_start("startup");
    child.session_shutdown();
    disposed("c");
    assert_eq!(lines(&parent, "node.absent"), Vec::<Value>::new(), "it had one");
    for id in ["d", "e"] {
        created(id);
        disposed(id);
    }
    disposed("never-created");
    assert_eq!(lines(&parent, "node.absent"), [json!({"sessionId": "d"}), json!({"sessionId": "e"})]);
    let told = |notice: &&String| notice.contains("without a permission gate");
    assert_eq!(parent.journal.notices().iter().filter(told).count(), 1);
}
