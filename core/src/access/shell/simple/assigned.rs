//! Assignments: which of them may load code (HARD-059), and what a literal one says of a later command word (HARD-060).

use std::borrow::Cow;

use super::super::command::{self, Simple};
use super::super::loaders;
use super::super::tree::{Kind, NodeId};
use super::super::walk::{self, Ctx, Walk};
use super::super::word::{Word, slice};
use super::super::wrappers::base_name;

/// HARD-059: an operand of a wrapper (`env`, `sudo`) that sets a loader variable.
pub(super) fn env_loads(command: &Simple<'_>) -> bool {
    let Some(name) = command.words.first().and_then(Word::literal) else { return false };
    base_name(&name) != "xargs"
        && command.words.iter().skip(1).any(|word| {
            let value = word.value();
            let literal = word.literal();
            value.split_once('=').is_some_and(|(name, _)| {
                loaders::is_loader(name, literal.as_deref().and_then(|text| text.split_once('=')).map(|(_, value)| value))
            })
        })
}

/// The assignments before a command, or alone. Says whether one of them may load code; standing alone it then holds for all
/// that follows.
pub(crate) fn assignments(walk: &mut Walk<'_>, ctx: &Ctx, nodes: &[NodeId], command: Option<&str>) -> bool {
    let mut loads = false;
    let arena = &ctx.source.arena;
    for node in nodes {
        let mut children = arena.named_children(*node);
        let Some(name) = children.next() else { continue };
        let at = arena.get(name);
        let name = slice(&ctx.source.text, at.start as usize, at.end as usize);
        let value = children.next().map(|value| walk::read_word(ctx, value));
        let literal = match &value {
            Some(word) => word.literal(),
            None => Some(Cow::Borrowed("")),
        };
        let alone = matches!(arena.parent(*node).map(|parent| arena.kind(parent)), Some(kind) if kind != Kind::Command);
        let splits = !alone && command.is_some_and(|command| loaders::only_splits(name, command));
        loads |= !splits && loaders::is_loader(name, literal.as_deref());
        if alone && loads {
            walk.loader = true;
        }
        if let Some(literal) = literal.filter(|_| alone) {
            remember(walk, name, literal.into_owned());
        }
    }
    loads
}

/// Values that are remembered for HARD-060; a loop over many words leaves room for what is assigned behind it.
const MAX_REMEMBERED: usize = 1_000;

fn remember(walk: &mut Walk<'_>, name: &str, value: String) {
    if walk.variables.len() < MAX_REMEMBERED {
        walk.variables.push((name.to_owned(), value));
    }
}

/// The literal words that a loop gives to its name, one after the other (HARD-060).
pub(crate) fn loop_values(walk: &mut Walk<'_>, ctx: &Ctx, node: NodeId) {
    let arena = &ctx.source.arena;
    let mut children = arena.named_children(node);
    let Some(name) = children.find(|child| arena.kind(*child) == Kind::VariableName) else { return };
    let at = arena.get(name);
    let name = slice(&ctx.source.text, at.start as usize, at.end as usize);
    for child in children.filter(|child| command::is_literal(arena.kind(*child))) {
        let word = walk::read_word(ctx, child);
        if let Some(value) = word.literal() {
            remember(walk, name, value.into_owned());
        }
    }
}

/// `export`, `declare` and their kin (HARD-059).
pub(crate) fn declaration(walk: &mut Walk<'_>, ctx: &Ctx, node: NodeId) {
    let arena = &ctx.source.arena;
    let nodes: Vec<NodeId> = arena.named_children(node).filter(|child| arena.kind(*child) == Kind::Assignment).collect();
    if assignments(walk, ctx, &nodes, None) {
        walk.loader = true;
    }
    // `export "LD_PRELOAD=x"` is a word to the grammar.
    for child in arena.named_children(node).filter(|child| command::is_literal(arena.kind(*child))) {
        let word = walk::read_word(ctx, child);
        if word.value().split_once('=').is_some_and(|(name, value)| loaders::is_loader(name, Some(value))) {
            walk.loader = true;
        }
    }
}
