//! Builds the whole gate from a host and hands out its handlers. The only room that knows every other one.

mod log_files;
mod permission_system;
mod service;

pub use crate::handlers::{ForwardingHost, Host, HostOptions, InputAnswer, NodeRegistry, ToolCallAnswer};
pub use crate::report::TraceSink;
pub use log_files::LogFiles;
pub use permission_system::PermissionSystem;
pub use service::PermissionService;
