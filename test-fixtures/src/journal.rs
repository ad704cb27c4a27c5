//! What happened to the doubles, in one order.

use std::sync::{Arc, Mutex, PoisonError};

use portcullis_core::host::{ListDialog, LogStream, NoticeLevel};
use serde_json::Value;

use crate::log::LogLine;

/// One thing that a double was told.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// A broadcast.
    Emitted {
        /// Its channel.
        channel: String,
        /// What was sent.
        payload: Value,
    },
    /// A dialog was shown.
    Dialog(ListDialog),
    /// A line of text was asked for.
    Input {
        /// The heading.
        title: String,
    },
    /// A notice to the person.
    Notice {
        /// How loud.
        level: NoticeLevel,
        /// What it says.
        text: String,
    },
    /// A status text was set or cleared.
    Status {
        /// Its key.
        key: String,
        /// The text.
        text: Option<String>,
    },
    /// The active tools were set.
    ActiveTools(Vec<String>),
    /// A log line.
    Line {
        /// Which log.
        stream: LogStream,
        /// The line.
        line: LogLine,
    },
}

/// A shared list of happenings. Clones share it.
///
/// ```
/// use portcullis_core::host::{LogSink, LogStream};
/// use portcullis_test_fixtures::{Journal, RecordingLog};
///
/// let journal = Journal::default();
/// RecordingLog::new(&journal).append(LogStream::Review, r#"{"event":"config.resolved"}"#).unwrap();
/// assert_eq!(journal.log(LogStream::Review)[0]["event"], "config.resolved");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Journal(Arc<Mutex<Vec<Happening>>>);

impl Journal {
    /// Adds a happening.
    pub fn push(&self, happening: Happening) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(happening);
    }

    /// Everything so far.
    pub fn all(&self) -> Vec<Happening> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Everything since the last call; the journal is empty afterwards.
    pub fn take(&self) -> Vec<Happening> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The payloads of a channel.
    pub fn emitted(&self, channel: &str) -> Vec<Value> {
        self.pick(|happening| match happening {
            Happening::Emitted { channel: name, payload } if name == channel => Some(payload),
            _ => None,
        })
    }

    /// The decision events (`getDecisionEvents`).
    pub fn decisions(&self) -> Vec<Value> {
        self.emitted("permissions:decision")
    }

    /// The lines of a log.
    pub fn log(&self, wanted: LogStream) -> Vec<Value> {
        self.pick(|happening| match happening {
            Happening::Line { stream, line } if stream == wanted => Some(line.into_value()),
            _ => None,
        })
    }

    /// The dialogs.
    pub fn dialogs(&self) -> Vec<ListDialog> {
        self.pick(|happening| match happening {
            Happening::Dialog(dialog) => Some(dialog),
            _ => None,
        })
    }

    /// The texts of notices.
    pub fn notices(&self) -> Vec<String> {
        self.pick(|happening| match happening {
            Happening::Notice { text, .. } => Some(text),
            _ => None,
        })
    }

    fn pick<T>(&self, choose: impl Fn(Happening) -> Option<T>) -> Vec<T> {
        self.all().into_iter().filter_map(choose).collect()
    }
}
