//! A child process as an implementation: the runner's side of docs/protocol.md.
//!
//! Whatever the child does (crash, hang, garbage, silence, too much), it is contained, named in words, and its process group is gone
//! before the next one starts. This room decides when a child has broken the protocol; it knows nothing of what it should answer.

mod check;
mod child;
mod fault;
mod processes;

use std::path::Path;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Factory, Hello, Implementation, Observation, Refusal, StepRequest, World};
use crate::protocol::{Answer, Call, Done, HelloResult, MAX_LINE, Reply, Request, VERSION};
use crate::run::INTERRUPTED;
use child::{Child, Event};
use fault::excerpt;

pub use check::{Finding, FindingVerdict, check};
pub use child::end_all;
pub use processes::adopt_orphans;

/// How long a child may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From its start to the answer to `hello`.
    pub start: Duration,
    /// For one request.
    pub step: Duration,
    /// From `begin` to the answer to `end`.
    pub scenario: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { start: Duration::from_secs(30), step: Duration::from_secs(10), scenario: Duration::from_secs(60) }
    }
}

/// Starts children of one command line.
#[derive(Debug, Clone)]
pub struct External {
    words: Vec<String>,
    limits: Limits,
}

impl External {
    /// Reads a command line as a POSIX shell splits it; no shell runs. `None` when it names no program that could be meant.
    pub fn parse(command: &str, limits: Limits) -> Option<Self> {
        let words = shlex::split(command)?;
        let program = words.first()?;
        let meant = words.len() > 1 || program.contains('/') || is_on_path(program);
        meant.then_some(Self { words, limits })
    }

    /// Starts a child and greets it.
    pub fn open(&self) -> Result<ExternalGate, String> {
        let child = Child::spawn(&self.words).map_err(|error| format!("`{}`: {error}", self.words.join(" ")))?;
        let mut gate = ExternalGate {
            child,
            limits: self.limits,
            ids: 0,
            scenario_ends: None,
            broken: false,
            hello: None,
            belated: None,
            between: false,
            at_work: Duration::ZERO,
        };
        let greeting = Call::Hello { protocol: VERSION, runner: format!("portcullis {}", env!("CARGO_PKG_VERSION")) };
        let answer: Result<HelloResult, Refusal> = gate.ask(greeting);
        let refused = match answer {
            Ok(hello) if hello.protocol == VERSION => {
                gate.hello = Some(hello.into());
                return Ok(gate);
            }
            Ok(hello) => format!("it speaks protocol {}, and not {VERSION}", hello.protocol),
            Err(Refusal::Error(message) | Refusal::Skip(message)) => message,
        };
        let mut text = format!("`{}`: {refused}", self.words.join(" "));
        if let Some(remarks) = gate.remarks() {
            text.push_str("\nits standard error:\n");
            text.push_str(&remarks);
        }
        Err(text)
    }
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    !program.is_empty() && std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}

impl Factory for External {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        Ok(Box::new(self.open()?))
    }
}

/// One child that has said hello.
#[derive(Debug)]
pub struct ExternalGate {
    child: Child,
    limits: Limits,
    ids: u64,
    scenario_ends: Option<Instant>,
    broken: bool,
    hello: Option<Hello>,
    /// What it said when nothing was asked, after a world had ended.
    belated: Option<String>,
    /// Whether a world has ended and none has begun since.
    between: bool,
    /// How long all its answers took.
    at_work: Duration,
}

impl ExternalGate {
    /// Sends a request and reads the answer to it, and nothing else. Any fault ends the child.
    fn ask<T: DeserializeOwned>(&mut self, call: Call) -> Result<T, Refusal> {
        if self.broken {
            return Err(Refusal::Error("the implementation is not running".into()));
        }
        self.ids += 1;
        let may_skip = matches!(call, Call::Begin { .. } | Call::Step { .. });
        let request = Request { id: self.ids, call };
        // The words for a request are only made for a fault.
        let what = || described(&request.call);
        let fault = match self.exchange(&request) {
            Ok(Reply::Result(value)) => match serde_json::from_value(value) {
                Ok(result) => return Ok(result),
                Err(error) => format!("answered {} with a `result` of the wrong shape: {error}", what()),
            },
            Ok(Reply::Skip(reason)) if may_skip => return Err(Refusal::Skip(reason)),
            Ok(Reply::Skip(reason)) => format!("answered {} with `skip`, which is not allowed there: {reason}", what()),
            Ok(Reply::Error(message)) => format!("answered {} with an error: {message}", what()),
            Err(fault) => format!("was asked {} and {fault}", what()),
        };
        self.broken = true;
        self.child.kill();
        Err(Refusal::Error(format!("the implementation {fault}")))
    }

    /// The same for a request whose answer may be of any kind; a fault is returned, and an answer ends nothing.
    fn raw(&mut self, call: Call) -> Result<Reply, String> {
        self.ids += 1;
        self.exchange(&Request { id: self.ids, call })
    }

    fn exchange(&mut self, request: &Request) -> Result<Reply, String> {
        let line = serde_json::to_string(request).map_err(|error| format!("the request could not be written: {error}"))?;
        if let Some(event) = self.child.waiting() {
            let is_stray = event.is_stray();
            let fault = self.early(event, request.id);
            self.note_belated(is_stray, &fault);
            return Err(fault);
        }
        let now = Instant::now();
        let limit = if request.id == 1 { self.limits.start } else { self.limits.step };
        let step_ends = now + limit;
        let ends = self.scenario_ends.map_or(step_ends, |ends| ends.min(step_ends));
        self.child.write(line);
        match self.next(ends) {
            Next::Event(event, took) => {
                self.at_work += took;
                let is_stray = event.is_stray();
                self.answer(event, request.id).inspect_err(|fault| self.note_belated(is_stray, fault))
            }
            Next::Late if ends < step_ends => {
                Err(format!("the scenario took longer than {}{}", seconds(self.limits.scenario), self.misled()))
            }
            Next::Late => Err(format!("gave no answer within {}{}", seconds(limit), self.misled())),
            Next::Interrupted => Err("the run was interrupted".into()),
        }
    }

    /// What is said between two worlds belongs to the one that ended.
    fn note_belated(&mut self, is_stray: bool, fault: &str) {
        if self.between && is_stray {
            self.belated = Some(fault.to_owned());
        }
    }

    /// Waits in slices, so that an interrupted run does not wait for a child that hangs.
    fn next(&self, ends: Instant) -> Next {
        const SLICE: Duration = Duration::from_millis(50);
        loop {
            let left = ends.saturating_duration_since(Instant::now());
            if let Some((event, took)) = self.child.wait(left.min(SLICE)) {
                return Next::Event(event, took);
            }
            if left.is_zero() {
                return Next::Late;
            }
            if INTERRUPTED.load(std::sync::atomic::Ordering::Relaxed) {
                return Next::Interrupted;
            }
        }
    }

    fn answer(&mut self, event: Event, id: u64) -> Result<Reply, String> {
        let line = match event {
            Event::Line(line) => line,
            other => return Err(self.silent(other)),
        };
        let answer = Answer::parse(&line)
            .map_err(|fault| format!("wrote a line to its standard output that {fault}: {}", excerpt(&line)))?;
        if answer.id == id {
            return Ok(answer.reply);
        }
        Err(misaddressed(answer.id, id))
    }

    /// What stood in the pipe before anything was asked.
    fn early(&mut self, event: Event, id: u64) -> String {
        match event {
            Event::Line(line) => match Answer::parse(&line) {
                Ok(answer) => format!("had already {}", misaddressed(answer.id, id)),
                Err(fault) => format!("had already written a line that {fault}: {}", excerpt(&line)),
            },
            other => self.silent(other),
        }
    }

    fn silent(&mut self, event: Event) -> String {
        match event {
            Event::Line(_) => String::new(),
            Event::Huge => format!("wrote a line of more than {} MiB", MAX_LINE / 1024 / 1024),
            Event::NotUtf8 => "wrote a line that is no UTF-8".into(),
            Event::Closed => self.child.end_in_words(),
            Event::Deaf(error) => format!("does not read its standard input any more ({error})"),
        }
    }

    /// A frequent mistake that deserves its own words.
    fn misled(&self) -> &'static str {
        let looks_like_answer = |line: &str| Answer::parse(line).is_ok();
        if self.child.remarks().lines().any(looks_like_answer) {
            "; an answer stands on its standard error, where nobody reads it"
        } else {
            ""
        }
    }
}

enum Next {
    Event(Event, Duration),
    Late,
    Interrupted,
}

fn misaddressed(got: u64, id: u64) -> String {
    if got != 0 && got < id {
        format!("answered request {got} a second time; request {id} waits")
    } else {
        format!("answered request {got}, which nobody made; request {id} waits")
    }
}

fn described(call: &Call) -> String {
    let Call::Step { step } = call else { return format!("`{}`", call.method()) };
    let kind = serde_json::to_value(step).ok().and_then(|value| value.get("kind").and_then(Value::as_str).map(str::to_owned));
    format!("`step` ({})", kind.unwrap_or_default())
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

impl Implementation for ExternalGate {
    fn hello(&self) -> Hello {
        let nobody = || Hello {
            name: String::new(),
            version: String::new(),
            language: String::new(),
            homepage: None,
            issues: None,
            capabilities: Vec::new(),
            levels: Vec::new(),
        };
        self.hello.clone().unwrap_or_else(nobody)
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        self.child.forget_remarks();
        self.scenario_ends = Some(Instant::now() + self.limits.scenario);
        let begun = self.ask::<Done>(Call::Begin { world: world.clone() }).map(|Done {}| ());
        self.between = false;
        begun
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        self.ask(Call::Step { step: request.clone() })
    }

    fn end(&mut self) {
        // Whoever wants to know how it went calls `finish`.
        let _ = self.finish();
    }

    fn finish(&mut self) -> Result<(), Refusal> {
        let ended = self.ask::<Done>(Call::End).map(|Done {}| ());
        self.scenario_ends = None;
        self.between = true;
        ended
    }

    fn belated(&mut self) -> Option<String> {
        if let (true, false, Some(event)) = (self.between, self.broken, self.child.waiting()) {
            self.belated = Some(self.early(event, self.ids + 1));
            self.broken = true;
            self.child.kill();
        }
        self.belated.take().map(|fault| format!("after the end of this scenario the implementation {fault}"))
    }

    fn leave(&mut self) -> Option<String> {
        let said = self.belated();
        if said.is_none() {
            self.say_goodbye();
        }
        said.or_else(|| self.belated())
    }

    fn at_work(&self) -> Option<Duration> {
        Some(self.at_work)
    }

    fn remarks(&mut self) -> Option<String> {
        Some(self.child.remarks()).filter(|text| !text.trim().is_empty())
    }
}

impl ExternalGate {
    /// Once; whoever is gone is not asked again.
    fn say_goodbye(&mut self) {
        const GRACE: Duration = Duration::from_secs(2);
        self.limits.step = self.limits.step.min(GRACE);
        if !self.broken && self.hello.is_some() {
            self.child.take_leave();
            if self.ask::<Done>(Call::Bye).is_ok() {
                self.child.let_go(GRACE);
            }
        }
        self.broken = true;
        self.child.kill();
    }
}

impl Drop for ExternalGate {
    fn drop(&mut self) {
        self.say_goodbye();
    }
}
