//! The package's line format (CFG-018), kept for one purpose: reading the restrictions of a block that is no YAML (RES-06).

use std::collections::HashMap;

use super::super::json::{Document, Member, Node, NodeValue, Position};
use crate::text::{is_js_space, js_trim};

/// Maps below this level are not kept: a policy needs four.
const MAX_LEVELS: usize = 8;

/// Reads `key: value` lines; `lines_before` of the file stand before the text.
pub(crate) fn parse_lines(text: &str, lines_before: u32) -> Document {
    let mut reader = Reader { open: vec![Open::new(None, None)] };
    let mut line_number = lines_before;
    for line in text.split('\n') {
        line_number = line_number.saturating_add(1);
        reader.line(line, line_number);
    }
    Document { root: reader.finish(), duplicates: Vec::new() }
}

/// A map whose lines are being read.
struct Open {
    /// How far the line that opened it was indented; `None` for the root.
    indent: Option<usize>,
    key: Option<(String, Position)>,
    members: Vec<Member>,
    /// Where each key stands in `members`.
    index: HashMap<String, usize>,
}

impl Open {
    fn new(indent: Option<usize>, key: Option<(String, Position)>) -> Self {
        Self { indent, key, members: Vec::new(), index: HashMap::new() }
    }

    /// A repeated key keeps its place and takes the later value.
    fn put(&mut self, key: String, at: Position, value: NodeValue) {
        let value = Node { value, at, span: 0..0 };
        match self.index.get(&key).and_then(|index| self.members.get_mut(*index)) {
            Some(member) => member.value = value,
            None => {
                self.index.insert(key.clone(), self.members.len());
                self.members.push(Member { key, at, value });
            }
        }
    }
}

struct Reader {
    open: Vec<Open>,
}

impl Reader {
    fn line(&mut self, line: &str, number: u32) {
        let indent = line.chars().take_while(|c| is_js_space(*c)).count();
        let text = js_trim(line);
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        let Some((key, value)) = text.split_once(':').filter(|(key, _)| !key.is_empty()) else { return };
        while self.open.last().is_some_and(|map| map.indent.is_some_and(|opened| opened >= indent)) {
            self.close();
        }
        let column = u32::try_from(indent).unwrap_or(u32::MAX).saturating_add(1);
        let at = Position { line: number, column };
        let key = strip_key(js_trim(key)).to_owned();
        let value = js_trim(value);
        if value.is_empty() {
            self.open.push(Open::new(Some(indent), Some((key, at))));
        } else if let Some(map) = self.open.last_mut() {
            map.put(key, at, NodeValue::String(strip_value(value).to_owned()));
        }
    }

    /// Moves the innermost map into the one around it.
    fn close(&mut self) {
        let deep = self.open.len() > MAX_LEVELS;
        let Some(map) = self.open.pop() else { return };
        let (Some((key, at)), Some(parent)) = (map.key, self.open.last_mut()) else { return };
        let members = if deep { Vec::new() } else { map.members };
        parent.put(key, at, NodeValue::Object(members));
    }

    fn finish(mut self) -> Node {
        while self.open.len() > 1 {
            self.close();
        }
        let members = self.open.pop().map(|root| root.members).unwrap_or_default();
        Node { value: NodeValue::Object(members), at: Position::START, span: 0..0 }
    }
}

/// At most one quote character is lost at each end.
fn strip_key(key: &str) -> &str {
    let key = key.strip_prefix(['"', '\'']).unwrap_or(key);
    key.strip_suffix(['"', '\'']).unwrap_or(key)
}

/// Quotes go only as a pair; a lone quote is a pair of its own.
fn strip_value(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote) {
            if rest.is_empty() {
                return "";
            }
            return rest.strip_suffix(quote).unwrap_or(value);
        }
    }
    value
}
