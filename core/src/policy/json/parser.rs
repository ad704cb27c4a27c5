//! A strict JSON parser without recursion (CFG-006, CFG-007).

use super::MAX_DEPTH;
use super::comments::remove_comments;
use super::cursor::Cursor;
use super::node::{Document, Duplicate, Member, Node, NodeValue, Position, TextFault, find_duplicates};

/// Parses JSON with comments: comments are removed (CFG-005), the rest must be strict JSON (CFG-006).
pub(crate) fn parse_json(text: &str) -> Result<Document, TextFault> {
    let stripped = remove_comments(text);
    let mut parser = Parser { cursor: Cursor::new(&stripped), stack: Vec::new(), duplicates: Vec::new() };
    let root = parser.document()?;
    let mut duplicates = parser.duplicates;
    duplicates.sort_by_key(|duplicate| duplicate.at);
    Ok(Document { root, duplicates })
}

/// An array or object that is not closed yet.
struct Frame {
    at: Position,
    start: usize,
    kind: FrameKind,
}

enum FrameKind {
    Array(Vec<Node>),
    /// The members so far, and the key whose value comes next.
    Object(Vec<Member>, String, Position),
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    stack: Vec<Frame>,
    duplicates: Vec<Duplicate>,
}

impl Parser<'_> {
    fn document(&mut self) -> Result<Node, TextFault> {
        if self.cursor.peek() == Some('\u{feff}') {
            return Err(self.fault("the file starts with a byte-order mark; remove it"));
        }
        loop {
            let Some(mut done) = self.begin_value()? else { continue };
            loop {
                self.cursor.skip_blanks();
                let Some(frame) = self.stack.pop() else {
                    return match self.cursor.peek() {
                        None => Ok(done),
                        Some(c) => Err(self.fault(format!("unexpected {} after the end of the document", show(c)))),
                    };
                };
                match self.attach(frame, done)? {
                    Some(closed) => done = closed,
                    None => break,
                }
            }
        }
    }

    /// Reads a scalar or an empty collection; `None` when a collection was opened and its first value comes next.
    fn begin_value(&mut self) -> Result<Option<Node>, TextFault> {
        self.cursor.skip_blanks();
        let at = self.cursor.position();
        let start = self.cursor.start();
        let value = match self.cursor.peek() {
            Some('{') => return self.open(at, start, true),
            Some('[') => return self.open(at, start, false),
            Some('"') => NodeValue::String(self.string()?),
            Some('t') => self.word("true", NodeValue::Bool(true))?,
            Some('f') => self.word("false", NodeValue::Bool(false))?,
            Some('n') => self.word("null", NodeValue::Null)?,
            Some('-' | '0'..='9') => NodeValue::Number(self.number()?),
            other => return Err(self.unexpected(other, "a value")),
        };
        Ok(Some(Node { value, at, span: start..self.cursor.end() }))
    }

    fn open(&mut self, at: Position, start: usize, object: bool) -> Result<Option<Node>, TextFault> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(self.fault(format!("nested more than {MAX_DEPTH} levels deep")));
        }
        self.cursor.next();
        self.cursor.skip_blanks();
        if self.cursor.eat(if object { '}' } else { ']' }) {
            let value = if object { NodeValue::Object(Vec::new()) } else { NodeValue::Array(Vec::new()) };
            return Ok(Some(Node { value, at, span: start..self.cursor.end() }));
        }
        let kind = if object {
            let (key, place) = self.key("a member name or `}`")?;
            FrameKind::Object(Vec::new(), key, place)
        } else {
            FrameKind::Array(Vec::new())
        };
        self.stack.push(Frame { at, start, kind });
        Ok(None)
    }

    /// Puts a finished value into its collection; gives the collection when that closes.
    fn attach(&mut self, frame: Frame, value: Node) -> Result<Option<Node>, TextFault> {
        let Frame { at, start, kind } = frame;
        let next = self.cursor.peek();
        match kind {
            FrameKind::Array(mut items) => {
                items.push(value);
                match next {
                    Some(',') => {
                        self.cursor.next();
                        self.stack.push(Frame { at, start, kind: FrameKind::Array(items) });
                        Ok(None)
                    }
                    Some(']') => {
                        self.cursor.next();
                        Ok(Some(Node { value: NodeValue::Array(items), at, span: start..self.cursor.end() }))
                    }
                    other => Err(self.unexpected(other, "`,` or `]`")),
                }
            }
            FrameKind::Object(mut members, key, place) => {
                members.push(Member { key, at: place, value });
                match next {
                    Some(',') => {
                        self.cursor.next();
                        let (key, place) = self.key("a member name")?;
                        self.stack.push(Frame { at, start, kind: FrameKind::Object(members, key, place) });
                        Ok(None)
                    }
                    Some('}') => {
                        self.cursor.next();
                        let stack = &self.stack;
                        find_duplicates(&members, &|| path_of(stack), &mut self.duplicates);
                        Ok(Some(Node { value: NodeValue::Object(members), at, span: start..self.cursor.end() }))
                    }
                    other => Err(self.unexpected(other, "`,` or `}`")),
                }
            }
        }
    }

    fn key(&mut self, expected: &str) -> Result<(String, Position), TextFault> {
        self.cursor.skip_blanks();
        let at = self.cursor.position();
        if self.cursor.peek() != Some('"') {
            return Err(self.unexpected(self.cursor.peek(), expected));
        }
        let key = self.string()?;
        self.cursor.skip_blanks();
        if !self.cursor.eat(':') {
            return Err(self.unexpected(self.cursor.peek(), "`:`"));
        }
        Ok((key, at))
    }

    fn word(&mut self, word: &str, value: NodeValue) -> Result<NodeValue, TextFault> {
        for wanted in word.chars() {
            if !self.cursor.eat(wanted) {
                return Err(self.unexpected(self.cursor.peek(), &format!("`{word}`")));
            }
        }
        Ok(value)
    }

    fn number(&mut self) -> Result<f64, TextFault> {
        let at = self.cursor.position();
        let mut text = String::new();
        self.take('-', &mut text);
        if !self.take('0', &mut text) {
            self.digits(&mut text)?;
        }
        if self.take('.', &mut text) {
            self.digits(&mut text)?;
        }
        if self.take('e', &mut text) || self.take('E', &mut text) {
            let _signed = self.take('+', &mut text) || self.take('-', &mut text);
            self.digits(&mut text)?;
        }
        text.parse().map_err(|_| TextFault::new(at, "not a number"))
    }

    fn take(&mut self, wanted: char, text: &mut String) -> bool {
        let found = self.cursor.eat(wanted);
        if found {
            text.push(wanted);
        }
        found
    }

    fn digits(&mut self, text: &mut String) -> Result<(), TextFault> {
        if !self.cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(self.unexpected(self.cursor.peek(), "a digit"));
        }
        while let Some(digit) = self.cursor.peek().filter(char::is_ascii_digit) {
            text.push(digit);
            self.cursor.next();
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, TextFault> {
        let opened = self.cursor.position();
        self.cursor.next();
        let mut text = String::new();
        loop {
            text.push_str(self.cursor.run(|byte| matches!(byte, b'"' | b'\\' | ..b' ')));
            let at = self.cursor.position();
            match self.cursor.next() {
                None => return Err(TextFault::new(opened, "a string that does not end")),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape(at)?),
                Some(c) if c < ' ' => {
                    return Err(TextFault::new(at, format!("a control character ({}) inside a string", show(c))));
                }
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self, at: Position) -> Result<char, TextFault> {
        match self.cursor.next() {
            Some(c @ ('"' | '\\' | '/')) => Ok(c),
            Some('b') => Ok('\u{8}'),
            Some('f') => Ok('\u{c}'),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => self.unicode_escape(at),
            _ => Err(TextFault::new(at, "an escape that JSON does not know")),
        }
    }

    /// A lone half of a surrogate pair has no character of its own; it is replaced, as invalid UTF-8 is.
    fn unicode_escape(&mut self, at: Position) -> Result<char, TextFault> {
        let first = self.hex4(at)?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        match self.low_surrogate_ahead() {
            Some(second) => {
                for _ in 0..6 {
                    self.cursor.next();
                }
                let scalar = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                Ok(char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            None => Ok(char::REPLACEMENT_CHARACTER),
        }
    }

    fn hex4(&mut self, at: Position) -> Result<u32, TextFault> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.cursor.next().and_then(|c| c.to_digit(16));
            value = value * 16 + digit.ok_or_else(|| TextFault::new(at, "a `\\u` escape without four hexadecimal digits"))?;
        }
        Ok(value)
    }

    fn low_surrogate_ahead(&self) -> Option<u32> {
        let mut ahead = self.cursor.ahead();
        if ahead.next() != Some('\\') || ahead.next() != Some('u') {
            return None;
        }
        let mut value = 0;
        for _ in 0..4 {
            value = value * 16 + ahead.next()?.to_digit(16)?;
        }
        (0xdc00..0xe000).contains(&value).then_some(value)
    }

    fn unexpected(&self, found: Option<char>, expected: &str) -> TextFault {
        match found {
            Some(c) => self.fault(format!("expected {expected}, found {}", show(c))),
            None => self.fault(format!("expected {expected}, found the end of the text")),
        }
    }

    fn fault(&self, message: impl Into<String>) -> TextFault {
        TextFault::new(self.cursor.position(), message)
    }
}

/// The location of the value that comes next.
fn path_of(stack: &[Frame]) -> String {
    let parts: Vec<String> = stack
        .iter()
        .map(|frame| match &frame.kind {
            FrameKind::Array(items) => items.len().to_string(),
            FrameKind::Object(_, key, _) => key.clone(),
        })
        .collect();
    parts.join(".")
}

fn show(c: char) -> String {
    if c.is_control() || c == '\u{feff}' { format!("U+{:04X}", u32::from(c)) } else { format!("`{c}`") }
}
