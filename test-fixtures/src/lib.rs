//! Builders, recording doubles and temp-dir harnesses for testing permission gates.
//!
//! Every double has defaults that work and one call per deviation; what a double was told is kept and can be asked in assertions.
//!
//! | seed name | here |
//! | --- | --- |
//! | `makeFakePi` | [`FakeHost`]: a whole gate around doubles |
//! | `makeCtx` | [`FakeContext`] |
//! | `makeEvents`, `getDecisionEvents` | [`RecordingBus`], [`Journal::decisions`] |
//! | `makeToolRegistry` | [`FakeToolRegistry`] |
//! | `makeToolCallEvent` | [`tool_call_event`] |
//! | `makeNotifier` | [`ScriptedUi`], [`Journal::notices`] |

mod bus;
mod context;
mod environment;
mod event;
mod fake_host;
mod journal;
mod log;
mod sources;
mod temp_world;
mod tools;
mod ui;
mod windows_files;

pub use bus::RecordingBus;
pub use context::FakeContext;
pub use environment::FakeEnvironment;
pub use event::{active_agent_entry, tool_call_event};
pub use fake_host::{DEFAULT_TOOLS, FakeHost, FakeHostBuilder};
pub use journal::{Happening, Journal};
pub use log::RecordingLog;
pub use sources::{CountingIds, FixedClock};
pub use temp_world::{Inventory, TempWorld, WorldEntry};
pub use tools::FakeToolRegistry;
pub use ui::{ScriptedAnswer, ScriptedUi};
pub use windows_files::{WINDOWS_HOME, WindowsFiles};
