//! What a host hands in once, when the gate is built; the rest comes with each event ([`HostContext`](crate::host::HostContext)).

use std::sync::Arc;

use super::nodes::NodeRegistry;
use crate::authority::forwarding::SubagentRegistry;
use crate::gates::GateResolver;
use crate::host::{
    Clock, Environment, EventBus, ExchangeStore, FileStore, FileView, IdSource, LogSink, Processes, ToolRegistry, Waiter,
};
use crate::report::TraceSink;

/// The collaborators of one gate.
#[derive(Clone)]
pub struct Host {
    /// The host's tools.
    pub tools: Arc<dyn ToolRegistry>,
    /// Broadcasts.
    pub bus: Arc<dyn EventBus>,
    /// Files to look at.
    pub files: Arc<dyn FileView>,
    /// Files to write: settings, and logs unless `log` says otherwise.
    pub store: Arc<dyn FileStore>,
    /// Where log lines go; `None`: the files of EVT-005.
    pub log: Option<Arc<dyn LogSink>>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub ids: Arc<dyn IdSource>,
    /// The environment.
    pub environment: Arc<dyn Environment>,
    /// Who listens to traces.
    pub trace: Option<Arc<dyn TraceSink>>,
    /// Who answers the gates' questions instead of policy, grants and floors: for tests that teach one gate at a time. `None` in
    /// life.
    pub resolver: Option<Arc<dyn GateResolver + Send + Sync>>,
    /// How questions travel between sessions; `None`: they do not, and a session without a person is answered by nobody.
    pub forwarding: Option<ForwardingHost>,
    /// The rest.
    pub options: HostOptions,
}

/// What a host offers so that sessions can ask each other (5.5, 5.6).
#[derive(Clone)]
pub struct ForwardingHost {
    /// The shared folders.
    pub exchange: Arc<dyn ExchangeStore>,
    /// How time passes while a child waits.
    pub waiter: Arc<dyn Waiter>,
    /// Which processes live.
    pub processes: Arc<dyn Processes>,
    /// The children of this process; one handle for all its sessions (SUB-006).
    pub subagents: Arc<SubagentRegistry>,
    /// The sessions of this process and their services; one handle for all of them (HARD-046).
    pub nodes: Arc<NodeRegistry>,
}

/// What is configured where the gate is built, and by no file (RES-12).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostOptions {
    /// The agent directory; `None`: from the environment (CFG-002).
    pub agent_dir: Option<String>,
    /// The gate's own install root, where an old settings file may lie (CFG-027).
    pub extension_root: Option<String>,
    /// Package roots whose files may be read: the global modules root and the host's own package (PATH-015).
    pub package_roots: Vec<String>,
    /// The longest value of a review line, in characters (HARD-052).
    pub log_bound: usize,
    /// How long a forwarded ask waits, in milliseconds (HARD-047).
    pub waiting_time_ms: u64,
    /// How long a link may take to answer, in milliseconds (HARD-044).
    pub link_patience_ms: u64,
}

impl Default for HostOptions {
    fn default() -> Self {
        Self {
            agent_dir: None,
            extension_root: None,
            package_roots: Vec::new(),
            log_bound: 1_000,
            waiting_time_ms: 600_000,
            link_patience_ms: 10_000,
        }
    }
}
