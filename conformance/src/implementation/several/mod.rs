//! The reference in a world of several sessions: a gate each, one clock for all, and the folders between them.
//!
//! Every session lives in threads of its own on the world's [`Timeline`]; what happens in a step is run there too, so that a process can
//! be killed in the midst of it. Between two steps nobody has the word and time stands still.

mod exchange;
mod node;
mod process;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_core::composition::Host;
use portcullis_core::host::{Clock as _, Waiter as _};
use portcullis_test_fixtures::{FakeProcesses, Timeline};

use super::exchange_files;
use super::files::Files;
use super::observation::Observation;
use super::world::{PersonAnswers, StepRequest, World, WorldMeanwhile, WorldSession};
use super::{Refusal, in_process};
use exchange::WatchedExchange;
use node::Node;
use process::Process;

/// When a world begins.
const START_MS: u64 = 1_700_000_000_000;
/// The number of the first process; each further one is one higher.
const FIRST_PROCESS: u32 = 4242;
/// The group of those who are no session.
const WORLD: &str = "the world";

/// A change of the collaborators of each gate: one that is wrong on purpose is made by it.
pub(super) type HostChange = Arc<dyn Fn(&mut Host) + Send + Sync>;

/// A world of several sessions.
pub(super) struct Several {
    shared: Arc<Shared>,
}

/// What the threads of a world share.
pub(super) struct Shared {
    home: PathBuf,
    files: Files,
    timeline: Timeline,
    exchange: Arc<WatchedExchange>,
    processes: Arc<FakeProcesses>,
    counter: Arc<AtomicU64>,
    change: HostChange,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    specs: Vec<WorldSession>,
    nodes: BTreeMap<String, Arc<Node>>,
    /// By their names in the scenario.
    running: BTreeMap<String, Process>,
    next_process: u32,
    /// What calls gave that ended in the midst of another step.
    ended: Vec<(String, Result<Observation, Refusal>)>,
}

impl Several {
    /// Sessions as the world says; none has started.
    pub(super) fn begin(world: &World, files: Files, change: HostChange) -> Self {
        let state = State { specs: world.sessions.clone(), next_process: FIRST_PROCESS, ..State::default() };
        let shared = Shared {
            home: PathBuf::from(&world.real_home),
            timeline: Timeline::starting_at(START_MS),
            exchange: Arc::new(WatchedExchange::new(Arc::clone(&files.exchange))),
            files,
            processes: Arc::new(FakeProcesses::default()),
            counter: Arc::default(),
            change,
            state: Mutex::new(state),
        };
        Self { shared: Arc::new(shared) }
    }

    /// One step, and what could be seen in all sessions until it was over.
    pub(super) fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        let StepRequest::In { session, step, answers, meanwhile } = request else {
            return Err(Refusal::Error("a step that says not in which session it happens".into()));
        };
        let shared = &self.shared;
        let began = shared.timeline.now_ms();
        for one in meanwhile {
            let (shared, one) = (Arc::clone(shared), one.clone());
            self.shared.timeline.spawn(WORLD, move || shared.meanwhile(&one));
        }
        let kept = answers.as_ref().map(|answers| (answers.session.clone(), shared.give_answers(answers)));
        let seen = shared.run(session.as_deref(), step);
        if let Some((session, Some(kept))) = kept
            && let Some(node) = shared.node(&session)
        {
            node.host.ui.answer_with(kept);
        }
        let mut seen = shared.look(session.as_deref(), seen?)?;
        seen.now = Some(shared.timeline.now_ms());
        seen.took = Some(shared.timeline.now_ms() - began);
        Ok(seen)
    }
}

impl Drop for Several {
    fn drop(&mut self) {
        self.shared.timeline.end();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn node(&self, session: &str) -> Option<Arc<Node>> {
        self.lock().nodes.get(session).cloned()
    }

    /// Gives a person other answers; those that are left over go back after the step.
    fn give_answers(&self, answers: &PersonAnswers) -> Option<Vec<portcullis_test_fixtures::ScriptedAnswer>> {
        Some(self.node(&answers.session)?.host.ui.answer_with(in_process::script(&answers.answers)))
    }

    /// The outer step: a call runs in its session's own thread, everything else at once.
    fn run(self: &Arc<Self>, session: Option<&str>, step: &StepRequest) -> Result<Observation, Refusal> {
        match step {
            StepRequest::Clock { milliseconds } => {
                self.timeline.wait_ms(*milliseconds);
                Ok(Observation::default())
            }
            _ => {
                let group = session.map_or_else(|| WORLD.to_owned(), |session| self.group(session));
                let (shared, session, step) = (Arc::clone(self), session.map(str::to_owned), step.clone());
                // A process that was killed in the midst of it says nothing any more.
                let seen = self.timeline.run(&group, move || shared.act(session.as_deref(), &step));
                seen.unwrap_or_else(|| Ok(Observation::default()))
            }
        }
    }

    /// The threads of a process are stopped together.
    fn group(&self, session: &str) -> String {
        let process = self.lock().specs.iter().find(|spec| spec.name == session).map(|spec| spec.process.clone());
        let number = process.as_ref().and_then(|process| self.lock().running.get(process).map(|process| process.number));
        format!("process {} {}", process.unwrap_or_default(), number.unwrap_or_default())
    }

    fn meanwhile(self: &Arc<Self>, one: &WorldMeanwhile) {
        self.timeline.wait_ms(one.after);
        let (Some(session), StepRequest::ToolCall { .. } | StepRequest::Input { .. } | StepRequest::Serve) =
            (&one.session, &one.step)
        else {
            if let Err(refusal) = self.act(one.session.as_deref(), &one.step) {
                self.lock().ended.push((one.session.clone().unwrap_or_default(), Err(refusal)));
            }
            return;
        };
        let (shared, session, step) = (Arc::clone(self), session.clone(), one.step.clone());
        self.timeline.spawn(&self.group(&session), move || {
            let seen = shared.act(Some(&session), &step);
            shared.lock().ended.push((session, seen));
        });
    }

    /// One thing happens, in the thread that calls.
    fn act(self: &Arc<Self>, session: Option<&str>, step: &StepRequest) -> Result<Observation, Refusal> {
        let nothing = Ok(Observation::default());
        match step {
            StepRequest::FilesChanged => return nothing,
            StepRequest::Stage { files } => {
                for file in files {
                    let put = exchange_files::put(file, self.files.tree.as_ref(), &self.home, self.timeline.now_ms());
                    put.map_err(|error| Refusal::Error(format!("{} could not be staged: {error}", file.path)))?;
                }
                return nothing;
            }
            StepRequest::ExchangeTrouble { troubles } => {
                self.exchange.trouble(troubles);
                return nothing;
            }
            _ => {}
        }
        let session = session.ok_or_else(|| Refusal::Error("such a step happens in a session".into()))?;
        if matches!(step, StepRequest::SessionStart { .. }) && self.node(session).is_none() {
            self.build(session)?;
        }
        let node = self.node(session).ok_or_else(|| Refusal::Error(format!("the session {session} does not run")))?;
        match step {
            StepRequest::Kill => {
                self.kill(session);
                nothing
            }
            StepRequest::SessionStart { .. } => {
                let seen = node.step(step);
                node.run_loops(self, &self.group(session));
                seen
            }
            _ => node.step(step),
        }
    }

    /// A process that does not run yet begins with its first session.
    fn build(&self, session: &str) -> Result<(), Refusal> {
        let mut state = self.lock();
        let spec = state.specs.iter().find(|spec| spec.name == session).cloned();
        let spec = spec.ok_or_else(|| Refusal::Error(format!("there is no session {session}")))?;
        if !state.running.contains_key(&spec.process) {
            let process = Process { number: state.next_process, ..Process::default() };
            state.next_process += 1;
            state.running.insert(spec.process.clone(), process);
        }
        let process = state.running.get(&spec.process).cloned().unwrap_or_default();
        let parent = spec.child_of.as_ref().and_then(|name| state.specs.iter().find(|known| known.name == *name)).cloned();
        let parent_node = parent.as_ref().and_then(|parent| state.nodes.get(&parent.name).cloned());
        drop(state);
        if let (Some(parent), Some(node)) = (parent.filter(|parent| parent.process == spec.process), parent_node) {
            node.announce_child(spec.id.as_deref(), parent.id.as_deref());
        }
        let node = Arc::new(Node::new(self, &spec, &process));
        self.lock().nodes.insert(session.to_owned(), node);
        Ok(())
    }

    /// All sessions of the process are gone at once, and nothing is tidied up.
    fn kill(&self, session: &str) {
        self.timeline.stop(&self.group(session));
        let mut state = self.lock();
        let Some(spec) = state.specs.iter().find(|spec| spec.name == session).cloned() else { return };
        if let Some(process) = state.running.remove(&spec.process) {
            self.processes.kill(process.number);
        }
        let gone: Vec<String> =
            state.specs.iter().filter(|known| known.process == spec.process).map(|known| known.name.clone()).collect();
        state.nodes.retain(|name, _| !gone.contains(name));
    }

    /// Puts together what could be seen everywhere.
    fn look(&self, session: Option<&str>, mut seen: Observation) -> Result<Observation, Refusal> {
        let (nodes, ended) = {
            let mut state = self.lock();
            (state.nodes.clone(), std::mem::take(&mut state.ended))
        };
        let mut others: BTreeMap<String, Observation> = BTreeMap::new();
        for (name, result) in ended {
            let result = result?;
            if !name.is_empty() && Some(name.as_str()) != session {
                others.insert(name, result);
            }
        }
        for (name, node) in &nodes {
            if Some(name.as_str()) == session {
                node.observe(&mut seen);
            } else {
                node.observe(others.entry(name.clone()).or_default());
            }
        }
        seen.sessions = others;
        seen.messages = self.exchange.take_messages();
        Ok(seen)
    }
}
