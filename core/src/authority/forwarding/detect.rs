//! Whether a session is somebody's child (SUB-001 to SUB-005, RES-59). Looks at no file.

use super::subagents::SubagentRegistry;
use super::target::names_parent;
use crate::access::path::within;
use crate::host::{Environment, HostResult, Platform};
use crate::text::non_blank;

/// Variables whose mere presence says that a process is a child (SUB-003); what they say does not matter.
pub const CHILD_HINTS: [&str; 11] = [
    "PI_IS_SUBAGENT",
    "PI_SUBAGENT_SESSION_ID",
    "PI_AGENT_ROUTER_SUBAGENT",
    "PI_SUBAGENT_CHILD",
    "PI_SUBAGENT_RUN_ID",
    "PI_SUBAGENT_CHILD_AGENT",
    "PI_SUBAGENT_DEPTH",
    "PI_SUBAGENT_NAME",
    "PI_SUBAGENT_ID",
    "PI_SUBAGENT_SESSION",
    "PI_SUBAGENT_ACTIVITY_FILE",
];

/// What tells a child from others, but for its folder, which is only asked for when nothing else decides.
#[derive(Clone, Copy)]
pub struct ChildSigns<'a> {
    /// The children of this process.
    pub registry: &'a SubagentRegistry,
    /// The environment.
    pub environment: &'a dyn Environment,
    /// The host's agent directory.
    pub agent_dir: &'a str,
    /// The session's id as the host gives it, untrimmed (SUB-002).
    pub session_id: Option<&'a str>,
}

/// Whether the session is a child: registered, hinted at or told its parent by the environment, or in the folder of children.
/// A folder that cannot be read is unknown, and unknown is no child (FWD-D14).
pub fn is_subagent(signs: ChildSigns<'_>, session_dir: impl FnOnce() -> HostResult<Option<String>>) -> bool {
    is_registered(signs.registry, signs.session_id)
        || CHILD_HINTS.iter().any(|name| is_set(signs.environment, name))
        || names_parent(signs.environment)
        || session_dir().ok().flatten().is_some_and(|folder| {
            in_children_folder(signs.environment.platform(), &folder, &format!("{}/subagent-sessions", signs.agent_dir))
        })
}

fn is_registered(registry: &SubagentRegistry, session_id: Option<&str>) -> bool {
    session_id.is_some_and(|id| registry.get(id).is_some())
}

fn is_set(environment: &dyn Environment, name: &str) -> bool {
    environment.var(name).is_some_and(|value| non_blank(&value).is_some())
}

/// SUB-004: the same folder or one below it, by their texts.
fn in_children_folder(platform: Platform, folder: &str, children: &str) -> bool {
    // What lies in the folder lies below the children's folder exactly when it is that folder or one below it; a separator at
    // an end says nothing (FWD-D14).
    !folder.is_empty() && within(platform, &format!("{folder}/entry"), children)
}

#[cfg(test)]
mod tests;
