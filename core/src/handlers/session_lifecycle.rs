//! Start, reload and end of a session (HAND-017 to HAND-020, CFG-029 to CFG-034).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};

use super::services::{Services, tool_names};
use super::settings::{STATUS_KEY, reload_settings};
use crate::authority::forwarding::{SubagentRegistry, forget_child, register_child};
use crate::gates::GateNotifier as _;
use crate::host::boundary::{attempt, guarded};
use crate::host::{HostContext, HostError, HostResult, NoticeLevel};
use crate::policy::{IssueKind, SavedSettings};
use crate::report::escape::visible;
use crate::report::messages;
use crate::session::{ActiveAgent, Bound};

/// Owns `session_start`, `resources_discover` and `session_shutdown`.
pub struct SessionLifecycleHandler {
    services: Arc<Services>,
    /// Whether the events about children are listened to: until the session ends (SUB-009).
    listens: AtomicBool,
    warned_of_absent_node: AtomicBool,
}

impl SessionLifecycleHandler {
    pub(crate) fn new(services: Arc<Services>) -> Self {
        Self { services, listens: AtomicBool::new(true), warned_of_absent_node: AtomicBool::new(false) }
    }

    /// A session begins, anew or after a reload. A failure is told to the person and to nobody else: the calls that follow
    /// meet their own boundary.
    pub fn handle_session_start(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) {
        if let Err(error) = guarded(|| self.start(event, context)) {
            self.tell_failure(context, &error);
        }
    }

    fn start(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) -> HostResult<()> {
        self.listens.store(true, Ordering::Release);
        let context = context.ok_or_else(|| HostError::new("the event came without a context"))?;
        let services = &self.services;
        services.session.begin();
        services.notices.begin();
        services.activate(context)?;
        // Anew, whatever an earlier session read; once for all that this event needs.
        services.session.reload_policy();
        let bound = services.session.bound()?;
        let tools = tool_names(&services.host.tools.get_all().unwrap_or_default());
        reload_settings(services, &bound, &tools);
        let paths = bound.loader.resolved_paths(bound.trust);
        services.log.review("config.resolved", &paths);
        services.log.debug("config.resolved", &paths);
        let agent = services.session.resolve_agent_name(&bound.context, None)?;
        self.report_policy(&bound, &agent, &tools);
        let reason = event.get("reason").and_then(Value::as_str).unwrap_or_default();
        if reason == "reload" {
            self.log_reload("session_start", reason, Some(&bound.cwd));
        }
        let session_id = bound.context.session_id();
        if let (Some(forwarding), Some(id)) = (&services.forwarding, &session_id) {
            forwarding.host.nodes.publish(id, services);
        }
        services.emit_ready(session_id.as_deref(), !bound.authority.relays());
        Ok(())
    }

    /// One warning for each policy issue (CFG-031); a line of the review log for what is broken or not read (RES-01, RES-06).
    fn report_policy(&self, bound: &Bound, agent: &ActiveAgent, tools: &[String]) {
        let services = &self.services;
        let policy = services.session.policy(bound, agent, tools);
        services.announce_broken_scopes(bound, &policy);
        // The person reads of it in the joined warning of the settings (RES-01).
        if let Some(issue) = policy.snapshot.issues.iter().find(|issue| issue.kind == IssueKind::Untrusted) {
            let mut fields = Map::new();
            fields.insert("path".to_owned(), json!(issue.file));
            fields.insert("message".to_owned(), json!(issue.message));
            services.log.review("config.untrusted", &fields);
        }
    }

    /// Resources were found anew; only a reload means anything here (CFG-034). Grants and withheld tools stay.
    pub fn handle_resources_discover(&self, event: &Value, _context: Option<&Arc<dyn HostContext>>) {
        let reason = event.get("reason").and_then(Value::as_str).unwrap_or_default();
        if reason != "reload" {
            return;
        }
        let cwd = self.services.session.bound().ok().map(|bound| bound.cwd);
        self.services.session.reload_policy();
        self.log_reload("resources_discover", reason, cwd.as_deref());
    }

    /// What the host's settings command does (CFG-036). The error was told to the person already.
    pub fn save_settings(&self, saved: SavedSettings) -> HostResult<()> {
        guarded(|| super::settings::save(&self.services, saved))
    }

    /// The session ends: pending asks are denied, the summary is written, grants are gone (HAND-020).
    pub fn handle_session_shutdown(&self, _event: &Value, _context: Option<&Arc<dyn HostContext>>) {
        let services = &self.services;
        self.listens.store(false, Ordering::Release);
        // Each part for itself: whatever a host does, grants and pending asks end here.
        if let Ok(bound) = services.session.bound()
            && let Some(ui) = bound.context.user_interface()
        {
            attempt(|| {
                let _ = ui.set_status(STATUS_KEY, None);
            });
        }
        let counts = services.audit.counts();
        attempt(|| services.log.debug("permission.session_summary", &counts.fields()));
        if let Some(warning) = counts.mismatch_warning()
            && let Ok(bound) = services.session.bound()
        {
            services.notifier(&bound).warn(&warning);
        }
        services.session.end();
        if let Some(forwarding) = &services.forwarding {
            forwarding.host.nodes.withdraw(services);
            attempt(|| forwarding.inbox.end_session());
        }
    }

    /// A child session was created (SUB-007): it is registered when this returns.
    pub fn handle_subagent_created(&self, payload: &Value) {
        self.with_children(|children| register_child(children, payload));
    }

    /// A child session is gone (SUB-007).
    pub fn handle_subagent_disposed(&self, payload: &Value) {
        self.with_children(|children| {
            let child = payload.get("sessionId").and_then(Value::as_str);
            let known = child.filter(|child| children.get(child).is_some());
            forget_child(children, payload);
            if let Some(child) = known {
                self.miss_node(child);
            }
        });
    }

    /// HARD-046: a child that ends without ever having had a gate was never judged by one. That is recorded, and the person
    /// reads of it once.
    fn miss_node(&self, child: &str) {
        let services = &self.services;
        if services.forwarding.as_ref().is_none_or(|forwarding| forwarding.host.nodes.forget(child)) {
            return;
        }
        let mut fields = Map::new();
        fields.insert("sessionId".to_owned(), json!(child));
        attempt(|| services.log.review("node.absent", &fields));
        if !self.warned_of_absent_node.swap(true, Ordering::AcqRel)
            && let Ok(bound) = services.session.bound()
        {
            let text = format!("The subagent session '{}' ran without a permission gate of its own.", visible(child));
            services.notifier(&bound).warn(&text);
        }
    }

    /// An ended session listens no longer; the children that it registered stay (SUB-009).
    fn with_children(&self, change: impl FnOnce(&SubagentRegistry)) {
        if let Some(forwarding) = &self.services.forwarding
            && self.listens.load(Ordering::Acquire)
        {
            change(&forwarding.host.subagents);
        }
    }

    fn log_reload(&self, triggered_by: &str, reason: &str, cwd: Option<&str>) {
        let mut fields = Map::new();
        fields.insert("triggeredBy".to_owned(), json!(triggered_by));
        fields.insert("reason".to_owned(), json!(reason));
        fields.insert("cwd".to_owned(), json!(cwd));
        attempt(|| self.services.log.debug("lifecycle.reload", &fields));
    }

    fn tell_failure(&self, context: Option<&Arc<dyn HostContext>>, error: &HostError) {
        if let Some(ui) = context.and_then(|c| c.user_interface()) {
            attempt(|| {
                let _ = ui.notify(NoticeLevel::Error, &messages::gate_error(&error.message));
            });
        }
    }
}
