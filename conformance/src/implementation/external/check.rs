//! Tests an adapter against the protocol itself, and says in words what is wrong. Whether the gate decides well is the suite's business;
//! this room only knows what a good conversation is.

use std::time::Duration;

use serde_json::{Value, json};

use super::{External, ExternalGate};
use crate::implementation::{
    AgentChange, Implementation, Observation, Refusal, Stage, StepRequest, UiChange, World, WorldAnswer,
};
use crate::load::load_all;
use crate::protocol::{Call, Reply};
use crate::scenario::words::{GATES, HARDENED_ORIGINS, HARDENED_RESOLUTIONS, ORIGINS, RESOLUTIONS, SOURCES};
use crate::scenario::{Capability, Scenario};
use crate::source::SourceFile;

/// One thing that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was tried.
    pub what: String,
    /// How it went.
    pub verdict: FindingVerdict,
}

/// How it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindingVerdict {
    /// As the protocol says.
    Good,
    /// The adapter says that it does not do this.
    Skipped(String),
    /// Not as the protocol says.
    Wrong(String),
}

const PROBES: &str = r#"
suite: probes
level: baseline
scenarios:
  - id: probe-allow
    title: a world in which everything is allowed
    covers: [RULE-006]
    given: { policy: { "*": allow }, files: { a.txt: "" } }
    steps: [{ read: a.txt, expect: { outcome: allow, by: { gate: tool } } }]
  - id: probe-deny
    title: a world in which everything is denied
    covers: [RULE-006]
    given: { policy: { "*": deny }, files: { a.txt: "" } }
    steps: [{ read: a.txt, expect: { outcome: block, by: { gate: tool } } }]
  - id: probe-sessions
    title: a world of two sessions
    covers: [FWD-010]
    given: { policy: { "*": ask }, sessions: { parent: { ui: { answers: [approve] } }, child: { child of: parent } } }
    steps: [{ read: a.txt, in: child, expect: { outcome: allow, by: { gate: tool } } }]
"#;

/// Tries everything. An error when the adapter cannot be started at all.
pub fn check(external: &External) -> Result<Vec<Finding>, String> {
    let scenarios = load_all(&[SourceFile::new("probes", PROBES)])
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let [allow, deny, sessions] = scenarios.as_slice() else { return Err("the probes are incomplete".into()) };
    let mut check = Check { external, gate: Some(external.open()?), found: Vec::new() };
    let first = check.gate.as_ref().map(Implementation::hello);
    check.found.push(Finding { what: "answers `hello`".into(), verdict: FindingVerdict::Good });
    check.worlds(allow, deny)?;
    for (name, request) in kinds() {
        check.kind(name, &request, allow)?;
    }
    if first.as_ref().is_some_and(|hello| hello.capabilities.contains(&Capability::Forwarding)) {
        check.sessions(sessions)?;
    }
    check.long(allow)?;
    check.order()?;
    check.ends()?;
    check.fresh(first.as_ref())?;
    Ok(check.found)
}

struct Check<'a> {
    external: &'a External,
    gate: Option<ExternalGate>,
    found: Vec<Finding>,
}

fn stage(scenario: &Scenario) -> Result<(Stage, World), String> {
    let stage = Stage::build(&scenario.given).map_err(|error| format!("the world could not be built: {error}"))?;
    let world = stage.world(scenario);
    Ok((stage, world))
}

fn verdict(result: Result<(), Refusal>) -> FindingVerdict {
    match result {
        Ok(()) => FindingVerdict::Good,
        Err(Refusal::Skip(reason)) => FindingVerdict::Skipped(reason),
        Err(Refusal::Error(message)) => FindingVerdict::Wrong(message),
    }
}

fn call(tool: &str, input: Value) -> StepRequest {
    let event = json!({ "type": "tool_call", "toolName": tool, "toolCallId": "call-1", "input": input });
    StepRequest::ToolCall { event, answers: None }
}

/// One request of each kind.
fn kinds() -> Vec<(&'static str, StepRequest)> {
    let change = |ui, agent| StepRequest::HostChange {
        ui,
        agent,
        tools: None,
        active_tools: None,
        trust: None,
        session_id: None,
        env: Vec::new(),
    };
    let answers = Some(vec![WorldAnswer::Approve]);
    vec![
        ("filesChanged", StepRequest::FilesChanged),
        ("toolCall", call("read", json!({ "path": "a.txt" }))),
        ("input", StepRequest::Input { text: json!("hello"), answers: None }),
        ("agentStart", StepRequest::AgentStart { system_prompt: "You are an agent.".into(), active_tools: None }),
        ("resourcesDiscover", StepRequest::ResourcesDiscover { reason: "reload".into() }),
        ("hostChange (ui)", change(Some(UiChange { answers }), None)),
        ("hostChange (agent)", change(None, Some(AgentChange { name: Some("reviewer".into()) }))),
        ("registerExtractor", StepRequest::RegisterExtractor { tool: "x".into(), field: "p".into(), fails: None }),
        ("query", StepRequest::Query { surface: "read".into(), value: None, agent: None }),
        ("toolPermission", StepRequest::ToolPermission { tool: "read".into(), agent: None }),
        ("restart", StepRequest::Restart),
        ("sessionShutdown", StepRequest::SessionShutdown),
    ]
}

impl Check<'_> {
    fn note(&mut self, what: impl Into<String>, verdict: FindingVerdict) {
        self.found.push(Finding { what: what.into(), verdict });
    }

    /// The one that runs, or a fresh one after a fault.
    fn gate(&mut self) -> Result<&mut ExternalGate, String> {
        if self.gate.as_ref().is_none_or(|gate| gate.broken) {
            self.gate = Some(self.external.open()?);
        }
        self.gate.as_mut().ok_or_else(|| "nothing runs".into())
    }

    /// A world with a session in which requests are made; how the last one was answered.
    fn in_world(&mut self, scenario: &Scenario, requests: &[StepRequest]) -> Result<Result<Observation, Refusal>, String> {
        let start = StepRequest::SessionStart { reason: "startup".into() };
        let all: Vec<StepRequest> = std::iter::once(&start).chain(requests).cloned().collect();
        self.in_world_of(scenario, &all)
    }

    /// The same without a session that has started.
    fn in_world_of(&mut self, scenario: &Scenario, requests: &[StepRequest]) -> Result<Result<Observation, Refusal>, String> {
        let (_stage, world) = stage(scenario)?;
        let gate = self.gate()?;
        let mut last = gate.begin(&world).map(|()| Observation::default());
        for request in requests {
            if last.is_ok() {
                last = gate.step(request);
            }
        }
        match (last, gate.finish()) {
            (Err(Refusal::Error(message)), _) | (_, Err(Refusal::Error(message))) => Ok(Err(Refusal::Error(message))),
            (last, _) => Ok(last),
        }
    }

    fn worlds(&mut self, allow: &Scenario, deny: &Scenario) -> Result<(), String> {
        let empty = self.in_world(allow, &[])?.map(|_| ());
        self.note("begins and ends a world", verdict(empty));
        let read = [call("read", json!({ "path": "a.txt" }))];
        let first = self.in_world(allow, &read)?;
        let second = self.in_world(deny, &read)?;
        let same = match (&first, &second) {
            (Ok(first), Ok(second)) => first.outcome.is_some() && first.outcome == second.outcome,
            _ => false,
        };
        let text = "a call is answered alike in a world that allows everything and in the next one, which denies everything: \
                    is the policy read from `agentDir`, and everything forgotten at `end`?";
        let verdict = if same { FindingVerdict::Wrong(text.into()) } else { verdict(first.and(second).map(|_| ())) };
        self.note("tells one world from the next", verdict);
        Ok(())
    }

    fn kind(&mut self, name: &str, request: &StepRequest, scenario: &Scenario) -> Result<(), String> {
        let answer = self.in_world(scenario, std::slice::from_ref(request))?;
        let verdict = match &answer {
            Ok(seen) => words(request, seen).map_or(FindingVerdict::Good, FindingVerdict::Wrong),
            Err(refusal) => verdict(Err(refusal.clone())),
        };
        self.note(format!("answers `step` of kind {name}"), verdict);
        Ok(())
    }

    /// A child asks, the person of its parent says yes, and each session's own view says so.
    fn sessions(&mut self, scenario: &Scenario) -> Result<(), String> {
        let inside = |session: &str, step: StepRequest| StepRequest::In {
            session: Some(session.into()),
            step: Box::new(step),
            answers: None,
            meanwhile: Vec::new(),
        };
        let start = || StepRequest::SessionStart { reason: "startup".into() };
        let ask = inside("child", call("read", json!({ "path": "a.txt" })));
        let requests = [inside("parent", start()), inside("child", start()), ask];
        let verdict = match self.in_world_of(scenario, &requests)? {
            Err(refusal) => verdict(Err(refusal)),
            Ok(seen) if seen.outcome.as_deref() != Some("allow") => FindingVerdict::Wrong(
                "a child asked, the person of its parent would have said yes, and the call was not allowed".into(),
            ),
            Ok(seen) if seen.sessions.get("parent").is_none_or(|parent| parent.prompts.len() != 1) => FindingVerdict::Wrong(
                "a child asked, and `sessions.parent.prompts` does not show the one question that was put".into(),
            ),
            Ok(_) => FindingVerdict::Good,
        };
        self.note("plays a world of two sessions", verdict);
        Ok(())
    }

    /// Long lines, and letters beyond ASCII.
    fn long(&mut self, scenario: &Scenario) -> Result<(), String> {
        let content = "a\u{2028}\"\\\u{1f600}é\n".repeat(30_000);
        let request = call("write", json!({ "path": "ü.txt", "content": content }));
        let answer = self.in_world(scenario, &[request])?.map(|_| ());
        self.note("reads a line of some hundred kilobytes with letters beyond ASCII", verdict(answer));
        Ok(())
    }

    /// A step outside a world.
    fn order(&mut self) -> Result<(), String> {
        let gate = self.gate()?;
        let step = StepRequest::SessionStart { reason: "startup".into() };
        let verdict = match gate.raw(Call::Step { step }) {
            Ok(Reply::Error(_)) => FindingVerdict::Good,
            Ok(_) => FindingVerdict::Wrong("a `step` outside a world was not answered with `error`".into()),
            Err(fault) => FindingVerdict::Wrong(format!("was asked a `step` outside a world and {fault}")),
        };
        self.gate = None;
        self.note("answers a request out of order with `error`", verdict);
        Ok(())
    }

    /// Both ways to go.
    fn ends(&mut self) -> Result<(), String> {
        const GRACE: Duration = Duration::from_secs(2);
        let gate = self.gate()?;
        let said = gate.raw(Call::Bye);
        let verdict = match (said, gate.child.ended_by_itself(GRACE)) {
            (Ok(Reply::Result(_)), Some(true)) => FindingVerdict::Good,
            (Ok(Reply::Result(_)), Some(false)) => FindingVerdict::Wrong("ended with an exit code other than 0".into()),
            (Ok(Reply::Result(_)), None) => FindingVerdict::Wrong("goes on for 2 s after `bye`".into()),
            (Ok(_), _) => FindingVerdict::Wrong("did not answer `bye` with a result".into()),
            (Err(fault), _) => FindingVerdict::Wrong(format!("was asked `bye` and {fault}")),
        };
        self.gate = None;
        self.note("ends after `bye`", verdict);
        let gate = self.gate()?;
        let verdict = match gate.child.let_go(GRACE) {
            Some(_) => FindingVerdict::Good,
            None => FindingVerdict::Wrong("goes on for 2 s after the end of its standard input".into()),
        };
        self.gate = None;
        self.note("ends when its standard input does", verdict);
        Ok(())
    }

    fn fresh(&mut self, first: Option<&crate::implementation::Hello>) -> Result<(), String> {
        let again = self.gate()?.hello();
        let verdict = if first == Some(&again) {
            FindingVerdict::Good
        } else {
            FindingVerdict::Wrong("a second process answered `hello` in another way than the first".into())
        };
        self.note("is the same when started again", verdict);
        Ok(())
    }
}

/// Words outside the closed lists, and what no answer to such a request may lack.
fn words(request: &StepRequest, seen: &Observation) -> Option<String> {
    let outcomes: &[&str] = match request {
        StepRequest::ToolCall { .. } => &["allow", "block"],
        StepRequest::Input { .. } => &["continue", "handled"],
        StepRequest::Query { .. } | StepRequest::ToolPermission { .. } => &["allow", "ask", "deny"],
        _ => &[],
    };
    match seen.outcome.as_deref() {
        None if !outcomes.is_empty() => return Some(format!("has no `outcome`; it is one of {}", outcomes.join(", "))),
        Some("error") => return Some(format!("the gate threw: {}", seen.reason.as_deref().unwrap_or("no reason is given"))),
        Some(outcome) if outcomes.is_empty() => return Some(format!("has an `outcome`, `{outcome}`, where nothing is decided")),
        Some(outcome) if !outcomes.contains(&outcome) => {
            return Some(format!("has the `outcome` `{outcome}`, which is none of {}", outcomes.join(", ")));
        }
        _ => {}
    }
    if matches!(request, StepRequest::ToolCall { .. }) && seen.by.as_ref().and_then(|by| by.gate.as_deref()).is_none() {
        return Some("has no `by.gate`: an outcome has to say what decided it".into());
    }
    let by = seen.by.as_ref()?;
    let outside = |member: &str, word: Option<&str>, lists: [&[&str]; 2]| {
        let word = word?;
        let known = lists.concat();
        (!known.contains(&word)).then(|| format!("has the `by.{member}` `{word}`, which is none of {}", known.join(", ")))
    };
    outside("gate", by.gate.as_deref(), [&GATES, &[]])
        .or_else(|| outside("origin", by.origin.as_deref(), [&ORIGINS, &HARDENED_ORIGINS]))
        .or_else(|| outside("source", by.source.as_deref(), [&SOURCES, &[]]))
        .or_else(|| outside("resolution", by.resolution.as_deref(), [&RESOLUTIONS, &HARDENED_RESOLUTIONS]))
}
