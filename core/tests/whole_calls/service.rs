//! EVT-016 to EVT-020 with POLICY-D13, GATES-D12: what other extensions may ask and register.

use std::sync::Arc;

use portcullis_core::composition::PermissionService;
use portcullis_core::policy::PermissionState::{self, Allow, Ask, Deny};
use portcullis_core::policy::{Origin, Source};
use portcullis_core::report::previews::ToolInputFormatter;
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, HostSetup, fake_host};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Map, Value, json};

use crate::collaborators::{command, path};

fn state(service: &PermissionService, surface: &str, value: Option<&str>) -> PermissionState {
    service.check_permission(surface, value, None).unwrap().state
}

fn asked() -> HostSetup {
    fake_host()
        .policy(json!({
            "read": { "*": "allow", "*.env": "deny" },
            "path": { "*.key": "deny" },
            "bash": { "git *": "allow", "npm *": "deny" },
            "skill": { "*": "allow", "bad": "deny" },
            "deploy": "deny",
            "mcp": { "exa:search": "allow", "exa:*": "deny" },
        }))
        .file("x.env", "")
        .link("alias", "x.env")
}

#[test]
fn evt_016_there_is_a_service_between_start_and_shutdown() {
    let host = asked().without_session_start().start();
    assert!(host.service().is_none());
    host.session_start("startup");
    assert!(host.service().is_some());
    host.session_shutdown();
    assert!(host.service().is_none());
}

#[test]
fn evt_016_a_service_that_was_kept_answers_for_no_ended_session() {
    let host = asked().start();
    let service = host.service().unwrap();
    host.session_shutdown();
    assert!(service.check_permission("bash", Some("git status"), None).is_err());
    assert!(service.get_tool_permission("bash", None).is_err());
}

#[rstest]
#[case("read", Some(".env"), Deny)]
#[case("read", Some("alias"), Deny)]
#[case("read", Some("a"), Allow)]
#[case("read", None, Allow)]
#[case("read", Some("  "), Allow)]
#[case("path", Some("z.key"), Deny)]
#[case(" read ", Some(".env"), Allow)]
#[case("nosuch", None, Ask)]
#[case("skill", Some("bad"), Deny)]
#[case("skill", Some("other"), Allow)]
#[case("skill", None, Allow)]
#[case("deploy", Some("anything"), Deny)]
#[case("bash", Some("git status"), Allow)]
#[case("bash", Some("git status && npm i"), Deny)]
#[case("mcp", Some("exa:fetch"), Deny)]
fn evt_017_evt_018_what_a_query_answers(#[case] surface: &str, #[case] value: Option<&str>, #[case] expected: PermissionState) {
    let host = asked().start();
    host.forget();
    assert_eq!(state(&host.service().unwrap(), surface, value), expected);
    assert_eq!(host.happened(), Vec::<String>::new(), "a query leaves nothing behind");
    assert_eq!(host.system.audit_counts().tool_calls, 0);
}

#[test]
fn evt_017_evt_018_members_of_an_answer() {
    let host = asked().start();
    let service = host.service().unwrap();
    let chain = service.check_permission("bash", Some("git status && npm i"), None).unwrap();
    assert_eq!((chain.command.as_deref(), chain.matched_pattern.as_deref()), (Some("npm i"), Some("npm *")));
    let key = service.check_permission("path", Some("z.key"), None).unwrap();
    assert_eq!((key.source, key.matched_pattern.as_deref()), (Source::Special, Some("*.key")));
    assert_eq!(service.check_permission("nosuch", None, None).unwrap().source, Source::Default);
}

#[test]
fn evt_017_grants_count_and_evt_019_not_for_a_tool_as_a_whole() {
    let host = fake_host().policy(json!({ "deploy": "ask" })).tools(["deploy"]).answers([APPROVE_FOR_SESSION]).start();
    let service = host.service().unwrap();
    assert_eq!(state(&service, "deploy", None), Ask);
    assert!(host.allows("deploy", json!({})));
    let granted = service.check_permission("deploy", None, None).unwrap();
    assert_eq!((granted.state, granted.source), (Allow, Source::Session));
    assert_eq!(service.get_tool_permission("deploy", None), Ok(Ask));
}

#[test]
fn evt_019_the_permissive_mode_is_not_asked_about() {
    let host = fake_host().policy(json!({ "*": "ask" })).setting("yoloMode", json!(true)).start();
    let service = host.service().unwrap();
    assert_eq!(service.get_tool_permission("bash", None), Ok(Ask));
    let answer = service.check_permission("deploy", None, None).unwrap();
    assert_eq!((answer.state, answer.origin), (Allow, Origin::Yolo));
}

#[rstest]
#[case(" deploy ", Deny)]
#[case("nosuch", Ask)]
#[case("read", Allow)]
#[case("bash", Ask)]
fn evt_019_a_tool_as_a_whole(#[case] tool: &str, #[case] expected: PermissionState) {
    let host = asked().start();
    assert_eq!(host.service().unwrap().get_tool_permission(tool, None), Ok(expected));
}

#[test]
fn evt_017_evt_019_an_agent_of_the_query() {
    let host = asked().agent_policy("rev", &json!({ "write": "deny", "bash": { "git push *": "deny" } })).start();
    let service = host.service().unwrap();
    assert_eq!(service.get_tool_permission("write", Some("rev")), Ok(Deny));
    assert_eq!(service.get_tool_permission("write", None), Ok(Ask));
    assert_eq!(service.check_permission("bash", Some("git push x"), Some("rev")).unwrap().state, Deny);
    assert_eq!(service.check_permission("bash", Some("git push x"), Some("")).unwrap().state, Allow);
}

fn shows(text: &'static str) -> Arc<dyn ToolInputFormatter> {
    Arc::new(move |_: &Map<String, Value>| Ok(Some(text.to_owned())))
}

#[test]
fn evt_020_formatters_one_a_name() {
    let host = fake_host().policy(json!({ "deploy": "ask" })).tools(["deploy"]).answers([APPROVE, APPROVE, APPROVE]).start();
    let service = host.service().unwrap();
    let formatters = service.tool_input_formatters();
    assert!(formatters.register("mcp", shows("x")).unwrap_err().to_string().contains("mcp"));
    let first = formatters.register("deploy", shows("<first>")).unwrap();
    assert!(formatters.register("deploy", shows("<other>")).unwrap_err().to_string().contains("deploy"));
    host.call("deploy", json!({ "a": 1 }));
    first.dispose();
    first.dispose();
    let _second = formatters.register("deploy", shows("<second>")).unwrap();
    first.dispose();
    host.call("deploy", json!({ "a": 1 }));
    assert!(host.prompts()[0].message.contains("<first>"), "{}", host.prompts()[0].message);
    assert!(host.prompts()[1].message.contains("<second>"), "{}", host.prompts()[1].message);
}

#[test]
fn surf_014_an_extractor_says_which_path_a_tool_touches() {
    let host =
        fake_host().policy(json!({ "*": "allow", "bash": "allow", "path": { "*.env": "deny" } })).tools(["deploy"]).start();
    assert!(host.allows("deploy", json!({ "target": ".env" })));
    host.register_extractor("deploy", "target", None).unwrap();
    assert!(host.register_extractor("deploy", "target", None).unwrap_err().contains("deploy"));
    assert!(host.blocks("deploy", json!({ "target": ".env" })).contains(".env"));
    assert!(host.allows("deploy", path(".env")), "trap 6: it replaces the convention");
    assert!(host.blocks("bash", command("ls")).contains("bash"), "no tool of this host");
}
