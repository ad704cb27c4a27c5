//! A cursor over text without comments that knows the places of the original text.

use std::iter::Peekable;
use std::slice;
use std::str::Chars;

use super::comments::{Cut, Stripped};
use super::node::Position;

/// Walks the remaining characters.
pub(crate) struct Cursor<'a> {
    rest: &'a str,
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
    pub(crate) fn new(stripped: &'a Stripped<'_>) -> Self {
        let mut cursor = Self {
            rest: &stripped.text,
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
        self.ahead().next()
    }

    /// The characters to come.
    pub(crate) fn ahead(&self) -> Chars<'a> {
        self.rest.chars()
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
        let c = self.peek()?;
        self.pass(c.len_utf8());
        Some(c)
    }

    /// Consumes the characters in front of the first one whose first byte ends them, or of a place where something was removed.
    pub(crate) fn run(&mut self, ends: impl Fn(u8) -> bool) -> &'a str {
        let to_cut = self.cuts.peek().map_or(self.rest.len(), |cut| cut.at.saturating_sub(self.consumed));
        let here = self.rest.get(..to_cut).unwrap_or(self.rest);
        let length = here.bytes().position(ends).unwrap_or(here.len());
        self.pass(length)
    }

    /// Consumes the character if it is that one.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.pass(wanted.len_utf8());
        }
        found
    }

    /// Consumes JSON's four blanks.
    pub(crate) fn skip_blanks(&mut self) {
        let is_blank = |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        while self.rest.bytes().next().is_some_and(is_blank) {
            self.run(|byte| !is_blank(byte));
        }
    }

    /// Consumes a piece in which nothing was removed.
    fn pass(&mut self, length: usize) -> &'a str {
        let Some((piece, rest)) = self.rest.split_at_checked(length) else { return "" };
        self.rest = rest;
        self.position = self.position.behind(piece);
        self.consumed += length;
        self.start += length;
        self.end = self.start;
        self.jump();
        piece
    }

    fn jump(&mut self) {
        while let Some(cut) = self.cuts.next_if(|cut| cut.at == self.consumed) {
            self.start = cut.resume;
            self.position = cut.position;
        }
    }
}
