//! The analysis of command lines against the bare parse of the same text: `cargo bench -p portcullis-core --bench shell`.
//!
//! What counts is the ratio of two rows of the same text.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot build its world has nothing to measure")]

use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use portcullis_core::access::path::{PathFacts, PathNormalizer};
use portcullis_core::access::shell::{BashProgram, ShellFacts};
use portcullis_core::host::Platform;
use portcullis_core::host::system::SystemFileView;

fn main() {
    divan::main();
}

const LOOP: &str = "for f in a b; do\n  cp \"$f\" build/out > log 2>&1 && git add -A\ndone\n";

/// A script of about this many bytes.
fn script(bytes: usize) -> String {
    LOOP.repeat(bytes / LOOP.len())
}

fn chain() -> String {
    format!("{}ls", "git status && ".repeat(299))
}

fn analyse(bencher: Bencher<'_, '_>, text: &str) {
    let normalizer = PathNormalizer::new(PathFacts {
        cwd: "/proj/app".to_owned(),
        home: Some("/home/dev".to_owned()),
        agent_dir: "/home/dev/.pi/agent".to_owned(),
        extension_root: None,
        platform: Platform::Posix,
        files: Arc::new(SystemFileView),
    });
    let facts =
        ShellFacts { resolver: &normalizer, is_promotable: &|_| false, could_hit_absolute: &|_| false, out_of_time: &|| false };
    bencher.bench_local(|| BashProgram::parse(black_box(text), None, &facts).unwrap());
}

fn bare_parse(bencher: Bencher<'_, '_>, text: &str) {
    bencher.bench_local(|| {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
        parser.parse(black_box(text), None).unwrap()
    });
}

#[divan::bench(args = [1_000, 10_000, 100_000])]
fn script_analysis(bencher: Bencher<'_, '_>, bytes: usize) {
    analyse(bencher, &script(bytes));
}

#[divan::bench(args = [1_000, 10_000, 100_000])]
fn script_bare_parse(bencher: Bencher<'_, '_>, bytes: usize) {
    bare_parse(bencher, &script(bytes));
}

#[divan::bench]
fn chain_300_analysis(bencher: Bencher<'_, '_>) {
    analyse(bencher, &chain());
}

#[divan::bench]
fn chain_300_bare_parse(bencher: Bencher<'_, '_>) {
    bare_parse(bencher, &chain());
}
