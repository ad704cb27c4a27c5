//! How fast the suite is played, on one core: `cargo bench -p portcullis --bench rows`.
//!
//! Absolute times belong to a machine and to what else it does. What counts is the ratio of the rows: a world alone, against the row that
//! is played in it, against the same row through the protocol.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot load the suite has nothing to measure")]

use divan::Bencher;
use divan::counter::ItemsCount;
use portcullis_conformance::implementation::external::{External, Limits};
use portcullis_conformance::implementation::{Factory, Reference, Stage};
use portcullis_conformance::load;
use portcullis_conformance::run::{Options, run};
use portcullis_conformance::scenario::Scenario;

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// A part of the suite, from everywhere in it.
fn rows() -> Vec<Scenario> {
    const EACH: usize = 5;
    let (all, _) = load::load_playable(&load::embedded_sources()).unwrap();
    all.into_iter().step_by(EACH).collect()
}

fn play(bencher: Bencher<'_, '_>, factory: &dyn Factory) {
    let rows = rows();
    let one = Options::new(1);
    bencher.counter(ItemsCount::new(rows.len())).bench_local(|| run(&rows, factory, one, &|_| {}).unwrap());
}

/// The files of a world are written and removed again.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn a_world_alone(bencher: Bencher<'_, '_>) {
    let rows = rows();
    bencher.counter(ItemsCount::new(rows.len())).bench_local(|| {
        for row in &rows {
            drop(Stage::build(&row.given).unwrap());
        }
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn in_process(bencher: Bencher<'_, '_>) {
    play(bencher, &Reference);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn served(bencher: Bencher<'_, '_>) {
    let command = format!("'{}' serve", env!("CARGO_BIN_EXE_portcullis"));
    play(bencher, &External::parse(&command, Limits::default()).unwrap());
}

/// Texts to scenarios, checked.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn loaded(bencher: Bencher<'_, '_>) {
    let sources = load::embedded_sources();
    let rows = load::load_playable(&sources).unwrap().0.len();
    bencher.counter(ItemsCount::new(rows)).bench_local(|| load::load_playable(&sources).unwrap());
}
