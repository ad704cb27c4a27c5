//! Compares the reference with the package's behaviour on whole calls: docs/spec/gate-cases.jsonl, as docs/spec/gate-cases.md ("How to
//! compare") and docs/spec/README.md, section 8, say. Known open cases stand in `gate_cases_open.txt`; an entry that no longer applies
//! fails the test.
//!
//! A sample goes through the protocol, to the served reference and to the npm package: an answer of the package that is not the recorded
//! one is a fault of its adapter. `.ci/run adapters` plays the latter, which has to be installed.
//!
//! `PORTCULLIS_GATE_CASES=G0001,G0002` plays only these; `PORTCULLIS_PROPOSE=file` writes the list as it would have to be.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test: whatever is not as the file says is a failure"
)]

#[path = "gate_cases/case.rs"]
mod case;
#[path = "gate_cases/judge.rs"]
mod judge;
#[path = "gate_cases/open.rs"]
mod open;
#[path = "gate_cases/play.rs"]
mod play;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use portcullis_conformance::implementation::external::{External, Limits};
use portcullis_conformance::implementation::{Factory, Implementation, Reference};

const CASES: &str = include_str!("../../docs/spec/gate-cases.jsonl");
const OPEN: &str = include_str!("gate_cases_open.txt");

/// What comes of each case that is chosen, in parallel; each worker has an implementation of its own.
fn each<T: Send>(
    factory: &dyn Factory,
    lines: &[&str],
    of: impl Fn(&case::Case, &mut dyn Implementation) -> Vec<(String, T)> + Sync,
) -> BTreeMap<String, T> {
    let next = AtomicUsize::new(0);
    let found: Mutex<BTreeMap<String, T>> = Mutex::default();
    let worker = || {
        let mut implementation = factory.start().unwrap();
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            let came = of(&case::Case::read(line), implementation.as_mut());
            found.lock().unwrap().extend(came);
        }
    };
    let workers = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
    found.into_inner().unwrap()
}

/// Every so many cases, from the first on.
fn every(step: usize) -> Vec<&'static str> {
    CASES.lines().step_by(step).collect()
}

fn differences(case: &case::Case, reference: &mut dyn Implementation) -> Vec<(String, judge::Difference)> {
    let played = play::play(case, reference).unwrap_or_else(|reason| panic!("{} is skipped: {reason}", case.id));
    judge::judge(case, &played).into_iter().map(|(step, difference)| (format!("{}/{step}", case.id), difference)).collect()
}

#[test]
fn the_reference_is_never_milder_and_names_what_is_stricter() {
    let chosen = std::env::var("PORTCULLIS_GATE_CASES").ok();
    let chosen: Option<Vec<&str>> = chosen.as_deref().map(|text| text.split(',').collect());
    let is_chosen = |line: &&str| chosen.as_ref().is_none_or(|chosen| chosen.contains(&case::Case::read(line).id.as_str()));
    let lines: Vec<&str> = CASES.lines().filter(is_chosen).collect();
    let found = each(&Reference, &lines, differences);
    if let Ok(path) = std::env::var("PORTCULLIS_PROPOSE") {
        fs::write(path, open::propose(OPEN, &found)).unwrap();
    }
    let complaints = open::compare(OPEN, &found, chosen.is_some());
    assert!(complaints.is_empty(), "{} differences:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn a_sample_is_judged_alike_through_the_protocol() {
    let served = format!("'{}' serve", env!("CARGO_BIN_EXE_portcullis"));
    let served = External::parse(&served, Limits::default()).unwrap();
    let found = each(&served, &every(30), differences);
    assert_eq!(open::compare(OPEN, &found, true), Vec::<String>::new());
}

#[test]
#[ignore = "needs the npm package: `.ci/run adapters` installs and asks it"]
fn the_package_answers_as_it_was_recorded() {
    let start = concat!("'", env!("CARGO_MANIFEST_DIR"), "/adapters/pi-permission-system/start.sh'");
    let package = External::parse(start, Limits::default()).unwrap();
    let lines = every(5);
    let found = each(&package, &lines, |case, package| match play::play(case, package) {
        Err(reason) => vec![(case.id.clone(), format!("skipped: {reason}"))],
        Ok(played) => {
            let unlike = judge::unlike_the_record(case, &played).into_iter();
            unlike.map(|(step, what)| (format!("{}/{step}", case.id), what)).collect()
        }
    });
    let (skipped, unlike): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, what)| what.starts_with("skipped: "));
    assert!(skipped.len() * 20 < lines.len(), "{skipped:#?}");
    assert_eq!(unlike, Vec::new());
}
