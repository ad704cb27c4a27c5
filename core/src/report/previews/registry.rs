//! Formatters that other extensions register (EVT-020, PREV-002).

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use super::limits::ToolPreviewLimits;
use super::{Preview, mcp};
use crate::host::HostResult;

/// Makes the preview of one tool's input.
pub trait ToolInputFormatter: Send + Sync {
    /// The preview, used as it is, even empty; `None` declines, an error blocks the call (HAND-007).
    fn format(&self, input: &Map<String, Value>, limits: &ToolPreviewLimits) -> HostResult<Option<Preview>>;
}

impl<F> ToolInputFormatter for F
where
    F: Fn(&Map<String, Value>) -> HostResult<Option<String>> + Send + Sync,
{
    fn format(&self, input: &Map<String, Value>, _limits: &ToolPreviewLimits) -> HostResult<Option<Preview>> {
        Ok(self(input)?.map(Preview::whole))
    }
}

/// A second registration for one name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AlreadyRegistered {
    /// The tool.
    pub tool_name: String,
}

impl fmt::Display for AlreadyRegistered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a formatter for the tool '{}' is already registered", self.tool_name)
    }
}

impl std::error::Error for AlreadyRegistered {}

type Formatters = Arc<Mutex<HashMap<String, Arc<dyn ToolInputFormatter>>>>;

/// One formatter per exact tool name. `mcp` has the built-in one from the start.
#[derive(Clone)]
pub struct FormatterRegistry {
    formatters: Formatters,
    /// Looked into where this one has nothing, nearest first.
    ancestors: Vec<FormatterRegistry>,
}

impl FormatterRegistry {
    /// With the built-in formatter for `mcp`.
    pub fn new() -> Self {
        let built_in: Arc<dyn ToolInputFormatter> = Arc::new(mcp::McpFormatter);
        let formatters = Arc::new(Mutex::new(HashMap::from([("mcp".to_owned(), built_in)])));
        Self { formatters, ancestors: Vec::new() }
    }

    /// Registers; a second one for the name fails. What is returned takes back just this one.
    pub fn register(
        &self,
        tool_name: &str,
        formatter: Arc<dyn ToolInputFormatter>,
    ) -> Result<FormatterDisposer, AlreadyRegistered> {
        let mut formatters = lock(&self.formatters);
        if formatters.contains_key(tool_name) {
            return Err(AlreadyRegistered { tool_name: tool_name.to_owned() });
        }
        formatters.insert(tool_name.to_owned(), Arc::clone(&formatter));
        Ok(FormatterDisposer { formatters: Arc::clone(&self.formatters), tool_name: tool_name.to_owned(), formatter })
    }

    /// The same registry, which looks into these where it has nothing itself (HARD-046). Nothing is registered there.
    #[must_use]
    pub fn inheriting(mut self, ancestors: Vec<Self>) -> Self {
        self.ancestors = ancestors;
        self
    }

    /// The formatter of a tool: one's own, else the nearest ancestor's.
    pub fn get(&self, tool_name: &str) -> Option<Arc<dyn ToolInputFormatter>> {
        self.own(tool_name).or_else(|| self.ancestors.iter().find_map(|ancestor| ancestor.own(tool_name)))
    }

    /// Whether the formatter of this tool is an ancestor's.
    pub fn is_inherited(&self, tool_name: &str) -> bool {
        self.own(tool_name).is_none() && self.get(tool_name).is_some()
    }

    fn own(&self, tool_name: &str) -> Option<Arc<dyn ToolInputFormatter>> {
        lock(&self.formatters).get(tool_name).map(Arc::clone)
    }
}

impl Default for FormatterRegistry {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for FormatterRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<String> = lock(&self.formatters).keys().cloned().collect();
        names.sort();
        f.debug_struct("FormatterRegistry").field("tools", &names).finish()
    }
}

/// Takes a registration back. Doing it again does nothing, nor does it touch another formatter (EVT-020).
pub struct FormatterDisposer {
    formatters: Formatters,
    tool_name: String,
    formatter: Arc<dyn ToolInputFormatter>,
}

impl FormatterDisposer {
    /// Takes it back.
    pub fn dispose(&self) {
        let mut formatters = lock(&self.formatters);
        if formatters.get(&self.tool_name).is_some_and(|current| Arc::ptr_eq(current, &self.formatter)) {
            formatters.remove(&self.tool_name);
        }
    }
}

impl fmt::Debug for FormatterDisposer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormatterDisposer").field("tool", &self.tool_name).finish_non_exhaustive()
    }
}

fn lock(formatters: &Formatters) -> MutexGuard<'_, HashMap<String, Arc<dyn ToolInputFormatter>>> {
    formatters.lock().unwrap_or_else(PoisonError::into_inner)
}
