//! What all handlers share: the host, the session, the reporters. It wires collaborators and writes records; it decides nothing.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::call_end::{CallEnding, Ending};
use super::forwarding::Forwarding;
use super::host::Host;
use super::links::Links;
use super::policy_notices::PolicyNotices;
use crate::access::tool_name_of;
use crate::authority::{
    AskPrompter, AuthorityKind, Authorizer, DenyingAuthority, LocalUserAuthority, PromptPermissionDetails, PromptQueue,
    ReviewLogWriter, UiPromptReporter, select_authority,
};
use crate::gates::{CallRecord, GateDecisionReporter, GateNotifier, GateOutcome, GateRunner, SessionApprovalRecorder};
use crate::host::boundary::{attempt, guarded};
use crate::host::{EventBus, HostContext, HostResult, NoticeLevel, Trust, UserInterface};
use crate::policy::{PolicyIssue, PolicyLoader, PolicyLocations, RuntimeSettings};
use crate::report::audit::Audit;
use crate::report::escape::visible_layout;
use crate::report::events::{
    DECISION_CHANNEL, ExplicitDisplay, READY_CHANNEL, Requester, UI_PROMPT_CHANNEL, UiPromptFacts, broadcast, decision_payload,
    ready_payload, ui_prompt_payload,
};
use crate::report::log::GateLog;
use crate::report::{DecidedBy, DecidedByKind, DecisionResult, PermissionDecisionEvent, Resolution, SnapshotTrace};
use crate::session::{
    ActiveAgent, Bound, CallSnapshot, ComposedPolicy, PermissionSession, Registries, RequestIdMint, SessionRules,
};

/// The collaborators of the handlers.
pub(crate) struct Services {
    pub(crate) host: Host,
    pub(crate) session: PermissionSession,
    pub(crate) registries: Registries,
    pub(crate) log: Arc<GateLog>,
    pub(crate) audit: Audit,
    pub(crate) ids: RequestIdMint,
    pub(crate) notices: PolicyNotices,
    pub(crate) forwarding: Option<Forwarding>,
    pub(crate) links: Links,
}

impl Services {
    /// Binds an event's context (HAND-005) and selects who answers (AUTH-001). Warnings that waited for a person are shown.
    pub(crate) fn activate(&self, context: &Arc<dyn HostContext>) -> HostResult<Bound> {
        let bound = self.session.activate(context, |context, queue| self.authority(context, queue))?;
        if let Some(ui) = bound.context.user_interface() {
            self.log.deliver_warnings(ui.as_ref());
        }
        // From its first event on, a session with a person can be asked by others (LIFE-001).
        self.beat();
        Ok(bound)
    }

    /// The settings before any session: the global files, nobody to tell (CFG-029). A host that fails here leaves the
    /// settings of an empty policy.
    pub(crate) fn load_global_settings(&self, locations: PolicyLocations) {
        attempt(|| {
            let loader = PolicyLoader::new(Arc::clone(&self.host.files), locations);
            let snapshot = loader.load(Trust::Unknown, None, &[]);
            self.put_in_force(&snapshot.settings, None, snapshot.warning().as_deref());
        });
    }

    /// Puts settings in force and says so in the debug log (CFG-029).
    pub(crate) fn put_in_force(&self, settings: &RuntimeSettings, trust: Option<Trust>, warning: Option<&str>) {
        self.log.set_streams(settings.permission_review_log, settings.debug_log);
        self.session.apply_settings(settings.clone(), trust);
        let mut fields = Map::new();
        fields.insert("warning".to_owned(), json!(warning));
        fields.insert("debugLog".to_owned(), json!(settings.debug_log));
        fields.insert("permissionReviewLog".to_owned(), json!(settings.permission_review_log));
        fields.insert("yoloMode".to_owned(), json!(settings.yolo_mode));
        self.log.debug("config.loaded", &fields);
    }

    /// Who answers in this session now (AUTH-001, RES-59). Whether it is somebody's child is only asked when it has no person.
    fn authority(&self, context: &Arc<dyn HostContext>, queue: &Arc<PromptQueue>) -> HostResult<Arc<dyn Authorizer>> {
        let ui = context.user_interface();
        let is_child = || Ok(self.forwarding.as_ref().is_some_and(|forwarding| forwarding.is_child(context.as_ref())));
        Ok(match (select_authority(ui.is_some(), is_child)?, ui, &self.forwarding) {
            (AuthorityKind::LocalUser, Some(ui), _) => {
                let prompts = Arc::new(UiPrompts { bus: Arc::clone(&self.host.bus) });
                Arc::new(LocalUserAuthority::new(ui, Arc::clone(queue), prompts))
            }
            (AuthorityKind::Parent, _, Some(forwarding)) => Arc::new(forwarding.parent(context.as_ref(), queue)),
            _ => Arc::new(DenyingAuthority),
        })
    }

    pub(crate) fn call_snapshot(&self, bound: &Bound, agent: &ActiveAgent, tools: &[Value]) -> CallSnapshot<'_> {
        CallSnapshot::take(&self.session, &self.registries, bound, agent, &tool_names(tools), self.host.trace.is_some())
    }

    pub(crate) fn asks<'a>(&'a self, bound: &Bound) -> CallAsks<'a> {
        CallAsks {
            prompter: self.prompter(bound),
            grants: CallGrants { rules: self.session.session_rules(), session: bound.grants_of },
        }
    }

    /// Who puts asks to the authority of this activation.
    pub(crate) fn prompter(&self, bound: &Bound) -> AskPrompter<'_> {
        AskPrompter::new(self, Some(Arc::clone(&bound.authority))).with_chain(self.chain())
    }

    pub(crate) fn runner<'a>(&'a self, asks: &'a CallAsks<'a>) -> GateRunner<'a> {
        GateRunner::new(self, &asks.grants, &asks.prompter, &self.ids)
    }

    pub(crate) fn notifier(&self, bound: &Bound) -> UiNotifier {
        UiNotifier { ui: bound.context.user_interface() }
    }

    /// One warning for each new issue that broke a policy file or is about an agent's file, and R `config.rejected` for each
    /// broken file (RES-06, CFG-031).
    pub(crate) fn announce_broken_scopes(&self, bound: &Bound, policy: &ComposedPolicy) {
        let news = self.notices.news(&policy.snapshot);
        for scope in &policy.snapshot.scopes {
            let of_scope = |issue: &&PolicyIssue| issue.kind.breaks_file() && issue.scope == Some(scope.scope);
            let issues: Vec<String> = news.iter().filter(of_scope).map(ToString::to_string).collect();
            if issues.is_empty() {
                continue;
            }
            let mut fields = Map::new();
            fields.insert("scope".to_owned(), json!(scope.scope.as_str()));
            fields.insert("path".to_owned(), json!(scope.file.as_ref()));
            fields.insert("issues".to_owned(), json!(issues));
            self.log.review("config.rejected", &fields);
        }
        let notifier = self.notifier(bound);
        self.notices.show_news(|issue| notifier.shows(&notice(issue)));
    }

    /// Steps 11 and 12 of 5.2: R `blocked`, then E, for a call that no gate ended.
    pub(crate) fn write_ending(&self, call: &CallEnding, agent: Option<&str>) {
        let (resolution, kind, gate, error) = match &call.ending {
            Ending::Decided(_) => return,
            Ending::Invalid { gate, reason } => (Resolution::InvalidCall, DecidedByKind::InvalidCall, *gate, reason),
            Ending::Error(error) => (Resolution::GateError, DecidedByKind::GateError, call.fallback_gate, &error.message),
        };
        let mut fields = Map::new();
        fields.insert("toolCallId".to_owned(), json!(call.call_id));
        fields.insert("toolName".to_owned(), json!(call.tool));
        if let Some(command) = &call.command {
            fields.insert("command".to_owned(), json!(command));
        }
        fields.insert("agentName".to_owned(), json!(agent));
        fields.insert("resolution".to_owned(), json!(resolution.as_str()));
        fields.insert("error".to_owned(), json!(error));
        // A log that panics costs its line, not the event (RES-35).
        attempt(|| self.log.review("permission_request.blocked", &fields));
        self.emit_decision(&PermissionDecisionEvent {
            surface: call.name.clone(),
            value: call.name.clone(),
            result: DecisionResult::Deny,
            resolution,
            origin: None,
            agent_name: agent.map(str::to_owned),
            matched_pattern: None,
            gate: gate.to_owned(),
            request_id: None,
            rule_surface: None,
            decided_by: DecidedBy { reason: Some(error.clone()), ..DecidedBy::own(kind) },
        });
    }

    /// D `permission.decision` (EVT-013): once a call, errors too.
    pub(crate) fn write_decision(&self, call: &CallEnding, outcome: &GateOutcome, record: &CallRecord) -> HostResult<()> {
        let mut fields = Map::new();
        fields.insert("toolName".to_owned(), json!(call.tool));
        match outcome {
            GateOutcome::Allow => fields.insert("action".to_owned(), json!("allow")),
            GateOutcome::Block { reason } => {
                fields.insert("action".to_owned(), json!("block"));
                fields.insert("reason".to_owned(), json!(reason))
            }
        };
        let decided_by = match &call.ending {
            Ending::Decided(_) => record.gates.iter().rev().find_map(|g| g.decision.as_ref()).map(|e| e.decided_by.clone()),
            Ending::Invalid { .. } => Some(DecidedBy::own(DecidedByKind::InvalidCall)),
            Ending::Error(_) => Some(DecidedBy::own(DecidedByKind::GateError)),
        };
        if let Some(decided_by) = decided_by {
            fields.insert("decidedBy".to_owned(), json!(decided_by));
        }
        self.log.debug("permission.decision", &fields);
        Ok(())
    }

    /// Hands the trace to who listens.
    pub(crate) fn listen(&self, call: &CallEnding, outcome: &GateOutcome, record: CallRecord, mut snapshot: SnapshotTrace) {
        if let Some(sink) = &self.host.trace {
            snapshot.inherited = self.registries.inherited(&call.name);
            let end = call.trace_end(outcome, &record);
            sink.record(&record.into_trace(call.tool.clone(), snapshot, end));
        }
    }

    pub(crate) fn emit_ready(&self, session_id: Option<&str>, adjudicates: bool) {
        attempt(|| broadcast(self.host.bus.as_ref(), READY_CHANNEL, &ready_payload(session_id, adjudicates)));
    }
}

/// What a person reads of an issue; of one that makes a policy file unusable, what follows from it (HARD-012).
fn notice(issue: &PolicyIssue) -> String {
    if !issue.kind.breaks_file() {
        return visible_layout(&issue.to_string()).into_owned();
    }
    visible_layout(&format!("{issue}\nUntil this is mended the file allows nothing, and what others allow asks.")).into_owned()
}

/// Names of registered entries, nameless ones left out (HAND-004).
pub(crate) fn tool_names(tools: &[Value]) -> Vec<String> {
    tools.iter().filter_map(tool_name_of).collect()
}

impl ReviewLogWriter for Services {
    fn write_review_log(&self, event: &str, fields: Map<String, Value>) -> HostResult<()> {
        self.log.review(event, &fields);
        Ok(())
    }
}

impl GateDecisionReporter for Services {
    fn emit_decision(&self, event: &PermissionDecisionEvent) {
        // A listener that panics disturbs the emitter no more than one that fails (EVT-001, AUTH-014).
        attempt(|| broadcast(self.host.bus.as_ref(), DECISION_CHANNEL, &decision_payload(event)));
    }
}

/// What the runner of one call asks and stores with.
pub(crate) struct CallAsks<'a> {
    prompter: AskPrompter<'a>,
    grants: CallGrants<'a>,
}

/// Stores the grants of one call, as long as the session lives in which the call began.
struct CallGrants<'a> {
    rules: &'a SessionRules,
    session: u64,
}

impl SessionApprovalRecorder for CallGrants<'_> {
    fn record_session_approval(&self, pairs: &[(String, String)]) {
        // A yes that comes after the end of its session is forgotten with it.
        let _stored = self.rules.approve_in(self.session, pairs);
    }
}

/// Warnings to the person, when there is one (HAND-013).
pub(crate) struct UiNotifier {
    ui: Option<Arc<dyn UserInterface>>,
}

impl UiNotifier {
    /// Shows a warning; whether the person can have seen it.
    pub(crate) fn shows(&self, message: &str) -> bool {
        self.ui.as_ref().is_some_and(|ui| guarded(|| ui.notify(NoticeLevel::Warning, message)).is_ok())
    }
}

impl GateNotifier for UiNotifier {
    fn warn(&self, message: &str) {
        // A notice that cannot be shown changes no decision.
        let _shown = self.shows(message);
    }
}

struct UiPrompts {
    bus: Arc<dyn EventBus>,
}

impl UiPromptReporter for UiPrompts {
    fn emit_ui_prompt(&self, ask: &PromptPermissionDetails) {
        let details = &ask.details;
        let from = details.forwarding.as_ref();
        let payload = ui_prompt_payload(&UiPromptFacts {
            request_id: &ask.request_id,
            source: details.source.as_str(),
            explicit: from.map(|from| ExplicitDisplay { surface: from.surface.as_deref(), value: from.value.as_deref() }),
            agent_name: details.agent_name.as_deref(),
            message: details.message_for_records(),
            tool_name: details.tool_name.as_deref(),
            skill_name: details.skill_name.as_deref(),
            path: details.path.as_deref(),
            command: details.command.as_deref(),
            target: details.target.as_deref(),
            forwarding: from
                .map(|from| Requester { agent_name: from.agent_name.as_deref(), session_id: from.session_id.as_deref() }),
        });
        attempt(|| broadcast(self.bus.as_ref(), UI_PROMPT_CHANNEL, &payload));
    }
}
