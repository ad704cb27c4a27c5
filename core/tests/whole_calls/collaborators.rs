//! Host collaborators that fail, each in its own way.

use std::panic::panic_any;
use std::sync::Arc;

use portcullis_core::host::{
    Choice, Clock, EventBus, HostResult, IdSource, ListDialog, LogSink, LogStream, NoticeLevel, UserInterface,
};
use portcullis_core::report::{CallTrace, TraceSink};
use portcullis_test_fixtures::StartedHost;
use serde_json::{Value, json};

/// Everything that panics when it is used.
pub(crate) struct Panics(pub(crate) &'static str);

impl Panics {
    fn now<T>(&self) -> T {
        panic_any(self.0)
    }
}

impl UserInterface for Panics {
    fn notify(&self, _level: NoticeLevel, _text: &str) -> HostResult<()> {
        self.now()
    }

    fn select(&self, _dialog: &ListDialog) -> HostResult<Option<Choice>> {
        self.now()
    }

    fn input(&self, _title: &str) -> HostResult<Option<String>> {
        self.now()
    }

    fn set_status(&self, _key: &str, _text: Option<&str>) -> HostResult<()> {
        self.now()
    }
}

impl EventBus for Panics {
    fn emit(&self, _channel: &str, _payload: &Value) -> HostResult<()> {
        self.now()
    }
}

impl LogSink for Panics {
    fn append(&self, _stream: LogStream, _line: &str) -> HostResult<()> {
        self.now()
    }
}

impl TraceSink for Panics {
    fn record(&self, _trace: &CallTrace) {
        self.now()
    }
}

impl Clock for Panics {
    fn now_ms(&self) -> u64 {
        self.now()
    }
}

impl IdSource for Panics {
    fn random(&self) -> u64 {
        self.now()
    }

    fn process_id(&self) -> u32 {
        self.now()
    }
}

/// The reason of a block, found in what the host was told.
pub(crate) fn counts(host: &StartedHost) -> (u64, u64, u64, u64) {
    let counts = host.system.audit_counts();
    (counts.tool_calls, counts.allowed, counts.blocked, counts.errors)
}

/// The members of a value, by name; absent ones are null.
pub(crate) fn members(value: &Value, names: &[&str]) -> Value {
    names.iter().map(|name| ((*name).to_owned(), value.get(name).cloned().unwrap_or(Value::Null))).collect()
}

/// The input of a shell call.
pub(crate) fn command(text: &str) -> Value {
    json!({ "command": text })
}

/// The input of a file call.
pub(crate) fn path(text: &str) -> Value {
    json!({ "path": text })
}

/// A panicking user interface in front of the session.
pub(crate) fn seat_a_panicking_person(host: &StartedHost, text: &'static str) {
    host.context.set_ui(Some(Arc::new(Panics(text))));
}
