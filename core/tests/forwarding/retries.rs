//! Momentary faults (HARD-049).

use std::sync::Arc;

use portcullis_core::authority::forwarding::Exchange;
use portcullis_core::host::{ExchangeFault, ExchangeFaultKind};
use portcullis_test_fixtures::{EscalatorDeps, FaultyExchange, ForwardingTempDir, PlannedFault, make_escalator_deps};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

fn with_faults(dir: &ForwardingTempDir, first: usize, times: usize, kind: ExchangeFaultKind) -> (EscalatorDeps, Exchange) {
    let store = Arc::new(FaultyExchange::new());
    store.plan_times(first, times, PlannedFault::Fail(kind));
    let deps = make_escalator_deps().in_dir(dir).store(store);
    let exchange = deps.exchange();
    (deps, exchange)
}

fn kind(outcome: Result<(), ExchangeFault>) -> Result<(), ExchangeFaultKind> {
    outcome.map_err(|fault| fault.kind)
}

#[rstest]
#[case::none(0, ExchangeFaultKind::Transient, Ok(()), &[])]
#[case::once(1, ExchangeFaultKind::Transient, Ok(()), &[10])]
#[case::twice(2, ExchangeFaultKind::Transient, Ok(()), &[10, 20])]
#[case::three_times(3, ExchangeFaultKind::Transient, Ok(()), &[10, 20, 30])]
#[case::exhausted(4, ExchangeFaultKind::Transient, Err(ExchangeFaultKind::Transient), &[10, 20, 30])]
#[case::no_space(1, ExchangeFaultKind::Other, Err(ExchangeFaultKind::Other), &[])]
#[case::foreign(1, ExchangeFaultKind::ForeignOwner, Err(ExchangeFaultKind::ForeignOwner), &[])]
fn hard_049_a_rename_and_a_folder_are_tried_again(
    #[case] times: usize,
    #[case] fault: ExchangeFaultKind,
    #[case] expected: Result<(), ExchangeFaultKind>,
    #[case] waits: &[u64],
) {
    let dir = ForwardingTempDir::new("p");
    // The creation of the temporary file is operation 0.
    let (deps, exchange) = with_faults(&dir, 1, times, fault);
    assert_eq!(kind(exchange.write_request(dir.location(), "r1", &json!({}))), expected);
    assert_eq!(deps.waiter.waits(), waits);
    let recovery = format!("recovered: could put in place {} after {times} failed tries", dir.location().request_file("r1"));
    let mended = if expected.is_ok() && times > 0 { vec![recovery] } else { vec![] };
    assert_eq!(deps.diagnostics(), mended);
    assert_eq!(deps.review().len(), 0, "a recovery is for the debug log");
    let left: &[&str] = if expected.is_ok() { &["r1.json"] } else { &[] };
    assert_eq!(dir.request_files(), left);

    let (deps, exchange) = with_faults(&dir, 0, times, fault);
    assert_eq!(kind(exchange.make_responses(dir.location())), expected);
    assert_eq!(deps.waiter.waits(), waits);
}

#[test]
fn hard_049_an_existing_target_is_no_reason_to_stop() {
    let dir = ForwardingTempDir::new("p");
    dir.response("r1").write();
    let (deps, exchange) = with_faults(&dir, 1, 1, ExchangeFaultKind::Transient);
    assert_eq!(exchange.write_response(dir.location(), "r1", &json!({ "new": true })), Ok(()));
    assert_eq!(std::fs::read_to_string(dir.location().response_file("r1")).expect("replaced"), r#"{"new":true}"#);
    assert_eq!(deps.diagnostics().len(), 1);
}

#[test]
fn hard_049_nothing_else_is_tried_again() {
    let dir = ForwardingTempDir::new("p");
    dir.request().id("r1").write();
    let (deps, exchange) = with_faults(&dir, 0, 3, ExchangeFaultKind::Transient);
    assert!(exchange.write_message(&dir.location().request_file("x"), &json!({})).is_err(), "a creation, and a removal");
    assert!(exchange.read_message(&dir.location().request_file("r1")).is_err());
    assert!(exchange.remove(&dir.location().request_file("r1")));
    assert_eq!(deps.waiter.waits(), [0; 0]);
}

#[test]
fn hard_049_a_claim_is_a_rename() {
    let dir = ForwardingTempDir::new("p");
    dir.request().id("r1").write();
    let (deps, exchange) = with_faults(&dir, 0, 2, ExchangeFaultKind::Transient);
    assert_eq!(exchange.claim(dir.location(), "r1"), Ok(()));
    assert_eq!(deps.waiter.waits(), [10, 20]);
}
