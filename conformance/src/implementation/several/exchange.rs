//! The shared folders of a world: what is put there is noted, and operations go wrong when a scenario says so.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_core::host::{ExchangeFault, ExchangeFaultKind, ExchangeStore};

use crate::implementation::{ObservedMessage, WorldTrouble};

/// Longer files are not noted: they are no messages.
const MAX_NOTED: u64 = 1024 * 1024;

/// The folders, watched. One for all sessions of a world.
pub(super) struct WatchedExchange {
    store: Arc<dyn ExchangeStore>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    messages: Vec<ObservedMessage>,
    troubles: Vec<WorldTrouble>,
}

impl WatchedExchange {
    pub(super) fn new(store: Arc<dyn ExchangeStore>) -> Self {
        Self { store, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The messages since the last call.
    pub(super) fn take_messages(&self) -> Vec<ObservedMessage> {
        std::mem::take(&mut self.lock().messages)
    }

    /// From now on these operations go wrong.
    pub(super) fn trouble(&self, troubles: &[WorldTrouble]) {
        self.lock().troubles = troubles.to_vec();
    }

    /// Whether something goes wrong from now on.
    pub(super) fn is_troubled(&self) -> bool {
        self.lock().troubles.iter().any(|trouble| trouble.times > 0)
    }

    fn goes(&self, operation: &str, path: &str) -> Result<(), ExchangeFault> {
        let mut state = self.lock();
        let concerned = |trouble: &&mut WorldTrouble| {
            trouble.times > 0 && trouble.operation == operation && path.contains(trouble.on.as_str())
        };
        let Some(trouble) = state.troubles.iter_mut().find(concerned) else { return Ok(()) };
        trouble.times -= 1;
        let kind = if trouble.error == "transient" { ExchangeFaultKind::Transient } else { ExchangeFaultKind::Other };
        Err(ExchangeFault::new(kind, format!("trouble on purpose: {operation}")))
    }

    /// A message is what gets its final name in one of the two folders.
    fn note(&self, path: &str) {
        let kind = match path.rsplit('/').nth(1) {
            Some("requests") => "request",
            Some("responses") => "response",
            _ => return,
        };
        let body = self.store.read(path, MAX_NOTED).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(body) = body.filter(|_| path.ends_with(".json")) {
            self.lock().messages.push(ObservedMessage { kind: kind.to_owned(), path: path.to_owned(), body });
        }
    }
}

impl ExchangeStore for WatchedExchange {
    fn create_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        self.goes("create folder", path)?;
        self.store.create_dir(path)
    }

    fn list_files(&self, path: &str) -> Result<Vec<String>, ExchangeFault> {
        self.goes("list", path)?;
        self.store.list_files(path)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, ExchangeFault> {
        self.goes("read", path)?;
        self.store.read(path, max_bytes)
    }

    fn create_file(&self, path: &str, bytes: &[u8]) -> Result<(), ExchangeFault> {
        self.goes("create file", path)?;
        self.store.create_file(path, bytes)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), ExchangeFault> {
        self.goes("rename", to)?;
        self.store.rename(from, to)?;
        self.note(to);
        Ok(())
    }

    fn remove_file(&self, path: &str) -> Result<(), ExchangeFault> {
        self.goes("remove file", path)?;
        self.store.remove_file(path)
    }

    fn remove_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        self.goes("remove folder", path)?;
        self.store.remove_dir(path)
    }
}
