//! How long an ask between two processes takes, and what a parent costs that only waits: `cargo bench -p portcullis --bench
//! forwarding`. Times are dominated by the two poll intervals of 250 ms; what is above them is the work.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot start its processes has nothing to measure"
)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Each begins at another moment between two looks of the parent.
const CHILDREN: u64 = 50;
const ASKS_EACH: u64 = 4;
const IDLE: Duration = Duration::from_secs(10);

fn session(folder: &Path, id: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.args(["demo-session", "--session", id, "--agent-dir"]).arg(folder).arg("--project").arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("extensions/pi-permission-system/config.json");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, json!({ "permission": { "*": "ask" } }).to_string()).unwrap();
    let mut parent = session(folder.path(), "boss").args(["--answer", "approve"]).spawn().unwrap();
    let mut lines = BufReader::new(parent.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    // Whatever else it says is read, so that it never waits for its reader.
    let reader = thread::spawn(move || lines.map_while(Result::ok).count());
    idle(&parent);
    let mut times: Vec<u64> = (0..CHILDREN).flat_map(|number| child(folder.path(), number)).collect();
    times.sort_unstable();
    println!("ask to answer, {} asks, poll interval 250 ms:", times.len());
    println!(
        "  median {} ms, 99th percentile {} ms, {} to {} ms",
        of(&times, 50),
        of(&times, 99),
        of(&times, 0),
        of(&times, 100)
    );
    parent.kill().unwrap();
    parent.wait().unwrap();
    reader.join().unwrap();
}

/// The time that so many of a hundred do not exceed.
fn of(sorted: &[u64], percent: usize) -> u64 {
    sorted[(sorted.len() * percent).div_ceil(100).saturating_sub(1)]
}

fn child(folder: &Path, number: u64) -> Vec<u64> {
    // 97 and 250 share no divisor: the children spread over the whole interval.
    thread::sleep(Duration::from_millis(number * 97 % 250));
    let mut command = session(folder, &format!("child-{number}"));
    let output = command.args(["--parent", "boss", "--repeat", &ASKS_EACH.to_string(), "make all"]).output().unwrap();
    assert!(output.status.success(), "every ask is allowed");
    let events = output.stdout.lines().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let asked: Vec<u64> = events.filter_map(|event| event["milliseconds"].as_u64()).collect();
    assert_eq!(asked.len() as u64, ASKS_EACH);
    asked
}

#[cfg(target_os = "linux")]
fn idle(parent: &Child) {
    let before = usage(parent);
    thread::sleep(IDLE);
    let after = usage(parent);
    let seconds = IDLE.as_secs_f64();
    println!("a parent that waits: {:.1} wake-ups a second,", (after.0 - before.0) as f64 / seconds);
    // A hundred ticks are a second on every Linux system that people run.
    println!("  {:.2} % of one processor", (after.1 - before.1) as f64 / seconds);
}

/// Voluntary switches of all its threads, and ticks of processor time.
#[cfg(target_os = "linux")]
fn usage(parent: &Child) -> (u64, u64) {
    let process = format!("/proc/{}", parent.id());
    let threads = fs::read_dir(format!("{process}/task")).unwrap();
    let switches = threads.map(|thread| {
        let status = fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).unwrap();
        line.trim().parse::<u64>().unwrap()
    });
    let stat = fs::read_to_string(format!("{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    (switches.sum(), fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap())
}

#[cfg(not(target_os = "linux"))]
fn idle(_parent: &Child) {
    println!("a parent that waits: this system does not tell how often it wakes");
}
