//! Whom a child asks (SUB-010 to SUB-012), and under which name it asks (SUB-014).

use std::sync::Arc;

use super::location::normalize_session_id;
use super::subagents::SubagentRegistry;
use crate::host::Environment;

/// The variables that name a parent, the first one first (SUB-010). They are no hints that a session is a child by themselves
/// in the package; here they are (RES-59).
pub const PARENT_VARIABLES: [&str; 2] = ["PI_AGENT_ROUTER_PARENT_SESSION_ID", "PI_SUBAGENT_PARENT_SESSION"];

/// What a session that nobody can name is called.
pub(super) const UNKNOWN: &str = "unknown";

/// Whether the environment names a parent that can be one.
pub fn names_parent(environment: &dyn Environment) -> bool {
    parent_by_environment(environment).is_some()
}

fn parent_by_environment(environment: &dyn Environment) -> Option<String> {
    PARENT_VARIABLES.iter().find_map(|name| normalize_session_id(environment.var(name).as_deref()))
}

/// What a session is, as far as its target hangs on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionRole {
    /// It has a person: it answers itself.
    WithUser,
    /// It is somebody's child.
    Child,
    /// Neither.
    Alone,
}

/// The session that answers the asks of this one (SUB-010): of a child the registered parent, else the one that the
/// environment names; the entry is looked up by the trimmed id.
pub fn resolve_target(
    role: SessionRole,
    session_id: Option<&str>,
    registry: &SubagentRegistry,
    environment: &dyn Environment,
) -> Option<String> {
    let own = normalize_session_id(session_id);
    match role {
        SessionRole::WithUser => own,
        SessionRole::Alone => None,
        SessionRole::Child => {
            let registered = own.and_then(|own| registry.get(&own)).flatten();
            normalize_session_id(registered.as_deref()).or_else(|| parent_by_environment(environment))
        }
    }
}

/// A child's view of who it is and whom it asks; looked up anew for each ask.
#[derive(Clone)]
pub struct ChildIdentity {
    /// Its session's id, as the host gives it.
    pub session_id: Option<String>,
    /// The children of this process.
    pub registry: Arc<SubagentRegistry>,
    /// The environment.
    pub environment: Arc<dyn Environment>,
}

impl ChildIdentity {
    /// Whom it asks now.
    pub fn target(&self) -> Option<String> {
        resolve_target(SessionRole::Child, self.session_id.as_deref(), &self.registry, self.environment.as_ref())
    }

    /// Its id in messages (SUB-014): trimmed, `unknown` without one.
    pub fn requester_session_id(&self) -> String {
        let trimmed = self.session_id.as_deref().and_then(crate::text::non_blank);
        trimmed.unwrap_or(UNKNOWN).to_owned()
    }
}

#[cfg(test)]
mod tests;
