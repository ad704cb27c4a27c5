//! The two logs: what a line holds, which stream is on, and what happens when one cannot be written (EVT-005 to EVT-008).
//!
//! Every value is masked, escaped and bounded, in this order (RES-43, HARD-052). A log that fails changes no decision: its
//! failure becomes a warning, once per distinct text, kept until somebody can read it (GATES-D16, POLICY-D06).

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::HashSet;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value};

use super::bounds::bound;
use super::escape::{is_plain, visible};
use super::masking::{mask_text, mask_value};
use super::messages::EXTENSION_TAG;
use super::timestamp::iso_8601;
use crate::host::boundary::guarded;
use crate::host::{Clock, LogSink, LogStream, NoticeLevel, UserInterface};

/// The `extension` field of every line.
pub const EXTENSION_NAME: &str = "pi-permission-system";
/// File name of the review log.
pub const REVIEW_LOG_FILE: &str = "pi-permission-system-permission-review.jsonl";
/// File name of the debug log.
pub const DEBUG_LOG_FILE: &str = "pi-permission-system-debug.jsonl";
/// The longest value of a line, in characters (RES-12).
pub const DEFAULT_VALUE_LIMIT: usize = 1000;

const FIXED_KEYS: [&str; 4] = ["timestamp", "extension", "stream", "event"];

/// Writes log lines and keeps the warnings about those that could not be written.
pub struct GateLog {
    sink: Arc<dyn LogSink>,
    clock: Arc<dyn Clock>,
    value_limit: usize,
    state: Mutex<LogState>,
}

struct LogState {
    review: bool,
    debug: bool,
    seen: HashSet<String>,
    pending: Vec<String>,
}

impl GateLog {
    /// A log with the default streams: review on, debug off (EVT-007).
    pub fn new(sink: Arc<dyn LogSink>, clock: Arc<dyn Clock>) -> Self {
        let state = LogState { review: true, debug: false, seen: HashSet::new(), pending: Vec::new() };
        Self { sink, clock, value_limit: DEFAULT_VALUE_LIMIT, state: Mutex::new(state) }
    }

    /// Another bound for values (RES-12).
    #[must_use]
    pub fn with_value_limit(mut self, characters: usize) -> Self {
        self.value_limit = characters;
        self
    }

    /// Which streams are on from the next write (EVT-007).
    pub fn set_streams(&self, review: bool, debug: bool) {
        let mut state = self.state();
        state.review = review;
        state.debug = debug;
    }

    /// Writes a review line, if the stream is on.
    pub fn review(&self, event: &str, fields: &Map<String, Value>) {
        self.write(LogStream::Review, event, fields);
    }

    /// Writes a debug line, if the stream is on.
    pub fn debug(&self, event: &str, fields: &Map<String, Value>) {
        self.write(LogStream::Debug, event, fields);
    }

    /// Whether lines of the stream are written now; saves the work of making them.
    pub fn is_on(&self, stream: LogStream) -> bool {
        let state = self.state();
        match stream {
            LogStream::Review => state.review,
            LogStream::Debug => state.debug,
        }
    }

    /// Shows what is waiting; a warning counts as shown only when the host took it (POLICY-D06).
    pub fn deliver_warnings(&self, ui: &dyn UserInterface) {
        let pending = std::mem::take(&mut self.state().pending);
        let mut undelivered = Vec::new();
        for warning in pending {
            if guarded(|| ui.notify(NoticeLevel::Warning, &warning)).is_err() {
                undelivered.push(warning);
            }
        }
        self.state().pending.splice(0..0, undelivered);
    }

    /// What is waiting, in order.
    pub fn pending_warnings(&self) -> Vec<String> {
        self.state().pending.clone()
    }

    fn write(&self, stream: LogStream, event: &str, fields: &Map<String, Value>) {
        if !self.is_on(stream) {
            return;
        }
        let line = log_line(self.clock.now_ms(), stream, event, fields, self.value_limit);
        // The lock is not held here: a sink may take its time, and may ask this log about itself.
        if let Err(fault) = self.sink.append(stream, &line) {
            let text = visible(&fault.message).into_owned();
            self.warn_once(format!("{EXTENSION_TAG} The {} log could not be written: {text}", stream.as_str()), text);
        }
    }

    /// One warning per distinct fault, shared by both streams (EVT-008).
    fn warn_once(&self, warning: String, fault: String) {
        let mut state = self.state();
        if state.seen.insert(fault) {
            state.pending.push(warning);
        }
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for GateLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GateLog").field("value_limit", &self.value_limit).finish_non_exhaustive()
    }
}

/// One line without its line end (EVT-006). The fixed keys win over details of the same name (RES-43).
pub fn log_line(now_ms: u64, stream: LogStream, event: &str, fields: &Map<String, Value>, value_limit: usize) -> String {
    // Values with texts for keys can always be written.
    serde_json::to_string(&Line { now_ms, stream, event, fields, value_limit }).unwrap_or_default()
}

/// What a line holds. It is masked, escaped and bounded while it is written: nothing is built for it first.
struct Line<'a> {
    now_ms: u64,
    stream: LogStream,
    event: &'a str,
    fields: &'a Map<String, Value>,
    value_limit: usize,
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_map(None)?;
        line.serialize_entry("timestamp", &iso_8601(self.now_ms))?;
        line.serialize_entry("extension", EXTENSION_NAME)?;
        line.serialize_entry("stream", self.stream.as_str())?;
        line.serialize_entry("event", self.event)?;
        for (key, value) in self.fields.iter().filter(|(key, _)| !FIXED_KEYS.contains(&key.as_str())) {
            // The names of fields are our own words (`tokens`, GATE-018) and bind nothing; names inside the values do.
            line.serialize_key(&visible(key))?;
            match value {
                Value::String(text) => line.serialize_value(&shown_text(mask_text(text), self.value_limit))?,
                value => line.serialize_value(&shown(mask_value(value), self.value_limit))?,
            }
        }
        line.end()
    }
}

/// Escapes and bounds every text of a value, and the value as a whole: a list or object that is too long says how much is left out.
fn shown(value: Value, limit: usize) -> Value {
    let mut budget = limit;
    shown_within(value, limit, &mut budget)
}

fn shown_text(text: Cow<'_, str>, limit: usize) -> Cow<'_, str> {
    // Most texts are short and plain.
    if text.len() <= limit && is_plain(&text) { text } else { bound(&visible(&text), limit).into() }
}

fn shown_within(value: Value, limit: usize, budget: &mut usize) -> Value {
    match value {
        Value::String(text) => {
            let text = shown_text(text.into(), limit);
            *budget = budget.saturating_sub(text.chars().count());
            Value::String(text.into_owned())
        }
        Value::Array(items) => {
            let total = items.len();
            let mut kept = Vec::new();
            for item in items {
                if *budget == 0 {
                    break;
                }
                *budget = budget.saturating_sub(1);
                kept.push(shown_within(item, limit, budget));
            }
            if kept.len() < total {
                kept.push(format!("… [{} more items]", total - kept.len()).into());
            }
            Value::Array(kept)
        }
        Value::Object(members) => {
            let mut kept = Map::new();
            let mut dropped = Vec::new();
            for (key, item) in members {
                let key = bound(&visible(&key), limit);
                if *budget == 0 {
                    dropped.push(key);
                    continue;
                }
                *budget = budget.saturating_sub(key.chars().count() + 1);
                kept.insert(key, shown_within(item, limit, budget));
            }
            if !dropped.is_empty() {
                // A cut never drops a whole argument without its name (HARD-062).
                kept.insert("…".into(), bound(&format!("[{} more: {}]", dropped.len(), dropped.join(", ")), limit).into());
            }
            Value::Object(kept)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
