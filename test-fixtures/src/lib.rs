//! Builders, recording doubles and temp-dir harnesses for testing permission gates.
//!
//! Every double has defaults that work and one call per deviation; what a double was told is kept and can be asked in assertions.
//!
//! | seed name | here |
//! | --- | --- |
//! | `makeFakePi` | [`fake_host`]: a whole gate in one line, around [`FakeHost`] |
//! | `makeHandler` | [`make_handler`]: the same with answers made by hand instead of a policy |
//! | `makeCtx` | [`FakeContext`] |
//! | `makeEvents`, `getDecisionEvents` | [`RecordingBus`], [`Journal::decisions`] |
//! | `makeToolRegistry` | [`FakeToolRegistry`] |
//! | `makeToolCallEvent` | [`tool_call_event`] |
//! | `makeNotifier` | [`ScriptedUi`], [`Journal::notices`] |
//! | `makeCheckResult`, `makeGateCheckResult` | [`make_check_result`], [`make_gate_check_result`] |
//! | `makeResolver`, `makeSurfaceCheck`, `makePathDispatchResolver`, `makeBashCommandCheck` | [`make_resolver`], [`make_surface_check`], [`make_path_dispatch_resolver`], [`make_bash_command_check`] |

mod bus;
mod check;
mod context;
mod environment;
mod event;
mod fake_host;
mod happened;
mod host_setup;
mod journal;
mod log;
mod resolver;
mod sources;
mod temp_world;
mod tools;
mod ui;
mod windows_files;

pub use bus::RecordingBus;
pub use check::{CheckAnswer, make_check_result, make_gate_check_result};
pub use context::FakeContext;
pub use environment::FakeEnvironment;
pub use event::{active_agent_entry, tool_call_event};
pub use fake_host::{DEFAULT_TOOLS, FakeHost, FakeHostBuilder};
pub use happened::in_short;
pub use host_setup::{
    APPROVE, APPROVE_BOTH_DIRECTIONS, APPROVE_FOR_SESSION, DENY, HostSetup, StartedHost, fake_host, make_handler, skill_prompt,
};
pub use journal::{Happening, Journal};
pub use log::RecordingLog;
pub use resolver::{
    BashCommandCheck, FakeResolver, checks_resolver, make_bash_command_check, make_path_dispatch_resolver, make_resolver,
    make_surface_check,
};
pub use sources::{CountingIds, FixedClock};
pub use temp_world::{Inventory, TempWorld, WorldEntry};
pub use tools::FakeToolRegistry;
pub use ui::{ScriptedAnswer, ScriptedUi};
pub use windows_files::{WINDOWS_HOME, WindowsFiles};
