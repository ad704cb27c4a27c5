//! Texts with place placeholders: `${CWD}`, `${HOME}`, `${AGENT_DIR}`, and in expectations `${REQUEST_ID}` and `${ANY}`.
//!
//! Table columns are filled in before a text comes here; what is left are places of the world, known only when it is built.

use std::fmt;

/// One part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// As written.
    Literal(String),
    /// A place of the world: `CWD`, `HOME` or `AGENT_DIR`.
    Place(&'static str),
    /// An id of FWD-003's shape.
    RequestId,
    /// Anything.
    Any,
}

/// A text in parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    /// The parts in order.
    pub parts: Vec<Part>,
}

/// Names of places.
pub const PLACES: [&str; 3] = ["CWD", "HOME", "AGENT_DIR"];
/// Names that only expectations know.
pub const WILD: [&str; 2] = ["REQUEST_ID", "ANY"];
/// Names that only what is staged knows: the time, and id and nonce of the request that waits in the folder.
pub const EXCHANGE: [&str; 3] = ["NOW", "REQUEST", "NONCE"];

impl Template {
    /// Reads a text; other `${…}` stay as they are (the loader has refused unknown names before).
    pub fn parse(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            literal.push_str(before);
            if let Some(escaped) = after.strip_prefix("${") {
                literal.push_str("${");
                rest = escaped;
                continue;
            }
            let part = after.strip_prefix('{').and_then(|inner| inner.split_once('}')).and_then(|(name, tail)| {
                let part = match name {
                    "REQUEST_ID" => Part::RequestId,
                    "ANY" => Part::Any,
                    _ => Part::Place(PLACES.into_iter().find(|place| *place == name)?),
                };
                Some((part, tail))
            });
            match part {
                Some((part, tail)) => {
                    if !literal.is_empty() {
                        parts.push(Part::Literal(std::mem::take(&mut literal)));
                    }
                    parts.push(part);
                    rest = tail;
                }
                None => {
                    literal.push('$');
                    rest = after;
                }
            }
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Self { parts }
    }

    /// The text with places filled in by `place`; wild parts are kept as written.
    pub fn fill(&self, place: &dyn Fn(&str) -> String) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Place(name) => text.push_str(&place(name)),
                Part::RequestId => text.push_str("${REQUEST_ID}"),
                Part::Any => text.push_str("${ANY}"),
            }
        }
        text
    }

    /// Whether the text has a wild part.
    pub fn is_wild(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Any | Part::RequestId))
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fill(&|name| format!("${{{name}}}")))
    }
}
