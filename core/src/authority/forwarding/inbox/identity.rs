//! A request as an ask to the person of the session that serves (INBOX-010, INBOX-011).

use std::sync::Arc;

use super::super::facts::{AskFacts, FactItem};
use super::super::judge::Judgement;
use super::super::message::ForwardedRequest;
use crate::authority::{AskDetails, AskSource, ForwardedFrom, GateSuggestion, PromptPermissionDetails};
use crate::report::messages::{ForwardedAsk, forwarded_ask, requester_session_label, session_label};

/// The ask: who asks, what, and what a yes for the whole session stores. None of the tool's own fields is filled, because nobody
/// here has seen the call.
pub(super) fn forwarded_details(request: &ForwardedRequest, judgement: &Judgement) -> PromptPermissionDetails {
    let full_message = request.facts.as_ref().map(|facts| facts.prompt.full_message.as_str());
    let shown = forwarded_ask(ForwardedAsk {
        agent: &request.requester_agent_name,
        session: &request.requester_session_id,
        message: &request.message,
        full_message: full_message.unwrap_or_default(),
        policy_fault: judgement.policy_fault.as_deref(),
    });
    let agent_name = present(&request.requester_agent_name);
    let (surface, value) = display(request);
    let wide = !judgement.grants.is_empty();
    PromptPermissionDetails {
        request_id: request.id.clone(),
        details: AskDetails {
            source: request.source.unwrap_or(AskSource::ToolCall),
            agent_name: agent_name.clone(),
            message: shown.message,
            full_message: shown.full_message,
            record_message: shown.record_message,
            tool_call_id: None,
            tool_name: None,
            skill_name: None,
            path: None,
            command: None,
            target: None,
            tool_input_preview: None,
            session_label: Some(narrow_label(request, agent_name.as_deref())),
            both_directions_label: None,
            forwarding: Some(ForwardedFrom { agent_name, session_id: present(&request.requester_session_id), surface, value }),
        },
        suggestion: wide.then(|| GateSuggestion { pairs: judgement.grants.clone(), both_directions: Vec::new() }),
        facts: request.facts.clone().filter(|_| judgement.facts_hold).map(Arc::new),
    }
}

fn present(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The second option where the wide scope is not offered: the child stores what it stores, or says that it stores nothing.
fn narrow_label(request: &ForwardedRequest, agent: Option<&str>) -> String {
    let stores_nothing = request.facts.is_some() && request.grants.is_empty();
    if stores_nothing { session_label(&[]) } else { requester_session_label(agent) }
}

/// What P shows: the old display pair, or the first thing that asks.
fn display(request: &ForwardedRequest) -> (Option<String>, Option<String>) {
    match &request.facts {
        Some(facts) if request.surface.is_none() && request.value.is_none() => {
            (Some(facts.surface.clone()), first_value(facts).map(str::to_owned))
        }
        _ => (request.surface.clone(), request.value.clone()),
    }
}

fn first_value(facts: &AskFacts) -> Option<&str> {
    match facts.items.first()? {
        FactItem::Path { typed, .. } => Some(typed),
        FactItem::Unit { text, .. } => Some(text),
        FactItem::Mcp { candidates, .. } => facts.prompt.target.as_deref().or(candidates.first().map(String::as_str)),
        FactItem::Value { value } if value == "*" => facts.tool.as_deref().or(Some(value)),
        FactItem::Value { value } => Some(value),
    }
}
