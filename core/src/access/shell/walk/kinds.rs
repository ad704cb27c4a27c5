//! Small questions to the grammar: which nodes are statements, redirections, operands.

use smallvec::SmallVec;

use super::super::command;
use super::super::tree::{Arena, Kind, NodeId};
use super::super::word::slice;

/// Body and redirections of a redirected statement.
pub(super) fn split_redirected(arena: &Arena, node: NodeId) -> (Option<NodeId>, Vec<NodeId>) {
    let mut body = None;
    let mut redirects = Vec::new();
    for child in arena.named_children(node) {
        match arena.kind(child) {
            kind if is_redirect(kind) => redirects.push(child),
            Kind::Comment => {}
            _ => body = body.or(Some(child)),
        }
    }
    (body, redirects)
}

pub(super) fn assignment_nodes(arena: &Arena, node: NodeId) -> Vec<NodeId> {
    if arena.kind(node) == Kind::Assignment { vec![node] } else { arena.named_children(node).collect() }
}

pub(super) fn is_list(arena: &Arena, node: NodeId) -> bool {
    let mut node = node;
    loop {
        match arena.kind(node) {
            Kind::List => return true,
            Kind::RedirectedStatement => match split_redirected(arena, node).0 {
                Some(body) => node = body,
                None => return false,
            },
            _ => return false,
        }
    }
}

pub(super) fn is_piped_on(arena: &Arena, redirect: NodeId) -> bool {
    arena.kind(redirect) == Kind::HeredocRedirect && arena.children(redirect).any(|child| arena.kind(child) == Kind::Pipeline)
}

pub(super) fn is_redirect(kind: Kind) -> bool {
    matches!(kind, Kind::FileRedirect | Kind::HeredocRedirect | Kind::HerestringRedirect)
}

/// The kinds of a statement.
pub(super) fn is_statement(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::List
            | Kind::Pipeline
            | Kind::RedirectedStatement
            | Kind::Command
            | Kind::Subshell
            | Kind::Compound
            | Kind::If
            | Kind::While
            | Kind::For
            | Kind::CFor
            | Kind::Case
            | Kind::Function
            | Kind::Negated
            | Kind::Test
            | Kind::Declaration
            | Kind::Unset
            | Kind::Assignment
            | Kind::Assignments
            | Kind::Error
    )
}

/// Words of a `for` list and the subject of a `case`; loop names, arm patterns and function names are none (HARD-021).
pub(super) fn is_operand(arena: &Arena, node: NodeId) -> bool {
    match arena.parent(node).map(|parent| arena.kind(parent)) {
        Some(Kind::For) => true,
        Some(Kind::Case) => arena.parent(node).is_some_and(|case| {
            arena.named_children(case).find(|child| arena.kind(*child) != Kind::Comment).is_some_and(|first| first == node)
        }),
        _ => false,
    }
}

/// The words of a test command.
pub(super) fn operands_below(arena: &Arena, node: NodeId) -> SmallVec<[NodeId; 8]> {
    let mut out = SmallVec::new();
    let mut stack: SmallVec<[NodeId; 16]> = smallvec::smallvec![node];
    while let Some(id) = stack.pop() {
        let kind = arena.kind(id);
        if id != node && command::is_literal(kind) {
            out.push(id);
            continue;
        }
        let mark = stack.len();
        stack.extend(arena.children(id));
        if let Some(rest) = stack.get_mut(mark..) {
            rest.reverse();
        }
    }
    out
}

/// A node in which nothing can be executed: none of its tokens is one that could host an execution, and its text holds no sign
/// that begins one.
pub(super) fn is_still(text: &str, arena: &Arena, node: NodeId) -> bool {
    let hosts = |kind| matches!(kind, Kind::CommandSubstitution | Kind::ProcessSubstitution | Kind::Regex | Kind::ExtglobPattern);
    let at = arena.get(node);
    let leaf = |id| !hosts(arena.kind(id)) && arena.is_leaf(id);
    !hosts(at.kind) && arena.children(node).all(leaf) && !begins_execution(slice(text, at.start as usize, at.end as usize))
}

/// Whether a sign stands there that begins an execution.
pub(super) fn begins_execution(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'$' | b'`'))
        && (text.contains('`')
            || text.contains("$(")
            || text.contains("$\\")
            || text.contains("${") && (text.contains("<(") || text.contains(">(")))
}

/// A word in which nothing can be executed: the grammar sees no part of it that could.
pub(super) fn hosts_nothing(arena: &Arena, node: NodeId) -> bool {
    let plain = |kind| matches!(kind, Kind::Word | Kind::RawString | Kind::Number | Kind::StringContent | Kind::Quote);
    match arena.kind(node) {
        Kind::Str => arena.children(node).all(|child| plain(arena.kind(child)) && arena.is_leaf(child)),
        kind => plain(kind) && arena.is_leaf(node),
    }
}
