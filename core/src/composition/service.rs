//! What other extensions may ask and register (EVT-016 to EVT-020). Asking leaves nothing behind: no event, no log line, no
//! prompt.

use std::sync::Arc;

use crate::access::ExtractorRegistry;
use crate::authority::{Link, LinkNameTaken, LinkRegistration};
use crate::handlers::{NodeRegistry, Services};
use crate::host::HostResult;
use crate::policy::{PermissionCheckResult, PermissionState};
use crate::report::previews::FormatterRegistry;

/// The service of one session. Look it up anew for each use: it answers for the session that is active then.
pub struct PermissionService {
    services: Arc<Services>,
}

impl PermissionService {
    pub(crate) fn new(services: Arc<Services>) -> Self {
        Self { services }
    }

    /// The answer of rules and grants for a surface and a value (EVT-017, EVT-018, POLICY-D13). Nobody is asked.
    pub fn check_permission(&self, surface: &str, value: Option<&str>, agent: Option<&str>) -> HostResult<PermissionCheckResult> {
        self.services.query(surface, value, agent)
    }

    /// The answer for a tool as a whole: value `*`, no grants, no permissive mode (EVT-019).
    pub fn get_tool_permission(&self, tool: &str, agent: Option<&str>) -> HostResult<PermissionState> {
        self.services.tool_permission(tool, agent)
    }

    /// Where extensions say which path a tool touches (SURF-014).
    pub fn path_extractors(&self) -> &ExtractorRegistry {
        &self.services.registries.extractors
    }

    /// Where extensions say how a tool's input is shown (EVT-020).
    pub fn tool_input_formatters(&self) -> &FormatterRegistry {
        &self.services.registries.formatters
    }
    /// Registers an automatic answerer of asks (HARD-044). It is asked only where the global configuration names it in
    /// `authorizerChain`; a session that relays its asks never asks it.
    pub fn register_link(&self, link: Arc<dyn Link>) -> Result<LinkRegistration, LinkNameTaken> {
        self.services.register_link(link)
    }
}

impl NodeRegistry {
    /// The service of the session with this id; there is no other way to find one (RES-64).
    pub fn service(&self, session_id: &str) -> Option<PermissionService> {
        self.services(session_id).map(PermissionService::new)
    }
}
