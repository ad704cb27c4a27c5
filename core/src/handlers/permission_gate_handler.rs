//! The events `tool_call` and `input` (5.2, 5.3): name, registration, agent, shape, then the pipeline; and what is left behind
//! when one of these, or anything else, goes wrong.

use std::sync::Arc;

use serde_json::Value;

use super::call_end::{CallEnding, Ending};
use super::services::{Services, tool_names};
use super::settings::follow_trust;
use crate::access::{
    Registration, UNKNOWN_TOOL, audited_command, audited_tool_name, check_registration, check_shape,
    extract_skill_name_from_input, tool_call_id_of, tool_input_of, tool_name_of,
};
use crate::gates::{CallRecord, GateOutcome, SkillInputGatePipeline, ToolCallContext, ToolCallGatePipeline};
use crate::host::boundary::{attempt, guarded};
use crate::host::{HostContext, HostError, HostResult};
use crate::report::audit::AuditEnd;
use crate::report::{SnapshotTrace, messages};
use crate::session::{ActiveAgent, Bound, CallSnapshot};

/// The answer to a tool call (HAND-006).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolCallAnswer {
    /// It may go ahead.
    Allow,
    /// It may not.
    Block {
        /// Why, for the agent. Never empty.
        reason: String,
    },
}

/// The answer to what the user typed (HAND-013).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputAnswer {
    /// The text goes on to the agent.
    Continue,
    /// The text ends here.
    Handled,
}

/// Owns the `tool_call` and `input` events.
pub struct PermissionGateHandler {
    services: Arc<Services>,
}

/// What one call has found out so far; complete enough for its end wherever the walk stops.
#[derive(Default)]
struct Call {
    agent: ActiveAgent,
    snapshot: SnapshotTrace,
    record: CallRecord,
}

impl PermissionGateHandler {
    pub(crate) fn new(services: Arc<Services>) -> Self {
        Self { services }
    }

    /// Decides one tool call. A missing context, an unknown tool, a wrong shape and every failure block.
    pub fn handle_tool_call(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) -> ToolCallAnswer {
        self.services.audit.begin();
        let mut call = Call::default();
        let ending = match guarded(|| self.decide_tool_call(event, context, &mut call)) {
            Ok(ending) => ending,
            Err(error) => Ending::Error(error),
        };
        let subject = CallEnding {
            tool: audited_tool_name(event),
            name: tool_name_of(event).unwrap_or_else(|| UNKNOWN_TOOL.to_owned()),
            command: audited_command(event),
            call_id: tool_call_id_of(event),
            ending,
            fallback_gate: "boundary",
        };
        match self.finish(subject, call) {
            GateOutcome::Allow => ToolCallAnswer::Allow,
            GateOutcome::Block { reason } => ToolCallAnswer::Block { reason },
        }
    }

    fn decide_tool_call(&self, event: &Value, context: Option<&Arc<dyn HostContext>>, call: &mut Call) -> HostResult<Ending> {
        let bound = self.services.activate(required(context)?)?;
        let tools = self.services.host.tools.get_all()?;
        let requested = tool_name_of(event);
        let tool_name = match check_registration(requested.as_deref(), &tools) {
            Registration::Registered { normalized, .. } => normalized,
            Registration::MissingToolName => return Ok(Ending::unregistered(messages::missing_tool_name())),
            Registration::Unregistered { requested, available } => {
                return Ok(Ending::unregistered(messages::unknown_tool(&requested, &available)));
            }
        };
        call.agent = self.services.session.resolve_agent_name(&bound.context, None)?;
        let snapshot = self.snapshot(&bound, &tools, call);
        let input = tool_input_of(event);
        if let Err(fault) = check_shape(&tool_name, &input, &snapshot.settings().shell_tools) {
            return Ok(Ending::misshapen(messages::invalid_call(&fault.to_string())));
        }
        let context = ToolCallContext {
            tool_name,
            agent_name: call.agent.name.clone(),
            input,
            tool_call_id: tool_call_id_of(event),
            cwd: bound.cwd.clone(),
        };
        let asks = self.services.asks(&bound);
        let outcome = ToolCallGatePipeline::new(&snapshot).evaluate(&context, &self.services.runner(&asks), &mut call.record)?;
        Ok(Ending::Decided(outcome))
    }

    /// Decides one text that the user typed. Only a text that names a skill is a call; every failure handles the text.
    pub fn handle_input(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) -> InputAnswer {
        let mut call = Call::default();
        let ending = match guarded(|| self.decide_input(event, context, &mut call)) {
            Ok(None) => return InputAnswer::Continue,
            Ok(Some(ending)) => ending,
            Err(error) => Ending::Error(error),
        };
        // Counted here and not before: a text that names no skill is no call (5.3, 2).
        self.services.audit.begin();
        let subject = CallEnding {
            tool: "skill".to_owned(),
            name: "skill".to_owned(),
            command: None,
            call_id: String::new(),
            ending,
            fallback_gate: "boundary",
        };
        match self.finish(subject, call) {
            GateOutcome::Allow => InputAnswer::Continue,
            GateOutcome::Block { .. } => InputAnswer::Handled,
        }
    }

    fn decide_input(&self, event: &Value, context: Option<&Arc<dyn HostContext>>, call: &mut Call) -> HostResult<Option<Ending>> {
        let text = event.get("text").and_then(Value::as_str);
        let text = text.ok_or_else(|| HostError::new("the typed text is missing or no string"))?;
        let bound = self.services.activate(required(context)?)?;
        let Some(skill_name) = extract_skill_name_from_input(text) else {
            return Ok(None);
        };
        let tools = self.services.host.tools.get_all()?;
        call.agent = self.services.session.resolve_agent_name(&bound.context, None)?;
        let snapshot = self.snapshot(&bound, &tools, call);
        let asks = self.services.asks(&bound);
        let outcome = SkillInputGatePipeline::new(&snapshot).evaluate(
            skill_name,
            call.agent.name.as_deref(),
            &self.services.notifier(&bound),
            &self.services.runner(&asks),
            &mut call.record,
        )?;
        Ok(Some(Ending::Decided(outcome)))
    }

    fn snapshot(&self, bound: &Bound, tools: &[Value], call: &mut Call) -> CallSnapshot<'_> {
        follow_trust(&self.services, bound, &tool_names(tools));
        let snapshot = self.services.call_snapshot(bound, &call.agent, tools);
        call.snapshot = snapshot.trace();
        self.services.announce_broken_scopes(bound, snapshot.policy());
        snapshot
    }

    /// Steps 11 to 13 of 5.2. Whatever fails here blocks, and nothing is counted twice.
    fn finish(&self, subject: CallEnding, call: Call) -> GateOutcome {
        attempt(|| self.services.write_ending(&subject, call.agent.name.as_deref()));
        let mut outcome = subject.outcome();
        let mut end = subject.audited(&outcome);
        if let Err(error) = guarded(|| self.services.write_decision(&subject, &outcome, &call.record)) {
            outcome = GateOutcome::Block { reason: messages::gate_error(&error.message) };
            end = AuditEnd::Error;
        }
        self.services.audit.finish(end);
        attempt(|| self.services.listen(&subject, &outcome, call.record, call.snapshot));
        outcome
    }
}

fn required(context: Option<&Arc<dyn HostContext>>) -> HostResult<&Arc<dyn HostContext>> {
    context.ok_or_else(|| HostError::new("the event came without a context"))
}
