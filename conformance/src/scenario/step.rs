//! What happens, one event or change at a time.

use serde_json::{Map, Value};

use super::expect::Expect;
use super::given::{Answer, ConfigTexts, FileEntry, Policy, Trusted};
use super::session::{ExchangeTrouble, LinkAnswer, Meanwhile, Staged};
use crate::source::Place;

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What happens.
    pub action: Action,
    /// The call's id, when the scenario names one.
    pub id: Option<String>,
    /// Answers of this step alone; without them the scenario's list goes on.
    pub answers: Option<Vec<Answer>>,
    /// The session that it happens in, by its name; absent in a world of one nameless session.
    pub session: Option<String>,
    /// What happens while it is under way.
    pub meanwhile: Vec<Meanwhile>,
    /// What is expected.
    pub expect: Option<Expect>,
    /// Where it stands.
    pub place: Place,
}

/// What happens in a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A tool call.
    Tool {
        /// The tool.
        name: String,
        /// Its input.
        input: Value,
    },
    /// A tool call exactly as the host would send it.
    RawEvent(Value),
    /// The person types.
    Input(Value),
    /// A turn of the agent begins.
    AgentStart {
        /// The system prompt; the world's listing of tools and skills when absent.
        system_prompt: Option<String>,
        /// Replaces the active set first.
        active_tools: Option<Vec<String>>,
    },
    /// The session starts.
    SessionStart {
        /// Why: `startup`, `new`, `reload`…
        reason: String,
    },
    /// The session ends.
    SessionShutdown,
    /// The session starts with reason `reload`.
    SessionReload,
    /// `resources_discover`.
    ResourcesReload {
        /// Why.
        reason: String,
    },
    /// Files change.
    PolicyChange(Box<Change>),
    /// What the host reports changes.
    HostChange(Box<HostChange>),
    /// An extension registers a path extractor.
    RegisterExtractor {
        /// The tool.
        tool: String,
        /// The input field.
        field: String,
        /// It raises this error instead.
        fails: Option<String>,
    },
    /// A question to the service.
    Query {
        /// Surface.
        surface: String,
        /// Value.
        value: Option<String>,
        /// Agent.
        agent: Option<String>,
    },
    /// The tool-level state from the service.
    ToolPermission {
        /// The tool.
        tool: String,
        /// Agent.
        agent: Option<String>,
    },
    /// Files come and go in the folders through which sessions ask each other.
    Stage(Vec<Staged>),
    /// Operations on those folders go wrong, in every session of the world.
    ExchangeTrouble(Vec<ExchangeTrouble>),
    /// So many milliseconds pass.
    Clock(u64),
    /// The session looks into its inbox once.
    Serve,
    /// The session's process ends without a word.
    Kill,
    /// Another extension says that a child came (`subagents:child:session-created`) or went (`…:disposed`).
    Subagent {
        /// It came.
        created: bool,
        /// The payload.
        payload: Value,
    },
    /// An extension registers an automatic answerer.
    RegisterLink {
        /// Its name.
        name: String,
        /// What it says, in order; the last goes on.
        answers: Vec<LinkAnswer>,
    },
}

impl Action {
    /// Whether it is a call that a gate decides: its compared outcome must say what decided it.
    pub fn is_call(&self) -> bool {
        matches!(self, Self::Tool { .. } | Self::RawEvent(_) | Self::Input(_))
    }

    /// Whether it happens in one session, and not to the world as a whole.
    pub fn is_in_a_session(&self) -> bool {
        !matches!(self, Self::Stage(_) | Self::ExchangeTrouble(_) | Self::Clock(_) | Self::PolicyChange(_))
    }

    /// Whether it makes sense only where sessions have names.
    pub fn is_about_sessions(&self) -> bool {
        matches!(
            self,
            Self::Stage(_) | Self::ExchangeTrouble(_) | Self::Clock(_) | Self::Serve | Self::Kill | Self::Subagent { .. }
        )
    }

    /// The outcomes that it can have.
    pub fn outcomes(&self) -> &'static [&'static str] {
        match self {
            Self::Tool { .. } | Self::RawEvent(_) => &["allow", "block"],
            Self::Input(_) => &["continue", "handled"],
            Self::Query { .. } | Self::ToolPermission { .. } => &["allow", "ask", "deny"],
            _ => &[],
        }
    }

    /// A short name for reports.
    pub fn summary(&self) -> String {
        match self {
            Self::Tool { name, input } => match input.get("command").or_else(|| input.get("path")).and_then(Value::as_str) {
                Some(text) => format!("{name}: {text}"),
                None => format!("{name} {input}"),
            },
            Self::RawEvent(event) => format!("raw event {event}"),
            Self::Input(Value::String(text)) => format!("input: {text}"),
            Self::Input(other) => format!("input: {other}"),
            Self::AgentStart { .. } => "agent start".into(),
            Self::SessionStart { reason } => format!("session start ({reason})"),
            Self::SessionShutdown => "session shutdown".into(),
            Self::SessionReload => "session reload".into(),
            Self::ResourcesReload { reason } => format!("resources reload ({reason})"),
            Self::PolicyChange(_) => "policy change".into(),
            Self::HostChange(_) => "host change".into(),
            Self::RegisterExtractor { tool, .. } => format!("register extractor for {tool}"),
            Self::Query { surface, value, .. } => format!("query {surface} {}", value.as_deref().unwrap_or("*")),
            Self::ToolPermission { tool, .. } => format!("tool permission {tool}"),
            Self::Stage(staged) => format!("stage {}", staged.iter().map(|one| &*one.path).collect::<Vec<_>>().join(", ")),
            Self::ExchangeTrouble(_) => "exchange trouble".into(),
            Self::Clock(milliseconds) => format!("clock +{milliseconds} ms"),
            Self::Serve => "serve".into(),
            Self::Kill => "kill".into(),
            Self::Subagent { created: true, payload } => format!("subagent created {payload}"),
            Self::Subagent { created: false, payload } => format!("subagent disposed {payload}"),
            Self::RegisterLink { name, .. } => format!("register link {name}"),
        }
    }
}

/// Files that change between two calls.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Change {
    /// Rules by scope.
    pub policy: Policy,
    /// Raw texts.
    pub texts: ConfigTexts,
    /// Other members of the global file.
    pub config: Option<Map<String, Value>>,
    /// Other members of the project's file.
    pub project_config: Option<Map<String, Value>>,
    /// Files, links and directories.
    pub files: Vec<(String, FileEntry)>,
    /// Paths that go away.
    pub remove: Vec<String>,
}

/// What the host reports from now on. An outer `None` means unchanged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HostChange {
    /// A user interface with these answers, or none.
    pub ui: Option<Option<Vec<Answer>>>,
    /// The next entry of the session; `None` inside is a null entry.
    pub agent: Option<Option<String>>,
    /// Registered tools.
    pub tools: Option<Vec<Value>>,
    /// Active tools.
    pub active_tools: Option<Vec<String>>,
    /// Trust.
    pub trusted: Option<Trusted>,
    /// The session id; `None` inside: the host knows none any more.
    pub session_id: Option<Option<String>>,
    /// Variables that change; `None`: it goes.
    pub env: Vec<(String, Option<String>)>,
}
