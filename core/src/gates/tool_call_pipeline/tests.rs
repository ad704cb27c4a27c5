use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::authority::{DecisionState, DialogAnswer};
use crate::gates::facts::{CallFacts, CallTarget, ShellFacts};
use crate::gates::test_doubles::{
    ALLOW, ASK, DENY, Dispatch, Ingredients, World, by_grant, by_rule, call, facts, file_facts, operand, program, shell_facts,
    skill, unit, word,
};
use crate::host::HostError;
use crate::report::{GateOutcomeTrace, GateTrace};

fn evaluate(tool: &str, inputs: &Ingredients, world: &World) -> (HostResult<GateOutcome>, CallRecord) {
    let mut record = CallRecord::default();
    let runner = GateRunner::new(world, world, world, world);
    let outcome = ToolCallGatePipeline::new(inputs).evaluate(&call(tool), &runner, &mut record);
    (outcome, record)
}

fn yes() -> DialogAnswer {
    DialogAnswer::plain(DecisionState::Approved)
}

fn for_session() -> DialogAnswer {
    DialogAnswer::plain(DecisionState::ApprovedForSession)
}

fn no() -> DialogAnswer {
    DialogAnswer::plain(DecisionState::Denied)
}

fn surfaces(world: &World) -> Vec<String> {
    world.events.borrow().iter().map(|event| event.surface.clone()).collect()
}

/// An alias that reads an outside file and names another one in its command.
fn alias_facts() -> CallFacts {
    let command = "cat /opt/z ./k.key";
    let shell = ShellFacts {
        command: command.to_owned(),
        workdir: None,
        program: Some(program(command, vec![unit(command)], vec![word("/opt/z"), word("./k.key")])),
    };
    facts("exec", CallTarget::Shell(shell), vec![operand("/etc/k.key")])
}

fn asking(facts: CallFacts) -> Ingredients {
    let rule = |surface: &'static str| (surface, "*", by_rule(surface, "*.x", ASK));
    let resolver = Dispatch::new(ASK, vec![rule("path"), rule("external_directory")]);
    Ingredients { facts, entries: Vec::new(), resolver }
}

#[test]
fn pipe_001_the_order_of_an_alias() {
    let inputs = asking(alias_facts());
    let world = World::answering(vec![yes(), yes(), yes(), yes(), yes()]);
    let (outcome, record) = evaluate("exec", &inputs, &world);
    assert_eq!(outcome, Ok(GateOutcome::Allow));
    assert_eq!(surfaces(&world), ["path", "external_directory", "external_directory", "path", "bash"]);
    let gates: Vec<_> = record.gates.iter().map(|trace| (trace.gate.as_str(), trace.ran)).collect();
    let order = ["skill-read", "path", "external-directory", "bash-external-directory", "bash-path", "tool"];
    assert_eq!(gates, order.map(|gate| (gate, true)));
    assert_eq!(record.ended_by, Some("tool"));
    // RES-37: every ask has an id of its own.
    let ids: Vec<_> = world.asks.borrow().iter().map(|ask| ask.request_id.clone()).collect();
    assert_eq!(ids, ["id-1", "id-2", "id-3", "id-4", "id-5"]);
}

#[test]
fn pipe_001_the_order_of_a_skills_file() {
    let mut inputs = asking(file_facts("read", vec![operand("/s/x")]));
    inputs.entries = vec![skill("one", "/s/SKILL.md", ASK)];
    let world = World::answering(vec![yes(), yes(), yes(), yes()]);
    let (outcome, _) = evaluate("read", &inputs, &world);
    assert_eq!(outcome, Ok(GateOutcome::Allow));
    assert_eq!(surfaces(&world), ["skill", "path", "external_directory", "read"]);
}

#[test]
fn pipe_003_one_prompt_a_gate_and_the_first_no_ends_it() {
    let inputs = Ingredients {
        facts: file_facts("read", vec![operand("/etc/hosts")]),
        entries: Vec::new(),
        resolver: Dispatch::new(ASK, Vec::new()),
    };
    let world = World::answering(vec![yes(), no()]);
    let (outcome, record) = evaluate("read", &inputs, &world);
    assert!(matches!(outcome, Ok(GateOutcome::Block { .. })));
    let expected =
        ["ask id-1", "E external_directory /etc/hosts allow user_approved", "ask id-2", "E read /etc/hosts deny user_denied"];
    assert_eq!(world.happened.into_inner(), expected);
    assert_eq!(record.ended_by, Some("tool"));
}

#[test]
fn pipe_002_a_no_leaves_the_later_gates_unrun() {
    let inputs = asking(alias_facts());
    let world = World::answering(vec![no()]);
    let (outcome, record) = evaluate("exec", &inputs, &world);
    assert!(matches!(outcome, Ok(GateOutcome::Block { .. })));
    let ran: Vec<_> = record.gates.iter().map(|trace| trace.ran).collect();
    assert_eq!((ran, record.ended_by), (vec![true, true, false, false, false, false], Some("path")));
}

#[test]
fn hard_008_a_later_deny_needs_no_question() {
    let inputs = Ingredients {
        facts: shell_facts("bash", program("find / -name x", vec![unit("find / -name x")], vec![word("/")])),
        entries: Vec::new(),
        resolver: Dispatch::new(ASK, vec![("bash", "*", by_rule("bash", "find / *", DENY))]),
    };
    let world = World::default();
    let (outcome, record) = evaluate("bash", &inputs, &world);
    let Ok(GateOutcome::Block { reason }) = outcome else { panic!("not blocked") };
    assert!(reason.contains("find / *") && reason.contains("find / -name x"), "{reason}");
    assert_eq!(world.happened.into_inner(), ["R blocked policy_denied", "E bash find / -name x deny policy_deny"]);
    let ran: Vec<_> = record.gates.iter().filter(|trace| trace.ran).map(|trace| trace.gate.as_str()).collect();
    assert_eq!((ran, record.ended_by), (vec!["tool"], Some("tool")));
    let raised = Tightening { requirement: "HARD-008", before: ASK, after: DENY, subject: "find / -name x".to_owned() };
    assert_eq!(record.tightenings, [raised]);
}

#[test]
fn hard_008_the_first_deny_in_gate_order_runs() {
    let denies = |surface: &'static str| (surface, "*", by_rule(surface, "x*", DENY));
    let inputs = Ingredients {
        facts: file_facts("read", vec![operand("/etc/x.env")]),
        entries: Vec::new(),
        resolver: Dispatch::new(ASK, vec![denies("path"), denies("external_directory"), denies("read")]),
    };
    let world = World::default();
    let (_, record) = evaluate("read", &inputs, &world);
    assert_eq!(surfaces(&world), ["path"]);
    // No earlier gate would have asked: nothing was pre-empted.
    assert_eq!((record.ended_by, record.tightenings), (Some("path"), Vec::new()));
}

#[test]
fn hard_008_an_ask_that_is_itself_new_is_not_pre_empted() {
    let inputs = Ingredients {
        facts: file_facts("grep", vec![operand("/s/x")]),
        entries: vec![skill("one", "/s/SKILL.md", ASK)],
        resolver: Dispatch::new(ALLOW, vec![("grep", "*", by_rule("grep", "*", DENY))]),
    };
    let (_, record) = evaluate("grep", &inputs, &World::default());
    // The package denies without a question, as we do: the new ask of gate 1 changed nothing.
    assert_eq!((record.ended_by, record.tightenings), (Some("tool"), Vec::new()));
}

#[test]
fn gate_011_a_path_deny_wins_over_an_outside_ask() {
    let inputs = Ingredients {
        facts: file_facts("read", vec![operand("/etc/x.env")]),
        entries: Vec::new(),
        resolver: Dispatch::new(
            ALLOW,
            vec![
                ("path", "*", by_rule("path", "*.env", DENY)),
                ("external_directory", "*", by_rule("external_directory", "*", ASK)),
            ],
        ),
    };
    let world = World::default();
    let _ = evaluate("read", &inputs, &world);
    assert_eq!(world.happened.into_inner(), ["R blocked policy_denied", "E path /etc/x.env deny policy_deny"]);
}

/// A world whose grants reach the resolver at once.
struct Granting<'a> {
    world: &'a World,
    resolver: &'a Dispatch,
}

impl crate::gates::SessionApprovalRecorder for Granting<'_> {
    fn record_session_approval(&self, pairs: &[(String, String)]) {
        self.world.record_session_approval(pairs);
        self.resolver.put_first(("external_directory", "*", by_grant("external_directory", "/etc/*")));
    }
}

#[rstest]
#[case("a grant: the rest is produced again", for_session(), 2, &[
    "ask id-1",
    "E external_directory /etc/k.key allow user_approved_for_session",
    "grant external_directory /etc/*",
    "R session_approved session_approved",
    "ask id-2",
    "E bash cat /etc/z allow user_approved",
])]
#[case("a single yes: nothing is asked again", yes(), 3, &[
    "ask id-1",
    "E external_directory /etc/k.key allow user_approved",
    "ask id-2",
    "E external_directory cat /etc/z allow user_approved",
    "ask id-3",
    "E bash cat /etc/z allow user_approved",
])]
fn res_26_after_a_grant(#[case] title: &str, #[case] first: DialogAnswer, #[case] asks: usize, #[case] expected: &[&str]) {
    let shell = ShellFacts {
        command: "cat /etc/z".to_owned(),
        workdir: None,
        program: Some(program("cat /etc/z", vec![unit("cat /etc/z")], vec![word("/etc/z")])),
    };
    let facts = facts("exec", CallTarget::Shell(shell), vec![operand("/etc/k.key")]);
    let inputs = Ingredients { facts, entries: Vec::new(), resolver: Dispatch::new(ASK, Vec::new()) };
    let world = World::answering(vec![first, yes(), yes()]);
    let granting = Granting { world: &world, resolver: &inputs.resolver };
    let runner = GateRunner::new(&world, &granting, &world, &world);
    let mut record = CallRecord::default();
    let outcome = ToolCallGatePipeline::new(&inputs).evaluate(&call("exec"), &runner, &mut record);
    assert_eq!(outcome, Ok(GateOutcome::Allow), "{title}");
    assert_eq!(world.happened.borrow().as_slice(), expected, "{title}");
    assert_eq!((world.asks.borrow().len(), record.gates.len()), (asks, 6), "{title}");
}

#[test]
fn hand_007_an_error_keeps_what_was_found() {
    let inputs = asking(file_facts("read", vec![operand("a")]));
    let (outcome, record) = evaluate("read", &inputs, &World::default());
    assert_eq!(outcome, Err(HostError::new("ui broke")));
    let ran: Vec<_> = record.gates.iter().filter(|trace| trace.ran).map(|trace| trace.gate.as_str()).collect();
    assert_eq!((ran, record.ended_by), (vec!["skill-read", "path"], Some("path")));
}

/// Ingredients that write down what was asked of them, and may fail at the first.
struct Reading<'a> {
    inner: &'a Ingredients,
    read: std::cell::RefCell<Vec<&'static str>>,
    fails: bool,
}

impl ToolCallGateInputs for Reading<'_> {
    fn call_facts(&self, context: &ToolCallContext) -> HostResult<CallFacts> {
        self.read.borrow_mut().push("facts");
        if self.fails { Err(HostError::new("the parser broke")) } else { self.inner.call_facts(context) }
    }

    fn active_skill_entries(&self) -> Vec<crate::gates::SkillPromptEntry> {
        self.read.borrow_mut().push("skills");
        self.inner.active_skill_entries()
    }

    fn tool_previews(&self, context: &ToolCallContext, facts: &CallFacts) -> HostResult<crate::gates::ToolPreviews> {
        self.read.borrow_mut().push("previews");
        self.inner.tool_previews(context, facts)
    }

    fn resolver(&self) -> &dyn crate::gates::GateResolver {
        self.inner.resolver()
    }

    fn suggester(&self) -> &dyn crate::gates::GrantSuggester {
        self.inner.suggester()
    }
}

#[rstest]
#[case::a_parse_failure_comes_before_the_first_gate(true, &["facts"], &[])]
#[case::each_is_read_once_and_the_facts_first(false, &["facts", "previews", "skills"], &["path a", "read a"])]
fn pipe_004_inputs_are_read_once_and_before_the_first_gate(#[case] fails: bool, #[case] read: &[&str], #[case] asked: &[&str]) {
    let facts = file_facts("read", vec![operand("a")]);
    let inner = Ingredients { facts, entries: Vec::new(), resolver: Dispatch::new(ALLOW, Vec::new()) };
    let inputs = Reading { inner: &inner, read: std::cell::RefCell::default(), fails };
    let world = World::default();
    let runner = GateRunner::new(&world, &world, &world, &world);
    let outcome = ToolCallGatePipeline::new(&inputs).evaluate(&call("read"), &runner, &mut CallRecord::default());
    assert_eq!(outcome.is_err(), fails);
    let mut seen = inputs.read.borrow().clone();
    seen[1..].sort_unstable();
    assert_eq!(seen, read);
    let values = inner.resolver.asked_values();
    let values: Vec<String> = values.iter().map(|value| value.replace("/w/p/", "")).collect();
    assert_eq!(values, asked);
}

#[test]
fn gate_001_a_gate_that_is_only_produced_leaves_nothing_behind() {
    let inputs = Ingredients {
        facts: alias_facts(),
        entries: Vec::new(),
        resolver: Dispatch::new(
            DENY,
            vec![
                ("path", "*", by_rule("path", "*.x", ASK)),
                ("external_directory", "*", by_rule("external_directory", "*.x", ASK)),
            ],
        ),
    };
    let world = World::answering(vec![yes(), yes()]);
    let (outcome, record) = evaluate("exec", &inputs, &world);
    assert!(matches!(outcome, Ok(GateOutcome::Block { .. })));
    let ran: Vec<_> = record.gates.iter().filter(|trace| trace.ran).map(|trace| trace.gate.as_str()).collect();
    assert_eq!((ran, record.gates.len()), (vec!["tool"], 6));
    assert_eq!((surfaces(&world), world.asks.borrow().len()), (vec!["bash".to_owned()], 0));
}

#[test]
fn the_trace_says_what_each_gate_gave() {
    let inputs = Ingredients {
        facts: file_facts("read", vec![operand("a")]),
        entries: Vec::new(),
        resolver: Dispatch::new(ALLOW, Vec::new()),
    };
    let (outcome, record) = evaluate("read", &inputs, &World::default());
    assert_eq!(outcome, Ok(GateOutcome::Allow));
    let shown: Vec<_> = record
        .gates
        .iter()
        .map(|GateTrace { gate, outcome, questions, .. }| (gate.as_str(), outcome.clone(), questions.len()))
        .collect();
    let null = |gate, questions| (gate, GateOutcomeTrace::Null, questions);
    let expected = [
        null("skill-read", 0),
        null("path", 1),
        null("external-directory", 0),
        null("bash-external-directory", 0),
        null("bash-path", 0),
        ("tool", GateOutcomeTrace::Check { state: ALLOW, source: crate::policy::Source::Default, deciding: Some(0) }, 1),
    ];
    assert_eq!(shown, expected);
}

mod invariants {
    use proptest::prelude::*;

    use super::*;
    use crate::policy::PermissionCheckResult;
    use crate::report::DecisionResult;

    fn any_answer(surface: &'static str) -> impl Strategy<Value = PermissionCheckResult> {
        prop_oneof![
            Just(by_rule(surface, "x*", ALLOW)),
            Just(by_rule(surface, "x*", ASK)),
            Just(by_rule(surface, "x*", DENY)),
            Just(by_grant(surface, "x*")),
            Just(crate::gates::test_doubles::by_default(surface, ASK)),
            Just(crate::gates::test_doubles::by_yolo(surface)),
        ]
    }

    fn any_person() -> impl Strategy<Value = DialogAnswer> {
        prop_oneof![Just(yes()), Just(for_session()), Just(no()), Just(DialogAnswer::denied("why"))]
    }

    proptest! {
        /// Invariants 1, 2, 5, 6 of docs/spec/gates.md, with RES-26: a deny is never followed by a question.
        #[test]
        fn of_a_call(
            path in any_answer("path"),
            outside in any_answer("external_directory"),
            bash in any_answer("bash"),
            skill_state in prop::sample::select(vec![ALLOW, ASK, DENY]),
            people in prop::collection::vec(any_person(), 0..6),
        ) {
            let resolver = Dispatch::new(
                ASK,
                vec![("path", "*", path), ("external_directory", "*", outside), ("bash", "*", bash)],
            );
            let inputs =
                Ingredients { facts: alias_facts(), entries: vec![skill("one", "/opt/SKILL.md", skill_state)], resolver };
            let world = World::answering(people);
            let (outcome, record) = evaluate("exec", &inputs, &world);
            let denies = record.gates.iter().any(|trace| {
                matches!(trace.outcome, GateOutcomeTrace::Check { state, .. } if state == DENY)
            });
            let events = world.events.borrow();
            let asks = world.asks.borrow().len();
            match &outcome {
                Ok(GateOutcome::Allow) => {
                    prop_assert!(!denies);
                    prop_assert!(events.iter().all(|event| event.result == DecisionResult::Allow));
                }
                Ok(GateOutcome::Block { reason }) => {
                    prop_assert!(!reason.is_empty());
                    prop_assert_eq!(events.last().map(|event| event.result), Some(DecisionResult::Deny));
                    prop_assert_eq!(events.iter().filter(|event| event.result == DecisionResult::Deny).count(), 1);
                }
                Err(_) => prop_assert_eq!(world.happened.borrow().last().map(|line| line.starts_with("ask")), Some(true)),
            }
            prop_assert!(!denies || (asks == 0 && events.len() == 1));
            let checked = record.gates.iter().filter(|trace| trace.ran && matches!(trace.outcome, GateOutcomeTrace::Check { .. }));
            prop_assert_eq!(checked.count(), events.len() + usize::from(outcome.is_err()));
            let happened = world.happened.borrow();
            for (index, line) in happened.iter().enumerate().filter(|(_, line)| line.starts_with("grant")) {
                let before = happened[..index].iter().rev().find(|line| line.starts_with('E'));
                prop_assert!(before.is_some_and(|event| event.ends_with("user_approved_for_session")), "{line}");
            }
        }
    }
}
