//! A cursor over text without comments that knows the places of the original text.

use std::iter::Peekable;
use std::slice;
use std::str::Chars;

use super::comments::{Cut, Stripped};
use super::node::Position;

/// Walks the remaining characters.
pub(crate) struct Cursor<'a> {
    rest: Chars<'a>,
    /// Bytes consumed of the remaining text.
    consumed: usize,
    /// Byte of the original text at which the next character stands.
    start: usize,
    /// Byte of the original text behind the last consumed character.
    end: usize,
    position: Position,
    cuts: Peekable<slice::Iter<'a, Cut>>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(stripped: &'a Stripped) -> Self {
        let mut cursor = Self {
            rest: stripped.text.chars(),
            consumed: 0,
            start: 0,
            end: 0,
            position: Position::START,
            cuts: stripped.cuts.iter().peekable(),
        };
        cursor.jump();
        cursor
    }

    /// The next character, not consumed.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// The characters to come.
    pub(crate) fn ahead(&self) -> Chars<'a> {
        self.rest.clone()
    }

    /// The place of the next character.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// The original byte of the next character.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The original byte behind the last consumed character.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Consumes one character.
    pub(crate) fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        self.consumed += c.len_utf8();
        self.start += c.len_utf8();
        self.end = self.start;
        if c == '\n' {
            self.position = Position { line: self.position.line.saturating_add(1), column: 1 };
        } else {
            self.position.column = self.position.column.saturating_add(1);
        }
        self.jump();
        Some(c)
    }

    /// Consumes the character if it is that one.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    /// Consumes JSON's four blanks.
    pub(crate) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.next();
        }
    }

    fn jump(&mut self) {
        while let Some(cut) = self.cuts.next_if(|cut| cut.at == self.consumed) {
            self.start = cut.resume;
            self.position = cut.position;
        }
    }
}
