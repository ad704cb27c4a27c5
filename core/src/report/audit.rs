//! Counts calls and their ends (EVT-014, EVT-015, RES-35).
//!
//! A call is counted when it comes in and again when it ends; a call that is lost between the two makes the sums differ, and
//! that is what the warning at the end of a session is for.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::{Map, Value};

use super::messages::EXTENSION_TAG;

/// How a call ended, for the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditEnd {
    /// It went ahead.
    Allowed,
    /// It was refused.
    Blocked,
    /// The gate failed; the call was refused for that.
    Error,
}

/// The four counters, in the order of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditCounts {
    /// Calls that came in.
    pub tool_calls: u64,
    /// Calls that went ahead.
    pub allowed: u64,
    /// Calls that were refused.
    pub blocked: u64,
    /// Calls at which the gate failed.
    pub errors: u64,
}

impl AuditCounts {
    /// The fields of D `permission.session_summary` (EVT-015).
    pub fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("toolCalls".into(), self.tool_calls.into());
        fields.insert("allowed".into(), self.allowed.into());
        fields.insert("blocked".into(), self.blocked.into());
        fields.insert("errors".into(), self.errors.into());
        fields
    }

    /// The warning that the sums differ; `None` when every call has its one end (EVT-015).
    ///
    /// ```
    /// use portcullis_core::report::audit::AuditCounts;
    /// let counts = AuditCounts { tool_calls: 4, allowed: 1, blocked: 1, errors: 1 };
    /// assert!(counts.mismatch_warning().is_some());
    /// assert_eq!(AuditCounts { tool_calls: 3, ..counts }.mismatch_warning(), None);
    /// ```
    pub fn mismatch_warning(&self) -> Option<String> {
        let ended = self.allowed.saturating_add(self.blocked).saturating_add(self.errors);
        (ended != self.tool_calls).then(|| {
            format!(
                "{EXTENSION_TAG} The audit of this session does not add up: {} tool calls, but {} allowed, {} blocked and {} errors.",
                self.tool_calls, self.allowed, self.blocked, self.errors
            )
        })
    }
}

/// The counters of one extension instance. They are never reset: a second session's summary is cumulative (EVT-014).
#[derive(Debug, Default)]
pub struct Audit {
    counts: Mutex<AuditCounts>,
}

impl Audit {
    /// All counters at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// A call came in.
    pub fn begin(&self) {
        self.with(|counts| counts.tool_calls = counts.tool_calls.saturating_add(1));
    }

    /// The call ended; at the very end of it, once (RES-35).
    pub fn finish(&self, end: AuditEnd) {
        self.with(|counts| {
            let counter = match end {
                AuditEnd::Allowed => &mut counts.allowed,
                AuditEnd::Blocked => &mut counts.blocked,
                AuditEnd::Error => &mut counts.errors,
            };
            *counter = counter.saturating_add(1);
        });
    }

    /// The counters now.
    pub fn counts(&self) -> AuditCounts {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, change: impl FnOnce(&mut AuditCounts)) {
        change(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests;
