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

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::policy::{Layer, Origin, PermissionState};

    fn pairs(rules: &[Rule]) -> Vec<(&str, &str)> {
        rules.iter().map(|rule| (&*rule.surface, &*rule.pattern)).collect()
    }

    #[test]
    fn sess_001_in_order_with_duplicates_until_shutdown() {
        let rules = SessionRules::default();
        rules.approve("external_directory", "/a/*");
        rules.approve("external_directory", "/b/*");
        rules.approve("external_directory", "/a/*");
        let listed = rules.get_ruleset();
        let expected = [("external_directory", "/a/*"), ("external_directory", "/b/*"), ("external_directory", "/a/*")];
        assert_eq!(pairs(&listed), expected);
        assert!(
            listed.iter().all(|rule| {
                (rule.action, rule.layer, rule.origin) == (PermissionState::Allow, Layer::Session, Origin::Session)
            })
        );
        rules.clear();
        assert_eq!(rules.get_ruleset(), []);
    }

    #[test]
    fn sess_001_handed_out_as_copies() {
        let rules = SessionRules::default();
        rules.approve("bash", "git *");
        let mut listed = rules.get_ruleset();
        listed.clear();
        let before = rules.snapshot();
        rules.approve("bash", "ls");
        assert_eq!(rules.get_ruleset().len(), 2, "the store does not change with the copy");
        assert_eq!(before.rules().count(), 1, "a snapshot does not change with the store");
    }
}
