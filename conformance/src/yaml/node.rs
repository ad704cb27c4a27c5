//! One node of the tree, and what it is in the core schema of YAML 1.2.

use std::sync::Arc;

use serde_json::Value;

use crate::source::Place;

/// A node and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is.
    pub yaml: Yaml,
    /// Where it stands. For a value that came through an alias, where it is defined.
    pub place: Place,
    /// Levels below it.
    pub(crate) depth: usize,
    /// Nodes in it, itself included.
    pub(crate) size: usize,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
pub enum Yaml {
    /// A scalar: its text, and whether it was written without quotes.
    Scalar {
        /// The text after escapes.
        text: Arc<str>,
        /// Written bare, so that `null`, `true` and numbers are what they look like.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the text. No key repeats.
    Map(Vec<Entry>),
}

/// One entry of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key's text.
    pub key: Arc<str>,
    /// Where the key stands.
    pub place: Place,
    /// The value.
    pub value: Node,
}

impl Node {
    /// A text node that stands at the place (the value of a placeholder, a default).
    pub fn text(text: impl Into<Arc<str>>, place: Place) -> Self {
        Self { yaml: Yaml::Scalar { text: text.into(), plain: false }, place, depth: 0, size: 1 }
    }

    /// Whether it is `null`, `~` or empty, unquoted.
    pub fn is_null(&self) -> bool {
        matches!(&self.yaml, Yaml::Scalar { text, plain: true } if matches!(&**text, "" | "~" | "null" | "Null" | "NULL"))
    }

    /// The text, if it is one: quoted, or bare and neither null, boolean nor number.
    pub fn as_text(&self) -> Option<&str> {
        match &self.yaml {
            Yaml::Scalar { text, plain: false } => Some(text),
            Yaml::Scalar { text, plain: true } => matches!(plain_value(text), Value::String(_)).then_some(&**text),
            _ => None,
        }
    }

    /// The scalar's text whatever it means.
    pub fn scalar_text(&self) -> Option<&str> {
        match &self.yaml {
            Yaml::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The entries, if it is a map.
    pub fn as_map(&self) -> Option<&[Entry]> {
        match &self.yaml {
            Yaml::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The items, if it is a list.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.yaml {
            Yaml::List(items) => Some(items),
            _ => None,
        }
    }

    /// The value of a key, if it is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_map()?.iter().find(|entry| &*entry.key == key).map(|entry| &entry.value)
    }

    /// The node as JSON. The tree is at most [`super::MAX_DEPTH`] deep, so the recursion is bounded.
    pub fn to_json(&self) -> Value {
        match &self.yaml {
            Yaml::Scalar { text, plain: false } => Value::String(text.to_string()),
            Yaml::Scalar { text, plain: true } => plain_value(text),
            Yaml::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Yaml::Map(entries) => {
                Value::Object(entries.iter().map(|entry| (entry.key.to_string(), entry.value.to_json())).collect())
            }
        }
    }

    /// What it is, in the words of messages.
    pub fn describe(&self) -> &'static str {
        match &self.yaml {
            Yaml::List(_) => "a list",
            Yaml::Map(_) => "a map",
            Yaml::Scalar { .. } => match self.to_json() {
                Value::Null => "nothing",
                Value::Bool(_) => "true or false",
                Value::Number(_) => "a number",
                _ => "a text",
            },
        }
    }

    /// An empty node at the same place, to be given another content.
    pub(crate) fn clone_place(&self) -> Self {
        Self { yaml: Yaml::List(Vec::new()), place: self.place, depth: self.depth, size: self.size }
    }

    /// Sets depth and size from the children.
    pub(crate) fn measured(mut self) -> Self {
        let (depth, size) = match &self.yaml {
            Yaml::Scalar { .. } => (0, 1),
            Yaml::List(items) => (
                items.iter().map(|item| item.depth + 1).max().unwrap_or(1),
                1 + items.iter().map(|item| item.size).sum::<usize>(),
            ),
            Yaml::Map(entries) => (
                entries.iter().map(|entry| entry.value.depth + 1).max().unwrap_or(1),
                1 + entries.iter().map(|entry| entry.value.size + 1).sum::<usize>(),
            ),
        };
        self.depth = depth;
        self.size = size;
        self
    }
}

/// What a bare scalar means in the core schema.
fn plain_value(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).unwrap_or_else(|| Value::String(text.to_owned())),
    }
}

fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(octal) = text.strip_prefix("0o") {
        return i64::from_str_radix(octal, 8).ok().map(Value::from);
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).ok().map(Value::from);
    }
    let first = digits.bytes().next()?;
    if !(first.is_ascii_digit() || (first == b'.' && digits.len() > 1)) {
        return None;
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-')) {
        return None;
    }
    if let Ok(whole) = text.strip_prefix('+').unwrap_or(text).parse::<i64>() {
        return Some(Value::from(whole));
    }
    text.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map(Value::Number)
}
