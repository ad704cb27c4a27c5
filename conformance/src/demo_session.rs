//! A tiny host: one session as one process, so that people and tests can watch sessions ask each other (docs/forwarding.md).
//!
//! A session with a person serves its inbox until it is ended: one thread looks into it four times a second, another one says
//! each second that the session lives, because a look waits for the person. A session that names a parent has no person: it
//! asks for each of its commands, and ends. Nothing is run; only the gate is asked.
//!
//! This room decides nothing about permissions: it is a host, and everything it hands to the gate is the real system. What
//! happens goes to a [`Teller`] as JSON values; printing is the command line's business.

mod host;
mod person;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portcullis_core::composition::{PermissionSystem, ToolCallAnswer};
use portcullis_core::host::{ExchangeStore, HostContext};
use serde_json::{Value, json};

pub use person::{Answer, Answers, Lines, Person};

/// How often a serving session looks into its inbox.
pub const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// How often it says that it lives.
pub const BEAT_INTERVAL: Duration = Duration::from_secs(1);

/// How long the end of a session waits for its threads; a person at a terminal may never answer.
const GRACE: Duration = Duration::from_secs(2);

/// Hears what happens, one value an event, from any thread.
pub type Teller = Arc<dyn Fn(&Value) + Send + Sync>;

/// What kind of session it is.
pub enum Role {
    /// It has a person and answers others.
    Parent(Person),
    /// It has none and asks another session about these commands, one after another.
    Child {
        /// The session that is asked.
        parent: String,
        /// The commands of its shell calls.
        commands: Vec<String>,
    },
}

/// One session.
pub struct DemoSession {
    /// Its id.
    pub session: String,
    /// The agent directory, absolute: configuration, logs and the folders of the exchange.
    pub agent_dir: PathBuf,
    /// The session's working directory, absolute.
    pub project: PathBuf,
    /// Whether the project's own configuration counts.
    pub trusted: bool,
    /// How long an ask waits for its answer.
    pub waiting_time: Duration,
    /// The folders that the sessions share.
    pub exchange: Arc<dyn ExchangeStore>,
    /// What it does.
    pub role: Role,
}

/// How a session went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many commands went to the gate.
    pub asked: usize,
    /// How many of them may run.
    pub allowed: usize,
    /// Whether it was ended before it was done.
    pub ended_early: bool,
}

/// What ends a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A child has no more commands.
    Done,
    /// Somebody wants it to end.
    Wanted,
}

/// Runs the session until its commands are through, or until its end is wanted: the channel is the session's own, and whoever
/// may end it has a clone of the sender.
pub fn run(session: DemoSession, tell: &Teller, (ends, end): (Sender<End>, Receiver<End>)) -> Tally {
    let (host, context, decisions) = host::host(&session, tell);
    let gate = Gate { system: PermissionSystem::new(host), context, decisions, tell: Arc::clone(tell) };
    let gate = Arc::new(gate);
    gate.system.handle_session_start(&json!({ "reason": "startup" }), Some(&gate.context));
    let stopping = Arc::new(AtomicBool::new(false));
    let tally: Arc<Mutex<Tally>> = Arc::default();
    let (word, threads) = match session.role {
        Role::Parent(_) => {
            // Before anybody is told that it is there, it has to be there.
            gate.system.beat();
            let look = every(LOOK_INTERVAL, &gate, &stopping, |gate| gate.system.serve_forwarded());
            let beat = every(BEAT_INTERVAL, &gate, &stopping, |gate| gate.system.beat());
            ("serving", vec![look, beat])
        }
        Role::Child { commands, .. } => {
            let ends = ends.clone();
            let (gate, stopping, tally) = (Arc::clone(&gate), Arc::clone(&stopping), Arc::clone(&tally));
            let asking = thread::spawn(move || {
                for (index, command) in commands.iter().enumerate() {
                    if stopping.load(Ordering::Acquire) {
                        break;
                    }
                    let allowed = gate.ask(index + 1, command);
                    let mut tally = lock(&tally);
                    tally.asked += 1;
                    tally.allowed += usize::from(allowed);
                }
                // Whoever listened has ended already.
                let _ = ends.send(End::Done);
            });
            ("asking", vec![asking])
        }
    };
    tell(&json!({ "event": "ready", "session": session.session, "pid": std::process::id(), "does": word }));
    // A sender is held here, so there is a word at some time.
    let ended_early = end.recv() == Ok(End::Wanted);
    drop(ends);
    stopping.store(true, Ordering::Release);
    gate.system.handle_session_shutdown(&json!({ "reason": "exit" }), Some(&gate.context));
    let deadline = Instant::now() + GRACE;
    for thread in threads {
        thread.thread().unpark();
        while !thread.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
    }
    let counted = *lock(&tally);
    Tally { ended_early, ..counted }
}

/// Does the work now and then, until the session ends.
fn every(
    interval: Duration,
    gate: &Arc<Gate>,
    stopping: &Arc<AtomicBool>,
    work: impl Fn(&Gate) + Send + 'static,
) -> thread::JoinHandle<()> {
    let (gate, stopping) = (Arc::clone(gate), Arc::clone(stopping));
    thread::spawn(move || {
        while !stopping.load(Ordering::Acquire) {
            work(&gate);
            thread::park_timeout(interval);
        }
    })
}

/// The gate of the session, and what it said last.
struct Gate {
    system: PermissionSystem,
    context: Arc<dyn HostContext>,
    decisions: Arc<Mutex<Vec<Value>>>,
    tell: Teller,
}

impl Gate {
    /// Asks about one command, and tells how it went.
    fn ask(&self, number: usize, command: &str) -> bool {
        lock(&self.decisions).clear();
        let event = json!({ "toolName": "bash", "toolCallId": format!("call-{number}"), "input": { "command": command } });
        let begun = Instant::now();
        let answer = self.system.handle_tool_call(&event, Some(&self.context));
        let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let decision = lock(&self.decisions).last().cloned().unwrap_or_default();
        let member = |name: &str| decision.get(name).cloned().unwrap_or_default();
        let (outcome, reason) = match answer {
            ToolCallAnswer::Allow => ("allow", None),
            ToolCallAnswer::Block { reason } => ("block", Some(reason)),
        };
        (self.tell)(&json!({
            "event": "asked", "number": number, "command": command, "outcome": outcome, "resolution": member("resolution"),
            "decidedBy": member("decidedBy"), "requestId": member("requestId"), "reason": reason, "milliseconds": milliseconds,
        }));
        outcome == "allow"
    }
}

fn lock<T: ?Sized>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
