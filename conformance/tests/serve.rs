//! The reference behind its own protocol gives the same results as in this process. Here a part of the suite; `.ci/run adapters` compares the
//! reports of the whole.

#![expect(clippy::unwrap_used, reason = "a test: whatever cannot be started is a failure")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use portcullis_conformance::implementation::external::{External, Limits};
use portcullis_conformance::implementation::{Factory, Reference};
use portcullis_conformance::load;
use portcullis_conformance::run::{RowResult, play};
use portcullis_conformance::scenario::Scenario;
use pretty_assertions::assert_eq;

fn served() -> External {
    External::parse(&format!("'{}' serve", env!("CARGO_BIN_EXE_portcullis")), Limits::default()).unwrap()
}

/// Everything but the time, without the temporary paths of a failure's trace.
fn told(result: &RowResult) -> String {
    format!("{}: {} {:?}", result.name, result.verdict.word(), result.decided)
}

fn compare(scenarios: &[&Scenario]) {
    assert!(!scenarios.is_empty());
    let next = AtomicUsize::new(0);
    let differing: Mutex<Vec<(String, String)>> = Mutex::default();
    let worker = || {
        let (mut here, mut there) = (Reference.start().unwrap(), served().start().unwrap());
        while let Some(scenario) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (here, there) = (play(scenario, here.as_mut()), play(scenario, there.as_mut()));
            if told(&here) != told(&there) {
                differing.lock().unwrap().push((told(&here), format!("{} {:?}", told(&there), there.verdict)));
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(worker))));
    assert_eq!(differing.into_inner().unwrap(), Vec::new());
}

#[test]
fn a_good_part_of_the_suite_ends_alike_in_process_and_through_the_protocol() {
    const EACH: usize = 25;
    let (all, _) = load::load_playable(&load::embedded_sources()).unwrap();
    compare(&all.iter().step_by(EACH).collect::<Vec<_>>());
}
