//! An exchange in which any operation can fail, or be the last one of its process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_core::host::system::SystemExchangeStore;
use portcullis_core::host::{ExchangeFault, ExchangeFaultKind, ExchangeStore};

/// The payload of the panic of a simulated crash.
pub const SIMULATED_CRASH: &str = "simulated crash of the process";

/// What a session does to the exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExchangeVerb {
    /// Makes a folder.
    CreateDir,
    /// Lists the files of one.
    ListFiles,
    /// Reads a file.
    Read,
    /// Creates a file.
    CreateFile,
    /// Renames one.
    Rename,
    /// Removes one.
    RemoveFile,
    /// Removes a folder.
    RemoveDir,
}

/// One operation that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeOperation {
    /// What.
    pub verb: ExchangeVerb,
    /// On which path; the target of a rename.
    pub path: String,
}

/// What happens at an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedFault {
    /// Nothing is done, and it fails like this.
    Fail(ExchangeFaultKind),
    /// It is done, and yet it fails like this.
    FailAfter(ExchangeFaultKind),
    /// The process ends before it.
    CrashBefore,
    /// The process ends right after it.
    CrashAfter,
    /// The process ends in the middle: of a file that is created half is there. Other operations are not done.
    CrashInside,
}

type Aborter = Arc<dyn Fn() + Send + Sync>;

/// Wraps a store, counts its operations from zero, and makes the planned ones fail. A crash panics with [`SIMULATED_CRASH`];
/// whoever catches that finds that nothing reaches the store any more, as from a process that is gone.
///
/// ```
/// use portcullis_core::host::{ExchangeFaultKind, ExchangeStore};
/// use portcullis_test_fixtures::{FaultyExchange, PlannedFault};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("a").display().to_string();
/// let exchange = FaultyExchange::new();
/// exchange.plan(0, PlannedFault::Fail(ExchangeFaultKind::Transient));
/// assert!(exchange.create_dir(&path).is_err());
/// assert!(exchange.create_dir(&path).is_ok());
/// assert_eq!(exchange.count(), 2);
/// ```
pub struct FaultyExchange {
    inner: Arc<dyn ExchangeStore>,
    aborter: Option<Aborter>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    operations: Vec<ExchangeOperation>,
    plan: BTreeMap<usize, PlannedFault>,
    always: Vec<(ExchangeVerb, String, ExchangeFaultKind)>,
    crashed: bool,
}

impl Default for FaultyExchange {
    fn default() -> Self {
        Self::over(Arc::new(SystemExchangeStore))
    }
}

impl FaultyExchange {
    /// The real file system without faults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another store without faults.
    pub fn over(inner: Arc<dyn ExchangeStore>) -> Self {
        Self { inner, aborter: None, state: Mutex::default() }
    }

    /// Ends the process in this way instead of by a panic; for programs that are killed for real.
    #[must_use]
    pub fn aborting_by(mut self, abort: impl Fn() + Send + Sync + 'static) -> Self {
        self.aborter = Some(Arc::new(abort));
        self
    }

    /// Plans a fault for one operation, counted from zero.
    pub fn plan(&self, operation: usize, fault: PlannedFault) {
        self.state().plan.insert(operation, fault);
    }

    /// Plans the same fault for several operations in a row.
    pub fn plan_times(&self, first: usize, times: usize, fault: PlannedFault) {
        for operation in first..first.saturating_add(times) {
            self.plan(operation, fault);
        }
    }

    /// From now on this verb fails on every path that ends like this.
    pub fn always_fail(&self, verb: ExchangeVerb, path_end: &str, kind: ExchangeFaultKind) {
        self.state().always.push((verb, path_end.to_owned(), kind));
    }

    /// No fault from now on, and a process that was gone is there again.
    pub fn heal(&self) {
        let mut state = self.state();
        state.plan.clear();
        state.always.clear();
        state.crashed = false;
    }

    /// How many operations were asked for.
    pub fn count(&self) -> usize {
        self.state().operations.len()
    }

    /// The operations that were asked for, in order.
    pub fn operations(&self) -> Vec<ExchangeOperation> {
        self.state().operations.clone()
    }

    /// How many operations of each kind were asked for.
    pub fn count_by_verb(&self) -> BTreeMap<ExchangeVerb, usize> {
        let mut counts = BTreeMap::new();
        for operation in self.operations() {
            *counts.entry(operation.verb).or_default() += 1;
        }
        counts
    }

    /// Whether a simulated crash has happened.
    pub fn has_crashed(&self) -> bool {
        self.state().crashed
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, verb: ExchangeVerb, path: &str) -> Result<Option<PlannedFault>, ExchangeFault> {
        let mut state = self.state();
        if state.crashed {
            return Err(ExchangeFault::new(ExchangeFaultKind::Other, SIMULATED_CRASH));
        }
        let index = state.operations.len();
        state.operations.push(ExchangeOperation { verb, path: path.to_owned() });
        let always = state.always.iter().find(|(named, end, _)| *named == verb && path.ends_with(end));
        Ok(state.plan.get(&index).copied().or_else(|| always.map(|(_, _, kind)| PlannedFault::Fail(*kind))))
    }

    fn run<T>(
        &self,
        verb: ExchangeVerb,
        path: &str,
        work: impl FnOnce() -> Result<T, ExchangeFault>,
        half: impl FnOnce(),
    ) -> Result<T, ExchangeFault> {
        match self.next(verb, path)? {
            None => work(),
            Some(PlannedFault::Fail(kind)) => Err(planned(kind)),
            Some(PlannedFault::FailAfter(kind)) => work().and(Err(planned(kind))),
            Some(PlannedFault::CrashBefore) => self.crash(),
            Some(PlannedFault::CrashInside) => {
                half();
                self.crash()
            }
            Some(PlannedFault::CrashAfter) => {
                // Whatever came of it, nobody learns it.
                let _ = work();
                self.crash()
            }
        }
    }

    /// An unwinding that no panic hook sees: the end of a process is what the test asked for, and nothing to report.
    fn crash<T>(&self) -> Result<T, ExchangeFault> {
        self.state().crashed = true;
        if let Some(abort) = &self.aborter {
            abort();
        }
        std::panic::resume_unwind(Box::new(SIMULATED_CRASH))
    }
}

fn planned(kind: ExchangeFaultKind) -> ExchangeFault {
    ExchangeFault::new(kind, format!("planned fault: {kind:?}"))
}

impl ExchangeStore for FaultyExchange {
    fn create_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        self.run(ExchangeVerb::CreateDir, path, || self.inner.create_dir(path), || ())
    }

    fn list_files(&self, path: &str) -> Result<Vec<String>, ExchangeFault> {
        self.run(ExchangeVerb::ListFiles, path, || self.inner.list_files(path), || ())
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, ExchangeFault> {
        self.run(ExchangeVerb::Read, path, || self.inner.read(path, max_bytes), || ())
    }

    fn create_file(&self, path: &str, bytes: &[u8]) -> Result<(), ExchangeFault> {
        let (half, _) = bytes.split_at(bytes.len() / 2);
        // The crash is what the test is about, not whether the half could be written.
        let torn = || drop(self.inner.create_file(path, half));
        self.run(ExchangeVerb::CreateFile, path, || self.inner.create_file(path, bytes), torn)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), ExchangeFault> {
        self.run(ExchangeVerb::Rename, to, || self.inner.rename(from, to), || ())
    }

    fn remove_file(&self, path: &str) -> Result<(), ExchangeFault> {
        self.run(ExchangeVerb::RemoveFile, path, || self.inner.remove_file(path), || ())
    }

    fn remove_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        self.run(ExchangeVerb::RemoveDir, path, || self.inner.remove_dir(path), || ())
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    fn in_folder() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f").display().to_string();
        (folder, path)
    }

    #[rstest]
    #[case::before(PlannedFault::CrashBefore, None)]
    #[case::inside(PlannedFault::CrashInside, Some("ab"))]
    #[case::after(PlannedFault::CrashAfter, Some("abcd"))]
    fn a_crash_leaves_what_was_done_and_ends_everything(#[case] fault: PlannedFault, #[case] left: Option<&str>) {
        let (_folder, path) = in_folder();
        let exchange = FaultyExchange::new();
        exchange.plan(0, fault);
        let crash = catch_unwind(AssertUnwindSafe(|| exchange.create_file(&path, b"abcd"))).expect_err("a crash");
        assert_eq!(crash.downcast_ref::<&str>(), Some(&SIMULATED_CRASH));
        assert!(exchange.has_crashed());
        assert!(exchange.remove_file(&path).is_err(), "nothing reaches the store");
        assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), left);
        exchange.heal();
        assert_eq!(exchange.remove_file(&path).is_ok(), left.is_some());
    }

    #[test]
    fn a_fault_after_the_work_and_one_that_stays() {
        let (_folder, path) = in_folder();
        let exchange = FaultyExchange::new();
        exchange.plan(0, PlannedFault::FailAfter(ExchangeFaultKind::Other));
        exchange.always_fail(ExchangeVerb::Read, "/f", ExchangeFaultKind::Transient);
        assert!(exchange.create_file(&path, b"x").is_err());
        assert!(std::path::Path::new(&path).exists());
        let kind = |result: Result<Vec<u8>, ExchangeFault>| result.expect_err("planned").kind;
        assert_eq!([exchange.read(&path, 9), exchange.read(&path, 9)].map(kind), [ExchangeFaultKind::Transient; 2]);
        assert_eq!(exchange.count_by_verb(), BTreeMap::from([(ExchangeVerb::CreateFile, 1), (ExchangeVerb::Read, 2)]));
        assert_eq!(exchange.operations()[0], ExchangeOperation { verb: ExchangeVerb::CreateFile, path });
    }
}
