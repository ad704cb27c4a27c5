//! Writing a message so that nobody sees a part of it (FWD-007, FWD-008, FWD-022, HARD-049 as far as it touches writing).

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use portcullis_core::host::ExchangeFaultKind;
use portcullis_test_fixtures::{
    ExchangeVerb, FaultyExchange, ForwardingTempDir, PlannedFault, SIMULATED_CRASH, make_escalator_deps,
};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

fn message() -> Value {
    json!({ "id": "r1", "message": "Allow?" })
}

#[test]
fn fwd_007_compact_and_in_place_by_a_rename() {
    let dir = ForwardingTempDir::new("p");
    let store = Arc::new(FaultyExchange::new());
    let deps = make_escalator_deps().in_dir(&dir).store(store.clone());
    let path = dir.location().request_file("r1");
    assert_eq!(deps.exchange().write_message(&path, &message()), Ok(()));
    assert_eq!(fs::read_to_string(&path).expect("written"), r#"{"id":"r1","message":"Allow?"}"#);
    assert_eq!(dir.request_files(), ["r1.json"]);
    let names: Vec<(ExchangeVerb, String)> = store.operations().into_iter().map(|done| (done.verb, done.path)).collect();
    let temporary = format!("{path}.4242.1700000000000.tmp");
    assert_eq!(names, [(ExchangeVerb::CreateFile, temporary), (ExchangeVerb::Rename, path)]);
}

#[cfg(unix)]
#[test]
fn fwd_d08_messages_and_folders_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = ForwardingTempDir::new("p");
    let exchange = make_escalator_deps().in_dir(&dir).exchange();
    assert_eq!(exchange.prepare_inbox(dir.location()), Ok(()));
    assert_eq!(exchange.write_request(dir.location(), "r1", &message()), Ok(()));
    let mode = |path: &str| fs::metadata(path).expect("an entry").permissions().mode() & 0o777;
    assert_eq!(mode(dir.location().session_dir()), 0o700);
    assert_eq!((mode(&dir.location().requests()), mode(&dir.location().responses())), (0o700, 0o700));
    assert_eq!(mode(&dir.location().request_file("r1")), 0o600);
}

#[test]
fn fwd_007_a_missing_folder_is_not_found_and_nothing_is_left() {
    let dir = ForwardingTempDir::new("p");
    fs::remove_dir_all(dir.location().session_dir()).expect("removed");
    let exchange = make_escalator_deps().in_dir(&dir).exchange();
    let fault = exchange.write_message(&dir.location().request_file("r1"), &message()).expect_err("no folder");
    assert_eq!(fault.kind, ExchangeFaultKind::NotFound);
    assert_eq!(dir.tree(), ["sessions/"]);
}

#[test]
fn fwd_007_a_folder_under_the_final_name_is_an_error_and_the_temporary_file_goes() {
    let dir = ForwardingTempDir::new("p");
    fs::create_dir(dir.location().request_file("r1")).expect("made");
    let exchange = make_escalator_deps().in_dir(&dir).exchange();
    assert!(exchange.write_message(&dir.location().request_file("r1"), &message()).is_err());
    assert_eq!(dir.request_files(), ["r1.json"]);
}

#[rstest]
#[case::no_space(ExchangeVerb::CreateFile, ExchangeFaultKind::Other)]
#[case::refused(ExchangeVerb::CreateFile, ExchangeFaultKind::Transient)]
#[case::rename(ExchangeVerb::Rename, ExchangeFaultKind::Other)]
fn fwd_007_any_failure_leaves_nothing(#[case] verb: ExchangeVerb, #[case] kind: ExchangeFaultKind) {
    let dir = ForwardingTempDir::new("p");
    let store = Arc::new(FaultyExchange::new());
    store.plan(usize::from(verb == ExchangeVerb::Rename), PlannedFault::Fail(kind));
    let exchange = make_escalator_deps().in_dir(&dir).store(store).exchange();
    let fault = exchange.write_request(dir.location(), "r1", &message()).expect_err("planned");
    assert_eq!((fault.kind, dir.request_files()), (kind, vec![]));
}

#[test]
fn fwd_007_a_temporary_name_that_is_taken_is_left_alone() {
    let dir = ForwardingTempDir::new("p");
    let deps = make_escalator_deps().in_dir(&dir);
    let path = dir.location().request_file("r1");
    let taken = format!("{path}.4242.1700000000000.tmp");
    fs::write(&taken, "somebody else's").expect("written");
    assert_eq!(deps.exchange().write_message(&path, &message()), Ok(()));
    assert_eq!(fs::read_to_string(taken).expect("still there"), "somebody else's");
    assert_eq!(dir.request_files(), ["r1.json", "r1.json.4242.1700000000000.tmp"]);
    for offset in 0..16 {
        fs::write(format!("{path}.4242.{}.tmp", 1_700_000_000_000_u64 + offset), "").expect("written");
    }
    let fault = deps.exchange().write_message(&path, &message()).expect_err("no name is free");
    assert_eq!(fault.kind, ExchangeFaultKind::AlreadyExists);
}

#[test]
fn fwd_d10_a_message_that_no_reader_would_take_is_not_written() {
    let dir = ForwardingTempDir::new("p");
    let exchange = make_escalator_deps().in_dir(&dir).exchange();
    let write = |length| exchange.write_request(dir.location(), "r1", &"x".repeat(length)).map_err(|fault| fault.kind);
    assert_eq!(write(256 * 1024 - 1), Err(ExchangeFaultKind::TooLarge));
    assert_eq!(dir.request_files(), [""; 0]);
    assert_eq!(write(256 * 1024 - 2), Ok(()));
}

#[test]
fn fwd_022_folders_that_were_swept_away_are_made_again() {
    let dir = ForwardingTempDir::new("p");
    let deps = make_escalator_deps().in_dir(&dir);
    deps.exchange().clean_up(dir.location());
    assert_eq!(deps.exchange().write_request(dir.location(), "r1", &message()), Ok(()));
    assert_eq!(dir.request_files(), ["r1.json"]);
    assert!(dir.responses().is_dir());

    fs::remove_dir(dir.responses()).expect("removed");
    assert_eq!(deps.exchange().write_response(dir.location(), "r1", &message()), Ok(()));
    assert_eq!(dir.response_files(), ["r1.json"]);
    assert_eq!(deps.diagnostics(), [""; 0]);
}

/// The server sweeps each time right before the write: at least two more tries, then it fails.
#[rstest]
#[case::once(1, true)]
#[case::twice(2, true)]
#[case::eight_times(8, true)]
#[case::always(9, false)]
fn fwd_022_more_tries(#[case] sweeps: usize, #[case] written: bool) {
    let dir = ForwardingTempDir::new("p");
    let store = Arc::new(FaultyExchange::new());
    // Each try is one creation; between two tries stand three folders.
    for sweep in 0..sweeps {
        store.plan(sweep * 4, PlannedFault::Fail(ExchangeFaultKind::NotFound));
    }
    let exchange = make_escalator_deps().in_dir(&dir).store(store.clone()).exchange();
    let outcome = exchange.write_request(dir.location(), "r1", &message());
    let creations = store.count_by_verb().get(&ExchangeVerb::CreateFile).copied().unwrap_or_default();
    assert_eq!((outcome.is_ok(), creations), (written, if written { sweeps + 1 } else { 9 }), "{:?}", store.operations());
}

/// Invariant 8: whenever the process ends, a reader of `*.json` finds the whole message or none.
#[test]
fn fwd_007_a_crash_at_any_step_leaves_no_partial_message() {
    let whole = message().to_string();
    let mut outcomes = Vec::new();
    for fault in [PlannedFault::CrashBefore, PlannedFault::CrashInside, PlannedFault::CrashAfter] {
        for step in 0.. {
            let dir = ForwardingTempDir::new("p");
            let store = Arc::new(FaultyExchange::new());
            store.plan(step, fault);
            let exchange = make_escalator_deps().in_dir(&dir).store(store.clone()).exchange();
            let run = catch_unwind(AssertUnwindSafe(|| exchange.write_request(dir.location(), "r1", &message())));
            let Err(payload) = run else { break };
            assert_eq!(payload.downcast_ref::<&str>(), Some(&SIMULATED_CRASH));
            let found = fs::read_to_string(dir.location().request_file("r1")).ok();
            assert!(found.as_ref().is_none_or(|text| *text == whole), "{fault:?} at {step}: {found:?}");
            outcomes.push(found.is_some());
        }
    }
    assert_eq!(outcomes, [false, false, false, false, false, true], "two steps, ended before, inside and after");
}

#[test]
fn fwd_007_a_left_over_temporary_file_is_swept_when_it_is_old_or_its_process_is_gone() {
    let dir = ForwardingTempDir::new("p");
    let deps = make_escalator_deps().in_dir(&dir);
    deps.processes.kill(99);
    let now: u64 = 1_700_000_000_000;
    let names = [
        format!("a.json.7.{}.tmp", now - 59_999),
        format!("b.json.7.{}.tmp", now - 60_000),
        format!("c.json.99.{}.tmp", now - 9_999),
        format!("d.json.99.{}.tmp", now - 10_000),
        "e.json.x.y.tmp".to_owned(),
        "f.tmp".to_owned(),
        "g.json".to_owned(),
    ];
    for name in &names {
        fs::write(dir.requests().join(name), "{").expect("written");
        fs::write(dir.responses().join(name), "{").expect("written");
        fs::write(Path::new(dir.location().session_dir()).join(name), "{").expect("written");
    }
    assert!(deps.exchange().sweep_temporaries(dir.location(), deps.processes.as_ref(), 60_000));
    assert!(!deps.exchange().sweep_temporaries(dir.location(), deps.processes.as_ref(), 60_000), "nothing is left to sweep");
    let left = [0, 2, 4, 5, 6].map(|index| names[index].clone());
    assert_eq!((dir.request_files(), dir.response_files()), (left.to_vec(), left.to_vec()));
    assert!(!dir.tree().iter().any(|name| name.ends_with("/d.json.99.1699999990000.tmp")), "beside the heartbeat neither");
    assert_eq!(deps.diagnostics(), [""; 0]);
}
