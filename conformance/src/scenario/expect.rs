//! What is expected of a step. What is not mentioned is not compared.

use serde_json::{Map, Value};

use super::given::Grant;
use crate::source::Place;

/// The expectations of one step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expect {
    /// Where they stand.
    pub place: Place,
    /// The outcome.
    pub outcome: Option<String>,
    /// What decided.
    pub by: Option<By>,
    /// Texts in the block's reason.
    pub reason: Vec<String>,
    /// Texts not in it.
    pub reason_lacks: Vec<String>,
    /// The questions, in order and all.
    pub prompts: Option<Vec<PromptExpectation>>,
    /// The notices.
    pub notifications: Option<NoticeExpectation>,
    /// The decision events, in order and all.
    pub decisions: Option<Vec<EventExpectation>>,
    /// The prompt events, in order and all.
    pub ui_prompts: Option<Vec<EventExpectation>>,
    /// The review log.
    pub review_log: ListExpectation,
    /// The debug log.
    pub debug_log: ListExpectation,
    /// All grants after the step.
    pub session_rules: Option<Vec<Grant>>,
    /// The active set after the step.
    pub active_tools: Option<Vec<String>>,
    /// Tool names left in the returned system prompt.
    pub tools_listed: Option<Vec<String>>,
    /// Skill names left in it.
    pub skills_listed: Option<Vec<String>>,
    /// The system prompt itself.
    pub system_prompt: Option<SystemPromptExpectation>,
    /// Text of the host's status key; the inner `None` is `null`.
    pub status: Option<Option<String>>,
    /// Paths that the step created or changed.
    pub files_written: Option<Vec<String>>,
    /// Source of a query's answer.
    pub source: Option<String>,
    /// Pattern of a query's answer; the inner `None` is `null`.
    pub pattern: Option<Option<String>>,
    /// What could be seen in other sessions, by their names.
    pub sessions: Vec<(String, Expect)>,
    /// The messages that were put into the shared folders, in order and all.
    pub messages: Option<Vec<MessageExpectation>>,
    /// Everything that stands in the shared folders after the step, heartbeats left out.
    pub exchange: Option<Vec<String>>,
    /// Members of JSON files in the shared folders.
    pub exchange_has: Vec<(String, EventExpectation)>,
    /// Modes of entries of the shared folders, in octal digits.
    pub modes: Vec<(String, String)>,
    /// The folders that hold a heartbeat after the step.
    pub heartbeats: Option<Vec<String>>,
    /// Milliseconds that the step took at least, and less than which.
    pub took: Option<(u64, u64)>,
    /// Payloads of `permissions:ready`, in order and all.
    pub ready: Option<Vec<EventExpectation>>,
}

/// One message on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageExpectation {
    /// A request; a response otherwise.
    pub request: bool,
    /// Members; null must be null or absent.
    pub members: Map<String, Value>,
    /// Members that must not stand there at all.
    pub without: Vec<String>,
}

/// What decided. An inner `None` expects null.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct By {
    /// Gate.
    pub gate: Option<String>,
    /// Surface.
    pub surface: Option<String>,
    /// Pattern of the rule.
    pub rule: Option<Option<String>>,
    /// Origin.
    pub origin: Option<Option<String>>,
    /// Source.
    pub source: Option<String>,
    /// Resolution.
    pub resolution: Option<String>,
    /// A requirement that the trace names as a tightening.
    pub requirement: Option<String>,
    /// The value that was decided about.
    pub value: Option<String>,
}

impl By {
    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptExpectation {
    /// Surface of the prompt event.
    pub surface: Option<Option<String>>,
    /// Value of the prompt event.
    pub value: Option<Option<String>>,
    /// Surface of the decision that followed.
    pub asks_on: Option<String>,
    /// Texts in the message.
    pub contains: Vec<String>,
    /// Texts not in it.
    pub lacks: Vec<String>,
    /// Text in the label of the "for this session" option.
    pub label: Option<String>,
    /// Number of options.
    pub options: Option<u64>,
    /// Texts in the options, in order and all.
    pub offers: Vec<String>,
}

/// Members that an event or log line must have; others are not compared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EventExpectation {
    /// Members by name; null must be null or absent.
    pub members: Map<String, Value>,
}

/// Expectations about a list of log lines.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListExpectation {
    /// All lines in order.
    pub exactly: Option<Vec<EventExpectation>>,
    /// Lines among others.
    pub has: Vec<EventExpectation>,
    /// Event names that do not occur.
    pub lacks: Vec<String>,
}

impl ListExpectation {
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.exactly.is_none() && self.has.is_empty() && self.lacks.is_empty()
    }
}

/// The notices to the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeExpectation {
    /// So many.
    Count(u64),
    /// Texts that they contain, in order and all.
    Contain(Vec<String>),
}

/// The returned system prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemPromptExpectation {
    /// No new prompt was returned.
    Unchanged,
    /// A prompt with and without these texts.
    Texts {
        /// Contained.
        contains: Vec<String>,
        /// Not contained.
        lacks: Vec<String>,
    },
}

impl Expect {
    /// Whether nothing at all is expected.
    pub fn is_empty(&self) -> bool {
        self == &Self { place: self.place, ..Self::default() }
    }
}
