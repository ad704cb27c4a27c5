//! An event bus that remembers.

use portcullis_core::host::{EventBus, HostError, HostResult};
use serde_json::Value;

use crate::journal::{Happening, Journal};

/// Records every broadcast (`makeEvents`).
///
/// ```
/// use portcullis_core::host::EventBus;
/// use portcullis_test_fixtures::{Journal, RecordingBus};
/// use serde_json::json;
///
/// let journal = Journal::default();
/// let bus = RecordingBus::new(&journal);
/// bus.emit("permissions:decision", &json!({"surface": "bash"})).unwrap();
/// assert_eq!(journal.decisions(), [json!({"surface": "bash"})]);
/// ```
#[derive(Debug, Clone)]
pub struct RecordingBus {
    journal: Journal,
    fails: Option<String>,
}

impl RecordingBus {
    /// A bus that writes into the journal.
    pub fn new(journal: &Journal) -> Self {
        Self { journal: journal.clone(), fails: None }
    }

    /// A bus whose listeners throw this text, after it was recorded.
    pub fn failing(journal: &Journal, text: &str) -> Self {
        Self { journal: journal.clone(), fails: Some(text.to_owned()) }
    }
}

impl EventBus for RecordingBus {
    fn emit(&self, channel: &str, payload: &Value) -> HostResult<()> {
        self.journal.push(Happening::Emitted { channel: channel.to_owned(), payload: payload.clone() });
        self.fails.as_ref().map_or(Ok(()), |text| Err(HostError::new(text.clone())))
    }
}
