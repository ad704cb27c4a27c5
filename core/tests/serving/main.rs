//! The serving side of forwarding as a host sees it (docs/spec/forwarding.md, INBOX and LIFE; docs/spec/README.md, 5.6).

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests: a missing record fails the test")]

mod granting;
mod inbox;
mod judging;
mod nodes;
mod sessions;
mod world;
