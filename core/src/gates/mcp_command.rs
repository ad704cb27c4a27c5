//! The check of an MCP call: all its names are aliases, the last rule that applies to any of them decides (RES-15, RES-16).

use super::answers::Answers;
use super::asked_facts::mcp_item;
use super::descriptor::GateCheck;
use super::inputs::GateResolver;
use super::names::MCP_SURFACE;
use crate::access::mcp::McpCall;
use crate::authority::forwarding::FactItem;
use crate::policy::Question;

/// The question that an MCP call puts. Rules see every name of it, grants only its own one (RES-30).
pub fn mcp_question(call: &McpCall) -> Question {
    Question {
        surface: MCP_SURFACE.to_owned(),
        values: call.values(),
        further: call.impostors.iter().map(|name| (name.clone(), "HARD-026")).collect(),
        introduced_by: (!call.impostors.is_empty()).then_some("HARD-026"),
        also: call.own_tool.iter().map(|tool| (tool.clone(), "*".to_owned())).collect(),
        grant_values: Some(vec![call.grant_name.clone()]),
        ..Question::default()
    }
}

/// Resolves an MCP call; beside the check what still asks.
pub(crate) fn resolve_mcp_check(resolver: &dyn GateResolver, call: &McpCall) -> Option<(GateCheck, Vec<FactItem>)> {
    let question = mcp_question(call);
    let mut answers = Answers::default();
    answers.ask(resolver, &question, |result| Some(result.clone()));
    let items = answers.asking().map(|(_, question)| mcp_item(question)).collect();
    Some((answers.into_check(0)?, items))
}
