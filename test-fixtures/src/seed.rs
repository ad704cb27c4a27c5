//! The small makers of the seed: contexts, events, registries, calls.

use std::sync::Arc;

use portcullis_core::gates::ToolCallContext;
use serde_json::Value;

use crate::bus::RecordingBus;
use crate::context::FakeContext;
use crate::event::tool_call_event;
use crate::journal::Journal;
use crate::tools::FakeToolRegistry;
use crate::ui::{ScriptedAnswer, ScriptedUi};

/// Where the calls of these doubles run; nothing of it has to exist.
pub const FIXTURE_CWD: &str = "/w/p";
/// The home directory of these doubles.
pub const FIXTURE_HOME: &str = "/home/me";
/// The agent directory of these doubles.
pub const FIXTURE_AGENT_DIR: &str = "/home/me/.pi/agent";

/// The context of a host event in [`FIXTURE_CWD`], without a user interface (`makeCtx`).
///
/// ```
/// use portcullis_core::host::HostContext;
/// use portcullis_test_fixtures::{FIXTURE_CWD, make_ctx};
///
/// let context = make_ctx();
/// assert_eq!(context.cwd().as_deref(), Ok(FIXTURE_CWD));
/// assert!(context.user_interface().is_none());
/// context.append_agent(Some("reviewer"));
/// assert_eq!(context.session_entries().unwrap().len(), 1);
/// ```
pub fn make_ctx() -> Arc<FakeContext> {
    Arc::new(FakeContext::new(FIXTURE_CWD))
}

/// The same with a person in front of it, who gives these answers.
///
/// ```
/// use portcullis_core::host::HostContext;
/// use portcullis_test_fixtures::{APPROVE, Journal, make_ctx_with_ui};
///
/// let journal = Journal::default();
/// let context = make_ctx_with_ui(&journal, [APPROVE]);
/// assert!(context.user_interface().is_some());
/// ```
pub fn make_ctx_with_ui(journal: &Journal, answers: impl IntoIterator<Item = ScriptedAnswer>) -> Arc<FakeContext> {
    let context = make_ctx();
    context.set_ui(Some(Arc::new(ScriptedUi::new(journal, answers.into_iter().collect()))));
    context
}

/// A bus, and the journal that hears it (`makeEvents`).
///
/// ```
/// use portcullis_core::host::EventBus;
/// use portcullis_test_fixtures::{get_decision_events, make_events};
/// use serde_json::json;
///
/// let (bus, journal) = make_events();
/// bus.emit("permissions:decision", &json!({ "surface": "bash" })).unwrap();
/// bus.emit("permissions:ready", &json!({})).unwrap();
/// assert_eq!(get_decision_events(&journal), [json!({ "surface": "bash" })]);
/// ```
pub fn make_events() -> (Arc<RecordingBus>, Journal) {
    let journal = Journal::default();
    (Arc::new(RecordingBus::new(&journal)), journal)
}

/// The decisions that a journal heard (`getDecisionEvents`).
pub fn get_decision_events(journal: &Journal) -> Vec<Value> {
    journal.decisions()
}

/// A registry with these tools, all of them active (`makeToolRegistry`).
///
/// ```
/// use portcullis_core::host::ToolRegistry;
/// use portcullis_test_fixtures::make_tool_registry;
///
/// let tools = make_tool_registry(&["read", "bash"]);
/// assert_eq!(tools.get_all().unwrap(), ["read", "bash"]);
/// ```
pub fn make_tool_registry(names: &[&str]) -> Arc<FakeToolRegistry> {
    Arc::new(FakeToolRegistry::named(&Journal::default(), names))
}

/// A `tool_call` event with the id `tc-1` (`makeToolCallEvent`).
///
/// ```
/// use portcullis_test_fixtures::make_tool_call_event;
/// use serde_json::json;
///
/// let event = make_tool_call_event("bash", json!({ "command": "ls" }));
/// assert_eq!((event["toolName"].as_str(), event["toolCallId"].as_str()), (Some("bash"), Some("tc-1")));
/// ```
pub fn make_tool_call_event(tool: &str, input: Value) -> Value {
    tool_call_event(tool, input, "tc-1")
}

/// The context of one tool call, as gates see it (`makeTcc`): no agent, id `tc-1`, in [`FIXTURE_CWD`].
///
/// ```
/// use portcullis_core::gates::ToolCallContext;
/// use portcullis_test_fixtures::make_tcc;
/// use serde_json::json;
///
/// let call = make_tcc("read", json!({ "path": "a" }));
/// let by_an_agent = ToolCallContext { agent_name: Some("reviewer".into()), ..call.clone() };
/// assert_eq!((call.tool_call_id.as_str(), call.agent_name), ("tc-1", None));
/// assert_eq!(by_an_agent.tool_name, "read");
/// ```
pub fn make_tcc(tool: &str, input: Value) -> ToolCallContext {
    ToolCallContext {
        tool_name: tool.to_owned(),
        agent_name: None,
        input,
        tool_call_id: "tc-1".to_owned(),
        cwd: FIXTURE_CWD.to_owned(),
    }
}
