//! A process ends at each operation of a round trip, on either side: before it, in the middle of it, after it. Whoever is left
//! has the answer that was given or none, nobody is asked twice by one parent, whoever comes next goes on, and after a sweep
//! nothing is left (FWD-D09, HARD-047).

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use portcullis_core::authority::forwarding::SubagentRegistry;
use portcullis_core::composition::ForwardingHost;
use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::{Choice, IdSource, Waiter as _};
use portcullis_test_fixtures::{
    APPROVE, APPROVE_FOR_SESSION, CountingIds, DENY, FakeHost, FakeProcesses, FaultyExchange, PlannedFault, ScriptedAnswer,
    TempWorld, VirtualClock, VirtualWaiter, WorldEntry,
};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

const PARENT: u32 = 101;
const CHILD: u32 = 102;
const NEXT_PARENT: u32 = 103;
const NEXT_CHILD: u32 = 104;

const DEATHS: [PlannedFault; 3] = [PlannedFault::CrashBefore, PlannedFault::CrashInside, PlannedFault::CrashAfter];

/// Random numbers of a process with a number of its own.
struct ProcessIds(u32, CountingIds);

impl IdSource for ProcessIds {
    fn random(&self) -> u64 {
        self.1.random() ^ (u64::from(self.0) << 40)
    }

    fn process_id(&self) -> u32 {
        self.0
    }
}

/// The machine: folders, time, processes. They share no memory.
struct Machine {
    world: TempWorld,
    clock: VirtualClock,
    waiter: Arc<VirtualWaiter>,
    processes: Arc<FakeProcesses>,
}

/// A session in a process of its own.
struct Session {
    host: FakeHost,
    store: Arc<FaultyExchange>,
}

impl Machine {
    fn new() -> Self {
        let world = TempWorld::new().unwrap();
        let file = world.agent_dir().join("extensions/pi-permission-system/config.json");
        world.put(&file, &WorldEntry::Text(json!({ "permission": { "*": "ask" } }).to_string())).unwrap();
        let clock = VirtualClock::default();
        let waiter = Arc::new(VirtualWaiter::new(&clock));
        Self { world, clock, waiter, processes: Arc::default() }
    }

    /// A session that has not started; it dies where it is planned.
    fn session(
        &self,
        id: &str,
        process: u32,
        answers: Option<&[ScriptedAnswer]>,
        death: Option<(usize, PlannedFault)>,
    ) -> Session {
        let processes = Arc::clone(&self.processes);
        let store = Arc::new(FaultyExchange::new().aborting_by(move || processes.kill(process)));
        if let Some((operation, fault)) = death {
            store.plan(operation, fault);
        }
        let forwarding = ForwardingHost {
            exchange: Arc::clone(&store) as _,
            waiter: Arc::clone(&self.waiter) as _,
            processes: Arc::clone(&self.processes) as _,
            subagents: Arc::new(SubagentRegistry::default()),
            nodes: Arc::default(),
        };
        let clock = self.clock.clone();
        let mut builder = FakeHost::in_world(&self.world).tools(vec!["demo".into()]).change_host(move |_, host| {
            host.forwarding = Some(forwarding);
            host.clock = Arc::new(clock);
            host.ids = Arc::new(ProcessIds(process, CountingIds::default()));
            host.options.waiting_time_ms = 30_000;
        });
        builder = match answers {
            Some(answers) => builder.ui(answers.to_vec()),
            None => builder.variable("PI_AGENT_ROUTER_PARENT_SESSION_ID", "parent"),
        };
        let host = builder.build();
        host.context.set_session_id(Some(id));
        Session { host, store }
    }

    /// A parent that serves whenever anybody waits, for as long as it lives.
    fn parent(&self, process: u32, answers: &[ScriptedAnswer], death: Option<(usize, PlannedFault)>) -> Arc<Session> {
        let parent = Arc::new(self.session("parent", process, Some(answers), death));
        parent.start();
        let serving = Arc::clone(&parent);
        self.waiter.on_turn(move || serving.act(|host| host.system.serve_forwarded()));
        parent
    }

    fn child(&self, process: u32, death: Option<(usize, PlannedFault)>) -> Session {
        let child = self.session(&format!("child-{process}"), process, None, death);
        child.start();
        child
    }

    /// What lies in the parent's inbox but for its sign of life.
    fn left(&self) -> Vec<PathBuf> {
        let inbox = self.world.agent_dir().join("sessions/permission-forwarding/sessions/parent");
        let list = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut found: Vec<PathBuf> = ["requests", "responses"].into_iter().flat_map(|name| list(inbox.join(name))).collect();
        let own = ["requests", "responses", "heartbeat.json"].map(|name| inbox.join(name));
        found.extend(list(inbox).filter(|path| !own.contains(path)));
        found
    }
}

impl Session {
    fn start(&self) {
        self.act(|host| {
            host.session_start("startup");
            host.system.beat();
        });
    }

    /// A process that is gone does nothing.
    fn act(&self, what: impl FnOnce(&FakeHost)) {
        if !self.store.has_crashed() {
            what(&self.host);
        }
    }

    fn ask(&self) -> ToolCallAnswer {
        self.host.tool_call("demo", json!({}), "tc-1")
    }

    fn dialogs(&self) -> usize {
        self.host.journal.dialogs().len()
    }

    fn decision(&self) -> Value {
        self.host.journal.decisions().last().cloned().unwrap_or_default()
    }

    fn granted(&self) -> Vec<String> {
        self.host.system.session_rules().iter().map(|rule| format!("{} {}", rule.surface, rule.pattern)).collect()
    }
}

/// A child lives and has its answer: a person's, or nobody's.
fn judge(child: &Session, answer: &ToolCallAnswer, person_says_yes: bool, shown: usize, context: &str) {
    let event = child.decision();
    let by_user = event["decidedBy"]["kind"] == "user";
    assert_eq!(by_user, event["resolution"] != "confirmation_unavailable", "{context}: {event}");
    assert!(!by_user || shown == 1, "{context}: {event}");
    assert_eq!(*answer == ToolCallAnswer::Allow, by_user && person_says_yes, "{context}: {event}");
    assert!(by_user || event["decidedBy"]["cause"].is_string(), "{context}: {event}");
    assert_eq!(child.granted(), Vec::<String>::new(), "{context}");
}

/// The next child of the next parent has its answer, and what the dead left is swept.
fn goes_on(machine: &Machine, parent: &Session, context: &str) {
    let before = parent.dialogs();
    let next = machine.child(NEXT_CHILD, None);
    assert_eq!(next.ask(), ToolCallAnswer::Allow, "{context}: {}", next.decision());
    assert_eq!(next.decision()["decidedBy"]["kind"], "user", "{context}");
    assert_eq!(parent.dialogs(), before + 1, "{context}");
    for _ in 0..6 {
        machine.waiter.wait_ms(11_000);
    }
    assert_eq!(machine.left(), Vec::<PathBuf>::new(), "{context}");
    parent.act(FakeHost::session_shutdown);
    let sessions = machine.world.agent_dir().join("sessions/permission-forwarding/sessions");
    assert_eq!(fs::read_dir(sessions).unwrap().count(), 0, "{context}");
}

const WIDE: [ScriptedAnswer; 2] = [APPROVE_FOR_SESSION, ScriptedAnswer::Choose(Choice::WholeSession)];

#[rstest]
#[case::yes(&[APPROVE], true)]
#[case::no(&[DENY], false)]
#[case::for_the_whole_session(&WIDE, true)]
fn fwd_d09_a_parent_dies_at_any_operation(#[case] answers: &[ScriptedAnswer], #[case] yes: bool) {
    let (mut deaths, mut answered) = (0, 0);
    for death in DEATHS {
        for operation in 0.. {
            let machine = Machine::new();
            let parent = machine.parent(PARENT, answers, Some((operation, death)));
            let child = machine.child(CHILD, None);
            let answer = child.ask();
            let context = format!("{death:?} at {operation}: {:?}", parent.store.operations().last());
            // Two questions of one dialog are one.
            let shown = parent.dialogs().min(1);
            judge(&child, &answer, yes, shown, &context);
            answered += usize::from(child.decision()["decidedBy"]["kind"] == "user");
            let died = parent.store.has_crashed();
            if !died {
                break;
            }
            deaths += 1;
            let next = machine.parent(NEXT_PARENT, &[APPROVE, APPROVE], None);
            goes_on(&machine, &next, &context);
        }
    }
    println!("{deaths} deaths of a parent, {answered} answers that were given before or without one");
    assert!(deaths > 30 && answered >= DEATHS.len(), "{deaths} deaths, {answered} answers");
}

#[test]
fn fwd_d09_a_child_dies_at_any_operation() {
    let mut deaths = 0;
    for death in DEATHS {
        for operation in 0.. {
            let machine = Machine::new();
            let parent = machine.parent(PARENT, &[APPROVE, APPROVE], None);
            let child = machine.child(CHILD, Some((operation, death)));
            let answer = child.ask();
            let context = format!("{death:?} at {operation}: {:?}", child.store.operations().last());
            assert!(parent.dialogs() <= 1, "{context}");
            if !child.store.has_crashed() {
                judge(&child, &answer, true, parent.dialogs(), &context);
                assert_eq!(answer, ToolCallAnswer::Allow, "{context}");
                break;
            }
            deaths += 1;
            // It goes on for somebody else: a dead child's question may still be shown, once.
            machine.waiter.wait_ms(250);
            assert!(parent.dialogs() <= 1, "{context}");
            goes_on_with(&machine, &parent, &context);
        }
    }
    println!("{deaths} deaths of a child");
    assert!(deaths > 30, "{deaths} deaths");
}

/// The person has answers for the dead and for the living.
fn goes_on_with(machine: &Machine, parent: &Session, context: &str) {
    parent.host.set_ui(Some(vec![APPROVE]));
    goes_on(machine, parent, context);
}
