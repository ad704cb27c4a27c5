//! Any bytes as a command line. What has to hold stands in `core/tests/shell/laws.rs`, where a generated short run of it is
//! a test.
//!
//! Run with `cargo +nightly fuzz run shell -- -max_total_time=600 -max_len=512` in `core`. Where `cargo-fuzz` is not at hand, build
//! with `cargo +nightly build --release --bin shell --target x86_64-unknown-linux-gnu` in `core/fuzz` under `RUSTFLAGS="-Cpasses=sancov-module
//! -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
//! -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Ccodegen-units=1"`, and run the program with a folder of seeds.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/shell/laws.rs"]
mod laws;

fuzz_target!(|data: &[u8]| {
    if let Ok(command) = std::str::from_utf8(data) {
        laws::check(command);
    }
});
