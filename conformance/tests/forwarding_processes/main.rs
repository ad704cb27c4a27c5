//! Sessions that are real processes on real folders (docs/forwarding.md): many at once, killed, hindered and attacked. In the short
//! form here and in `.ci/run`; `PORTCULLIS_LONG=1 cargo nextest run -p portcullis --test forwarding_processes` is the long one.
//! Every test prints what it counted.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests: a process that cannot be started and a line that is missing are failures"
)]

mod crowd;
mod deaths;
mod hostile;
mod troubles;
mod world;
