//! Signs of life on disk and in memory (HARD-047, RES-60).

use std::fs;

use portcullis_core::authority::forwarding::{Heartbeat, Liveness};
use portcullis_test_fixtures::{EscalatorDeps, ForwardingTempDir, make_escalator_deps};
use pretty_assertions::assert_eq;
use rstest::rstest;

fn liveness(deps: &EscalatorDeps, dir: &ForwardingTempDir) -> Liveness {
    let processes = deps.processes.as_ref();
    Liveness::of(&deps.exchange(), dir.location(), dir.session_id(), deps.subagents.serving(), processes)
}

#[test]
fn hard_047_from_the_first_beat_to_the_last() {
    let dir = ForwardingTempDir::new("p");
    let parent = make_escalator_deps().in_dir(&dir).process_id(7);
    let child = make_escalator_deps().in_dir(&dir).process_id(8).beside(&parent);
    assert_eq!(liveness(&child, &dir), Liveness::Absent);

    assert_eq!(Heartbeat::write(&parent.exchange(), dir.location(), "p"), Ok(()));
    let text = fs::read_to_string(dir.location().heartbeat_file()).expect("written");
    assert_eq!(text, r#"{"sessionId":"p","pid":7,"time":1700000000000}"#);
    assert_eq!(liveness(&child, &dir), Liveness::Alive);
    child.clock.advance(5_000);
    assert_eq!(liveness(&child, &dir), Liveness::Alive);
    child.clock.advance(1);
    assert_eq!(liveness(&child, &dir), Liveness::Stale);
    assert_eq!(Heartbeat::write(&parent.exchange(), dir.location(), "p"), Ok(()));
    assert_eq!(liveness(&child, &dir), Liveness::Alive);
    child.processes.kill(7);
    assert_eq!(liveness(&child, &dir), Liveness::Dead);
    child.processes.start(7);

    Heartbeat::remove(&parent.exchange(), dir.location(), "p");
    assert_eq!(liveness(&child, &dir), Liveness::Absent);
    Heartbeat::remove(&parent.exchange(), dir.location(), "p");
    assert_eq!(parent.diagnostics(), [""; 0]);
}

#[test]
fn hard_047_memory_tells_about_sessions_of_this_process() {
    let dir = ForwardingTempDir::new("p");
    let deps = make_escalator_deps().in_dir(&dir);
    deps.subagents.serving().announce("p");
    assert_eq!(liveness(&deps, &dir), Liveness::Alive);
    deps.subagents.serving().withdraw("p");
    assert_eq!(liveness(&deps, &dir), Liveness::Absent);
}

#[rstest]
#[case::another_session(r#"{"sessionId":"q","pid":7,"time":1700000000000}"#, Liveness::Absent)]
#[case::blanks(r#"{"sessionId":" p ","pid":7,"time":1700000000000}"#, Liveness::Alive)]
#[case::case(r#"{"sessionId":"P","pid":7,"time":1700000000000}"#, Liveness::Absent)]
#[case::unknown(r#"{"sessionId":"unknown","pid":7,"time":1700000000000}"#, Liveness::Absent)]
#[case::process_zero(r#"{"sessionId":"p","pid":0,"time":1700000000000}"#, Liveness::Absent)]
#[case::for_ever(r#"{"sessionId":"p","pid":7,"time":9999999999999}"#, Liveness::Stale)]
#[case::torn(r#"{"sessionId":"p","pid"#, Liveness::Absent)]
fn hard_047_a_heartbeat_that_somebody_else_wrote(#[case] text: &str, #[case] expected: Liveness) {
    let dir = ForwardingTempDir::new("p");
    fs::write(dir.location().heartbeat_file(), text).expect("written");
    assert_eq!(liveness(&make_escalator_deps().in_dir(&dir), &dir), expected);
}

#[cfg(unix)]
#[test]
fn fwd_d08_a_linked_heartbeat_is_none() {
    let dir = ForwardingTempDir::new("p");
    let elsewhere = dir.forwarding_dir().join("elsewhere");
    fs::write(&elsewhere, r#"{"sessionId":"p","pid":7,"time":1700000000000}"#).expect("written");
    std::os::unix::fs::symlink(&elsewhere, dir.location().heartbeat_file()).expect("linked");
    let deps = make_escalator_deps().in_dir(&dir);
    assert_eq!(liveness(&deps, &dir), Liveness::Absent);
    Heartbeat::remove(&deps.exchange(), dir.location(), "p");
    assert!(elsewhere.exists(), "the link goes, not what it leads to");
    assert!(!fs::exists(dir.location().heartbeat_file()).expect("looked"));
}

#[rstest]
#[case::own(r#"{"sessionId":"p","pid":4242,"time":1}"#, false)]
#[case::another_process(r#"{"sessionId":"p","pid":7,"time":1}"#, true)]
#[case::another_session(r#"{"sessionId":"q","pid":4242,"time":1}"#, true)]
#[case::torn("{", false)]
fn res_060_its_owner_removes_it(#[case] text: &str, #[case] stays: bool) {
    let dir = ForwardingTempDir::new("p");
    fs::write(dir.location().heartbeat_file(), text).expect("written");
    Heartbeat::remove(&make_escalator_deps().in_dir(&dir).exchange(), dir.location(), "p");
    assert_eq!(fs::exists(dir.location().heartbeat_file()).expect("looked"), stays);
}

#[test]
fn res_060_a_beat_makes_the_folder_and_keeps_it() {
    let dir = ForwardingTempDir::new("p");
    let deps = make_escalator_deps().in_dir(&dir);
    let exchange = deps.exchange();
    exchange.clean_up(dir.location());
    assert_eq!(Heartbeat::write(&exchange, dir.location(), "p"), Ok(()));
    exchange.clean_up(dir.location());
    assert_eq!(dir.tree(), ["sessions/", "sessions/p/", "sessions/p/heartbeat.json"]);
    let beat = Heartbeat { session_id: "p".into(), pid: 4242, time: 1_700_000_000_000 };
    assert_eq!(Heartbeat::read(&exchange, dir.location()), Some(beat));
}
