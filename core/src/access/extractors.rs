//! Path extractors: other extensions say which path their tools touch (SURF-014).

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::Value;

use crate::host::HostResult;

/// Says which path one tool touches.
pub trait PathExtractor: Send + Sync {
    /// The path in the tool's input, or nothing: then the call has no path, whatever other fields it holds (GATE-012). An
    /// error blocks the call (HAND-007).
    fn extract_path(&self, input: &Value) -> HostResult<Option<String>>;
}

impl<F> PathExtractor for F
where
    F: Fn(&Value) -> HostResult<Option<String>> + Send + Sync,
{
    fn extract_path(&self, input: &Value) -> HostResult<Option<String>> {
        self(input)
    }
}

/// The tool has an extractor already.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AlreadyRegistered {
    /// The tool.
    pub tool: String,
}

impl fmt::Display for AlreadyRegistered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a path extractor for tool `{}` is registered already", self.tool)
    }
}

impl Error for AlreadyRegistered {}

#[derive(Default)]
struct Entries {
    next: u64,
    by_tool: HashMap<String, (u64, Arc<dyn PathExtractor>)>,
}

/// The extractors of a process, one an exact tool name. Clones share their entries.
#[derive(Clone, Default)]
pub struct ExtractorRegistry {
    entries: Arc<Mutex<Entries>>,
    /// Looked into where this one has nothing, nearest first.
    ancestors: Vec<ExtractorRegistry>,
}

impl ExtractorRegistry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers an extractor; a second one for the same tool is refused (SURF-014).
    ///
    /// ```
    /// use portcullis_core::access::ExtractorRegistry;
    /// use serde_json::Value;
    ///
    /// let registry = ExtractorRegistry::new();
    /// let by_dir = |input: &Value| Ok(input.get("dir").and_then(Value::as_str).map(str::to_owned));
    /// let registration = registry.register("ffgrep", by_dir).unwrap();
    /// assert!(registry.register("ffgrep", by_dir).is_err());
    /// registration.dispose();
    /// assert!(registry.get("ffgrep").is_none());
    /// ```
    pub fn register(
        &self,
        tool: &str,
        extractor: impl PathExtractor + 'static,
    ) -> Result<ExtractorRegistration, AlreadyRegistered> {
        let mut entries = lock(&self.entries);
        if entries.by_tool.contains_key(tool) {
            return Err(AlreadyRegistered { tool: tool.to_owned() });
        }
        let id = entries.next;
        entries.next += 1;
        entries.by_tool.insert(tool.to_owned(), (id, Arc::new(extractor)));
        Ok(ExtractorRegistration { entries: Arc::downgrade(&self.entries), tool: tool.to_owned(), id })
    }

    /// The same registry, which looks into these where it has nothing itself (HARD-046). Nothing is registered there.
    #[must_use]
    pub fn inheriting(mut self, ancestors: Vec<Self>) -> Self {
        self.ancestors = ancestors;
        self
    }

    /// The extractor for the exact tool name: one's own, else the nearest ancestor's.
    pub fn get(&self, tool: &str) -> Option<Arc<dyn PathExtractor>> {
        self.own(tool).or_else(|| self.ancestors.iter().find_map(|ancestor| ancestor.own(tool)))
    }

    /// Whether the extractor for this tool is an ancestor's.
    pub fn is_inherited(&self, tool: &str) -> bool {
        self.own(tool).is_none() && self.get(tool).is_some()
    }

    fn own(&self, tool: &str) -> Option<Arc<dyn PathExtractor>> {
        lock(&self.entries).by_tool.get(tool).map(|(_, extractor)| Arc::clone(extractor))
    }
}

impl fmt::Debug for ExtractorRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractorRegistry").field("tools", &lock(&self.entries).by_tool.len()).finish()
    }
}

/// One registration. Dropping it changes nothing; [`ExtractorRegistration::dispose`] takes the extractor out.
#[derive(Debug, Clone)]
#[must_use = "keep it to take the extractor out again"]
pub struct ExtractorRegistration {
    entries: Weak<Mutex<Entries>>,
    tool: String,
    id: u64,
}

impl ExtractorRegistration {
    /// Removes this registration and no later one of the same tool; may be called repeatedly (SURF-014).
    pub fn dispose(&self) {
        let Some(entries) = self.entries.upgrade() else { return };
        let mut entries = lock(&entries);
        if entries.by_tool.get(&self.tool).is_some_and(|(id, _)| *id == self.id) {
            entries.by_tool.remove(&self.tool);
        }
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_tool.keys()).finish()
    }
}

/// A panic of another thread leaves a map that is still whole.
fn lock(entries: &Mutex<Entries>) -> MutexGuard<'_, Entries> {
    entries.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn constant(path: &'static str) -> impl PathExtractor {
        move |_: &Value| Ok(Some(path.to_owned()))
    }

    fn extracted(registry: &ExtractorRegistry) -> Option<String> {
        registry.get("x")?.extract_path(&json!({})).unwrap()
    }

    #[test]
    fn surf_014_a_second_registration_fails_and_names_the_tool() {
        let registry = ExtractorRegistry::new();
        let _first = registry.register("x", constant("a")).unwrap();
        let error = registry.register("x", constant("b")).unwrap_err();
        assert_eq!(error, AlreadyRegistered { tool: "x".into() });
        assert!(error.to_string().contains("`x`"));
        assert_eq!(extracted(&registry).as_deref(), Some("a"));
    }

    #[test]
    fn surf_014_an_old_disposer_leaves_a_new_registration() {
        let registry = ExtractorRegistry::new();
        let first = registry.register("x", constant("a")).unwrap();
        first.dispose();
        let _second = registry.register("x", constant("b")).unwrap();
        first.dispose();
        assert_eq!(extracted(&registry).as_deref(), Some("b"));
    }

    #[test]
    fn names_are_exact() {
        let registry = ExtractorRegistry::new();
        let _registration = registry.register("x", constant("a")).unwrap();
        assert!(registry.get(" x").is_none() && registry.get("X").is_none());
    }

    #[test]
    fn disposing_after_the_registry_is_gone_is_fine() {
        let registry = ExtractorRegistry::new();
        let registration = registry.register("x", constant("a")).unwrap();
        drop(registry);
        registration.dispose();
    }
}
