//! What both readers of messages share: bounds, the object, its members.

use std::fmt;

use serde_json::{Map, Value};

/// The largest message, in bytes (FWD-D10).
pub const MAX_MESSAGE_BYTES: u64 = 256 * 1024;

/// Why bytes are no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageFault {
    /// The kind, for decisions.
    pub kind: MessageFaultKind,
    /// What is wrong, for people.
    pub message: String,
}

/// The kinds of fault of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MessageFaultKind {
    /// Longer than [`MAX_MESSAGE_BYTES`].
    TooLarge,
    /// No JSON.
    Unreadable,
    /// No object, or a required member is missing or of the wrong type.
    Shape,
    /// Members contradict each other, or a state that never travels (FWD-D07).
    Contradiction,
}

impl MessageFault {
    pub(super) fn new(kind: MessageFaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl fmt::Display for MessageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MessageFault {}

/// The object that the bytes spell. Bytes that are no UTF-8 become replacement characters (FWD-005); nesting is bounded by the
/// parser.
pub(super) fn object_of(bytes: &[u8]) -> Result<Map<String, Value>, MessageFault> {
    if bytes.len() as u64 > MAX_MESSAGE_BYTES {
        return Err(MessageFault::new(MessageFaultKind::TooLarge, "the message is too large"));
    }
    match serde_json::from_str(&String::from_utf8_lossy(bytes)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(MessageFault::new(MessageFaultKind::Shape, "the message is no object")),
        Err(error) => Err(MessageFault::new(MessageFaultKind::Unreadable, error.to_string())),
    }
}

pub(super) fn required_text(object: &Map<String, Value>, key: &str) -> Result<String, MessageFault> {
    optional_text(object, key).ok_or_else(|| MessageFault::new(MessageFaultKind::Shape, format!("{key} is no text")))
}

pub(super) fn optional_text(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

/// Any number as whole milliseconds: below zero is zero, fractions are cut, what is too large is the largest.
pub(super) fn integer(value: &Value) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast from a float saturates, as wanted")]
    let cut = |number: f64| number as u64;
    value.as_u64().or_else(|| value.as_f64().map(cut))
}
