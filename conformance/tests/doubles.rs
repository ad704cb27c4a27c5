//! No scenario row passes on a gate that gives the same answer to everything: each fails on at least one of always-allow, always-deny and
//! always-ask.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use portcullis_conformance::implementation::Factory;
use portcullis_conformance::implementation::doubles::Always;
use portcullis_conformance::load;
use portcullis_conformance::run::play;
use portcullis_conformance::scenario::Scenario;

#[test]
fn each_row_fails_on_a_gate_that_always_gives_one_answer() {
    let scenarios = load::load_all(&load::embedded_sources()).unwrap_or_default();
    assert!(!scenarios.is_empty(), "the embedded suite does not load: see `portcullis check`");
    let next = AtomicUsize::new(0);
    let passing: Mutex<Vec<&str>> = Mutex::default();
    let worker = || {
        while let Some(scenario) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
            if passes_on_all(scenario) {
                passing.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(&scenario.name);
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    let mut passing = passing.into_inner().unwrap_or_default();
    passing.sort_unstable();
    assert!(passing.is_empty(), "{} rows can tell no gate from another: {passing:#?}", passing.len());
}

/// The first double that fails settles a row.
fn passes_on_all(scenario: &Scenario) -> bool {
    [Always::Allow, Always::Deny, Always::Ask]
        .into_iter()
        .all(|double| double.start().is_ok_and(|mut gate| !play(scenario, gate.as_mut()).verdict.is_bad()))
}
