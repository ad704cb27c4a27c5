//! The entry points and the fail-closed boundary.

pub mod agent_prep;
