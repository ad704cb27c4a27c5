//! The entry points: tool calls and typed skills, the life of a session, the preparation of a turn; and the fail-closed
//! boundary around each of them.

pub mod agent_prep;
mod agent_prep_handler;
mod ancestry;
mod call_end;
mod forwarding;
mod host;
mod links;
mod nodes;
mod permission_gate_handler;
mod policy_notices;
mod query;
mod services;
mod serving;
mod session_lifecycle;
mod settings;

pub use agent_prep_handler::AgentPrepHandler;
pub(crate) use forwarding::Forwarding;
pub use host::{ForwardingHost, Host, HostOptions};
pub(crate) use links::Links;
pub use nodes::NodeRegistry;
pub use permission_gate_handler::{InputAnswer, PermissionGateHandler, ToolCallAnswer};
pub(crate) use policy_notices::PolicyNotices;
pub(crate) use services::Services;
pub use session_lifecycle::SessionLifecycleHandler;
