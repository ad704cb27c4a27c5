//! What a forwarded yes stores, and where (HARD-042, RES-58, FWD-D04, INBOX-012, INBOX-013).

use std::sync::Arc;

use portcullis_core::host::Choice;
use portcullis_test_fixtures::{APPROVE_FOR_SESSION, FakeHost, ScriptedAnswer, WorldEntry};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Net, events, floored, lines, path, unit, value};

const WHOLE_SESSION: ScriptedAnswer = ScriptedAnswer::Choose(Choice::WholeSession);
const REQUESTER_ONLY: ScriptedAnswer = ScriptedAnswer::Choose(Choice::RequesterOnly);

fn asking() -> Value {
    json!({ "permission": { "*": "ask", "external_directory": "ask", "path": { "/*": "ask" } } })
}

fn granted(host: &FakeHost) -> Vec<String> {
    host.system.session_rules().iter().map(|rule| format!("{} {}", rule.surface, rule.pattern)).collect()
}

/// A session that serves this request with these answers; which dialogs there were and what is stored now.
fn served(request: impl FnOnce(&Net) -> Value, answers: Vec<ScriptedAnswer>) -> (Net, Arc<FakeHost>) {
    let net = Net::new();
    let parent = net.build("p", &asking(), Some(answers), |builder| {
        builder.tools(["read", "bash", "mcp", "skill", "demo"].map(Value::from).to_vec())
    });
    parent.session_start("startup");
    net.stage("p", &request(&net));
    parent.system.serve_forwarded();
    (net, Arc::new(parent))
}

/// Whether the wide scope is offered for these items and this claim; if so, exactly the claim is stored and shown.
fn offered(gate: &str, surface: &str, items: &Value, prompt: &Value, grants: &[(&str, &str)]) -> bool {
    let request = |net: &Net| {
        let mut facts = net.facts(gate, surface, items);
        facts["prompt"] = prompt.clone();
        net.request("r1", &facts, grants)
    };
    let (net, parent) = served(request, vec![APPROVE_FOR_SESSION, WHOLE_SESSION]);
    let dialogs = parent.journal.dialogs();
    let asked = dialogs.len() == 2;
    let state = if asked { "approved" } else { "approved_for_session" };
    assert_eq!(net.response("p", "r1").unwrap()["state"], state, "the internal state never travels");
    let stored: Vec<String> = grants.iter().map(|(surface, pattern)| format!("{surface} {pattern}")).collect();
    assert_eq!(granted(&parent), if asked { stored } else { Vec::new() });
    if let Some(scope) = dialogs.get(1) {
        for (_, pattern) in grants.iter().filter(|(_, pattern)| *pattern != "*") {
            assert!(scope.options[1].label.contains(&format!("'{pattern}'")), "FWD-D04: {pattern} is shown");
        }
    }
    asked
}

#[rstest]
#[case::plain_command(&[("bash", "git push *")], unit("git push origin main"), true)]
#[case::whole_text(&[("bash", "git push origin main")], unit("git push origin main"), true)]
#[case::wider(&[("bash", "git *")], unit("git push origin main"), false)]
#[case::everything(&[("bash", "*")], unit("git push origin main"), false)]
#[case::another_command(&[("bash", "rm *")], unit("git push origin main"), false)]
#[case::another_surface(&[("*", "git push *")], unit("git push origin main"), false)]
#[case::hidden_second_pattern(&[("bash", "git push *"), ("bash", "*")], unit("git push origin main"), false)]
#[case::peeled(&[("bash", "nohup tool *")], floored("nohup tool a", "<indirection-bash-wrapper>"), true)]
#[case::wrapper_too_wide(&[("bash", "nohup *")], floored("nohup tool a", "<indirection-bash-wrapper>"), false)]
#[case::opaque_is_granted_whole(&[("bash", "bash -c x")], floored("bash -c x", "<opaque-bash-wrapper>"), true)]
#[case::opaque_has_no_prefix(&[("bash", "bash -c *")], floored("bash -c x", "<opaque-bash-wrapper>"), false)]
#[case::loader_stores_nothing(&[("bash", "make")], floored("make", "<loader-variable>"), false)]
#[case::computed_stores_nothing(&[("bash", "$X a")], floored("$X a", "<computed-command-word>"), false)]
#[case::bound_stores_nothing(&[("bash", "ls")], floored("ls", "<analysis-bound>"), false)]
#[case::stars_in_the_text(&[("bash", "rm *.o")], unit("rm *.o"), false)]
#[case::interpreter_is_granted_whole(&[("bash", "python3 x.py")], unit("python3 x.py"), true)]
#[case::interpreter_has_no_prefix(&[("bash", "python3 *")], unit("python3 x.py"), false)]
fn res_58_commands(#[case] grants: &[(&str, &str)], #[case] item: Value, #[case] expected: bool) {
    assert_eq!(offered("tool", "bash", &json!([item]), &json!({}), grants), expected);
}

#[rstest]
#[case::whole(Some("a; (("), "a; ((", true)]
#[case::the_unit(Some("a; (("), "a", false)]
#[case::unknown(None, "a; ((", false)]
fn res_58_an_unparsed_command_is_granted_whole(#[case] command: Option<&str>, #[case] pattern: &str, #[case] expected: bool) {
    let item = floored("a", "<unparsed-bash-subtree>");
    assert_eq!(offered("tool", "bash", &json!([item]), &json!({ "command": command }), &[("bash", pattern)]), expected);
}

#[rstest]
#[case::folder_of_a_file(&[("external_directory_read", "/opt/aa/*")], json!([path("/opt/aa/x")]), true)]
#[case::itself_as_folder(&[("external_directory_read", "/opt/aa/x"), ("external_directory_read", "/opt/aa/x/*")], json!([path("/opt/aa/x")]), true)]
#[case::folder_above(&[("external_directory_read", "/opt/*")], json!([path("/opt/aa/x")]), false)]
#[case::root(&[("external_directory_read", "/*")], json!([path("/opt/aa/x")]), false)]
#[case::wrong_member(&[("external_directory", "/opt/aa/*")], json!([path("/opt/aa/x")]), false)]
#[case::other_member(&[("external_directory_write", "/opt/aa/*")], json!([path("/opt/aa/x")]), false)]
#[case::a_real_folder(&[("external_directory_read", "/usr/lib"), ("external_directory_read", "/usr/lib/*")], json!([path("/usr/lib")]), true)]
#[case::not_its_parent(&[("external_directory_read", "/usr/*")], json!([path("/usr/lib")]), false)]
#[case::every_path(&[("external_directory_read", "/opt/aa/*"), ("external_directory_read", "/var/bb/*")], json!([path("/opt/aa/x"), path("/var/bb/y")]), true)]
#[case::not_every_path(&[("external_directory_read", "/opt/aa/*")], json!([path("/opt/aa/x"), path("/var/bb/y")]), false)]
#[case::protected(&[("external_directory_read", "/opt/aa/*")], json!([{"kind": "path", "typed": "/opt/aa/x", "lexical": "/opt/aa/x", "canonical": "/opt/aa/x", "floors": [{"kind": "<protected-path>"}]}]), false)]
#[case::unknown_place(&[("external_directory_read", "../*")], json!([{"kind": "path", "typed": "../x", "lexical": "../x", "canonical": "", "unknownPlace": true}]), false)]
fn res_58_paths(#[case] grants: &[(&str, &str)], #[case] items: Value, #[case] expected: bool) {
    assert_eq!(offered("bash-external-directory", "external_directory", &items, &json!({}), grants), expected);
}

#[rstest]
#[case::extension("tool", "demo", value("*"), &[("demo", "*")], true)]
#[case::extension_named("tool", "demo", value("*"), &[("demo", "x")], false)]
#[case::unknown_tool("tool", "nope", value("*"), &[("nope", "*")], false)]
#[case::skill("tool", "skill", value("deploy"), &[("skill", "deploy")], true)]
#[case::skill_star("tool", "skill", value("*"), &[("skill", "*")], false)]
#[case::skill_by_name("skill-input", "skill", value("deploy"), &[("skill", "deploy")], false)]
#[case::mcp("tool", "mcp", json!({"kind": "mcp", "candidates": ["exa_search", "exa:search", "mcp_call"], "grantName": "exa:search"}), &[("mcp", "exa:search")], true)]
#[case::mcp_server("tool", "mcp", json!({"kind": "mcp", "candidates": ["exa_search", "exa:search", "mcp_call"], "grantName": "exa:search"}), &[("mcp", "exa_*")], false)]
#[case::mcp_foreign_name("tool", "mcp", json!({"kind": "mcp", "candidates": ["exa_search", "exa:search", "mcp_call"], "grantName": "gh:x"}), &[("mcp", "gh:x")], false)]
#[case::path_tool("tool", "read", path("/opt/aa/x"), &[("read", "/opt/aa/*")], true)]
#[case::path_gate("path", "path", path("/opt/aa/x"), &[("path_read", "/opt/aa/*")], true)]
fn res_58_other_surfaces(
    #[case] gate: &str,
    #[case] surface: &str,
    #[case] item: Value,
    #[case] grants: &[(&str, &str)],
    #[case] expected: bool,
) {
    assert_eq!(offered(gate, surface, &json!([item]), &json!({}), grants), expected);
}

#[test]
fn fwd_d04_patterns_that_nobody_reads_drop_the_wide_scope() {
    let text = format!("python3 {}", "x".repeat(2_000));
    assert!(!offered("tool", "bash", &json!([unit(&text)]), &json!({}), &[("bash", &text)]));
}

/// RES-58, HARD-042: an old suggestion drops the wide scope, whatever it says.
#[rstest]
#[case("bash", &["git push *"])]
#[case("*", &["ls *", "*"])]
fn hard_042_an_old_suggestion_is_never_wide(#[case] surface: &str, #[case] patterns: &[&str]) {
    let request = |net: &Net| {
        let mut request = net.old_request("r1", Some("bash"), Some("git push origin main"));
        request["sessionApproval"] = json!({ "surface": surface, "patterns": patterns });
        request
    };
    let (net, parent) = served(request, vec![APPROVE_FOR_SESSION, WHOLE_SESSION]);
    assert_eq!(parent.journal.dialogs().len(), 1, "no scope question");
    assert_eq!(net.response("p", "r1").unwrap()["state"], "approved_for_session");
    assert_eq!(granted(&parent), Vec::<String>::new());
}

/// AUTH-009, RES-34: cancelled is the narrow scope.
#[rstest]
#[case(REQUESTER_ONLY)]
#[case(ScriptedAnswer::Dismiss)]
fn hard_042_requester_only_stores_nothing_here(#[case] scope: ScriptedAnswer) {
    let request = |net: &Net| net.request("r1", &net.facts("tool", "demo", &json!([value("*")])), &[("demo", "*")]);
    let (net, parent) = served(request, vec![APPROVE_FOR_SESSION, scope]);
    assert_eq!(net.response("p", "r1").unwrap()["state"], "approved_for_session");
    assert_eq!(granted(&parent), Vec::<String>::new());
    assert_eq!(lines(&parent, "forwarded_permission.session_recorded"), Vec::<Value>::new());
}

/// INBOX-012, INBOX-021: one line a surface, behind the bracket and before the closing line.
#[test]
fn inbox_012_the_wide_scope_is_recorded_before_the_answer() {
    let items = json!([path("/opt/aa/x"), path("/var/bb/y")]);
    let grants = [("external_directory_read", "/opt/aa/*"), ("external_directory_read", "/var/bb/*")];
    let request = |net: &Net| net.request("r1", &net.facts("bash-external-directory", "external_directory", &items), &grants);
    let (net, parent) = served(request, vec![APPROVE_FOR_SESSION, WHOLE_SESSION]);
    let expected = [
        "forwarded_permission.prompted",
        "permission_request.waiting",
        "permission_request.approved",
        "forwarded_permission.session_recorded",
        "forwarded_permission.approved",
    ];
    assert_eq!(events(&parent), expected);
    assert_eq!(lines(&parent, "permission_request.approved")[0]["resolution"], "approved_for_serving_session");
    let inbox = net.inbox("p");
    let recorded = json!({
        "requestId": "r1", "source": "primary", "requesterAgentName": "Explore", "requesterSessionId": "c", "targetSessionId": "p",
        "requestPath": inbox.request_file("r1"), "surface": "external_directory_read", "patterns": ["/opt/aa/*", "/var/bb/*"],
    });
    assert_eq!(lines(&parent, "forwarded_permission.session_recorded"), [recorded]);
    let closing = json!({
        "requestId": "r1", "source": "primary", "requesterAgentName": "Explore", "requesterSessionId": "c", "targetSessionId": "p",
        "responsePath": inbox.response_file("r1"), "resolution": "approved", "denialReason": null,
        "decidedBy": { "kind": "user", "where": "serving" },
    });
    assert_eq!(lines(&parent, "forwarded_permission.approved"), [closing]);
}

/// HARD-042: the parent's own call and the child's next one are silent, and a deny is not undone (HARD-006).
#[test]
fn hard_042_a_whole_session_grant_answers_everybody() {
    let (net, parent) = served(
        |net| net.request("r1", &net.facts("tool", "bash", &json!([unit("git status -s")])), &[("bash", "git status *")]),
        vec![APPROVE_FOR_SESSION, WHOLE_SESSION],
    );
    assert_eq!(granted(&parent), ["bash git status *"]);
    parent.journal.take();
    let own = parent.tool_call("bash", json!({ "command": "git status -b" }), "t");
    assert_eq!(own, portcullis_core::handlers::ToolCallAnswer::Allow);
    net.stage("p", &net.request("r2", &net.facts("tool", "bash", &json!([unit("git status -v")])), &[]));
    parent.system.serve_forwarded();
    assert_eq!(parent.journal.dialogs().len(), 0, "nobody is asked");
    let decided = json!({ "kind": "session_grant", "where": "serving", "pattern": "git status *" });
    assert_eq!(net.response("p", "r2").unwrap()["decidedBy"], decided);

    let config = net.cwd("p").join(".pi/extensions/pi-permission-system/config.json");
    let denying = json!({ "permission": { "bash": { "*": "ask", "git *": "deny" } } });
    net.world.put(&config, &WorldEntry::Text(denying.to_string())).unwrap();
    net.stage("p", &net.request("r3", &net.facts("tool", "bash", &json!([unit("git status -v")])), &[]));
    parent.system.serve_forwarded();
    assert_eq!(net.response("p", "r3").unwrap()["approved"], false);
}
