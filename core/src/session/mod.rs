//! The mutable state of a session behind operations, and what one call is judged with.

mod agent_memory;
mod agent_name;
mod call_snapshot;
mod composed_policy;
mod forwarded;
mod permission_session;
mod query;
mod registries;
mod request_ids;
mod session_rules;
pub mod suggestion;

pub use agent_memory::ActiveAgent;
pub use call_snapshot::CallSnapshot;
pub use composed_policy::ComposedPolicy;
pub use permission_session::{Bound, PermissionSession, SessionFacts};
pub use registries::{Ancestors, Registries};
pub use request_ids::RequestIdMint;
pub use session_rules::SessionRules;
