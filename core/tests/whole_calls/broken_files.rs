//! HARD-012, RES-06, RES-07, RES-11: files that break or change while a session runs, and inside one call.

use std::sync::{Arc, Mutex};

use portcullis_core::host::{Choice, HostResult, ListDialog, NoticeLevel, UserInterface};
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, StartedHost, fake_host};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::collaborators::{command, members, path};

fn rejected(host: &StartedHost) -> Vec<serde_json::Value> {
    host.review_log().into_iter().filter(|line| line["event"] == "config.rejected").collect()
}

#[test]
fn hard_012_a_file_that_breaks_in_mid_session() {
    let host = fake_host()
        .policy(json!({ "bash": { "*": "allow", "rm *": "deny" } }))
        .project_policy(json!({ "read": "allow" }))
        .answers([APPROVE, APPROVE, APPROVE])
        .start();
    assert!(host.allows("bash", command("ls")));
    assert_eq!(host.prompts().len(), 0);
    host.forget();

    host.set_project_text(r#"{ "permission": { "bash": { "*": "denyy", "ls": "ask" }, "write": "allow" } }"#);
    for _ in 0..3 {
        assert!(host.allows("bash", command("make")), "the person approves");
    }
    assert_eq!(host.prompts().len(), 3, "every composed allow asks");
    assert!(host.prompts()[0].message.contains("denyy"), "RES-07: the fault in the prompt: {}", host.prompts()[0].message);
    assert_eq!(
        members(&host.decisions()[0], &["resolution", "origin", "matchedPattern"]),
        json!({ "resolution": "user_approved", "origin": "fail-closed", "matchedPattern": "*" })
    );
    let notices = host.journal.notices();
    assert_eq!(notices.len(), 1, "one notification: {notices:#?}");
    assert!(notices[0].contains("denyy"), "naming the field: {notices:#?}");
    assert_eq!(rejected(&host).len(), 1);
    assert_eq!(rejected(&host)[0]["scope"], "project");
    assert!(host.blocks("bash", command("rm x")).contains("rm"), "a deny stays a deny");
    assert_eq!(host.traces()[0].snapshot.broken, ["project"]);
}

#[test]
fn hard_012_a_file_that_is_mended_and_breaks_again_is_reported_again() {
    let mut host = fake_host().policy(json!({ "bash": "allow" })).answers([]).start();
    for _ in 0..2 {
        host.set_global_text("{");
        host.blocks("bash", command("make"));
        host.blocks("bash", command("make"));
        host.mend_global();
        assert!(host.allows("bash", command("make")));
    }
    assert_eq!(rejected(&host).len(), 2);
    host.set_policy(json!({ "bash": "deny" }));
    host.blocks("bash", command("make"));
    assert_eq!(rejected(&host).len(), 2);
}

#[test]
fn hard_012_a_broken_file_at_the_start_is_warned_about_there_and_not_again() {
    let host = fake_host().policy(json!({ "bash": "allow", "write": "maybe" })).answers([]).start();
    assert_eq!(host.journal.notices().len(), 1, "the issue");
    assert_eq!(rejected(&host).len(), 1);
    host.blocks("bash", command("make"));
    host.blocks("bash", command("make"));
    assert_eq!((host.journal.notices().len(), rejected(&host).len()), (1, 1));
}

#[test]
fn hard_012_nobody_to_ask_blocks() {
    let host = fake_host().policy(json!({ "bash": "allow" })).start();
    assert!(host.allows("bash", command("ls")));
    host.set_global_text("{ \"permission\": ");
    host.forget();
    host.blocks("bash", command("ls"));
    assert_eq!(host.decisions()[0]["resolution"], "confirmation_unavailable");
}

#[test]
fn cfg_033_a_changed_or_deleted_file_counts_for_the_next_call() {
    let mut host = fake_host().policy(json!({ "bash": "allow" })).start();
    assert!(host.allows("bash", command("ls")));
    host.set_policy(json!({ "bash": "deny" }));
    assert!(!host.allows("bash", command("ls")));
    host.set_policy(json!({ "bash": "allow" }));
    assert!(host.allows("bash", command("ls")));
    host.world.remove(&host.world.agent_dir().join("extensions/pi-permission-system/config.json")).unwrap();
    host.forget();
    host.blocks("bash", command("ls"));
    assert_eq!(
        members(&host.decisions()[0], &["origin", "matchedPattern", "resolution"]),
        json!({ "origin": "builtin", "matchedPattern": null, "resolution": "confirmation_unavailable" })
    );
}

type Act = Box<dyn FnMut() + Send>;

/// A person who does something while the dialog stands, and then answers.
struct Meanwhile {
    act: Mutex<Act>,
    answer: Choice,
}

impl UserInterface for Meanwhile {
    fn notify(&self, _level: NoticeLevel, _text: &str) -> HostResult<()> {
        Ok(())
    }

    fn select(&self, _dialog: &ListDialog) -> HostResult<Option<Choice>> {
        (self.act.lock().unwrap())();
        Ok(Some(self.answer))
    }

    fn input(&self, _title: &str) -> HostResult<Option<String>> {
        Ok(None)
    }

    fn set_status(&self, _key: &str, _text: Option<&str>) -> HostResult<()> {
        Ok(())
    }
}

/// RES-11: gates that are produced again after a grant are judged with the policy the call began with.
#[test]
fn res_11_a_file_that_changes_inside_a_call_changes_nothing_for_it() {
    let host = fake_host()
        .policy(json!({ "read": "allow", "path": { "/opt/*": "ask" }, "external_directory": "allow" }))
        .answers([APPROVE_FOR_SESSION])
        .start();
    let config = host.world.agent_dir().join("extensions/pi-permission-system/config.json");
    let write = move || {
        std::fs::write(
            &config,
            json!({ "permission": { "*": "deny", "read": "deny", "external_directory": "deny" } }).to_string(),
        )
        .unwrap();
    };
    host.context.set_ui(Some(Arc::new(Meanwhile { act: Mutex::new(Box::new(write)), answer: Choice::ApproveForSession })));
    host.forget();
    assert!(host.allows("read", path("/opt/a")), "one snapshot a call");
    let resolutions: Vec<_> = host.decisions().iter().map(|event| event["resolution"].clone()).collect();
    assert_eq!(resolutions, ["user_approved_for_session", "policy_allow", "policy_allow"]);
    let stamp = host.traces()[0].snapshot.stamp.clone();
    assert!(!host.allows("read", path("/opt/a")), "the next call sees it");
    assert_ne!(host.traces()[1].snapshot.stamp, stamp, "the stamp is in the trace");
}

/// POLICY-D06: what nobody could see is shown as soon as somebody can, and once.
#[test]
fn policy_d06_a_broken_file_is_told_to_the_first_person() {
    let host = fake_host().policy(json!({ "read": "deny", "raed": "ask" })).start();
    assert_eq!((host.journal.notices().len(), rejected(&host).len()), (0, 1));
    host.set_ui(Some(vec![]));
    host.blocks("read", path("a"));
    host.blocks("read", path("a"));
    let notices = host.journal.notices();
    assert_eq!((notices.len(), rejected(&host).len()), (1, 1), "{notices:#?}");
    assert!(notices[0].contains("raed"), "{notices:#?}");
}
