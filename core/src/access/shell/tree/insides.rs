//! What the text of a node tells of its inside, so that the parser's cursor need not go there: most commands are plain words, and
//! most strings plain text. A law holds that the grammar has the same there.

use smallvec::SmallVec;

use super::{Kind, NONE, Node, change};

/// What is known of the inside of a node without looking.
pub(super) enum Inside {
    Unknown,
    /// Nothing of interest.
    Closed,
    /// A command of these words, the first of which is its name.
    Words(KnownWords),
}

/// Words whose inside is of no interest, each a node of this kind.
pub(super) type KnownWords = SmallVec<[(Kind, u32, u32); 8]>;

/// Many nodes are commands of plain words, and plain strings: their text tells what is inside. `children` is their number.
pub(super) fn inside(text: &str, node: &Node, children: u32) -> Inside {
    let source = || text.get(node.start as usize..node.end as usize).unwrap_or_default();
    match (node.kind, children) {
        // What an expansion of a name consists of is of no interest.
        (Kind::SimpleExpansion, _) => Inside::Closed,
        (Kind::Command, _) => match known_words(source(), node.start) {
            Some(words) if words.len() == children as usize => Inside::Words(words),
            _ => Inside::Unknown,
        },
        (Kind::Str, 3) if closed_string(source().as_bytes()) == Some(source().len()) => Inside::Closed,
        _ => Inside::Unknown,
    }
}

/// The length of the string that begins here, if it is known to have three parts: the quotes and what is between them. A blank
/// in front would not be part of it (TOK-005).
fn closed_string(text: &[u8]) -> Option<usize> {
    let inner = text.strip_prefix(b"\"")?;
    let len = inner.iter().position(|byte| !is_plain(*byte) && *byte != b' ')?;
    let closed = inner.first()?.is_ascii_alphanumeric() && inner.get(len) == Some(&b'"');
    closed.then_some(len + 2)
}

/// The words of a command in which nothing stands but blanks, plain words and plain strings. `start` is where the text begins.
fn known_words(text: &str, start: u32) -> Option<KnownWords> {
    let bytes = text.as_bytes();
    let mut words = KnownWords::new();
    let mut at = 0;
    while let Some(skip) = bytes.get(at..)?.iter().position(|byte| *byte != b' ') {
        let from = at + skip;
        let rest = bytes.get(from..)?;
        let (kind, len) = known_word(rest, words.is_empty())?;
        at = from + len;
        if bytes.get(at).is_some_and(|byte| *byte != b' ') {
            return None;
        }
        words.push((kind, start + u32::try_from(from).ok()?, start + u32::try_from(at).ok()?));
    }
    Some(words)
}

/// What the grammar takes the word for that begins here, and its length.
fn known_word(text: &[u8], is_name: bool) -> Option<(Kind, usize)> {
    match text.first()? {
        b'"' if !is_name => closed_string(text).map(|len| (Kind::Str, len)),
        b'\'' if !is_name => text.iter().skip(1).position(|byte| *byte == b'\'').map(|len| (Kind::RawString, len + 2)),
        _ => {
            let len = text.iter().position(|byte| !is_plain(*byte)).unwrap_or(text.len());
            Some((plain_word(text.get(..len)?, is_name)?, len))
        }
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b',' | b':' | b'=')
}

/// What the grammar takes a plain word for.
fn plain_word(word: &[u8], is_name: bool) -> Option<Kind> {
    match word.strip_prefix(b"-").unwrap_or(word) {
        [b'a'..=b'z' | b'A'..=b'Z', ..] if !is_name => Some(Kind::Word),
        [b'a'..=b'z' | b'A'..=b'Z', rest @ ..] if !rest.iter().any(|byte| matches!(byte, b'=' | b':' | b',')) => Some(Kind::Word),
        // `0x1` may be a number, `==` an operator.
        _ if is_name => None,
        [b'0', b'x', ..] | [b'=', ..] | [] => None,
        [b'0'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => Some(Kind::Number),
        _ => Some(Kind::Word),
    }
}

/// Copies the inside of a command of known words.
pub(super) fn push_words(nodes: &mut Vec<Node>, command: u32, words: &KnownWords) {
    let mut last: Option<u32> = None;
    let spaced = words.windows(2).all(|pair| matches!(pair, [(_, _, end), (_, start, _)] if end + 1 == *start));
    change(nodes, command, |node| node.spaced = spaced);
    for (kind, start, end) in words.iter().copied() {
        let id = u32::try_from(nodes.len()).unwrap_or(NONE);
        match last {
            Some(last) => change(nodes, last, |node| node.next_sibling = id),
            None => change(nodes, command, |node| node.first_child = id),
        }
        let word = Node { kind, start, end, parent: command, ..Node::WORD };
        if last.is_none() {
            nodes.push(Node { kind: Kind::CommandName, first_child: id.saturating_add(1), ..word });
            nodes.push(Node { parent: id, ..word });
        } else {
            nodes.push(word);
        }
        last = Some(id);
    }
}
