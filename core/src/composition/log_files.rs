//! The two log files of EVT-005 behind the log role.

use std::sync::Arc;

use crate::host::{FileStore, HostError, HostResult, LogSink, LogStream};

/// Appends lines to the review and the debug log, owner-only (HARD-052).
pub struct LogFiles {
    store: Arc<dyn FileStore>,
    directory: String,
    review: String,
    debug: String,
}

impl LogFiles {
    /// The log files of these locations.
    pub fn new(store: Arc<dyn FileStore>, locations: &crate::policy::PolicyLocations) -> Self {
        Self { store, directory: locations.logs_dir(), review: locations.review_log(), debug: locations.debug_log() }
    }
}

impl LogSink for LogFiles {
    fn append(&self, stream: LogStream, line: &str) -> HostResult<()> {
        let path = match stream {
            LogStream::Review => &self.review,
            LogStream::Debug => &self.debug,
        };
        // Before each write, so that a log swept away is made again (EVT-005). A missing directory is one fault, whichever log
        // met it first (EVT-008).
        self.store
            .create_private_dir(&self.directory)
            .map_err(|fault| HostError::new(format!("could not create the directory {}: {fault}", self.directory)))?;
        self.store
            .append_private(path, format!("{line}\n").as_bytes())
            .map_err(|fault| HostError::new(format!("could not write the {} log {path}: {fault}", stream.as_str())))
    }
}
