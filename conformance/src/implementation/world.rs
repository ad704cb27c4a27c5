//! What an implementation is told: the world when a scenario begins, and one request a step. Places are filled in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::exchange_files::WorldFile;
use super::observation::ObservedGrant;

/// The world of one scenario. Its files stand on disk already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct World {
    /// Name of the scenario row, for messages only.
    pub scenario: String,
    /// The session's directory.
    pub cwd: String,
    /// The home directory.
    pub home: String,
    /// The agent directory.
    pub agent_dir: String,
    /// Where `home` really lies, when the platform's paths are not those of this machine.
    pub real_home: String,
    /// `posix` or `windows`.
    pub platform: String,
    /// Environment variables, `HOME` and `PI_CODING_AGENT_DIR` among them.
    pub env: Vec<(String, String)>,
    /// Registered tools: names or entries.
    pub tools: Vec<Value>,
    /// Active tools; all when absent.
    pub active_tools: Option<Vec<String>>,
    /// The person's answers; absent: no user interface.
    pub ui: Option<Vec<WorldAnswer>>,
    /// The active agent: one session entry.
    pub agent: Option<String>,
    /// `trusted`, `untrusted` or `unknown`.
    pub trust: String,
    /// Grants that stand when the first step begins.
    pub session_rules: Vec<ObservedGrant>,
    /// Mocked answers instead of a policy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<WorldCheck>,
    /// The sessions, when there is not just one without a name; every step that happens in one then says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<WorldSession>,
}

/// One session of a world with several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorldSession {
    /// Its name in steps and observations.
    pub name: String,
    /// The session id that its host reports.
    pub id: Option<String>,
    /// Its directory.
    pub cwd: String,
    /// The folder in which its host keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Its host cannot tell that folder: the text of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_fails: Option<String>,
    /// The name of its process; sessions of one process share memory.
    pub process: String,
    /// The session that started it. In one process its parent announces it; from another process the environment names the parent.
    pub child_of: Option<String>,
    /// The person's answers; absent: no user interface.
    pub ui: Option<Vec<WorldAnswer>>,
    /// The active agent.
    pub agent: Option<String>,
    /// `trusted`, `untrusted` or `unknown`.
    pub trust: String,
    /// All its variables.
    pub env: Vec<(String, String)>,
    /// Registered tools.
    pub tools: Vec<Value>,
    /// Grants that stand when it starts.
    pub session_rules: Vec<ObservedGrant>,
}

/// A mocked answer of the resolver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorldCheck {
    /// What it answers: `surface`, `path` or `bash`.
    pub on: String,
    /// The surface, the path value, or the regular expression that a command matches.
    pub key: String,
    /// The state.
    pub state: String,
    /// The matched pattern.
    pub pattern: Option<String>,
    /// The origin.
    pub origin: Option<String>,
    /// The source.
    pub source: Option<String>,
    /// The reason of a deny.
    pub reason: Option<String>,
}

/// What the person answers to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "camelCase")]
pub enum WorldAnswer {
    /// Yes, this once.
    Approve,
    /// Yes, for this session.
    ApproveForSession,
    /// Yes, for this session, in both directions.
    ApproveBothDirections,
    /// Yes, for the serving session and all its children.
    ApproveForWholeSession,
    /// Yes for a session, and the question which one is closed.
    ApproveForSessionThenDismiss,
    /// No.
    Deny,
    /// No, with a reason.
    DenyWithReason {
        /// The reason.
        reason: String,
    },
    /// The dialog is closed.
    Dismiss,
    /// The dialog raises an error.
    Fail {
        /// Its text.
        text: String,
    },
    /// The answer comes so much later than the question.
    Later {
        /// Milliseconds of the world's clock.
        milliseconds: u64,
        /// The answer.
        then: Box<WorldAnswer>,
    },
}

/// One step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StepRequest {
    /// `tool_call` with this event.
    ToolCall {
        /// The event.
        event: Value,
        /// Answers of this step alone; without them the world's list goes on.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        answers: Option<Vec<WorldAnswer>>,
    },
    /// `input` with this text.
    Input {
        /// What was typed.
        text: Value,
        /// Answers of this step alone.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        answers: Option<Vec<WorldAnswer>>,
    },
    /// `before_agent_start`.
    AgentStart {
        /// The system prompt.
        system_prompt: String,
        /// Replaces the active set first.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        active_tools: Option<Vec<String>>,
    },
    /// `session_start`.
    SessionStart {
        /// Why.
        reason: String,
    },
    /// `session_shutdown`.
    SessionShutdown,
    /// `resources_discover`.
    ResourcesDiscover {
        /// Why.
        reason: String,
    },
    /// The gate is taken down and built anew; the host stays.
    Restart,
    /// Files have changed on disk.
    FilesChanged,
    /// What the host reports changes.
    HostChange {
        /// A user interface comes (with these answers) or goes.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        ui: Option<UiChange>,
        /// A new session entry.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        agent: Option<AgentChange>,
        /// Registered tools.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        tools: Option<Vec<Value>>,
        /// Active tools.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        active_tools: Option<Vec<String>>,
        /// Trust.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        trust: Option<String>,
        /// Another session id.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        session_id: Option<IdChange>,
        /// Variables that change; null: it goes.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        env: Vec<(String, Option<String>)>,
    },
    /// An extension registers a path extractor.
    RegisterExtractor {
        /// The tool.
        tool: String,
        /// The input field that it reads.
        field: String,
        /// It raises this error instead.
        #[serde(skip_serializing_if = "Option::is_none", default)]
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
    /// Something that happens in one of several sessions, or to the world while others are under way.
    In {
        /// The session; absent for what happens to the world as a whole.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        session: Option<String>,
        /// What happens.
        step: Box<StepRequest>,
        /// Answers of this step alone.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        answers: Option<PersonAnswers>,
        /// What happens while it is under way, in order.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        meanwhile: Vec<WorldMeanwhile>,
    },
    /// Time passes.
    Clock {
        /// So much.
        milliseconds: u64,
    },
    /// The session looks into its inbox once.
    Serve,
    /// The session's process ends without a word.
    Kill,
    /// `subagents:child:session-created` or `subagents:child:session-disposed` on the session's bus.
    Subagent {
        /// The first of the two.
        created: bool,
        /// The payload.
        payload: Value,
    },
    /// An extension registers an automatic answerer.
    RegisterLink {
        /// Its name.
        name: String,
        /// What it says, in order; the last goes on.
        answers: Vec<WorldLinkAnswer>,
    },
    /// Files come and go in the shared folders; sent only as something that happens meanwhile.
    Stage {
        /// The files.
        files: Vec<WorldFile>,
    },
    /// Operations on the shared folders go wrong from now on.
    ExchangeTrouble {
        /// Which.
        troubles: Vec<WorldTrouble>,
    },
}

/// Something that happens while a step is under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorldMeanwhile {
    /// Milliseconds of the world's clock after the step began.
    pub after: u64,
    /// The session that it happens in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session: Option<String>,
    /// What happens.
    pub step: StepRequest,
}

/// Answers that one session's person gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonAnswers {
    /// The session.
    pub session: String,
    /// The answers; what is left of them goes with the step.
    pub answers: Vec<WorldAnswer>,
}

/// What an automatic answerer says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "camelCase")]
pub enum WorldLinkAnswer {
    /// Yes, this once.
    Allow,
    /// No.
    Deny {
        /// The reason.
        reason: String,
    },
    /// The next one decides.
    Defer,
    /// It raises an error.
    Fail {
        /// Its text.
        text: String,
    },
}

/// An operation on the shared folders that goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorldTrouble {
    /// `create folder`, `list`, `read`, `create file`, `rename`, `remove file`, `remove folder`.
    pub operation: String,
    /// A text that the path contains.
    pub on: String,
    /// `transient` (EPERM, EBUSY, EACCES) or `other`.
    pub error: String,
    /// How many times.
    pub times: u64,
}

/// Another session id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdChange {
    /// The id; `None`: the host knows none any more.
    pub id: Option<String>,
}

/// A user interface comes or goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UiChange {
    /// The answers; `None`: it goes.
    pub answers: Option<Vec<WorldAnswer>>,
}

/// A new session entry about the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentChange {
    /// The name; `None`: a null entry.
    pub name: Option<String>,
}
