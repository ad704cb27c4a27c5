//! The reference, driven in this process through the fixtures that its own tests use.

use std::path::Path;
use std::sync::Arc;

use portcullis_core::composition::Host;
use portcullis_core::handlers::{InputAnswer, ToolCallAnswer};
use portcullis_core::host::{Choice, Platform, Trust};
use portcullis_core::policy::{Origin, PermissionState, Source};
use portcullis_core::report::{CallTrace, GateOutcomeTrace};
use portcullis_test_fixtures::{
    CheckAnswer, FakeHost, FakeHostBuilder, FakeResolver, Happening, MemoryFiles, ScriptedAnswer, WindowsFiles, checks_resolver,
};
use serde_json::Value;

use super::files::Files;
use super::observation::{Observation, ObservedBy, ObservedGrant, ObservedPrompt, ObservedTightening};
use super::scripted_link::ScriptedLink;
use super::several::Several;
use super::step_files::Steps;
use super::world::{StepRequest, World, WorldAnswer, WorldCheck};
use super::{Factory, Hello, Implementation, Refusal};
use crate::scenario::{Capability, Level};

/// Starts the reference.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reference;

impl Factory for Reference {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        Ok(Box::new(InProcess::default()))
    }
}

/// The reference in this process. Its worlds stand on disk or in its memory; a world's path says where.
pub struct InProcess {
    host: Option<FakeHost>,
    several: Option<Several>,
    steps: Steps,
    memory: Option<Arc<MemoryFiles>>,
    /// Those of the world.
    files: Files,
}

impl Default for InProcess {
    fn default() -> Self {
        Self {
            host: None,
            several: None,
            steps: Steps::default(),
            // Without a folder for temporary files there is no place for a world either way.
            memory: MemoryFiles::in_temporary_folder().ok().map(Arc::new),
            files: Files::on_disk(),
        }
    }
}

impl InProcess {
    fn find_files(&mut self, world: &World) {
        let memory = self.memory.as_ref().filter(|memory| memory.holds(&world.real_home));
        self.files = memory.map_or_else(Files::on_disk, Files::in_memory);
    }

    /// Writes a file into the world, as something that the gate does.
    pub(crate) fn write_file(&self, path: &str, text: &str) -> std::io::Result<()> {
        self.files.tree.write(Path::new(path), text.as_bytes())
    }

    /// Begins with other collaborators: a gate that is wrong on purpose is made by them.
    pub fn begin_with(&mut self, world: &World, change: impl Fn(&mut Host) + Send + Sync + 'static) -> Result<(), Refusal> {
        self.find_files(world);
        if !world.sessions.is_empty() {
            self.several = Some(Several::begin(world, self.files.clone(), Arc::new(change)));
            return Ok(());
        }
        self.steps.next();
        let steps = self.steps.clone();
        let on_disk = self.files.on_disk;
        let watched = host(world, &self.files).map_err(Refusal::Error)?.change_host(move |_, host| {
            if on_disk {
                steps.watch(host);
            }
        });
        let host = watched.change_host(move |_, host| change(host)).build();
        if let Some(names) = &world.active_tools {
            host.tools.activate(names);
        }
        for grant in &world.session_rules {
            host.system.record_session_rule(&grant.surface, &grant.pattern);
        }
        self.host = Some(host);
        Ok(())
    }

    /// Stores a grant behind the gate's back.
    pub fn record_grant(&self, surface: &str, pattern: &str) {
        if let Some(host) = &self.host {
            host.system.record_session_rule(surface, pattern);
        }
    }
}

impl Implementation for InProcess {
    fn hello(&self) -> Hello {
        Hello {
            name: "portcullis".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            language: "Rust".into(),
            homepage: None,
            issues: None,
            capabilities: Capability::ALL.to_vec(),
            levels: vec![Level::Baseline, Level::Hardened],
        }
    }

    fn memory(&self) -> Option<Arc<MemoryFiles>> {
        self.memory.clone()
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        self.begin_with(world, |_| {})
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        if let Some(several) = &mut self.several {
            return several.step(request);
        }
        self.steps.next();
        let host = self.host.as_mut().ok_or_else(|| Refusal::Error("a step before the world".into()))?;
        step(host, request)
    }

    fn end(&mut self) {
        self.host = None;
        self.several = None;
    }
}

fn host(world: &World, files: &Files) -> Result<FakeHostBuilder, String> {
    let (view, store) = (Arc::clone(&files.view), Arc::clone(&files.store));
    let mut builder = FakeHostBuilder::new(&world.cwd, &world.home).tools(world.tools.clone()).trust(trust(&world.trust));
    for (name, value) in &world.env {
        builder = builder.variable(name, value);
    }
    if let Some(answers) = &world.ui {
        builder = builder.ui(script(answers));
    }
    if let Some(agent) = &world.agent {
        builder = builder.agent(agent);
    }
    if world.platform == "windows" {
        let files = Arc::new(WindowsFiles::new(Path::new(&world.real_home), view, store));
        builder = builder.platform(Platform::Windows, Arc::clone(&files) as _, files);
    } else {
        builder = builder.files(view, store);
    }
    if !world.checks.is_empty() {
        builder = builder.resolver(checks(&world.checks)?);
    }
    Ok(builder)
}

/// Mocked answers are the fixtures' own resolver.
fn checks(checks: &[WorldCheck]) -> Result<Arc<FakeResolver>, String> {
    let of = |kind: &str| -> Result<Vec<(String, CheckAnswer)>, String> {
        checks.iter().filter(|check| check.on == kind).map(|check| Ok((check.key.clone(), check_answer(check)?))).collect()
    };
    checks_resolver(&of("surface")?, &of("path")?, &of("bash")?).map_err(|error| error.to_string())
}

fn check_answer(check: &WorldCheck) -> Result<CheckAnswer, String> {
    let unknown = |what: &str, word: &str| format!("there is no {what} `{word}`");
    let state = PermissionState::parse(&check.state).ok_or_else(|| unknown("state", &check.state))?;
    let mut answer = match &check.pattern {
        Some(pattern) => CheckAnswer::new(state).pattern(pattern),
        None => CheckAnswer::universal_default(state),
    };
    if let Some(word) = &check.origin {
        answer = answer.origin(Origin::parse(word).ok_or_else(|| unknown("origin", word))?);
    }
    if let Some(word) = &check.source {
        answer = answer.source(Source::parse(word).ok_or_else(|| unknown("source", word))?);
    }
    Ok(check.reason.iter().fold(answer, |answer, reason| answer.reason(reason)))
}

pub(super) fn trust(word: &str) -> Trust {
    match word {
        "trusted" => Trust::Trusted,
        "untrusted" => Trust::Untrusted,
        _ => Trust::Unknown,
    }
}

pub(super) fn script(answers: &[WorldAnswer]) -> Vec<ScriptedAnswer> {
    let answer = |answer: &WorldAnswer| match answer {
        WorldAnswer::ApproveForWholeSession => ScriptedAnswer::ForSession(Some(Choice::WholeSession)),
        WorldAnswer::ApproveForSessionThenDismiss => ScriptedAnswer::ForSession(None),
        WorldAnswer::Later { milliseconds, then } => {
            let then = script(std::slice::from_ref(then)).pop().unwrap_or(ScriptedAnswer::Dismiss);
            ScriptedAnswer::Later(*milliseconds, Box::new(then))
        }
        WorldAnswer::Approve => ScriptedAnswer::Choose(Choice::Approve),
        WorldAnswer::ApproveForSession => ScriptedAnswer::ForSession(Some(Choice::RequesterOnly)),
        WorldAnswer::ApproveBothDirections => ScriptedAnswer::Choose(Choice::ApproveForSessionBothDirections),
        WorldAnswer::Deny => ScriptedAnswer::Choose(Choice::Deny),
        WorldAnswer::DenyWithReason { reason } => ScriptedAnswer::DenyWithReason(reason.clone()),
        WorldAnswer::Dismiss => ScriptedAnswer::Dismiss,
        WorldAnswer::Fail { text } => ScriptedAnswer::Fail(text.clone()),
    };
    answers.iter().map(answer).collect()
}

fn step(host: &mut FakeHost, request: &StepRequest) -> Result<Observation, Refusal> {
    host.journal.take();
    host.take_traces();
    let mut seen = match request {
        StepRequest::Restart => {
            host.restart();
            Observation::default()
        }
        StepRequest::HostChange { env, .. } if !env.is_empty() => {
            return Err(Refusal::Skip("variables change in worlds of several sessions only".into()));
        }
        other => act(host, other)?,
    };
    observe(host, &mut seen);
    Ok(seen)
}

/// What happens, and what the handlers answer.
pub(super) fn act(host: &FakeHost, request: &StepRequest) -> Result<Observation, Refusal> {
    let mut seen = Observation::default();
    match request {
        StepRequest::ToolCall { event, answers } => {
            let answer = with_answers(host, answers.as_deref(), |host| host.raw_tool_call(event));
            (seen.outcome, seen.reason) = match answer {
                ToolCallAnswer::Allow => (Some("allow".into()), None),
                ToolCallAnswer::Block { reason } => (Some("block".into()), Some(reason)),
            };
        }
        StepRequest::Input { text, answers } => {
            let answer = with_answers(host, answers.as_deref(), |host| host.input(text));
            seen.outcome = Some(if answer == InputAnswer::Continue { "continue" } else { "handled" }.into());
        }
        StepRequest::AgentStart { system_prompt, active_tools } => {
            if let Some(names) = active_tools {
                host.tools.activate(names);
            }
            seen.system_prompt = host.before_agent_start(system_prompt);
        }
        StepRequest::SessionStart { reason } => host.session_start(reason),
        StepRequest::SessionShutdown => host.session_shutdown(),
        StepRequest::ResourcesDiscover { reason } => host.resources_discover(reason),
        StepRequest::FilesChanged => {}
        StepRequest::HostChange { ui, agent, tools, active_tools, trust: word, session_id, env: _ } => {
            if let Some(change) = ui {
                host.set_ui(change.answers.as_deref().map(script));
            }
            if let Some(change) = agent {
                host.context.append_agent(change.name.as_deref());
            }
            if let Some(entries) = tools {
                host.tools.register(entries.clone());
            }
            if let Some(names) = active_tools {
                host.tools.activate(names);
            }
            if let Some(word) = word {
                host.context.set_trust(trust(word));
            }
            if let Some(change) = session_id {
                host.context.set_session_id(change.id.as_deref());
            }
        }
        StepRequest::RegisterExtractor { tool, field, fails } => {
            host.register_extractor(tool, field, fails.as_deref()).map_err(Refusal::Error)?;
        }
        StepRequest::Query { surface, value, agent } => query(host, surface, value.as_deref(), agent.as_deref(), &mut seen),
        StepRequest::ToolPermission { tool, agent } => {
            match host.service().map(|service| service.get_tool_permission(tool, agent.as_deref())) {
                None => seen.reason = Some("there is no service".into()),
                Some(Err(error)) => (seen.outcome, seen.reason) = (Some("error".into()), Some(error.message)),
                Some(Ok(state)) => seen.outcome = Some(state.to_string()),
            }
        }
        StepRequest::RegisterLink { name, answers } => {
            let service = host.service().ok_or_else(|| Refusal::Error("there is no service".into()))?;
            // A name that is taken stays with who has it; nobody takes a link out again.
            let _registration = service.register_link(Arc::new(ScriptedLink::new(name, answers)));
        }
        StepRequest::Restart
        | StepRequest::In { .. }
        | StepRequest::Clock { .. }
        | StepRequest::Serve
        | StepRequest::Kill
        | StepRequest::Subagent { .. }
        | StepRequest::Stage { .. }
        | StepRequest::ExchangeTrouble { .. } => {
            return Err(Refusal::Skip("such a step has no meaning in this world".into()));
        }
    }
    Ok(seen)
}

/// Answers of one step stand before those of the scenario; what is left of them goes with the step.
fn with_answers<T>(host: &FakeHost, answers: Option<&[WorldAnswer]>, act: impl FnOnce(&FakeHost) -> T) -> T {
    let Some(answers) = answers else { return act(host) };
    let kept = host.ui.answer_with(script(answers));
    let result = act(host);
    host.ui.answer_with(kept);
    result
}

fn query(host: &FakeHost, surface: &str, value: Option<&str>, agent: Option<&str>, seen: &mut Observation) {
    match host.service().map(|service| service.check_permission(surface, value, agent)) {
        None => seen.reason = Some("there is no service".into()),
        Some(Err(error)) => (seen.outcome, seen.reason) = (Some("error".into()), Some(error.message)),
        Some(Ok(check)) => {
            seen.outcome = Some(check.state.to_string());
            seen.reason = check.reason;
            seen.source = Some(check.source.to_string());
            seen.pattern = check.matched_pattern;
            seen.origin = Some(check.origin.to_string());
            seen.tightenings = tightenings(&check.trace.tightenings);
        }
    }
}

pub(super) fn observe(host: &FakeHost, seen: &mut Observation) {
    let mut traces = host.take_traces();
    read_journal(host.journal.take(), seen);
    let rules = host.system.session_rules();
    let grant = |rule: &portcullis_core::policy::Rule| ObservedGrant {
        surface: rule.surface.to_string(),
        pattern: rule.pattern.to_string(),
    };
    seen.session_rules = Some(rules.iter().map(grant).collect());
    seen.active_tools = Some(host.tools.active_names());
    if let Some(trace) = traces.pop().filter(|_| seen.outcome.is_some()) {
        seen.by = Some(decided_by(&trace, seen.decisions.last()));
        seen.tightenings = tightenings(&trace.tightenings);
        seen.explanation = Some(Arc::new(trace));
    } else if seen.outcome.as_deref() == Some("continue") {
        // A text that names no skill meets no gate and leaves no trace.
        seen.by = Some(ObservedBy { gate: Some("none".into()), ..ObservedBy::default() });
    }
}

/// Sorts what happened; a question belongs to the prompt event before it and to the decision after it.
fn read_journal(happenings: Vec<Happening>, seen: &mut Observation) {
    let mut announced: Option<Value> = None;
    for happening in happenings {
        match happening {
            Happening::Emitted { channel, payload } if channel == "permissions:ui_prompt" => {
                announced = Some(payload.clone());
                seen.ui_prompts.push(payload);
            }
            Happening::Emitted { channel, payload } if channel == "permissions:ready" => seen.ready.push(payload),
            Happening::Emitted { channel, payload } if channel == "permissions:decision" => {
                if payload.get("resolution").and_then(Value::as_str) != Some("gate_error") {
                    let surface = text(&payload, "surface");
                    seen.prompts
                        .iter_mut()
                        .filter(|prompt| prompt.asks_on.is_none())
                        .for_each(|prompt| prompt.asks_on.clone_from(&surface));
                }
                seen.decisions.push(payload);
            }
            Happening::Dialog(dialog) => {
                let event = announced.take().unwrap_or_default();
                let session = dialog.options.iter().find(|option| option.choice == Choice::ApproveForSession);
                seen.prompts.push(ObservedPrompt {
                    surface: text(&event, "surface"),
                    value: text(&event, "value"),
                    asks_on: None,
                    message: format!("{}\n{}", dialog.title, dialog.message),
                    full_message: dialog.full_message,
                    session_label: session.map(|option| option.label.clone()),
                    options: dialog.options.into_iter().map(|option| option.label).collect(),
                });
            }
            Happening::Notice { text, .. } => seen.notifications.push(text),
            Happening::Status { key, text } => {
                seen.status.insert(key, text);
            }
            Happening::Line { stream, line } => match stream {
                portcullis_core::host::LogStream::Review => seen.review_log.push(line),
                portcullis_core::host::LogStream::Debug => seen.debug_log.push(line),
            },
            Happening::Emitted { .. } | Happening::Input { .. } | Happening::ActiveTools(_) => {}
        }
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// What decided: the last decision event, with the gate and the kind of answer from the trace.
fn decided_by(trace: &CallTrace, decision: Option<&Value>) -> ObservedBy {
    let member = |key: &str| decision.and_then(|event| text(event, key));
    ObservedBy {
        gate: Some(trace.end.gate.clone()),
        surface: member("surface"),
        rule: member("matchedPattern"),
        origin: member("origin"),
        source: trace.ended_by().and_then(|gate| match gate.outcome {
            GateOutcomeTrace::Check { source, .. } => Some(source.to_string()),
            GateOutcomeTrace::Null | GateOutcomeTrace::Bypass { .. } => None,
        }),
        resolution: member("resolution"),
        value: member("value"),
    }
}

fn tightenings(list: &[portcullis_core::policy::Tightening]) -> Vec<ObservedTightening> {
    let observed = |tightening: &portcullis_core::policy::Tightening| ObservedTightening {
        requirement: tightening.requirement.to_owned(),
        before: tightening.before.to_string(),
        after: tightening.after.to_string(),
        subject: tightening.subject.clone(),
        changed_call: tightening.before != tightening.after,
    };
    list.iter().map(observed).collect()
}
