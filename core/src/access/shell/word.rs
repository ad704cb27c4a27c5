//! One shell word: its text as typed, the package's token of it, and what the shell makes of it as far as text can tell.
//!
//! Decides no meaning: whether a word is a path, an option or a program is for others to say.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::marks::Marks;
use super::quoting;
use super::tree::{Arena, Kind, NodeId, plain_string};

/// A part of a word after quote removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Known text.
    Text {
        /// After quote removal.
        text: Cow<'t, str>,
        /// Whether quotes or a backslash protect it.
        quoted: bool,
    },
    /// `$NAME` or `${NAME}`.
    Variable {
        /// The text as typed.
        typed: &'t str,
        /// Whether it stands in double quotes.
        quoted: bool,
    },
    /// Anything else that only the shell can tell.
    Computed {
        /// The text as typed.
        typed: &'t str,
        /// Whether it stands in double quotes.
        quoted: bool,
    },
}

/// How the grammar types the word as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// `word`, `concatenation`, `string`, `raw_string`: the package's *argument kinds* (TOK-001).
    Argument,
    /// A `number`.
    Number,
    /// Everything else.
    Other,
}

/// The parts of a word; most words have one.
pub(crate) type Pieces<'t> = SmallVec<[Piece<'t>; 1]>;

/// One word. It borrows from the text that it stands in: most words are looked at and forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: WordKind,
    /// As typed.
    pub(crate) raw: Cow<'t, str>,
    /// The package's token text (TOK-004), for argument kinds and translated strings.
    pub(crate) token: Option<Cow<'t, str>>,
    pub(crate) pieces: Pieces<'t>,
    /// The nodes it is made of, for the executions hosted in it.
    pub(crate) nodes: SmallVec<[NodeId; 1]>,
    /// The requirement that gave it back to its command, when the package lists it nowhere (HARD-003).
    pub(crate) moved_by: Option<&'static str>,
    /// Whether the node is a plain `word` (TOK-014 tells plain flags from quoted ones).
    pub(crate) plain: bool,
    /// The signs in it, when it is typed without any quoting; else all.
    pub(crate) marks: Marks,
}

impl<'t> Word<'t> {
    /// The value after quote removal, when the shell computes nothing of it.
    pub(crate) fn literal(&self) -> Option<Cow<'_, str>> {
        (!self.is_computed()).then(|| self.value())
    }

    /// Whether it is typed as the shell has it: no quotes, nothing computed, no home form. Its value, and its token if it has one,
    /// is the text as typed.
    pub(crate) fn is_bare(&self) -> bool {
        !self.marks.has(Marks::OTHER)
    }

    /// Whether it is a name alone: bare, and no sign in it that could make a path, an option or a list of it.
    pub(crate) fn is_name(&self) -> bool {
        const SIGNS: Marks =
            Marks::SLASH.and(Marks::DOT).and(Marks::EQUALS).and(Marks::COLON).and(Marks::BRACE).and(Marks::OTHER);
        !self.marks.has(SIGNS) && !self.raw.starts_with('-')
    }

    /// Whether it is bare, with the signs of a path at most: no option, assignment, URL or list.
    pub(crate) fn is_plain_path(&self) -> bool {
        const SIGNS: Marks = Marks::EQUALS.and(Marks::COLON).and(Marks::BRACE).and(Marks::OTHER);
        !self.marks.has(SIGNS) && !self.raw.starts_with('-')
    }

    /// The value after quote removal, computed parts as typed.
    pub(crate) fn value(&self) -> Cow<'_, str> {
        if self.is_bare() {
            return Cow::Borrowed(&self.raw);
        }
        let mut out = Cow::Borrowed("");
        for piece in &self.pieces {
            append(
                &mut out,
                match piece {
                    Piece::Text { text, .. } => text,
                    Piece::Variable { typed, .. } | Piece::Computed { typed, .. } => typed,
                },
            );
        }
        out
    }

    /// Whether some part is computed.
    pub(crate) fn is_computed(&self) -> bool {
        !self.is_bare() && self.pieces.iter().any(|piece| !matches!(piece, Piece::Text { .. }))
    }

    /// The known text before the first computed part, and whether anything of it is protected by quotes.
    pub(crate) fn literal_prefix(&self) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            let Piece::Text { text, .. } = piece else { break };
            out.push_str(text);
        }
        out
    }

    /// Unquoted text, piece by piece; protected and computed parts are shown as NUL.
    pub(crate) fn unquoted(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text { text, quoted: false } => text,
                _ => "\0",
            })
            .collect()
    }

    /// Whether unquoted glob characters stand in it.
    pub(crate) fn has_glob(&self) -> bool {
        let glob = |c: char| matches!(c, '*' | '?' | '[');
        self.marks.has(Marks::GLOB.and(Marks::OTHER))
            && self.pieces.iter().any(|piece| matches!(piece, Piece::Text { text, quoted: false } if text.contains(glob)))
    }

    /// Whether an unquoted brace list or range stands in it.
    pub(crate) fn has_braces(&self) -> bool {
        let opens = |piece: &Piece<'_>| matches!(piece, Piece::Text { text, quoted: false } if text.contains('{'));
        if !self.marks.has(Marks::BRACE.and(Marks::OTHER)) || !self.pieces.iter().any(opens) {
            return false;
        }
        let text = self.unquoted();
        text.find('{').is_some_and(|open| {
            let rest = text.get(open..).unwrap_or_default();
            rest.contains('}') && (rest.contains(',') || rest.contains(".."))
        })
    }

    /// Whether the shell may make several words, or a word with a leading dash, of it (HARD-034).
    pub(crate) fn is_unsteady(&self) -> bool {
        let first_is_steady = match self.pieces.first() {
            Some(Piece::Text { text, quoted: true }) => text.is_empty() && self.pieces.len() == 1 || !text.is_empty(),
            Some(Piece::Text { text, .. }) => !text.starts_with(['*', '?', '[']),
            _ => false,
        };
        let splits = self.may_split();
        self.is_computed() && (!first_is_steady || splits) || !self.is_computed() && !first_is_steady || self.has_braces()
    }

    /// Whether the shell may make several words of it, or none.
    pub(crate) fn may_split(&self) -> bool {
        self.has_braces()
            || self.has_glob()
            || self.pieces.iter().any(|piece| {
                matches!(piece, Piece::Variable { quoted: false, .. } | Piece::Computed { quoted: false, .. })
                    || matches!(piece, Piece::Variable { typed: "$@" | "${@}", .. })
                    || matches!(piece, Piece::Computed { typed, .. } if typed.contains('@'))
            })
    }

    /// Joins a word that follows without a blank.
    pub(crate) fn join(&mut self, other: Self, between: &str) {
        // TOK-009: the package looks at the string behind the dollar.
        let translated = self.raw == "$" && between.is_empty() && other.raw.starts_with('"');
        let raw = self.raw.to_mut();
        raw.push_str(between);
        raw.push_str(&other.raw);
        self.end = other.end;
        self.pieces.extend(other.pieces);
        self.nodes.extend(other.nodes);
        self.plain = false;
        self.marks = Marks::ALL;
        if let (Some(token), Some(more)) = (&mut self.token, &other.token) {
            token.to_mut().push_str(more);
        }
        if self.kind != WordKind::Argument || other.kind != WordKind::Argument {
            self.kind = WordKind::Other;
            self.token = other.token.filter(|_| translated);
        }
    }
}

/// Appends a part; what comes first, and often alone, is borrowed.
fn append<'a>(out: &mut Cow<'a, str>, part: &'a str) {
    if out.is_empty() {
        *out = Cow::Borrowed(part);
    } else if !part.is_empty() {
        out.to_mut().push_str(part);
    }
}

/// Reads the word at a node.
pub(crate) fn read<'t>(text: &'t str, arena: &Arena, node: NodeId) -> Word<'t> {
    let at = arena.get(node);
    let (start, end) = (at.start as usize, at.end as usize);
    let raw = slice(text, start, end);
    let kind = match at.kind {
        Kind::Word | Kind::Concatenation | Kind::Str | Kind::RawString => WordKind::Argument,
        Kind::Number => WordKind::Number,
        _ => WordKind::Other,
    };
    let simple = matches!(at.kind, Kind::Word | Kind::Number) && !raw.is_empty();
    let marks = if simple { Marks::of(raw) } else { Marks::ALL };
    let (token, pieces) = if marks.has(Marks::OTHER) {
        let token = (kind == WordKind::Argument).then(|| token_text(text, arena, node));
        (token, pieces(text, arena, node))
    } else {
        let token = (kind == WordKind::Argument).then_some(Cow::Borrowed(raw));
        (token, smallvec::smallvec![Piece::Text { text: Cow::Borrowed(raw), quoted: false }])
    };
    let (raw, plain) = (Cow::Borrowed(raw), at.kind == Kind::Word);
    // What is not quoted at all has no other reading.
    let marks = if marks.has(Marks::OTHER) { Marks::ALL } else { marks };
    Word { start, end, kind, raw, token, pieces, nodes: smallvec::smallvec![node], moved_by: None, plain, marks }
}

/// The word at a child of a command of words alone.
pub(crate) fn read_child<'t>(text: &'t str, arena: &Arena, node: NodeId) -> Word<'t> {
    // The name of a command has a node of its own, and the word stands below.
    let is_name = arena.kind(node) == Kind::CommandName;
    let word = if is_name { arena.children(node).next() } else { None };
    read(text, arena, word.unwrap_or(node))
}

/// A word of an anonymous token.
pub(crate) fn read_token<'t>(text: &'t str, arena: &Arena, node: NodeId) -> Word<'t> {
    let at = arena.get(node);
    let (start, end) = (at.start as usize, at.end as usize);
    let raw = slice(text, start, end).trim_start();
    let pieces = smallvec::smallvec![Piece::Text { text: Cow::Borrowed(raw), quoted: false }];
    Word {
        start: end.saturating_sub(raw.len()),
        end,
        kind: WordKind::Other,
        raw: Cow::Borrowed(raw),
        token: None,
        pieces,
        nodes: SmallVec::new(),
        moved_by: None,
        plain: false,
        marks: Marks::ALL,
    }
}

/// A part of a text; empty when the borders are no borders.
pub(crate) fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// The package's token of a node (TOK-004, TOK-005): strings and concatenations are built from their children.
fn token_text<'t>(text: &'t str, arena: &Arena, node: NodeId) -> Cow<'t, str> {
    let mut out = Cow::Borrowed("");
    let mut stack: SmallVec<[NodeId; 8]> = smallvec::smallvec![node];
    while let Some(id) = stack.pop() {
        let at = arena.get(id);
        let source = slice(text, at.start as usize, at.end as usize);
        match at.kind {
            Kind::Str if arena.is_leaf(id) => append(&mut out, plain_string(source).unwrap_or_default()),
            Kind::RawString => append(&mut out, source.strip_prefix('\'').and_then(|s| s.strip_suffix('\'')).unwrap_or(source)),
            Kind::Str | Kind::Concatenation => {
                let mark = stack.len();
                stack.extend(arena.children(id).filter(|child| arena.kind(*child) != Kind::Quote));
                if let Some(tail) = stack.get_mut(mark..) {
                    tail.reverse();
                }
            }
            _ => append(&mut out, source),
        }
    }
    out
}

/// What the shell makes of a node, part by part.
fn pieces<'t>(text: &'t str, arena: &Arena, node: NodeId) -> Pieces<'t> {
    let mut out = SmallVec::new();
    let mut stack: SmallVec<[NodeId; 8]> = smallvec::smallvec![node];
    while let Some(id) = stack.pop() {
        let at = arena.get(id);
        let source = slice(text, at.start as usize, at.end as usize);
        match at.kind {
            Kind::Concatenation => {
                let mark = stack.len();
                stack.extend(arena.children(id));
                if let Some(tail) = stack.get_mut(mark..) {
                    tail.reverse();
                }
            }
            Kind::Str => string_pieces(text, arena, id, &mut out),
            Kind::TranslatedString => {
                if let Some(inner) = arena.children(id).find(|child| arena.kind(*child) == Kind::Str) {
                    string_pieces(text, arena, inner, &mut out);
                }
            }
            Kind::RawString => {
                let inner = source.strip_prefix('\'').and_then(|s| s.strip_suffix('\'')).unwrap_or(source);
                out.push(Piece::Text { text: Cow::Borrowed(inner), quoted: true });
            }
            Kind::AnsiCString => {
                let inner = source.strip_prefix("$'").and_then(|s| s.strip_suffix('\'')).unwrap_or(source);
                out.push(Piece::Text { text: Cow::Owned(quoting::ansi_c(inner)), quoted: true });
            }
            Kind::SimpleExpansion | Kind::Expansion => out.push(variable(source, false)),
            Kind::BackquoteJoin => {}
            Kind::Dollar => out.push(Piece::Text { text: Cow::Borrowed("$"), quoted: true }),
            Kind::CommandSubstitution | Kind::ProcessSubstitution | Kind::ArithmeticExpansion => {
                out.push(Piece::Computed { typed: source, quoted: false });
            }
            _ => quoting::unquoted_pieces(source, &mut out),
        }
    }
    // `$"…"` and `$'…'` inside a concatenation come as a bare dollar before the string.
    drop_translation_dollar(text, arena, node, &mut out);
    out
}

fn drop_translation_dollar(text: &str, arena: &Arena, node: NodeId, pieces: &mut Pieces<'_>) {
    if arena.kind(node) == Kind::Concatenation
        && slice(text, arena.get(node).start as usize, arena.get(node).end as usize).contains("$\"")
    {
        let dollar = pieces.iter().position(|piece| matches!(piece, Piece::Text { text, .. } if text == "$"));
        if let Some(dollar) = dollar {
            pieces.remove(dollar);
        }
    }
}

/// The parts of a double-quoted string, with the text that the grammar leaves between its children.
fn string_pieces<'t>(text: &'t str, arena: &Arena, node: NodeId, out: &mut Pieces<'t>) {
    let at = arena.get(node);
    if let Some(plain) = plain_string(slice(text, at.start as usize, at.end as usize)).filter(|_| arena.is_leaf(node)) {
        out.push(Piece::Text { text: Cow::Borrowed(""), quoted: true });
        return push_quoted(plain, out);
    }
    let mut done = at.start as usize + 1;
    // A string that the parser closed itself has no quote at its end.
    let closing = arena.children(node).last().map(|child| arena.get(child));
    let closed = closing.is_some_and(|quote| quote.kind == Kind::Quote && quote.start < quote.end && quote.start > at.start);
    let end = (at.end as usize).saturating_sub(usize::from(closed)).max(done);
    out.push(Piece::Text { text: Cow::Borrowed(""), quoted: true });
    for child in arena.children(node) {
        let child_at = arena.get(child);
        let (start, stop) = (child_at.start as usize, child_at.end as usize);
        if matches!(child_at.kind, Kind::Quote | Kind::StringContent | Kind::Dollar) {
            continue;
        }
        let source = slice(text, start, stop);
        let inner = source.trim_start();
        let start = stop - inner.len();
        push_quoted(slice(text, done, start), out);
        out.push(match child_at.kind {
            Kind::SimpleExpansion | Kind::Expansion => variable(inner, true),
            _ => Piece::Computed { typed: inner, quoted: true },
        });
        done = stop;
    }
    push_quoted(slice(text, done, end), out);
}

fn push_quoted<'t>(source: &'t str, out: &mut Pieces<'t>) {
    if !source.is_empty() {
        out.push(Piece::Text { text: quoting::double_quoted(source), quoted: true });
    }
}

fn variable(typed: &str, quoted: bool) -> Piece<'_> {
    match variable_name(typed) {
        Some(name) if is_plain_name(name) => Piece::Variable { typed, quoted },
        _ => Piece::Computed { typed, quoted },
    }
}

/// The name in `$NAME` or `${NAME}`.
pub(crate) fn variable_name(typed: &str) -> Option<&str> {
    typed.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).or_else(|| typed.strip_prefix('$'))
}

fn is_plain_name(name: &str) -> bool {
    name == "@" || name == "*" || !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
