//! From places on disk to one snapshot of the policy (RES-01, RES-11): what one call is judged with.
//!
//! The loader decides which files count, and keeps what it read under the stamp of each file. What a file says is decided
//! by [`config`](super::config) and [`front_matter`](super::front_matter), how scopes become one list by the ruleset.

mod look;
mod parsed;
mod plan;
mod snapshot;

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use serde_json::{Map, Value};

use super::issue::PolicyIssue;
use super::locations::PolicyLocations;
use super::mcp_servers::server_names;
use super::rule::Scope;
use crate::host::{FileView, Trust};
pub(crate) use look::{FileText, Look, describe};
use parsed::{ParsedFile, parse_agent, parse_config, parse_legacy};
use plan::Plan;
pub use snapshot::PolicySnapshot;
use snapshot::assemble;

/// How many snapshots are kept: with and without an agent, before and after a change of tools.
const KEPT_SNAPSHOTS: usize = 4;

/// How many issues [`PolicyLoader::collected_issues`] remembers.
const KEPT_ISSUES: usize = 1_000;

/// Reads policy files, keeping each file's content under its stamp.
///
/// ```
/// # use std::sync::Arc;
/// # use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform, Trust};
/// use portcullis_core::policy::{PolicyLoader, PolicyLocations, PermissionState};
/// # struct OneFile;
/// # fn missing() -> FileFault { FileFault { kind: FileFaultKind::NotFound, message: "no such file".into() } }
/// # impl FileView for OneFile {
/// #     fn entry(&self, _: &str) -> Result<EntryKind, FileFault> { Err(missing()) }
/// #     fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
/// #         if path.starts_with("/a/ext") { Ok(br#"{"permission": {"rm *": "deny"}}"#.to_vec()) } else { Err(missing()) }
/// #     }
/// #     fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
/// #         self.read(path).map(|_| FileStamp { device: 1, inode: 1, size: 1, modified_ns: 1, changed_ns: 1 })
/// #     }
/// #     fn list(&self, _: &str) -> Result<Vec<String>, FileFault> { Ok(Vec::new()) }
/// # }
/// # let files = Arc::new(OneFile);
/// let loader = PolicyLoader::new(files, PolicyLocations::new("/a", None, None, Platform::Posix));
/// let snapshot = loader.load(Trust::Unknown, None, &[]);
/// assert_eq!(snapshot.scopes[0].rules[0].action, PermissionState::Deny);
/// assert!(!snapshot.clamp());
/// ```
pub struct PolicyLoader {
    files: Arc<dyn FileView>,
    locations: PolicyLocations,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    parsed: HashMap<(Role, Arc<str>), CachedFile>,
    servers: HashMap<Arc<str>, (Look, Arc<[String]>)>,
    tools: Arc<[String]>,
    /// The latest snapshots, newest last.
    snapshots: Vec<(Key, Arc<PolicySnapshot>)>,
    issues: Vec<PolicyIssue>,
}

/// A file as it was read, and what the reading depended on.
struct CachedFile {
    look: Look,
    tools: Arc<[String]>,
    parsed: Arc<ParsedFile>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Config(Scope),
    Agent(Scope),
    Legacy(Scope),
}

/// What a snapshot depends on.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    trust: Trust,
    agent: Option<String>,
    tools: Arc<[String]>,
    plan: Plan,
}

impl PolicyLoader {
    /// A loader for these places. Nothing is read yet.
    pub fn new(files: Arc<dyn FileView>, locations: PolicyLocations) -> Self {
        Self { files, locations, state: Mutex::default() }
    }

    /// The places this loader reads.
    pub fn locations(&self) -> &PolicyLocations {
        &self.locations
    }

    /// Reads what changed and gives the whole policy for one call (RES-11).
    ///
    /// `known_tools` are the registered tools: a surface key that none of them answers is reported (RES-08). As long as
    /// nothing changed the very same snapshot is given again; what is derived from it can be kept with it
    /// ([`Arc::ptr_eq`]).
    pub fn load(&self, trust: Trust, agent: Option<&str>, known_tools: &[String]) -> Arc<PolicySnapshot> {
        let plan = Plan::new(self.files.as_ref(), &self.locations, trust, agent);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state.tools != *known_tools {
            state.tools = known_tools.into();
        }
        let key = Key { trust, agent: agent.map(str::to_owned), tools: Arc::clone(&state.tools), plan };
        if let Some((_, snapshot)) = state.snapshots.iter().find(|(known, _)| *known == key) {
            return Arc::clone(snapshot);
        }
        let snapshot = Arc::new(assemble(&mut Reader { files: self.files.as_ref(), state: &mut state }, &self.locations, &key));
        state.collect(&snapshot.issues);
        if state.snapshots.len() >= KEPT_SNAPSHOTS {
            state.snapshots.remove(0);
        }
        state.snapshots.push((key, Arc::clone(&snapshot)));
        snapshot
    }

    /// Every issue that any load of this loader found, once, in order of discovery (CFG-030). It is still here after its
    /// file was mended; a new loader starts empty.
    pub fn collected_issues(&self) -> Vec<PolicyIssue> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).issues.clone()
    }

    /// The fields of `config.resolved` (CFG-032). Nothing is opened.
    pub fn resolved_paths(&self, trust: Trust) -> Map<String, Value> {
        let places = &self.locations;
        let exists = |path: Option<&str>| path.is_some_and(|path| Look::at(self.files.as_ref(), path).exists());
        let optional = |path: &Option<String>| path.clone().map_or(Value::Null, Value::String);
        let (global, agents) = (places.global_config(), places.agents_dir());
        let (project, project_agents) = (places.project_config(), places.project_agents_dir());
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        put("globalConfigPath", global.as_str().into());
        put("globalConfigExists", exists(Some(&global)).into());
        put("projectConfigPath", optional(&project));
        put("projectConfigExists", exists(project.as_deref()).into());
        put("agentsDir", agents.as_str().into());
        put("agentsDirExists", exists(Some(&agents)).into());
        put("projectAgentsDir", optional(&project_agents));
        put("projectAgentsDirExists", exists(project_agents.as_deref()).into());
        put("legacyGlobalPolicyDetected", exists(Some(&places.legacy_global_policy())).into());
        put("legacyProjectPolicyDetected", exists(places.legacy_project_policy().as_deref()).into());
        put("legacyExtensionConfigDetected", exists(places.legacy_extension_config().as_deref()).into());
        put("projectTrusted", trust.is_trusted().into());
        fields
    }
}

impl State {
    fn collect(&mut self, issues: &[PolicyIssue]) {
        for issue in issues {
            if self.issues.len() < KEPT_ISSUES && !self.issues.contains(issue) {
                self.issues.push(issue.clone());
            }
        }
    }
}

/// Reads files through the cache.
pub(crate) struct Reader<'a> {
    files: &'a dyn FileView,
    state: &'a mut State,
}

impl Reader<'_> {
    fn config(&mut self, scope: Scope, path: &Arc<str>, look: &Look) -> Arc<ParsedFile> {
        self.parsed(Role::Config(scope), path, look)
    }

    fn agent(&mut self, scope: Scope, path: &Arc<str>, look: &Look) -> Arc<ParsedFile> {
        self.parsed(Role::Agent(scope), path, look)
    }

    fn legacy(&mut self, scope: Scope, path: &Arc<str>, look: &Look) -> Arc<ParsedFile> {
        self.parsed(Role::Legacy(scope), path, look)
    }

    fn parsed(&mut self, role: Role, path: &Arc<str>, look: &Look) -> Arc<ParsedFile> {
        let key = (role, Arc::clone(path));
        let tools = Arc::clone(&self.state.tools);
        if let Some(cached) = self.state.parsed.get(&key)
            && is_proof(look)
            && cached.look == *look
            && cached.tools == tools
        {
            return Arc::clone(&cached.parsed);
        }
        let text = self.text(path, look);
        let parsed = Arc::new(match role {
            Role::Config(scope) => parse_config(scope, path, text, &tools),
            Role::Agent(scope) => parse_agent(scope, path, text, &tools),
            Role::Legacy(scope) => parse_legacy(scope, path, text),
        });
        self.state.parsed.insert(key, CachedFile { look: look.clone(), tools, parsed: Arc::clone(&parsed) });
        parsed
    }

    fn servers(&mut self, path: &Arc<str>, look: &Look) -> Arc<[String]> {
        if let Some((seen, names)) = self.state.servers.get(path)
            && is_proof(look)
            && seen == look
        {
            return Arc::clone(names);
        }
        let names: Arc<[String]> = match self.text(path, look) {
            FileText::Text(text) => server_names(&text).into(),
            FileText::Missing | FileText::Unreadable(_) => Arc::default(),
        };
        self.state.servers.insert(Arc::clone(path), (look.clone(), Arc::clone(&names)));
        names
    }

    fn text(&self, path: &str, look: &Look) -> FileText {
        match look {
            Look::Missing => FileText::Missing,
            Look::Unreadable(fault) => FileText::Unreadable(format!("the file cannot be read: {}", describe(fault))),
            Look::Stamped(_) | Look::Hashed(..) => FileText::of(self.files, path),
        }
    }
}

/// Whether an equal look later means equal content.
fn is_proof(look: &Look) -> bool {
    matches!(look, Look::Stamped(_) | Look::Hashed(..))
}

/// Whether an agent's name may become part of a path (RES-10, POLICY-D16): no separator, no `..`, no control character, at
/// most 128 characters, and not empty.
pub fn usable_agent_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= 128
        && !name.contains("..")
        && !name.chars().any(|c| matches!(c, '/' | '\\') || c.is_control())
}

#[cfg(test)]
mod tests;
