//! One line of a review log (EVT-006, EVT-009, EVT-010), as the npm package writes it and as the reference does.

use serde::{Deserialize, Serialize};

use super::lines::RawLine;
use crate::own_policy::Verdict;

/// Why something of a log cannot be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The line is no JSON object of a log.
    MalformedLine,
    /// The line is longer than a gate writes.
    LongLine,
    /// An event of requests that nobody knows.
    UnknownEvent,
    /// The record does not hold what the call was called with.
    InputNotRecorded,
    /// A secret in it was masked.
    Masked,
    /// It was cut.
    Cut,
    /// A character in it was escaped, so that it cannot be told what stood there.
    Escaped,
    /// A shell tool that the policy does not know.
    NoSuchTool,
    /// The tool takes a working directory, which the record does not hold.
    DirectoryNotRecorded,
    /// The request came from a skill's file, and the record does not hold the session's skills.
    SkillsNotRecorded,
}

impl Reason {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::MalformedLine => "the line is no JSON of a review log",
            Self::LongLine => "the line is longer than 1 MiB",
            Self::UnknownEvent => "an event that nobody knows",
            Self::InputNotRecorded => "the log does not say what the tool was called with",
            Self::Masked => "a part is masked",
            Self::Cut => "it was cut",
            Self::Escaped => "a character of it is escaped",
            Self::NoSuchTool => "the policy knows no such shell tool",
            Self::DirectoryNotRecorded => "the log does not say in which directory",
            Self::SkillsNotRecorded => "the log does not say which skills there were",
        }
    }
}

/// What one line says of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Entry {
    pub(super) call_id: Option<String>,
    pub(super) source: String,
    pub(super) tool: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) skill: Option<String>,
    pub(super) path: Option<String>,
    pub(super) command: Option<String>,
}

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// Something of a request, and what became of it there.
    Request(Entry, Verdict),
    /// Another event of a log, or an empty line.
    Other,
    /// It cannot be read.
    Bad(Reason),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    event: String,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    tool_call_id: Option<String>,
    #[serde(default)]
    request_id: Option<String>,
    #[serde(default)]
    tool_name: Option<String>,
    #[serde(default)]
    agent_name: Option<String>,
    #[serde(default)]
    skill_name: Option<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    resolution: Option<String>,
}

impl Line {
    pub(super) fn read(line: RawLine<'_>) -> Self {
        let bytes = match line {
            RawLine::TooLong => return Self::Bad(Reason::LongLine),
            RawLine::Bytes(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => return Self::Other,
            RawLine::Bytes(bytes) => bytes,
        };
        let Ok(fields) = serde_json::from_slice::<Fields>(bytes) else { return Self::Bad(Reason::MalformedLine) };
        let Some(event) = fields.event.strip_prefix("permission_request.") else { return Self::Other };
        let recorded = match (event, fields.resolution.as_deref()) {
            ("waiting" | "approved" | "denied" | "session_approved", _) => Verdict::Ask,
            ("blocked", Some("policy_denied")) => Verdict::Deny,
            // Nobody was there, or the gate itself failed: not the policy's word.
            ("blocked", _) => Verdict::Ask,
            ("auto_approved" | "policy_allowed" | "infrastructure_auto_allowed", _) => Verdict::Allow,
            _ => return Self::Bad(Reason::UnknownEvent),
        };
        let entry = Entry {
            // A typed skill is no tool call; its request has an id all the same.
            call_id: fields.tool_call_id.or(fields.request_id),
            source: fields.source.unwrap_or_default(),
            tool: fields.tool_name,
            agent: fields.agent_name,
            skill: fields.skill_name,
            path: fields.path,
            command: fields.command,
        };
        Self::Request(entry, recorded)
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn read(text: &str) -> Line {
        Line::read(RawLine::Bytes(text.as_bytes()))
    }

    #[rstest]
    #[case(r#"{"event":"permission_request.waiting","resolution":null,"command":"ls"}"#, Verdict::Ask)]
    #[case(r#"{"event":"permission_request.denied","resolution":"denied","command":"ls"}"#, Verdict::Ask)]
    #[case(r#"{"event":"permission_request.blocked","resolution":"policy_denied","command":"ls"}"#, Verdict::Deny)]
    #[case(r#"{"event":"permission_request.blocked","resolution":"confirmation_unavailable","command":"ls"}"#, Verdict::Ask)]
    #[case(r#"{"event":"permission_request.auto_approved","resolution":"auto_approved","command":"ls"}"#, Verdict::Allow)]
    fn evt_010_events(#[case] text: &str, #[case] expected: Verdict) {
        let entry = Entry { command: Some("ls".into()), ..Entry::default() };
        assert_eq!(read(text), Line::Request(entry, expected));
    }

    #[rstest]
    #[case("", Line::Other)]
    #[case(r#"{"event":"config.resolved"}"#, Line::Other)]
    #[case(r#"{"event":"permission_request.other"}"#, Line::Bad(Reason::UnknownEvent))]
    #[case(r#"{"event":"permission_request.waiting","command":7}"#, Line::Bad(Reason::MalformedLine))]
    #[case(r#"{"event":"permission_request.waiting","command":"a","command":"b"}"#, Line::Bad(Reason::MalformedLine))]
    #[case(r#"{"event":"permission_request.waiting"#, Line::Bad(Reason::MalformedLine))]
    #[case("[]", Line::Bad(Reason::MalformedLine))]
    fn what_is_no_request_is_told_apart(#[case] text: &str, #[case] expected: Line) {
        assert_eq!(read(text), expected);
    }

    proptest! {
        /// Whatever a line holds: it is read or named, and nothing is made up.
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Line::read(RawLine::Bytes(&bytes));
        }

        #[test]
        fn a_broken_record_is_never_a_request(
            cut in 1..160_usize,
        ) {
            let whole = r#"{"timestamp":"t","event":"permission_request.waiting","source":"tool_call","toolCallId":"c","toolName":"bash","command":"rm -rf build"}"#;
            prop_assume!(cut < whole.len());
            prop_assert_eq!(read(whole.get(..cut).unwrap()), Line::Bad(Reason::MalformedLine));
        }
    }
}
