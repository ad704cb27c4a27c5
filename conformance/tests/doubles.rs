//! No scenario row passes on a gate that gives the same answer to everything: each fails on at least one of always-allow, always-deny and
//! always-ask.

use portcullis_conformance::implementation::Factory;
use portcullis_conformance::implementation::doubles::Always;
use portcullis_conformance::load;
use portcullis_conformance::run::{Options, run};

#[test]
fn each_row_fails_on_a_gate_that_always_gives_one_answer() {
    let scenarios = load::load_all(&load::embedded_sources()).unwrap_or_default();
    assert!(!scenarios.is_empty(), "the embedded suite does not load: see `portcullis check`");
    let options = Options { jobs: 2, fail_fast: false };
    let play = |double: Always| run(&scenarios, &double as &dyn Factory, options, &|_| {}).unwrap_or_default();
    let results = [play(Always::Allow), play(Always::Deny), play(Always::Ask)];
    let passes_on_all: Vec<&str> = scenarios
        .iter()
        .enumerate()
        .filter(|(index, _)| results.iter().all(|rows| rows.get(*index).is_some_and(|row| !row.verdict.is_bad())))
        .map(|(_, scenario)| scenario.name.as_str())
        .collect();
    assert!(passes_on_all.is_empty(), "{} rows can tell no gate from another: {passes_on_all:#?}", passes_on_all.len());
}
