//! An agent directory, processes on it, and the counts.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long anything may take that should happen at once: the machine may be busy.
pub(crate) const SOON: Duration = Duration::from_secs(30);

/// Leftovers of processes that are gone are swept after ten seconds, by a look each ten seconds.
pub(crate) const SWEPT: Duration = Duration::from_secs(40);

/// Whether the long form is wanted.
pub(crate) fn long() -> bool {
    std::env::var_os("PORTCULLIS_LONG").is_some_and(|value| !value.is_empty())
}

/// An agent directory in which everything asks, and a project.
pub(crate) struct World {
    dir: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(world.project()).unwrap();
        let config = world.agent().join("extensions/pi-permission-system/config.json");
        fs::create_dir_all(config.parent().unwrap()).unwrap();
        fs::write(config, json!({ "permission": { "*": "ask" } }).to_string()).unwrap();
        world
    }

    pub(crate) fn agent(&self) -> PathBuf {
        self.dir.path().join("agent")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.dir.path().join("outside")
    }

    /// The folder of a serving session.
    pub(crate) fn inbox(&self, session: &str) -> PathBuf {
        self.sessions().join(session)
    }

    pub(crate) fn sessions(&self) -> PathBuf {
        self.agent().join("sessions/permission-forwarding/sessions")
    }

    /// A session that is about to start.
    pub(crate) fn session(&self, id: &str, further: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command.args(["demo-session", "--session", id, "--agent-dir"]).arg(self.agent());
        command.arg("--project").arg(self.project()).args(further);
        command
    }

    /// A parent `boss` that is ready.
    pub(crate) fn boss(&self, further: &[&str]) -> Running {
        Running::start(self.session("boss", further)).ready()
    }

    /// A child of `boss` that asks about this command so many times.
    pub(crate) fn child(&self, id: &str, command: &str, times: usize, further: &[&str]) -> Running {
        let times = times.to_string();
        let mut arguments = vec!["--parent", "boss", "--repeat", &times, command];
        arguments.extend(further);
        Running::start(self.session(id, &arguments))
    }

    /// Everything below the folder of sessions, sorted; heartbeats apart.
    pub(crate) fn left(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.sessions()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(path.clone());
                }
                if entry.file_name() != "heartbeat.json" {
                    found.push(path.strip_prefix(self.sessions()).unwrap().display().to_string());
                }
            }
        }
        found.sort();
        found
    }

    /// No request, response, temporary file or claim is left; what a living parent keeps, its folder, may be.
    pub(crate) fn is_clean(&self) -> bool {
        let dir = |name: &String| self.sessions().join(name).is_dir();
        self.left().iter().all(dir)
    }

    pub(crate) fn becomes_clean(&self) {
        let until = Instant::now() + SWEPT;
        while !self.is_clean() {
            assert!(Instant::now() < until, "left behind: {:?}", self.left());
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits for review lines of one event.
    /// Waits until this process has shown life in the inbox.
    pub(crate) fn beats(&self, session: &str, parent: &Running) {
        let until = Instant::now() + SOON;
        let file = self.inbox(session).join("heartbeat.json");
        let pid = || serde_json::from_slice::<Value>(&fs::read(&file).ok()?).ok()?["pid"].as_u64();
        while pid() != Some(u64::from(parent.pid())) {
            assert!(Instant::now() < until, "no sign of life of {}", parent.pid());
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn wait_for_log(&self, event: &str, times: usize) -> Vec<Value> {
        let until = Instant::now() + SOON;
        while self.log(event).len() < times {
            assert!(Instant::now() < until, "{times} {event}: {:?}", self.log(event));
            thread::sleep(Duration::from_millis(50));
        }
        self.log(event)
    }

    /// The review lines of one event, of all sessions.
    pub(crate) fn log(&self, event: &str) -> Vec<Value> {
        let folder = self.agent().join("extensions/pi-permission-system/logs");
        let path = folder.join("pi-permission-system-permission-review.jsonl");
        let text = fs::read_to_string(path).unwrap_or_default();
        // The last line may be under way.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter(|line| line["event"] == event).collect()
    }
}

/// A session under way. It is killed when the test is over.
pub(crate) struct Running {
    process: Child,
    lines: Arc<Mutex<Vec<Value>>>,
    reader: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        Self::of(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap())
    }

    /// A session whose person types this, and then nothing any more. What they read is thrown away.
    pub(crate) fn typing(mut command: Command, lines: &str) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        process.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        Self::of(process)
    }

    fn of(mut process: Child) -> Self {
        let lines: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (out, kept) = (BufReader::new(process.stdout.take().unwrap()), Arc::clone(&lines));
        let reader = thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let value = serde_json::from_str(&line).unwrap_or(Value::String(line));
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(value);
            }
        });
        Self { process, lines, reader: Some(reader) }
    }

    pub(crate) fn ready(self) -> Self {
        self.wait_for("ready", 1);
        self
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// The lines of one event that have arrived so far: all of them only once the process is over.
    pub(crate) fn said(&self, event: &str) -> Vec<Value> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().filter(|line| line["event"] == event).cloned().collect()
    }

    /// Waits until an event has happened so many times.
    pub(crate) fn wait_for(&self, event: &str, times: usize) -> Vec<Value> {
        let until = Instant::now() + SOON;
        loop {
            let said = self.said(event);
            if said.len() >= times {
                return said;
            }
            assert!(Instant::now() < until, "{} of {times} {event}: {:?}", said.len(), self.lines);
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.process.try_wait().unwrap().is_some()
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.over();
    }

    /// Ends it with a signal that it may answer, and waits.
    pub(crate) fn end(&mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.over()
    }

    /// Stops it where it is. While others end and begin, a child that is stopped cannot lose patience, however slow the machine.
    pub(crate) fn hold(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on.
    pub(crate) fn go_on(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.pid()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for its own end, and for its last line.
    pub(crate) fn over(&mut self) -> ExitStatus {
        let until = Instant::now() + SOON + SOON;
        let status = loop {
            match self.process.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() > until => panic!("the session never ends: {:?}", self.lines),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        status
    }

    /// The answers to its asks, once it is over.
    pub(crate) fn answers(&mut self) -> Vec<Value> {
        self.over();
        self.said("asked")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended long ago.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a test counted.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) processes: usize,
    pub(crate) asks: usize,
    pub(crate) kills: usize,
    pub(crate) faults: usize,
    outcomes: BTreeMap<String, usize>,
}

impl Counts {
    /// Counts answers by their resolution and, when nobody decided, the cause.
    pub(crate) fn add(&mut self, answers: &[Value]) {
        self.asks += answers.len();
        for answer in answers {
            let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let cause = word(&answer["decidedBy"]["cause"]);
            let resolution = word(&answer["resolution"]);
            let name = if cause.is_empty() { resolution } else { format!("{resolution} ({cause})") };
            *self.outcomes.entry(name).or_default() += 1;
        }
    }

    pub(crate) fn of(&self, outcome: &str) -> usize {
        self.outcomes.get(outcome).copied().unwrap_or_default()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processes, asks, kills, faults, outcomes } = self;
        write!(f, "{processes} processes, {asks} asks, {kills} kills, {faults} faults; outcomes: {outcomes:?}")
    }
}

/// Whether nobody decided, and the call was not made: the only end of an ask that went wrong (HARD-048).
pub(crate) fn assert_unavailable(answer: &Value) {
    assert_eq!((&answer["outcome"], &answer["resolution"]), (&json!("block"), &json!("confirmation_unavailable")), "{answer}");
    assert!(["nobody", "transport"].contains(&answer["decidedBy"]["kind"].as_str().unwrap_or_default()), "{answer}");
    assert!(answer["decidedBy"]["cause"].is_string(), "{answer}");
}

/// A person's yes or no; the yes only where the parent asked for it.
pub(crate) fn assert_answered(answer: &Value, outcome: &str, prompted: &[&str]) {
    let resolution = if outcome == "allow" { "user_approved" } else { "user_denied" };
    assert_eq!((&answer["outcome"], &answer["resolution"]), (&json!(outcome), &json!(resolution)), "{answer}");
    assert_eq!(answer["decidedBy"]["kind"], "user", "{answer}");
    assert!(prompted.contains(&answer["requestId"].as_str().unwrap()), "{answer}");
}

/// The ids about which a person was asked, in order; none twice.
pub(crate) fn prompted<'a>(prompts: &'a [Value]) -> Vec<&'a str> {
    let ids: Vec<&'a str> = prompts.iter().map(|prompt| prompt["requestId"].as_str().unwrap()).collect();
    let mut once = ids.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), ids.len(), "a person was asked twice: {ids:?}");
    ids
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
