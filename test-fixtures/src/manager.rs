//! Composed policy over explicit files (`createManager`), and a session over doubles (`makeSession`).

use std::sync::Arc;

use portcullis_core::authority::{Authorizer, DenyingAuthority};
use portcullis_core::host::{FileView, HostContext, HostResult, Platform, Trust};
use portcullis_core::policy::{
    GrantSet, MatchOptions, PermissionCheckResult, PermissionResolver, PermissionState, PolicyLoader, PolicyLocations,
    PolicySnapshot, Question, Ruleset,
};
use portcullis_core::session::{Bound, PermissionSession, SessionFacts};
use serde_json::{Value, json};

use crate::environment::FakeEnvironment;
use crate::memory_files::MemoryFiles;
use crate::seed::{FIXTURE_AGENT_DIR, FIXTURE_CWD, FIXTURE_HOME};

/// A policy with explicit files (`createManager`). By default: no file, a trusted project, no agent, no grants.
///
/// ```
/// use portcullis_core::policy::PermissionState::{Allow, Ask, Deny};
/// use portcullis_test_fixtures::create_manager;
/// use serde_json::json;
///
/// let manager = create_manager()
///     .global(&json!({ "*": "ask", "bash": { "git *": "allow" } }))
///     .project(&json!({ "bash": { "git push *": "deny" } }))
///     .agent_file("reviewer", &json!({ "write": "deny" }));
///
/// assert_eq!(manager.state("bash", "git log"), Allow);
/// assert_eq!(manager.state("bash", "git push x"), Deny);
/// assert_eq!(manager.state("write", "*"), Ask);
/// let manager = manager.agent("reviewer");
/// assert_eq!(manager.state("write", "*"), Deny);
/// assert_eq!(manager.check("write", "*").origin.as_str(), "agent");
/// ```
pub struct Manager {
    /// The files.
    pub files: Arc<MemoryFiles>,
    loader: PolicyLoader,
    trust: Trust,
    agent: Option<String>,
    tools: Vec<String>,
    grants: GrantSet,
    permissive: bool,
}

/// A policy with explicit files.
pub fn create_manager() -> Manager {
    let files = Arc::new(MemoryFiles::default());
    let locations = PolicyLocations::new(FIXTURE_AGENT_DIR, Some(FIXTURE_CWD), None, Platform::Posix);
    Manager {
        loader: PolicyLoader::new(Arc::clone(&files) as Arc<dyn FileView>, locations),
        files,
        trust: Trust::Trusted,
        agent: None,
        tools: Vec::new(),
        grants: GrantSet::new(),
        permissive: false,
    }
}

impl Manager {
    fn options() -> MatchOptions {
        MatchOptions { platform: Platform::Posix, home: Some(FIXTURE_HOME.to_owned()) }
    }

    fn put_config(self, path: Option<String>, permission: &Value) -> Self {
        self.put_text(path, &json!({ "permission": permission }).to_string())
    }

    fn put_text(self, path: Option<String>, text: &str) -> Self {
        if let Some(path) = path {
            self.files.put(&path, text);
        }
        self
    }

    /// The surface map of the global file.
    #[must_use]
    pub fn global(self, permission: &Value) -> Self {
        let path = self.loader.locations().global_config();
        self.put_config(Some(path), permission)
    }

    /// The text of the global file.
    #[must_use]
    pub fn global_text(self, text: &str) -> Self {
        let path = self.loader.locations().global_config();
        self.put_text(Some(path), text)
    }

    /// The surface map of the project's file.
    #[must_use]
    pub fn project(self, permission: &Value) -> Self {
        let path = self.loader.locations().project_config();
        self.put_config(path, permission)
    }

    /// The text of the project's file.
    #[must_use]
    pub fn project_text(self, text: &str) -> Self {
        let path = self.loader.locations().project_config();
        self.put_text(path, text)
    }

    /// The surface map of an agent's global file.
    #[must_use]
    pub fn agent_file(self, agent: &str, permission: &Value) -> Self {
        let path = self.loader.locations().agent_file(agent);
        self.put_text(Some(path), &front_matter(permission))
    }

    /// The surface map of an agent's file in the project.
    #[must_use]
    pub fn project_agent_file(self, agent: &str, permission: &Value) -> Self {
        let path = self.loader.locations().project_agent_file(agent);
        self.put_text(path, &front_matter(permission))
    }

    /// The active agent.
    #[must_use]
    pub fn agent(mut self, name: &str) -> Self {
        self.agent = Some(name.to_owned());
        self
    }

    /// A project that nobody trusts.
    #[must_use]
    pub fn untrusted(mut self) -> Self {
        self.trust = Trust::Untrusted;
        self
    }

    /// The registered tools, for the warning about surfaces that no tool answers (RES-08).
    #[must_use]
    pub fn tools(mut self, names: &[&str]) -> Self {
        self.tools = names.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    /// A grant.
    #[must_use]
    pub fn granted(mut self, surface: &str, pattern: &str) -> Self {
        self.grants.approve(surface, pattern, &Self::options());
        self
    }

    /// With the permissive mode.
    #[must_use]
    pub fn permissive(mut self) -> Self {
        self.permissive = true;
        self
    }

    /// The policy as the files are now.
    pub fn snapshot(&self) -> Arc<PolicySnapshot> {
        self.loader.load(self.trust, self.agent.as_deref(), &self.tools)
    }

    /// What is wrong with the files, a line each.
    pub fn issues(&self) -> Vec<String> {
        self.snapshot().issues.iter().map(ToString::to_string).collect()
    }

    /// The answer to a question.
    pub fn resolve(&self, question: &Question) -> PermissionCheckResult {
        let snapshot = self.snapshot();
        let rules = Ruleset::compose(&snapshot.scopes, Self::options());
        PermissionResolver {
            rules: &rules,
            without_tag_agent: None,
            session: &self.grants,
            clamp: snapshot.clamp(),
            permissive: self.permissive,
            permissive_lost: None,
            detail: true,
        }
        .resolve(question)
    }

    /// The answer for one value of a surface.
    pub fn check(&self, surface: &str, value: &str) -> PermissionCheckResult {
        self.resolve(&Question { surface: surface.to_owned(), values: vec![value.to_owned()], ..Question::default() })
    }

    /// The state for one value of a surface.
    pub fn state(&self, surface: &str, value: &str) -> PermissionState {
        self.check(surface, value).state
    }

    /// The state for a tool as a whole (RULE-022).
    pub fn tool_level_state(&self, tool: &str) -> PermissionState {
        Ruleset::compose(&self.snapshot().scopes, Self::options()).tool_level_state(tool)
    }
}

fn front_matter(permission: &Value) -> String {
    format!("---\n{}\n---\nAn agent.\n", json!({ "permission": permission }))
}

/// The state of a session over files in memory (`makeSession`), and what the last activation bound.
///
/// ```
/// use portcullis_core::host::HostContext;
/// use portcullis_test_fixtures::{make_ctx, make_session};
///
/// let fixture = make_session();
/// assert!(fixture.session.bound().is_err(), "nothing is bound before the first event");
/// let bound = fixture.activate(make_ctx()).unwrap();
/// assert_eq!(bound.cwd, "/w/p");
/// fixture.session.session_rules().approve("bash", "ls");
/// fixture.session.end();
/// assert!(fixture.session.session_rules().get_ruleset().is_empty());
/// ```
pub struct SessionSetup {
    /// The session.
    pub session: PermissionSession,
    /// Its files.
    pub files: Arc<MemoryFiles>,
}

/// A session before its first event.
pub fn make_session() -> SessionSetup {
    let files = Arc::new(MemoryFiles::default());
    let session = PermissionSession::new(SessionFacts {
        files: Arc::clone(&files) as Arc<dyn FileView>,
        environment: Arc::new(FakeEnvironment::new(FIXTURE_HOME)),
        agent_dir: FIXTURE_AGENT_DIR.to_owned(),
        extension_root: None,
        resolver: None,
    });
    SessionSetup { session, files }
}

impl SessionSetup {
    /// Binds a context, with nobody to answer asks.
    pub fn activate(&self, context: Arc<impl HostContext + 'static>) -> HostResult<Bound> {
        let context: Arc<dyn HostContext> = context;
        self.session.activate(&context, |_, _| Ok(Arc::new(DenyingAuthority) as Arc<dyn Authorizer>))
    }
}
