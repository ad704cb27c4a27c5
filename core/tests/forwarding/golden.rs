//! The captured round trips C1 to C12 of docs/spec/forwarding.md, section 6, with what is hardened in them: facts instead of the
//! display pair (RES-55), pairs instead of one surface (HARD-042), version, nonce, who decided.

use portcullis_core::handlers::{InputAnswer, ToolCallAnswer};
use portcullis_core::host::Choice;
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, Family, MemberSetup, ScriptedAnswer, make_family, skill_prompt};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

const WHOLE_SESSION: ScriptedAnswer = ScriptedAnswer::Choose(Choice::WholeSession);
const REQUESTER_ONLY: ScriptedAnswer = ScriptedAnswer::Choose(Choice::RequesterOnly);

/// Every message, with placeholders for what differs from run to run. Nonces and ids of a pair have to be the same.
fn messages(family: &Family) -> Vec<Value> {
    let cwd = family.world.cwd().to_string_lossy().into_owned();
    let mut ids = Vec::new();
    family
        .messages()
        .into_iter()
        .map(|mut message| {
            if let Some(id) = message.get("id") {
                ids.push((id.clone(), message["nonce"].clone()));
                let shape = message["nonce"].as_str().unwrap();
                assert!(shape.len() == 32 && shape.bytes().all(|digit| digit.is_ascii_hexdigit()), "{shape}");
                message["id"] = json!("<ID>");
            } else {
                assert_eq!(Some(&message["nonce"]), ids.last().map(|(_, nonce)| nonce));
            }
            for (key, placeholder) in [("createdAt", "<T>"), ("respondedAt", "<T>"), ("nonce", "<N>"), ("message", "<MSG>")] {
                if message.get(key).is_some() {
                    message[key] = json!(placeholder);
                }
            }
            if let Some(facts) = message.get_mut("facts") {
                facts["prompt"].as_object_mut().unwrap().remove("fullMessage");
            }
            serde_json::from_str(&message.to_string().replace(&cwd, "<CWD>")).unwrap()
        })
        .collect()
}

fn request(agent: &str, source: &str, grants: Value, facts: Value) -> Value {
    let mut request = json!({
        "id": "<ID>", "createdAt": "<T>", "requesterSessionId": "child", "targetSessionId": "parent",
        "requesterAgentName": agent, "message": "<MSG>", "source": source, "surface": null, "value": null, "version": 2,
        "nonce": "<N>", "grants": grants, "facts": facts,
    });
    if grants == json!([]) {
        request.as_object_mut().unwrap().remove("grants");
    }
    request
}

fn response(state: &str, decided_by: Value) -> Value {
    json!({
        "approved": state.starts_with("approved"), "state": state, "responderSessionId": "parent", "respondedAt": "<T>",
        "version": 2, "nonce": "<N>", "decidedBy": decided_by,
    })
}

fn by_user() -> Value {
    json!({"kind": "user", "where": "serving"})
}

fn facts(gate: &str, surface: &str, tool: &str, items: Value, prompt: Value) -> Value {
    json!({"gate": gate, "surface": surface, "cwd": "<CWD>", "tool": tool, "items": items, "prompt": prompt})
}

fn demo_request(agent: &str) -> Value {
    let items = json!([{"kind": "value", "value": "*"}]);
    request(agent, "tool_call", json!([["demo", "*"]]), facts("tool", "demo", "demo", items, json!({})))
}

fn resolution(family: &Family) -> Vec<String> {
    let word = |event: Value| event["resolution"].as_str().unwrap().to_owned();
    family.child.journal.decisions().into_iter().map(word).collect()
}

#[test]
fn c1_approved_this_once() {
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE]).start();
    assert!(family.child.allows("demo", json!({})));
    assert_eq!(messages(&family), [demo_request("unknown"), response("approved", by_user())]);
    assert_eq!(resolution(&family), ["user_approved"]);
    assert_eq!((family.child.granted(), family.parent.granted()), (vec![], vec![]));
    assert_eq!(family.inboxes(), ["parent/"], "the heartbeat keeps the folder");
}

#[test]
fn c2_denied_with_a_reason() {
    let answers = [ScriptedAnswer::DenyWithReason("  too risky  ".to_owned())];
    let family = make_family().policy(json!({"*": "ask"})).answers(answers).start();
    let reason = family.child.blocks("demo", json!({}));
    assert!(reason.contains("The user denied") && reason.contains("too risky"), "{reason}");
    let mut denied = response("denied_with_reason", json!({"kind": "user", "where": "serving", "reason": "too risky"}));
    denied["denialReason"] = json!("too risky");
    assert_eq!(messages(&family), [demo_request("unknown"), denied]);
    assert_eq!(resolution(&family), ["user_denied"]);
}

#[test]
fn c3_for_the_session_of_this_subagent_only() {
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE_FOR_SESSION, REQUESTER_ONLY]).start();
    assert!(family.child.allows("demo", json!({})) && family.child.allows("demo", json!({})));
    assert_eq!(messages(&family), [demo_request("unknown"), response("approved_for_session", by_user())]);
    assert_eq!(resolution(&family), ["user_approved_for_session", "session_approved"]);
    assert_eq!((family.child.granted(), family.parent.granted()), (vec!["demo *".to_owned()], vec![]));
    // INBOX-013: the parent's own call still asks.
    family.parent.blocks("demo", json!({}));
    assert_eq!(family.parent.journal.dialogs().len(), 3);
}

#[test]
fn c4_for_the_whole_session() {
    let policy = json!({"*": "allow", "bash": "ask"});
    let family = make_family().policy(policy).answers([APPROVE_FOR_SESSION, WHOLE_SESSION]).start();
    assert!(family.child.allows("bash", json!({"command": "git push origin main"})));
    let asked = |text: &str| {
        let items = json!([{"kind": "unit", "text": text}]);
        let facts = facts("tool", "bash", "bash", items, json!({"command": text}));
        request("unknown", "tool_call", json!([["bash", "git push *"]]), facts)
    };
    assert_eq!(messages(&family), [asked("git push origin main"), response("approved", by_user())]);
    assert_eq!((family.child.granted(), family.parent.granted()), (vec![], vec!["bash git push *".to_owned()]));
    let recorded = family.lines("forwarded_permission.session_recorded");
    assert_eq!((recorded.len(), &recorded[0]["surface"], &recorded[0]["patterns"]), (1, &json!("bash"), &json!(["git push *"])));

    family.forget();
    assert!(family.child.allows("bash", json!({"command": "git push --tags"})));
    let by_grant = json!({"kind": "session_grant", "where": "serving", "pattern": "git push *"});
    assert_eq!(messages(&family), [asked("git push --tags"), response("approved", by_grant)]);
    assert_eq!((resolution(&family), family.parent.journal.dialogs().len()), (vec!["forwarded_session_approved".to_owned()], 0));
    assert_eq!(family.lines("forwarded_permission.auto_approved").len(), 1);
    // The parent's own call is covered too (INBOX-013).
    assert!(family.parent.allows("bash", json!({"command": "git push"})));
}

#[test]
fn c5_a_typed_skill_stores_nothing_and_asks_for_no_scope() {
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE_FOR_SESSION, APPROVE_FOR_SESSION]).start();
    assert_eq!(family.child.input(&json!("/skill:deploy now")), InputAnswer::Continue);
    let mut facts =
        facts("skill-input", "skill", "", json!([{"kind": "value", "value": "deploy"}]), json!({"skillName": "deploy"}));
    facts.as_object_mut().unwrap().remove("tool");
    let expected = [request("unknown", "skill_input", json!([]), facts), response("approved_for_session", by_user())];
    assert_eq!(messages(&family), expected);
    assert_eq!((resolution(&family), family.parent.journal.dialogs().len()), (vec!["user_approved".to_owned()], 1));
    assert_eq!((family.child.granted(), family.parent.granted()), (vec![], vec![]));
    assert_eq!(family.child.input(&json!("/skill:deploy now")), InputAnswer::Continue);
    assert_eq!(family.parent.journal.dialogs().len(), 2, "asked again (INBOX-013)");
}

#[test]
fn c6_one_request_for_each_gate_that_asks() {
    let policy = json!({"*": "allow", "external_directory": "ask", "bash": "ask"});
    let answers = [APPROVE_FOR_SESSION, WHOLE_SESSION, APPROVE_FOR_SESSION, WHOLE_SESSION];
    let family = make_family().policy(policy).answers(answers).start();
    let command = "cat /opt/aa/x /var/bb/y";
    assert!(family.child.allows("bash", json!({"command": command})));
    let path = |path: &str| json!({"kind": "path", "typed": path, "lexical": path, "canonical": path});
    let items = json!([path("/opt/aa/x"), path("/var/bb/y")]);
    let mut boundary = facts("bash-external-directory", "external_directory", "bash", items, json!({"command": command}));
    boundary["direction"] = json!("both");
    let grants = json!([["external_directory", "/opt/aa/*"], ["external_directory", "/var/bb/*"]]);
    let unit = facts("tool", "bash", "bash", json!([{"kind": "unit", "text": command}]), json!({"command": command}));
    let expected = [
        request("unknown", "tool_call", grants, boundary),
        response("approved", by_user()),
        request("unknown", "tool_call", json!([["bash", "cat *"]]), unit),
        response("approved", by_user()),
    ];
    assert_eq!(messages(&family), expected);
    assert_eq!(family.parent.journal.dialogs().len(), 4);
    let granted = ["external_directory /opt/aa/*", "external_directory /var/bb/*", "bash cat *"];
    assert_eq!(family.parent.granted(), granted);
}

/// FWD-D01: the package approves this by the rule on `read`; here the person is asked.
#[test]
fn c7_a_boundary_question_is_not_answered_by_a_tool_rule() {
    let policy = json!({"*": "allow", "external_directory": "ask"});
    let family = make_family().policy(policy).answers([APPROVE]).start();
    assert!(family.child.allows("read", json!({"path": "/etc/hostname"})));
    let items = json!([{"kind": "path", "typed": "/etc/hostname", "lexical": "/etc/hostname", "canonical": "/etc/hostname"}]);
    let mut facts = facts("external-directory", "external_directory", "read", items, json!({"path": "/etc/hostname"}));
    facts["direction"] = json!("read");
    let asked = request("unknown", "tool_call", json!([["external_directory_read", "/etc/*"]]), facts);
    assert_eq!(messages(&family), [asked, response("approved", by_user())]);
    assert_eq!(family.parent.journal.dialogs().len(), 1);
}

/// HARD-048: pattern and reason of the rule reach the agent.
#[test]
fn c8_a_rule_of_the_parent_denies() {
    let parent = json!({"demo": {"*": {"action": "deny", "reason": "not on this machine"}}});
    let family = make_family().policy(json!({"*": "ask"})).parent_policy(parent).start();
    let reason = family.child.blocks("demo", json!({}));
    assert!(reason.contains("serving session") && reason.contains("not on this machine"), "{reason}");
    assert!(!reason.contains("user denied"), "{reason}");
    let by = json!({"kind": "rule", "where": "serving", "pattern": "*", "reason": "not on this machine"});
    assert_eq!(messages(&family), [demo_request("unknown"), response("denied", by.clone())]);
    let decisions = family.child.journal.decisions();
    assert_eq!((&decisions[0]["resolution"], &decisions[0]["decidedBy"]), (&json!("forwarded_policy_deny"), &by));
    assert_eq!(family.lines("forwarded_permission.auto_denied").len(), 1);
    assert_eq!(family.parent.journal.dialogs(), []);
}

#[test]
fn c9_a_dismissed_dialog_is_a_no() {
    let family = make_family().policy(json!({"*": "ask"})).answers([ScriptedAnswer::Dismiss]).start();
    assert!(family.child.blocks("demo", json!({})).contains("The user denied"));
    assert_eq!(messages(&family), [demo_request("unknown"), response("denied", by_user())]);
    assert_eq!(resolution(&family), ["user_denied"]);
}

#[test]
fn c10_a_child_by_its_environment() {
    let child = MemberSetup::new("child")
        .with(|host| host.variable("PI_SUBAGENT_CHILD", "1").variable("PI_SUBAGENT_PARENT_SESSION", "parent"));
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE]).child(child).start();
    family.child.before_agent_start("<active_agent name=\"Explore\">");
    assert!(family.child.allows("demo", json!({})));
    assert_eq!(messages(&family), [demo_request("Explore"), response("approved", by_user())]);
}

#[test]
fn c11_the_file_of_a_skill() {
    let policy = json!({"*": "allow", "skill": "ask"});
    let family = make_family().policy(policy).answers([APPROVE]).file("skills/s1/SKILL.md", "s1").start();
    let file = family.world.cwd().join("skills/s1/SKILL.md").to_string_lossy().into_owned();
    family.child.before_agent_start(&skill_prompt(&[("s1", &file)]));
    assert_eq!(family.child.call("read", json!({"path": "skills/s1/SKILL.md"})), ToolCallAnswer::Allow);
    let prompt = json!({"path": "skills/s1/SKILL.md", "skillName": "s1"});
    let facts = facts("skill-read", "skill", "read", json!([{"kind": "value", "value": "s1"}]), prompt);
    assert_eq!(messages(&family), [request("unknown", "skill_read", json!([]), facts), response("approved", by_user())]);
}

/// INBOX-013: the package asks again, because it compares the tool's name; here the grant covers the next file.
#[test]
fn c12_a_grant_for_the_whole_session_covers_the_next_file() {
    let family = make_family()
        .policy(json!({"*": "allow", "edit": "ask"}))
        .answers([APPROVE_FOR_SESSION, WHOLE_SESSION])
        .file("src/a.txt", "a")
        .file("src/b.txt", "b")
        .start();
    assert!(family.child.allows("edit", json!({"path": "src/a.txt", "edits": []})));
    let item = json!({
        "kind": "path", "typed": "src/a.txt", "lexical": "<CWD>/src/a.txt", "relative": "src/a.txt",
        "canonical": "<CWD>/src/a.txt",
    });
    let seen = messages(&family);
    assert_eq!(seen[0]["grants"], json!([["edit", "<CWD>/src/*"]]));
    assert_eq!(seen[0]["facts"]["items"], json!([item]));
    assert_eq!(seen[1], response("approved", by_user()));
    assert!(family.child.allows("edit", json!({"path": "src/b.txt", "edits": []})));
    assert_eq!(resolution(&family), ["user_approved", "forwarded_session_approved"]);
    assert_eq!(family.parent.journal.dialogs().len(), 2, "the two of the first ask");
}
