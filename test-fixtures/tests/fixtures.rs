//! What the one-line host can arrange, and what it can be asked.

use portcullis_core::handlers::{InputAnswer, ToolCallAnswer};
use portcullis_core::policy::PermissionState::{Allow, Ask, Deny};
use portcullis_test_fixtures::{
    APPROVE, APPROVE_FOR_SESSION, CheckAnswer, create_manager, fake_host, make_bash_command_check, make_handler,
    make_path_dispatch_resolver, make_resolver, make_surface_check,
};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

fn path(text: &str) -> Value {
    json!({ "path": text })
}

#[test]
fn a_host_without_anything_asks_and_nobody_is_there() {
    let host = fake_host().start();
    assert!(matches!(host.call("read", path("a")), ToolCallAnswer::Block { .. }));
    assert_eq!(host.decisions()[0]["resolution"], "confirmation_unavailable");
    assert_eq!(host.traces().len(), 1);
}

#[test]
fn files_links_agents_and_trust() {
    let host = fake_host()
        .policy(json!({ "read": { "*": "allow", "*.env": "deny" }, "write": "ask" }))
        .project_policy(json!({ "write": "allow" }))
        .agent_policy("reviewer", &json!({ "write": "deny" }))
        .file("x.env", "SECRET")
        .link("alias", "x.env")
        .directory("folder");
    let host = host.agent("reviewer").start();
    assert!(!host.allows("read", path("alias")), "the link is followed");
    assert!(host.allows("read", path("folder/a")));
    assert!(!host.allows("write", path("a")), "the agent's own file comes last");

    let host = fake_host().project_policy(json!({ "write": "allow" })).untrusted().start();
    assert!(!host.allows("write", path("a")));
}

#[test]
fn windows_paths_do_not_know_case() {
    let host = fake_host().policy(json!({ "read": { "*": "allow", "*.env": "deny" } })).windows().start();
    assert_eq!(host.cwd(), r"C:\Users\me\work\app");
    assert!(!host.allows("read", path(r"Sub\X.ENV")));
    assert!(host.allows("read", path("sub/x.txt")));
}

#[test]
fn a_policy_that_changes_and_a_gate_that_is_built_anew() {
    let mut host = fake_host().policy(json!({ "bash": "ask" })).answers([APPROVE_FOR_SESSION, APPROVE]).start();
    let make = || json!({ "command": "make" });
    assert!(host.allows("bash", make()));
    assert_eq!(host.granted(), ["bash make"]);
    host.set_policy(json!({ "bash": "deny" }));
    assert!(!host.allows("bash", make()));
    host.set_policy(json!({ "bash": "ask" }));
    host.restart();
    host.session_start("startup");
    assert_eq!(host.granted(), Vec::<String>::new());
    host.forget();
    assert!(host.allows("bash", make()));
    assert_eq!(host.prompts().len(), 1);
}

#[test]
fn skills_of_a_turn_and_typed_ones() {
    let host = fake_host().policy(json!({ "*": "allow", "bash": "ask", "skill": { "*": "allow", "s": "deny" } })).start();
    let file = format!("{}/skills/s/SKILL.md", host.cwd());
    assert!(host.turn(&[("s", &file)]).is_some(), "the denied skill is cut out of the prompt");
    assert!(!host.allows("read", path(&file)));
    assert_eq!(host.input("/skill:s"), InputAnswer::Handled);
    assert_eq!(host.input("/skill:other"), InputAnswer::Continue);
}

#[test]
fn one_gate_at_a_time() {
    let host = make_handler(make_surface_check([("*", Allow), ("bash", Ask)])).answers([APPROVE]).start();
    assert!(host.allows("bash", json!({ "command": "ls" })));
    assert_eq!(host.prompts().len(), 1);

    let host = make_handler(make_path_dispatch_resolver([("/etc/hosts", CheckAnswer::new(Deny).pattern("/etc/*"))])).start();
    assert!(host.blocks("read", path("/etc/hosts")).contains("/etc/*"));
    assert!(host.allows("read", path("/etc/passwd")));

    let check = make_bash_command_check("^npm ").unwrap().deny_matched("npm *").allow_matched("git *");
    let host = make_handler(check.resolver()).start();
    assert!(host.blocks("bash", json!({ "command": "git log && npm i" })).contains("npm i"));
    assert!(host.allows("bash", json!({ "command": "git log" })));
    let matched: Vec<_> = host.decisions().iter().map(|event| event["matchedPattern"].clone()).collect();
    assert_eq!(matched, ["npm *", "git *"]);
}

#[test]
fn a_resolver_can_be_asked_what_it_was_asked() {
    let resolver = std::sync::Arc::new(make_resolver(Allow));
    let host = fake_host().resolver(std::sync::Arc::clone(&resolver) as _).start();
    host.call("read", path("/etc/hosts"));
    assert_eq!(resolver.asked(), ["path /etc/hosts", "external_directory /etc/hosts", "read /etc/hosts"]);
}

#[test]
fn a_manager_shows_each_step_of_an_answer() {
    let manager = create_manager().global(&json!({ "bash": { "*": "ask", "rm *": "deny" } }));
    assert_eq!(manager.state("bash", "ls"), Ask);
    let manager = manager.granted("bash", "*");
    assert_eq!((manager.state("bash", "ls"), manager.state("bash", "rm x")), (Allow, Deny), "HARD-006");
    let manager = manager.project_text("{");
    assert_eq!(manager.snapshot().broken().len(), 1);
    assert_eq!(manager.issues().len(), 1);
    assert_eq!(manager.untrusted().snapshot().broken().len(), 0, "RES-01: it is not opened");
    let manager = create_manager().global(&json!({ "write": "ask" })).permissive();
    assert_eq!(manager.check("write", "a").origin.as_str(), "yolo");
    assert_eq!(manager.tool_level_state("write"), Ask);
}
