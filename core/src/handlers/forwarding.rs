//! What one session has of the way to other sessions: the shared folders and the verbs on them, for asking and for serving.

use std::sync::Arc;

use super::host::{ForwardingHost, Host};
use crate::authority::forwarding::{Exchange, ForwardingLog, ForwardingRoot};
use crate::report::log::GateLog;

/// The way to other sessions; a host may have none.
pub(crate) struct Forwarding {
    pub(crate) host: ForwardingHost,
    pub(crate) root: ForwardingRoot,
    pub(crate) exchange: Arc<Exchange>,
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
        Some(Self { root: ForwardingRoot::new(agent_dir), exchange: Arc::new(exchange), host: forwarding })
    }
}
