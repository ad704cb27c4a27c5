//! The state of one session, behind operations: what is bound by an event, what is remembered between events.
//!
//! Handlers tell it what happened; nobody reaches into it. Locks are short and never held while the host, the person or a
//! log is called.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::agent_memory::{ActiveAgent, AgentMemory};
use super::composed_policy::{ComposedPolicy, PolicyCache};
use super::session_rules::SessionRules;
use crate::access::path::{PathFacts, PathNormalizer, is_absolute};
use crate::authority::{Authorizer, PromptQueue};
use crate::gates::{GateResolver, SkillPromptEntry};
use crate::host::{Bell, Environment, FileView, HostContext, HostError, HostResult, Platform, Trust};
use crate::policy::{MatchOptions, PolicyLoader, PolicyLocations, RuntimeSettings};

/// What does not change while a session lives.
pub struct SessionFacts {
    /// Files.
    pub files: Arc<dyn FileView>,
    /// Environment.
    pub environment: Arc<dyn Environment>,
    /// The host's agent directory.
    pub agent_dir: String,
    /// The gate's own install root (CFG-027).
    pub extension_root: Option<String>,
    /// Who answers questions instead of the policy; `None` in life.
    pub resolver: Option<Arc<dyn GateResolver + Send + Sync>>,
}

/// What the last activation bound.
#[derive(Clone)]
pub struct Bound {
    /// The host's context.
    pub context: Arc<dyn HostContext>,
    /// The session directory.
    pub cwd: String,
    /// Paths relative to it.
    pub normalizer: Arc<PathNormalizer>,
    /// Policy files for it.
    pub loader: Arc<PolicyLoader>,
    /// Who answers asks.
    pub authority: Arc<dyn Authorizer>,
    /// Whether the project is trusted, as the host said now.
    pub trust: Trust,
    /// The session that grants of this event belong to.
    pub grants_of: u64,
}

#[derive(Default)]
struct State {
    bound: Option<Bound>,
    settings: RuntimeSettings,
    /// Whether the project was trusted when the settings of a session were read; nothing before that.
    settings_trust: Option<bool>,
    agent: AgentMemory,
    skill_entries: Vec<SkillPromptEntry>,
    withheld_tools: Vec<String>,
}

/// The mutable state of a session.
pub struct PermissionSession {
    facts: SessionFacts,
    state: Mutex<State>,
    policies: PolicyCache,
    rules: SessionRules,
    queue: Arc<PromptQueue>,
}

impl PermissionSession {
    /// A session before its first event.
    pub fn new(facts: SessionFacts) -> Self {
        let options = MatchOptions { platform: facts.environment.platform(), home: facts.environment.home() };
        Self {
            facts,
            state: Mutex::new(State::default()),
            policies: PolicyCache::default(),
            rules: SessionRules::new(options),
            queue: Arc::new(PromptQueue::new()),
        }
    }

    /// The same with a line of asks whose threads wait for this bell.
    #[must_use]
    pub fn with_bell(mut self, bell: Arc<dyn Bell>) -> Self {
        self.queue = Arc::new(PromptQueue::with_bell(bell));
        self
    }

    /// Binds the context of an event (HAND-005): working directory, path flavour, authority. The policy loader stays while
    /// the directory does.
    pub fn activate(
        &self,
        context: &Arc<dyn HostContext>,
        select: impl FnOnce(&Arc<dyn HostContext>, &Arc<PromptQueue>) -> HostResult<Arc<dyn Authorizer>>,
    ) -> HostResult<Bound> {
        let cwd = context.cwd()?;
        if !is_absolute(self.platform(), &cwd) {
            // Nothing could be told apart from what lies outside (HAND-007).
            return Err(HostError::new("the host named no absolute session directory"));
        }
        let trust = context.trust();
        let authority = select(context, &self.queue)?;
        let before = self.lock().bound.as_ref().map(|b| (b.cwd.clone(), Arc::clone(&b.loader)));
        let loader = match before {
            Some((same, loader)) if same == cwd => loader,
            _ => self.new_loader(&cwd),
        };
        let normalizer = Arc::new(self.normalizer(&cwd));
        let bound =
            Bound { context: Arc::clone(context), cwd, normalizer, loader, authority, trust, grants_of: self.rules.session() };
        self.lock().bound = Some(bound.clone());
        Ok(bound)
    }

    /// What the last activation bound.
    pub fn bound(&self) -> HostResult<Bound> {
        self.lock().bound.clone().ok_or_else(|| HostError::new("no session is active"))
    }

    /// Rebuilds the policy loader for the bound directory and forgets the skills of the last turn (CFG-031, CFG-034).
    pub fn reload_policy(&self) {
        let cwd = self.lock().bound.as_ref().map(|b| b.cwd.clone());
        let loader = cwd.map(|cwd| self.new_loader(&cwd));
        let mut state = self.lock();
        if let (Some(bound), Some(loader)) = (state.bound.as_mut(), loader) {
            bound.loader = loader;
        }
        state.skill_entries.clear();
    }

    /// A new session begins: no name outlives the last one, nor does a withheld tool (RES-10, RES-25). Grants stay (HAND-018).
    pub fn begin(&self) {
        let mut state = self.lock();
        state.agent.forget();
        state.withheld_tools.clear();
    }

    /// The session ends: asks that wait are answered with a denial, and everything is forgotten but the counters.
    pub fn end(&self) {
        self.queue.end_session();
        self.rules.clear();
        let mut state = self.lock();
        let (settings, settings_trust) = (state.settings.clone(), state.settings_trust);
        let ended = std::mem::replace(&mut *state, State { settings, settings_trust, ..State::default() });
        drop(state);
        // The host's context goes where no lock is held.
        drop(ended);
    }

    /// The agent of an event (HAND-016).
    pub fn resolve_agent_name(&self, context: &Arc<dyn HostContext>, system_prompt: Option<&str>) -> HostResult<ActiveAgent> {
        let entries = context.session_entries()?;
        Ok(self.lock().agent.resolve(&entries, system_prompt))
    }

    /// The policy as the files are now.
    pub fn policy(&self, bound: &Bound, agent: &ActiveAgent, tools: &[String]) -> Arc<ComposedPolicy> {
        self.policies.policy(&bound.loader, bound.trust, agent, tools, &self.match_options())
    }

    /// Which rules for texts hold.
    pub fn match_options(&self) -> MatchOptions {
        MatchOptions { platform: self.platform(), home: self.facts.environment.home() }
    }

    /// Who answers questions instead of the policy, in tests.
    pub fn substitute_resolver(&self) -> Option<&(dyn GateResolver + Send + Sync)> {
        self.facts.resolver.as_deref()
    }

    /// The flavour of paths.
    pub fn platform(&self) -> Platform {
        self.facts.environment.platform()
    }

    /// The settings in force since the last reload.
    pub fn settings(&self) -> RuntimeSettings {
        self.lock().settings.clone()
    }

    /// Puts settings in force; `trust` says with which trust they were read for a session.
    pub fn apply_settings(&self, settings: RuntimeSettings, trust: Option<Trust>) {
        let mut state = self.lock();
        state.settings = settings;
        state.settings_trust = trust.map(Trust::is_trusted);
    }

    /// Whether the settings in force were read while the host said otherwise about the project (RES-01).
    pub fn settings_are_of_other_trust(&self, trust: Trust) -> bool {
        self.lock().settings_trust.is_some_and(|read| read != trust.is_trusted())
    }

    /// The grants of this session.
    pub fn session_rules(&self) -> &SessionRules {
        &self.rules
    }

    /// The line of asks in front of the person, own and forwarded ones (RES-63).
    pub fn prompts(&self) -> &PromptQueue {
        &self.queue
    }

    /// The skills of the last turn.
    pub fn skill_entries(&self) -> Vec<SkillPromptEntry> {
        self.lock().skill_entries.clone()
    }

    /// Stores the skills of this turn.
    pub fn set_skill_entries(&self, entries: Vec<SkillPromptEntry>) {
        self.lock().skill_entries = entries;
    }

    /// The tools that this gate switched off and the host still registers (RES-25).
    pub fn withheld_tools(&self) -> Vec<String> {
        self.lock().withheld_tools.clone()
    }

    /// Remembers the tools that were switched off.
    pub fn set_withheld_tools(&self, tools: Vec<String>) {
        self.lock().withheld_tools = tools;
    }

    /// A path normaliser for a directory.
    fn normalizer(&self, cwd: &str) -> PathNormalizer {
        PathNormalizer::new(PathFacts {
            cwd: cwd.to_owned(),
            home: self.facts.environment.home(),
            agent_dir: self.facts.agent_dir.clone(),
            extension_root: self.facts.extension_root.clone(),
            platform: self.platform(),
            files: Arc::clone(&self.facts.files),
        })
    }

    fn new_loader(&self, cwd: &str) -> Arc<PolicyLoader> {
        let locations =
            PolicyLocations::new(&self.facts.agent_dir, Some(cwd), self.facts.extension_root.as_deref(), self.platform());
        Arc::new(PolicyLoader::new(Arc::clone(&self.facts.files), locations))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
