//! Any bytes as a request, a response or a heartbeat: a record or a fault, never a panic; any text as an id: one file below its
//! folder (docs/spec/forwarding.md, invariants 6 and 7).
//!
//! Run with `cargo +nightly fuzz run message -- -max_total_time=600 -max_len=4096` in `core`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_core::authority::forwarding::{ForwardingRoot, Heartbeat, encode_component, read_request, read_response};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(request) = read_request(bytes) {
        // What was read is written so that it reads the same; the old suggestion is read only.
        let again = serde_json::to_vec(&request).unwrap();
        let mut expected = request;
        expected.session_approval = None;
        if again.len() <= 256 * 1024 {
            assert_eq!(read_request(&again), Ok(expected));
        }
    }
    if let Ok(response) = read_response(bytes, 7) {
        assert_eq!(response.approved, response.state.is_approved());
        let again = serde_json::to_vec(&response).unwrap();
        if again.len() <= 256 * 1024 {
            assert_eq!(read_response(&again, 7), Ok(response));
        }
    }
    let _ = Heartbeat::parse(bytes);
    let id = String::from_utf8_lossy(bytes);
    let name = encode_component(&id);
    assert!(name.len() <= 200 && !name.contains(['/', '\\', '\0', '*']) && name.bytes().any(|byte| byte != b'.'));
    if let Ok(location) = ForwardingRoot::at("/r").location(&id) {
        assert_eq!(location.request_file(&id).matches('/').count(), 5);
    }
});
