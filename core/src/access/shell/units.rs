//! Small questions about units and the text around them.

use super::program::{GrantWidth, ShellUnit};
use super::tree::{Arena, Kind, NodeId};
use super::word::slice;
use crate::policy::UnitContext;

/// A unit with nothing special about it.
pub(crate) fn plain(
    text: String,
    start: usize,
    context: Option<UnitContext>,
    by: Option<&'static str>,
    restrict_only: bool,
) -> ShellUnit {
    ShellUnit {
        text,
        spellings: Vec::new(),
        context,
        wrapper: None,
        floors: Vec::new(),
        restrict_only,
        introduced_by: by,
        grant: GrantWidth::Prefix,
        start,
    }
}

/// An ERROR or MISSING node is a direct part of this container.
pub(crate) fn has_direct_error(arena: &Arena, node: NodeId) -> bool {
    arena.children(node).any(|child| {
        let at = arena.get(child);
        at.kind == Kind::Error || at.missing || at.kind == Kind::Command && at.start == at.end
    })
}

/// HARD-004: whether recovery dropped text, so that no token of the tree covers it. Blanks, line continuations, gaps inside
/// strings (TOK-005) and here-document bodies are no loss.
pub(crate) fn lost_text(text: &str, arena: &Arena) -> bool {
    let mut done = 0usize;
    arena.preorder().any(|(node, is_leaf)| {
        let (start, end) = (node.start as usize, node.end as usize);
        let covers = is_leaf || matches!(node.kind, Kind::Str | Kind::HeredocBody);
        if !covers {
            return false;
        }
        let lost = start > done && !is_blank(slice(text, done, start));
        done = done.max(end);
        lost
    }) || !is_blank(slice(text, done, text.len()))
}

/// What the shell itself takes for nothing between two words. The grammar skips more (every Unicode blank, vertical tabs),
/// and may then see a comment where the shell sees a word.
fn is_blank(gap: &str) -> bool {
    if gap.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n')) {
        return true;
    }
    let gap = gap.replace("\\\n", "").replace("\r\n", "\n");
    gap.chars().all(|c| matches!(c, ' ' | '\t' | '\n'))
}

/// A here-document whose delimiter is quoted: the shell takes its body as it stands.
pub(crate) fn is_literal_heredoc(text: &str, arena: &Arena, heredoc: NodeId) -> bool {
    arena.children(heredoc).find(|child| arena.kind(*child) == Kind::HeredocStart).is_some_and(|start| {
        let at = arena.get(start);
        slice(text, at.start as usize, at.end as usize).contains(['\'', '"', '\\'])
    })
}

/// The body of a here-document, leading tabs dropped after `<<-`.
pub(crate) fn heredoc_body(text: &str, arena: &Arena, heredoc: NodeId) -> Option<(String, usize)> {
    let body = arena.children(heredoc).find(|child| arena.kind(*child) == Kind::HeredocBody)?;
    let at = arena.get(body);
    let raw = slice(text, at.start as usize, at.end as usize);
    let dashed = arena.children(heredoc).any(|child| arena.kind(child) == Kind::HeredocArrowDash);
    let body = if dashed {
        raw.lines().map(|line| line.trim_start_matches('\t')).collect::<Vec<_>>().join("\n")
    } else {
        raw.to_owned()
    };
    Some((body, at.start as usize))
}

/// Command substitutions in a here-document's body that the grammar took for text: where each begins and ends.
pub(crate) fn unseen_substitutions(text: &str, arena: &Arena, body: NodeId) -> Vec<(usize, usize)> {
    let at = arena.get(body);
    let (start, end) = (at.start as usize, at.end as usize);
    let seen: Vec<(usize, usize)> = arena
        .named_children(body)
        .filter(|child| arena.kind(*child) != Kind::HeredocContent)
        .map(|child| (arena.get(child).start as usize, arena.get(child).end as usize))
        .collect();
    let mut out = Vec::new();
    let mut done = start;
    for (offset, _) in slice(text, start, end).match_indices("$(") {
        let from = start + offset;
        let escaped = slice(text, start, from).bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
        if from < done || escaped || seen.iter().any(|(first, last)| *first <= from && from < *last) {
            continue;
        }
        done = closing(text, from + 1, end);
        out.push((from, done));
    }
    out
}

/// The end of the parenthesis that opens here; the end of the text when none closes it.
fn closing(text: &str, open: usize, end: usize) -> usize {
    let mut depth = 0usize;
    for (at, byte) in slice(text, open, end).bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return open + at + 1;
                }
            }
            _ => {}
        }
    }
    end
}
