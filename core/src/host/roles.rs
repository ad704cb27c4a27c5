//! One trait a role: the person, the tools, the bus, the log, clock, ids, environment, and the context of one event.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

/// What a host trait answers.
pub type HostResult<T> = Result<T, HostError>;

/// A failure inside the host. The boundary turns it into a block (HAND-007); its text is shown, so it must say what failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError {
    /// The message as the host gave it.
    pub message: String,
}

impl HostError {
    /// An error with this text.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for HostError {}

/// How loud a notice to the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeLevel {
    /// For information.
    Info,
    /// Something the person should mend.
    Warning,
    /// Something failed.
    Error,
}

/// The identity of an option of the ask dialog. Answers are compared by identity, never by text (FWD-D12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Choice {
    /// This call only.
    Approve,
    /// This call, and the suggestion is stored for the session.
    ApproveForSession,
    /// No.
    Deny,
    /// No, with a reason that is typed next.
    DenyWithReason,
    /// For the session, in both directions (RES-32; local path asks of one proven direction only).
    ApproveForSessionBothDirections,
    /// Scope question (AUTH-009): the yes is remembered for the asking sub-agent only.
    RequesterOnly,
    /// Scope question: the yes is remembered for this session and all its sub-agents.
    WholeSession,
}

impl Choice {
    /// The key of the option in keyed dialogs (AUTH-010, RES-32). The scope step of [`KeyedDialog`] has none; a host that
    /// shows the scope question as a list may use these.
    ///
    /// [`KeyedDialog`]: crate::authority::KeyedDialog
    pub fn key(self) -> char {
        match self {
            Self::Approve => 'y',
            Self::ApproveForSession => 's',
            Self::Deny => 'n',
            Self::DenyWithReason => 'r',
            Self::ApproveForSessionBothDirections => 'w',
            Self::RequesterOnly => 'o',
            Self::WholeSession => 'a',
        }
    }
}

/// One option of a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogOption {
    /// What choosing it means.
    pub choice: Choice,
    /// What the person reads.
    pub label: String,
}

/// One question to the person (AUTH-008).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListDialog {
    /// The heading.
    pub title: String,
    /// The request, escaped (HARD-053, HARD-062).
    pub message: String,
    /// The complete view, one key away (HARD-053). Empty when `message` already shows every fact in full.
    pub full_message: String,
    /// The options in order: the four of AUTH-008, and sometimes a fifth (RES-32); or the two of the scope question (AUTH-009).
    pub options: Vec<DialogOption>,
}

/// The person in front of the session.
pub trait UserInterface: Send + Sync {
    /// Shows a notice; nobody waits for an answer.
    fn notify(&self, level: NoticeLevel, text: &str) -> HostResult<()>;
    /// Puts a question. `None` means that the dialog was dismissed.
    fn select(&self, dialog: &ListDialog) -> HostResult<Option<Choice>>;
    /// Asks for a line of text. `None` means cancelled.
    fn input(&self, title: &str) -> HostResult<Option<String>>;
    /// Sets or clears a status text.
    fn set_status(&self, key: &str, text: Option<&str>) -> HostResult<()>;
}

/// The host's tools. Entries are strings or objects; names are read by HAND-001.
pub trait ToolRegistry: Send + Sync {
    /// All registered tools.
    fn get_all(&self) -> HostResult<Vec<Value>>;
    /// The tools that are switched on.
    fn get_active(&self) -> HostResult<Vec<Value>>;
    /// Switches on exactly these.
    fn set_active(&self, names: &[String]) -> HostResult<()>;
}

/// Broadcasts to other extensions. Best effort: a failure never changes a decision (AUTH-014).
pub trait EventBus: Send + Sync {
    /// Sends the payload to everyone who listens on the channel.
    fn emit(&self, channel: &str, payload: &Value) -> HostResult<()>;
}

/// The two logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LogStream {
    /// What was decided, for people.
    Review,
    /// What the engine did, for its developers.
    Debug,
}

impl LogStream {
    /// The value of the `stream` field of a line (EVT-006).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Debug => "debug",
        }
    }
}

/// Where log lines go. A line is one JSON object without its line end.
pub trait LogSink: Send + Sync {
    /// Appends one line to the log.
    fn append(&self, stream: LogStream, line: &str) -> HostResult<()>;
}

/// The time of day.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970-01-01 UTC.
    fn now_ms(&self) -> u64;
}

/// Randomness and the process number, for request ids (PIPE-012).
pub trait IdSource: Send + Sync {
    /// A fresh random number.
    fn random(&self) -> u64;
    /// The operating system's number of this process.
    fn process_id(&self) -> u32;
}

/// Which rules for path texts hold (PATH-013). Decided once a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Platform {
    /// `/` separates, case counts.
    #[default]
    Posix,
    /// `\` and `/` separate, case does not count.
    Windows,
}

/// The process environment.
pub trait Environment: Send + Sync {
    /// The value of a variable.
    fn var(&self, name: &str) -> Option<String>;
    /// The home directory: `HOME` when set, else the account's (RULE-006). Empty or relative homes are refused by their
    /// readers (POLICY-D10).
    fn home(&self) -> Option<String>;
    /// The platform whose path rules hold.
    fn platform(&self) -> Platform;
}

/// What the host says about the project (HARD-011). Unknown counts as untrusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Trust {
    /// The person trusts the project.
    Trusted,
    /// The person does not.
    Untrusted,
    /// The host has no word on it.
    #[default]
    Unknown,
}

impl Trust {
    /// Whether project scopes may be read.
    pub fn is_trusted(self) -> bool {
        self == Self::Trusted
    }
}

/// The context that the host hands in with every event.
pub trait HostContext: Send + Sync {
    /// The session's working directory, absolute.
    fn cwd(&self) -> HostResult<String>;
    /// The person, when the session has a screen.
    fn user_interface(&self) -> Option<Arc<dyn UserInterface>>;
    /// The session's entries, oldest first (HAND-016).
    fn session_entries(&self) -> HostResult<Vec<Value>>;
    /// The session's id, when the host knows one.
    fn session_id(&self) -> Option<String>;
    /// Whether the project is trusted.
    fn trust(&self) -> Trust;
    /// The folder in which the host keeps this session, when it keeps it in one: children of some hosts are known by it
    /// (SUB-004).
    fn session_dir(&self) -> HostResult<Option<String>> {
        Ok(None)
    }
}
