//! The facts of an ask (HARD-009, HARD-010; docs/spec/README.md, 5.5): everything of a gate that still asks, each by itself,
//! and what a person is shown of it. Somebody in another session judges by these and derives nothing anew.

use std::sync::Arc;

use super::facts::CallFacts;
use super::view::GateView;
use crate::access::path::AccessPath;
use crate::authority::AskDetails;
use crate::authority::forwarding::{AskFacts, FactFloor, FactItem, FactPrompt};
use crate::policy::{Direction, Floor, FloorKind, GrantLift, Question};

/// What a gate that asks has to say for another session; nothing when nothing asks.
pub(crate) fn call_facts(
    view: &GateView<'_>,
    gate: &'static str,
    surface: &str,
    ask: &AskDetails,
    items: Vec<FactItem>,
) -> Option<Arc<AskFacts>> {
    let mut prompt = prompt(ask);
    // The details name the unit that decided; a person sees the whole command (RES-33).
    prompt.command = view.facts.command().map(str::to_owned);
    let tool = Some(view.context.tool_name.clone());
    asked_facts(gate, surface, tool, canonical_directory(view.facts), prompt, items)
}

/// The same for a typed skill, which no tool stands behind.
pub(crate) fn skill_input_facts(gate: &'static str, surface: &str, cwd: &str, ask: &AskDetails, name: &str) -> Arc<AskFacts> {
    let items = vec![FactItem::Value { value: name.to_owned() }];
    Arc::new(AskFacts {
        gate: gate.to_owned(),
        surface: surface.to_owned(),
        direction: None,
        cwd: cwd.to_owned(),
        tool: None,
        items,
        prompt: prompt(ask),
    })
}

fn asked_facts(
    gate: &'static str,
    surface: &str,
    tool: Option<String>,
    cwd: &str,
    prompt: FactPrompt,
    mut items: Vec<FactItem>,
) -> Option<Arc<AskFacts>> {
    if items.is_empty() {
        return None;
    }
    let direction = common_direction(&mut items);
    Some(Arc::new(AskFacts {
        gate: gate.to_owned(),
        surface: surface.to_owned(),
        direction,
        cwd: cwd.to_owned(),
        tool,
        items,
        prompt,
    }))
}

fn canonical_directory(facts: &CallFacts) -> &str {
    if facts.canonical_cwd.is_empty() { &facts.cwd } else { &facts.canonical_cwd }
}

fn prompt(ask: &AskDetails) -> FactPrompt {
    FactPrompt {
        command: None,
        path: ask.path.clone(),
        target: ask.target.clone(),
        skill_name: ask.skill_name.clone(),
        tool_input_preview: ask.tool_input_preview.clone(),
        full_message: ask.full_message.clone(),
    }
}

/// Takes the direction that all paths share out of them; where they differ it is both, and those of one direction keep theirs.
fn common_direction(items: &mut [FactItem]) -> Option<Direction> {
    let mut own = items.iter().filter_map(|item| match item {
        FactItem::Path { direction, .. } => *direction,
        FactItem::Unit { .. } | FactItem::Mcp { .. } | FactItem::Value { .. } => None,
    });
    let first = own.next()?;
    let common = if own.all(|direction| direction == first) { first } else { Direction::Both };
    for item in items {
        if let FactItem::Path { direction, .. } = item
            && *direction == Some(common)
        {
            *direction = None;
        }
    }
    Some(common)
}

/// A path as its question named it.
pub(crate) fn path_item(question: &Question, path: &AccessPath) -> FactItem {
    // A lone star stands in place of the first two values (PATH-020).
    let star = path.values.first().is_some_and(|value| value == "*");
    let mut floors: Vec<FactFloor> = question.floors.iter().map(fact_floor).collect();
    if question.protected {
        floors.push(FactFloor { kind: FloorKind::ProtectedPath, options: Vec::new() });
    }
    FactItem::Path {
        typed: path.typed.clone(),
        lexical: if star { "*".to_owned() } else { path.lexical.clone() },
        relative: path.relative.clone().filter(|_| !star),
        canonical: path.canonical.clone(),
        spellings: spellings(question),
        unknown_place: question.unknown_place,
        direction: question.direction,
        floors,
    }
}

/// A unit of a command as its question named it.
pub(crate) fn unit_item(question: &Question) -> FactItem {
    FactItem::Unit {
        text: question.values.first().cloned().unwrap_or_default(),
        spellings: spellings(question),
        context: question.command_context,
        floors: question.floors.iter().map(fact_floor).collect(),
    }
}

/// An MCP call as its question named it.
pub(crate) fn mcp_item(question: &Question) -> FactItem {
    FactItem::Mcp {
        candidates: question.values.clone(),
        spellings: spellings(question),
        grant_name: question.grant_values.as_ref().and_then(|names| names.first()).cloned(),
        own_tool: question.also.first().map(|(tool, _)| tool.clone()),
    }
}

/// A plain value; `*` stands for the tool as a whole.
pub(crate) fn value_item(question: &Question) -> FactItem {
    FactItem::Value { value: question.values.first().cloned().unwrap_or_else(|| "*".to_owned()) }
}

fn spellings(question: &Question) -> Vec<String> {
    question.further.iter().map(|(text, _)| text.clone()).collect()
}

fn fact_floor(floor: &Floor) -> FactFloor {
    let options = match &floor.lift {
        GrantLift::Spelling(options) => options.clone(),
        GrantLift::Any | GrantLift::WholeText(_) | GrantLift::Never => Vec::new(),
    };
    FactFloor { kind: floor.kind, options }
}

#[cfg(test)]
mod tests;
