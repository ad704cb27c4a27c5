//! The world before the first step. Texts may hold places; they are filled in when the world is built.

use serde_json::{Map, Value};

use super::session::GivenSession;

/// Texts of configuration files by place, and rules by scope.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    /// Rules by scope.
    pub policy: Policy,
    /// Raw texts that stand instead.
    pub texts: ConfigTexts,
    /// Other members of the global configuration file.
    pub config: Option<Map<String, Value>>,
    /// Other members of the project's configuration file.
    pub project_config: Option<Map<String, Value>>,
    /// The registered tools: names or entries.
    pub tools: Option<Vec<Value>>,
    /// The tools that are switched on; all of them when absent.
    pub active_tools: Option<Vec<String>>,
    /// The person's answers; absent without a user interface.
    pub ui: Option<Vec<Answer>>,
    /// The active agent.
    pub agent: Option<String>,
    /// What the host says about the project.
    pub trusted: Trusted,
    /// Path rules of Windows.
    pub windows: bool,
    /// Environment variables.
    pub env: Vec<(String, String)>,
    /// Files, links and directories.
    pub files: Vec<(String, FileEntry)>,
    /// Skills listed in the prompt of the implied first agent start.
    pub skills: Vec<SkillEntry>,
    /// Servers in the agent directory's MCP list.
    pub mcp_servers: Option<Vec<String>>,
    /// Servers in the project's MCP list.
    pub project_mcp_servers: Option<Vec<String>>,
    /// Tool name to the input field that its registered extractor reads.
    pub extractors: Vec<(String, String)>,
    /// Grants that stand already.
    pub session_rules: Vec<Grant>,
    /// Answers by surface instead of a policy.
    pub checks: Vec<(String, CheckAnswer)>,
    /// Answers by path value.
    pub path_checks: Vec<(String, CheckAnswer)>,
    /// Answers by command.
    pub bash_checks: Vec<BashCheck>,
    /// The sessions, when there is not just the one that nobody names.
    pub sessions: Vec<GivenSession>,
}

/// Rules by scope: surface maps as the configuration file holds them under `permission`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Policy {
    /// Global.
    pub global: Option<Value>,
    /// Project.
    pub project: Option<Value>,
    /// Agent files of the agent directory, by name.
    pub agents: Vec<(String, Value)>,
    /// Agent files of the project, by name.
    pub project_agents: Vec<(String, Value)>,
}

impl Policy {
    /// Whether no scope has rules.
    pub fn is_empty(&self) -> bool {
        self.global.is_none() && self.project.is_none() && self.agents.is_empty() && self.project_agents.is_empty()
    }

    /// All surface maps.
    pub fn maps(&self) -> impl Iterator<Item = &Value> {
        let agents = self.agents.iter().chain(&self.project_agents).map(|(_, map)| map);
        self.global.iter().chain(&self.project).chain(agents)
    }
}

/// Raw texts of files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConfigTexts {
    /// Global configuration file.
    pub global: Option<String>,
    /// Project configuration file.
    pub project: Option<String>,
    /// Agent files of the agent directory, by name.
    pub agents: Vec<(String, String)>,
    /// Agent files of the project, by name.
    pub project_agents: Vec<(String, String)>,
    /// Legacy global policy.
    pub legacy_global: Option<String>,
    /// Legacy project policy.
    pub legacy_project: Option<String>,
    /// MCP list of the agent directory.
    pub mcp: Option<String>,
    /// MCP list of the project.
    pub project_mcp: Option<String>,
}

/// What the host says about the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trusted {
    /// It is trusted: the default of scenarios (RES-02).
    #[default]
    Yes,
    /// It is not.
    No,
    /// The host has no word on it.
    Unknown,
}

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileEntry {
    /// A file with this text.
    Text(String),
    /// A symbolic link with this target.
    Symlink(String),
    /// An empty directory.
    Directory,
}

/// A skill of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillEntry {
    /// Its name.
    pub name: String,
    /// Its file.
    pub location: String,
    /// Its description.
    pub description: String,
}

/// A session rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Surface.
    pub surface: String,
    /// Pattern.
    pub pattern: String,
}

/// A mocked answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckAnswer {
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

/// A mocked answer to commands that match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BashCheck {
    /// A regular expression.
    pub matches: String,
    /// The answer.
    pub answer: CheckAnswer,
}

/// What the person answers to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Yes, this once.
    Approve,
    /// Yes, for this session.
    ApproveForSession,
    /// Yes, for this session, in both directions (RES-32).
    ApproveBothDirections,
    /// Yes, for the session that serves the question and all its children (AUTH-009).
    ApproveForWholeSession,
    /// Yes for a session, and the question which one is dismissed.
    ApproveForSessionThenDismiss,
    /// No.
    Deny,
    /// No, with a reason.
    DenyWithReason(String),
    /// The dialog is closed.
    Dismiss,
    /// The dialog fails with this text.
    Fail(String),
    /// The answer comes so many milliseconds after the question.
    Later(u64, Box<Answer>),
}

impl Answer {
    /// The answers that are plain words.
    pub const WORDS: [&'static str; 7] = [
        "approve",
        "approve for session",
        "approve both directions",
        "approve for whole session",
        "approve for session then dismiss",
        "deny",
        "dismiss",
    ];

    /// The answer of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "approve" => Self::Approve,
            "approve for session" => Self::ApproveForSession,
            "approve both directions" => Self::ApproveBothDirections,
            "approve for whole session" => Self::ApproveForWholeSession,
            "approve for session then dismiss" => Self::ApproveForSessionThenDismiss,
            "deny" => Self::Deny,
            "dismiss" => Self::Dismiss,
            _ => return None,
        })
    }
}
