//! The context of one host event.

use std::sync::{Arc, Mutex, PoisonError};

use portcullis_core::host::{HostContext, HostError, HostResult, Trust, UserInterface};
use serde_json::Value;

use crate::event::active_agent_entry;

/// A host context (`makeCtx`) that can change between two events. By default: a directory, no user interface, no entries, a
/// session id, a trusted project.
///
/// ```
/// use portcullis_core::host::{HostContext, Trust};
/// use portcullis_test_fixtures::FakeContext;
///
/// let context = FakeContext::new("/work");
/// context.append_agent(Some("reviewer"));
/// context.set_trust(Trust::Unknown);
/// assert_eq!(context.session_entries().unwrap()[0]["data"]["name"], "reviewer");
/// assert_eq!(context.trust(), Trust::Unknown);
/// ```
pub struct FakeContext {
    state: Mutex<State>,
}

struct State {
    cwd: Result<String, String>,
    ui: Option<Arc<dyn UserInterface>>,
    entries: Result<Vec<Value>, String>,
    session_id: Option<String>,
    session_dir: Result<Option<String>, String>,
    trust: Trust,
}

impl FakeContext {
    /// A context in this directory.
    pub fn new(cwd: &str) -> Self {
        let state = State {
            cwd: Ok(cwd.to_owned()),
            ui: None,
            entries: Ok(Vec::new()),
            session_id: Some("session-1".into()),
            session_dir: Ok(None),
            trust: Trust::Trusted,
        };
        Self { state: Mutex::new(state) }
    }

    fn with_state<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts a person in front of the session, or takes them away.
    pub fn set_ui(&self, ui: Option<Arc<dyn UserInterface>>) {
        self.with_state(|state| state.ui = ui);
    }

    /// What the host says about the project.
    pub fn set_trust(&self, trust: Trust) {
        self.with_state(|state| state.trust = trust);
    }

    /// Another session.
    pub fn set_session_id(&self, id: Option<&str>) {
        self.with_state(|state| state.session_id = id.map(str::to_owned));
    }

    /// The folder in which the host keeps the session.
    pub fn set_session_dir(&self, path: Option<&str>) {
        self.with_state(|state| state.session_dir = Ok(path.map(str::to_owned)));
    }

    /// That folder cannot be told.
    pub fn fail_session_dir(&self, text: &str) {
        self.with_state(|state| state.session_dir = Err(text.to_owned()));
    }

    /// Another directory.
    pub fn set_cwd(&self, cwd: &str) {
        self.with_state(|state| state.cwd = Ok(cwd.to_owned()));
    }

    /// The directory cannot be told.
    pub fn fail_cwd(&self, text: &str) {
        self.with_state(|state| state.cwd = Err(text.to_owned()));
    }

    /// The entries cannot be read.
    pub fn fail_entries(&self, text: &str) {
        self.with_state(|state| state.entries = Err(text.to_owned()));
    }

    /// A new session entry.
    pub fn append_entry(&self, entry: Value) {
        self.with_state(|state| {
            if let Ok(entries) = &mut state.entries {
                entries.push(entry);
            }
        });
    }

    /// A new entry that names the active agent, or says that there is none.
    pub fn append_agent(&self, name: Option<&str>) {
        self.append_entry(active_agent_entry(name));
    }
}

impl HostContext for FakeContext {
    fn cwd(&self) -> HostResult<String> {
        self.with_state(|state| state.cwd.clone()).map_err(HostError::new)
    }

    fn user_interface(&self) -> Option<Arc<dyn UserInterface>> {
        self.with_state(|state| state.ui.clone())
    }

    fn session_entries(&self) -> HostResult<Vec<Value>> {
        self.with_state(|state| state.entries.clone()).map_err(HostError::new)
    }

    fn session_id(&self) -> Option<String> {
        self.with_state(|state| state.session_id.clone())
    }

    fn trust(&self) -> Trust {
        self.with_state(|state| state.trust)
    }

    fn session_dir(&self) -> HostResult<Option<String>> {
        self.with_state(|state| state.session_dir.clone()).map_err(HostError::new)
    }
}
