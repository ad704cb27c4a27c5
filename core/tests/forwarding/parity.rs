//! The parent judges what the child's gates asked, unit by unit, at the surface that asked (HARD-009, HARD-010, HARD-042, RES-56).

use portcullis_core::host::Choice;
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, Family, ScriptedAnswer, make_family};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

const WHOLE_SESSION: ScriptedAnswer = ScriptedAnswer::Choose(Choice::WholeSession);

/// A child under one policy and a parent under another, in a directory of its own; the parent's person approves whatever is
/// asked.
fn family(child: Value, parent: Value) -> Family {
    make_family().policy(json!({})).child_config(json!({"permission": child})).parent_policy(parent).answers([APPROVE; 4]).start()
}

/// What became of the child's only ask: the resolution of its last decision, and how often the person was asked.
fn outcome(family: &Family, tool: &str, input: Value) -> (Value, usize) {
    family.child.call(tool, input);
    let last = family.child.journal.decisions().pop().unwrap();
    (last["resolution"].clone(), family.parent.journal.dialogs().len())
}

fn asked() -> (Value, usize) {
    (json!("user_approved"), 1)
}

fn denied() -> (Value, usize) {
    (json!("forwarded_policy_deny"), 0)
}

#[test]
fn hard_009_gate_parity() {
    let parent = json!({
        "*": "ask", "bash": "allow", "path": {"*": "allow", "*.env": "deny"}, "external_directory": {"*": "ask"},
    });
    let child = json!({"*": "allow", "path": {"*": "allow", "*.env": "ask"}, "external_directory": "ask"});
    assert_eq!(outcome(&family(child.clone(), parent.clone()), "bash", json!({"command": "cat .env"})), denied());
    let family = family(child, parent);
    family.child.call("bash", json!({"command": "cat /etc/hosts"}));
    assert_eq!(family.parent.journal.dialogs().len(), 1);
}

#[test]
fn hard_009_a_tool_rule_answers_no_boundary_question() {
    let parent = json!({"*": "ask", "read": "allow", "external_directory": "deny"});
    let child = json!({"*": "allow", "external_directory": "ask"});
    assert_eq!(outcome(&family(child, parent), "read", json!({"path": "/etc/x"})), denied());
}

#[rstest]
#[case::a_floor("sudo rm x", json!({"*": "ask", "sudo *": "allow", "ls *": "allow"}), asked())]
#[case::a_chain("ls a && rm -rf b", json!({"*": "ask", "sudo *": "allow", "ls *": "allow"}), asked())]
#[case::a_denied_unit("ls a && rm -rf b", json!({"*": "ask", "ls *": "allow", "rm *": "deny"}), denied())]
#[case::all_allowed("ls a && rm -rf b", json!({"*": "ask", "ls *": "allow", "rm *": "allow"}), (json!("forwarded_policy_allow"), 0))]
fn hard_010_unit_by_unit(#[case] command: &str, #[case] bash: Value, #[case] expected: (Value, usize)) {
    let family = family(json!({"*": "allow", "bash": "ask"}), json!({"*": "ask", "bash": bash}));
    assert_eq!(outcome(&family, "bash", json!({"command": command})), expected);
}

/// A unit that the child's own rules allow is not sent, and the parent's deny of it is not met.
#[test]
fn hard_010_only_what_still_asks() {
    let child = json!({"*": "allow", "bash": {"*": "ask", "ls *": "allow"}});
    let family = family(child, json!({"*": "ask", "bash": {"*": "allow", "ls *": "deny"}}));
    assert_eq!(outcome(&family, "bash", json!({"command": "ls a && make b"})), (json!("forwarded_policy_allow"), 0));
}

#[test]
fn hard_010_the_permissive_mode_of_the_parent_lifts_a_floor() {
    let family = make_family()
        .config(json!({"yoloMode": true}))
        .child_config(json!({"yoloMode": false, "permission": {"*": "allow", "bash": "ask"}}))
        .parent_policy(json!({"bash": {"*": "ask", "sudo *": "allow"}}))
        .start();
    assert_eq!(outcome(&family, "bash", json!({"command": "sudo rm x"})), (json!("forwarded_auto_approved"), 0));
}

/// HARD-056, RES-57: nothing but a person lifts this floor.
#[test]
fn res_57_a_protected_path_is_for_a_person() {
    let family = make_family()
        .config(json!({"yoloMode": true}))
        .child_config(json!({"yoloMode": false, "permission": {"*": "allow"}}))
        .parent_policy(json!({"*": "allow"}))
        .answers([APPROVE])
        .file(".git/config", "")
        .start();
    assert!(family.child.allows("write", json!({"path": ".git/config", "content": ""})));
    let decisions = family.child.journal.decisions();
    assert_eq!((&decisions[0]["surface"], &decisions[0]["resolution"]), (&json!("path"), &json!("user_approved")));
    let facts = &family.messages()[0]["facts"];
    assert_eq!(facts["items"][0]["floors"], json!([{"kind": "<protected-path>"}]));
    assert_eq!(family.messages()[0].get("grants"), None, "nothing is stored for it");
    assert_eq!(family.parent.journal.dialogs().len(), 1);
}

#[test]
fn hard_042_the_wide_scope_is_recorded_at_the_serving_node_only() {
    let policy = json!({"*": "allow", "bash": "ask"});
    let family = make_family().policy(policy).answers([APPROVE_FOR_SESSION, WHOLE_SESSION]).start();
    let call = json!({"command": "git status --short"});
    assert!(family.child.allows("bash", call.clone()));
    assert!(family.parent.allows("bash", call.clone()), "the parent's own call is silent");
    assert!(family.child.allows("bash", call), "the child's next one too, through the parent");
    assert_eq!((family.parent.journal.dialogs().len(), family.messages().len()), (2, 4));
    assert_eq!(family.child.granted(), Vec::<String>::new());
}

/// AUTH-009: whatever is no clear yes to the wide scope is the narrow one.
#[rstest]
#[case::cancelled(ScriptedAnswer::Dismiss)]
#[case::requester(ScriptedAnswer::Choose(Choice::RequesterOnly))]
#[case::not_offered(ScriptedAnswer::Choose(Choice::Approve))]
fn hard_042_the_narrow_scope_is_the_requesters(#[case] scope: ScriptedAnswer) {
    let policy = json!({"*": "allow", "bash": "ask"});
    let family = make_family().policy(policy).answers([APPROVE_FOR_SESSION, scope]).start();
    assert!(family.child.allows("bash", json!({"command": "git status --short"})));
    assert_eq!((family.child.granted(), family.parent.granted()), (vec!["bash git status *".to_owned()], vec![]));
}

/// RES-32: a local path ask has a fifth option, a forwarded one has not; and the child stores its own narrow pairs.
#[test]
fn res_32_never_both_directions_on_a_forwarded_ask() {
    let policy = json!({"*": "allow", "external_directory": "ask"});
    let answers = [APPROVE_FOR_SESSION, ScriptedAnswer::Choose(Choice::RequesterOnly)];
    let family = make_family().policy(policy).answers(answers).start();
    assert!(family.child.allows("read", json!({"path": "/etc/hostname"})));
    let offered: Vec<Choice> = family.parent.journal.dialogs()[0].options.iter().map(|option| option.choice).collect();
    assert_eq!(offered, [Choice::Approve, Choice::ApproveForSession, Choice::Deny, Choice::DenyWithReason]);
    assert_eq!(family.child.granted(), ["external_directory_read /etc/*"]);
}

/// RES-56: in another directory a relative allow names another file; a relative deny still counts.
#[rstest]
#[case::allow("allow", asked())]
#[case::deny("deny", denied())]
fn res_56_relative_values_of_another_directory(#[case] action: &str, #[case] expected: (Value, usize)) {
    let parent = json!({"*": "ask", "edit": {"src/*": action}});
    let family = family(json!({"*": "allow", "edit": "ask"}), parent);
    assert_eq!(outcome(&family, "edit", json!({"path": "src/a.txt", "edits": []})), expected);
}

/// FWD-D04, RES-58: what the parent would not offer itself is not offered, whatever a request brings.
#[test]
fn res_58_smuggled_grants_are_not_offered() {
    let family = make_family().policy(json!({"*": "ask"})).answers([APPROVE_FOR_SESSION, WHOLE_SESSION]).start();
    let folder = family.world.agent_dir().join("sessions/permission-forwarding/sessions/parent");
    // Somebody rewrites the request on its way.
    family.waiter().after(1, move || {
        let path = std::fs::read_dir(folder.join("requests")).unwrap().next().unwrap().unwrap().path();
        let mut request: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        request["grants"] = json!([["*", "*"], ["bash", "rm *"]]);
        std::fs::write(path, request.to_string()).unwrap();
    });
    assert!(family.child.allows("demo", json!({})));
    assert_eq!(family.parent.granted(), Vec::<String>::new());
    // Without the wide scope the yes is the child's, and it stores what it offered itself.
    assert_eq!(family.child.granted(), ["demo *"]);
}
