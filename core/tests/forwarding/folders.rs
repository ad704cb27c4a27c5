//! Making and removing the folders of a session (FWD-002, FWD-014, FWD-015).

use std::fs;
use std::path::Path;
use std::sync::Arc;

use portcullis_core::authority::forwarding::ForwardingRoot;
use portcullis_core::host::ExchangeFaultKind;
use portcullis_test_fixtures::{ExchangeVerb, FaultyExchange, ForwardingTempDir, make_escalator_deps};
use pretty_assertions::assert_eq;
use rstest::rstest;

/// Arranges entries below the session's folder: a name that ends in `/` is a folder.
fn arrange(session_dir: &Path, entries: &[&str]) {
    if session_dir.exists() {
        fs::remove_dir_all(session_dir).expect("emptied");
    }
    fs::create_dir_all(session_dir).expect("made");
    for entry in entries {
        let path = session_dir.join(entry);
        if entry.ends_with('/') {
            fs::create_dir_all(path).expect("made");
        } else {
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "{}").expect("written");
        }
    }
}

#[test]
fn fwd_002_a_child_prepares_three_folders_and_existing_ones_are_fine() {
    let dir = ForwardingTempDir::builder("p").responses_dir(false).build();
    let deps = make_escalator_deps().in_dir(&dir);
    let exchange = deps.exchange();
    assert_eq!(exchange.prepare_inbox(dir.location()), Ok(()));
    assert_eq!(exchange.prepare_inbox(dir.location()), Ok(()));
    assert_eq!(dir.tree(), ["sessions/", "sessions/p/", "sessions/p/requests/", "sessions/p/responses/"]);
    assert_eq!(deps.diagnostics(), [""; 0]);
}

#[test]
fn fwd_002_a_root_that_is_a_file_is_three_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("root");
    fs::write(&file, "").expect("written");
    let deps = make_escalator_deps();
    let location = ForwardingRoot::at(&file.display().to_string()).location("p").expect("a location");
    let fault = deps.exchange().prepare_inbox(&location).expect_err("no folder");
    assert_eq!(fault.kind, ExchangeFaultKind::Other);
    let folders = [location.session_dir().to_owned(), location.requests(), location.responses()];
    assert_eq!(deps.diagnostics(), folders.map(|path| format!("error: could not make the folder {path}")));
}

#[test]
fn fwd_002_requests_that_is_a_file_is_one_error_and_the_rest_is_made() {
    let dir = ForwardingTempDir::new("p");
    arrange(Path::new(dir.location().session_dir()), &["requests"]);
    let deps = make_escalator_deps().in_dir(&dir);
    let fault = deps.exchange().prepare_inbox(dir.location()).expect_err("no folder");
    assert_eq!(fault.kind, ExchangeFaultKind::NotRegular);
    let error = format!("error: could not make the folder {}", dir.location().requests());
    assert_eq!(deps.diagnostics(), [error]);
    assert_eq!(dir.tree(), ["sessions/", "sessions/p/", "sessions/p/requests", "sessions/p/responses/"]);
}

#[test]
fn fwd_d03_a_long_id_has_folders_too() {
    let dir = ForwardingTempDir::new("p");
    let deps = make_escalator_deps().in_dir(&dir);
    let location = dir.root().location(&"é".repeat(60)).expect("a location");
    assert_eq!(deps.exchange().prepare_inbox(&location), Ok(()));
}

#[test]
fn fwd_016_a_diagnostic_stands_in_both_logs_with_the_systems_words() {
    let dir = ForwardingTempDir::new("p");
    arrange(Path::new(dir.location().session_dir()), &["requests"]);
    let deps = make_escalator_deps().in_dir(&dir);
    assert!(deps.exchange().prepare_inbox(dir.location()).is_err());
    let lines = deps.journal.log(portcullis_core::host::LogStream::Debug);
    for line in deps.review().into_iter().chain(lines) {
        assert_eq!(line["event"], "permission_forwarding.error");
        assert_eq!(line["error"], "it is no folder");
    }
    assert_eq!(deps.review().len(), 1);
}

#[rstest]
#[case::both_empty(&["requests/", "responses/"], None)]
#[case::pending_request(&["requests/a.json", "responses/"], Some(&["requests/", "requests/a.json", "responses/"][..]))]
#[case::claimed_request(&["requests/a.claim", "responses/"], Some(&["requests/", "requests/a.claim", "responses/"][..]))]
#[case::left_over_response(&["requests/", "responses/a.json"], Some(&["responses/", "responses/a.json"][..]))]
#[case::left_over_temporary(
    &["requests/a.json.1.2.tmp", "responses/"],
    Some(&["requests/", "requests/a.json.1.2.tmp", "responses/"][..])
)]
#[case::stray_file(&["requests/", "responses/", "stray"], Some(&["stray"][..]))]
#[case::no_requests(&["responses/"], None)]
#[case::heartbeat_keeps_the_folder(&["requests/", "responses/", "heartbeat.json"], Some(&["heartbeat.json"][..]))]
fn fwd_014_clean_up(#[case] before: &[&str], #[case] after: Option<&[&str]>) {
    let dir = ForwardingTempDir::new("p");
    arrange(Path::new(dir.location().session_dir()), before);
    let deps = make_escalator_deps().in_dir(&dir);
    deps.exchange().clean_up(dir.location());
    let mut expected = vec!["sessions/".to_owned()];
    if let Some(after) = after {
        expected.push("sessions/p/".to_owned());
        expected.extend(after.iter().map(|name| format!("sessions/p/{name}")));
    }
    assert_eq!(dir.tree(), expected);
    assert_eq!(deps.diagnostics(), [""; 0]);
}

#[test]
fn fwd_014_other_faults_warn_and_nothing_above_is_removed() {
    let dir = ForwardingTempDir::new("p");
    let store = Arc::new(FaultyExchange::new());
    store.always_fail(ExchangeVerb::RemoveDir, "/requests", ExchangeFaultKind::Other);
    let deps = make_escalator_deps().in_dir(&dir).store(store.clone());
    deps.exchange().clean_up(dir.location());
    assert_eq!(deps.diagnostics(), [format!("warning: could not remove the folder {}", dir.location().requests())]);
    assert_eq!(dir.tree().len(), 4, "responses stays with requests");
    store.heal();
    deps.exchange().clean_up(dir.location());
    deps.exchange().clean_up(dir.location());
    assert_eq!(dir.tree(), ["sessions/"]);
    assert_eq!(deps.diagnostics().len(), 1);
}

#[test]
fn fwd_015_an_absent_file_is_silent_and_a_folder_is_a_warning() {
    let dir = ForwardingTempDir::new("p");
    let deps = make_escalator_deps().in_dir(&dir);
    let exchange = deps.exchange();
    assert!(exchange.remove(&dir.location().request_file("none")));
    assert_eq!(deps.diagnostics(), [""; 0]);
    assert!(!exchange.remove(&dir.location().requests()));
    assert_eq!(deps.diagnostics(), [format!("warning: could not remove {}", dir.location().requests())]);
}

#[test]
fn inbox_003_a_server_makes_responses_again_without_an_error() {
    let dir = ForwardingTempDir::builder("p").responses_dir(false).build();
    let deps = make_escalator_deps().in_dir(&dir);
    assert_eq!(deps.exchange().make_responses(dir.location()), Ok(()));
    assert_eq!((dir.responses().is_dir(), deps.diagnostics()), (true, vec![]));
}
