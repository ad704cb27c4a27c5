//! What a forwarding session stands on, with defaults that work (FIX-003 to FIX-006).

use std::sync::Arc;

use portcullis_core::authority::forwarding::{Exchange, ForwardingLog, ForwardingRoot, SubagentRegistry};
use portcullis_core::authority::{DecisionState, PermissionPromptDecision};
use portcullis_core::host::{Clock, ExchangeStore, LogSink, LogStream};
use portcullis_core::report::log::GateLog;
use portcullis_core::report::{DecidedBy, DecidedByKind};
use serde_json::Value;
use tempfile::TempDir;

use super::processes::FakeProcesses;
use super::temp_dir::fine;
use super::virtual_time::{VirtualClock, VirtualWaiter};
use crate::context::FakeContext;
use crate::journal::Journal;
use crate::log::RecordingLog;
use crate::seed::FIXTURE_CWD;

/// The real log with both streams on, written into a journal.
pub fn recording_forwarding_log(journal: &Journal, clock: &VirtualClock) -> Arc<dyn ForwardingLog> {
    let sink: Arc<dyn LogSink> = Arc::new(RecordingLog::new(journal));
    let log = GateLog::new(sink, Arc::new(clock.clone()) as Arc<dyn Clock>);
    log.set_streams(true, true);
    Arc::new(log)
}

/// The collaborators of a session that asks or serves (`makeForwarderDeps`): a root that does not exist, a clock that only
/// waiting moves, a log that remembers, the real file system, nobody registered, every process alive.
pub struct EscalatorDeps {
    /// The root of the exchange; placeholder unless a test gives one.
    pub root: ForwardingRoot,
    /// The shared folders.
    pub store: Arc<dyn ExchangeStore>,
    /// The time.
    pub clock: VirtualClock,
    /// Waiting.
    pub waiter: Arc<VirtualWaiter>,
    /// Which processes live.
    pub processes: Arc<FakeProcesses>,
    /// The children of this process.
    pub subagents: Arc<SubagentRegistry>,
    /// What the log was told.
    pub journal: Journal,
    /// The number of this process.
    pub process_id: u32,
    _placeholder: TempDir,
}

/// The collaborators of a forwarding session.
///
/// ```
/// use portcullis_test_fixtures::{ForwardingTempDir, make_escalator_deps};
///
/// let dir = ForwardingTempDir::new("parent-session");
/// let deps = make_escalator_deps().in_dir(&dir);
/// deps.exchange().clean_up(dir.location());
/// assert_eq!(dir.tree(), ["sessions/"]);
/// assert!(deps.diagnostics().is_empty());
/// ```
pub fn make_escalator_deps() -> EscalatorDeps {
    let placeholder = fine(tempfile::Builder::new().prefix("permission-forwarding-").tempdir());
    let nowhere = placeholder.path().join("not-there");
    let clock = VirtualClock::default();
    EscalatorDeps {
        root: ForwardingRoot::at(&nowhere.to_string_lossy()),
        store: Arc::new(super::FaultyExchange::new()),
        waiter: Arc::new(VirtualWaiter::new(&clock)),
        clock,
        processes: Arc::default(),
        subagents: Arc::default(),
        journal: Journal::default(),
        process_id: 4242,
        _placeholder: placeholder,
    }
}

impl EscalatorDeps {
    /// With the root of this inbox.
    #[must_use]
    pub fn in_dir(mut self, dir: &super::ForwardingTempDir) -> Self {
        self.root = dir.root().clone();
        self
    }

    /// With another store.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn ExchangeStore>) -> Self {
        self.store = store;
        self
    }

    /// In another process.
    #[must_use]
    pub fn process_id(mut self, id: u32) -> Self {
        self.process_id = id;
        self
    }

    /// With the clock and the waiting of another session.
    #[must_use]
    pub fn beside(mut self, other: &Self) -> Self {
        self.clock = other.clock.clone();
        self.waiter = Arc::clone(&other.waiter);
        self.processes = Arc::clone(&other.processes);
        self
    }

    /// A log that writes into the journal.
    pub fn log(&self) -> Arc<dyn ForwardingLog> {
        recording_forwarding_log(&self.journal, &self.clock)
    }

    /// The exchange over these collaborators.
    pub fn exchange(&self) -> Exchange {
        Exchange::new(
            Arc::clone(&self.store),
            Arc::new(self.clock.clone()),
            Arc::clone(&self.waiter) as _,
            self.log(),
            self.process_id,
        )
    }

    /// The lines of the review log.
    pub fn review(&self) -> Vec<Value> {
        self.journal.log(LogStream::Review)
    }

    /// What went wrong or was mended, from the debug log: the event's last word and its message.
    pub fn diagnostics(&self) -> Vec<String> {
        let said = |line: Value| {
            let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            text("event").strip_prefix("permission_forwarding.").map(|word| format!("{word}: {}", text("message")))
        };
        self.journal.log(LogStream::Debug).into_iter().filter_map(said).collect()
    }
}

/// The context of a session that forwards (`makeForwarderContext`): no person, no entries, and an empty session id, which
/// names nobody, so that nothing is served until one is set.
///
/// ```
/// use portcullis_core::host::HostContext;
/// use portcullis_test_fixtures::make_forwarder_context;
///
/// let context = make_forwarder_context();
/// assert_eq!(context.session_id().as_deref(), Some(""));
/// context.set_session_id(Some("parent-session"));
/// assert!(context.user_interface().is_none());
/// ```
pub fn make_forwarder_context() -> FakeContext {
    let context = FakeContext::new(FIXTURE_CWD);
    context.set_session_id(Some(""));
    context
}

/// A person's answer that is being arranged; the answer in memory, not the file.
#[derive(Debug, Clone)]
pub struct UiDecision(PermissionPromptDecision);

impl UiDecision {
    /// Yes, this once.
    pub fn approved() -> Self {
        Self(PermissionPromptDecision {
            state: DecisionState::Approved,
            both_directions: false,
            denial_reason: None,
            confirmation_unavailable: false,
            decided_by: DecidedBy::own(DecidedByKind::User),
        })
    }

    /// Another state.
    #[must_use]
    pub fn state(mut self, state: DecisionState) -> Self {
        self.0.state = state;
        self
    }

    /// A no with this reason.
    #[must_use]
    pub fn denied_with_reason(mut self, reason: &str) -> Self {
        self.0.state = DecisionState::DeniedWithReason;
        self.0.denial_reason = Some(reason.to_owned());
        self
    }

    /// Nobody decided.
    #[must_use]
    pub fn unavailable(mut self) -> Self {
        self.0.state = DecisionState::Denied;
        self.0.confirmation_unavailable = true;
        self
    }

    /// Somebody else decided.
    #[must_use]
    pub fn decided_by(mut self, who: DecidedBy) -> Self {
        self.0.decided_by = who;
        self
    }

    /// The decision.
    pub fn build(self) -> PermissionPromptDecision {
        self.0
    }
}

/// A person's yes (`makeUiDecision`).
///
/// ```
/// use portcullis_core::authority::DecisionState;
/// use portcullis_test_fixtures::{UiDecision, make_ui_decision};
///
/// assert!(make_ui_decision().is_approved());
/// assert_eq!(UiDecision::approved().denied_with_reason("no").build().state, DecisionState::DeniedWithReason);
/// ```
pub fn make_ui_decision() -> PermissionPromptDecision {
    UiDecision::approved().build()
}

/// What is known of a registered child.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubagentEntry {
    /// Its parent.
    pub parent_session_id: Option<String>,
}

impl SubagentEntry {
    /// A child of this parent.
    pub fn of(parent: &str) -> Self {
        Self { parent_session_id: Some(parent.to_owned()) }
    }
}

/// A registry with this child (`makeSubagentRegistry`); without an entry it is empty.
///
/// ```
/// use portcullis_test_fixtures::{SubagentEntry, make_subagent_registry};
///
/// assert_eq!(make_subagent_registry("c", None).get("c"), None);
/// assert_eq!(make_subagent_registry("c", Some(SubagentEntry::default())).get("c"), Some(None));
/// assert_eq!(make_subagent_registry("c", Some(SubagentEntry::of("p"))).get("c"), Some(Some("p".into())));
/// ```
pub fn make_subagent_registry(child_session_id: &str, entry: Option<SubagentEntry>) -> Arc<SubagentRegistry> {
    let registry = SubagentRegistry::default();
    if let Some(entry) = entry {
        registry.register(child_session_id, entry.parent_session_id.as_deref());
    }
    Arc::new(registry)
}
