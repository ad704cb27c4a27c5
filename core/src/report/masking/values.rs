//! Where a value ends. All readers stop at a mark that closes what was open before the value began, and at the end of the text.

use super::quotes::{Mark, Quotes, mark_at};

/// A text and the quotes that are open where the value begins.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) quotes: &'t Quotes,
}

impl Reader<'_> {
    fn at(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The mark at a position when it closes what was open before.
    pub(super) fn closing_at(&self, at: usize) -> Option<(Mark, usize)> {
        mark_at(self.bytes, at).filter(|(mark, _)| self.quotes.closes(*mark))
    }

    /// A mark at a position that opens something new.
    pub(super) fn opening_at(&self, at: usize) -> Option<(Mark, usize)> {
        let (mark, length) = mark_at(self.bytes, at).filter(|(mark, _)| !self.quotes.closes(*mark))?;
        // At the top level an escaped quote is a character of a word.
        (!(self.quotes.is_top_level() && mark.is_escaped())).then_some((mark, length))
    }

    /// The end of a shell word's rest (assignments, options): quotes, escapes and substitutions belong to it.
    pub(super) fn shell_word(&self, start: usize) -> usize {
        if self.at(start) == Some(b'(') {
            return self.balanced(start);
        }
        let mut at = start;
        while let Some(byte) = self.at(at) {
            if self.closing_at(at).is_some() {
                break;
            }
            at = match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                b'$' if self.at(at + 1) == Some(b'(') => self.balanced(at + 1),
                b'$' if self.at(at + 1) == Some(b'{') => self.balanced(at + 1),
                b'`' => self.through_backquote(at),
                _ => self.step(at),
            };
        }
        at
    }

    /// The end of what a closing mark ends: everything up to it.
    pub(super) fn until_closing(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.bytes.len() && self.closing_at(at).is_none() {
            at = self.step_plain(at);
        }
        at
    }

    /// The end of a line of plain text: a header, a key of YAML. `in_shell` also ends it where the shell would begin a new command.
    pub(super) fn line(&self, start: usize, in_shell: bool, is_cookie: bool) -> usize {
        let mut at = start;
        while let Some(byte) = self.at(at) {
            if matches!(byte, b'\n' | b'\r') || self.closing_at(at).is_some() {
                break;
            }
            if in_shell {
                let doubled = self.at(at + 1) == Some(byte);
                match byte {
                    b'|' => break,
                    b'&' if doubled => break,
                    b';' if !(is_cookie && self.is_cookie_pair(at + 1)) => break,
                    _ => {}
                }
                at = self.step(at);
            } else {
                at = self.step_plain(at);
            }
        }
        // Blanks before the end belong to what follows.
        while at > start && matches!(self.at(at - 1), Some(b' ' | b'\t')) {
            at -= 1;
        }
        at
    }

    /// ` name=`: one more pair of a cookie.
    fn is_cookie_pair(&self, start: usize) -> bool {
        const LONGEST_NAME: usize = 256;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let blanks = rest.iter().take_while(|b| **b == b' ').count();
        let name =
            rest.iter().skip(blanks).take(LONGEST_NAME).take_while(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b)).count();
        name > 0 && rest.get(blanks + name) == Some(&b'=')
    }

    /// The end of a bare word of JSON.
    pub(super) fn json_scalar(&self, start: usize) -> usize {
        let mut at = start;
        while let Some(byte) = self.at(at) {
            if self.closing_at(at).is_some() || matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r') {
                break;
            }
            at = self.step(at);
        }
        at
    }

    /// Behind the bracket that closes the one at `start`. Brackets of other kinds are text.
    pub(super) fn balanced(&self, start: usize) -> usize {
        let (open, close) = match self.at(start) {
            Some(b'{') => (b'{', b'}'),
            Some(b'[') => (b'[', b']'),
            _ => (b'(', b')'),
        };
        let mut depth = 0_usize;
        let mut at = start;
        while let Some(byte) = self.at(at) {
            if self.closing_at(at).is_some() {
                break;
            }
            if byte == open {
                depth += 1;
            } else if byte == close {
                depth = depth.saturating_sub(1);
            }
            at = self.step(at);
            if depth == 0 {
                break;
            }
        }
        at
    }

    /// The position of the mark that closes the one that was just passed; `None` when something else ends it first.
    pub(super) fn until_same_mark(&self, start: usize, mark: Mark) -> (usize, Option<usize>) {
        let mut at = start;
        while at < self.bytes.len() {
            if let Some((other, length)) = mark_at(self.bytes, at) {
                if other == mark {
                    return (at, Some(length));
                }
                if self.quotes.closes(other) {
                    return (at, None);
                }
            }
            at = self.step_plain(at);
        }
        (at, None)
    }

    /// One character, one escaped character, or one quoted piece.
    fn step(&self, at: usize) -> usize {
        if let Some((mark, length)) = self.opening_at(at) {
            let (end, closing) = self.until_same_mark(at + length, mark);
            return end + closing.unwrap_or(0);
        }
        self.step_plain(at)
    }

    /// One byte, or a backslash run with what it escapes.
    fn step_plain(&self, at: usize) -> usize {
        if self.at(at) != Some(b'\\') {
            return at + 1;
        }
        // A run of backslashes is passed at once, so that no mark is looked for inside it; a mark behind it that closes
        // something stops the reader.
        let run = self.bytes.get(at..).unwrap_or_default().iter().take_while(|b| **b == b'\\').count();
        match self.at(at + run) {
            Some(b'\'' | b'"') => at + run + 1,
            Some(_) if run % 2 == 1 => self.char_end(at + run),
            _ => at + run,
        }
    }

    /// Behind the character at a position, whose first byte may be followed by others.
    fn char_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        while self.at(end).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000) {
            end += 1;
        }
        end
    }

    fn through_backquote(&self, start: usize) -> usize {
        let mut at = start + 1;
        while let Some(byte) = self.at(at) {
            if self.closing_at(at).is_some() {
                break;
            }
            at = self.step_plain(at);
            if byte == b'`' {
                break;
            }
        }
        at
    }
}
