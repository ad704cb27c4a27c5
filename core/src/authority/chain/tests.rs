use std::sync::Mutex;
use std::time::Duration;

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::authority::forwarding::{FactFloor, FactItem, FactPrompt};
use crate::authority::{AskDetails, AskPrompter, Authorizer};
use crate::host::HostError;
use crate::policy::FloorKind;

/// A link with one answer.
struct Fixed {
    name: &'static str,
    answer: HostResult<LinkAnswer>,
    asked: Mutex<Vec<LinkAsk>>,
}

impl Link for Fixed {
    fn name(&self) -> &str {
        self.name
    }

    fn decide(&self, ask: &LinkAsk) -> HostResult<LinkAnswer> {
        self.asked.lock().unwrap().push(ask.clone());
        self.answer.clone()
    }
}

fn link(name: &'static str, answer: HostResult<LinkAnswer>) -> Arc<Fixed> {
    Arc::new(Fixed { name, answer, asked: Mutex::default() })
}

fn deny(reason: &str) -> HostResult<LinkAnswer> {
    Ok(LinkAnswer::Deny { reason: Some(reason.to_owned()) })
}

#[derive(Default)]
struct Session {
    configured: Vec<&'static str>,
    announced: Mutex<Vec<String>>,
    lines: Mutex<Vec<(String, Value)>>,
}

impl ChainSession for Session {
    fn configured_links(&self) -> Vec<String> {
        self.configured.iter().map(|name| (*name).to_owned()).collect()
    }

    fn knows_surface(&self, surface: &str) -> bool {
        matches!(surface, "bash" | "edit" | "demo" | "skill" | "path" | "external_directory")
    }

    fn announce_missing_link(&self, name: &str) {
        self.announced.lock().unwrap().push(name.to_owned());
    }
}

impl ReviewLogWriter for Session {
    fn write_review_log(&self, event: &str, fields: Map<String, Value>) -> HostResult<()> {
        self.lines.lock().unwrap().push((event.trim_start_matches("authorizer.").to_owned(), Value::Object(fields)));
        Ok(())
    }
}

fn facts(gate: &str, surface: &str) -> AskFacts {
    AskFacts {
        gate: gate.to_owned(),
        surface: surface.to_owned(),
        direction: None,
        cwd: "/w".to_owned(),
        tool: None,
        items: Vec::new(),
        prompt: FactPrompt::default(),
    }
}

fn ask(facts: Option<AskFacts>) -> PromptPermissionDetails {
    PromptPermissionDetails {
        request_id: "id".to_owned(),
        details: AskDetails {
            source: AskSource::ToolCall,
            agent_name: Some("a".to_owned()),
            message: "May it?".to_owned(),
            full_message: String::new(),
            record_message: String::new(),
            tool_call_id: None,
            tool_name: None,
            skill_name: None,
            path: None,
            command: None,
            target: None,
            tool_input_preview: None,
            session_label: None,
            both_directions_label: None,
            forwarding: None,
        },
        suggestion: None,
        facts: facts.map(Arc::new),
    }
}

struct Outcome {
    decision: Option<PermissionPromptDecision>,
    lines: Vec<(String, Value)>,
    announced: Vec<String>,
}

fn consult(configured: &[&'static str], links: &[Arc<Fixed>], ask: &PromptPermissionDetails) -> Outcome {
    let registry = LinkRegistry::new();
    for link in links {
        let _kept = registry.register(Arc::clone(link) as Arc<dyn Link>).unwrap();
    }
    let session = Session { configured: configured.to_vec(), ..Session::default() };
    let decision = AuthorizerChain { links: &registry, session: &session, patience_ms: 10_000 }.consult(ask, &session).unwrap();
    Outcome { decision, lines: session.lines.into_inner().unwrap(), announced: session.announced.into_inner().unwrap() }
}

fn by_link(name: &str, state: DecisionState, reason: Option<&str>) -> PermissionPromptDecision {
    PermissionPromptDecision {
        state,
        both_directions: false,
        denial_reason: reason.map(str::to_owned),
        confirmation_unavailable: false,
        decided_by: DecidedBy {
            name: Some(name.to_owned()),
            reason: reason.map(str::to_owned),
            ..DecidedBy::own(DecidedByKind::Link)
        },
    }
}

#[test]
fn hard_044_without_configured_names_nobody_is_asked() {
    let eager = link("a", Ok(LinkAnswer::Allow));
    let outcome = consult(&[], &[Arc::clone(&eager)], &ask(Some(facts("tool", "bash"))));
    assert_eq!((outcome.decision, outcome.lines.len()), (None, 0), "registration gives no power");
    assert_eq!(eager.asked.lock().unwrap().len(), 0);
}

#[test]
fn hard_044_a_missing_link_is_skipped_logged_and_announced() {
    let outcome = consult(&["a", "b"], &[link("b", Ok(LinkAnswer::Allow))], &ask(Some(facts("tool", "bash"))));
    assert_eq!(outcome.decision, Some(by_link("b", DecisionState::Approved, None)));
    assert_eq!(outcome.announced, ["a"]);
    let expected = [
        ("link_missing".to_owned(), json!({"requestId": "id", "link": "a"})),
        ("link_decided".to_owned(), json!({"requestId": "id", "link": "b", "answer": "allow", "reason": null})),
    ];
    assert_eq!(outcome.lines, expected);
}

#[test]
fn hard_044_configured_order_decides_and_a_name_is_asked_once() {
    let (first, second) = (link("a", Ok(LinkAnswer::Defer)), link("b", deny("  no  ")));
    let outcome = consult(&["b", "a"], &[Arc::clone(&first), second], &ask(Some(facts("tool", "bash"))));
    assert_eq!(outcome.decision, Some(by_link("b", DecisionState::DeniedWithReason, Some("no"))));
    assert_eq!(first.asked.lock().unwrap().len(), 0);
    let outcome = consult(&["a", "a"], &[Arc::clone(&first)], &ask(Some(facts("tool", "bash"))));
    assert_eq!((outcome.decision, first.asked.lock().unwrap().len()), (None, 1));
}

#[rstest]
#[case::blank(Some(" \n"))]
#[case::none(None)]
fn hard_044_a_no_without_a_reason_is_a_no(#[case] reason: Option<&str>) {
    let answer = Ok(LinkAnswer::Deny { reason: reason.map(str::to_owned) });
    let outcome = consult(&["a"], &[link("a", answer)], &ask(Some(facts("tool", "bash"))));
    assert_eq!(outcome.decision, Some(by_link("a", DecisionState::Denied, None)));
}

#[test]
fn hard_044_a_failing_link_defers() {
    let outcome = consult(
        &["a", "b"],
        &[link("a", Err(HostError::new("broke"))), link("b", deny("no"))],
        &ask(Some(facts("tool", "bash"))),
    );
    assert_eq!(outcome.lines[0], ("link_failed".to_owned(), json!({"requestId": "id", "link": "a", "error": "broke"})));
    assert_eq!(outcome.decision, Some(by_link("b", DecisionState::DeniedWithReason, Some("no"))));
}

struct Panics;

impl Link for Panics {
    fn name(&self) -> &str {
        "a"
    }

    fn decide(&self, _ask: &LinkAsk) -> HostResult<LinkAnswer> {
        panic!("link broke")
    }
}

#[test]
fn hard_044_a_panicking_link_defers() {
    let registry = LinkRegistry::new();
    let _kept = registry.register(Arc::new(Panics)).unwrap();
    let session = Session { configured: vec!["a"], ..Session::default() };
    let chain = AuthorizerChain { links: &registry, session: &session, patience_ms: 10_000 };
    assert_eq!(chain.consult(&ask(Some(facts("tool", "bash"))), &session), Ok(None));
    assert_eq!(session.lines.lock().unwrap()[0].1["error"], "link broke");
}

/// An authority whose session has ended while a link decided.
struct Ended(bool);

impl Authorizer for Ended {
    fn authorize(&self, _ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        panic!("the link has answered")
    }

    fn has_ended(&self) -> bool {
        self.0
    }
}

/// HARD-050: nobody stands behind a link's yes that comes after the end of the session; its no is one.
#[rstest]
#[case::yes_in_time(LinkAnswer::Allow, false, DecidedByKind::Link, true)]
#[case::yes_too_late(LinkAnswer::Allow, true, DecidedByKind::Nobody, false)]
#[case::no_too_late(LinkAnswer::Deny { reason: None }, true, DecidedByKind::Link, false)]
fn hard_050_a_links_yes_after_the_end(
    #[case] answer: LinkAnswer,
    #[case] ended: bool,
    #[case] kind: DecidedByKind,
    #[case] approved: bool,
) {
    let registry = LinkRegistry::new();
    let _kept = registry.register(link("a", Ok(answer))).unwrap();
    let session = Session { configured: vec!["a"], ..Session::default() };
    let chain = AuthorizerChain { links: &registry, session: &session, patience_ms: 10_000 };
    let prompter = AskPrompter::new(&session, Some(Arc::new(Ended(ended)))).with_chain(chain);
    let decision = prompter.prompt_permission(&ask(Some(facts("tool", "bash")))).unwrap();
    assert_eq!((decision.decided_by.kind, decision.is_approved()), (kind, approved));
}

/// Hangs until it is let go.
struct Hangs(Mutex<std::sync::mpsc::Receiver<()>>);

impl Link for Hangs {
    fn name(&self) -> &str {
        "a"
    }

    fn decide(&self, _ask: &LinkAsk) -> HostResult<LinkAnswer> {
        let _ = self.0.lock().unwrap().recv_timeout(Duration::from_secs(20));
        Ok(LinkAnswer::Allow)
    }
}

#[test]
fn hard_044_a_hanging_link_defers_and_is_not_asked_again_until_it_is_done() {
    let (let_go, waits) = std::sync::mpsc::channel();
    let registry = LinkRegistry::new();
    let _kept = registry.register(Arc::new(Hangs(Mutex::new(waits)))).unwrap();
    let session = Session { configured: vec!["a"], ..Session::default() };
    let chain = AuthorizerChain { links: &registry, session: &session, patience_ms: 30 };
    let ask = ask(Some(facts("tool", "bash")));
    assert_eq!(chain.consult(&ask, &session), Ok(None));
    assert_eq!(chain.consult(&ask, &session), Ok(None));
    let errors: Vec<Value> = session.lines.lock().unwrap().iter().map(|(_, fields)| fields["error"].clone()).collect();
    assert_eq!(errors, ["it did not answer within 30 ms", "it is still busy with an earlier ask"]);
    drop(let_go);
}

/// HARD-045, RES-66: where a link's yes counts; deny and defer pass everywhere.
#[rstest]
#[case::bash(Some(("tool", "bash")), true)]
#[case::path_tool(Some(("tool", "edit")), true)]
#[case::extension(Some(("tool", "demo")), true)]
#[case::skill_file(Some(("skill-read", "skill")), true)]
#[case::skill(Some(("skill-input", "skill")), true)]
#[case::path(Some(("path", "path")), false)]
#[case::bash_path(Some(("bash-path", "path")), false)]
#[case::boundary(Some(("external-directory", "external_directory")), false)]
#[case::bash_boundary(Some(("bash-external-directory", "external_directory")), false)]
#[case::member(Some(("tool", "path_write")), false)]
#[case::family_gate_with_another_surface(Some(("path", "bash")), false)]
#[case::unknown_surface(Some(("tool", "nope")), false)]
#[case::no_facts(None, false)]
fn hard_045_bounded_delegation(#[case] asked: Option<(&str, &str)>, #[case] counts: bool) {
    let ask = ask(asked.map(|(gate, surface)| facts(gate, surface)));
    let allowed = consult(&["a"], &[link("a", Ok(LinkAnswer::Allow))], &ask);
    assert_eq!(allowed.decision.is_some(), counts);
    assert_eq!(allowed.lines[0].1.get("excluded").is_some(), !counts);
    let denied = consult(&["a"], &[link("a", deny("no"))], &ask);
    assert_eq!(denied.decision, Some(by_link("a", DecisionState::DeniedWithReason, Some("no"))));
    assert_eq!(consult(&["a"], &[link("a", Ok(LinkAnswer::Defer))], &ask).decision, None);
}

#[test]
fn res_66_no_link_lifts_the_floor_of_a_protected_path() {
    let mut facts = facts("tool", "edit");
    facts.items.push(FactItem::Path {
        typed: ".git/config".to_owned(),
        lexical: "/w/.git/config".to_owned(),
        relative: None,
        canonical: "/w/.git/config".to_owned(),
        spellings: Vec::new(),
        unknown_place: false,
        direction: None,
        floors: vec![FactFloor { kind: FloorKind::ProtectedPath, options: Vec::new() }],
    });
    assert_eq!(consult(&["a"], &[link("a", Ok(LinkAnswer::Allow))], &ask(Some(facts))).decision, None);
}

#[test]
fn hard_044_what_a_link_is_asked() {
    let asked = link("a", Ok(LinkAnswer::Defer));
    let facts = facts("tool", "bash");
    consult(&["a"], &[Arc::clone(&asked)], &ask(Some(facts.clone())));
    let expected = LinkAsk {
        request_id: "id".to_owned(),
        source: AskSource::ToolCall,
        gate: Some("tool".to_owned()),
        surface: Some("bash".to_owned()),
        agent_name: Some("a".to_owned()),
        message: "May it?".to_owned(),
        forwarding: None,
        facts: Some(Arc::new(facts)),
    };
    assert_eq!(*asked.asked.lock().unwrap(), [expected]);
}

#[test]
fn hard_044_one_link_a_name_and_disposal_removes_only_its_own() {
    let registry = LinkRegistry::new();
    let first = registry.register(link("a", Ok(LinkAnswer::Defer))).unwrap();
    let second = registry.register(link("a", Ok(LinkAnswer::Allow)));
    assert_eq!(second.map(drop), Err(LinkNameTaken { name: "a".to_owned() }));
    first.dispose();
    let _kept = registry.register(link("a", Ok(LinkAnswer::Allow))).unwrap();
    first.dispose();
    assert_eq!(registry.names(), ["a"]);
}
