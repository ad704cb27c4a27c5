//! The package's analysis of 1,277 command lines, and of every example of docs/spec/bash.md, against ours
//! (docs/spec/README.md, section 8).
//!
//! Every difference of the analysis stands in `bash_cases_differences.txt`: case, field, change, what, requirement, words.
//! Examples of whole calls that end otherwise stand in `bash_examples_decisions.txt`. After a change of the analysis run the
//! tests with `PORTCULLIS_REWRITE_DIFFERENCES=1` and read the diff of both files.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::string_slice, reason = "a test fails by panicking")]

mod case;
mod compare;
mod decisions;
mod examples;
mod refinement;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use case::{Case, analyse, read_case};
use compare::{Difference, compare};
use portcullis_core::access::path::{Base, WordResolver};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/spec/bash-cases.jsonl");
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bash_cases_differences.txt");

/// A unit, path or token may be missing by these only: they remove or rewrite.
const MAY_BE_MISSING: &[&str] = &["HARD-003", "HARD-020", "BASH-D04", "BASH-D05", "BASH-D17", "BASH-D22"];

fn words_for(requirement: &str) -> &'static str {
    match requirement {
        "HARD-001" => "every executing position is a unit",
        "HARD-002" => "executions hosted in redirects and here-documents",
        "HARD-003" => "words and commands around a redirection or here-document",
        "HARD-004" => "an unresolved parse asks and is salvaged",
        "BASH-D07" => "the action of a trap, for restriction",
        "BASH-D04" => "a line that begins with a backslash is a statement",
        "HARD-005" => "a redirection alone is a unit beside others",
        "BASH-D10" => "resolved against its base, not judged by its looks",
        "BASH-D17" => "a standard stream is judged by its name",
        "BASH-D22" => "a workdir is expanded once",
        "HARD-015" => "a bare name that exists",
        "HARD-016" => "a redirect target by its role",
        "HARD-017" => "a value inside an option",
        "HARD-018" => "home and working directory references",
        "HARD-019" => "globs and brace lists are shell syntax",
        "HARD-020" => "pattern-first commands keep their operands",
        "HARD-021" => "operands of statements",
        "HARD-022" => "operands of hosted executions in every position",
        "HARD-023" => "an unknown directory is not a safe one",
        "HARD-027" => "compared by value",
        "HARD-031" => "the command behind a wrapper, for restriction",
        "HARD-032" => "a wider wrapper vocabulary",
        "HARD-033" => "a program that arrives as data",
        "HARD-034" => "a computed word may be any word",
        "HARD-057" => "an option that writes or launches",
        "HARD-059" => "a variable that loads code",
        "HARD-060" => "a computed command word",
        "RES-52" => "a cd that may fail leaves both directories possible",
        _ => "",
    }
}

fn render(differences: &[Difference]) -> String {
    let mut out = String::from("# case\tfield\tchange\twhat\trequirement\twords; regenerate as bash_cases.rs says\n");
    for (id, field, change, what, requirement) in differences {
        let _ = writeln!(out, "{id}\t{field}\t{change}\t{what}\t{requirement}\t{}", words_for(requirement));
    }
    out
}

#[test]
fn every_difference_from_the_package_is_listed() {
    let cases = std::fs::read_to_string(CASES).expect("the case file");
    let examples = examples::all().into_iter().filter_map(|(id, example)| case::read_example(&id, &example));
    let cases: Vec<Case> = cases.lines().map(read_case).chain(examples).collect();
    assert!(cases.len() > 1_277 + 120, "{} cases and examples", cases.len());
    let differences: Vec<Difference> = cases.iter().flat_map(compare).collect();
    let rendered = render(&differences);
    if std::env::var_os("PORTCULLIS_REWRITE_DIFFERENCES").is_some() {
        std::fs::write(LIST, &rendered).expect("the list is writable");
    }
    let bad: Vec<_> = differences
        .iter()
        .filter(|(_, _, change, _, requirement)| {
            requirement == "UNEXPLAINED" || change == "missing" && !MAY_BE_MISSING.contains(&requirement.as_str())
        })
        .collect();
    let listed = std::fs::read_to_string(LIST).unwrap_or_default();
    let mut balance: BTreeMap<&str, i64> = BTreeMap::new();
    for line in rendered.lines() {
        *balance.entry(line).or_default() += 1;
    }
    for line in listed.lines() {
        *balance.entry(line).or_default() -= 1;
    }
    let unlisted: Vec<_> = balance.iter().filter(|(_, n)| **n > 0).map(|(line, _)| line).collect();
    let stale: Vec<_> = balance.iter().filter(|(_, n)| **n < 0).map(|(line, _)| line).collect();
    assert!(
        bad.is_empty() && unlisted.is_empty() && stale.is_empty(),
        "{} without a requirement or missing without one that removes: {bad:#?}\n{} unlisted: {unlisted:#?}\n{} stale: {stale:#?}",
        bad.len(),
        unlisted.len(),
        stale.len()
    );
}

#[test]
fn analysis_is_the_same_twice() {
    let cases = std::fs::read_to_string(CASES).expect("the case file");
    for case in cases.lines().map(read_case).step_by(7) {
        assert_eq!(analyse(&case), analyse(&case), "{}", case.id);
    }
}

#[test]
fn the_resolver_stands_in_for_the_package() {
    let cases = std::fs::read_to_string(CASES).expect("the case file");
    let case = read_case(cases.lines().next().expect("a case"));
    let base = Base::Known(case.normalizer.cwd().to_owned());
    assert!(case.normalizer.resolve_word("src/a", &base).is_some_and(|path| !path.exists && !path.outside));
}
