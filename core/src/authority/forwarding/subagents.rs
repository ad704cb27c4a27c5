//! Which sessions of this process are children, and whose (SUB-006 to SUB-009). A handle that parent and children share.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::serving_sessions::ServingSessions;

/// Children by their session id, with their parent's when it is known.
#[derive(Debug, Default)]
pub struct SubagentRegistry {
    children: Mutex<HashMap<String, Option<String>>>,
    serving: ServingSessions,
}

impl SubagentRegistry {
    /// Registers a child, or says anew whose it is. Blank ids are ignored (SUB-008).
    pub fn register(&self, child: &str, parent: Option<&str>) {
        if !crate::text::js_trim(child).is_empty() {
            self.lock().insert(child.to_owned(), parent.map(str::to_owned));
        }
    }

    /// Forgets a child; an unknown one is fine.
    pub fn unregister(&self, child: &str) {
        self.lock().remove(child);
    }

    /// The entry under exactly this id: `Some(None)` is a child without a known parent.
    pub fn get(&self, child: &str) -> Option<Option<String>> {
        self.lock().get(child).cloned()
    }

    /// Which sessions of this process serve (HARD-047).
    pub fn serving(&self) -> &ServingSessions {
        &self.serving
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Option<String>>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn sub_006_register_overwrites_and_unregister_is_idempotent() {
        let registry = SubagentRegistry::default();
        registry.register("n", Some("a"));
        assert_eq!(registry.get("n"), Some(Some("a".to_owned())));
        registry.register("n", None);
        assert_eq!(registry.get("n"), Some(None));
        registry.unregister("n");
        registry.unregister("n");
        assert_eq!(registry.get("n"), None);
    }

    #[test]
    fn sub_002_raw_ids_and_no_blank_ones() {
        let registry = SubagentRegistry::default();
        registry.register(" pad ", None);
        registry.register("  ", None);
        assert_eq!((registry.get(" pad "), registry.get("pad"), registry.get("  ")), (Some(None), None, None));
    }
}
