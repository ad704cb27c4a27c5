//! A whole gate around doubles (`makeFakePi`).

use std::sync::{Arc, Mutex, PoisonError};

use portcullis_core::composition::{Host, HostOptions, PermissionService, PermissionSystem};
use portcullis_core::gates::GateResolver;
use portcullis_core::handlers::{InputAnswer, ToolCallAnswer};
use portcullis_core::host::system::{SystemFileStore, SystemFileView};
use portcullis_core::host::{FileStore, FileView, HostContext, HostError, Platform, Trust, UserInterface};
use portcullis_core::report::{CallTrace, TraceSink};
use serde_json::{Value, json};

use crate::context::FakeContext;
use crate::environment::FakeEnvironment;
use crate::event::tool_call_event;
use crate::journal::Journal;
use crate::log::RecordingLog;
use crate::sources::{CountingIds, FixedClock};
use crate::tools::FakeToolRegistry;
use crate::ui::{ScriptedAnswer, ScriptedUi};
use crate::{RecordingBus, TempWorld};

/// The tools of a host that names none.
pub const DEFAULT_TOOLS: [&str; 9] = ["read", "write", "edit", "grep", "find", "ls", "bash", "mcp", "skill"];

/// How a [`FakeHost`] is built: start from [`FakeHostBuilder::new`] or [`FakeHost::in_world`].
pub struct FakeHostBuilder {
    cwd: String,
    environment: FakeEnvironment,
    tools: Vec<Value>,
    ui: Option<Vec<ScriptedAnswer>>,
    trust: Trust,
    agent: Option<String>,
    files: Arc<dyn FileView>,
    store: Arc<dyn FileStore>,
    resolver: Option<Arc<dyn GateResolver + Send + Sync>>,
    change: Vec<HostChange>,
}

type HostChange = Box<dyn FnOnce(&Journal, &mut Host)>;

impl FakeHostBuilder {
    /// A host in a directory with a home: the real file system, the usual tools, no user interface, a trusted project.
    pub fn new(cwd: &str, home: &str) -> Self {
        Self {
            cwd: cwd.to_owned(),
            environment: FakeEnvironment::new(home),
            tools: DEFAULT_TOOLS.iter().map(|name| Value::from(*name)).collect(),
            ui: None,
            trust: Trust::Trusted,
            agent: None,
            files: Arc::new(SystemFileView),
            store: Arc::new(SystemFileStore),
            resolver: None,
            change: Vec::new(),
        }
    }

    /// A person who gives these answers.
    #[must_use]
    pub fn ui(mut self, answers: Vec<ScriptedAnswer>) -> Self {
        self.ui = Some(answers);
        self
    }

    /// Other tools.
    #[must_use]
    pub fn tools(mut self, entries: Vec<Value>) -> Self {
        self.tools = entries;
        self
    }

    /// What the host says about the project.
    #[must_use]
    pub fn trust(mut self, trust: Trust) -> Self {
        self.trust = trust;
        self
    }

    /// The active agent.
    #[must_use]
    pub fn agent(mut self, name: &str) -> Self {
        self.agent = Some(name.to_owned());
        self
    }

    /// A variable.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment = self.environment.with(name, value);
        self
    }

    /// Path rules of a platform, with files to match.
    #[must_use]
    pub fn platform(mut self, platform: Platform, files: Arc<dyn FileView>, store: Arc<dyn FileStore>) -> Self {
        self.environment = self.environment.on(platform);
        self.files(files, store)
    }

    /// Other files than this machine's.
    #[must_use]
    pub fn files(mut self, files: Arc<dyn FileView>, store: Arc<dyn FileStore>) -> Self {
        self.files = files;
        self.store = store;
        self
    }

    /// Answers made by hand instead of policy, grants and floors.
    #[must_use]
    pub fn resolver(mut self, resolver: Arc<dyn GateResolver + Send + Sync>) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Replaces collaborators before the gate is built; the journal is there for doubles that write into it.
    #[must_use]
    pub fn change_host(mut self, change: impl FnOnce(&Journal, &mut Host) + 'static) -> Self {
        self.change.push(Box::new(change));
        self
    }

    /// Builds the gate. No session has started yet.
    pub fn build(self) -> FakeHost {
        let journal = Journal::default();
        let tools = Arc::new(FakeToolRegistry::new(&journal, self.tools));
        let ui = Arc::new(ScriptedUi::new(&journal, self.ui.clone().unwrap_or_default()));
        let context = Arc::new(FakeContext::new(&self.cwd));
        context.set_trust(self.trust);
        if self.ui.is_some() {
            context.set_ui(Some(Arc::clone(&ui) as Arc<dyn UserInterface>));
        }
        if let Some(agent) = &self.agent {
            context.append_agent(Some(agent));
        }
        let traces = Arc::new(Traces::default());
        let mut host = Host {
            tools: Arc::clone(&tools) as _,
            bus: Arc::new(RecordingBus::new(&journal)),
            files: self.files,
            store: self.store,
            log: Some(Arc::new(RecordingLog::new(&journal))),
            clock: Arc::new(FixedClock::default()),
            ids: Arc::new(CountingIds::default()),
            environment: Arc::new(self.environment),
            trace: Some(Arc::clone(&traces) as _),
            resolver: self.resolver,
            forwarding: None,
            options: HostOptions::default(),
        };
        for change in self.change {
            change(&journal, &mut host);
        }
        FakeHost { system: PermissionSystem::new(host.clone()), host, journal, tools, ui, context, traces }
    }
}

#[derive(Default)]
struct Traces(Mutex<Vec<CallTrace>>);

impl TraceSink for Traces {
    fn record(&self, trace: &CallTrace) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(trace.clone());
    }
}

/// A gate, the doubles around it, and the events that a host would send.
///
/// ```
/// use portcullis_core::handlers::ToolCallAnswer;
/// use portcullis_test_fixtures::{FakeHost, TempWorld, WorldEntry};
/// use serde_json::json;
///
/// let world = TempWorld::new().unwrap();
/// let config = world.agent_dir().join("extensions/pi-permission-system/config.json");
/// world.put(&config, &WorldEntry::Text(r#"{"permission":{"bash":{"git *":"allow"}}}"#.into())).unwrap();
///
/// let host = FakeHost::in_world(&world).build();
/// host.session_start("startup");
/// assert_eq!(host.tool_call("bash", json!({"command": "git status"}), "c1"), ToolCallAnswer::Allow);
/// assert_eq!(host.journal.decisions()[0]["matchedPattern"], "git *");
/// ```
pub struct FakeHost {
    /// The gate.
    pub system: PermissionSystem,
    /// What it was built from.
    pub host: Host,
    /// What the doubles were told.
    pub journal: Journal,
    /// The tools.
    pub tools: Arc<FakeToolRegistry>,
    /// The person; whether they sit in front of the session is for the context to say.
    pub ui: Arc<ScriptedUi>,
    /// The context of the next event.
    pub context: Arc<FakeContext>,
    traces: Arc<Traces>,
}

impl FakeHost {
    /// A builder for a host in this world.
    pub fn in_world(world: &TempWorld) -> FakeHostBuilder {
        FakeHostBuilder::new(&world.cwd().to_string_lossy(), &world.home().to_string_lossy())
    }

    fn event_context(&self) -> Arc<dyn HostContext> {
        Arc::clone(&self.context) as _
    }

    /// A new instance of the gate for the same host, as after a full reload. Its memory starts empty.
    pub fn restart(&mut self) {
        self.system = PermissionSystem::new(self.host.clone());
    }

    /// Puts the person in front of the session with these answers, or takes them away.
    pub fn set_ui(&self, answers: Option<Vec<ScriptedAnswer>>) {
        match answers {
            None => self.context.set_ui(None),
            Some(answers) => {
                self.ui.answer_with(answers);
                self.context.set_ui(Some(Arc::clone(&self.ui) as _));
            }
        }
    }

    /// `session_start`.
    pub fn session_start(&self, reason: &str) {
        let event = json!({ "type": "session_start", "reason": reason });
        self.system.handle_session_start(&event, Some(&self.event_context()));
    }

    /// `session_shutdown`.
    pub fn session_shutdown(&self) {
        self.system.handle_session_shutdown(&json!({ "type": "session_shutdown" }), Some(&self.event_context()));
    }

    /// `resources_discover`.
    pub fn resources_discover(&self, reason: &str) {
        let event = json!({ "type": "resources_discover", "reason": reason });
        self.system.handle_resources_discover(&event, Some(&self.event_context()));
    }

    /// `before_agent_start`: the new prompt, when it changed.
    pub fn before_agent_start(&self, system_prompt: &str) -> Option<String> {
        let event = json!({ "type": "before_agent_start", "systemPrompt": system_prompt });
        self.system.handle_before_agent_start(&event, Some(&self.event_context()))
    }

    /// `tool_call`.
    pub fn tool_call(&self, tool: &str, input: Value, id: &str) -> ToolCallAnswer {
        self.raw_tool_call(&tool_call_event(tool, input, id))
    }

    /// `tool_call` with an event of any shape.
    pub fn raw_tool_call(&self, event: &Value) -> ToolCallAnswer {
        self.system.handle_tool_call(event, Some(&self.event_context()))
    }

    /// `input`.
    pub fn input(&self, text: &Value) -> InputAnswer {
        let event = json!({ "type": "input", "text": text });
        self.system.handle_input(&event, Some(&self.event_context()))
    }

    /// The service of the session.
    pub fn service(&self) -> Option<PermissionService> {
        self.system.service()
    }

    /// Registers an extractor that reads a field of the tool's input, or fails with a text.
    pub fn register_extractor(&self, tool: &str, field: &str, fails: Option<&str>) -> Result<(), String> {
        let field = field.to_owned();
        let fails = fails.map(str::to_owned);
        let extractor = move |input: &Value| match &fails {
            Some(text) => Err(HostError::new(text.clone())),
            None => Ok(input.get(&field).and_then(Value::as_str).map(str::to_owned)),
        };
        let service = self.service().ok_or("no session is active")?;
        // The registration lives as long as the gate: nobody disposes of it.
        service.path_extractors().register(tool, extractor).map(drop).map_err(|fault| fault.to_string())
    }

    /// The traces so far.
    pub fn traces(&self) -> Vec<CallTrace> {
        self.traces.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The traces since the last call.
    pub fn take_traces(&self) -> Vec<CallTrace> {
        std::mem::take(&mut *self.traces.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
