//! Whole calls through the whole gate: the real composition root on real files, with doubles only where a host stands.
//!
//! Unit tests pin the parts; here is what shows between them: orders, boundaries, records of one call, life of a session,
//! several threads.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: a missing record fails the test"
)]

mod agents;
mod boundary;
mod broken_files;
mod collaborators;
mod invariants;
mod logs;
mod order;
mod queue;
mod saved_settings;
mod service;
mod sessions;
mod typed_skills;
