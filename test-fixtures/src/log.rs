//! A log sink that remembers.

use std::borrow::Borrow;
use std::ops::Deref;
use std::sync::OnceLock;

use portcullis_core::host::{HostError, HostResult, LogSink, LogStream};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::journal::{Happening, Journal};

/// A line of a log. It is read as JSON when somebody looks into it, and most lines nobody does; one that is none is a text.
///
/// ```
/// use portcullis_test_fixtures::LogLine;
///
/// assert_eq!(LogLine::new(r#"{"event":"config.resolved"}"#)["event"], "config.resolved");
/// assert_eq!(LogLine::new("event").as_str(), Some("event"));
/// ```
#[derive(Debug, Clone)]
pub struct LogLine {
    text: String,
    read: OnceLock<Value>,
}

impl LogLine {
    /// A line as it was written.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), read: OnceLock::new() }
    }

    /// What it says.
    pub fn into_value(self) -> Value {
        self.read.into_inner().unwrap_or_else(|| read(&self.text))
    }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

impl Deref for LogLine {
    type Target = Value;

    fn deref(&self) -> &Value {
        self.read.get_or_init(|| read(&self.text))
    }
}

impl Borrow<Value> for LogLine {
    fn borrow(&self) -> &Value {
        self
    }
}

impl From<Value> for LogLine {
    fn from(value: Value) -> Self {
        Self { text: String::new(), read: value.into() }
    }
}

impl PartialEq for LogLine {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Serialize for LogLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LogLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

/// Records every log line.
#[derive(Debug, Clone)]
pub struct RecordingLog {
    journal: Journal,
    fails: Option<String>,
}

impl RecordingLog {
    /// A log that writes into the journal.
    pub fn new(journal: &Journal) -> Self {
        Self { journal: journal.clone(), fails: None }
    }

    /// A log that cannot be written, with this text.
    pub fn failing(journal: &Journal, text: &str) -> Self {
        Self { journal: journal.clone(), fails: Some(text.to_owned()) }
    }
}

impl LogSink for RecordingLog {
    fn append(&self, stream: LogStream, line: &str) -> HostResult<()> {
        if let Some(text) = &self.fails {
            return Err(HostError::new(text.clone()));
        }
        self.journal.push(Happening::Line { stream, line: LogLine::new(line) });
        Ok(())
    }
}
