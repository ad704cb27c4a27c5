//! Rule look-up and wildcards. After divan's own tables this prints ratios, which say the same on every machine: what ten
//! thousand rules cost against ten, the index against a scan, and how the worst wildcard grows with its value.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use divan::Bencher;
use portcullis_core::policy::{
    GrantSet, Layer, LoadedScope, MatchOptions, Origin, Pattern, PermissionResolver, PermissionState, Question, Rule, Ruleset,
    Scope, ScopeStatus,
};

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];
/// What a call asks: the first is ruled by an early rule, the last by none but the catch-all.
const COMMANDS: [&str; 4] =
    ["git push origin branch-1", "npm run x-task3-y", "tool8 --all src/file2.rs", "cargo build --release -p core"];
/// HARD-064: what makes a backtracking matcher hang, then what costs this one the product of both lengths.
const WORST: [&str; 2] = ["*a*a*a*a*a*a*a*a*a*a*b", "*?aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab*"];
const LENGTHS: [usize; 3] = [500, 5_000, 50_000];

fn main() {
    divan::main();
    if !std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        print_ratios();
    }
}

/// Rules as people write them, in four shapes.
fn pattern(number: usize) -> String {
    match number % 4 {
        0 => format!("tool{number} *"),
        1 => format!("git push origin branch-{number}"),
        2 => format!("*/file{number}.rs"),
        _ => format!("npm run *task{number}*"),
    }
}

fn scope(size: usize) -> LoadedScope {
    let mut scope = LoadedScope::empty(Scope::Global, "config.json", ScopeStatus::Ok);
    let catch_all = std::iter::once("*".to_owned());
    scope.rules = catch_all
        .chain((1..size).map(pattern))
        .map(|pattern| Rule {
            surface: Arc::from("bash"),
            pattern: Arc::from(pattern),
            action: PermissionState::Ask,
            reason: None,
            layer: Layer::Config,
            origin: Origin::Global,
            location: None,
        })
        .collect();
    scope
}

fn rules(size: usize) -> Ruleset {
    Ruleset::compose(&[scope(size)], MatchOptions::default())
}

fn questions() -> Vec<Question> {
    let question =
        |command: &str| Question { surface: "bash".to_owned(), values: vec![command.to_owned()], ..Question::default() };
    COMMANDS.into_iter().map(question).collect()
}

fn ask_all(rules: &Ruleset, questions: &[Question]) {
    let session = GrantSet::new();
    let resolver = PermissionResolver {
        rules,
        without_tag_agent: None,
        session: &session,
        clamp: false,
        permissive: false,
        permissive_lost: None,
        detail: false,
    };
    for question in questions {
        black_box(resolver.resolve(black_box(question)));
    }
}

/// Four questions, trace and all.
#[divan::bench(args = SIZES)]
fn look_up(bencher: Bencher<'_, '_>, size: usize) {
    let (rules, questions) = (rules(size), questions());
    bencher.bench_local(|| ask_all(&rules, &questions));
}

/// The same four values against every pattern, last first: what the index saves.
#[divan::bench(args = SIZES)]
fn scan(bencher: Bencher<'_, '_>, size: usize) {
    let patterns = prepared(size);
    bencher.bench_local(|| scan_all(&patterns));
}

fn prepared(size: usize) -> Vec<Pattern> {
    let options = MatchOptions::default();
    std::iter::once("*".to_owned()).chain((1..size).map(pattern)).map(|text| Pattern::prepare(&text, &options)).collect()
}

fn scan_all(patterns: &[Pattern]) {
    for command in COMMANDS {
        black_box(patterns.iter().rposition(|pattern| pattern.matches(black_box(command))));
    }
}

/// Paid once a policy, not once a call.
#[divan::bench(args = SIZES)]
fn compose(bencher: Bencher<'_, '_>, size: usize) {
    let scope = scope(size);
    bencher.bench_local(|| Ruleset::compose(std::slice::from_ref(black_box(&scope)), MatchOptions::default()));
}

#[divan::bench(args = LENGTHS)]
fn worst_wildcard(bencher: Bencher<'_, '_>, length: usize) {
    let (patterns, value) = (worst_patterns(), "a".repeat(length));
    bencher.bench_local(|| match_all(&patterns, &value));
}

fn worst_patterns() -> Vec<Pattern> {
    WORST.iter().map(|text| Pattern::prepare(text, &MatchOptions::default())).collect()
}

fn match_all(patterns: &[Pattern], value: &str) {
    for pattern in patterns {
        black_box(pattern.matches(black_box(value)));
    }
}

#[divan::bench]
fn plain_wildcard(bencher: Bencher<'_, '_>) {
    let pattern = Pattern::prepare("git push *", &MatchOptions::default());
    bencher.bench_local(|| black_box(&pattern).matches(black_box("git push origin main")));
}

/// The best of several runs of many repetitions each.
fn cost(mut work: impl FnMut()) -> Duration {
    let run = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        let mut rounds = 0;
        while rounds < 5 || start.elapsed() < Duration::from_millis(20) {
            work();
            rounds += 1;
        }
        start.elapsed() / rounds
    };
    (0..5).map(|_| run(&mut work)).min().unwrap_or_default()
}

fn ratio(of: Duration, to: Duration) -> f64 {
    of.as_secs_f64() / to.as_secs_f64().max(f64::MIN_POSITIVE)
}

fn print_ratios() {
    let questions = questions();
    let look_up = |size| {
        let rules = rules(size);
        cost(|| ask_all(&rules, &questions))
    };
    let scan = |size| {
        let patterns = prepared(size);
        cost(|| scan_all(&patterns))
    };
    let worst = |length: usize| {
        let (patterns, value) = (worst_patterns(), "a".repeat(length));
        cost(|| match_all(&patterns, &value))
    };
    let (few, many) = (look_up(10), look_up(10_000));
    println!("ratios");
    println!("  look-up among 10,000 rules : among 10          {:8.2}", ratio(many, few));
    println!("  scan of 10,000 patterns : of 10                {:8.2}", ratio(scan(10_000), scan(10)));
    println!("  scan of 10,000 patterns : look-up among them   {:8.2}", ratio(scan(10_000), many));
    println!("  worst wildcard, 50,000 characters : 5,000      {:8.2}", ratio(worst(50_000), worst(5_000)));
}
