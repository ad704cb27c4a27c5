//! One session of a world of several.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use portcullis_core::authority::forwarding::{ForwardingRoot, normalize_session_id};
use portcullis_core::composition::ForwardingHost;
use portcullis_core::host::{ExchangeFaultKind, HostContext as _};
use portcullis_core::policy::agent_dir;
use portcullis_test_fixtures::{FakeHost, FakeHostBuilder, First};
use serde_json::json;

use super::Shared;
use super::process::{Ids, Process, Variables};
use crate::implementation::Refusal;
use crate::implementation::in_process;
use crate::implementation::observation::Observation;
use crate::implementation::world::{StepRequest, WorldSession};

/// How often a session looks into its inbox.
const SERVE_EVERY_MS: u64 = 250;
/// How often it shows that it lives (HARD-047).
const BEAT_EVERY_MS: u64 = 1_000;

/// A gate with its host.
pub(super) struct Node {
    pub(super) host: FakeHost,
    variables: Arc<Variables>,
    inboxes: ForwardingRoot,
    looping: AtomicBool,
}

impl Node {
    /// A gate in this process. Nothing has happened yet.
    pub(super) fn new(shared: &Shared, spec: &WorldSession, process: &Process) -> Self {
        let home = spec.env.iter().find(|(name, _)| name == "HOME").map_or("", |(_, value)| value.as_str());
        let mut builder = FakeHostBuilder::new(&spec.cwd, home).tools(spec.tools.clone()).trust(in_process::trust(&spec.trust));
        builder = builder.files(Arc::clone(&shared.files.view), Arc::clone(&shared.files.store));
        if let Some(answers) = &spec.ui {
            builder = builder.ui(in_process::script(answers));
        }
        if let Some(agent) = &spec.agent {
            builder = builder.agent(agent);
        }
        let variables = Arc::new(Variables::new(&spec.env));
        let forwarding = ForwardingHost {
            exchange: Arc::clone(&shared.exchange) as _,
            waiter: Arc::new(shared.timeline.clone()),
            processes: Arc::clone(&shared.processes) as _,
            subagents: Arc::clone(&process.subagents),
            nodes: Arc::clone(&process.nodes),
        };
        let ids = Ids { counter: Arc::clone(&shared.counter), process: process.number };
        let (clock, environment, change) = (shared.timeline.clone(), Arc::clone(&variables), Arc::clone(&shared.change));
        let host = builder
            .change_host(move |_, host| {
                host.clock = Arc::new(clock);
                host.environment = environment;
                host.ids = Arc::new(ids);
                host.forwarding = Some(forwarding);
                change(host);
            })
            .build();
        host.ui.wait_on(&shared.timeline);
        host.context.set_session_id(spec.id.as_deref());
        match &spec.folder_fails {
            Some(text) => host.context.fail_session_dir(text),
            None => host.context.set_session_dir(spec.folder.as_deref()),
        }
        for grant in &spec.session_rules {
            host.system.record_session_rule(&grant.surface, &grant.pattern);
        }
        let inboxes = ForwardingRoot::new(&agent_dir(variables.as_ref()));
        Self { host, variables, inboxes, looping: AtomicBool::new(false) }
    }

    /// What a host does beside its events: it serves, and shows that it lives. The two do not wait for each other.
    pub(super) fn run_loops(self: &Arc<Self>, shared: &Arc<Shared>, group: &str) {
        if self.looping.swap(true, Ordering::SeqCst) {
            return;
        }
        let timeline = &shared.timeline;
        let (node, world) = (Arc::clone(self), Arc::downgrade(shared));
        // Where nobody asks, a pass has nothing to wait for.
        let is_idle = move || world.upgrade().is_some_and(|world| !world.exchange.is_troubled() && node.is_inbox_empty(&world));
        let node = Arc::clone(self);
        timeline.every(group, SERVE_EVERY_MS, First::Later, is_idle, move || {
            // A question of the session's own is open: the pass would wait for it with the word in its hand.
            if !node.host.ui.is_busy() {
                node.host.system.serve_forwarded();
            }
        });
        let (node, world) = (Arc::clone(self), Arc::downgrade(shared));
        let is_idle = move || world.upgrade().is_some_and(|world| !world.exchange.is_troubled());
        timeline.every(group, BEAT_EVERY_MS, First::Now, is_idle, move || node.host.system.beat());
    }

    /// Whether nothing lies in this session's inbox. What cannot be told is not empty.
    fn is_inbox_empty(&self, shared: &Shared) -> bool {
        let Some(id) = normalize_session_id(self.host.context.session_id().as_deref()) else { return true };
        let Ok(location) = self.inboxes.location(&id) else { return true };
        match shared.files.exchange.list_files(&location.requests()) {
            Ok(names) => names.is_empty(),
            Err(fault) => fault.kind == ExchangeFaultKind::NotFound,
        }
    }

    /// Its parent says on its own bus that it comes (SUB-007).
    pub(super) fn announce_child(&self, child: Option<&str>, parent: Option<&str>) {
        self.host.system.handle_subagent_created(&json!({ "sessionId": child, "parentSessionId": parent }));
    }

    /// One event of the host, or one change of what it reports.
    pub(super) fn step(&self, step: &StepRequest) -> Result<Observation, Refusal> {
        match step {
            StepRequest::Serve => self.host.system.serve_forwarded(),
            StepRequest::Subagent { created: true, payload } => self.host.system.handle_subagent_created(payload),
            StepRequest::Subagent { created: false, payload } => self.host.system.handle_subagent_disposed(payload),
            StepRequest::HostChange { env, .. } => {
                for (name, value) in env {
                    self.variables.change(name, value.as_deref());
                }
                return in_process::act(&self.host, step);
            }
            _ => return in_process::act(&self.host, step),
        }
        Ok(Observation::default())
    }

    /// What could be seen since the last look.
    pub(super) fn observe(&self, seen: &mut Observation) {
        in_process::observe(&self.host, seen);
    }
}
