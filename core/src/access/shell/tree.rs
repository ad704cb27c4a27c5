//! The parse: tree-sitter's tree, copied once into a flat list of nodes that can be walked without recursion.
//!
//! Decides how much text is parsed at all. Knows the grammar's words and no meaning of any of them.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use tree_sitter::{Decode, Language, ParseOptions, Parser, Tree};

use super::facts::{ShellError, ShellErrorKind};

mod insides;

use insides::{Inside, inside, push_parts, push_words};

macro_rules! kinds {
    ($($variant:ident => $name:literal),+ $(,)?) => {
        /// The kinds of node that the analysis tells apart; names are those of grammar `tree-sitter-bash` 0.25.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Kind {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
            /// A named node of any other kind.
            OtherNamed,
            /// An anonymous token of any other kind.
            OtherToken,
        }

        fn kind_of(name: &str, named: bool) -> Kind {
            match name {
                $($name => Kind::$variant,)+
                _ if named => Kind::OtherNamed,
                _ => Kind::OtherToken,
            }
        }
    };
}

kinds! {
    Program => "program", List => "list", Pipeline => "pipeline", RedirectedStatement => "redirected_statement",
    Command => "command", CommandName => "command_name", Subshell => "subshell",
    If => "if_statement", Elif => "elif_clause", Else => "else_clause", While => "while_statement", For => "for_statement",
    CFor => "c_style_for_statement", Case => "case_statement", CaseItem => "case_item", DoGroup => "do_group",
    Compound => "compound_statement", Function => "function_definition", Negated => "negated_command",
    Test => "test_command", Declaration => "declaration_command", Unset => "unset_command",
    Assignment => "variable_assignment", Assignments => "variable_assignments", VariableName => "variable_name",
    SpecialVariableName => "special_variable_name", Subscript => "subscript", Array => "array",
    FileRedirect => "file_redirect", HeredocRedirect => "heredoc_redirect", HerestringRedirect => "herestring_redirect",
    HeredocBody => "heredoc_body", HeredocStart => "heredoc_start", HeredocEnd => "heredoc_end",
    HeredocContent => "heredoc_content", FileDescriptor => "file_descriptor", Comment => "comment",
    CommandSubstitution => "command_substitution", ProcessSubstitution => "process_substitution",
    Word => "word", Concatenation => "concatenation", Str => "string", StringContent => "string_content",
    RawString => "raw_string", TranslatedString => "translated_string", AnsiCString => "ansi_c_string",
    Number => "number", SimpleExpansion => "simple_expansion", Expansion => "expansion",
    ArithmeticExpansion => "arithmetic_expansion", BraceExpression => "brace_expression", Regex => "regex",
    ExtglobPattern => "extglob_pattern", TestOperator => "test_operator",
    AndAnd => "&&", OrOr => "||", Pipe => "|", PipeAmp => "|&", Amp => "&", Semicolon => ";",
    Dollar => "$", Quote => "\"", Bang => "!", BraceOpen => "{", DoubleParen => "((", Backtick => "`",
    BackquoteJoin => "``", Less => "<", Greater => ">", GreaterGreater => ">>", AmpGreater => "&>",
    AmpGreaterGreater => "&>>", LessAmp => "<&", GreaterAmp => ">&", GreaterPipe => ">|", LessAmpDash => "<&-",
    GreaterAmpDash => ">&-", HeredocArrow => "<<", HeredocArrowDash => "<<-", In => "in", Then => "then", Do => "do",
    Error => "ERROR",
}

/// Text longer than this is not parsed. Linux starts no program with a longer argument (`MAX_ARG_STRLEN`), so that no
/// `sh -c` can be given one.
pub(crate) const MAX_TEXT: usize = 128 * 1024;
/// Nodes below this depth are not copied.
pub(crate) const MAX_DEPTH: u32 = 10_000;
/// After the first error this much text is parsed: recovery costs time that grows with the square of it.
const MAX_AFTER_ERROR: usize = 8 * 1024;
/// Here-documents that one line may open: the parser carries all of them from token to token.
const MAX_HEREDOCS: usize = 32;
/// Redirection signs that may stand in one row: the parser tries every way to read them.
const MAX_SIGNS: usize = 64;

/// The text is handed to the parser in parts of this size, and a part costs a step like any other: the grammar's hand-written
/// part may look through all that follows at every word, and no operation is counted meanwhile.
const PART: usize = 1024;

/// Steps (of a hundred operations each) that the parser may take for a command of this length, its payloads and broken
/// regions included. A script of usual shape takes one step for seventy bytes, the densest valid text one for twenty.
pub(crate) fn max_steps(len: usize) -> u64 {
    2_000 + (len as u64) / 8
}

/// What the parser cannot read in linear time, seen from the text alone: rows of redirections, and here-documents that one
/// line opens.
fn is_hostile(text: &str) -> bool {
    let (mut signs, mut heredocs) = (0usize, 0usize);
    let mut last = 0u8;
    for byte in text.bytes() {
        match byte {
            b'<' | b'>' => {
                signs += 1;
                heredocs += usize::from(byte == b'<' && last == b'<');
                if signs > MAX_SIGNS || heredocs > MAX_HEREDOCS {
                    return true;
                }
            }
            b'\n' => (signs, heredocs) = (0, 0),
            b' ' | b'\t' | b'&' | b'|' => {}
            _ => signs = 0,
        }
        last = byte;
    }
    false
}

/// The place of a node in its [`Arena`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

/// One node of the copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) named: bool,
    pub(crate) missing: bool,
    /// An ERROR or MISSING node stands in the subtree, itself included.
    pub(crate) has_error: bool,
    /// A command of words alone with one blank between them: nothing has to be put together.
    pub(crate) spaced: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
    parent: u32,
    first_child: u32,
    next_sibling: u32,
}

const NONE: u32 = u32::MAX;

impl Node {
    /// A word that is linked to nothing.
    const WORD: Self = Self {
        kind: Kind::Word,
        named: true,
        missing: false,
        has_error: false,
        spaced: false,
        start: 0,
        end: 0,
        parent: NONE,
        first_child: NONE,
        next_sibling: NONE,
    };
}

/// The tree of one text.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    nodes: Vec<Node>,
    /// Parts of the tree lay too deep and are not in the copy.
    pub(crate) cut: bool,
}

impl Arena {
    pub(crate) const ROOT: NodeId = NodeId(0);

    pub(crate) fn get(&self, id: NodeId) -> Node {
        self.nodes.get(id.0 as usize).copied().unwrap_or(Node { kind: Kind::Error, has_error: true, ..Node::WORD })
    }

    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        self.nodes.get(id.0 as usize).map_or(Kind::Error, |node| node.kind)
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        link(self.get(id).parent)
    }

    pub(crate) fn next(&self, id: NodeId) -> Option<NodeId> {
        link(self.get(id).next_sibling)
    }

    /// Children in order, anonymous tokens included.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(link(self.get(id).first_child), |child| self.next(*child))
    }

    /// Whether it has no children.
    pub(crate) fn is_leaf(&self, id: NodeId) -> bool {
        self.nodes.get(id.0 as usize).is_none_or(|node| node.first_child == NONE)
    }

    /// Named children in order.
    pub(crate) fn named_children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(id).filter(|child| self.get(*child).named)
    }

    /// Every node in source order, parents before children, and whether it is a leaf.
    pub(crate) fn preorder(&self) -> impl Iterator<Item = (&Node, bool)> + '_ {
        self.nodes.iter().map(|node| (node, node.first_child == NONE))
    }

    /// Every node's kind with its place.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (NodeId, Kind)> + '_ {
        (0..).map(NodeId).zip(self.nodes.iter().map(|node| node.kind))
    }

    /// Every node with its place.
    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..u32::try_from(self.nodes.len()).unwrap_or(0)).map(NodeId)
    }
}

fn link(raw: u32) -> Option<NodeId> {
    (raw != NONE).then_some(NodeId(raw))
}

/// What a parse gives.
pub(crate) enum Parsed {
    /// A tree.
    Tree(Arena),
    /// A bound was hit before there was one.
    TooMuch,
}

/// Parses one text, within bounds that depend on texts alone: what it looks like, and the steps that are left. The caller's
/// clock may end it sooner.
pub(crate) fn parse(text: &str, steps_left: &mut u64, weight: u64, out_of_time: &dyn Fn() -> bool) -> Result<Parsed, ShellError> {
    if text.len() > MAX_TEXT || *steps_left == 0 || is_hostile(text) {
        return Ok(Parsed::TooMuch);
    }
    let mut parser = ready_parser()?;
    let mut first_error = None;
    let left = Cell::new(*steps_left);
    let take_step = || left.set(left.get().saturating_sub(weight));
    let mut progress = |state: &tree_sitter::ParseState| {
        take_step();
        let at = state.current_byte_offset();
        let lost = state.has_error() && at.saturating_sub(*first_error.get_or_insert(at)) > MAX_AFTER_ERROR;
        if left.get() == 0 || lost || out_of_time() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let legible = legible(text);
    let bytes = legible.as_bytes();
    let mut read = |at: usize, _| {
        take_step();
        // Without steps the text ends here; the tree of it counts for nothing.
        let end = if left.get() == 0 { at } else { at.saturating_add(PART).min(bytes.len()) };
        bytes.get(at..end).unwrap_or_default()
    };
    let tree = if legible.is_ascii() {
        parser.parse_with_options(&mut read, None, Some(options))
    } else {
        parser.parse_custom_encoding::<OneForeignLetter, _, _>(&mut read, None, Some(options))
    };
    *steps_left = left.get();
    if tree.is_some() {
        keep(parser);
    }
    Ok(tree.filter(|_| left.get() > 0).map_or(Parsed::TooMuch, |tree| Parsed::Tree(copy(text, &tree))))
}

thread_local! {
    /// A parser that waits for the next text. To make one takes as long as to parse a short command.
    static PARSER: Cell<Option<Parser>> = const { Cell::new(None) };
}

/// A parser that knows nothing of any text.
fn ready_parser() -> Result<Parser, ShellError> {
    if let Some(parser) = PARSER.try_with(Cell::take).ok().flatten() {
        return Ok(parser);
    }
    let mut parser = Parser::new();
    parser.set_language(&GRAMMAR.language).map_err(|_| ShellError::new(ShellErrorKind::Grammar))?;
    Ok(parser)
}

/// Keeps a parser that came to the end of its text. One that was broken off would go on with it.
fn keep(parser: Parser) {
    // On a thread that ends nobody needs it any more.
    let _ended = PARSER.try_with(|place| place.set(Some(parser)));
}

/// UTF-8 in which every character beyond ASCII is the same letter, of its own length.
///
/// The grammar tells none of them apart. Its hand-written part looks them up in the C library's tables, though, which end at
/// 255: behind a brace, a high character made it read far outside of them, and the process died. And what the library calls a
/// blank depends on the process's locale, on which no verdict may depend.
struct OneForeignLetter;

impl Decode for OneForeignLetter {
    fn decode(bytes: &[u8]) -> (i32, u32) {
        match bytes {
            [] => (0, 0),
            [ascii @ 0..=0x7f, ..] => (i32::from(*ascii), 1),
            [0xc0..=0xdf, ..] => (FOREIGN_LETTER, 2),
            [0xe0..=0xef, ..] => (FOREIGN_LETTER, 3),
            [0xf0..=0xf7, ..] => (FOREIGN_LETTER, 4),
            _ => (FOREIGN_LETTER, 1),
        }
    }
}

/// A letter that the C library's tables know.
const FOREIGN_LETTER: i32 = 0xe9;

/// The text as the grammar can read it, of the same length: a lone dash right before a here-document (`python3 - <<EOF`) is a
/// word to the shell and an error to the grammar. Any other letter in its place is the same word. Only the parser sees it.
fn legible(text: &str) -> Cow<'_, str> {
    let mut out: Option<String> = None;
    if !text.as_bytes().contains(&b'<') {
        return Cow::Borrowed(text);
    }
    for (at, _) in text.match_indices("<<") {
        let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
        let before = before.strip_suffix("2>&1").map_or(before, |rest| rest.trim_end_matches([' ', '\t']));
        let dash = before.len().wrapping_sub(1);
        // A blank on both sides makes it a word.
        let alone = before.strip_suffix('-').is_some_and(|rest| rest.ends_with([' ', '\t'])) && before.len() < at;
        if alone {
            out.get_or_insert_with(|| text.to_owned()).replace_range(dash..=dash, "_");
        }
    }
    out.map_or(Cow::Borrowed(text), Cow::Owned)
}

struct Grammar {
    language: Language,
    /// By the grammar's number of a kind: ours, and whether it is a named one.
    kinds: Vec<(Kind, bool)>,
}

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let language = Language::from(tree_sitter_bash::LANGUAGE);
    let kinds = (0..language.node_kind_count())
        .map(|id| {
            let id = u16::try_from(id).unwrap_or(u16::MAX);
            let named = language.node_kind_is_named(id);
            (kind_of(language.node_kind_for_id(id).unwrap_or_default(), named), named)
        })
        .collect();
    Grammar { language, kinds }
});

/// A node whose children are being copied.
struct Open {
    id: u32,
    has_error: bool,
    /// Children that are still to come. To count them is cheaper than to ask the cursor, which looks through every hidden level
    /// before it says that there is no more.
    left: u32,
}

/// Copies the tree of a text in one pass.
fn copy(text: &str, tree: &Tree) -> Arena {
    let kinds = &GRAMMAR.kinds;
    let mut nodes: Vec<Node> = Vec::with_capacity(tree.root_node().descendant_count().min(MAX_TEXT));
    let mut cut = false;
    let mut cursor = tree.walk();
    let mut open: Vec<Open> = Vec::new();
    let mut previous = NONE;
    loop {
        let id = u32::try_from(nodes.len()).unwrap_or(NONE);
        // Below a node without an error there is none.
        let (parent, broken) = open.last().map_or((NONE, true), |parent| (parent.id, parent.has_error));
        let at = cursor.node();
        let children = at.child_count();
        let node = read_node(kinds, at, parent, broken);
        if previous != NONE {
            change(&mut nodes, previous, |node| node.next_sibling = id);
        } else if parent != NONE {
            change(&mut nodes, parent, |node| node.first_child = id);
        }
        let inside = if node.has_error { Inside::Unknown } else { inside(text, &node, children) };
        nodes.push(node);
        match &inside {
            Inside::Words(words) => push_words(text, &mut nodes, id, words),
            Inside::Parts(parts) => push_parts(&mut nodes, id, parts.iter().copied()),
            Inside::Unknown | Inside::Closed => {}
        }
        let deep = open.len() as u32 >= MAX_DEPTH;
        if children > 0 && !deep && matches!(inside, Inside::Unknown) && cursor.goto_first_child() {
            open.push(Open { id, has_error: node.has_error, left: children - 1 });
            previous = NONE;
            continue;
        }
        cut |= deep && children > 0;
        previous = id;
        loop {
            let Some(up) = open.last_mut() else { return Arena { nodes, cut } };
            if up.left > 0 && cursor.goto_next_sibling() {
                up.left -= 1;
                break;
            }
            previous = up.id;
            open.pop();
            if !cursor.goto_parent() {
                return Arena { nodes, cut };
            }
        }
    }
}

/// What stands between the quotes of a string that has no parts in the copy.
pub(crate) fn plain_string(source: &str) -> Option<&str> {
    source.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
}

fn change(nodes: &mut [Node], at: u32, how: impl FnOnce(&mut Node)) {
    if let Some(node) = nodes.get_mut(at as usize) {
        how(node);
    }
}

/// `broken` says that the parent holds an error.
fn read_node(kinds: &[(Kind, bool)], node: tree_sitter::Node<'_>, parent: u32, broken: bool) -> Node {
    let (kind, named) = kinds.get(usize::from(node.kind_id())).copied().unwrap_or((Kind::Error, true));
    let has_error = broken && node.has_error();
    Node {
        kind,
        named,
        missing: has_error && node.is_missing(),
        has_error,
        spaced: false,
        start: u32::try_from(node.start_byte()).unwrap_or(u32::MAX),
        end: u32::try_from(node.end_byte()).unwrap_or(u32::MAX),
        parent,
        first_child: NONE,
        next_sibling: NONE,
    }
}

/// The tree of a text that is small enough to have one.
#[cfg(test)]
pub(crate) fn tree_of(text: &str) -> Arena {
    match parse(text, &mut max_steps(text.len()), 1, &|| false) {
        Ok(Parsed::Tree(arena)) => arena,
        _ => panic!("{text:?} has no tree"),
    }
}

#[cfg(test)]
mod tests;
