//! Faults at the side of the host: tools, trust, agents, extractors, and what is left on the disk.

use std::sync::Arc;

use portcullis_core::composition::Host;
use portcullis_core::host::{HostResult, ToolRegistry};
use serde_json::Value;

use super::varied::Variation;
use crate::implementation::{InProcess, Observation, StepRequest, World};

/// Hidden tools stay switched on.
pub(super) fn tools_stay_on(_: &World, host: &mut Host) {
    host.tools = Arc::new(Stubborn(Arc::clone(&host.tools)));
}

struct Stubborn(Arc<dyn ToolRegistry>);

impl ToolRegistry for Stubborn {
    fn get_all(&self) -> HostResult<Vec<Value>> {
        self.0.get_all()
    }

    fn get_active(&self) -> HostResult<Vec<Value>> {
        self.0.get_active()
    }

    fn set_active(&self, _: &[String]) -> HostResult<()> {
        Ok(())
    }
}

/// Every project is trusted.
pub(super) fn trust_the_world(world: &mut World) {
    world.trust = "trusted".into();
}

/// Trust is given, and never taken back.
pub(super) fn trust_for_good(request: &mut StepRequest) {
    if let StepRequest::HostChange { trust: Some(word), .. } = request {
        *word = "trusted".into();
    }
}

/// That an agent is gone is not heard.
pub(super) fn agents_stay(request: &mut StepRequest) {
    if let StepRequest::HostChange { agent, .. } = request
        && agent.as_ref().is_some_and(|change| change.name.is_none())
    {
        *agent = None;
    }
}

/// Path extractors are registered for a tool that nobody has.
pub(super) fn extractors_are_lost(request: &mut StepRequest) {
    if let StepRequest::RegisterExtractor { tool, .. } = request {
        tool.push_str("-of-nobody");
    }
}

/// An MCP call without its server.
pub(super) fn servers_are_lost(request: &mut StepRequest) {
    let StepRequest::ToolCall { event, .. } = request else { return };
    let is_mcp = event.get("toolName").and_then(Value::as_str) == Some("mcp");
    if let Some(Value::Object(input)) = event.get_mut("input").filter(|_| is_mcp) {
        input.remove("server");
    }
}

/// Leaves something in a file beside those of the project at each call.
#[derive(Default)]
pub(super) struct Leaks {
    cwd: String,
    calls: u64,
}

impl Variation for Leaks {
    fn world(&mut self, world: &mut World) {
        if world.platform == "posix" {
            self.cwd.clone_from(&world.cwd);
        }
    }

    fn seen(&mut self, _: &StepRequest, _: &mut Observation, gate: &InProcess) {
        self.calls += 1;
        if !self.cwd.is_empty() {
            // What cannot be written is not left behind.
            let _ = gate.write_file(&format!("{}/.gate-cache", self.cwd), &format!("{} calls\n", self.calls));
        }
    }
}
