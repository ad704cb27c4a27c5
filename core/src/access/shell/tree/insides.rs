//! What the text of a node tells of its inside, so that the parser's cursor need not go there: most commands are plain words, and
//! most strings plain text. A law holds that the grammar has the same there.

use smallvec::SmallVec;

use super::{Kind, NONE, Node, change};

/// What is known of the inside of a node without looking.
pub(super) enum Inside {
    Unknown,
    /// Nothing of interest.
    Closed,
    /// These nodes, which have no inside of interest.
    Parts(Parts),
    /// A command of these words, the first of which is its name.
    Words(KnownWords),
}

/// Nodes beside each other: the kind, whether it is a named one, the borders.
pub(super) type Parts = SmallVec<[(Kind, bool, u32, u32); 3]>;

/// Words whose inside is of no interest, each a node of this kind.
pub(super) type KnownWords = SmallVec<[(Kind, u32, u32); 8]>;

/// Many nodes are commands of plain words, plain strings and plain redirections: their text tells what is inside. `children` is
/// the number of theirs.
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
        (Kind::Str, 3) if variable_string(source().as_bytes()) == Some(source().len()) => {
            Inside::Parts(variable_parts(node.start, node.end))
        }
        (Kind::FileRedirect, 2 | 3) => match redirect_parts(source().as_bytes(), node.start) {
            Some(parts) if parts.len() == children as usize => Inside::Parts(parts),
            _ => Inside::Unknown,
        },
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

/// The length of the string that begins here, if it is an expansion of a name in quotes.
fn variable_string(text: &[u8]) -> Option<usize> {
    let name = text.strip_prefix(b"\"$")?;
    let len = name.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let closed = !name.first()?.is_ascii_digit() && len > 0 && name.get(len) == Some(&b'"');
    closed.then_some(len + 3)
}

fn variable_parts(start: u32, end: u32) -> Parts {
    let (from, to) = (start.saturating_add(1), end.saturating_sub(1));
    let quote = |from, to| (Kind::Quote, false, from, to);
    smallvec::smallvec![quote(start, from), (Kind::SimpleExpansion, true, from, to), quote(to, end)]
}

/// The parts of a redirection to a plain word, or of a copied descriptor.
fn redirect_parts(text: &[u8], start: u32) -> Option<Parts> {
    let mut parts = Parts::new();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = text.get(digits..)?;
    let (operator, sign) = match rest {
        [b'>', b'>', ..] => (Kind::GreaterGreater, 2),
        [b'>', b'&', b'0'..=b'9', ..] => (Kind::GreaterAmp, 2),
        [b'>', b'&' | b'|', ..] | [b'<', b'<' | b'&' | b'>' | b'(', ..] => return None,
        [b'>', ..] => (Kind::Greater, 1),
        [b'<', ..] => (Kind::Less, 1),
        _ => return None,
    };
    let blank = usize::from(operator != Kind::GreaterAmp && rest.get(sign) == Some(&b' '));
    let word = rest.get(sign + blank..)?;
    let kind = word.iter().all(|byte| is_plain(*byte)).then(|| plain_word(word, false)).flatten()?;
    let mut at = start;
    for (kind, named, gap, len) in
        [(Kind::FileDescriptor, true, 0, digits), (operator, false, 0, sign), (kind, true, blank, word.len())]
    {
        let from = at + u32::try_from(gap).ok()?;
        at = from + u32::try_from(len).ok()?;
        if len > 0 {
            parts.push((kind, named, from, at));
        }
    }
    Some(parts)
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
        b'"' if !is_name => closed_string(text).or_else(|| variable_string(text)).map(|len| (Kind::Str, len)),
        b'\'' if !is_name => raw_string(text).map(|len| (Kind::RawString, len)),
        _ => {
            let len = text.iter().position(|byte| !is_plain(*byte)).unwrap_or(text.len());
            Some((plain_word(text.get(..len)?, is_name)?, len))
        }
    }
}

/// The length of the string in single quotes that begins here. At a NUL the grammar may see the end of the text.
fn raw_string(text: &[u8]) -> Option<usize> {
    let len = text.iter().skip(1).position(|byte| matches!(byte, b'\'' | 0))?;
    (text.get(len + 1) == Some(&b'\'')).then_some(len + 2)
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

/// Copies the inside of a node.
pub(super) fn push_parts(nodes: &mut Vec<Node>, parent: u32, parts: impl IntoIterator<Item = (Kind, bool, u32, u32)>) {
    let mut last = None;
    for (kind, named, start, end) in parts {
        let id = u32::try_from(nodes.len()).unwrap_or(NONE);
        link(nodes, parent, last, id);
        nodes.push(Node { kind, named, start, end, parent, ..Node::WORD });
        last = Some(id);
    }
}

/// Copies the inside of a command of known words.
pub(super) fn push_words(text: &str, nodes: &mut Vec<Node>, command: u32, words: &KnownWords) {
    let spaced = words.windows(2).all(|pair| matches!(pair, [(_, _, end), (_, start, _)] if end + 1 == *start));
    change(nodes, command, |node| node.spaced = spaced);
    let mut last = None;
    for (kind, start, end) in words.iter().copied() {
        let id = u32::try_from(nodes.len()).unwrap_or(NONE);
        link(nodes, command, last, id);
        let is_name = last.is_none();
        let kind_here = if is_name { Kind::CommandName } else { kind };
        nodes.push(Node { kind: kind_here, start, end, parent: command, ..Node::WORD });
        if is_name {
            push_parts(nodes, id, [(kind, true, start, end)]);
        } else if kind == Kind::Str && text.as_bytes().get(start as usize + 1) == Some(&b'$') {
            push_parts(nodes, id, variable_parts(start, end));
        }
        last = Some(id);
    }
}

/// Links a node to the one before it, or to its parent.
fn link(nodes: &mut [Node], parent: u32, last: Option<u32>, id: u32) {
    match last {
        Some(last) => change(nodes, last, |node| node.next_sibling = id),
        None => change(nodes, parent, |node| node.first_child = id),
    }
}
