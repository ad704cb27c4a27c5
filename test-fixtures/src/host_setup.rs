//! A whole gate in one line (`makeFakePi`): a world on disk, a policy in it, a person with answers, the real composition root.

use std::io;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use portcullis_core::gates::GateResolver;
use portcullis_core::handlers::{InputAnswer, ToolCallAnswer};
use portcullis_core::host::system::{SystemFileStore, SystemFileView};
use portcullis_core::host::{Choice, ListDialog, LogStream, Platform, Trust};
use portcullis_core::report::CallTrace;
use serde_json::{Map, Value, json};

use crate::fake_host::{FakeHost, FakeHostBuilder};
use crate::happened::in_short;
use crate::resolver::FakeResolver;
use crate::temp_world::{TempWorld, WorldEntry};
use crate::ui::ScriptedAnswer;
use crate::windows_files::{WINDOWS_HOME, WindowsFiles};

/// Yes, this once.
pub const APPROVE: ScriptedAnswer = ScriptedAnswer::Choose(Choice::Approve);
/// Yes, for this session.
pub const APPROVE_FOR_SESSION: ScriptedAnswer = ScriptedAnswer::Choose(Choice::ApproveForSession);
/// Yes, for this session, in both directions.
pub const APPROVE_BOTH_DIRECTIONS: ScriptedAnswer = ScriptedAnswer::Choose(Choice::ApproveForSessionBothDirections);
/// No.
pub const DENY: ScriptedAnswer = ScriptedAnswer::Choose(Choice::Deny);

/// A host that is being arranged; [`start`](Self::start) ends that. By default: an empty world, no policy file, the usual
/// tools, no user interface, no agent, a trusted project.
///
/// ```
/// use portcullis_core::handlers::ToolCallAnswer;
/// use portcullis_test_fixtures::{APPROVE_FOR_SESSION, fake_host};
/// use serde_json::json;
///
/// let host = fake_host()
///     .policy(json!({ "bash": { "*": "ask", "rm *": "deny" } }))
///     .answers([APPROVE_FOR_SESSION])
///     .start();
///
/// assert_eq!(host.call("bash", json!({ "command": "git status" })), ToolCallAnswer::Allow);
/// assert_eq!(host.prompts().len(), 1);
/// assert_eq!(host.granted(), ["bash git status*"]);
/// assert!(host.blocks("bash", json!({ "command": "rm x" })).contains("rm x"));
/// assert_eq!(host.decisions()[1]["resolution"], "policy_deny");
/// ```
#[must_use = "nothing happens before `start`"]
pub struct HostSetup {
    world: TempWorld,
    files: Files,
    change: Vec<Change>,
    windows: bool,
    starts: bool,
}

type Change = Box<dyn FnOnce(FakeHostBuilder) -> FakeHostBuilder>;

/// The two configuration files, as maps until they are written.
#[derive(Debug, Default, Clone)]
struct Files {
    global: Map<String, Value>,
    project: Map<String, Value>,
}

/// A host around the real composition root (`makeFakePi`).
pub fn fake_host() -> HostSetup {
    let world = fine(TempWorld::new());
    HostSetup { world, files: Files::default(), change: Vec::new(), windows: false, starts: true }
}

/// A host whose gate is asked with answers made by hand instead of a policy (`makeHandler`): everything is allowed unless the
/// resolver says otherwise. Say which tools exist with [`tools`](HostSetup::tools).
///
/// ```
/// use portcullis_core::handlers::ToolCallAnswer;
/// use portcullis_core::policy::PermissionState::{Allow, Deny};
/// use portcullis_test_fixtures::{make_handler, make_resolver};
/// use serde_json::json;
///
/// let host = make_handler(make_resolver(Allow).on_surface("deploy", Deny)).tools(["deploy", "read"]).start();
/// assert!(host.blocks("deploy", json!({})).contains("deploy"));
/// assert_eq!(host.call("read", json!({ "path": "a" })), ToolCallAnswer::Allow);
/// assert!(host.blocks("write", json!({ "path": "a" })).contains("write"), "write is no tool of this host");
/// ```
pub fn make_handler(resolver: FakeResolver) -> HostSetup {
    fake_host().resolver(Arc::new(resolver))
}

impl HostSetup {
    /// The surface map of the global configuration file.
    pub fn policy(mut self, permission: Value) -> Self {
        self.files.global.insert("permission".to_owned(), permission);
        self
    }

    /// Another member of the global configuration file.
    pub fn setting(mut self, name: &str, value: Value) -> Self {
        self.files.global.insert(name.to_owned(), value);
        self
    }

    /// The surface map of the project's configuration file.
    pub fn project_policy(mut self, permission: Value) -> Self {
        self.files.project.insert("permission".to_owned(), permission);
        self
    }

    /// Another member of the project's configuration file.
    pub fn project_setting(mut self, name: &str, value: Value) -> Self {
        self.files.project.insert(name.to_owned(), value);
        self
    }

    /// The surface map of an agent's file in the agent directory.
    pub fn agent_policy(self, agent: &str, permission: &Value) -> Self {
        fine(self.world.put(&agent_file(self.world.agent_dir().join("agents"), agent), &front_matter(permission)));
        self
    }

    /// The surface map of an agent's file in the project.
    pub fn project_agent_policy(self, agent: &str, permission: &Value) -> Self {
        fine(self.world.put(&agent_file(self.world.cwd().join(".pi/agents"), agent), &front_matter(permission)));
        self
    }

    /// A file below the session directory.
    pub fn file(self, path: &str, text: &str) -> Self {
        fine(self.world.put(&self.world.cwd().join(path), &WorldEntry::Text(text.to_owned())));
        self
    }

    /// A directory below the session directory.
    pub fn directory(self, path: &str) -> Self {
        fine(self.world.put(&self.world.cwd().join(path), &WorldEntry::Directory));
        self
    }

    /// A symbolic link below the session directory.
    pub fn link(self, path: &str, target: &str) -> Self {
        fine(self.world.put(&self.world.cwd().join(path), &WorldEntry::Symlink(target.to_owned())));
        self
    }

    /// The registered tools, by name; all of them are active.
    pub fn tools<'a>(self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.tool_entries(names.into_iter().map(Value::from).collect())
    }

    /// The registered tools, as a host lists them.
    pub fn tool_entries(self, entries: Vec<Value>) -> Self {
        self.with(|builder| builder.tools(entries))
    }

    /// A person in front of the session, who gives these answers and dismisses what is asked beyond them.
    pub fn answers(self, answers: impl IntoIterator<Item = ScriptedAnswer>) -> Self {
        let answers = answers.into_iter().collect();
        self.with(|builder| builder.ui(answers))
    }

    /// The active agent.
    pub fn agent(self, name: &str) -> Self {
        let name = name.to_owned();
        self.with(move |builder| builder.agent(&name))
    }

    /// A variable of the environment.
    pub fn variable(self, name: &str, value: &str) -> Self {
        let (name, value) = (name.to_owned(), value.to_owned());
        self.with(move |builder| builder.variable(&name, &value))
    }

    /// A project that the person does not trust (HARD-011).
    pub fn untrusted(self) -> Self {
        self.with(|builder| builder.trust(Trust::Untrusted))
    }

    /// Paths of Windows: the world's home is [`WINDOWS_HOME`].
    pub fn windows(mut self) -> Self {
        self.windows = true;
        self
    }

    /// Answers made by hand instead of policy, grants and floors.
    pub fn resolver(self, resolver: Arc<dyn GateResolver + Send + Sync>) -> Self {
        self.with(|builder| builder.resolver(resolver))
    }

    /// Anything else about the host's collaborators.
    pub fn with(mut self, change: impl FnOnce(FakeHostBuilder) -> FakeHostBuilder + 'static) -> Self {
        self.change.push(Box::new(change));
        self
    }

    /// The gate is built, but no session starts.
    pub fn without_session_start(mut self) -> Self {
        self.starts = false;
        self
    }

    /// Writes the files, builds the gate, and starts a session.
    pub fn start(self) -> StartedHost {
        let Self { world, files, change, windows, starts } = self;
        write_config(&world, &files);
        let home = if windows { WINDOWS_HOME.to_owned() } else { world.home().to_string_lossy().into_owned() };
        let cwd = if windows { format!(r"{WINDOWS_HOME}\work\app") } else { world.cwd().to_string_lossy().into_owned() };
        let mut builder = FakeHostBuilder::new(&cwd, &home);
        if windows {
            let view = WindowsFiles::new(world.home(), Arc::new(SystemFileView), Arc::new(SystemFileStore));
            let view = Arc::new(view);
            builder = builder.platform(Platform::Windows, Arc::clone(&view) as _, view);
        }
        let host = change.into_iter().fold(builder, |builder, change| change(builder)).build();
        if starts {
            host.session_start("startup");
        }
        StartedHost { host, files, calls: AtomicU64::new(0), cwd, home, world }
    }
}

/// A gate whose session has started, with the world around it. The methods of [`FakeHost`] are there as well.
pub struct StartedHost {
    host: FakeHost,
    files: Files,
    calls: AtomicU64,
    cwd: String,
    home: String,
    /// The files.
    pub world: TempWorld,
}

impl Deref for StartedHost {
    type Target = FakeHost;

    fn deref(&self) -> &FakeHost {
        &self.host
    }
}

impl StartedHost {
    /// The session directory.
    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    /// The home directory.
    pub fn home(&self) -> &str {
        &self.home
    }

    /// The gate is taken down and built anew; host and files stay.
    pub fn restart(&mut self) {
        self.host.restart();
    }

    /// A tool call; its id is `tc-1`, `tc-2` … in the order of the calls.
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

    /// What the user types.
    pub fn input(&self, text: &str) -> InputAnswer {
        self.host.input(&Value::from(text))
    }

    /// What the user types, of any type.
    pub fn input_value(&self, text: &Value) -> InputAnswer {
        self.host.input(text)
    }

    /// A turn begins with a prompt that lists these skills and their files: the new prompt, when it changed.
    pub fn turn(&self, skills: &[(&str, &str)]) -> Option<String> {
        self.before_agent_start(&skill_prompt(skills))
    }

    /// The decision events.
    pub fn decisions(&self) -> Vec<Value> {
        self.journal.decisions()
    }

    /// The lines of the review log.
    pub fn review_log(&self) -> Vec<Value> {
        self.journal.log(LogStream::Review)
    }

    /// The lines of the debug log.
    pub fn debug_log(&self) -> Vec<Value> {
        self.journal.log(LogStream::Debug)
    }

    /// The questions that were put to the person.
    pub fn prompts(&self) -> Vec<ListDialog> {
        self.journal.dialogs()
    }

    /// The grants, as a surface and a pattern.
    pub fn session_rules(&self) -> Vec<(String, String)> {
        self.system.session_rules().iter().map(|rule| (rule.surface.to_string(), rule.pattern.to_string())).collect()
    }

    /// The grants as short texts: the surface, a blank, the pattern.
    pub fn granted(&self) -> Vec<String> {
        self.session_rules().into_iter().map(|(surface, pattern)| format!("{surface} {pattern}")).collect()
    }

    /// The traces so far.
    pub fn traces(&self) -> Vec<CallTrace> {
        self.host.traces()
    }

    /// Everything that happened, one short text each, in order; see [`in_short`].
    pub fn happened(&self) -> Vec<String> {
        self.journal.all().iter().map(in_short).collect()
    }

    /// Forgets what happened so far; files, grants and counters stay.
    pub fn forget(&self) {
        self.journal.take();
        self.take_traces();
    }

    /// Another surface map in the global file, from now on.
    pub fn set_policy(&mut self, permission: Value) {
        self.files.global.insert("permission".to_owned(), permission);
        write_config(&self.world, &self.files);
    }

    /// Another member of the global file, from now on.
    pub fn set(&mut self, name: &str, value: Value) {
        self.files.global.insert(name.to_owned(), value);
        write_config(&self.world, &self.files);
    }

    /// Another text in place of the global file.
    pub fn set_global_text(&self, text: &str) {
        fine(self.world.put(&global_file(&self.world), &WorldEntry::Text(text.to_owned())));
    }

    /// Another text in place of the project's file.
    pub fn set_project_text(&self, text: &str) {
        fine(self.world.put(&project_file(&self.world), &WorldEntry::Text(text.to_owned())));
    }

    /// The global file as this host wrote it, after it was replaced by a text.
    pub fn mend_global(&self) {
        write_config(&self.world, &self.files);
    }
}

/// A system prompt that lists skills with their files.
///
/// ```
/// use portcullis_test_fixtures::skill_prompt;
/// assert!(skill_prompt(&[("deploy", "/s/deploy/SKILL.md")]).contains("<name>deploy</name>"));
/// ```
pub fn skill_prompt(skills: &[(&str, &str)]) -> String {
    let entry = |(name, location): &(&str, &str)| {
        format!(
            "  <skill>\n    <name>{name}</name>\n    <description>{name}</description>\n    <location>{location}</location>\n  </skill>\n"
        )
    };
    let entries: String = skills.iter().map(entry).collect();
    format!("Help the user.\n<available_skills>\n{entries}</available_skills>\n")
}

fn global_file(world: &TempWorld) -> PathBuf {
    world.agent_dir().join("extensions/pi-permission-system/config.json")
}

fn project_file(world: &TempWorld) -> PathBuf {
    world.cwd().join(".pi/extensions/pi-permission-system/config.json")
}

fn agent_file(directory: PathBuf, agent: &str) -> PathBuf {
    directory.join(format!("{agent}.md"))
}

/// JSON is YAML, but for the line it has to end on.
fn front_matter(permission: &Value) -> WorldEntry {
    WorldEntry::Text(format!("---\n{}\n---\nAn agent.\n", json!({ "permission": permission })))
}

fn write_config(world: &TempWorld, files: &Files) {
    for (path, members) in [(global_file(world), &files.global), (project_file(world), &files.project)] {
        if !members.is_empty() {
            fine(world.put(&path, &WorldEntry::Text(Value::Object(members.clone()).to_string())));
        }
    }
}

#[expect(clippy::panic, reason = "a fixture that cannot be built fails the test")]
fn fine<T>(result: io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("the world cannot be built: {error}"))
}
