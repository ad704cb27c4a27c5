//! What one session has of the way to other sessions: the shared folders and the verbs on them, for asking and for serving;
//! and what it is to them.

use std::sync::Arc;

use super::host::{ForwardingHost, Host};
use crate::authority::PromptQueue;
use crate::authority::forwarding::{
    ChildIdentity, ChildSigns, Exchange, ForwardingAuthority, ForwardingLog, ForwardingRoot, InboxServer, ParentReach,
    is_subagent,
};
use crate::host::{Environment, HostContext, IdSource};
use crate::report::log::GateLog;

/// The way to other sessions; a host may have none.
pub(crate) struct Forwarding {
    pub(crate) host: ForwardingHost,
    pub(crate) root: ForwardingRoot,
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) inbox: InboxServer,
    environment: Arc<dyn Environment>,
    ids: Arc<dyn IdSource>,
    agent_dir: String,
    waiting_time_ms: u64,
}

impl Forwarding {
    /// The way that this host offers.
    pub(crate) fn of(host: &Host, agent_dir: &str, log: &Arc<GateLog>) -> Option<Self> {
        let forwarding = host.forwarding.clone()?;
        let log: Arc<dyn ForwardingLog> = Arc::clone(log) as Arc<dyn ForwardingLog>;
        let exchange = Exchange::new(
            Arc::clone(&forwarding.exchange),
            Arc::clone(&host.clock),
            Arc::clone(&forwarding.waiter),
            log,
            host.ids.process_id(),
        );
        let (root, exchange) = (ForwardingRoot::new(agent_dir), Arc::new(exchange));
        let inbox = InboxServer::new(
            root.clone(),
            Arc::clone(&exchange),
            Arc::clone(&forwarding.subagents),
            Arc::clone(&forwarding.processes),
            host.options.waiting_time_ms,
        );
        Some(Self {
            root,
            exchange,
            inbox,
            environment: Arc::clone(&host.environment),
            ids: Arc::clone(&host.ids),
            agent_dir: agent_dir.to_owned(),
            waiting_time_ms: host.options.waiting_time_ms,
            host: forwarding,
        })
    }

    /// Whether the session of this context is somebody's child (SUB-001).
    pub(crate) fn is_child(&self, context: &dyn HostContext) -> bool {
        let session_id = context.session_id();
        let signs = ChildSigns {
            registry: &self.host.subagents,
            environment: self.environment.as_ref(),
            agent_dir: &self.agent_dir,
            session_id: session_id.as_deref(),
        };
        is_subagent(signs, || context.session_dir())
    }

    /// The parent of this context's session, as the one who answers its asks.
    pub(crate) fn parent(&self, context: &dyn HostContext, line: &Arc<PromptQueue>) -> ForwardingAuthority {
        let reach = ParentReach {
            exchange: Arc::clone(&self.exchange),
            root: self.root.clone(),
            processes: Arc::clone(&self.host.processes),
            ids: Arc::clone(&self.ids),
            waiting_time_ms: self.waiting_time_ms,
        };
        let identity = ChildIdentity {
            session_id: context.session_id(),
            registry: Arc::clone(&self.host.subagents),
            environment: Arc::clone(&self.environment),
        };
        ForwardingAuthority::new(reach, identity, Arc::clone(line))
    }
}
