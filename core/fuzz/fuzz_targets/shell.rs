//! Any bytes as a command line. What has to hold stands in `core/tests/shell/laws.rs`, where a generated short run of it is
//! a test.
//!
//! Run with `cargo +nightly fuzz run shell -- -max_total_time=600 -max_len=512` in `core`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/shell/laws.rs"]
mod laws;

fuzz_target!(|data: &[u8]| {
    if let Ok(command) = std::str::from_utf8(data) {
        laws::check(command);
    }
});
