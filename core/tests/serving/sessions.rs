//! Parent and child in one process, from the child's call to its answer (INBOX-013, INBOX-020, LIFE, the captures of section 6).

use std::sync::{Arc, Mutex};

use portcullis_core::authority::forwarding::ClaimOwner;
use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::{Choice, HostResult, ListDialog, NoticeLevel, UserInterface};
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, DENY, FakeHost, ScriptedAnswer};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Net, events, lines};

const WHOLE_SESSION: ScriptedAnswer = ScriptedAnswer::Choose(Choice::WholeSession);
const REQUESTER_ONLY: ScriptedAnswer = ScriptedAnswer::Choose(Choice::RequesterOnly);

/// A parent `p` with these answers that serves whenever anybody waits, and its child `c`.
fn family(parent: &Value, child: &Value, answers: Vec<ScriptedAnswer>) -> (Net, Arc<FakeHost>, Arc<FakeHost>) {
    let net = Net::new();
    let tools = ["read", "edit", "bash", "mcp", "skill", "demo"].map(Value::from).to_vec();
    let parent_tools = tools.clone();
    let parent = net.build("p", parent, Some(answers), |builder| builder.tools(parent_tools));
    parent.session_start("startup");
    let parent = Arc::new(parent);
    net.subagents.register("c", Some("p"));
    let child = net.build("c", child, None, |builder| builder.tools(tools));
    child.session_start("startup");
    let serving = Arc::clone(&parent);
    net.waiter.on_turn(move || serving.system.serve_forwarded());
    (net, parent, Arc::new(child))
}

fn permission(permission: Value) -> Value {
    json!({ "permission": permission })
}

fn ask_all() -> Value {
    permission(json!({ "*": "ask", "bash": "ask" }))
}

fn granted(host: &FakeHost) -> Vec<String> {
    host.system.session_rules().iter().map(|rule| format!("{} {}", rule.surface, rule.pattern)).collect()
}

fn last_resolution(child: &FakeHost) -> Value {
    child.journal.decisions().last().map(|event| event["resolution"].clone()).unwrap_or_default()
}

fn clean(net: &Net) {
    let left = std::fs::read_dir(net.inbox("p").session_dir()).unwrap().count();
    assert_eq!(left, 1, "only the heartbeat is left");
}

/// C1, C2, C9: what the person says is what the child does.
#[rstest]
#[case::c1(APPROVE, true, "user_approved")]
#[case::c2(ScriptedAnswer::DenyWithReason("  too risky  ".into()), false, "user_denied")]
#[case::c9(ScriptedAnswer::Dismiss, false, "user_denied")]
#[case::deny(DENY, false, "user_denied")]
fn captured_answers(#[case] answer: ScriptedAnswer, #[case] goes_ahead: bool, #[case] resolution: &str) {
    let (net, parent, child) = family(&ask_all(), &ask_all(), vec![answer.clone()]);
    let given = child.tool_call("demo", json!({}), "t1");
    assert_eq!((given == ToolCallAnswer::Allow, last_resolution(&child)), (goes_ahead, json!(resolution)));
    assert_eq!(child.journal.decisions()[0]["decidedBy"]["where"], "serving");
    if let (ScriptedAnswer::DenyWithReason(_), ToolCallAnswer::Block { reason }) = (&answer, &given) {
        assert!(reason.contains("too risky"), "{reason}");
    }
    assert_eq!((parent.journal.dialogs().len(), child.journal.dialogs().len()), (1, 0));
    assert_eq!(parent.journal.decisions(), Vec::<Value>::new(), "INBOX-018: the decision is the child's");
    clean(&net);
}

/// C3, INBOX-013: this subagent only; the child remembers, the parent does not.
#[test]
fn c3_this_subagent_only() {
    let (_net, parent, child) = family(&ask_all(), &ask_all(), vec![APPROVE_FOR_SESSION, REQUESTER_ONLY, DENY]);
    assert_eq!(child.tool_call("demo", json!({}), "t1"), ToolCallAnswer::Allow);
    assert_eq!((granted(&child), granted(&parent)), (vec!["demo *".to_owned()], vec![]));
    assert_eq!(child.tool_call("demo", json!({}), "t2"), ToolCallAnswer::Allow);
    assert_eq!(last_resolution(&child), "session_approved");
    assert_eq!(lines(&child, "forwarded_permission.request_created").len(), 1, "no second request");
    assert!(matches!(parent.tool_call("demo", json!({}), "t3"), ToolCallAnswer::Block { .. }), "the parent is asked itself");
}

/// C4, INBOX-013: the whole session; the parent remembers, the child asks again and is answered without a dialog.
#[test]
fn c4_the_whole_session() {
    let (_net, parent, child) = family(&ask_all(), &ask_all(), vec![APPROVE_FOR_SESSION, WHOLE_SESSION]);
    assert_eq!(child.tool_call("bash", json!({ "command": "git push origin main" }), "t1"), ToolCallAnswer::Allow);
    assert_eq!(last_resolution(&child), "user_approved");
    assert_eq!((granted(&child), granted(&parent)), (vec![], vec!["bash git push *".to_owned()]));
    assert_eq!(child.tool_call("bash", json!({ "command": "git push --tags" }), "t2"), ToolCallAnswer::Allow);
    assert_eq!(last_resolution(&child), "forwarded_session_approved");
    assert_eq!(lines(&child, "forwarded_permission.request_created").len(), 2);
    assert_eq!(parent.journal.dialogs().len(), 2, "the two of the first ask");
    assert_eq!(parent.tool_call("bash", json!({ "command": "git push -f" }), "t3"), ToolCallAnswer::Allow);
}

/// C5: a typed skill stores nothing, whoever says yes.
#[test]
fn c5_skill_input() {
    let (_net, parent, child) = family(&ask_all(), &permission(json!({ "skill": "ask" })), vec![APPROVE_FOR_SESSION]);
    let answer = child.input(&json!("/skill:deploy now"));
    assert_eq!(answer, portcullis_core::handlers::InputAnswer::Continue);
    assert_eq!((granted(&child), granted(&parent), parent.journal.dialogs().len()), (vec![], vec![], 1));
    assert_eq!(last_resolution(&child), "user_approved");
}

/// C6: two gates of one call, two requests, four dialogs; every path of the first is stored.
#[test]
fn c6_two_external_paths() {
    let config = permission(json!({ "*": "ask", "bash": "ask", "external_directory": "ask" }));
    let answers = vec![APPROVE_FOR_SESSION, WHOLE_SESSION, APPROVE_FOR_SESSION, WHOLE_SESSION];
    let (_net, parent, child) = family(&config, &config, answers);
    let answer = child.tool_call("bash", json!({ "command": "cat /opt/aa/x /var/bb/y" }), "t1");
    assert_eq!(answer, ToolCallAnswer::Allow);
    assert_eq!(parent.journal.dialogs().len(), 4);
    let expected = ["external_directory /opt/aa/*", "external_directory /var/bb/*", "bash cat *"];
    assert_eq!(granted(&parent), expected);
}

/// C7 with HARD-009: where the package asks nobody, the person is asked; only a rule on that very surface answers.
#[rstest]
#[case(json!({ "*": "allow", "external_directory": "ask" }), "user_approved", 1)]
#[case(json!({ "*": "ask", "read": "allow", "external_directory": { "/etc/*": "allow" } }), "forwarded_policy_allow", 0)]
#[case(json!({ "*": "ask", "read": "allow", "external_directory": { "/etc/*": { "action": "deny", "reason": "stay home" } } }), "forwarded_policy_deny", 0)]
fn c7_external_read(#[case] parent: Value, #[case] resolution: &str, #[case] dialogs: usize) {
    let child = permission(json!({ "*": "allow", "external_directory": "ask" }));
    let (_net, parent, child) = family(&permission(parent), &child, vec![APPROVE]);
    let answer = child.tool_call("read", json!({ "path": "/etc/hostname" }), "t1");
    let of_the_boundary = child.journal.decisions()[0]["resolution"].clone();
    assert_eq!((of_the_boundary, parent.journal.dialogs().len()), (json!(resolution), dialogs));
    if let ToolCallAnswer::Block { reason } = answer {
        assert!(reason.contains("stay home") && reason.contains("/etc/*"), "C8 with HARD-048: {reason}");
    }
}

/// INBOX-009, RES-57: the parent's permissive mode answers, a deny of it does not.
#[rstest]
#[case(json!({ "*": "ask" }), "forwarded_auto_approved")]
#[case(json!({ "demo": "deny" }), "forwarded_policy_deny")]
fn inbox_009_the_parents_permissive_mode(#[case] rules: Value, #[case] resolution: &str) {
    let net = Net::new();
    net.global(&json!({ "yoloMode": true }));
    let tools = vec![json!("demo")];
    let parent = net.build("p", &permission(rules), Some(vec![]), |builder| builder.tools(tools.clone()));
    parent.session_start("startup");
    let parent = Arc::new(parent);
    // The child's own project switches the mode off (RES-03).
    let child = net.build("c", &json!({ "yoloMode": false, "permission": { "*": "ask" } }), None, |builder| builder.tools(tools));
    net.subagents.register("c", Some("p"));
    child.session_start("startup");
    let serving = Arc::clone(&parent);
    net.waiter.on_turn(move || serving.system.serve_forwarded());
    let _answer = child.tool_call("demo", json!({}), "t1");
    assert_eq!((last_resolution(&child), parent.journal.dialogs().len()), (json!(resolution), 0));
}

/// A protected path is asked in spite of everything (RES-57), also through a parent.
#[test]
fn res_57_a_protected_path_reaches_the_person() {
    let config = permission(json!({ "*": "allow" }));
    let (_net, parent, child) = family(&config, &config, vec![DENY]);
    let answer = child.tool_call("edit", json!({ "path": ".git/config" }), "t1");
    assert!(matches!(answer, ToolCallAnswer::Block { .. }));
    assert_eq!(parent.journal.dialogs().len(), 1);
    assert_eq!(last_resolution(&child), "user_denied");
}

/// INBOX-004, HARD-050, invariant 13: several children at once, one dialog at a time, each answered once.
#[test]
fn inbox_004_one_dialog_at_a_time() {
    let (net, parent, child) = family(&ask_all(), &ask_all(), vec![APPROVE, DENY, APPROVE]);
    for id in ["r1", "r2"] {
        net.stage("p", &net.request(id, &net.facts("tool", "demo", &json!([crate::world::value("*")])), &[]));
    }
    let _answer = child.tool_call("demo", json!({}), "t1");
    let order: Vec<String> = events(&parent).into_iter().filter(|event| event.starts_with("permission_request")).collect();
    let expected =
        ["waiting", "approved", "waiting", "denied", "waiting", "approved"].map(|word| format!("permission_request.{word}"));
    assert_eq!(order, expected);
}

/// A person who does something to the world while the dialog is open, then answers.
struct Meddler {
    act: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    answers: Mutex<Vec<Choice>>,
}

impl UserInterface for Meddler {
    fn notify(&self, _: NoticeLevel, _: &str) -> HostResult<()> {
        Ok(())
    }

    fn select(&self, _: &ListDialog) -> HostResult<Option<Choice>> {
        let act = self.act.lock().unwrap().take();
        if let Some(act) = act {
            act();
        }
        let mut answers = self.answers.lock().unwrap();
        Ok(if answers.is_empty() { None } else { Some(answers.remove(0)) })
    }

    fn input(&self, _: &str) -> HostResult<Option<String>> {
        Ok(None)
    }

    fn set_status(&self, _: &str, _: Option<&str>) -> HostResult<()> {
        Ok(())
    }
}

fn meddled(act: impl FnOnce(&Net, &Arc<FakeHost>) -> Box<dyn FnOnce() + Send>) -> (Net, Arc<FakeHost>) {
    let net = Net::new();
    let parent = net.session("p", &ask_all(), Some(vec![]));
    net.stage(
        "p",
        &net.request("r1", &net.facts("tool", "bash", &json!([crate::world::unit("git push a")])), &[("bash", "git push *")]),
    );
    let act = act(&net, &parent);
    let answers = Mutex::new(vec![Choice::ApproveForSession, Choice::WholeSession]);
    parent.context.set_ui(Some(Arc::new(Meddler { act: Mutex::new(Some(act)), answers })));
    let _answer = parent.tool_call("unknown-tool", json!({}), "t");
    parent.system.serve_forwarded();
    (net, parent)
}

/// INBOX-020, 5.6 step 6: withdrawn during the prompt; no grant, no answer.
#[test]
fn inbox_020_a_withdrawn_request_is_not_answered() {
    let (net, parent) = meddled(|net, _| {
        let claim = net.inbox("p").claim_file("r1");
        Box::new(move || std::fs::remove_file(claim).unwrap())
    });
    assert_eq!((granted(&parent), net.response("p", "r1")), (vec![], None));
    assert_eq!(events(&parent).last().map(String::as_str), Some("forwarded_permission.withdrawn"));
    clean(&net);
}

/// FWD-D09, HARD-042: a server that others took for dead answers nothing that they have claimed anew, and stores nothing.
#[test]
fn fwd_d09_what_others_have_claimed_anew_is_not_answered() {
    let (net, parent) = meddled(|net, _| {
        let inbox = net.inbox("p");
        Box::new(move || {
            let mine = std::fs::read_dir(inbox.requests()).unwrap().flatten().map(|entry| entry.path());
            let mine: Vec<_> = mine.filter(|path| path.extension().is_some_and(|ending| ending == "owner")).collect();
            assert_eq!(mine.len(), 1, "a claim says whose it is");
            mine.iter().for_each(|path| std::fs::remove_file(path).unwrap());
            std::fs::write(inbox.owner_file("r1", ClaimOwner::new(78, 0)), "").unwrap();
        })
    });
    assert_eq!((granted(&parent), net.response("p", "r1")), (vec![], None));
    assert_eq!(events(&parent).last().map(String::as_str), Some("forwarded_permission.withdrawn"));
    let inbox = net.inbox("p");
    assert!(std::fs::exists(inbox.claim_file("r1")).unwrap(), "it is the other one's");
    assert!(std::fs::exists(inbox.owner_file("r1", ClaimOwner::new(78, 0))).unwrap());
}

/// LIFE-008, HARD-050: the session ends during the prompt; nobody stands behind a later answer, nothing is stored.
#[test]
fn life_008_an_answer_after_the_end_counts_for_nothing() {
    let (net, parent) = meddled(|_, parent| {
        let parent = Arc::clone(parent);
        Box::new(move || parent.session_shutdown())
    });
    let decided = json!({ "kind": "nobody", "where": "serving", "cause": "session_ended" });
    assert_eq!(net.response("p", "r1").unwrap()["decidedBy"], decided);
    assert_eq!(granted(&parent), Vec::<String>::new());
    assert!(!net.subagents.serving().contains("p"));
}

/// INBOX-002: a pass that begins inside a pass, or inside a dialog of the same thread, does nothing.
#[test]
fn inbox_002_passes_do_not_overlap() {
    let (net, parent) = meddled(|net, parent| {
        let parent = Arc::clone(parent);
        net.stage("p", &net.request("r2", &net.facts("tool", "bash", &json!([crate::world::unit("ls")])), &[]));
        Box::new(move || parent.system.serve_forwarded())
    });
    let order: Vec<String> =
        events(&parent).into_iter().filter(|event| event.contains("prompted") || event.ends_with(".denied")).collect();
    let expected = [
        "forwarded_permission.prompted",
        "forwarded_permission.prompted",
        "permission_request.denied",
        "forwarded_permission.denied",
    ];
    assert_eq!(order, expected, "the second one is asked behind the first");
    assert_eq!(net.response("p", "r1").unwrap()["approved"], true);
}

/// LIFE-004: a reload touches neither grants nor serving.
#[test]
fn life_004_a_reload_keeps_serving() {
    let (_net, parent, child) = family(&ask_all(), &ask_all(), vec![APPROVE_FOR_SESSION, WHOLE_SESSION]);
    let _answer = child.tool_call("demo", json!({}), "t1");
    parent.resources_discover("reload");
    assert_eq!(child.tool_call("demo", json!({}), "t2"), ToolCallAnswer::Allow);
    assert_eq!(last_resolution(&child), "forwarded_session_approved");
}

/// LIFE-006, LIFE-013: shutdown alone clears grants; policy files are read anew for every request.
#[test]
fn life_006_only_shutdown_clears_grants() {
    let (_net, parent, child) = family(&ask_all(), &ask_all(), vec![APPROVE_FOR_SESSION, WHOLE_SESSION, DENY]);
    let _answer = child.tool_call("demo", json!({}), "t1");
    parent.session_start("resume");
    let _answer = child.tool_call("demo", json!({}), "t2");
    assert_eq!(last_resolution(&child), "forwarded_session_approved");
    parent.session_shutdown();
    parent.session_start("startup");
    let _answer = child.tool_call("demo", json!({}), "t3");
    assert_eq!(last_resolution(&child), "user_denied");
}

/// A person whose dialogs stay open until the test answers them.
#[derive(Default)]
struct Slow {
    open: Mutex<Vec<String>>,
    answers: Mutex<Vec<std::sync::mpsc::Sender<Option<Choice>>>>,
}

impl Slow {
    fn opened(&self) -> usize {
        self.open.lock().unwrap().len()
    }

    fn answer(&self, dialog: usize, choice: Option<Choice>) {
        // A dialog that nobody waits for any more takes no answer.
        let _ = self.answers.lock().unwrap()[dialog].send(choice);
    }
}

impl UserInterface for Slow {
    fn notify(&self, _: NoticeLevel, _: &str) -> HostResult<()> {
        Ok(())
    }

    fn select(&self, dialog: &ListDialog) -> HostResult<Option<Choice>> {
        let (answer, answered) = std::sync::mpsc::channel();
        self.answers.lock().unwrap().push(answer);
        self.open.lock().unwrap().push(dialog.title.clone());
        Ok(answered.recv().unwrap_or_default())
    }

    fn input(&self, _: &str) -> HostResult<Option<String>> {
        Ok(None)
    }

    fn set_status(&self, _: &str, _: Option<&str>) -> HostResult<()> {
        Ok(())
    }
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !holds() {
        assert!(start.elapsed() < std::time::Duration::from_secs(30), "{what}");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// RES-63, HARD-050: own and forwarded asks stand in one line; `waiting` when queued, P when shown; at the end all are denied.
#[rstest]
#[case::one_after_the_other(false)]
#[case::the_session_ends_at_the_first(true)]
fn res_63_one_line_for_own_and_forwarded_asks(#[case] ends: bool) {
    let net = Net::new();
    let parent = net.build("p", &ask_all(), Some(vec![]), |builder| builder.tools(vec![json!("demo")]));
    parent.session_start("startup");
    let slow = Arc::new(Slow::default());
    parent.context.set_ui(Some(Arc::clone(&slow) as Arc<dyn UserInterface>));
    let _activates = parent.tool_call("unknown", json!({}), "t0");
    net.stage("p", &net.request("r1", &net.facts("tool", "demo", &json!([crate::world::value("*")])), &[]));
    let waiting = || lines(&parent, "permission_request.waiting").len();
    let own = std::thread::scope(|scope| {
        let own = scope.spawn(|| parent.tool_call("demo", json!({}), "t1"));
        until("the first dialog", || slow.opened() == 1);
        let pass = scope.spawn(|| parent.system.serve_forwarded());
        until("the second ask waits", || waiting() == 2);
        std::thread::sleep(std::time::Duration::from_millis(30));
        assert_eq!(slow.opened(), 1, "the second never takes the place of the first");
        assert_eq!(parent.journal.emitted("permissions:ui_prompt").len(), 1);
        if ends {
            parent.session_shutdown();
        }
        slow.answer(0, Some(Choice::Approve));
        if !ends {
            until("the second dialog", || slow.opened() == 2);
            slow.answer(1, Some(Choice::Deny));
        }
        pass.join().unwrap();
        own.join().unwrap()
    });
    let titles = slow.open.lock().unwrap().clone();
    let response = net.response("p", "r1").unwrap();
    if ends {
        assert!(matches!(own, ToolCallAnswer::Block { .. }), "a late answer counts for nothing");
        assert_eq!((titles.len(), &response["decidedBy"]["cause"]), (1, &json!("session_ended")));
    } else {
        assert_eq!(own, ToolCallAnswer::Allow);
        let expected = [portcullis_core::authority::DIRECT_TITLE, portcullis_core::authority::FORWARDED_TITLE];
        assert_eq!((titles.as_slice(), &response["decidedBy"]["kind"]), (expected.map(str::to_owned).as_slice(), &json!("user")));
    }
}
