//! How questions travel between sessions, over real folders (docs/spec/forwarding.md).

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests: a missing record fails the test")]

mod causes;
mod golden;
mod journeys;
mod who_answers;
