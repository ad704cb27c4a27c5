//! Doubles for the tests of this room: variables, folders in memory, a clock that moves when somebody waits, a log that is kept.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use super::diagnostics::ForwardingLog;
use super::exchange::Exchange;
use crate::host::{Clock, Environment, ExchangeFault, ExchangeFaultKind, ExchangeStore, IdSource, Platform, Processes, Waiter};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An environment of these variables and nothing else.
#[derive(Debug, Default)]
pub(crate) struct Variables(HashMap<String, String>);

impl Variables {
    pub(crate) fn of(pairs: &[(&str, &str)]) -> Self {
        Self(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }
}

impl Environment for Variables {
    fn var(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }

    fn home(&self) -> Option<String> {
        None
    }

    fn platform(&self) -> Platform {
        Platform::Posix
    }
}

/// Folders and files in memory, and operations that fail on purpose.
#[derive(Debug, Default)]
pub(crate) struct MemoryStore {
    tree: Mutex<Tree>,
}

#[derive(Debug, Default)]
struct Tree {
    files: BTreeMap<String, Vec<u8>>,
    folders: BTreeSet<String>,
    faults: Vec<Fault>,
}

/// The next so many operations of this name on paths that end so fail.
#[derive(Debug)]
struct Fault {
    operation: &'static str,
    ending: &'static str,
    kind: ExchangeFaultKind,
    times: usize,
}

fn fault(kind: ExchangeFaultKind) -> ExchangeFault {
    ExchangeFault::new(kind, format!("{kind:?}"))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

impl Tree {
    fn fails(&mut self, operation: &str, path: &str) -> Result<(), ExchangeFault> {
        let due = self.faults.iter_mut().find(|f| f.operation == operation && path.ends_with(f.ending) && f.times > 0);
        match due {
            Some(due) => {
                due.times -= 1;
                Err(fault(due.kind))
            }
            None => Ok(()),
        }
    }

    fn entries<'t>(&'t self, folder: &'t str) -> impl Iterator<Item = &'t String> {
        self.files.keys().chain(&self.folders).filter(move |path| parent(path) == folder)
    }
}

impl MemoryStore {
    /// The next so many operations of this name on paths that end so fail in this way.
    pub(crate) fn fail(&self, operation: &'static str, ending: &'static str, kind: ExchangeFaultKind, times: usize) {
        lock(&self.tree).faults.push(Fault { operation, ending, kind, times });
    }

    /// Puts a file, as another process would; its folders are made.
    pub(crate) fn put(&self, path: &str, text: &str) {
        let mut tree = lock(&self.tree);
        let mut folder = parent(path);
        while !folder.is_empty() {
            tree.folders.insert(folder.to_owned());
            folder = parent(folder);
        }
        tree.files.insert(path.to_owned(), text.as_bytes().to_vec());
    }

    pub(crate) fn text(&self, path: &str) -> Option<String> {
        lock(&self.tree).files.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    pub(crate) fn delete(&self, path: &str) {
        lock(&self.tree).files.remove(path);
    }

    /// Every file and every folder below this one, folders with a separator at the end.
    pub(crate) fn below(&self, folder: &str) -> Vec<String> {
        let tree = lock(&self.tree);
        let prefix = format!("{folder}/");
        let relative = |path: &String| path.strip_prefix(&prefix).map(str::to_owned);
        let folders = tree.folders.iter().filter_map(relative).map(|path| format!("{path}/"));
        let mut all: Vec<String> = tree.files.keys().filter_map(relative).chain(folders).collect();
        all.sort();
        all
    }
}

impl ExchangeStore for MemoryStore {
    fn create_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        let mut tree = lock(&self.tree);
        tree.fails("create_dir", path)?;
        let mut chain = vec![path];
        while let Some(folder) = chain.last().map(|folder| parent(folder)).filter(|folder| !folder.is_empty()) {
            chain.push(folder);
        }
        if chain.iter().any(|folder| tree.files.contains_key(*folder)) {
            return Err(fault(ExchangeFaultKind::Other));
        }
        tree.folders.extend(chain.into_iter().map(str::to_owned));
        Ok(())
    }

    fn list_files(&self, path: &str) -> Result<Vec<String>, ExchangeFault> {
        let mut tree = lock(&self.tree);
        tree.fails("list_files", path)?;
        if !tree.folders.contains(path) {
            return Err(fault(ExchangeFaultKind::NotFound));
        }
        let prefix = format!("{path}/");
        let names = tree.files.keys().filter_map(|file| file.strip_prefix(&prefix));
        Ok(names.filter(|name| !name.contains('/')).map(str::to_owned).collect())
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, ExchangeFault> {
        let mut tree = lock(&self.tree);
        tree.fails("read", path)?;
        let bytes = tree.files.get(path).ok_or_else(|| fault(ExchangeFaultKind::NotFound))?;
        if bytes.len() as u64 > max_bytes { Err(fault(ExchangeFaultKind::TooLarge)) } else { Ok(bytes.clone()) }
    }

    fn create_file(&self, path: &str, bytes: &[u8]) -> Result<(), ExchangeFault> {
        let mut tree = lock(&self.tree);
        tree.fails("create_file", path)?;
        if !tree.folders.contains(parent(path)) {
            return Err(fault(ExchangeFaultKind::NotFound));
        }
        if tree.files.contains_key(path) {
            return Err(fault(ExchangeFaultKind::AlreadyExists));
        }
        tree.files.insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), ExchangeFault> {
        let mut tree = lock(&self.tree);
        tree.fails("rename", to)?;
        let bytes = tree.files.remove(from).ok_or_else(|| fault(ExchangeFaultKind::NotFound))?;
        tree.files.insert(to.to_owned(), bytes);
        Ok(())
    }

    fn remove_file(&self, path: &str) -> Result<(), ExchangeFault> {
        let mut tree = lock(&self.tree);
        tree.fails("remove_file", path)?;
        tree.files.remove(path).map(drop).ok_or_else(|| fault(ExchangeFaultKind::NotFound))
    }

    fn remove_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        let mut tree = lock(&self.tree);
        tree.fails("remove_dir", path)?;
        if !tree.folders.contains(path) {
            return Err(fault(ExchangeFaultKind::NotFound));
        }
        if tree.entries(path).next().is_some() {
            return Err(fault(ExchangeFaultKind::NotEmpty));
        }
        tree.folders.remove(path);
        Ok(())
    }
}

/// What happens when the time has come.
type Due = Box<dyn FnOnce() + Send>;

/// A clock that stands still until somebody waits. While it moves, what was planned happens in between.
pub(crate) struct VirtualTime {
    now: Mutex<u64>,
    plans: Mutex<Vec<(u64, Due)>>,
}

/// When virtual time begins.
pub(crate) const START: u64 = 1_700_000_000_000;

impl Default for VirtualTime {
    fn default() -> Self {
        Self { now: Mutex::new(START), plans: Mutex::default() }
    }
}

impl VirtualTime {
    /// Plans something for so many milliseconds after the start.
    pub(crate) fn plan(&self, after: u64, due: impl FnOnce() + Send + 'static) {
        lock(&self.plans).push((START + after, Box::new(due)));
    }

    /// Milliseconds since the start.
    pub(crate) fn passed(&self) -> u64 {
        lock(&self.now).saturating_sub(START)
    }

    /// Sets the clock to so many milliseconds after the start, or before it.
    pub(crate) fn set(&self, after: i64) {
        *lock(&self.now) = START.saturating_add_signed(after);
    }
}

impl Clock for VirtualTime {
    fn now_ms(&self) -> u64 {
        *lock(&self.now)
    }
}

impl Waiter for VirtualTime {
    fn wait_ms(&self, milliseconds: u64) {
        let now = {
            let mut now = lock(&self.now);
            *now += milliseconds;
            *now
        };
        let (due, later) = std::mem::take(&mut *lock(&self.plans)).into_iter().partition::<Vec<_>, _>(|(at, _)| *at <= now);
        lock(&self.plans).extend(later);
        due.into_iter().for_each(|(_, due)| due());
    }
}

/// Keeps every line as one text: the event and its fields.
#[derive(Debug, Default)]
pub(crate) struct KeptLog(Mutex<Vec<(String, Value)>>);

impl KeptLog {
    pub(crate) fn lines(&self) -> Vec<(String, Value)> {
        lock(&self.0).clone()
    }

    pub(crate) fn events(&self) -> Vec<String> {
        self.lines().into_iter().map(|(event, _)| event).collect()
    }

    fn keep(&self, event: &str, fields: Value) {
        lock(&self.0).push((event.to_owned(), fields));
    }
}

impl ForwardingLog for KeptLog {
    fn warning(&self, message: &str, error: Option<&str>) {
        self.keep("warning", json!([message, error]));
    }

    fn error(&self, message: &str, error: Option<&str>) {
        self.keep("error", json!([message, error]));
    }

    fn recovered(&self, message: &str) {
        self.keep("recovered", json!(message));
    }

    fn review(&self, event: &str, fields: Map<String, Value>) {
        self.keep(event, Value::Object(fields));
    }
}

/// Processes of which these are gone; nothing is known of others.
#[derive(Debug, Default)]
pub(crate) struct GoneProcesses(pub(crate) Mutex<BTreeSet<u32>>);

impl Processes for GoneProcesses {
    fn is_alive(&self, process_id: u32) -> Option<bool> {
        lock(&self.0).contains(&process_id).then_some(false)
    }
}

/// The same numbers again and again.
#[derive(Debug)]
pub(crate) struct SameIds;

impl IdSource for SameIds {
    fn random(&self) -> u64 {
        0x0011_2233_4455_6677
    }

    fn process_id(&self) -> u32 {
        42
    }
}

/// An exchange over these doubles, in process 42.
pub(crate) fn exchange(store: &Arc<MemoryStore>, time: &Arc<VirtualTime>, log: &Arc<KeptLog>) -> Exchange {
    Exchange::new(Arc::clone(store) as _, Arc::clone(time) as _, Arc::clone(time) as _, Arc::clone(log) as _, 42)
}
