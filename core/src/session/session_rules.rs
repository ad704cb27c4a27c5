//! The grants of one session (SESS-001): they live in memory, in order of approval, shared by all agents, until shutdown.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::policy::{GrantSet, MatchOptions, Rule};

/// The store of session rules. Readers get an immutable snapshot, so a call is judged by one set of grants.
#[derive(Debug, Default)]
pub struct SessionRules {
    options: MatchOptions,
    store: Mutex<Store>,
}

/// The grants, and which session they belong to.
#[derive(Debug, Default)]
struct Store {
    session: u64,
    grants: Arc<GrantSet>,
}

impl SessionRules {
    /// An empty store; patterns are prepared with these options.
    pub fn new(options: MatchOptions) -> Self {
        Self { options, store: Mutex::default() }
    }

    /// Appends one rule (SESS-001); duplicates are kept.
    pub fn approve(&self, surface: &str, pattern: &str) {
        Arc::make_mut(&mut self.lock().grants).approve(surface, pattern, &self.options);
    }

    /// The session that grants given now belong to.
    pub fn session(&self) -> u64 {
        self.lock().session
    }

    /// Appends the rules of a yes that was given in this session; a yes that comes after its end stores nothing (HAND-018,
    /// HARD-050). Whether that session lives.
    pub fn approve_in(&self, session: u64, pairs: &[(String, String)]) -> bool {
        let mut store = self.lock();
        if store.session != session {
            return false;
        }
        for (surface, pattern) in pairs {
            Arc::make_mut(&mut store.grants).approve(surface, pattern, &self.options);
        }
        true
    }

    /// The rules, oldest first, as a copy.
    pub fn get_ruleset(&self) -> Vec<Rule> {
        self.lock().grants.rules().cloned().collect()
    }

    /// What the resolver matches against.
    pub fn snapshot(&self) -> Arc<GrantSet> {
        Arc::clone(&self.lock().grants)
    }

    /// Forgets all grants (session shutdown).
    pub fn clear(&self) {
        let mut store = self.lock();
        *store = Store { session: store.session + 1, grants: Arc::default() };
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn hand_018_a_yes_that_comes_after_the_end_stores_nothing() {
        let rules = SessionRules::default();
        let session = rules.session();
        let yes = [("bash".to_owned(), "ls".to_owned())];
        rules.approve_in(session, &yes);
        assert_eq!(pairs(&rules.get_ruleset()), [("bash", "ls")]);
        rules.clear();
        rules.approve_in(session, &yes);
        assert_eq!(pairs(&rules.get_ruleset()), []);
        rules.approve_in(rules.session(), &yes);
        assert_eq!(pairs(&rules.get_ruleset()), [("bash", "ls")]);
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
