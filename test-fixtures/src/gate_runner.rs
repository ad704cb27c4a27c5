//! A runner with recorded side effects (`makeGateRunner`, `makeReporter`, `makeNotifier`).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_core::authority::{
    DecisionState, DialogAnswer, PermissionPromptDecision, PromptPermissionDetails, ReviewLogWriter,
};
use portcullis_core::gates::{
    Escalator, GateDecisionReporter, GateNotifier, GateOutcome, GateResult, GateRun, GateRunner, LogFields, RequestIds, RunKind,
    SessionApprovalRecorder,
};
use portcullis_core::host::{HostError, HostResult};
use portcullis_core::report::{GateOutcomeTrace, GateTrace, PermissionDecisionEvent};
use serde_json::Value;

use crate::check::CheckAnswer;
use crate::descriptor::make_descriptor;

/// What the doubles around one runner were told, in order.
type Effects = Arc<Mutex<Vec<String>>>;

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where decisions go: keeps review lines and events (`makeReporter`).
///
/// ```
/// use portcullis_core::authority::ReviewLogWriter;
/// use portcullis_test_fixtures::make_reporter;
///
/// let reporter = make_reporter();
/// reporter.write_review_log("permission_request.blocked", Default::default()).unwrap();
/// assert_eq!(reporter.lines()[0].0, "permission_request.blocked");
/// assert_eq!(reporter.happened(), ["R blocked -"]);
/// assert!(reporter.events().is_empty());
/// ```
#[derive(Debug, Default)]
pub struct RecordingReporter {
    happened: Effects,
    lines: Mutex<Vec<(String, Value)>>,
    events: Mutex<Vec<PermissionDecisionEvent>>,
    fails: Mutex<Option<String>>,
}

/// A reporter that keeps everything.
pub fn make_reporter() -> RecordingReporter {
    RecordingReporter::default()
}

impl RecordingReporter {
    /// From now on the review log cannot be written.
    pub fn fail(&self, text: &str) {
        *lock(&self.fails) = Some(text.to_owned());
    }

    /// The review lines: event and fields.
    pub fn lines(&self) -> Vec<(String, Value)> {
        lock(&self.lines).clone()
    }

    /// The decision events.
    pub fn events(&self) -> Vec<PermissionDecisionEvent> {
        lock(&self.events).clone()
    }

    /// Everything in short: `R event resolution`, `E surface value result resolution`.
    pub fn happened(&self) -> Vec<String> {
        lock(&self.happened).clone()
    }
}

impl ReviewLogWriter for RecordingReporter {
    fn write_review_log(&self, event: &str, fields: LogFields) -> HostResult<()> {
        if let Some(text) = lock(&self.fails).as_deref() {
            return Err(HostError::new(text));
        }
        let resolution = fields.get("resolution").and_then(Value::as_str).unwrap_or("-");
        lock(&self.happened).push(format!("R {} {resolution}", event.trim_start_matches("permission_request.")));
        lock(&self.lines).push((event.to_owned(), Value::Object(fields)));
        Ok(())
    }
}

impl GateDecisionReporter for RecordingReporter {
    fn emit_decision(&self, event: &PermissionDecisionEvent) {
        let PermissionDecisionEvent { surface, value, result, resolution, .. } = event;
        lock(&self.happened).push(format!("E {surface} {value} {result} {resolution}"));
        lock(&self.events).push(event.clone());
    }
}

/// Keeps warnings (`makeNotifier`).
///
/// ```
/// use portcullis_core::gates::GateNotifier;
/// use portcullis_test_fixtures::make_notifier;
///
/// let notifier = make_notifier();
/// notifier.warn("no");
/// assert_eq!(notifier.warnings(), ["no"]);
/// ```
#[derive(Debug, Default)]
pub struct RecordingNotifier {
    warnings: Mutex<Vec<String>>,
}

/// A notifier that keeps what it is told.
pub fn make_notifier() -> RecordingNotifier {
    RecordingNotifier::default()
}

impl RecordingNotifier {
    /// The warnings.
    pub fn warnings(&self) -> Vec<String> {
        lock(&self.warnings).clone()
    }
}

impl GateNotifier for RecordingNotifier {
    fn warn(&self, message: &str) {
        lock(&self.warnings).push(message.to_owned());
    }
}

/// Who answers and who stores, for one runner.
#[derive(Debug, Default)]
struct Collaborators {
    happened: Effects,
    asks: Mutex<Vec<PromptPermissionDetails>>,
    answers: Mutex<VecDeque<HostResult<PermissionPromptDecision>>>,
    stored: Mutex<Vec<(String, String)>>,
    ids: AtomicUsize,
}

impl Escalator for Collaborators {
    fn escalate(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        lock(&self.happened).push(format!("ask {}", ask.request_id));
        lock(&self.asks).push(ask.clone());
        lock(&self.answers).pop_front().unwrap_or_else(|| Ok(DialogAnswer::plain(DecisionState::Denied).into_decision()))
    }
}

impl SessionApprovalRecorder for Collaborators {
    fn record_session_approval(&self, pairs: &[(String, String)]) {
        for (surface, pattern) in pairs {
            lock(&self.happened).push(format!("grant {surface} {pattern}"));
            lock(&self.stored).push((surface.clone(), pattern.clone()));
        }
    }
}

impl Collaborators {
    fn next_id(&self) -> usize {
        self.ids.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl RequestIds for Collaborators {
    fn create_request_id(&self) -> String {
        format!("id-{}", self.next_id())
    }

    fn create_skill_input_request_id(&self) -> String {
        format!("skill-input-{}", self.next_id())
    }
}

/// The real runner with doubles around it (`makeGateRunner`): asks are answered from a list, and denied beyond it.
///
/// ```
/// use portcullis_core::authority::DecisionState;
/// use portcullis_core::gates::GateOutcome;
/// use portcullis_test_fixtures::{make_descriptor, make_gate_runner};
///
/// let runner = make_gate_runner().answering(DecisionState::ApprovedForSession);
/// let run = runner.run(&make_descriptor().on("write", "a").suggesting(&[("write", "/w/p/*")]).gate()).unwrap();
///
/// assert_eq!(run.outcome, GateOutcome::Allow);
/// assert_eq!(runner.happened(), ["ask id-1", "E write a allow user_approved_for_session", "grant write /w/p/*"]);
/// assert_eq!(runner.stored(), [("write".to_owned(), "/w/p/*".to_owned())]);
/// ```
#[derive(Debug)]
pub struct GateRunnerSetup {
    /// Where decisions go.
    pub reporter: RecordingReporter,
    collaborators: Collaborators,
    resolve_result: CheckAnswer,
    agent: Option<String>,
}

/// A runner whose side effects are recorded.
pub fn make_gate_runner() -> GateRunnerSetup {
    let reporter = make_reporter();
    let collaborators = Collaborators { happened: Arc::clone(&reporter.happened), ..Collaborators::default() };
    let resolve_result = CheckAnswer::new(portcullis_core::policy::PermissionState::Allow);
    GateRunnerSetup { reporter, collaborators, resolve_result, agent: None }
}

impl GateRunnerSetup {
    /// The next ask gets this answer from the person.
    #[must_use]
    pub fn answering(self, state: DecisionState) -> Self {
        self.deciding(DialogAnswer::plain(state).into_decision())
    }

    /// The next ask gets this decision.
    #[must_use]
    pub fn deciding(self, decision: PermissionPromptDecision) -> Self {
        lock(&self.collaborators.answers).push_back(Ok(decision));
        self
    }

    /// The next ask fails with this text.
    #[must_use]
    pub fn failing(self, text: &str) -> Self {
        lock(&self.collaborators.answers).push_back(Err(HostError::new(text)));
        self
    }

    /// The active agent of the runs.
    #[must_use]
    pub fn agent(mut self, name: &str) -> Self {
        self.agent = Some(name.to_owned());
        self
    }

    /// What the policy says to [`run_resolved`](Self::run_resolved) (option `resolveResult`); allow, unless said otherwise.
    #[must_use]
    pub fn resolve_result(mut self, answer: impl Into<CheckAnswer>) -> Self {
        self.resolve_result = answer.into();
        self
    }

    /// Runs what a gate gave for a tool call.
    pub fn run(&self, gate: &GateResult) -> HostResult<GateRun> {
        self.run_as(RunKind::ToolCall, gate)
    }

    /// Runs what a gate gave.
    pub fn run_as(&self, kind: RunKind, gate: &GateResult) -> HostResult<GateRun> {
        let mut trace = GateTrace {
            gate: gate.gate().to_owned(),
            outcome: GateOutcomeTrace::Null,
            questions: Vec::new(),
            ran: false,
            ask: None,
            decision: None,
        };
        self.runner().run(kind, gate, self.agent.as_deref(), &mut trace)
    }

    /// Runs a gate on this surface and value whose check is [`resolve_result`](Self::resolve_result).
    ///
    /// ```
    /// use portcullis_core::policy::PermissionState::Deny;
    /// use portcullis_test_fixtures::make_gate_runner;
    ///
    /// let runner = make_gate_runner().resolve_result(Deny);
    /// runner.run_resolved("bash", "rm x").unwrap();
    /// assert_eq!(runner.happened(), ["R blocked policy_denied", "E bash rm x deny policy_deny"]);
    /// ```
    pub fn run_resolved(&self, surface: &str, value: &str) -> HostResult<GateRun> {
        self.run(&make_descriptor().on(surface, value).answer(self.resolve_result.clone()).gate())
    }

    /// Runs a gate that has to block: the reason.
    #[expect(clippy::panic, reason = "a fixture that fails fails the test")]
    pub fn blocks(&self, gate: &GateResult) -> String {
        match self.run(gate) {
            Ok(GateRun { outcome: GateOutcome::Block { reason }, .. }) => reason,
            other => panic!("the gate does not block: {other:?}"),
        }
    }

    /// The runner itself, for pipelines.
    pub fn runner(&self) -> GateRunner<'_> {
        GateRunner::new(&self.reporter, &self.collaborators, &self.collaborators, &self.collaborators)
    }

    /// Everything in short and in order: review lines, events, `ask id`, `grant surface pattern`.
    pub fn happened(&self) -> Vec<String> {
        self.reporter.happened()
    }

    /// The asks.
    pub fn asks(&self) -> Vec<PromptPermissionDetails> {
        lock(&self.collaborators.asks).clone()
    }

    /// The grants that were recorded.
    pub fn stored(&self) -> Vec<(String, String)> {
        lock(&self.collaborators.stored).clone()
    }
}
