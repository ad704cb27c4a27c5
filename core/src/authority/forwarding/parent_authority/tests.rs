use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::*;
use crate::authority::forwarding::test_doubles::{
    GoneProcesses, KeptLog, MemoryStore, START, SameIds, Variables, VirtualTime, exchange,
};
use crate::authority::forwarding::{AskFacts, FactItem, FactPrompt, SubagentRegistry};
use crate::authority::{AskDetails, AskSource, DecisionState, GateSuggestion, unavailable_by};
use crate::host::Clock as _;
use crate::report::{DecidedBy, DecidedByKind, DecidedWhere};

const ROOT: &str = "/a/sessions/permission-forwarding";
const INBOX: &str = "/a/sessions/permission-forwarding/sessions/p";
const NONCE: &str = "00112233445566770011223344556677";

/// A child `c` of `p`, and everything around it.
struct World {
    store: Arc<MemoryStore>,
    time: Arc<VirtualTime>,
    log: Arc<KeptLog>,
    registry: Arc<SubagentRegistry>,
    gone: Arc<GoneProcesses>,
    line: Arc<PromptQueue>,
    waiting_time_ms: u64,
}

impl World {
    /// The parent is registered and serves, in this process.
    fn new() -> Self {
        let world = Self::without_parent();
        world.registry.register("c", Some("p"));
        world.registry.serving().announce("p");
        world
    }

    fn without_parent() -> Self {
        Self {
            store: Arc::default(),
            time: Arc::default(),
            log: Arc::default(),
            registry: Arc::default(),
            gone: Arc::default(),
            line: Arc::default(),
            waiting_time_ms: 600_000,
        }
    }

    fn authority(&self) -> ForwardingAuthority {
        let reach = ParentReach {
            exchange: Arc::new(exchange(&self.store, &self.time, &self.log)),
            root: ForwardingRoot::new("/a"),
            processes: Arc::clone(&self.gone) as _,
            ids: Arc::new(SameIds),
            waiting_time_ms: self.waiting_time_ms,
        };
        let identity = ChildIdentity {
            session_id: Some("c".to_owned()),
            registry: Arc::clone(&self.registry),
            environment: Arc::new(Variables::default()),
        };
        ForwardingAuthority::new(reach, identity, Arc::clone(&self.line))
    }

    fn ask(&self) -> PermissionPromptDecision {
        self.authority().authorize(&ask("r1")).unwrap()
    }

    /// The parent answers after so many milliseconds.
    fn answer_after(&self, after: u64, response: Value) {
        let store = Arc::clone(&self.store);
        self.time.plan(after, move || store.put(&format!("{INBOX}/responses/r1.json"), &response.to_string()));
    }

    /// The parent's heartbeat, in process 7, at so many milliseconds after the start.
    fn beat(&self, time: i64) {
        self.store.put(&format!("{INBOX}/heartbeat.json"), &heartbeat(time));
    }

    fn lines(&self, event: &str) -> Vec<Value> {
        self.log.lines().into_iter().filter(|(name, _)| name == event).map(|(_, fields)| fields).collect()
    }
}

fn heartbeat(time: i64) -> String {
    json!({"sessionId": "p", "pid": 7, "time": START.saturating_add_signed(time)}).to_string()
}

fn ask(id: &str) -> PromptPermissionDetails {
    let details = AskDetails {
        source: AskSource::ToolCall,
        agent_name: None,
        message: "Allow demo?".to_owned(),
        full_message: String::new(),
        record_message: String::new(),
        tool_call_id: Some("tc-1".to_owned()),
        tool_name: Some("demo".to_owned()),
        skill_name: None,
        path: None,
        command: None,
        target: None,
        tool_input_preview: None,
        session_label: None,
        both_directions_label: None,
        forwarding: None,
    };
    let pairs = vec![("demo".to_owned(), "*".to_owned())];
    let facts = AskFacts {
        gate: "tool".to_owned(),
        surface: "demo".to_owned(),
        direction: None,
        cwd: "/w".to_owned(),
        tool: Some("demo".to_owned()),
        items: vec![FactItem::Value { value: "*".to_owned() }],
        prompt: FactPrompt::default(),
    };
    PromptPermissionDetails {
        request_id: id.to_owned(),
        details,
        suggestion: Some(GateSuggestion { pairs, both_directions: vec![("wide".to_owned(), "*".to_owned())] }),
        facts: Some(Arc::new(facts)),
    }
}

fn yes() -> Value {
    json!({
        "approved": true, "state": "approved", "responderSessionId": "p", "respondedAt": START, "version": 2, "nonce": NONCE,
        "decidedBy": {"kind": "user", "where": "own"},
    })
}

fn by_user(state: DecisionState) -> PermissionPromptDecision {
    PermissionPromptDecision {
        state,
        both_directions: false,
        denial_reason: None,
        confirmation_unavailable: false,
        decided_by: DecidedBy { where_: DecidedWhere::Serving, ..DecidedBy::own(DecidedByKind::User) },
    }
}

#[test]
fn c1_the_request_as_it_is_written() {
    let world = World::new();
    let (store, seen) = (Arc::clone(&world.store), Arc::new(std::sync::Mutex::new(None)));
    let kept = Arc::clone(&seen);
    world.time.plan(250, move || *kept.lock().unwrap() = store.text(&format!("{INBOX}/requests/r1.json")));
    world.answer_after(300, yes());
    assert_eq!(world.ask(), by_user(DecisionState::Approved));
    let expected = format!(
        concat!(
            r#"{{"id":"r1","createdAt":{start},"requesterSessionId":"c","targetSessionId":"p","requesterAgentName":"unknown","#,
            r#""message":"Allow demo?","source":"tool_call","surface":null,"value":null,"version":2,"nonce":"{nonce}","#,
            r#""grants":[["demo","*"]],"facts":{{"gate":"tool","surface":"demo","cwd":"/w","tool":"demo","#,
            r#""items":[{{"kind":"value","value":"*"}}],"prompt":{{}}}}}}"#,
        ),
        start = START,
        nonce = NONCE,
    );
    assert_eq!(seen.lock().unwrap().as_deref(), Some(expected.as_str()));
    assert_eq!(world.time.passed(), 500, "looked at 0, 250 and 500 ms (FWD-011)");
}

#[test]
fn c10_the_asking_agent_is_named() {
    let world = World::new();
    let store = Arc::clone(&world.store);
    world.time.plan(250, move || {
        let request: Value = serde_json::from_str(&store.text(&format!("{INBOX}/requests/r1.json")).unwrap()).unwrap();
        assert_eq!(request["requesterAgentName"], "Explore");
    });
    world.answer_after(300, yes());
    let mut ask = ask("r1");
    ask.details.agent_name = Some("Explore".to_owned());
    assert_eq!(world.authority().authorize(&ask), Ok(by_user(DecisionState::Approved)));
}

#[test]
fn fwd_012_an_answer_is_read_once_and_everything_is_gone() {
    let world = World::new();
    world.answer_after(
        250,
        json!({
            "approved": false, "state": "denied_with_reason", "denialReason": "too risky", "responderSessionId": "p",
            "respondedAt": START, "version": 2, "nonce": NONCE, "decidedBy": {"kind": "user", "where": "own"},
        }),
    );
    let answer = world.ask();
    assert_eq!((answer.state, answer.denial_reason.as_deref()), (DecisionState::DeniedWithReason, Some("too risky")));
    assert!(!answer.confirmation_unavailable);
    assert_eq!(world.store.below(ROOT), ["sessions/"]);
    let paths = [format!("{INBOX}/requests/r1.json"), format!("{INBOX}/responses/r1.json")];
    let expected = vec![
        (
            "forwarded_permission.request_created".to_owned(),
            json!({
                "requestId": "r1", "requesterAgentName": "unknown", "requesterSessionId": "c", "targetSessionId": "p",
                "requestPath": paths[0], "responsePath": paths[1],
            }),
        ),
        (
            "forwarded_permission.response_received".to_owned(),
            json!({
                "requestId": "r1", "approved": false, "state": "denied_with_reason", "denialReason": "too risky",
                "responderSessionId": "p", "targetSessionId": "p", "responsePath": paths[1],
            }),
        ),
    ];
    assert_eq!(world.log.lines(), expected);
}

#[test]
fn fwd_010_without_a_target_nothing_is_written() {
    let world = World::without_parent();
    world.registry.register("c", None);
    assert_eq!(world.ask(), unavailable_by(Cause::NoTarget));
    assert_eq!(world.store.below("/a"), Vec::<String>::new());
    let lines = world.log.lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].0, "error");
    for name in PARENT_VARIABLES {
        assert!(lines[0].1.to_string().contains(name), "{lines:?}");
    }
}

#[test]
fn sub_010_nobody_asks_themselves() {
    let world = World::new();
    world.registry.register("c", Some(" c "));
    world.registry.serving().announce("c");
    assert_eq!(world.ask(), unavailable_by(Cause::SelfTarget));
    assert_eq!((world.store.below("/a"), world.log.events()), (vec![], vec!["error".to_owned()]));
}

/// HARD-047: no living target within two seconds.
#[rstest]
#[case::no_heartbeat(None, false, Cause::TargetAbsent)]
#[case::old(Some(-5_001), false, Cause::TargetStale)]
#[case::in_the_future(Some(60_000), false, Cause::TargetStale)]
#[case::gone(Some(0), true, Cause::TargetDead)]
fn hard_047_no_living_target(#[case] beat: Option<i64>, #[case] gone: bool, #[case] cause: Cause) {
    let world = World::without_parent();
    world.registry.register("c", Some("p"));
    if let Some(beat) = beat {
        world.beat(beat);
    }
    if gone {
        world.gone.0.lock().unwrap().insert(7);
    }
    let before = world.store.below(ROOT);
    assert_eq!(world.ask(), unavailable_by(cause));
    assert_eq!(world.time.passed(), 2_000);
    assert_eq!(world.store.below(ROOT), before, "nothing is written");
    let expected = json!({
        "requestId": "r1", "requesterAgentName": "unknown", "requesterSessionId": "c", "targetSessionId": "p",
        "cause": cause.as_str(),
    });
    assert_eq!(world.log.lines(), [("forwarded_permission.target_unavailable".to_owned(), expected)]);
}

#[test]
fn hard_047_a_target_that_appears_in_time_is_asked() {
    let world = World::without_parent();
    world.registry.register("c", Some("p"));
    let store = Arc::clone(&world.store);
    world.time.plan(1_900, move || store.put(&format!("{INBOX}/heartbeat.json"), &heartbeat(1_900)));
    world.answer_after(2_200, yes());
    assert_eq!(world.ask(), by_user(DecisionState::Approved));
    assert_eq!(world.store.below(INBOX), ["heartbeat.json"], "the heartbeat is its owner's");
}

#[test]
fn hard_047_a_heartbeat_of_another_session_is_no_life() {
    let world = World::without_parent();
    world.registry.register("c", Some("p"));
    world.store.put(&format!("{INBOX}/heartbeat.json"), &json!({"sessionId": "q", "pid": 7, "time": START}).to_string());
    assert_eq!(world.ask(), unavailable_by(Cause::TargetAbsent));
}

#[test]
fn fwd_013_a_living_parent_is_waited_for_and_no_longer() {
    let world = World::new();
    world.store.put(&format!("{INBOX}/responses/other.json"), "{}");
    assert_eq!(world.ask(), unavailable_by(Cause::Timeout));
    assert_eq!(world.time.passed(), 600_000);
    assert_eq!(world.store.below(INBOX), ["responses/", "responses/other.json"]);
    let expected = ["forwarded_permission.request_created", "warning", "forwarded_permission.response_timed_out"];
    assert_eq!(world.log.events(), expected);
    let path = format!("{INBOX}/responses/r1.json");
    let timed_out = json!({"requestId": "r1", "requesterAgentName": "unknown", "targetSessionId": "p", "responsePath": path});
    assert_eq!(world.lines("forwarded_permission.response_timed_out"), [timed_out]);
}

#[test]
fn hard_047_the_waiting_time_is_configured() {
    let world = World { waiting_time_ms: 1_000, ..World::new() };
    assert_eq!(world.ask(), unavailable_by(Cause::Timeout));
    assert_eq!(world.time.passed(), 1_000);
    assert_eq!(world.store.below(ROOT), ["sessions/"]);
}

#[test]
fn hard_047_a_clock_that_is_set_back_makes_nobody_wait_for_longer() {
    let world = World { waiting_time_ms: 1_000, ..World::new() };
    let time = Arc::clone(&world.time);
    world.time.plan(500, move || time.set(-3_600_000));
    assert_eq!(world.ask(), unavailable_by(Cause::Timeout));
    assert_eq!(world.time.now_ms(), START - 3_600_000 + 500);
}

#[test]
fn hard_047_a_parent_that_ends_meanwhile_is_given_up() {
    let world = World::new();
    let registry = Arc::clone(&world.registry);
    world.time.plan(900, move || registry.serving().withdraw("p"));
    assert_eq!(world.ask(), unavailable_by(Cause::TargetAbsent));
    assert_eq!(world.time.passed(), 3_000, "seen lifeless at 1, 2 and 3 s");
    assert_eq!(world.store.below(ROOT), ["sessions/"], "the request is withdrawn");
    let expected = ["forwarded_permission.request_created", "forwarded_permission.target_unavailable"];
    assert_eq!(world.log.events(), expected);
}

#[test]
fn hard_047_a_parent_that_comes_back_in_time_is_waited_for() {
    let world = World::new();
    let (gone, back) = (Arc::clone(&world.registry), Arc::clone(&world.registry));
    world.time.plan(900, move || gone.serving().withdraw("p"));
    world.time.plan(2_600, move || back.serving().announce("p"));
    world.answer_after(9_000, yes());
    assert_eq!(world.ask(), by_user(DecisionState::Approved));
}

#[test]
fn hard_050_the_end_of_the_session_takes_the_request_back() {
    let world = World::new();
    let (line, store) = (Arc::clone(&world.line), Arc::clone(&world.store));
    world.time.plan(500, move || {
        // A server has taken it already.
        let claimed = store.text(&format!("{INBOX}/requests/r1.json")).unwrap();
        store.delete(&format!("{INBOX}/requests/r1.json"));
        store.put(&format!("{INBOX}/requests/r1.claim"), &claimed);
        line.end_session();
    });
    assert_eq!(world.ask(), unavailable_by(Cause::SessionEnded));
    assert_eq!((world.time.passed(), world.store.below(ROOT)), (500, vec!["sessions/".to_owned()]));
    let expected = json!({
        "requestId": "r1", "requesterAgentName": "unknown", "requesterSessionId": "c", "targetSessionId": "p",
        "cause": "session_ended",
    });
    assert_eq!(world.lines("forwarded_permission.withdrawn"), [expected]);
}

#[test]
fn hard_050_an_ended_session_asks_nobody() {
    let world = World::new();
    let authority = world.authority();
    world.line.end_session();
    assert_eq!(authority.authorize(&ask("r1")), Ok(unavailable_by(Cause::SessionEnded)));
    assert_eq!(world.store.below("/a"), Vec::<String>::new());
}

#[rstest]
#[case::torn("{")]
#[case::empty("")]
#[case::old_shape(r#"{"approved":true,"state":"approved","responderSessionId":"p","respondedAt":1}"#)]
#[case::foreign(r#"{"approved":true,"state":"approved","responderSessionId":"q","nonce":"00112233445566770011223344556677"}"#)]
#[case::internal(r#"{"approved":true,"state":"approved_for_serving_session","responderSessionId":"p","nonce":"00112233445566770011223344556677"}"#)]
fn res_61_a_response_that_is_no_answer_ends_the_ask(#[case] response: &str) {
    let world = World::new();
    let (store, response) = (Arc::clone(&world.store), response.to_owned());
    world.time.plan(250, move || store.put(&format!("{INBOX}/responses/r1.json"), &response));
    assert_eq!(world.ask(), unavailable_by(Cause::ResponseInvalid));
    assert_eq!(world.store.below(ROOT), ["sessions/"]);
    let expected = ["forwarded_permission.request_created", "warning", "forwarded_permission.response_received"];
    assert_eq!(world.log.events(), expected);
    let nulls = json!({
        "requestId": "r1", "approved": null, "state": null, "denialReason": null, "responderSessionId": null,
        "targetSessionId": "p", "responsePath": format!("{INBOX}/responses/r1.json"),
    });
    assert_eq!(world.lines("forwarded_permission.response_received"), [nulls]);
}

#[rstest]
#[case::for_a_moment(4, DecisionState::Approved)]
#[case::for_good(5, DecisionState::Denied)]
fn hard_049_a_response_that_cannot_be_opened(#[case] times: usize, #[case] expected: DecisionState) {
    let world = World::new();
    world.answer_after(250, yes());
    world.store.fail("read", "responses/r1.json", ExchangeFaultKind::Transient, times);
    assert_eq!(world.ask().state, expected);
}

#[rstest]
#[case(ExchangeFaultKind::TooLarge)]
#[case(ExchangeFaultKind::NotRegular)]
#[case(ExchangeFaultKind::ForeignOwner)]
#[case(ExchangeFaultKind::Other)]
fn fwd_023_a_response_that_is_no_file_of_ones_own(#[case] kind: ExchangeFaultKind) {
    let world = World::new();
    world.store.fail("read", "responses/r1.json", kind, 1);
    assert_eq!(world.ask(), unavailable_by(Cause::ResponseInvalid));
}

#[test]
fn fwd_002_folders_that_cannot_be_made() {
    let world = World::new();
    world.store.put(ROOT, "a file");
    assert_eq!(world.ask(), unavailable_by(Cause::WriteFailed));
    assert_eq!(world.log.events(), ["error", "error", "error", "error"], "three folders, and that nothing came of it");

    let world = World::new();
    world.store.put(&format!("{INBOX}/requests"), "a file");
    assert_eq!(world.ask(), unavailable_by(Cause::WriteFailed));
    assert_eq!(world.log.events(), ["error", "error"]);
}

#[test]
fn fwd_010_a_request_that_cannot_be_written() {
    let world = World::new();
    world.store.fail("create_file", ".tmp", ExchangeFaultKind::Other, 1);
    assert_eq!(world.ask(), unavailable_by(Cause::WriteFailed));
    assert_eq!(world.log.events(), ["forwarded_permission.request_created", "error"]);
    assert_eq!((world.time.passed(), world.store.below(ROOT)), (0, vec!["sessions/".to_owned()]));
}

#[test]
fn fwd_022_a_folder_that_was_swept_away_is_made_again() {
    let world = World::new();
    world.store.fail("create_file", ".tmp", ExchangeFaultKind::NotFound, 2);
    world.answer_after(250, yes());
    assert_eq!(world.ask(), by_user(DecisionState::Approved));
}

/// FWD-D05: what a sweep takes away before a server has seen it stands there again a second later, the very same.
#[test]
fn fwd_d05_a_request_that_was_swept_away_is_written_again() {
    let world = World::new();
    let path = format!("{INBOX}/requests/r1.json");
    let texts: Arc<std::sync::Mutex<Vec<Option<String>>>> = Arc::default();
    for (at, sweeps) in [(250, true), (750, false), (1_250, false)] {
        let (store, path, texts) = (Arc::clone(&world.store), path.clone(), Arc::clone(&texts));
        world.time.plan(at, move || {
            texts.lock().unwrap().push(store.text(&path));
            if sweeps {
                store.delete(&path);
            }
        });
    }
    world.answer_after(1_500, yes());
    assert_eq!(world.ask(), by_user(DecisionState::Approved));
    let texts = texts.lock().unwrap();
    assert!(texts[0].is_some() && texts[1].is_none() && texts[2] == texts[0], "{texts:?}");
    let expected = ["forwarded_permission.request_created", "warning", "forwarded_permission.response_received"];
    assert_eq!(world.log.events(), expected);
    assert_eq!(world.store.below(ROOT), ["sessions/"]);
}

/// Claimed, set aside, answered: it is on its way, and stays one.
#[rstest]
#[case::claimed("requests/r1.claim")]
#[case::set_aside("requests/r1.aside")]
fn fwd_d05_a_request_on_its_way_is_not_written_again(#[case] place: &'static str) {
    let world = World { waiting_time_ms: 5_000, ..World::new() };
    let store = Arc::clone(&world.store);
    world.time.plan(250, move || {
        store.put(&format!("{INBOX}/{place}"), &store.text(&format!("{INBOX}/requests/r1.json")).unwrap());
        store.delete(&format!("{INBOX}/requests/r1.json"));
    });
    let (store, seen) = (Arc::clone(&world.store), Arc::new(std::sync::Mutex::new(Vec::new())));
    let kept = Arc::clone(&seen);
    world.time.plan(4_900, move || *kept.lock().unwrap() = store.below(INBOX));
    assert_eq!(world.ask(), unavailable_by(Cause::Timeout));
    assert_eq!(*seen.lock().unwrap(), ["requests/", place, "responses/"]);
}

/// What a server had in its hands may have been answered: it is never put to anybody a second time.
#[test]
fn fwd_d05_a_request_that_was_taken_once_is_not_written_again() {
    let world = World { waiting_time_ms: 5_000, ..World::new() };
    let store = Arc::clone(&world.store);
    world.time.plan(250, move || {
        store.put(&format!("{INBOX}/requests/r1.claim"), &store.text(&format!("{INBOX}/requests/r1.json")).unwrap());
        store.delete(&format!("{INBOX}/requests/r1.json"));
    });
    let store = Arc::clone(&world.store);
    world.time.plan(1_500, move || store.delete(&format!("{INBOX}/requests/r1.claim")));
    let (store, seen) = (Arc::clone(&world.store), Arc::new(std::sync::Mutex::new(Vec::new())));
    let kept = Arc::clone(&seen);
    world.time.plan(4_900, move || *kept.lock().unwrap() = store.below(INBOX));
    assert_eq!(world.ask(), unavailable_by(Cause::Timeout));
    assert_eq!(*seen.lock().unwrap(), ["requests/", "responses/"]);
}

/// FWD-D09: a claim of a process that is gone is a request again, for whoever serves the same inbox; one of a living process, of
/// nobody, or with an answer stays what it is.
#[rstest]
#[case::gone(&["r1.7-0.owner"], false, true)]
#[case::all_gone(&["r1.7-0.owner", "r1.7-3.owner"], false, true)]
#[case::alive(&["r1.8-0.owner"], false, false)]
#[case::one_alive(&["r1.7-0.owner", "r1.8-0.owner"], false, false)]
#[case::of_nobody(&[], false, false)]
#[case::of_another_request(&["r2.7-0.owner"], false, false)]
#[case::no_owner(&["r1.7.owner", "r1.x-0.owner", "r1.7-0.owner.json"], false, false)]
#[case::answered(&["r1.7-0.owner"], true, false)]
fn fwd_d09_a_claim_of_a_dead_process(#[case] owners: &'static [&'static str], #[case] answered: bool, #[case] back: bool) {
    let world = World { waiting_time_ms: 5_000, ..World::new() };
    world.gone.0.lock().unwrap().insert(7);
    let store = Arc::clone(&world.store);
    world.time.plan(100, move || {
        store.put(&format!("{INBOX}/requests/r1.claim"), &store.text(&format!("{INBOX}/requests/r1.json")).unwrap());
        store.delete(&format!("{INBOX}/requests/r1.json"));
        owners.iter().for_each(|owner| store.put(&format!("{INBOX}/requests/{owner}"), ""));
    });
    if answered {
        // Put there after the look for an answer, and before the look for the claim: at the same time.
        world.answer_after(1_000, yes());
    }
    let (store, seen) = (Arc::clone(&world.store), Arc::new(std::sync::Mutex::new(Vec::new())));
    let kept = Arc::clone(&seen);
    world.time.plan(1_400, move || *kept.lock().unwrap() = store.below(&format!("{INBOX}/requests")));
    let answer = world.ask();
    if answered {
        assert_eq!(answer, by_user(DecisionState::Approved));
        assert_eq!(world.store.below(ROOT), ["sessions/"]);
        return;
    }
    assert_eq!(answer, unavailable_by(Cause::Timeout));
    let mut expected: Vec<&str> = if back { vec![] } else { owners.to_vec() };
    expected.push(if back { "r1.json" } else { "r1.claim" });
    expected.sort_unstable();
    assert_eq!(*seen.lock().unwrap(), expected);
    assert_eq!(world.lines("warning").len(), 1 + usize::from(back));
}

/// A process that takes each away can hinder, for the waiting time, and no more.
#[test]
fn fwd_d05_a_request_is_written_again_only_so_often() {
    let world = World { waiting_time_ms: 20_000, ..World::new() };
    for second in 0..20 {
        let store = Arc::clone(&world.store);
        world.time.plan(second * 1_000 + 500, move || store.delete(&format!("{INBOX}/requests/r1.json")));
    }
    assert_eq!(world.ask(), unavailable_by(Cause::Timeout));
    let again = world.lines("warning").iter().filter(|line| line[0].as_str().unwrap().contains("written again")).count();
    assert_eq!((again, world.time.passed()), (8, 20_000));
}

#[test]
fn fwd_d10_a_request_that_nobody_would_read_is_not_written() {
    let world = World::new();
    let mut ask = ask("r1");
    ask.details.message = "x".repeat(300 * 1024);
    let answer = world.authority().authorize(&ask).unwrap();
    assert_eq!(answer.decided_by.reason.as_deref(), Some(TOO_LARGE));
    let expected = unavailable_by(Cause::WriteFailed);
    let decided_by = DecidedBy { reason: answer.decided_by.reason.clone(), ..expected.decided_by };
    assert_eq!(answer, PermissionPromptDecision { decided_by, ..expected });
    assert_eq!(world.store.below(ROOT), ["sessions/"]);
    let fault = world.lines("error")[0].to_string();
    assert!(fault.contains("bytes long, and at most 262144"), "{fault}");
}

#[test]
fn an_answer_of_the_last_moment_counts() {
    let world = World { waiting_time_ms: 1_000, ..World::new() };
    let (store, time) = (Arc::clone(&world.store), Arc::clone(&world.time));
    // The last wait ends late, and the answer came during it.
    world.time.plan(1_000, move || {
        time.set(5_000);
        store.put(&format!("{INBOX}/responses/r1.json"), &yes().to_string());
    });
    assert_eq!(world.ask(), by_user(DecisionState::Approved));
}

#[test]
fn fwd_010_two_asks_in_flight_share_the_folders() {
    let world = World::new();
    let respond = |store: &Arc<MemoryStore>, id: &str| store.put(&format!("{INBOX}/responses/{id}.json"), &yes().to_string());
    // The second ask is put from inside the first one's wait, as another thread would.
    let (authority, store) = (world.authority(), Arc::clone(&world.store));
    let after_inner = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&after_inner);
    world.time.plan(250, move || {
        let inner = Arc::clone(&store);
        respond(&inner, "r2");
        assert_eq!(authority.authorize(&ask("r2")), Ok(by_user(DecisionState::Approved)));
        *kept.lock().unwrap() = store.below(INBOX);
        respond(&inner, "r1");
    });
    assert_eq!(world.ask(), by_user(DecisionState::Approved));
    assert_eq!(*after_inner.lock().unwrap(), ["requests/", "requests/r1.json", "responses/"]);
    assert_eq!(world.store.below(ROOT), ["sessions/"]);
}

#[test]
fn hard_046_a_child_relays() {
    assert!(World::new().authority().relays());
}
