//! The tree that both readers (JSON and YAML) build.

use std::ops::Range;

use hashbrown::HashSet;

/// A place in a text; both count from 1, columns in Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    /// Line.
    pub(crate) line: u32,
    /// Column.
    pub(crate) column: u32,
}

impl Position {
    /// The first place of any text.
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// The place behind a text that begins here.
    pub(crate) fn behind(self, text: &str) -> Self {
        let mut place = self;
        // Each character has one byte that continues none.
        for byte in text.bytes().filter(|byte| byte & 0b1100_0000 != 0b1000_0000) {
            if byte == b'\n' {
                place = Self { line: place.line.saturating_add(1), column: 1 };
            } else {
                place.column = place.column.saturating_add(1);
            }
        }
        place
    }
}

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextFault {
    /// Where.
    pub(crate) at: Position,
    /// What was wrong, in lower case.
    pub(crate) message: String,
}

impl TextFault {
    /// A fault at a place.
    pub(crate) fn new(at: Position, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// The value.
    pub(crate) value: NodeValue,
    /// Where it begins.
    pub(crate) at: Position,
    /// The bytes of the original text that it covers; empty for YAML.
    pub(crate) span: Range<usize>,
}

/// The kinds of value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NodeValue {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number, as ECMAScript reads it.
    Number(f64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object: its members in the order of the text, duplicates included (POLICY-D07).
    Object(Vec<Member>),
    /// A YAML node that has no counterpart here, with a word for it.
    Unsupported(&'static str),
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    /// The key.
    pub(crate) key: String,
    /// Where the key begins.
    pub(crate) at: Position,
    /// The value.
    pub(crate) value: Node,
}

/// A key that stands a second time in one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Duplicate {
    /// Where the second one stands.
    pub(crate) at: Position,
    /// Member names and indices joined by `.`, the key last.
    pub(crate) location: String,
}

/// A text that parsed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Document {
    /// Its value.
    pub(crate) root: Node,
    /// All repeated keys, in the order of the text.
    pub(crate) duplicates: Vec<Duplicate>,
}

impl Node {
    /// The members, when this is an object.
    pub(crate) fn members(&self) -> Option<&[Member]> {
        match &self.value {
            NodeValue::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The text, when this is a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.value {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The last member of that name, as ECMAScript would see it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.members()?.iter().rev().find(|member| member.key == key).map(|member| &member.value)
    }

    /// What the value is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            NodeValue::Null => "null",
            NodeValue::Bool(_) => "a boolean",
            NodeValue::Number(_) => "a number",
            NodeValue::String(_) => "a string",
            NodeValue::Array(_) => "an array",
            NodeValue::Object(_) => "an object",
            NodeValue::Unsupported(word) => word,
        }
    }
}

/// Finds the repeated keys of one object; `path` is the object's own location.
pub(crate) fn find_duplicates(members: &[Member], path: &dyn Fn() -> String, found: &mut Vec<Duplicate>) {
    let mut seen = HashSet::with_capacity(members.len());
    for member in members {
        if !seen.insert(member.key.as_str()) {
            let parent = path();
            let location = if parent.is_empty() { member.key.clone() } else { format!("{parent}.{}", member.key) };
            found.push(Duplicate { at: member.at, location });
        }
    }
}
