//! Executions in a word that the grammar took for text (HARD-004): found in the text itself, beside what the tree shows.

use super::quoting;
use super::tree::{Arena, Kind, NodeId};
use super::word::slice;

/// The programs of substitutions below this node that the tree does not show, each with the place where it starts.
pub(crate) fn executions(text: &str, arena: &Arena, root: NodeId) -> Vec<(usize, String)> {
    let known = known(text, arena, root);
    let expansions = expansions(arena, root);
    let expands = |at: usize| {
        let behind = expansions.partition_point(|(start, _)| *start <= at);
        behind.checked_sub(1).and_then(|last| expansions.get(last)).is_some_and(|(_, stop)| at < *stop)
    };
    let mut out = Vec::new();
    let (mut at, end) = (arena.get(root).start as usize, arena.get(root).end as usize);
    let mut ranges = known.into_iter().peekable();
    while at < end {
        while ranges.next_if(|(_, stop)| *stop <= at).is_some() {}
        if let Some((_, stop)) = ranges.next_if(|(start, _)| *start <= at) {
            at = stop;
            continue;
        }
        let stop = ranges.peek().map_or(end, |(start, _)| (*start).min(end));
        let free = slice(text, at, stop);
        let mut skip = 0;
        for (offset, c) in free.char_indices() {
            if offset < skip {
                continue;
            }
            match c {
                '\\' => skip = offset + 1 + free.get(offset + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8),
                '`' => {
                    let from = offset + 1;
                    let close = closing_backquote(free, from);
                    out.push((at + from, quoting::backquoted(slice(free, from, close))));
                    skip = close + 1;
                }
                '$' if opens(free, offset + 1).is_some() => {
                    let from = opens(free, offset + 1).unwrap_or(free.len());
                    let close = closing_parenthesis(free, from);
                    out.push((at + from, slice(free, from, close).to_owned()));
                    skip = from;
                }
                // In the word of an expansion the grammar knows no process substitution; the shell does, even in quotes behind `/`.
                '<' | '>' if slice(free, offset + 1, free.len()).starts_with('(') && expands(at + offset) => {
                    let from = offset + 2;
                    let close = closing_parenthesis(free, from);
                    out.push((at + from, slice(free, from, close).to_owned()));
                    skip = from;
                }
                _ => {}
            }
        }
        at = stop;
    }
    out
}

/// Where the outermost expansions in braces stand, in order and apart.
fn expansions(arena: &Arena, root: NodeId) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        let node = arena.get(id);
        if node.kind == Kind::Expansion {
            out.push((node.start as usize, node.end as usize));
        } else {
            stack.extend(arena.children(id));
        }
    }
    out.sort_unstable();
    out
}

/// Behind a dollar sign: where the program of a substitution begins. Continued lines count for nothing.
fn opens(text: &str, from: usize) -> Option<usize> {
    let rest = slice(text, from, text.len());
    let mut behind = rest;
    while let Some(continued) = behind.strip_prefix("\\\n") {
        behind = continued;
    }
    behind.starts_with('(').then(|| from + rest.len() - behind.len() + 1)
}

/// What the tree shows or protects, in order and apart.
fn known(text: &str, arena: &Arena, root: NodeId) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((id, loose)) = stack.pop() {
        let node = arena.get(id);
        // Single quotes protect nothing inside double ones, in an arithmetic expression, in a subscript.
        let loosens = matches!(node.kind, Kind::Str | Kind::HeredocBody | Kind::ArithmeticExpansion | Kind::Subscript);
        let loose = loose || loosens || is_arithmetic_command(arena, id);
        let covers = match node.kind {
            Kind::RawString | Kind::AnsiCString => !loose,
            // The grammar takes two that stand side by side for one.
            Kind::CommandSubstitution if is_double(slice(text, node.start as usize, node.end as usize)) => continue,
            // The shell takes this for arithmetic first; inside of arithmetic the grammar takes it for a program in parentheses.
            Kind::CommandSubstitution if slice(text, node.start as usize, node.end as usize).starts_with("$((") => continue,
            Kind::CommandSubstitution | Kind::ProcessSubstitution | Kind::Comment | Kind::Regex | Kind::ExtglobPattern => true,
            _ => false,
        };
        if covers {
            out.push((node.start as usize, node.end as usize));
            continue;
        }
        if node.kind == Kind::ArithmeticExpansion {
            // Its own sign begins no substitution.
            out.push((node.start as usize, (node.start as usize + 3).min(node.end as usize)));
        }
        let mark = stack.len();
        stack.extend(arena.children(id).map(|child| (child, loose)));
        if let Some(rest) = stack.get_mut(mark..) {
            rest.reverse();
        }
    }
    out
}

/// Two substitutions in backquotes.
fn is_double(text: &str) -> bool {
    text.starts_with('`') && closing_backquote(text, 1) + 1 < text.len()
}

/// `((…))`, and what stands between the same of `for ((…))`.
fn is_arithmetic_command(arena: &Arena, id: NodeId) -> bool {
    let opens = |id| arena.children(id).next().is_some_and(|child| arena.kind(child) == Kind::DoubleParen);
    let of_a_loop = |parent| arena.kind(parent) == Kind::CFor && !matches!(arena.kind(id), Kind::DoGroup | Kind::Compound);
    opens(id) || arena.parent(id).is_some_and(|parent| opens(parent) || of_a_loop(parent))
}

fn closing_backquote(text: &str, from: usize) -> usize {
    let mut escaped = false;
    for (at, c) in slice(text, from, text.len()).char_indices() {
        match c {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '`' => return from + at,
            _ => {}
        }
    }
    text.len()
}

fn closing_parenthesis(text: &str, from: usize) -> usize {
    let mut depth = 0usize;
    for (at, c) in slice(text, from, text.len()).char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return from + at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
