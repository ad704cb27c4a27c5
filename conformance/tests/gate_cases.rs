//! Compares the reference with the package's behaviour on whole calls: docs/spec/gate-cases.jsonl, as docs/spec/gate-cases.md ("How to
//! compare") and docs/spec/README.md, section 8, say. Known open cases stand in `gate_cases_open.txt`; an entry that no longer applies
//! fails the test.
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

const CASES: &str = include_str!("../../docs/spec/gate-cases.jsonl");
const OPEN: &str = include_str!("gate_cases_open.txt");

#[test]
fn the_reference_is_never_milder_and_names_what_is_stricter() {
    let chosen = std::env::var("PORTCULLIS_GATE_CASES").ok();
    let chosen: Option<Vec<&str>> = chosen.as_deref().map(|text| text.split(',').collect());
    let lines: Vec<&str> = CASES.lines().collect();
    let next = AtomicUsize::new(0);
    let found: Mutex<BTreeMap<String, judge::Difference>> = Mutex::default();
    let worker = || {
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            let case = case::Case::read(line);
            if chosen.as_ref().is_some_and(|chosen| !chosen.contains(&case.id.as_str())) {
                continue;
            }
            for (step, difference) in judge::judge(&case, &play::play(&case)) {
                found.lock().unwrap().insert(format!("{}/{step}", case.id), difference);
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    let found = found.into_inner().unwrap();
    if let Ok(path) = std::env::var("PORTCULLIS_PROPOSE") {
        fs::write(path, open::propose(OPEN, &found)).unwrap();
    }
    let complaints = open::compare(OPEN, &found, chosen.is_some());
    assert!(complaints.is_empty(), "{} differences:\n{}", complaints.len(), complaints.join("\n"));
}
