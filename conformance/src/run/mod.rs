//! Plays scenarios: one after the other in each worker, results in the order of the suite whatever the order of execution.

mod ahead;
mod details;
mod expected;
mod grounds;
mod play;
mod queue;
mod result;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::implementation::{Factory, Implementation};
use crate::scenario::Scenario;
use ahead::{Ahead, Builder, OnDisk};
use grounds::{AtOnce, OneByOne, Turns};
use queue::{Queue, Row};

pub use details::{Details, PlayedStep};
pub use expected::Expected;
pub use play::play;
pub use result::{Counts, RowResult, StepFailure, Summary, Verdict};

/// Set when the person or the system wants the program to end: no further row is begun, the worlds of those under way are removed.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Where worlds stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Worlds {
    /// In memory for an implementation that can look there, and on disk for all others.
    #[default]
    Memory,
    /// In folders for temporary files.
    Disk,
}

/// How a run goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Workers.
    pub jobs: usize,
    /// Stop at the first row that did not pass.
    pub fail_fast: bool,
    /// Keep of each row what was given, done and seen ([`Details`]).
    pub details: bool,
    /// Where the worlds stand.
    pub worlds: Worlds,
}

impl Options {
    /// So many workers, and nothing else out of the ordinary.
    pub const fn new(jobs: usize) -> Self {
        Self { jobs, fail_fast: false, details: false, worlds: Worlds::Memory }
    }
}

/// Plays all scenarios in the order of the suite. `watch` is told of each result as it comes, in any order.
pub fn run(
    scenarios: &[Scenario],
    factory: &dyn Factory,
    options: Options,
    watch: &(dyn Fn(&RowResult) + Sync),
) -> Result<Vec<RowResult>, String> {
    run_in_order(&(0..scenarios.len()).collect::<Vec<_>>(), scenarios, factory, options, watch)
}

/// The same in another order, given as places in the suite; what it leaves out is not run. The results have the order of the suite all
/// the same.
pub fn run_in_order(
    order: &[usize],
    scenarios: &[Scenario],
    factory: &dyn Factory,
    options: Options,
    watch: &(dyn Fn(&RowResult) + Sync),
) -> Result<Vec<RowResult>, String> {
    run_in_worlds(order, scenarios, factory, options, watch, &OnDisk)
}

/// The same with somebody who prepares the worlds of gates in other processes.
fn run_in_worlds(
    order: &[usize],
    scenarios: &[Scenario],
    factory: &dyn Factory,
    options: Options,
    watch: &(dyn Fn(&RowResult) + Sync),
    builder: &dyn Builder,
) -> Result<Vec<RowResult>, String> {
    let rows: Vec<Row<'_>> = order.iter().filter_map(|index| Some((*index, scenarios.get(*index)?))).collect();
    let run = Run {
        queue: Queue::new(&rows),
        factory,
        options,
        watch,
        builder,
        results: Mutex::new((0..scenarios.len()).map(|_| None).collect()),
    };
    let jobs = options.jobs.clamp(1, rows.len().max(1));
    if jobs == 1 {
        run.worker()?;
    } else {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| run.worker())).collect();
            let ended = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err("a worker panicked".into())));
            ended.collect::<Result<Vec<()>, String>>()
        })?;
    }
    let results = run.results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let row = |(scenario, result): (&Scenario, Option<RowResult>)| result.unwrap_or_else(|| RowResult::not_run(scenario));
    Ok(scenarios.iter().zip(results).map(row).collect())
}

/// An order that depends on the seed and the names alone, so that a fault which it shows can be shown again.
pub fn shuffled(scenarios: &[Scenario], seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scenarios.len()).collect();
    order.sort_by_cached_key(|index| scenarios.get(*index).map(|scenario| crate::select::place_of(&scenario.name, seed)));
    order
}

/// What the workers share.
struct Run<'a> {
    queue: Queue<'a>,
    factory: &'a dyn Factory,
    options: Options,
    watch: &'a (dyn Fn(&RowResult) + Sync),
    builder: &'a dyn Builder,
    results: Mutex<Vec<Option<RowResult>>>,
}

impl Run<'_> {
    /// Starts an implementation and plays on it. One in another process would wait while worlds are built.
    fn worker(&self) -> Result<(), String> {
        let implementation = self.factory.start()?;
        let one_by_one = || OneByOne { queue: &self.queue, grounds: AtOnce::new(self.options.worlds) };
        if !implementation.is_apart() {
            self.play_all(implementation, &mut one_by_one());
            return Ok(());
        }
        thread::scope(|scope| match Ahead::start(scope, &self.queue, self.builder, implementation.hello()) {
            Ok(mut ahead) => self.play_all(implementation, &mut ahead),
            // A system that gives no more threads still plays.
            Err(_) => self.play_all(implementation, &mut one_by_one()),
        });
        Ok(())
    }

    /// Plays one row after the other. A result is held back until the next row has begun: what an implementation says in between is the
    /// fault of the row that ended.
    fn play_all<'a>(&self, implementation: Box<dyn Implementation>, turns: &mut dyn Turns<'a>) {
        let mut implementation = Some(implementation);
        let mut held: Option<(usize, RowResult)> = None;
        while implementation.is_some()
            && let Some((index, scenario)) = turns.next()
            && let Some(mut current) = implementation.take()
        {
            if let Some(fault) = held.as_ref().and_then(|_| current.belated()) {
                self.give(held.take().map(|(index, result)| (index, result.errored(fault))));
                let Ok(fresh) = again(self.factory) else { return };
                current = fresh;
            }
            let mut played = one(scenario, current, self, turns);
            // Said while the next row began: whose fault it was shows when that row begins in another process.
            if let (Some(fault), Some(_)) = (played.belated.take(), &held)
                && let Some(fresh) = played.next.take()
            {
                played = one(scenario, fresh, self, turns);
                if !matches!(played.result.verdict, Verdict::Errored { .. }) {
                    held = held.map(|(index, result)| (index, result.errored(fault)));
                }
            }
            self.give(held.take());
            if INTERRUPTED.load(Ordering::Relaxed) && matches!(played.result.verdict, Verdict::Errored { .. }) {
                // Nobody can tell whether it broke or was broken off.
                return;
            }
            // One that did not pass has a fault of its own to show, and may be what ends the run.
            if played.result.verdict.is_bad() {
                self.give(Some((index, played.result)));
            } else {
                held = Some((index, played.result));
            }
            // If nobody plays the next one, what is left is not run, and what was found is kept.
            implementation = played.next;
        }
        if let (Some(mut last), Some((index, result))) = (implementation, held) {
            let belated = last.leave();
            self.give(Some((index, belated.map_or_else(|| result.clone(), |fault| result.clone().errored(fault)))));
        }
    }

    fn give(&self, result: Option<(usize, RowResult)>) {
        let Some((index, result)) = result else { return };
        if self.options.fail_fast && result.verdict.is_bad() {
            self.queue.stop();
        }
        (self.watch)(&result);
        let mut results = self.results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(slot) = results.get_mut(index) {
            *slot = Some(result);
        }
    }
}

/// A row that was played.
struct Played {
    result: RowResult,
    /// Who plays the next one: an implementation that broke is started anew. Nobody, if that does not work any more.
    next: Option<Box<dyn Implementation>>,
    /// What was said after the row before had ended.
    belated: Option<String>,
}

fn one<'a>(scenario: &Scenario, mut implementation: Box<dyn Implementation>, run: &Run<'_>, turns: &mut dyn Turns<'a>) -> Played {
    // A panic of an implementation in this process is its error, not the end of the run.
    let mut result =
        panic::catch_unwind(AssertUnwindSafe(|| play::play_on(scenario, implementation.as_mut(), run.options, turns)))
            .unwrap_or_else(|payload| RowResult::panicked(scenario, payload.as_ref()));
    let Verdict::Errored { message } = &mut result.verdict else {
        return Played { result, next: Some(implementation), belated: None };
    };
    let belated = implementation.belated();
    drop(implementation);
    if INTERRUPTED.load(Ordering::Relaxed) {
        return Played { result, next: None, belated };
    }
    match again(run.factory) {
        Ok(next) => Played { result, next: Some(next), belated },
        Err(fault) => {
            message.push_str(&format!("\nit could not be started again: {fault}"));
            Played { result, next: None, belated }
        }
    }
}

/// One that started before is given more than one chance.
fn again(factory: &dyn Factory) -> Result<Box<dyn Implementation>, String> {
    factory.start().or_else(|_| factory.start()).or_else(|_| factory.start())
}

#[cfg(test)]
mod tests;
