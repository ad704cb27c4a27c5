//! Sessions that ask each other: folders, messages, time, faults (docs/spec/forwarding.md, section 7).

mod deps;
mod family;
mod faulty_exchange;
mod messages;
mod processes;
mod server_deps;
mod temp_dir;
mod virtual_time;

pub use deps::{
    EscalatorDeps, SubagentEntry, UiDecision, make_escalator_deps, make_forwarder_context, make_subagent_registry,
    make_ui_decision, recording_forwarding_log,
};
pub use family::{Family, FamilySetup, Member, MemberSetup, make_family};
pub use faulty_exchange::{ExchangeOperation, ExchangeVerb, FaultyExchange, PlannedFault, SIMULATED_CRASH};
pub use messages::{RequestBuilder, ResponseBuilder};
pub use processes::FakeProcesses;
pub use server_deps::{ServerDeps, make_server_deps};
pub use temp_dir::{ForwardingTempDir, ForwardingTempDirBuilder};
pub use virtual_time::{VirtualClock, VirtualWaiter};
