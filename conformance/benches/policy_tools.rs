//! How long the tools about policies take, as processes: `cargo bench -p portcullis --bench policy_tools`.
//!
//! The npm package is started beside `explain` when its adapter is installed (conformance/adapters/pi-permission-system). Processor
//! time is what counts: wall time belongs to whatever else a machine does.

#![expect(clippy::expect_used, reason = "a benchmark that cannot start a program has nothing to measure")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};

const PORTCULLIS: &str = env!("CARGO_BIN_EXE_portcullis");
const RULES: usize = 10_000;
const LINES: usize = 1_000_000;
const STARTS: u32 = 20;

fn main() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    fs::write(at("policy.json"), policy(6, |_| None))?;
    let explain = ["explain", "--policy", "policy.json", "bash", "git push --force"];
    time("explain, cold", STARTS, || run(folder.path(), PORTCULLIS, &explain, ""));
    let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters/pi-permission-system");
    if adapter.join("node_modules").exists() {
        let start = adapter.join("start.sh");
        let start = start.to_string_lossy();
        let hello = "{\"id\":1,\"method\":\"hello\",\"protocol\":1,\"runner\":\"bench\"}\n{\"id\":2,\"method\":\"bye\"}\n";
        time("the npm package, cold, to its hello", STARTS, || run(folder.path(), "sh", &[&start], hello));
    } else {
        println!("the npm package is not installed: npm ci in {}", adapter.display());
    }
    fs::write(at("old.json"), policy(RULES, |_| None))?;
    let changed = |at: usize| (at.is_multiple_of(1_000)).then_some("ask");
    fs::write(at("new.json"), policy(RULES, changed))?;
    time("lint, 10,000 rules", 3, || run(folder.path(), PORTCULLIS, &["lint", "--json", "old.json"], ""));
    time("diff, 10,000 rules, 10 of them changed", 3, || run(folder.path(), PORTCULLIS, &["diff", "old.json", "new.json"], ""));
    time("diff, 10,000 rules against none", 1, || run(folder.path(), PORTCULLIS, &["diff", "policy.json", "old.json"], ""));
    let logs = [("50 different calls", LINES, 50), ("each call another one", LINES / 20, LINES)];
    for (what, lines, different) in logs {
        fs::write(at("review.jsonl"), log(lines, different))?;
        let spent = time(&format!("replay, {lines} lines, {what}"), 1, || {
            run(folder.path(), PORTCULLIS, &["replay", "review.jsonl", "--policy", "policy.json"], "");
        });
        println!("    {:.0} lines a second on one core", lines as f64 / spent.as_secs_f64());
    }
    Ok(())
}

/// Rules of which the last one does not match what the others do.
fn policy(rules: usize, change: impl Fn(usize) -> Option<&'static str>) -> String {
    let mut text = String::from("{\"permission\":{\"*\":\"ask\",\"bash\":{\"*\":\"ask\"");
    for at in 0..rules {
        let action = change(at).unwrap_or(if at % 3 == 0 { "deny" } else { "allow" });
        let _ = write!(text, ",\n\"tool{at} sub{} *\":\"{action}\"", at % 7);
    }
    text.push_str("}}}\n");
    text
}

/// A review log of so many lines and, at most, different calls.
fn log(lines: usize, different: usize) -> String {
    let mut text = String::with_capacity(lines * 260);
    for at in 0..lines {
        let call = at / 2;
        let (event, resolution) = if at % 2 == 0 { ("waiting", "null") } else { ("approved", "\"approved\"") };
        let _ = writeln!(
            text,
            "{{\"timestamp\":\"2026-11-30T12:00:00.000Z\",\"extension\":\"pi-permission-system\",\"stream\":\"review\",\"event\":\"permission_request.{event}\",\"requestId\":\"r{call}\",\"source\":\"tool_call\",\"agentName\":null,\"toolCallId\":\"c{call}\",\"toolName\":\"bash\",\"command\":\"npm run build{}\",\"resolution\":{resolution}}}",
            call % different
        );
    }
    text
}

fn run(folder: &Path, program: &str, arguments: &[&str], input: &str) {
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("an input").write_all(input.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(!output.stdout.is_empty(), "{program} {arguments:?} said nothing");
}

/// Processor time of one run, where that can be told; else wall time.
fn time(what: &str, runs: u32, run: impl Fn()) -> Duration {
    let (began, used) = (Instant::now(), processor_time());
    for _ in 0..runs {
        run();
    }
    let wall = began.elapsed() / runs;
    let spent = match (used, processor_time()) {
        (Some(before), Some(after)) => (after - before) / runs,
        _ => wall,
    };
    println!("{what}: {spent:.1?} processor time, {wall:.1?} on the clock");
    spent
}

/// What ended children have used, by Linux's count of hundredths of a second.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks(13)? + ticks(14)?) * 10))
}
