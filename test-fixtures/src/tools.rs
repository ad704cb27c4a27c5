//! A host's tools.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use portcullis_core::host::{HostError, HostResult, ToolRegistry};
use serde_json::Value;

use crate::journal::{Happening, Journal};

/// Registered and active tools (`makeToolRegistry`); remembers what was switched on.
///
/// ```
/// use portcullis_core::host::ToolRegistry;
/// use portcullis_test_fixtures::{FakeToolRegistry, Journal};
///
/// let tools = FakeToolRegistry::named(&Journal::default(), &["read", "bash"]);
/// tools.set_active(&["read".into()]).unwrap();
/// assert_eq!(tools.active_names(), ["read"]);
/// ```
#[derive(Debug)]
pub struct FakeToolRegistry {
    journal: Journal,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    all: Vec<Value>,
    active: Vec<Value>,
    fails: Option<String>,
}

impl FakeToolRegistry {
    /// Tools with these entries, all of them active.
    pub fn new(journal: &Journal, entries: Vec<Value>) -> Self {
        Self { journal: journal.clone(), state: Mutex::new(State { active: entries.clone(), all: entries, fails: None }) }
    }

    /// Tools with these names, all of them active.
    pub fn named(journal: &Journal, names: &[&str]) -> Self {
        Self::new(journal, names.iter().map(|name| Value::from(*name)).collect())
    }

    fn with_state<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Registers exactly these; tools that are gone are no longer active, new ones are.
    pub fn register(&self, entries: Vec<Value>) {
        self.with_state(|state| {
            let known: BTreeSet<String> = state.all.iter().map(ToString::to_string).collect();
            let kept: BTreeSet<String> = entries.iter().map(ToString::to_string).collect();
            state.active.retain(|entry| kept.contains(&entry.to_string()));
            state.active.extend(entries.iter().filter(|entry| !known.contains(&entry.to_string())).cloned());
            state.all = entries;
        });
    }

    /// Switches on exactly these, as the host itself would; it is no act of the gate and not recorded.
    pub fn activate(&self, names: &[String]) {
        self.with_state(|state| state.active = names.iter().map(|name| Value::from(name.as_str())).collect());
    }

    /// From now on every look fails with this text.
    pub fn fail(&self, text: &str) {
        self.with_state(|state| state.fails = Some(text.to_owned()));
    }

    /// Names of the active tools.
    pub fn active_names(&self) -> Vec<String> {
        let name = |entry: &Value| entry.as_str().or_else(|| entry.get("name").and_then(Value::as_str)).map(str::to_owned);
        self.with_state(|state| state.active.iter().filter_map(name).collect())
    }
}

impl ToolRegistry for FakeToolRegistry {
    fn get_all(&self) -> HostResult<Vec<Value>> {
        self.with_state(|state| state.fails.clone().map_or_else(|| Ok(state.all.clone()), |text| Err(HostError::new(text))))
    }

    fn get_active(&self) -> HostResult<Vec<Value>> {
        self.with_state(|state| state.fails.clone().map_or_else(|| Ok(state.active.clone()), |text| Err(HostError::new(text))))
    }

    fn set_active(&self, names: &[String]) -> HostResult<()> {
        self.journal.push(Happening::ActiveTools(names.to_vec()));
        self.activate(names);
        Ok(())
    }
}
