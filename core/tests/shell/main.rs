//! The examples of the shell requirements (docs/spec/hardening.md), each through the whole gate on a real file system.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod bounds;
mod everyday;
mod grants;
mod hardening;
mod judge;
mod laws;
mod metamorphic;
