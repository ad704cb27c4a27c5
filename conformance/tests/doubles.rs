//! The suite against gates that are wrong on purpose. Each of them is caught by three scenarios that name what it breaks, and no
//! scenario row passes on all of those that give the same answer to everything.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use portcullis_conformance::doubles::{ALL, Always, Double, Launcher, WITNESSES, judge, naming, page};
use portcullis_conformance::implementation::Factory;
use portcullis_conformance::implementation::external::Limits;
use portcullis_conformance::load;
use portcullis_conformance::requirements;
use portcullis_conformance::run::play;
use portcullis_conformance::scenario::Scenario;
use pretty_assertions::assert_eq;

fn suite() -> Vec<Scenario> {
    let scenarios = load::load_all(&load::embedded_sources()).unwrap_or_default();
    assert!(!scenarios.is_empty(), "the embedded suite does not load: see `portcullis check`");
    scenarios
}

/// What is wrong with some of the items, found by all processors.
fn wrong<T: Sync>(items: &[T], look: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<String>> = Mutex::default();
    let worker = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(look(item));
        }
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_unstable();
    found
}

#[test]
fn each_row_fails_on_a_gate_that_always_gives_one_answer() {
    // The first double that fails settles a row.
    let passes = |double: Always, row: &Scenario| double.start().is_ok_and(|mut gate| !play(row, gate.as_mut()).verdict.is_bad());
    let passing = wrong(&suite(), |row| {
        [Always::Allow, Always::Deny, Always::Ask].into_iter().all(|double| passes(double, row)).then(|| row.name.clone())
    });
    assert!(passing.is_empty(), "{} rows can tell no gate from another: {passing:#?}", passing.len());
}

#[test]
fn no_double_escapes() {
    let scenarios = suite();
    let limits = Limits { step: Duration::from_secs(2), ..Limits::default() };
    let launcher = Launcher { program: PathBuf::from(env!("CARGO_BIN_EXE_portcullis")), limits };
    let escaped = wrong(ALL, |double| {
        let named = naming(double, &scenarios);
        let mut witnesses = 0;
        for rows in named.chunk_by(|one, next| one.id == next.id) {
            match judge(double, rows, &launcher, 1) {
                Ok(caught) => witnesses += caught.naming.len(),
                Err(fault) => return Some(format!("{}: {fault}", double.name)),
            }
            if witnesses == WITNESSES {
                return None;
            }
        }
        Some(format!("{}: caught by {witnesses} scenarios of those that cover {}", double.name, double.breaks.join(", ")))
    });
    assert!(escaped.is_empty(), "{escaped:#?}");
}

#[test]
fn names_are_unique_and_requirements_exist() {
    let known: BTreeSet<&str> = requirements::all().iter().map(|requirement| requirement.id).collect();
    let mut names = BTreeSet::new();
    for double in ALL {
        assert!(names.insert(double.name), "two doubles are called {}", double.name);
        assert!(!double.breaks.is_empty(), "{} breaks nothing", double.name);
        for id in double.breaks {
            assert!(known.contains(id), "{} breaks {id}, which is no requirement", double.name);
        }
    }
    assert!(names.len() >= 25, "{} doubles", names.len());
    assert_eq!(Double::named("double:first-match").map(|double| double.name), Some("first-match"));
    assert!(Double::named("double:first").is_none());
}

/// `portcullis doubles --page > docs/doubles.md` writes it anew.
#[test]
fn the_page_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/doubles.md");
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), page());
}
