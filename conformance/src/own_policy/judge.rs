//! The reference over somebody's policy: the handlers of life with a person who says yes once to everything, so that every
//! question of a call is seen, and with a store that takes nothing.

use std::fmt;
use std::sync::Arc;

use portcullis_core::handlers::{InputAnswer, ToolCallAnswer};
use portcullis_core::host::{Choice, FileFault, FileFaultKind, FileStore, Platform, Trust};
use portcullis_core::policy::{MatchOptions, PolicyIssue, PolicyLoader, PolicyLocations, PolicySnapshot, agent_dir};
use portcullis_core::report::CallTrace;
use portcullis_test_fixtures::{FakeEnvironment, FakeHost, FakeHostBuilder, ScriptedAnswer};
use serde_json::Value;

use super::call::Call;
use super::source::{PolicyOverlay, PolicySource};

/// No call puts more questions: one a gate, and the rest in reserve.
const YES: usize = 16;

/// With what a policy is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeOptions {
    /// Where the rules come from.
    pub source: PolicySource,
    /// The session directory, absolute.
    pub cwd: String,
    /// The home directory, absolute.
    pub home: String,
    /// The agent directory, when it is not the home's own (CFG-002).
    pub agent_dir: Option<String>,
    /// Whether the project is trusted.
    pub trusted: bool,
    /// The active agent.
    pub agent: Option<String>,
    /// Whether there is somebody to ask.
    pub has_ui: bool,
    /// Tools that are registered beside the usual ones and the called one.
    pub tools: Vec<String>,
}

impl JudgeOptions {
    /// These rules in a session of this directory and home, with the project trusted, somebody to ask, and nothing else given.
    pub fn new(source: PolicySource, cwd: impl Into<String>, home: impl Into<String>) -> Self {
        Self {
            source,
            cwd: cwd.into(),
            home: home.into(),
            agent_dir: None,
            trusted: true,
            agent: None,
            has_ui: true,
            tools: Vec::new(),
        }
    }
}

/// The answer in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Goes ahead silently.
    Allow,
    /// A person decides.
    Ask,
    /// Refused without a question.
    Deny,
}

impl Verdict {
    /// What an explanation says of its call.
    pub fn of(trace: &CallTrace) -> Self {
        if trace.gates.iter().any(|gate| gate.ask.is_some()) {
            Self::Ask
        } else if trace.end.outcome == "allow" {
            Self::Allow
        } else {
            Self::Deny
        }
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What the gate said of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// In one word.
    pub verdict: Verdict,
    /// Why, gate by gate: the trace that the deciding walk made.
    pub trace: CallTrace,
}

/// The reference over one policy.
pub struct Judge {
    options: JudgeOptions,
    overlay: Arc<PolicyOverlay>,
    environment: FakeEnvironment,
}

impl Judge {
    /// Nothing is read yet.
    pub fn new(options: JudgeOptions) -> Self {
        let mut environment = FakeEnvironment::new(&options.home).on(platform());
        if let Some(dir) = &options.agent_dir {
            environment = environment.with("PI_CODING_AGENT_DIR", dir);
        }
        let places = locations(&environment, &options.cwd);
        let overlay = Arc::new(PolicyOverlay::new(&options.source, &places, options.agent.as_deref()));
        Self { options, overlay, environment }
    }

    /// What it is judged with.
    pub fn options(&self) -> &JudgeOptions {
        &self.options
    }

    /// The policy as the files are now, faults included.
    pub fn policy(&self) -> Arc<PolicySnapshot> {
        let places = locations(&self.environment, &self.options.cwd);
        let loader = PolicyLoader::new(Arc::clone(&self.overlay) as _, places);
        loader.load(self.trust(), self.options.agent.as_deref(), &self.options.tools)
    }

    /// The name under which a person knows a policy file.
    pub fn shown<'a>(&'a self, file: &'a str) -> &'a str {
        self.overlay.shown(file)
    }

    /// A complaint about a policy file, under the name that a person gave the file.
    pub fn renamed(&self, issue: &PolicyIssue) -> String {
        let text = issue.to_string();
        if issue.file.is_empty() { text } else { text.replace(&issue.file, self.shown(&issue.file)) }
    }

    /// What patterns are expanded and compared with.
    pub fn match_options(&self) -> MatchOptions {
        MatchOptions { platform: platform(), home: Some(self.options.home.clone()) }
    }

    /// A session over this policy, for calls that come one after another.
    pub fn session(&self, tools: impl IntoIterator<Item = String>) -> FakeHost {
        let mut registered: Vec<Value> = portcullis_test_fixtures::DEFAULT_TOOLS.iter().map(|name| Value::from(*name)).collect();
        for tool in self.options.tools.iter().cloned().chain(tools) {
            if !registered.iter().any(|known| known.as_str() == Some(&tool)) {
                registered.push(tool.into());
            }
        }
        let mut builder = FakeHostBuilder::new(&self.options.cwd, &self.options.home).tools(registered).trust(self.trust());
        builder = builder.platform(platform(), Arc::clone(&self.overlay) as _, Arc::new(NoStore));
        if let Some(dir) = &self.options.agent_dir {
            builder = builder.variable("PI_CODING_AGENT_DIR", dir);
        }
        if let Some(agent) = &self.options.agent {
            builder = builder.agent(agent);
        }
        if self.options.has_ui {
            builder = builder.ui(yes());
        }
        let host = builder.build();
        host.session_start("startup");
        host.journal.take();
        host.take_traces();
        host
    }

    /// Judges one call in a fresh session.
    pub fn judge(&self, call: &Call) -> Result<Judgement, String> {
        self.judge_in(&self.session(call.tool().map(str::to_owned)), call)
    }

    /// Judges one call in a session.
    pub fn judge_in(&self, host: &FakeHost, call: &Call) -> Result<Judgement, String> {
        host.take_traces();
        let goes_ahead = match call {
            Call::Tool(event) => host.raw_tool_call(event) == ToolCallAnswer::Allow,
            Call::Input(text) => host.input(text) == InputAnswer::Continue,
        };
        host.journal.take();
        if self.options.has_ui {
            host.ui.answer_with(yes());
        }
        let mut trace = host.take_traces().pop().ok_or_else(|| "the gate left no trace".to_owned())?;
        self.name_files(&mut trace);
        let verdict = Verdict::of(&trace);
        if verdict != Verdict::Ask && goes_ahead != (verdict == Verdict::Allow) {
            return Err("the gate did otherwise than its explanation says".into());
        }
        Ok(Judgement { verdict, trace })
    }

    /// Policy files under the names that a person gave them.
    fn name_files(&self, trace: &mut CallTrace) {
        for question in trace.gates.iter_mut().flat_map(|gate| &mut gate.questions) {
            let considered = question.rules.iter_mut().map(|considered| &mut considered.rule);
            for place in question.winner.iter_mut().chain(considered).filter_map(|rule| rule.location.as_mut()) {
                place.file = self.shown(&place.file).into();
            }
        }
    }

    fn trust(&self) -> Trust {
        if self.options.trusted { Trust::Trusted } else { Trust::Untrusted }
    }
}

fn yes() -> Vec<ScriptedAnswer> {
    vec![ScriptedAnswer::Choose(Choice::Approve); YES]
}

fn platform() -> Platform {
    if cfg!(windows) { Platform::Windows } else { Platform::Posix }
}

fn locations(environment: &FakeEnvironment, cwd: &str) -> PolicyLocations {
    PolicyLocations::new(&agent_dir(environment), Some(cwd), None, platform())
}

/// Takes nothing: a question about a policy leaves no file behind.
struct NoStore;

impl NoStore {
    fn refuse() -> Result<(), FileFault> {
        Err(FileFault { kind: FileFaultKind::PermissionDenied, message: "nothing is written here".into() })
    }
}

impl FileStore for NoStore {
    fn create_private_dir(&self, _: &str) -> Result<(), FileFault> {
        Self::refuse()
    }

    fn append_private(&self, _: &str, _: &[u8]) -> Result<(), FileFault> {
        Self::refuse()
    }

    fn replace_private(&self, _: &str, _: &[u8]) -> Result<(), FileFault> {
        Self::refuse()
    }
}
