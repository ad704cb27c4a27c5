//! Sessions that ask each other, each a whole gate: one agent directory, one registry, a bus for each, one clock (FIX-008).

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use portcullis_core::authority::forwarding::SubagentRegistry;
use portcullis_core::composition::{ForwardingHost, NodeRegistry};
use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::{EventBus, ExchangeFault, ExchangeStore, HostResult, LogStream};
use serde_json::{Value, json};

use super::faulty_exchange::FaultyExchange;
use super::processes::FakeProcesses;
use super::temp_dir::fine;
use super::virtual_time::{VirtualClock, VirtualWaiter};
use crate::bus::RecordingBus;
use crate::fake_host::{DEFAULT_TOOLS, FakeHost, FakeHostBuilder};
use crate::happened::in_short;
use crate::journal::Journal;
use crate::log::RecordingLog;
use crate::temp_world::{TempWorld, WorldEntry};
use crate::ui::ScriptedAnswer;

/// A family that is being arranged.
#[must_use = "nothing happens before `start`"]
pub struct FamilySetup {
    world: TempWorld,
    parent_policy: Option<Value>,
    answers: Vec<ScriptedAnswer>,
    store: Option<Arc<dyn ExchangeStore>>,
    waiting_time_ms: Option<u64>,
    child: MemberSetup,
}

/// One session of a family that is being arranged: by default without a person, in the session directory of the world.
#[must_use = "nothing happens before the member joins"]
pub struct MemberSetup {
    session_id: String,
    child_of: Option<String>,
    cwd: Option<PathBuf>,
    answers: Option<Vec<ScriptedAnswer>>,
    change: Vec<Change>,
}

type Change = Box<dyn FnOnce(FakeHostBuilder) -> FakeHostBuilder>;

impl MemberSetup {
    /// A session with this id that is nobody's child.
    pub fn new(session_id: &str) -> Self {
        Self { session_id: session_id.to_owned(), child_of: None, cwd: None, answers: None, change: Vec::new() }
    }

    /// Registered as a child of this session.
    pub fn child_of(mut self, parent: &str) -> Self {
        self.child_of = Some(parent.to_owned());
        self
    }

    /// In another directory.
    pub fn in_directory(mut self, cwd: &Path) -> Self {
        self.cwd = Some(cwd.to_owned());
        self
    }

    /// With a person who gives these answers.
    pub fn answers(mut self, answers: impl IntoIterator<Item = ScriptedAnswer>) -> Self {
        self.answers = Some(answers.into_iter().collect());
        self
    }

    /// Anything else about the host.
    pub fn with(mut self, change: impl FnOnce(FakeHostBuilder) -> FakeHostBuilder + 'static) -> Self {
        self.change.push(Box::new(change));
        self
    }
}

/// A parent with a person and a child without one, in one process: nothing is configured, nobody answers.
///
/// ```
/// use portcullis_core::handlers::ToolCallAnswer;
/// use portcullis_test_fixtures::{APPROVE, make_family};
/// use serde_json::json;
///
/// let family = make_family().policy(json!({ "*": "ask" })).answers([APPROVE]).start();
/// assert_eq!(family.child.call("demo", json!({})), ToolCallAnswer::Allow);
/// assert_eq!(family.parent.journal.dialogs().len(), 1);
/// assert_eq!(family.child.journal.decisions()[0]["decidedBy"]["where"], "serving");
/// ```
pub fn make_family() -> FamilySetup {
    FamilySetup {
        world: fine(TempWorld::new()),
        parent_policy: None,
        answers: Vec::new(),
        store: None,
        waiting_time_ms: None,
        child: MemberSetup::new("child").child_of("parent"),
    }
}

impl FamilySetup {
    /// The surface map of the global configuration, which both sessions read.
    pub fn policy(self, permission: Value) -> Self {
        self.config(json!({ "permission": permission }))
    }

    /// The whole global configuration.
    pub fn config(self, config: Value) -> Self {
        put_config(&self.world, self.world.agent_dir(), &config);
        self
    }

    /// The surface map of the parent's project; the parent gets a directory of its own.
    pub fn parent_policy(self, permission: Value) -> Self {
        self.parent_config(json!({ "permission": permission }))
    }

    /// The whole configuration of the parent's project; the parent gets a directory of its own.
    pub fn parent_config(mut self, config: Value) -> Self {
        self.parent_policy = Some(config);
        self
    }

    /// The whole configuration of the child's project.
    pub fn child_config(self, config: Value) -> Self {
        put_config(&self.world, &self.world.cwd().join(".pi"), &config);
        self
    }

    /// What the parent's person answers.
    pub fn answers(mut self, answers: impl IntoIterator<Item = ScriptedAnswer>) -> Self {
        self.answers = answers.into_iter().collect();
        self
    }

    /// Other shared folders.
    pub fn store(mut self, store: Arc<dyn ExchangeStore>) -> Self {
        self.store = Some(store);
        self
    }

    /// How long a child waits for an answer, in milliseconds.
    pub fn waiting_time_ms(mut self, milliseconds: u64) -> Self {
        self.waiting_time_ms = Some(milliseconds);
        self
    }

    /// Another child.
    pub fn child(mut self, child: MemberSetup) -> Self {
        self.child = child;
        self
    }

    /// A file below the session directory.
    pub fn file(self, path: &str, text: &str) -> Self {
        fine(self.world.put(&self.world.cwd().join(path), &WorldEntry::Text(text.to_owned())));
        self
    }

    /// Starts both sessions; the parent shows that it serves.
    pub fn start(self) -> Family {
        let clock = VirtualClock::default();
        let kept =
            Arc::new(Kept { inner: self.store.unwrap_or_else(|| Arc::new(FaultyExchange::new())), messages: Mutex::default() });
        let shared = Shared {
            waiter: Arc::new(VirtualWaiter::new(&clock)),
            clock,
            kept,
            subagents: Arc::default(),
            processes: Arc::default(),
            nodes: Arc::default(),
            order: Journal::default(),
            waiting_time_ms: self.waiting_time_ms,
        };
        let mut parent = MemberSetup::new("parent").answers(self.answers);
        if let Some(config) = self.parent_policy {
            let home = self.world.home().join("parent");
            put_config(&self.world, &home.join(".pi"), &config);
            parent = parent.in_directory(&home);
        }
        let parent = shared.join(&self.world, parent);
        let child = shared.join(&self.world, self.child);
        Family { parent, child, shared, world: self.world }
    }
}

/// A running family.
pub struct Family {
    /// The session with a person, `parent`.
    pub parent: Arc<Member>,
    /// The session that asks it, `child`.
    pub child: Arc<Member>,
    shared: Shared,
    /// The files.
    pub world: TempWorld,
}

/// What all sessions of a family share.
struct Shared {
    clock: VirtualClock,
    waiter: Arc<VirtualWaiter>,
    kept: Arc<Kept>,
    subagents: Arc<SubagentRegistry>,
    processes: Arc<FakeProcesses>,
    nodes: Arc<NodeRegistry>,
    order: Journal,
    waiting_time_ms: Option<u64>,
}

impl Shared {
    fn join(&self, world: &TempWorld, setup: MemberSetup) -> Arc<Member> {
        if let Some(parent) = &setup.child_of {
            self.subagents.register(&setup.session_id, Some(parent));
        }
        let cwd = setup.cwd.unwrap_or_else(|| world.cwd().to_owned());
        let tools = DEFAULT_TOOLS.iter().chain(&["demo"]).map(|name| Value::from(*name)).collect();
        let mut builder = FakeHostBuilder::new(&cwd.to_string_lossy(), &world.home().to_string_lossy()).tools(tools);
        let has_ui = setup.answers.is_some();
        if let Some(answers) = setup.answers {
            builder = builder.ui(answers);
        }
        let forwarding = ForwardingHost {
            exchange: Arc::clone(&self.kept) as _,
            waiter: Arc::clone(&self.waiter) as _,
            processes: Arc::clone(&self.processes) as _,
            subagents: Arc::clone(&self.subagents),
            nodes: Arc::clone(&self.nodes),
        };
        let (clock, order, waiting_time_ms) = (self.clock.clone(), self.order.clone(), self.waiting_time_ms);
        builder = builder.change_host(move |journal, host| {
            host.clock = Arc::new(clock);
            host.log = Some(Arc::new(RecordingLog::new(&order)));
            host.bus = Arc::new(BothBuses(RecordingBus::new(journal), RecordingBus::new(&order)));
            host.forwarding = Some(forwarding);
            if let Some(milliseconds) = waiting_time_ms {
                host.options.waiting_time_ms = milliseconds;
            }
        });
        let host = setup.change.into_iter().fold(builder, |builder, change| change(builder)).build();
        host.context.set_session_id(Some(&setup.session_id));
        host.session_start("startup");
        if has_ui {
            host.system.beat();
        }
        let member = Arc::new(Member { host, calls: AtomicU64::new(0) });
        let serving: Weak<Member> = Arc::downgrade(&member);
        self.waiter.on_turn(move || {
            if let Some(member) = serving.upgrade() {
                member.system.serve_forwarded();
            }
        });
        member
    }
}

impl Family {
    /// One more session.
    pub fn join(&self, member: MemberSetup) -> Arc<Member> {
        self.shared.join(&self.world, member)
    }

    /// The time.
    pub fn clock(&self) -> &VirtualClock {
        &self.shared.clock
    }

    /// Waiting, and what happens meanwhile.
    pub fn waiter(&self) -> &Arc<VirtualWaiter> {
        &self.shared.waiter
    }

    /// The children of this process.
    pub fn subagents(&self) -> &SubagentRegistry {
        &self.shared.subagents
    }

    /// Which processes live.
    pub fn processes(&self) -> &FakeProcesses {
        &self.shared.processes
    }

    /// The lines of the review log of all sessions, in the order in which they were written.
    pub fn review_log(&self) -> Vec<Value> {
        self.shared.order.log(LogStream::Review)
    }

    /// The lines of one event.
    pub fn lines(&self, event: &str) -> Vec<Value> {
        self.review_log().into_iter().filter(|line| line.get("event").and_then(Value::as_str) == Some(event)).collect()
    }

    /// Log lines and events of all sessions, one short text each, in order; see [`in_short`].
    pub fn happened(&self) -> Vec<String> {
        self.shared.order.all().iter().map(in_short).collect()
    }

    /// Forgets lines, events and messages so far.
    pub fn forget(&self) {
        self.shared.order.take();
        self.shared.kept.lock().clear();
        for member in [&self.parent, &self.child] {
            member.journal.take();
        }
    }

    /// The requests and responses that were written, in order, as they stood in their files.
    pub fn messages(&self) -> Vec<Value> {
        self.shared.kept.lock().clone()
    }

    /// What lies below the forwarding root, with `/` behind folders, sorted; without heartbeats and the folders above.
    pub fn inboxes(&self) -> Vec<String> {
        let root = self.world.agent_dir().join("sessions/permission-forwarding/sessions");
        let mut found = Vec::new();
        let mut open = vec![root.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                if path.is_dir() {
                    found.push(format!("{name}/"));
                    open.push(path);
                } else if entry.file_name() != "heartbeat.json" {
                    found.push(name);
                }
            }
        }
        found.sort();
        found
    }
}

/// One session of a family. The methods of [`FakeHost`] are there as well.
pub struct Member {
    host: FakeHost,
    calls: AtomicU64,
}

impl Deref for Member {
    type Target = FakeHost;

    fn deref(&self) -> &FakeHost {
        &self.host
    }
}

impl Member {
    /// A tool call; its id is `tc-1`, `tc-2` … in the order of the session's calls.
    pub fn call(&self, tool: &str, input: Value) -> ToolCallAnswer {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        self.tool_call(tool, input, &format!("tc-{number}"))
    }

    /// A tool call that has to be blocked: the reason.
    #[expect(clippy::panic, reason = "a fixture that fails fails the test")]
    pub fn blocks(&self, tool: &str, input: Value) -> String {
        match self.call(tool, input) {
            ToolCallAnswer::Block { reason } => reason,
            ToolCallAnswer::Allow => panic!("the call of {tool} went ahead"),
        }
    }

    /// Whether a tool call goes ahead.
    pub fn allows(&self, tool: &str, input: Value) -> bool {
        self.call(tool, input) == ToolCallAnswer::Allow
    }

    /// The grants as short texts: the surface, a blank, the pattern.
    pub fn granted(&self) -> Vec<String> {
        self.system.session_rules().iter().map(|rule| format!("{} {}", rule.surface, rule.pattern)).collect()
    }
}

/// Two buses of which both hear everything.
struct BothBuses(RecordingBus, RecordingBus);

impl EventBus for BothBuses {
    fn emit(&self, channel: &str, payload: &Value) -> HostResult<()> {
        self.0.emit(channel, payload)?;
        self.1.emit(channel, payload)
    }
}

/// Shared folders that keep a copy of every request and response.
struct Kept {
    inner: Arc<dyn ExchangeStore>,
    messages: Mutex<Vec<Value>>,
}

impl Kept {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Value>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ExchangeStore for Kept {
    fn create_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        self.inner.create_dir(path)
    }

    fn list_files(&self, path: &str) -> Result<Vec<String>, ExchangeFault> {
        self.inner.list_files(path)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, ExchangeFault> {
        self.inner.read(path, max_bytes)
    }

    fn create_file(&self, path: &str, bytes: &[u8]) -> Result<(), ExchangeFault> {
        self.inner.create_file(path, bytes)?;
        if !path.contains("heartbeat.json") && !path.ends_with(".owner") {
            self.lock().push(serde_json::from_slice(bytes).unwrap_or(Value::Null));
        }
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), ExchangeFault> {
        self.inner.rename(from, to)
    }

    fn remove_file(&self, path: &str) -> Result<(), ExchangeFault> {
        self.inner.remove_file(path)
    }

    fn remove_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        self.inner.remove_dir(path)
    }
}

/// Writes a configuration file below an agent directory or a project's `.pi`.
fn put_config(world: &TempWorld, folder: &Path, config: &Value) {
    let path = folder.join("extensions/pi-permission-system/config.json");
    fine(world.put(&path, &WorldEntry::Text(config.to_string())));
}
