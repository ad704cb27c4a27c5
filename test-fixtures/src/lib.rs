//! Builders, recording doubles and temp-dir harnesses for testing permission gates.
//!
//! Every double has defaults that work and one call per deviation; what a double was told is kept and can be asked in assertions.
//!
//! | seed name | here |
//! | --- | --- |
//! | `makeFakePi` | [`fake_host`]: a whole gate in one line, around [`FakeHost`] |
//! | `makeHandler` | [`make_handler`]: the same with answers made by hand instead of a policy |
//! | `createManager` | [`create_manager`]: composed policy over explicit files |
//! | `makeCtx`, `makeEvents`, `getDecisionEvents` | [`make_ctx`], [`make_events`], [`get_decision_events`] |
//! | `makeSession`, `makeToolRegistry`, `makeToolCallEvent` | [`make_session`], [`make_tool_registry`], [`make_tool_call_event`] |
//! | `makeCheckResult`, `makeGateCheckResult` | [`make_check_result`], [`make_gate_check_result`] |
//! | `makeDescriptor`, `makeDenialDescriptor` | [`make_descriptor`], [`make_denial_descriptor`] |
//! | `makeReporter`, `makeNotifier`, `makeGateRunner` | [`make_reporter`], [`make_notifier`], [`make_gate_runner`] |
//! | `makeTcc`, `makeGateInputs`, `makeSkillInputInputs` | [`make_tcc`], [`make_gate_inputs`], [`make_skill_input_inputs`] |
//! | `makeResolver`, `makeSurfaceCheck` | [`make_resolver`], [`make_surface_check`] |
//! | `createForwardingTempDir`, `writeRequest` | [`ForwardingTempDir`], [`ForwardingTempDir::request`] |
//! | `makeForwarderDeps`, `makeForwarderContext` | [`make_escalator_deps`], [`make_server_deps`], [`make_forwarder_context`] |
//! | `makeUiDecision`, `makeSubagentRegistry` | [`make_ui_decision`], [`make_subagent_registry`] |
//! | `makePathDispatchResolver`, `makeBashCommandCheck` | [`make_path_dispatch_resolver`], [`make_bash_command_check`] |
//!
//! What scenarios say with `checks`, `path checks` and `bash checks` is built by [`checks_resolver`] from the same doubles.

mod bus;
mod check;
mod context;
mod descriptor;
mod environment;
mod event;
mod fake_host;
mod forwarding;
mod gate_inputs;
mod gate_runner;
mod happened;
mod host_setup;
mod journal;
mod log;
mod manager;
mod memory_files;
mod resolver;
mod seed;
mod sources;
mod temp_world;
mod timeline;
mod tools;
mod tree;
mod ui;
mod windows_files;

pub use bus::RecordingBus;
pub use check::{CheckAnswer, make_check_result, make_gate_check_result};
pub use context::FakeContext;
pub use descriptor::{DescriptorSetup, make_denial_descriptor, make_descriptor};
pub use environment::FakeEnvironment;
pub use event::{active_agent_entry, tool_call_event};
pub use fake_host::{DEFAULT_TOOLS, FakeHost, FakeHostBuilder};
pub use forwarding::{
    EscalatorDeps, ExchangeOperation, ExchangeVerb, FakeProcesses, Family, FamilySetup, FaultyExchange, ForwardingTempDir,
    ForwardingTempDirBuilder, Member, MemberSetup, PlannedFault, RequestBuilder, ResponseBuilder, SIMULATED_CRASH, ServerDeps,
    SubagentEntry, UiDecision, VirtualClock, VirtualWaiter, make_escalator_deps, make_family, make_forwarder_context,
    make_server_deps, make_subagent_registry, make_ui_decision, recording_forwarding_log,
};
pub use gate_inputs::{GateInputs, NoFiles, SkillInputInputs, make_gate_inputs, make_skill_entry, make_skill_input_inputs};
pub use gate_runner::{GateRunnerSetup, RecordingNotifier, RecordingReporter, make_gate_runner, make_notifier, make_reporter};
pub use happened::in_short;
pub use host_setup::{
    APPROVE, APPROVE_BOTH_DIRECTIONS, APPROVE_FOR_SESSION, DENY, HostSetup, StartedHost, fake_host, make_handler, skill_prompt,
};
pub use journal::{Happening, Journal};
pub use log::{LogLine, RecordingLog};
pub use manager::{Manager, SessionSetup, create_manager, make_session};
pub use memory_files::MemoryFiles;
pub use resolver::{
    BashCommandCheck, FakeResolver, checks_resolver, make_bash_command_check, make_path_dispatch_resolver, make_resolver,
    make_surface_check,
};
pub use seed::{
    FIXTURE_AGENT_DIR, FIXTURE_CWD, FIXTURE_HOME, get_decision_events, make_ctx, make_ctx_with_ui, make_events, make_tcc,
    make_tool_call_event, make_tool_registry,
};
pub use sources::{CountingIds, FixedClock};
pub use temp_world::{Inventory, TempWorld, WorldEntry};
pub use timeline::{First, Timeline};
pub use tools::FakeToolRegistry;
pub use tree::{Disk, Tree};
pub use ui::{ScriptedAnswer, ScriptedUi};
pub use windows_files::{WINDOWS_HOME, WindowsFiles};
