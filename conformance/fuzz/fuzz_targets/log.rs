//! Any bytes as a review log: never a panic, no line is lost, and what was decided and what could not be adds up to what was asked.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_conformance::own_policy::{JudgeOptions, PolicySource};
use portcullis_conformance::replay::{Options, Replay};

static POLICY: LazyLock<PathBuf> = LazyLock::new(|| {
    let file = std::env::temp_dir().join(format!("portcullis-fuzz-{}.json", std::process::id()));
    let policy = r#"{"permission": {"*": "ask", "bash": {"git *": "allow", "rm *": "deny"}, "path": {"*.env": "deny"}}}"#;
    std::fs::write(&file, policy).expect("a policy");
    file
});

fuzz_target!(|bytes: &[u8]| {
    let policy = JudgeOptions::new(PolicySource::global(POLICY.as_path()), "/srv/app", "/home/user");
    let options = Options { policy, baseline: None, examples: 2, suggest: Some(2) };
    let mut replay = Replay::new(options).expect("the policy is sound");
    replay.read("log", bytes).expect("bytes in memory can be read");
    let report = replay.finish().expect("suggestions");
    let lines = bytes.split(|byte| *byte == b'\n').count() as u64 - u64::from(bytes.is_empty() || bytes.ends_with(b"\n"));
    assert_eq!(report.lines, lines);
    let decided: u64 = report.transitions.iter().map(|row| row.requests).sum();
    let left_out: u64 = report.unjudged.iter().map(|row| row.number).sum();
    assert!(decided <= report.requests && report.requests <= decided + left_out);
    assert!(decided + left_out <= report.lines + report.requests);
});
