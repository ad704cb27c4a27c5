//! The analysis of command lines against the bare parse of the same text: `cargo bench -p portcullis-core --bench shell`.
//!
//! What counts is the ratio of two rows of the same text. Machines are shared and clocks vary, so the ratios are measured a
//! second time after the rows, parse and analysis in turn, and printed: the best of each, and the median of the pairs. What
//! they were, and what they consist of, stands in docs/performance.md.
//!
//! Scripts of three kinds are measured. One repeats three lines; the second names other files in each of its lines, so that no
//! memory helps; the third changes into one more directory with every fifth line and never comes back, so that its paths
//! become as long as the system allows.
//!
//! Three things are measured for each. `text`: the parse and the walk to units, path words and floors; where a word leads is
//! answered without looking, by its text. `values`: the same with the session's own resolver, which makes the values of every
//! path, over a file system in which nothing exists. `disk`: the same over the real one, where nothing of it exists either.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot build its world has nothing to measure")]

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use divan::Bencher;
use portcullis_core::access::path::{AccessPath, Base, PathFacts, PathNormalizer, WordResolver};
use portcullis_core::access::shell::{BashProgram, ShellFacts};
use portcullis_core::host::system::SystemFileView;
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform};

/// The program `portcullis` has the same one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
    ratios();
}

/// A text to measure.
#[derive(Clone, Copy)]
enum Script {
    /// Three lines again and again.
    Loop(usize),
    /// Other names in each line.
    Varied(usize),
    /// Other names, and one more directory with every fifth line.
    Deeper(usize),
    /// Commands joined by `&&`.
    Chain(usize),
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loop(bytes) => write!(f, "loop {bytes} bytes"),
            Self::Varied(bytes) => write!(f, "varied {bytes} bytes"),
            Self::Deeper(bytes) => write!(f, "deeper {bytes} bytes"),
            Self::Chain(units) => write!(f, "chain {units} units"),
        }
    }
}

const SCRIPTS: [Script; 8] = [
    Script::Loop(1_000),
    Script::Loop(10_000),
    Script::Loop(100_000),
    Script::Varied(1_000),
    Script::Varied(10_000),
    Script::Varied(100_000),
    Script::Deeper(100_000),
    Script::Chain(300),
];

impl Script {
    fn text(self) -> String {
        match self {
            Self::Loop(bytes) => LOOP.repeat(bytes / LOOP.len()),
            Self::Varied(bytes) => lines(bytes, |n| varied(n, ("(", ")"))),
            Self::Deeper(bytes) => lines(bytes, |n| varied(n, ("", ""))),
            Self::Chain(units) => format!("{}ls", "git status && ".repeat(units - 1)),
        }
    }
}

fn lines(bytes: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for n in 0.. {
        text.push_str(&line(n));
        if text.len() >= bytes {
            break;
        }
    }
    text
}

const LOOP: &str = "for f in a b; do\n  cp \"$f\" build/out > log 2>&1 && git add -A\ndone\n";

fn varied(n: usize, (open, close): (&str, &str)) -> String {
    let names = ["alpha", "beta", "gamma", "delta", "parser", "render", "config", "session", "policy", "bench"];
    let name = |at: usize| names.get(at % names.len()).copied().unwrap_or_default();
    let (a, b) = (name(n), name(n * 7 + 3));
    match n % 5 {
        0 => format!("for f in {a} {b}{n}; do\n  cp \"$f\" build/{a}/{n} > log{n} 2>&1 && git add -A\ndone\n"),
        1 => {
            format!("if [ -f \"src/{a}{n}.rs\" ]; then\n  echo \"building {b}\"\n  cargo build -p {a} --features {b},x{n}\nfi\n")
        }
        2 => format!("export OUT_{n}=target/{a}\n{open}cd crates/{b} && cargo test --quiet {a}_{n} | tee out/{n}.log{close}\n"),
        3 => format!("grep -rn \"{a}\" src/{b} | head -n {n} || echo \"no {a}\"\n"),
        _ => format!("# step {n}: {a}\nmkdir -p dist/{b}/{n} && tar czf dist/{b}/{n}/{a}.tgz {a} {b}\n"),
    }
}

/// A file system in which nothing exists and nothing is looked at.
struct Nothing;

impl Nothing {
    fn fault<T>() -> Result<T, FileFault> {
        Err(FileFault { kind: FileFaultKind::NotFound, message: String::new() })
    }
}

impl FileView for Nothing {
    fn entry(&self, _: &str) -> Result<EntryKind, FileFault> {
        Self::fault()
    }
    fn read(&self, _: &str) -> Result<Vec<u8>, FileFault> {
        Self::fault()
    }
    fn stamp(&self, _: &str) -> Result<FileStamp, FileFault> {
        Self::fault()
    }
    fn list(&self, _: &str) -> Result<Vec<String>, FileFault> {
        Self::fault()
    }
}

/// Knows where a word leads by its text alone.
struct TextOnly;

impl WordResolver for TextOnly {
    fn cwd(&self) -> &str {
        "/proj/app"
    }
    fn platform(&self) -> Platform {
        Platform::Posix
    }
    fn resolve_word(&self, word: &str, _: &Base) -> Option<AccessPath> {
        Some(AccessPath::literal(word, word))
    }
    fn is_straight(&self, _: &str) -> bool {
        true
    }
    fn names_nothing(&self, word: &str, _: &str) -> bool {
        word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    }
    fn fold_directory(&self, word: &str, base: &Base) -> Base {
        match base {
            Base::Known(base) if base.len() < 4096 => Base::Known(format!("{base}/{word}")),
            _ => Base::Unknown,
        }
    }
}

fn normalizer(files: Arc<dyn FileView>) -> PathNormalizer {
    PathNormalizer::new(PathFacts {
        cwd: "/proj/app".to_owned(),
        home: Some("/home/dev".to_owned()),
        agent_dir: "/home/dev/.pi/agent".to_owned(),
        extension_root: None,
        platform: Platform::Posix,
        files,
    })
}

fn analyse(text: &str, resolver: &dyn WordResolver) -> BashProgram {
    let facts = ShellFacts { resolver, is_promotable: &|_| false, could_hit_absolute: &|_| false, out_of_time: &|| false };
    BashProgram::parse(black_box(text), None, &facts).unwrap()
}

/// A parser for one text after the other: the analysis keeps its own as well.
fn parser() -> tree_sitter::Parser {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
    parser
}

fn parse(parser: &mut tree_sitter::Parser, text: &str) -> tree_sitter::Tree {
    parser.parse(black_box(text), None).unwrap()
}

#[divan::bench(args = SCRIPTS)]
fn bare_parse(bencher: Bencher<'_, '_>, script: &Script) {
    let (text, mut parser) = (script.text(), parser());
    bencher.bench_local(|| parse(&mut parser, &text));
}

#[divan::bench(args = SCRIPTS)]
fn analysis_of_the_text(bencher: Bencher<'_, '_>, script: &Script) {
    let text = script.text();
    bencher.bench_local(|| analyse(&text, &TextOnly));
}

#[divan::bench(args = SCRIPTS)]
fn analysis_with_values(bencher: Bencher<'_, '_>, script: &Script) {
    let (text, normalizer) = (script.text(), normalizer(Arc::new(Nothing)));
    bencher.bench_local(|| analyse(&text, &normalizer));
}

#[divan::bench(args = SCRIPTS)]
fn analysis_with_disk(bencher: Bencher<'_, '_>, script: &Script) {
    let (text, normalizer) = (script.text(), normalizer(Arc::new(SystemFileView)));
    bencher.bench_local(|| analyse(&text, &normalizer));
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// Parse and analysis in turn, so that both meet the same machine.
fn ratios() {
    println!("\nanalysis / bare parse             best     median");
    for script in SCRIPTS {
        let (text, mut parser) = (script.text(), parser());
        let (values, disk) = (normalizer(Arc::new(Nothing)), normalizer(Arc::new(SystemFileView)));
        let resolvers: [(&str, &dyn WordResolver); 3] = [("text", &TextOnly), ("values", &values), ("disk", &disk)];
        for (name, resolver) in resolvers {
            let pairs: Vec<(Duration, Duration)> =
                (0..60).map(|_| (timed(|| parse(&mut parser, &text)), timed(|| analyse(&text, resolver)))).collect();
            let best = |side: fn(&(Duration, Duration)) -> Duration| pairs.iter().map(side).min().unwrap_or_default();
            let mut each: Vec<f64> = pairs.iter().map(|(parse, whole)| whole.as_secs_f64() / parse.as_secs_f64()).collect();
            each.sort_by(f64::total_cmp);
            let median = each.get(each.len() / 2).copied().unwrap_or_default();
            let ratio = best(|pair| pair.1).as_secs_f64() / best(|pair| pair.0).as_secs_f64();
            println!("{:<30} {ratio:>7.2}    {median:>7.2}", format!("{script}, {name}"));
        }
    }
}
