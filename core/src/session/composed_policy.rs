//! The policy of one call (RES-11): files, rules, settings, read once and shared by all questions of the call.

use std::sync::{Arc, Mutex, PoisonError};

use super::agent_memory::ActiveAgent;
use crate::host::Trust;
use crate::policy::{MatchOptions, PolicyLoader, PolicySnapshot, Ruleset, ScopeStatus};
use crate::report::SnapshotTrace;

/// One snapshot with its composed rules.
pub struct ComposedPolicy {
    /// What the files say.
    pub snapshot: Arc<PolicySnapshot>,
    /// The rules for the active agent.
    pub rules: Ruleset,
    /// The rules without the agent's files, when the agent is known from a tag only (RES-10).
    pub without_tag_agent: Option<Ruleset>,
    tagless: Option<Arc<PolicySnapshot>>,
    options: MatchOptions,
}

impl ComposedPolicy {
    fn compose(snapshot: Arc<PolicySnapshot>, tagless: Option<Arc<PolicySnapshot>>, options: MatchOptions) -> Self {
        let rules = Ruleset::compose(&snapshot.scopes, options.clone());
        let without_tag_agent = tagless.as_ref().map(|tagless| Ruleset::compose(&tagless.scopes, options.clone()));
        Self { snapshot, rules, without_tag_agent, tagless, options }
    }

    fn is_made_of(&self, snapshot: &Arc<PolicySnapshot>, tagless: Option<&Arc<PolicySnapshot>>, options: &MatchOptions) -> bool {
        let same_tagless = match (&self.tagless, tagless) {
            (None, None) => true,
            (Some(mine), Some(other)) => Arc::ptr_eq(mine, other),
            _ => false,
        };
        Arc::ptr_eq(&self.snapshot, snapshot) && same_tagless && self.options == *options
    }

    /// Whether no value of this tool would get through (RES-25). With an agent known from a tag only, either answer hides.
    pub fn is_hidden(&self, tool: &str) -> bool {
        self.rules.is_hidden(tool) || self.without_tag_agent.as_ref().is_some_and(|rules| rules.is_hidden(tool))
    }

    /// What is broken in the policy, a line an issue; prompts say it (RES-07).
    pub fn fault(&self) -> Option<String> {
        let broken = self.snapshot.issues.iter().filter(|issue| issue.kind.breaks_file());
        let lines: Vec<String> = broken.map(ToString::to_string).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// What a trace says about the policy.
    pub fn trace(&self, agent: &ActiveAgent) -> SnapshotTrace {
        let with_status = |status: ScopeStatus| {
            self.snapshot.scopes.iter().filter(|s| s.status == status).map(|s| s.scope.as_str().to_owned()).collect()
        };
        SnapshotTrace {
            agent: agent.name.clone(),
            agent_from_tag: agent.from_tag,
            not_read: with_status(ScopeStatus::NotRead),
            broken: with_status(ScopeStatus::Broken),
            ignored_settings: self.snapshot.ignored_settings.clone(),
            stamp: self.snapshot.stamp.clone(),
            known_limits: Vec::new(),
            inherited: Vec::new(),
        }
    }
}

/// Keeps the last composition: most calls of a session meet unchanged files, and the loader gives the same snapshot then.
#[derive(Default)]
pub(super) struct PolicyCache {
    last: Mutex<Option<Arc<ComposedPolicy>>>,
}

impl PolicyCache {
    /// The policy for this agent as the files are now.
    pub(super) fn policy(
        &self,
        loader: &PolicyLoader,
        trust: Trust,
        agent: &ActiveAgent,
        tools: &[String],
        options: &MatchOptions,
    ) -> Arc<ComposedPolicy> {
        let snapshot = loader.load(trust, agent.name.as_deref(), tools);
        let tagless = (agent.from_tag && agent.name.is_some()).then(|| loader.load(trust, None, tools));
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(policy) = last.as_ref()
            && policy.is_made_of(&snapshot, tagless.as_ref(), options)
        {
            return Arc::clone(policy);
        }
        let policy = Arc::new(ComposedPolicy::compose(snapshot, tagless, options.clone()));
        *last = Some(Arc::clone(&policy));
        policy
    }
}
