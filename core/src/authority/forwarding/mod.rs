//! How a question travels to another session and its answer back (docs/spec/README.md, 5.5 and 5.6; docs/spec/forwarding.md).
//!
//! A child sends facts; the session that serves judges them by its own policy or asks its person. This room knows files,
//! time and messages through the host's roles. It knows no policy: who judges is handed in.

mod diagnostics;
mod encode;
mod exchange;
mod facts;
mod heartbeat;
mod location;
mod message;
mod reading;
mod request_reader;
mod response_reader;
mod retry;
mod serving_sessions;
mod subagents;

pub use diagnostics::ForwardingLog;
pub use encode::encode_component;
pub use exchange::Exchange;
pub use facts::{AskFacts, FactFloor, FactItem, FactPrompt};
pub use heartbeat::{HEARTBEAT_INTERVAL_MS, HEARTBEAT_LIFE_MS, Heartbeat, Liveness};
pub use location::{
    ForwardingRoot, InboxLocation, LOCATION_LABEL, LocationFault, LocationFaultKind, normalize_session_id, usable_request_id,
};
pub use message::{FORWARDING_VERSION, ForwardedRequest, ForwardedResponse, LegacyApproval};
pub use reading::{MAX_MESSAGE_BYTES, MessageFault, MessageFaultKind};
pub use request_reader::{is_nonce, read_request};
pub use response_reader::read_response;
pub use serving_sessions::ServingSessions;
pub use subagents::SubagentRegistry;
