//! Which files one load looks at, in which order, and which of them it must not open (RES-01, RES-10, CFG-027).

use std::sync::Arc;

use super::super::locations::PolicyLocations;
use super::look::Look;
use super::usable_agent_name;
use crate::host::{FileView, Trust};

/// One file of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Slot {
    /// There is no place for it: no project, no agent (CFG-003, CFG-020). The text is what its stamp says.
    Nowhere(&'static str),
    /// The project is not trusted: only its path is known.
    NotRead(Arc<str>),
    /// The agent's name must not become part of a path.
    UnusableName,
    /// A place, and what is there.
    File(Arc<str>, Look),
}

impl Slot {
    fn look(files: &dyn FileView, path: String) -> Self {
        let look = Look::at(files, &path);
        Self::File(path.into(), look)
    }

    fn of_project(files: &dyn FileView, path: Option<String>, trust: Trust) -> Self {
        match path {
            None => Self::Nowhere("none"),
            Some(path) if !trust.is_trusted() => Self::NotRead(path.into()),
            Some(path) => Self::look(files, path),
        }
    }

    /// The text of its stamp (CFG-033).
    pub(crate) fn stamp_text(&self) -> String {
        match self {
            Self::Nowhere(text) => (*text).to_owned(),
            Self::NotRead(_) => "not-read".to_owned(),
            Self::UnusableName => "unusable".to_owned(),
            Self::File(_, look) => look.stamp_text(),
        }
    }
}

/// All files of one load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) legacy_global: Slot,
    pub(crate) legacy_extension: Slot,
    pub(crate) global: Slot,
    pub(crate) legacy_project: Slot,
    pub(crate) project: Slot,
    pub(crate) agent: Slot,
    pub(crate) project_agent: Slot,
    pub(crate) mcp: Slot,
    pub(crate) project_mcp: Slot,
    /// Whether an untrusted project holds anything that would have been read.
    pub(crate) withheld: bool,
}

impl Plan {
    /// Looks at everything once.
    pub(crate) fn new(files: &dyn FileView, places: &PolicyLocations, trust: Trust, agent: Option<&str>) -> Self {
        let agent = agent.filter(|name| !name.is_empty());
        let (agent_slot, project_agent) = match agent {
            None => (Slot::Nowhere("missing"), Slot::Nowhere("none")),
            Some(name) if !usable_agent_name(name) => (Slot::UnusableName, Slot::Nowhere("none")),
            Some(name) => {
                (Slot::look(files, places.agent_file(name)), Slot::of_project(files, places.project_agent_file(name), trust))
            }
        };
        Self {
            legacy_global: Slot::look(files, places.legacy_global_policy()),
            legacy_extension: match places.legacy_extension_config() {
                Some(path) => Slot::look(files, path),
                None => Slot::Nowhere("none"),
            },
            global: Slot::look(files, places.global_config()),
            legacy_project: Slot::of_project(files, places.legacy_project_policy(), trust),
            project: Slot::of_project(files, places.project_config(), trust),
            agent: agent_slot,
            project_agent,
            mcp: Slot::look(files, places.mcp_servers()),
            project_mcp: Slot::of_project(files, places.project_mcp_servers(), trust),
            withheld: !trust.is_trusted() && holds_policy(files, places),
        }
    }

    /// The stamp of the four scopes (CFG-033).
    pub(crate) fn stamp(&self) -> String {
        [&self.global, &self.project, &self.agent, &self.project_agent].map(Slot::stamp_text).join("|")
    }
}

/// Whether a project has a file or folder that a trusted session would read. Nothing is opened (RES-01).
fn holds_policy(files: &dyn FileView, places: &PolicyLocations) -> bool {
    [places.project_config(), places.project_agents_dir(), places.project_mcp_servers(), places.legacy_project_policy()]
        .into_iter()
        .flatten()
        .any(|path| files.entry(&path).is_ok())
}
