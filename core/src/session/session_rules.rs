//! The grants of one session (SESS-001): they live in memory, in order of approval, shared by all agents, until shutdown.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::policy::{GrantSet, MatchOptions, Rule};

/// The store of session rules. Readers get an immutable snapshot, so a call is judged by one set of grants.
#[derive(Debug, Default)]
pub struct SessionRules {
    options: MatchOptions,
    grants: Mutex<Arc<GrantSet>>,
}

impl SessionRules {
    /// An empty store; patterns are prepared with these options.
    pub fn new(options: MatchOptions) -> Self {
        Self { options, grants: Mutex::default() }
    }

    /// Appends one rule (SESS-001); duplicates are kept.
    pub fn approve(&self, surface: &str, pattern: &str) {
        let mut grants = self.lock();
        Arc::make_mut(&mut grants).approve(surface, pattern, &self.options);
    }

    /// The rules, oldest first, as a copy.
    pub fn get_ruleset(&self) -> Vec<Rule> {
        self.lock().rules().cloned().collect()
    }

    /// What the resolver matches against.
    pub fn snapshot(&self) -> Arc<GrantSet> {
        Arc::clone(&self.lock())
    }

    /// Forgets all grants (session shutdown).
    pub fn clear(&self) {
        *self.lock() = Arc::default();
    }

    fn lock(&self) -> MutexGuard<'_, Arc<GrantSet>> {
        self.grants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
