//! A simple command put together from where the grammar scattered it: its words, assignments and redirections.
//!
//! The grammar hangs words behind a redirection on the redirection (CMD-012), words behind a here-document's delimiter on the
//! here-document, and lets a line that begins with a backslash continue the line before (CMD-006). Here every word goes back
//! to the command that the shell would give it to (HARD-003, BASH-D04, BASH-D05, RES-44).

use std::borrow::Cow;

use smallvec::SmallVec;

use super::rooms::Rooms;
use super::tree::{Arena, Kind, NodeId};
use super::word::{self, Word, slice};
use crate::policy::Direction;

mod spaced;

/// A redirection.
#[derive(Debug, Clone)]
pub(crate) struct Redirect<'t> {
    pub(crate) node: NodeId,
    /// What it does to its target.
    pub(crate) direction: Direction,
    /// The target, if it has one that is a file.
    pub(crate) target: Option<Word<'t>>,
    /// It, or its neighbour, was not read to the end (HARD-038).
    pub(crate) broken: bool,
    /// It stands before the command word: the package searches it for substitutions (CMD-013).
    pub(crate) leading: bool,
}

/// A simple command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Simple<'t> {
    pub(crate) assignments: Vec<NodeId>,
    /// The command word first.
    pub(crate) words: Vec<Word<'t>>,
    pub(crate) redirects: Vec<Redirect<'t>>,
    pub(crate) heredocs: Vec<NodeId>,
    pub(crate) herestrings: Vec<NodeId>,
    /// `time ( … )`: a subshell in place of arguments.
    pub(crate) subshell: Option<NodeId>,
    /// Broken regions, as byte ranges.
    pub(crate) broken: Vec<(usize, usize)>,
    /// Where each word starts in `text`.
    pub(crate) offsets: SmallVec<[usize; 8]>,
    /// Where the text starts in the source.
    pub(crate) start: usize,
    /// What the shell runs, as typed (RES-44).
    pub(crate) text: Cow<'t, str>,
    /// The slice that the package would match (CMD-008), when it is another text.
    pub(crate) package_text: Option<&'t str>,
    /// Found only because a line that begins with a backslash was cut off (BASH-D04).
    pub(crate) cut_off: bool,
    /// The parser invented the command word.
    pub(crate) missing: bool,
    /// Nothing but bare words with one blank between them: no word has another reading, nothing is computed or executed in it.
    pub(crate) plain: bool,
    /// The rooms that have something to say about the program; all of them, where its name is not known for sure.
    pub(crate) rooms: Rooms,
}

impl Simple<'_> {
    /// Whether data reaches its standard input by a here-document, here-string or `<`.
    pub(crate) fn is_fed(&self) -> bool {
        !self.heredocs.is_empty() || !self.herestrings.is_empty()
    }
}

/// A word that is still to be read. Words are large: each is made where it stays.
#[derive(Clone, Copy)]
struct Unread {
    node: NodeId,
    /// An anonymous token, which may begin with blanks.
    token: bool,
    moved_by: Option<&'static str>,
}

impl Unread {
    fn of(node: NodeId, arena: &Arena) -> Self {
        Self { node, token: !arena.get(node).named, moved_by: None }
    }

    fn read<'t>(self, text: &'t str, arena: &Arena) -> Word<'t> {
        if self.token {
            return word::read_token(text, arena, self.node);
        }
        let mut word = word::read(text, arena, self.node);
        word.moved_by = self.moved_by;
        word
    }

    fn placed(self, text: &str, arena: &Arena) -> Placed {
        let at = arena.get(self.node);
        let (start, end) = (at.start as usize, at.end as usize);
        let start = if self.token { end.saturating_sub(slice(text, start, end).trim_start().len()) } else { start };
        (start, end, Item::Word(self))
    }
}

#[derive(Clone, Copy)]
enum Item {
    Assignment(NodeId),
    Word(Unread),
    Redirect { node: NodeId, direction: Direction, target: Option<Unread>, broken: bool, leading: bool },
    Heredoc(NodeId),
    Herestring(NodeId),
    Subshell(NodeId),
    Broken(usize, usize),
}

/// An item with the borders of its text.
type Placed = (usize, usize, Item);
/// The items of a command.
type Items = SmallVec<[Placed; 8]>;

/// Takes a command node and the redirections that stand behind it apart, and gives the commands that the shell would see.
pub(crate) fn assemble<'t>(text: &'t str, arena: &Arena, command: Option<NodeId>, tail: &[NodeId]) -> SmallVec<[Simple<'t>; 1]> {
    if let Some(simple) =
        command.filter(|command| arena.get(*command).spaced).and_then(|command| spaced::read(text, arena, command, tail))
    {
        return smallvec::smallvec![simple];
    }
    let mut items = Items::new();
    if let Some(command) = command {
        collect_command(text, arena, command, &mut items);
    }
    for redirect in tail {
        collect_redirect(text, arena, *redirect, false, &mut items);
    }
    mark_broken_neighbours(&mut items);
    let mut out = Builder::new(text, arena).run(&items);
    if let (Some(command), Some(first)) = (command, out.first_mut()) {
        let package = package_slice(text, arena, command);
        let dashed = if loses_dash(text, arena, tail) { package.strip_suffix('-') } else { None };
        let package = dashed.filter(|rest| rest.ends_with([' ', '\t'])).map_or(package, str::trim_end);
        if package != first.text && !first.missing {
            first.package_text = Some(package);
        }
    }
    out
}

/// Right before a here-document the package's tree has no lone dash (see `tree::parse`).
fn loses_dash(text: &str, arena: &Arena, tail: &[NodeId]) -> bool {
    let copies = |node: &&NodeId| slice(text, arena.get(**node).start as usize, arena.get(**node).end as usize) == "2>&1";
    tail.iter().find(|node| !copies(node)).is_some_and(|node| arena.kind(*node) == Kind::HeredocRedirect)
}

/// CMD-008: from the first named child that is no assignment to the end of the node.
pub(crate) fn package_slice<'t>(text: &'t str, arena: &Arena, command: NodeId) -> &'t str {
    let at = arena.get(command);
    let start = arena.named_children(command).find(|child| arena.kind(*child) != Kind::Assignment);
    let start = start.map_or(at.start, |child| arena.get(child).start);
    slice(text, start as usize, at.end as usize)
}

fn collect_command(text: &str, arena: &Arena, command: NodeId, items: &mut Items) {
    let mut named = false;
    for child in arena.children(command) {
        let at = arena.get(child);
        let (start, end) = (at.start as usize, at.end as usize);
        match at.kind {
            Kind::CommandName => {
                named = true;
                match arena.children(child).next() {
                    Some(inner) if !arena.get(inner).missing => {
                        items.push(Unread { node: inner, token: false, moved_by: None }.placed(text, arena));
                    }
                    _ => items.push((start, end, Item::Broken(start, end))),
                }
            }
            Kind::Assignment => items.push((start, end, Item::Assignment(child))),
            Kind::FileRedirect | Kind::HeredocRedirect => collect_redirect(text, arena, child, !named, items),
            Kind::HerestringRedirect => {
                drop_descriptor(text, start, items);
                items.push((start, end, Item::Herestring(child)));
            }
            Kind::Subshell => items.push((start, end, Item::Subshell(child))),
            Kind::Error => items.push((start, end, Item::Broken(start, end))),
            Kind::Comment => {}
            _ => items.push(Unread::of(child, arena).placed(text, arena)),
        }
    }
}

/// `0<<< x`: the grammar takes the descriptor for a word.
fn drop_descriptor(text: &str, start: usize, items: &mut Items) {
    let digits = |from: usize| slice(text, from, start).bytes().all(|byte| byte.is_ascii_digit());
    if items.last().is_some_and(|(from, end, item)| *end == start && matches!(item, Item::Word(_)) && digits(*from)) {
        items.pop();
    }
}

fn collect_redirect(text: &str, arena: &Arena, node: NodeId, leading: bool, items: &mut Items) {
    let at = arena.get(node);
    match at.kind {
        Kind::HeredocRedirect => collect_heredoc(text, arena, node, items),
        Kind::HerestringRedirect => items.push((at.start as usize, at.end as usize, Item::Herestring(node))),
        _ => collect_file_redirect(text, arena, node, leading, items),
    }
}

fn collect_file_redirect(text: &str, arena: &Arena, node: NodeId, leading: bool, items: &mut Items) {
    let at = arena.get(node);
    let mut operator = Kind::OtherToken;
    let mut target: Option<Unread> = None;
    let mut words: SmallVec<[Unread; 4]> = SmallVec::new();
    let mut broken_at = None;
    let mut end = at.start as usize;
    for child in arena.children(node) {
        let child_at = arena.get(child);
        match child_at.kind {
            Kind::FileDescriptor | Kind::Comment => {}
            Kind::Error => broken_at = broken_at.or(Some(child_at.start as usize)),
            _ if !child_at.named && operator == Kind::OtherToken => operator = child_at.kind,
            _ => words.push(Unread::of(child, arena)),
        }
        if target.is_none() && !words.is_empty() && !matches!(operator, Kind::LessAmpDash | Kind::GreaterAmpDash) {
            target = words.pop();
        }
        if words.is_empty() {
            end = child_at.end as usize;
        }
    }
    let direction = match operator {
        Kind::Less | Kind::LessAmp => Direction::Read,
        Kind::Greater
        | Kind::GreaterGreater
        | Kind::GreaterPipe
        | Kind::AmpGreater
        | Kind::AmpGreaterGreater
        | Kind::GreaterAmp => Direction::Write,
        _ => Direction::Both,
    };
    let copies = matches!(operator, Kind::LessAmp | Kind::GreaterAmp);
    if copies && target.is_some_and(|word| is_descriptor(&word.read(text, arena).value())) {
        target = None;
    }
    let broken = broken_at.is_some();
    items.push((at.start as usize, end, Item::Redirect { node, direction, target, broken, leading }));
    if let Some(from) = broken_at {
        items.push((from, at.end as usize, Item::Broken(from, at.end as usize)));
    }
    items.extend(words.into_iter().map(|word| word.placed(text, arena)));
}

/// `2`, `2-`, `-`.
fn is_descriptor(value: &str) -> bool {
    value == "-" || value.strip_suffix('-').unwrap_or(value).bytes().all(|b| b.is_ascii_digit())
}

/// The opener line of a here-document: its further redirections and words belong to the command.
fn collect_heredoc(text: &str, arena: &Arena, node: NodeId, items: &mut Items) {
    let at = arena.get(node);
    items.push((at.start as usize, at.start as usize, Item::Heredoc(node)));
    for child in arena.children(node) {
        let child_at = arena.get(child);
        match child_at.kind {
            Kind::FileRedirect | Kind::HerestringRedirect | Kind::HeredocRedirect => {
                collect_redirect(text, arena, child, false, items)
            }
            Kind::HeredocBody | Kind::AndAnd | Kind::OrOr | Kind::Pipeline => break,
            Kind::Error => {
                let (start, end) = (child_at.start as usize, child_at.end as usize);
                items.push((start, end, Item::Broken(start, end)));
            }
            Kind::HeredocStart | Kind::FileDescriptor | Kind::Comment | Kind::HeredocEnd => {}
            _ if child_at.named && is_literal(child_at.kind) => {
                items.push(Unread { node: child, token: false, moved_by: Some("HARD-003") }.placed(text, arena));
            }
            _ => {}
        }
    }
}

/// The kinds of a word (`_literal` of the grammar).
pub(crate) fn is_literal(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Word
            | Kind::Concatenation
            | Kind::Str
            | Kind::RawString
            | Kind::TranslatedString
            | Kind::AnsiCString
            | Kind::Number
            | Kind::Expansion
            | Kind::SimpleExpansion
            | Kind::CommandSubstitution
            | Kind::ProcessSubstitution
            | Kind::ArithmeticExpansion
            | Kind::BraceExpression
    )
}

/// HARD-038: a redirection next to a broken region proves nothing.
fn mark_broken_neighbours(items: &mut [Placed]) {
    let is_broken = |(_, _, item): &Placed| matches!(item, Item::Broken(..) | Item::Redirect { broken: true, .. });
    if !items.iter().any(is_broken) {
        return;
    }
    let broken: Vec<bool> = items.iter().map(is_broken).collect();
    for (index, (_, _, item)) in items.iter_mut().enumerate() {
        let near = |at: Option<usize>| at.and_then(|at| broken.get(at)).copied().unwrap_or(false);
        if let Item::Redirect { broken: own, .. } = item {
            *own |= near(index.checked_sub(1)) || near(index.checked_add(1));
        }
    }
}

struct Builder<'t, 'a> {
    text: &'t str,
    arena: &'a Arena,
    out: SmallVec<[Simple<'t>; 1]>,
    current: Simple<'t>,
    /// The part of the source that the current text is, while it is one.
    span: (usize, usize),
    /// The current text, when it is no part of the source.
    owned: Option<String>,
    /// End of what was taken last, whatever it was.
    last_end: Option<usize>,
    /// End of the last kept word, and the start of the first thing taken out after it.
    removed_at: Option<usize>,
    last_was_word: bool,
    any: bool,
}

impl<'t, 'a> Builder<'t, 'a> {
    fn new(text: &'t str, arena: &'a Arena) -> Self {
        Self {
            text,
            arena,
            out: SmallVec::new(),
            current: Simple::default(),
            span: (0, 0),
            owned: None,
            last_end: None,
            removed_at: None,
            last_was_word: false,
            any: false,
        }
    }

    fn run(mut self, items: &[Placed]) -> SmallVec<[Simple<'t>; 1]> {
        let words = items.iter().filter(|(_, _, item)| matches!(item, Item::Word(_))).count();
        self.current.words.reserve(words);
        for (start, end, item) in items.iter().copied() {
            if self.last_end.is_some_and(|last| breaks_line(slice(self.text, last, start))) {
                self.finish();
                self.current.cut_off = true;
            }
            match item {
                Item::Word(word) => self.word(word.read(self.text, self.arena)),
                other => self.aside(start, end, other),
            }
        }
        self.finish();
        self.out
    }

    fn aside(&mut self, start: usize, end: usize, item: Item) {
        self.any = true;
        self.last_was_word = false;
        if !self.current.words.is_empty() {
            self.removed_at.get_or_insert(start);
        }
        match item {
            Item::Assignment(node) => self.current.assignments.push(node),
            Item::Redirect { node, direction, target, broken, leading } => {
                let target = target.map(|word| word.read(self.text, self.arena));
                self.current.redirects.push(Redirect { node, direction, target, broken, leading });
            }
            Item::Heredoc(node) => self.current.heredocs.push(node),
            Item::Herestring(node) => self.current.herestrings.push(node),
            Item::Subshell(node) => self.subshell(start, end, node),
            Item::Broken(from, to) => {
                self.current.broken.push((from, to));
                self.current.missing |= from == to && self.current.words.is_empty();
            }
            Item::Word(..) => {}
        }
        self.last_end = Some(end);
    }

    fn subshell(&mut self, start: usize, end: usize, node: NodeId) {
        if self.current.words.is_empty() {
            self.current.start = start;
        }
        self.current.subshell = Some(node);
        self.join(start);
        self.append(start, end);
        self.removed_at = None;
    }

    fn word(&mut self, mut word: Word<'t>) {
        if !word.is_bare() && starts_line(&word.raw) {
            if self.any {
                self.finish();
                self.current.cut_off = true;
            }
            trim_start(&mut word);
        }
        self.any = true;
        let gap = self.last_end.filter(|_| self.last_was_word).map(|end| slice(self.text, end, word.start));
        if let Some(gap) = gap.filter(|gap| is_continuation(gap) && !self.current.words.is_empty()) {
            self.append(word.start - gap.len(), word.start);
            self.append(word.start, word.end);
            self.last_end = Some(word.end);
            if let Some(last) = self.current.words.last_mut() {
                if gap.is_empty() && last.raw == "$" && word.raw.starts_with(['"', '\'']) {
                    last.pieces.clear();
                }
                last.join(word, gap);
            }
            return;
        }
        if self.current.words.is_empty() {
            self.current.start = word.start;
        }
        self.join(word.start);
        self.current.offsets.push(self.length());
        self.append(word.start, word.end);
        self.last_end = Some(word.end);
        self.removed_at = None;
        self.last_was_word = true;
        self.current.words.push(word);
    }

    /// Appends a part of the source to the text. The text stays a part of the source as long as it can.
    fn append(&mut self, start: usize, end: usize) {
        if self.length() == 0 {
            self.span = (start, end);
        } else if self.owned.is_none() && self.span.1 == start {
            self.span.1 = end;
        } else {
            let part = slice(self.text, start, end);
            self.owned().push_str(part);
        }
    }

    fn length(&self) -> usize {
        self.owned.as_ref().map_or(self.span.1 - self.span.0, String::len)
    }

    fn owned(&mut self) -> &mut String {
        let (text, (start, end)) = (self.text, self.span);
        self.owned.get_or_insert_with(|| slice(text, start, end).to_owned())
    }

    /// Appends the blanks between the last kept word and what starts here, as typed.
    fn join(&mut self, start: usize) {
        let Some(last) = self.current.words.last() else { return };
        let (from, to) = match self.removed_at {
            None => (last.end, start),
            Some(removed) if removed > last.end => (last.end, removed),
            Some(_) => (self.last_end.unwrap_or(last.end), start),
        };
        let blanks = slice(self.text, from, to);
        if blanks == " " {
            self.append(from, to);
        } else if blanks.is_empty() || !blanks.chars().all(|c| c.is_whitespace() || c == '\\') {
            self.owned().push(' ');
        } else {
            self.append(from, to);
        }
    }

    fn finish(&mut self) {
        if self.any {
            let (start, end) = self.span;
            self.current.text = self.owned.take().map_or(Cow::Borrowed(slice(self.text, start, end)), Cow::Owned);
            self.out.push(std::mem::take(&mut self.current));
        }
        self.span = (0, 0);
        self.last_end = None;
        self.removed_at = None;
        self.last_was_word = false;
        self.any = false;
    }
}

/// BASH-D04: the grammar takes a line that begins with a backslash for a word that begins with the line break.
pub(crate) fn starts_line(raw: &str) -> bool {
    let blanks = raw.trim_start_matches([' ', '\t', '\r']);
    blanks.starts_with('\n')
}

/// Nothing but backslashes before line breaks: the shell sees one word.
fn is_continuation(gap: &str) -> bool {
    gap.is_empty() || gap.starts_with('\\') && gap.replace("\\\r\n", "").replace("\\\n", "").is_empty()
}

/// A line break between two parts of one command: the grammar takes a line that begins with a backslash and a line break for
/// the rest of the line before, also behind a comment (BASH-D04).
fn breaks_line(gap: &str) -> bool {
    let mut rest = gap.strip_prefix(' ').unwrap_or(gap);
    loop {
        if rest.is_empty() {
            return false;
        }
        rest = rest.trim_start_matches([' ', '\t', '\r']);
        match rest.strip_prefix("\\\n").or_else(|| rest.strip_prefix("\\\r\n")) {
            Some(continued) => rest = continued,
            None => return rest.starts_with('\n') || rest.starts_with('#') && rest.contains('\n'),
        }
    }
}

/// Where a second line begins inside a statement of words (`export`, `unset`), which the grammar continues in the same way.
pub(crate) fn second_line(text: &str, arena: &Arena, node: NodeId) -> Option<usize> {
    let mut last: Option<usize> = None;
    for child in arena.children(node) {
        let at = arena.get(child);
        let (start, end) = (at.start as usize, at.end as usize);
        let gap = last.map_or("", |last| slice(text, last, start));
        if breaks_line(gap) || starts_line(slice(text, start, end)) {
            return last;
        }
        last = Some(end);
    }
    None
}

fn trim_start(word: &mut Word<'_>) {
    let cut = word.raw.len() - word.raw.trim_start().len();
    word.start += cut;
    trim_text(&mut word.raw);
    if let Some(token) = &mut word.token {
        trim_text(token);
    }
    if let Some(word::Piece::Text { text, quoted: false }) = word.pieces.first_mut() {
        trim_text(text);
    }
}

fn trim_text(text: &mut Cow<'_, str>) {
    match text {
        Cow::Borrowed(borrowed) => *borrowed = borrowed.trim_start(),
        Cow::Owned(owned) => *owned = owned.trim_start().to_owned(),
    }
}
