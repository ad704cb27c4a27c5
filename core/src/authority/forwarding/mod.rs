//! How a question travels to another session and its answer back (docs/spec/README.md, 5.5 and 5.6; docs/spec/forwarding.md).
//!
//! A child sends facts; the session that serves judges them by its own policy or asks its person. This room knows files,
//! time and messages through the host's roles. It knows no policy: who judges is handed in.

mod facts;
mod message;
mod subagents;

pub use facts::{AskFacts, FactFloor, FactItem, FactPrompt};
pub use message::{FORWARDING_VERSION, ForwardedRequest, ForwardedResponse, LegacyApproval};
pub use subagents::SubagentRegistry;
