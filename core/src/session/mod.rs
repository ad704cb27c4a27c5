//! The mutable state of a session behind operations.

mod session_rules;
pub mod suggestion;

pub use session_rules::SessionRules;
