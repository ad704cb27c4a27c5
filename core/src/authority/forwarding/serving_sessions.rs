//! Which sessions of this process serve now (HARD-047): memory answers before any file does.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashSet;

use super::location::normalize_session_id;

/// The serving sessions of one process, by their id.
#[derive(Debug, Default)]
pub struct ServingSessions {
    ids: Mutex<HashSet<String>>,
}

impl ServingSessions {
    /// A session serves from now on. Said again with every heartbeat; an unusable id is ignored.
    pub fn announce(&self, session_id: &str) {
        if let Some(id) = normalize_session_id(Some(session_id)) {
            self.lock().insert(id);
        }
    }

    /// A session serves no longer; one that never did is fine.
    pub fn withdraw(&self, session_id: &str) {
        if let Some(id) = normalize_session_id(Some(session_id)) {
            self.lock().remove(&id);
        }
    }

    /// Whether a session of this process serves under this id.
    pub fn contains(&self, session_id: &str) -> bool {
        normalize_session_id(Some(session_id)).is_some_and(|id| self.lock().contains(&id))
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<String>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_047_announced_until_withdrawn() {
        let serving = ServingSessions::default();
        serving.announce(" p ");
        serving.announce("p");
        serving.announce("unknown");
        assert!(serving.contains("p") && serving.contains(" p"));
        assert!(!serving.contains("P") && !serving.contains("unknown") && !serving.contains(""));
        serving.withdraw("p ");
        serving.withdraw("p");
        assert!(!serving.contains("p"));
    }
}
