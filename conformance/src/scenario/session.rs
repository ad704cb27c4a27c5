//! Worlds with more than one session, and the folders through which sessions ask each other.

use serde_json::{Map, Value};

use super::given::{Answer, Grant, Trusted};
use super::step::Step;
use crate::source::Place;

/// One session of a world with several.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GivenSession {
    /// Its name in the scenario; also its session id unless `id` says otherwise.
    pub name: String,
    /// The session id that its host reports; an inner `None`: the host reports none.
    pub id: Option<Option<String>>,
    /// The session that started it, by its name in the scenario.
    pub child_of: Option<String>,
    /// The process that it lives in; sessions of one process share memory.
    pub process: Option<String>,
    /// The person's answers; absent without a user interface.
    pub ui: Option<Vec<Answer>>,
    /// The active agent.
    pub agent: Option<String>,
    /// What its host says about its project.
    pub trusted: Option<Trusted>,
    /// Its directory; a session with rules of its own has one of its own.
    pub cwd: Option<String>,
    /// The folder in which its host keeps it.
    pub folder: Option<String>,
    /// Its host cannot tell that folder: the text of the failure.
    pub folder_fails: Option<String>,
    /// Rules of its project.
    pub policy: Option<Value>,
    /// Variables beside those of the world.
    pub env: Vec<(String, String)>,
    /// The registered tools, when they are not the world's.
    pub tools: Option<Vec<Value>>,
    /// Grants that stand already.
    pub session_rules: Vec<Grant>,
    /// It begins with a `session start` step of its own and not before the first step.
    pub waits: bool,
}

impl GivenSession {
    /// The id that its host reports.
    pub fn session_id(&self) -> Option<&str> {
        match &self.id {
            None => Some(&self.name),
            Some(id) => id.as_deref(),
        }
    }

    /// The process that it lives in.
    pub fn process_name(&self) -> &str {
        self.process.as_deref().unwrap_or("main")
    }

    /// The directory as a path with places.
    pub fn directory(&self) -> String {
        match &self.cwd {
            Some(cwd) => cwd.clone(),
            None if self.policy.is_some() => format!("${{HOME}}/{}", self.name),
            None => "${CWD}".to_owned(),
        }
    }

    /// Whether it is what the npm package can play too: a person, or a plain child of such a session.
    pub fn is_plain(&self) -> bool {
        let bare = Self { name: self.name.clone(), ui: self.ui.clone(), child_of: self.child_of.clone(), ..Self::default() };
        *self == bare && self.ui.is_some() != self.child_of.is_some()
    }
}

/// Something put into the shared folders. Paths are relative to `<forwarding root>/sessions`.
#[derive(Debug, Clone, PartialEq)]
pub struct Staged {
    /// Where.
    pub path: String,
    /// What.
    pub content: StagedContent,
    /// Where it stands in the scenario.
    pub place: Place,
}

/// What is put there. `${NOW}` (also `${NOW-6s}`, `${NOW+1m}`), `${REQUEST}` and `${NONCE}` are filled in at that moment.
#[derive(Debug, Clone, PartialEq)]
pub enum StagedContent {
    /// A request with the defaults of FIX-002.
    Request(StagedMessage),
    /// A response: a yes of the folder's session to the request that the file's name says.
    Response(StagedMessage),
    /// JSON as it is.
    Json(Value),
    /// A text as it is, repeated.
    Text {
        /// The text.
        text: String,
        /// How often.
        times: u64,
    },
    /// Bytes.
    Bytes(Vec<u8>),
    /// A symbolic link with this target.
    Symlink(String),
    /// An empty directory.
    Directory,
    /// Nothing: what stands there goes away.
    Absent,
    /// What stands there gets this name instead (relative to the same root).
    MovedTo(String),
}

/// Members that differ from the defaults.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StagedMessage {
    /// Members that replace or join the defaults.
    pub members: Map<String, Value>,
    /// Defaults that are left out.
    pub without: Vec<String>,
}

/// Something that happens while a step is under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Meanwhile {
    /// Milliseconds of the world's clock after the step began.
    pub after_ms: u64,
    /// What happens: any step without an expectation.
    pub step: Step,
}

/// An operation on the shared folders that goes wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeTrouble {
    /// Which operation: `create folder`, `list`, `read`, `create file`, `rename`, `remove file`, `remove folder`.
    pub operation: String,
    /// A text that the path contains; any path when empty.
    pub on: String,
    /// The kind of error: `transient`, `other`.
    pub error: String,
    /// How many times.
    pub times: u64,
}

impl ExchangeTrouble {
    /// The operations.
    pub const OPERATIONS: [&'static str; 7] =
        ["create folder", "list", "read", "create file", "rename", "remove file", "remove folder"];
    /// The errors.
    pub const ERRORS: [&'static str; 2] = ["transient", "other"];
}

/// What a link (an automatic answerer) says when it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkAnswer {
    /// Yes, this once.
    Allow,
    /// No, with a reason.
    Deny(String),
    /// The next one decides.
    Defer,
    /// It raises an error.
    Fail(String),
}

/// Reads `250ms`, `2s`, `11m`, `3h`: whole numbers.
pub fn parse_duration(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits)?;
    let factor: u64 = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor).filter(|milliseconds| *milliseconds <= 30 * 24 * 3_600_000)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::{GivenSession, parse_duration};

    #[rstest]
    #[case("250ms", Some(250))]
    #[case("2s", Some(2_000))]
    #[case("11m", Some(660_000))]
    #[case("1h", Some(3_600_000))]
    #[case("0s", Some(0))]
    #[case("s", None)]
    #[case("1.5s", None)]
    #[case("-1s", None)]
    #[case("10", None)]
    #[case("99999999999999999999h", None)]
    #[case("721h", None)]
    fn durations(#[case] text: &str, #[case] milliseconds: Option<u64>) {
        assert_eq!(parse_duration(text), milliseconds);
    }

    #[test]
    fn a_session_with_rules_of_its_own_has_a_directory_of_its_own() {
        let mut session = GivenSession { name: "child".into(), child_of: Some("parent".into()), ..GivenSession::default() };
        assert_eq!((session.directory().as_str(), session.session_id(), session.is_plain()), ("${CWD}", Some("child"), true));
        session.policy = Some(serde_json::json!({}));
        assert_eq!((session.directory().as_str(), session.is_plain()), ("${HOME}/child", false));
    }
}
