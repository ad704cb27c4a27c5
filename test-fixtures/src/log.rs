//! A log sink that remembers.

use portcullis_core::host::{HostError, HostResult, LogSink, LogStream};
use serde_json::Value;

use crate::journal::{Happening, Journal};

/// Records every log line, read as JSON.
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
        let line = serde_json::from_str(line).unwrap_or_else(|_| Value::String(line.to_owned()));
        self.journal.push(Happening::Line { stream, line });
        Ok(())
    }
}
