//! The composition root: one gate, built from a host, with all its handlers.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::log_files::LogFiles;
use super::service::PermissionService;
use crate::access::ExtractorRegistry;
use crate::handlers::{
    AgentPrepHandler, Forwarding, Host, InputAnswer, Links, PermissionGateHandler, PolicyNotices, Services,
    SessionLifecycleHandler, ToolCallAnswer,
};
use crate::host::{HostContext, HostResult, LogSink};
use crate::policy::{PolicyLocations, Rule, SavedSettings, agent_dir};
use crate::report::audit::{Audit, AuditCounts};
use crate::report::log::GateLog;
use crate::report::previews::FormatterRegistry;
use crate::session::{PermissionSession, Registries, RequestIdMint, SessionFacts};

/// The whole gate: six events in, answers out (HAND-012).
///
/// Hand every event of the host to its handler. A call is answered whatever happens inside; see the methods.
pub struct PermissionSystem {
    services: Arc<Services>,
    gate: PermissionGateHandler,
    lifecycle: SessionLifecycleHandler,
    agent_prep: AgentPrepHandler,
}

impl PermissionSystem {
    /// Builds the gate and loads the global settings (CFG-029). Nothing can fail here: what cannot be read is reported at the
    /// start of the session and clamps the answers until then.
    pub fn new(host: Host) -> Self {
        let agent_dir = host.options.agent_dir.clone().unwrap_or_else(|| agent_dir(host.environment.as_ref()));
        let platform = host.environment.platform();
        let locations = PolicyLocations::new(&agent_dir, None, host.options.extension_root.as_deref(), platform);
        let sink: Arc<dyn LogSink> =
            host.log.clone().unwrap_or_else(|| Arc::new(LogFiles::new(Arc::clone(&host.store), &locations)));
        let log = Arc::new(GateLog::new(sink, Arc::clone(&host.clock)).with_value_limit(host.options.log_bound));
        let forwarding = Forwarding::of(&host, &agent_dir, &log);
        let session = PermissionSession::new(SessionFacts {
            files: Arc::clone(&host.files),
            environment: Arc::clone(&host.environment),
            agent_dir,
            extension_root: host.options.extension_root.clone(),
            resolver: host.resolver.clone(),
        });
        let session = match &host.forwarding {
            Some(forwarding) => session.with_bell(forwarding.waiter.bell()),
            None => session,
        };
        let services = Arc::new(Services {
            registries: Registries {
                extractors: ExtractorRegistry::default(),
                formatters: FormatterRegistry::default(),
                package_roots: host.options.package_roots.clone(),
                clock: Arc::clone(&host.clock),
                ancestors: OnceLock::new(),
            },
            ids: RequestIdMint::new(Arc::clone(&host.clock), Arc::clone(&host.ids)),
            audit: Audit::new(),
            notices: PolicyNotices::default(),
            session,
            log,
            forwarding,
            links: Links::default(),
            host,
        });
        services.look_up_to_ancestors();
        services.load_global_settings(locations);
        Self {
            gate: PermissionGateHandler::new(Arc::clone(&services)),
            lifecycle: SessionLifecycleHandler::new(Arc::clone(&services)),
            agent_prep: AgentPrepHandler::new(Arc::clone(&services)),
            services,
        }
    }

    /// `tool_call`: whether the call may go ahead.
    pub fn handle_tool_call(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) -> ToolCallAnswer {
        self.gate.handle_tool_call(event, context)
    }

    /// `input`: whether what the user typed goes on to the agent.
    pub fn handle_input(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) -> InputAnswer {
        self.gate.handle_input(event, context)
    }

    /// `session_start`.
    pub fn handle_session_start(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) {
        self.lifecycle.handle_session_start(event, context);
    }

    /// `resources_discover`.
    pub fn handle_resources_discover(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) {
        self.lifecycle.handle_resources_discover(event, context);
    }

    /// `session_shutdown`.
    pub fn handle_session_shutdown(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) {
        self.lifecycle.handle_session_shutdown(event, context);
    }

    /// `before_agent_start`: the new system prompt, when it changed.
    pub fn handle_before_agent_start(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) -> Option<String> {
        self.agent_prep.handle_before_agent_start(event, context)
    }

    /// `subagents:child:session-created` on this session's bus: the child is registered when this returns (SUB-007).
    pub fn handle_subagent_created(&self, payload: &Value) {
        self.lifecycle.handle_subagent_created(payload);
    }

    /// `subagents:child:disposed` on this session's bus (SUB-007).
    pub fn handle_subagent_disposed(&self, payload: &Value) {
        self.lifecycle.handle_subagent_disposed(payload);
    }

    /// Serves what other sessions ask of this one: one pass over its inbox (5.6). A host calls it four times a second, from a
    /// thread of its own: a pass waits for the person. Without a person, without forwarding and while another pass runs nothing
    /// happens (INBOX-001, INBOX-002).
    pub fn serve_forwarded(&self) {
        self.services.serve_forwarded();
    }

    /// Shows others that this session can be asked (HARD-047). A host calls it each second, from another thread than
    /// [`serve_forwarded`](Self::serve_forwarded), so that a person who takes long does not look like a session that is gone.
    pub fn beat(&self) {
        self.services.beat();
    }

    /// Saves the settings that the host's settings command changes, and puts them in force (CFG-036). A file that does not
    /// validate is not written over (POLICY-D04).
    pub fn save_settings(&self, saved: SavedSettings) -> HostResult<()> {
        self.lifecycle.save_settings(saved)
    }

    /// What other extensions may ask and register; there is one once a session is active (EVT-016).
    pub fn service(&self) -> Option<PermissionService> {
        self.services.session.bound().ok()?;
        Some(PermissionService::new(Arc::clone(&self.services)))
    }

    /// The grants of this session, in order.
    pub fn session_rules(&self) -> Vec<Rule> {
        self.services.session.session_rules().get_ruleset()
    }

    /// Stores a grant as if a person had given it; for tests that begin in the middle of a session.
    pub fn record_session_rule(&self, surface: &str, pattern: &str) {
        self.services.session.session_rules().approve(surface, pattern);
    }

    /// The four counters (EVT-014).
    pub fn audit_counts(&self) -> AuditCounts {
        self.services.audit.counts()
    }
}
