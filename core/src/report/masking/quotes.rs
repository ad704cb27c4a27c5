//! Quotes within quotes, without a grammar: a stack of opening marks.
//!
//! A mark is a quote character with the backslashes in front of it; it closes the same mark, and a mark that is further out
//! closes everything inside. That fits shell payloads, JSON, and either inside the other.

/// A quote character and how it is escaped. An even number of backslashes stands for backslashes and escapes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    escapes: usize,
    quote: u8,
}

impl Mark {
    pub(super) fn is_apostrophe(self) -> bool {
        self.quote == b'\'' && self.escapes == 0
    }

    /// Whether at the top level this mark is an escaped character and no quote.
    pub(super) fn is_escaped(self) -> bool {
        self.escapes > 0
    }
}

/// The mark at a position, with its length in bytes.
pub(super) fn mark_at(bytes: &[u8], at: usize) -> Option<(Mark, usize)> {
    let rest = bytes.get(at..)?;
    let escapes = rest.iter().take_while(|b| **b == b'\\').count();
    let quote = *rest.get(escapes)?;
    if !matches!(quote, b'\'' | b'"') {
        return None;
    }
    let effective = if escapes % 2 == 0 { 0 } else { escapes };
    Some((Mark { escapes: effective, quote }, escapes + 1))
}

/// How deep marks are told apart. Deeper ones are taken for text.
const MAX_DEPTH: usize = 8;

/// The marks that are open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Quotes {
    open: Vec<Mark>,
}

impl Quotes {
    pub(super) fn is_top_level(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the mark closes one that is open.
    pub(super) fn closes(&self, mark: Mark) -> bool {
        self.open.contains(&self.effective(mark))
    }

    /// Whether closing this mark leads back to the top level.
    pub(super) fn closes_all(&self, mark: Mark) -> bool {
        self.open.first() == Some(&self.effective(mark))
    }

    /// In single quotes the shell knows no escapes: the next single quote ends them, whatever stands in front of it.
    fn effective(&self, mark: Mark) -> Mark {
        match self.open.first() {
            Some(first @ Mark { escapes: 0, quote: b'\'' }) if mark.quote == b'\'' => *first,
            _ => mark,
        }
    }

    /// The text passes this mark.
    pub(super) fn pass(&mut self, mark: Mark) {
        let mark = self.effective(mark);
        match self.open.iter().position(|open| *open == mark) {
            Some(at) => self.open.truncate(at),
            None if self.open.len() < MAX_DEPTH => self.open.push(mark),
            None => {}
        }
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
    }
}
