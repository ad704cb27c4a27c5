//! Threads on one inbox: what one sweeps away another makes again (FWD-022, FWD-D05), and a reader sees whole messages only.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use portcullis_core::authority::forwarding::{ForwardedRequest, read_request};
use portcullis_core::host::system::SystemWaiter;
use portcullis_core::host::{ExchangeFaultKind, Waiter as _};
use portcullis_test_fixtures::{ForwardingTempDir, make_escalator_deps};
use pretty_assertions::assert_eq;

const CHILDREN: u32 = 4;
const ASKS: usize = 60;

fn request(id: &str) -> ForwardedRequest {
    let text = format!(
        r#"{{"id":"{id}","createdAt":1,"requesterSessionId":"c","targetSessionId":"p","requesterAgentName":"a","message":"{}"}}"#,
        "long ".repeat(400)
    );
    read_request(text.as_bytes()).expect("a request")
}

/// The baseline loses three of 747 asks here. Each child is a process of its own number; the server claims, answers and sweeps
/// without waiting for its next pass, and so does every child, so that folders vanish between any two steps.
#[test]
fn fwd_022_no_ask_is_lost_to_a_server_that_sweeps() {
    let dir = ForwardingTempDir::new("p");
    let done = AtomicBool::new(false);
    let served = thread::scope(|scope| {
        let children: Vec<_> = (0..CHILDREN)
            .map(|child| {
                let exchange = make_escalator_deps().in_dir(&dir).process_id(100 + child).exchange();
                let location = dir.location();
                scope.spawn(move || {
                    for ask in 0..ASKS {
                        let id = format!("{child}-{ask}");
                        exchange.prepare_inbox(location).expect("folders");
                        exchange.write_request(location, &id, &request(&id)).expect("written");
                        let response = location.response_file(&id);
                        let end = Instant::now() + Duration::from_secs(30);
                        loop {
                            match exchange.read_message(&response) {
                                Ok(bytes) => break assert_eq!(bytes, b"{\"ok\":true}"),
                                Err(fault) => assert_eq!(fault.kind, ExchangeFaultKind::NotFound, "{fault}"),
                            }
                            assert!(Instant::now() < end, "no answer to {id}");
                            SystemWaiter.wait_ms(1);
                        }
                        assert!(exchange.remove(&response));
                        exchange.clean_up(location);
                    }
                })
            })
            .collect();
        let server = scope.spawn(|| {
            let exchange = make_escalator_deps().in_dir(&dir).process_id(7).exchange();
            let mut served = Vec::new();
            while !done.load(Ordering::Acquire) {
                for name in exchange.list_requests(dir.location()) {
                    let id = name.trim_end_matches(".json");
                    exchange.claim(dir.location(), id).expect("the only server");
                    let bytes = exchange.read_message(&dir.location().claim_file(id)).expect("claimed");
                    assert_eq!(read_request(&bytes).map(|request| request.id).as_deref(), Ok(id), "a whole message");
                    exchange.write_response(dir.location(), id, &serde_json::json!({ "ok": true })).expect("written");
                    assert!(exchange.remove(&dir.location().claim_file(id)));
                    served.push(name);
                }
                exchange.clean_up(dir.location());
                SystemWaiter.wait_ms(1);
            }
            served
        });
        let outcomes: Vec<_> = children.into_iter().map(thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Release);
        assert!(outcomes.iter().all(Result::is_ok), "every child was answered");
        server.join().expect("a server")
    });
    let mut unique = served.clone();
    unique.sort();
    unique.dedup();
    assert_eq!((unique.len(), served.len()), (CHILDREN as usize * ASKS, CHILDREN as usize * ASKS), "each exactly once");
    assert_eq!(dir.tree(), ["sessions/"], "and clean afterwards");
}
