//! What a computed command word may turn out to be (HARD-060), as far as the command itself tells: earlier literal assignments,
//! brace lists, the blank that `$IFS` stands for, the value that an expansion falls back on, and nothing. For restriction only; the word stays computed.

use super::super::command::Simple;
use super::super::expand;
use super::super::walk::Walk;
use super::super::word::{Piece, Word, slice, variable_name};
use super::payload::Payload;

/// Values of one variable that are looked at.
const MAX_VALUES: usize = 8;

/// A single variable in the command's place: its earlier values, as further spellings.
pub(super) fn spellings(walk: &Walk<'_>, command: &Simple<'_>) -> Vec<(String, &'static str)> {
    let Some((head, args)) = command.words.split_first() else { return Vec::new() };
    let mut pieces = head.pieces.iter().filter(|piece| !is_empty(piece));
    let (Some(Piece::Variable { typed, .. }), None) = (pieces.next(), pieces.next()) else { return Vec::new() };
    let rest: String = args.iter().map(|word| format!(" {}", word.value())).collect();
    values(walk, typed).map(|value| (format!("{value}{rest}"), "HARD-060")).collect()
}

/// The command as a program text with its first word worked out, where it may be more than one word or carry a path.
pub(super) fn payloads(walk: &Walk<'_>, command: &Simple<'_>) -> Vec<Payload> {
    let Some(head) = command.words.first().filter(|head| head.is_computed() || head.has_braces()) else { return Vec::new() };
    let mut texts = Vec::new();
    if head.has_braces() && !head.is_computed() {
        texts.extend(expand::braces(head).filter(|words| words.len() > 1).map(|words| words.join(" ")));
    }
    if head.is_computed() {
        texts.extend(substituted(walk, head));
    }
    let after = command.offsets.get(1).copied().unwrap_or(command.text.len());
    let rest = slice(&command.text, after, command.text.len());
    texts
        .into_iter()
        .map(|text| Payload { text: format!("{text} {rest}"), start: head.start, by: "HARD-060", expression: false })
        .collect()
}

/// The word with each expansion replaced by a value that it may have. Nothing where one of them runs a program.
fn substituted(walk: &Walk<'_>, head: &Word<'_>) -> Vec<String> {
    let mut texts = vec![String::new()];
    for piece in &head.pieces {
        let values: Vec<&str> = match piece {
            Piece::Text { text, .. } => {
                texts.iter_mut().for_each(|known| known.push_str(text));
                continue;
            }
            Piece::Variable { typed: "$IFS" | "${IFS}", quoted: false } => vec![" "],
            // A name that nobody gave a value stands for nothing: `r${x}m`.
            Piece::Variable { typed, .. } => values(walk, typed).chain(std::iter::once("")).collect(),
            Piece::Computed { typed, quoted } => match computed(typed, *quoted) {
                Some(value) => vec![value],
                None => return Vec::new(),
            },
        };
        texts = texts.iter().flat_map(|known| values.iter().map(move |value| format!("{known}{value}"))).collect();
        texts.truncate(MAX_VALUES);
    }
    texts
}

/// What an expansion that is no plain name may stand for: `${x:-rm}`, `${IFS%?}`, `${x#y}`.
fn computed(typed: &str, quoted: bool) -> Option<&str> {
    let inner = typed.strip_prefix("${")?.strip_suffix('}')?;
    let name = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inner.len());
    let (name, rest) = inner.split_at_checked(name)?;
    if name == "IFS" {
        return Some(if quoted { "" } else { " " });
    }
    let fallback = [":-", "-", ":=", "="].iter().find_map(|sign| rest.strip_prefix(sign));
    let value = fallback.unwrap_or_default();
    (!value.contains(['$', '`'])).then_some(value)
}

fn values<'v>(walk: &'v Walk<'_>, typed: &str) -> impl Iterator<Item = &'v str> {
    let name = variable_name(typed).unwrap_or_default().to_owned();
    walk.variables.iter().filter(move |(known, _)| *known == name).map(|(_, value)| value.as_str()).take(MAX_VALUES)
}

fn is_empty(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Text { text, .. } if text.is_empty())
}
