//! What waits in an inbox (FWD-009, FWD-023), and taking it (5.6, 2).

use std::fs;
use std::sync::Arc;

use portcullis_core::host::ExchangeFaultKind;
use portcullis_test_fixtures::{ExchangeVerb, FaultyExchange, ForwardingTempDir, make_escalator_deps};
use pretty_assertions::assert_eq;

#[test]
fn fwd_009_names_that_end_in_json_by_code_unit() {
    let dir = ForwardingTempDir::new("p");
    for name in ["b", "a", "B", "10", "9", "", "é", "\u{ff5e}", "\u{1f600}"] {
        dir.request().file_name(&format!("{name}.json")).write();
    }
    fs::create_dir(dir.requests().join("sub.json")).expect("made");
    dir.request().file_name("c.JSON").write();
    dir.request().file_name("x.json.1.2.tmp").write();
    dir.request().file_name("y.claim").write();
    let deps = make_escalator_deps().in_dir(&dir);
    let names = deps.exchange().list_requests(dir.location());
    // A face is two code units that begin with 0xd83d, so it stands before the wide tilde; sub.json is no file (FWD-023).
    let expected = [".json", "10.json", "9.json", "B.json", "a.json", "b.json", "é.json", "\u{1f600}.json", "\u{ff5e}.json"];
    assert_eq!(names, expected);
}

#[cfg(unix)]
#[test]
fn fwd_023_a_link_is_no_request_and_is_not_read() {
    let dir = ForwardingTempDir::new("p");
    dir.request().id("real").file_name("../real.json").write();
    std::os::unix::fs::symlink("../real.json", dir.requests().join("link.json")).expect("linked");
    let deps = make_escalator_deps().in_dir(&dir);
    let exchange = deps.exchange();
    assert_eq!(exchange.list_requests(dir.location()), [""; 0]);
    let fault = exchange.read_message(&dir.location().request_file("link")).expect_err("a link");
    assert_eq!(fault.kind, ExchangeFaultKind::NotRegular);
}

#[test]
fn fwd_009_a_missing_folder_is_an_empty_inbox() {
    let dir = ForwardingTempDir::new("p");
    let deps = make_escalator_deps().in_dir(&dir);
    let nobody = dir.root().location("nobody").expect("a location");
    assert_eq!(deps.exchange().list_requests(&nobody), [""; 0]);
    assert_eq!(deps.diagnostics(), [""; 0], "an idle server looks four times a second");
}

#[test]
fn fwd_009_a_folder_that_cannot_be_listed_is_one_warning_until_that_changes() {
    let dir = ForwardingTempDir::new("p");
    dir.request().write();
    let store = Arc::new(FaultyExchange::new());
    let deps = make_escalator_deps().in_dir(&dir).store(store.clone());
    let exchange = deps.exchange();
    let warning = format!("warning: could not list the folder {}", dir.location().requests());
    for round in 1..=2 {
        store.always_fail(ExchangeVerb::ListFiles, "requests", ExchangeFaultKind::Transient);
        for _ in 0..3 {
            assert_eq!(exchange.list_requests(dir.location()), [""; 0]);
        }
        assert_eq!(deps.diagnostics(), vec![warning.clone(); round]);
        store.heal();
        assert_eq!(exchange.list_requests(dir.location()), ["req-forwarded.json"]);
    }
}

#[test]
fn fwd_d09_of_two_servers_one_gets_the_request() {
    let dir = ForwardingTempDir::new("p");
    dir.request().id("r1").write();
    let (first, second) = (make_escalator_deps().in_dir(&dir), make_escalator_deps().in_dir(&dir).process_id(7));
    assert_eq!(first.exchange().claim(dir.location(), "r1"), Ok(()));
    let fault = second.exchange().claim(dir.location(), "r1").expect_err("taken");
    assert_eq!(fault.kind, ExchangeFaultKind::NotFound);
    assert_eq!(dir.request_files(), ["r1.claim"]);
    assert_eq!(first.exchange().set_aside(dir.location(), "r1"), Ok(()));
    assert_eq!(dir.request_files(), ["r1.aside"]);
    assert_eq!(first.exchange().list_requests(dir.location()), [""; 0]);
}

#[test]
fn fwd_d10_a_large_message_is_not_read() {
    let dir = ForwardingTempDir::new("p");
    dir.request().id("big").raw(vec![b' '; 256 * 1024 + 1]).write();
    dir.request().id("fits").raw(vec![b' '; 256 * 1024]).write();
    let exchange = make_escalator_deps().in_dir(&dir).exchange();
    let read = |id| exchange.read_message(&dir.location().request_file(id));
    assert_eq!(read("big").expect_err("too large").kind, ExchangeFaultKind::TooLarge);
    assert_eq!(read("fits").map(|bytes| bytes.len()), Ok(256 * 1024));
}
