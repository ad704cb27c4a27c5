//! Whether the grammar took a here-document for what the shell takes it for (HARD-004).
//!
//! The grammar's hand-written part reads delimiters in its own way: it keeps quotes behind the first letter (`E"O"F`), knows
//! no letter beyond ASCII, forgets very long ones, takes a line that only begins with the delimiter for the end, and the
//! second of two documents for the first. Then commands hide in what it takes for data, or data opens a quote that swallows
//! commands. Here each document is measured by the shell's own rules; where the two disagree nobody may rely on the tree, and
//! what stands around the documents is given back as a text of its own, to be read again.

use super::tree::{Arena, Kind, NodeId};
use super::word::slice;

/// Delimiters longer than this are not compared: the grammar forgets them.
const MAX_DELIMITER: usize = 200;

/// A delimiter as the shell reads it.
struct Delimiter {
    value: String,
    end: usize,
    /// Written so that no reader can differ about it.
    plain: bool,
}

/// The text without its here-documents, when the tree is not what the shell makes of them.
pub(crate) fn misread(text: &str, arena: &Arena) -> Option<String> {
    if !text.contains("<<") {
        return None;
    }
    let arrows: Vec<NodeId> =
        arena.ids().filter(|id| matches!(arena.kind(*id), Kind::HeredocArrow | Kind::HeredocArrowDash)).collect();
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let mut wrong = false;
    let mut done = 0;
    for arrow in &arrows {
        let start = arena.get(*arrow).start as usize;
        let inside = start < done || cuts.iter().any(|(from, to)| *from <= start && start < *to);
        if inside || !arena.parent(*arrow).is_some_and(|parent| announces(arena, parent)) {
            continue;
        }
        let first = delimiter(text, operator_end(text, start));
        let line = line_end(text, first.end);
        wrong |= line.odd;
        // The documents of one line stand one behind the other.
        let mut body = (line.end + 1).min(text.len());
        for start in std::iter::once(start).chain(line.further) {
            let delimiter = delimiter(text, operator_end(text, start));
            let dashed = slice(text, start, text.len()).starts_with("<<-");
            // To some shells `$'E'` is `E`, to others `$E`: the earlier end shows more.
            let readings = [delimiter.value.clone(), delimiter.value.replacen('$', "", 1)];
            let closing = readings.iter().filter_map(|value| closing(text, body, value, dashed)).min();
            let arrow = arrows.iter().find(|arrow| arena.get(**arrow).start as usize == start);
            let heredoc =
                arrow.and_then(|arrow| arena.parent(*arrow)).filter(|parent| arena.kind(*parent) == Kind::HeredocRedirect);
            wrong |= !delimiter.plain || !heredoc.is_some_and(|heredoc| agrees(text, arena, heredoc, body, closing));
            let next = closing.map_or(text.len(), |(_, _, next)| next);
            cuts.extend([(start, delimiter.end), (body, next)]);
            body = next;
        }
        done = line.end;
    }
    wrong.then(|| without(text, cuts))
}

fn announces(arena: &Arena, node: NodeId) -> bool {
    matches!(arena.kind(node), Kind::HeredocRedirect | Kind::Error)
}

/// Where the operator ends that stands here.
fn operator_end(text: &str, start: usize) -> usize {
    start + if slice(text, start, text.len()).starts_with("<<-") { 3 } else { 2 }
}

/// The rest of the line on which a document is announced.
struct Line {
    end: usize,
    /// Operators of further documents.
    further: Vec<usize>,
    /// Something stands there that the grammar is known to misread: a separator, a parenthesis, a line break in quotes.
    odd: bool,
}

/// Whether the grammar's document begins and ends where the shell's does.
fn agrees(text: &str, arena: &Arena, heredoc: NodeId, body: usize, closing: Option<(usize, usize, usize)>) -> bool {
    let child = |kind| arena.children(heredoc).find(|child| arena.kind(*child) == kind).map(|child| arena.get(child));
    let begins = child(Kind::HeredocBody).is_none_or(|node| {
        let start = node.start as usize;
        // It leaves blanks out at the beginning.
        start + 1 == body || start >= body && slice(text, body, start).trim().is_empty()
    });
    let ends = match (child(Kind::HeredocEnd), closing) {
        (Some(node), Some((start, stop, _))) => node.start as usize == start && node.end as usize == stop,
        (found, closing) => found.is_none() && closing.is_none(),
    };
    begins && ends
}

/// The line that ends a document which begins here: where the delimiter begins and ends, and where the next line begins.
fn closing(text: &str, body: usize, delimiter: &str, dashed: bool) -> Option<(usize, usize, usize)> {
    let mut start = body;
    for line in slice(text, body, text.len()).split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let tabs = if dashed { bare.len() - bare.trim_start_matches('\t').len() } else { 0 };
        if bare.get(tabs..) == Some(delimiter) {
            return Some((start + tabs, start + bare.len(), start + line.len()));
        }
        start += line.len();
    }
    None
}

/// The word behind an operator, quotes taken off as the shell does it.
fn delimiter(text: &str, from: usize) -> Delimiter {
    let rest = slice(text, from, text.len());
    let word = rest.trim_start_matches([' ', '\t']);
    let begin = text.len() - word.len();
    let mut value = String::new();
    let mut quote: Option<char> = None;
    let (mut quotes, mut odd, mut end) = (0usize, false, text.len());
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (None, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')') => {
                end = begin + at;
                break;
            }
            (None, '\'' | '"') => {
                quotes += 1;
                odd |= at > 0;
                quote = Some(c);
            }
            (Some(open), _) if c == open => {
                quote = None;
                // Nothing may stand behind the quotes.
                odd |=
                    chars.peek().is_some_and(|(_, next)| !matches!(next, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | ')'));
            }
            (Some('\''), _) => value.push(c),
            (_, '\\') => {
                quotes += 1;
                odd |= at > 0 || quote.is_some();
                match chars.next() {
                    Some((_, '\n')) => odd = true,
                    Some((_, next)) => value.push(next),
                    None => odd = true,
                }
            }
            _ => {
                odd |= matches!(c, '$' | '`');
                value.push(c);
            }
        }
    }
    let usual = |c: char| c.is_ascii_graphic() || c == ' ';
    let plain =
        !odd && quotes < 2 && quote.is_none() && !value.is_empty() && value.len() <= MAX_DELIMITER && value.chars().all(usual);
    Delimiter { value, end, plain }
}

/// Reads the line behind the word of a document.
fn line_end(text: &str, from: usize) -> Line {
    let mut line = Line { end: text.len(), further: Vec::new(), odd: false };
    let mut quote: Option<char> = None;
    let mut last = ' ';
    let mut chars = slice(text, from, text.len()).char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match (quote, c) {
            (None, '\n') => {
                line.end = from + at;
                return line;
            }
            (None, '#') if matches!(last, ' ' | '\t') => {
                let rest = slice(text, from + at, text.len());
                line.end = from + at + rest.find('\n').unwrap_or(rest.len());
                return line;
            }
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            (Some(_), '\n') => line.odd = true,
            (None | Some('"'), '\\') => {
                chars.next();
            }
            (None, '<') if next == Some('<') => {
                chars.next();
                match chars.peek() {
                    Some((_, '<')) => {
                        chars.next();
                    }
                    _ => line.further.push(from + at),
                }
            }
            (None, ';' | '(' | ')' | '`') => line.odd = true,
            (None, '&') => line.odd |= !matches!(last, '&' | '>' | '<' | '|') && !matches!(next, Some('&' | '>')),
            _ => {}
        }
        last = c;
    }
    line
}

/// The text without these parts. Where an operator stood a blank remains, so that no two words become one.
fn without(text: &str, mut cuts: Vec<(usize, usize)>) -> String {
    cuts.sort_unstable();
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (from, to) in cuts {
        if from > done {
            out.push_str(slice(text, done, from));
            if !out.ends_with('\n') {
                out.push(' ');
            }
        }
        done = done.max(to);
    }
    out.push_str(slice(text, done, text.len()));
    out
}

#[cfg(test)]
mod tests;
