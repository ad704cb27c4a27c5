//! The check of an MCP call: all its names are aliases, the last rule that applies to any of them decides (RES-15, RES-16).

use super::answers::Answers;
use super::descriptor::GateCheck;
use super::inputs::GateResolver;
use super::names::MCP_SURFACE;
use crate::access::mcp::McpCall;
use crate::policy::{PermissionCheckResult, PermissionState, Question, Tightening};

/// Resolves an MCP call. An answer that is stricter than what the package would have said is a tightening of HARD-026.
pub fn resolve_mcp_check(resolver: &dyn GateResolver, call: &McpCall) -> Option<GateCheck> {
    let question = Question {
        surface: MCP_SURFACE.to_owned(),
        values: call.values(),
        also: call.own_tool.iter().map(|tool| (tool.clone(), "*".to_owned())).collect(),
        grant_values: Some(vec![call.grant_name.clone()]),
        ..Question::default()
    };
    let mut answers = Answers::default();
    answers.ask(resolver, &question, |result| {
        let mut result = result.clone();
        let before = if result.state == PermissionState::Allow { result.state } else { baseline_state(resolver, call) };
        if before < result.state {
            result.trace.tightenings.push(Tightening {
                requirement: "HARD-026",
                before,
                after: result.state,
                subject: result.target.clone().unwrap_or_else(|| call.grant_name.clone()),
            });
        }
        Some(result)
    });
    answers.into_check(0)
}

/// What the package would say: a native tool is judged by its own name; for the generic tool the first name that any rule
/// knows decides (RULE-013).
fn baseline_state(resolver: &dyn GateResolver, call: &McpCall) -> PermissionState {
    if let Some(own) = &call.own_tool {
        return resolver.resolve(&Question { surface: own.clone(), ..Question::default() }).state;
    }
    let known = |index: &usize| call.introduced.get(*index).copied().flatten().is_none();
    let values = call.values();
    let mut answers = values.iter().enumerate().filter(|(index, _)| known(index)).map(|(_, value)| {
        resolver.resolve(&Question { surface: MCP_SURFACE.to_owned(), values: vec![value.clone()], ..Question::default() })
    });
    let first = answers.next();
    let decided = |result: &PermissionCheckResult| !result.from_default;
    match first {
        Some(result) if decided(&result) => result.state,
        Some(result) => answers.find(decided).map_or(result.state, |result| result.state),
        None => PermissionState::Allow,
    }
}
