//! How a question travels to another session and its answer back (docs/spec/README.md, 5.5 and 5.6; docs/spec/forwarding.md).
//!
//! A child sends facts; the session that serves judges them by its own policy or asks its person. This room knows files,
//! time and messages through the host's roles. It knows no policy: who judges is handed in.

mod answer;
mod care;
mod detect;
mod diagnostics;
mod encode;
mod exchange;
mod facts;
mod heartbeat;
mod inbox;
mod judge;
mod lifecycle;
mod location;
mod message;
mod parent_authority;
mod patience;
mod posting;
mod reading;
mod request_reader;
mod response_reader;
mod retry;
mod serving_sessions;
mod subagents;
mod target;
#[cfg(test)]
pub(crate) mod test_doubles;

pub use detect::{CHILD_HINTS, ChildSigns, is_subagent};
pub use diagnostics::ForwardingLog;
pub use encode::encode_component;
pub use exchange::{ClaimOwner, Exchange};
pub use facts::{AskFacts, FactFloor, FactItem, FactPrompt};
pub use heartbeat::{HEARTBEAT_INTERVAL_MS, HEARTBEAT_LIFE_MS, Heartbeat, Liveness};
pub use inbox::{InboxServer, ServingRoles};
pub use judge::{ForwardedAskJudge, ForwardedEscalator, Judgement, ServingSession, Verdict};
pub use lifecycle::{CHILD_CREATED_CHANNEL, CHILD_DISPOSED_CHANNEL, forget_child, register_child};
pub use location::{
    ForwardingRoot, InboxLocation, LOCATION_LABEL, LocationFault, LocationFaultKind, normalize_session_id, usable_request_id,
};
pub use message::{FORWARDING_VERSION, ForwardedRequest, ForwardedResponse, LegacyApproval};
pub use parent_authority::{ForwardingAuthority, ParentReach};
pub use reading::{MAX_MESSAGE_BYTES, MessageFault, MessageFaultKind};
pub use request_reader::{is_nonce, read_request};
pub use response_reader::read_response;
pub use serving_sessions::ServingSessions;
pub use subagents::SubagentRegistry;
pub use target::{ChildIdentity, PARENT_VARIABLES, SessionRole, names_parent, resolve_target};
