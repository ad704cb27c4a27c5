//! Removal of comments before JSON parsing (CFG-005).

use super::node::Position;

/// The text without comments, and where in the original its pieces stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stripped {
    /// What is left.
    pub(crate) text: String,
    /// The removed places, in order.
    pub(crate) cuts: Vec<Cut>,
}

/// One removed comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The byte of the remaining text before which the comment stood.
    pub(crate) at: usize,
    /// The byte of the original text at which the text goes on.
    pub(crate) resume: usize,
    /// The place of that byte.
    pub(crate) position: Position,
}

/// Removes comments by one scan from left to right (CFG-005).
///
/// `//` goes up to, not including, the next LF; `/* … */` goes with nothing put in its place; an unterminated block comment
/// takes the rest. Inside a string, opened by `"` or by `'`, nothing is removed; a backslash escapes the next character.
pub(crate) fn remove_comments(text: &str) -> Stripped {
    let mut scan = Scan { text, offset: 0, position: Position::START, out: String::with_capacity(text.len()), cuts: Vec::new() };
    let mut quote = None;
    while let Some(c) = scan.peek() {
        match (quote, c) {
            (Some(_), '\\') => {
                scan.keep();
                scan.keep();
            }
            (Some(open), _) => {
                scan.keep();
                if c == open {
                    quote = None;
                }
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                scan.keep();
            }
            (None, '/') if scan.starts_with("//") => scan.cut_line(),
            (None, '/') if scan.starts_with("/*") => scan.cut_block(),
            (None, _) => scan.keep(),
        }
    }
    Stripped { text: scan.out, cuts: scan.cuts }
}

struct Scan<'a> {
    text: &'a str,
    offset: usize,
    position: Position,
    out: String,
    cuts: Vec<Cut>,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.offset..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn starts_with(&self, prefix: &str) -> bool {
        self.rest().starts_with(prefix)
    }

    fn skip(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.offset += c.len_utf8();
        if c == '\n' {
            self.position = Position { line: self.position.line.saturating_add(1), column: 1 };
        } else {
            self.position.column = self.position.column.saturating_add(1);
        }
        Some(c)
    }

    fn keep(&mut self) {
        if let Some(c) = self.skip() {
            self.out.push(c);
        }
    }

    fn cut_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.skip();
        }
        self.mark();
    }

    fn cut_block(&mut self) {
        // The opening two characters first: the star of `/*/` does not close.
        self.skip();
        self.skip();
        while self.peek().is_some() && !self.starts_with("*/") {
            self.skip();
        }
        self.skip();
        self.skip();
        self.mark();
    }

    fn mark(&mut self) {
        self.cuts.push(Cut { at: self.out.len(), resume: self.offset, position: self.position });
    }
}
