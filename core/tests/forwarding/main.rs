//! How questions travel between sessions, over real folders (docs/spec/forwarding.md).

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers of tests: a missing record fails the test"
)]

mod causes;
mod deaths;
mod faults;
mod folders;
mod golden;
mod journeys;
mod listing;
mod liveness;
mod parity;
mod races;
mod retries;
mod server_alone;
mod who_answers;
mod writing;
