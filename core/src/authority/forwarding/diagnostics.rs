//! What the exchange tells the logs (FWD-016).

use serde_json::{Map, Value};

use crate::report::log::GateLog;

/// Where warnings, errors and records of forwarding go.
pub trait ForwardingLog: Send + Sync {
    /// `permission_forwarding.warning`, in both logs; `error` is the system's own words.
    fn warning(&self, message: &str, error: Option<&str>);
    /// `permission_forwarding.error`, in both logs.
    fn error(&self, message: &str, error: Option<&str>);
    /// `permission_forwarding.recovered`, in the debug log: a momentary fault is over (HARD-049).
    fn recovered(&self, message: &str);
    /// A line of the review log.
    fn review(&self, event: &str, fields: Map<String, Value>);
}

impl ForwardingLog for GateLog {
    fn warning(&self, message: &str, error: Option<&str>) {
        write_to_both(self, "permission_forwarding.warning", message, error);
    }

    fn error(&self, message: &str, error: Option<&str>) {
        write_to_both(self, "permission_forwarding.error", message, error);
    }

    fn recovered(&self, message: &str) {
        self.debug("permission_forwarding.recovered", &diagnostic(message, None));
    }

    fn review(&self, event: &str, fields: Map<String, Value>) {
        GateLog::review(self, event, &fields);
    }
}

fn write_to_both(log: &GateLog, event: &str, message: &str, error: Option<&str>) {
    let fields = diagnostic(message, error);
    GateLog::review(log, event, &fields);
    log.debug(event, &fields);
}

fn diagnostic(message: &str, error: Option<&str>) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("message".to_owned(), message.into());
    if let Some(error) = error {
        fields.insert("error".to_owned(), error.into());
    }
    fields
}
