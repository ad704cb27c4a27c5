//! Plays scenarios: one after the other in each worker, results in the order of the suite whatever the order of execution.

mod expected;
mod play;
mod result;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::implementation::{Factory, Implementation};
use crate::scenario::Scenario;

pub use expected::Expected;
pub use play::play;
pub use result::{RowResult, StepFailure, Summary, Verdict};

/// Set when the person or the system wants the program to end: no further row is begun, the worlds of those under way are removed.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How a run goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Workers.
    pub jobs: usize,
    /// Stop at the first row that did not pass.
    pub fail_fast: bool,
}

/// Plays all scenarios. `watch` is told of each result as it comes, in any order.
pub fn run(
    scenarios: &[Scenario],
    factory: &dyn Factory,
    options: Options,
    watch: &(dyn Fn(&RowResult) + Sync),
) -> Result<Vec<RowResult>, String> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let results: Mutex<Vec<Option<RowResult>>> = Mutex::new((0..scenarios.len()).map(|_| None).collect());
    let worker = || -> Result<(), String> {
        let mut implementation = factory.start()?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(scenario) = scenarios.get(index) else { return Ok(()) };
            if stop.load(Ordering::Relaxed) || INTERRUPTED.load(Ordering::Relaxed) {
                return Ok(());
            }
            let (result, next) = one(scenario, implementation, factory);
            if INTERRUPTED.load(Ordering::Relaxed) && matches!(result.verdict, Verdict::Errored { .. }) {
                // Nobody can tell whether it broke or was broken off.
                return Ok(());
            }
            if options.fail_fast && result.verdict.is_bad() {
                stop.store(true, Ordering::Relaxed);
            }
            watch(&result);
            let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if let Some(slot) = results.get_mut(index) {
                *slot = Some(result);
            }
            drop(results);
            match next {
                Some(next) => implementation = next,
                // What it left is not run, and what was found is kept.
                None => return Ok(()),
            }
        }
    };
    let jobs = options.jobs.clamp(1, scenarios.len().max(1));
    if jobs == 1 {
        worker()?;
    } else {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(worker)).collect();
            let ended = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err("a worker panicked".into())));
            ended.collect::<Result<Vec<()>, String>>()
        })?;
    }
    let results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let row = |(scenario, result): (&Scenario, Option<RowResult>)| result.unwrap_or_else(|| RowResult::not_run(scenario));
    Ok(scenarios.iter().zip(results).map(row).collect())
}

/// One row, and who plays the next one: an implementation that broke is started anew. Nobody, if that does not work any more.
fn one(
    scenario: &Scenario,
    mut implementation: Box<dyn Implementation>,
    factory: &dyn Factory,
) -> (RowResult, Option<Box<dyn Implementation>>) {
    // A panic of an implementation in this process is its error, not the end of the run.
    let mut result = panic::catch_unwind(AssertUnwindSafe(|| play(scenario, implementation.as_mut())))
        .unwrap_or_else(|payload| RowResult::panicked(scenario, payload.as_ref()));
    let Verdict::Errored { message } = &mut result.verdict else { return (result, Some(implementation)) };
    drop(implementation);
    if INTERRUPTED.load(Ordering::Relaxed) {
        return (result, None);
    }
    match again(factory) {
        Ok(next) => (result, Some(next)),
        Err(fault) => {
            message.push_str(&format!("\nit could not be started again: {fault}"));
            (result, None)
        }
    }
}

/// One that started before is given more than one chance.
fn again(factory: &dyn Factory) -> Result<Box<dyn Implementation>, String> {
    factory.start().or_else(|_| factory.start()).or_else(|_| factory.start())
}

#[cfg(test)]
mod tests;
