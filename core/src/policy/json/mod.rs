//! The text of configuration files: JSON with comments, read into a tree that knows where everything stands (CFG-005 to
//! CFG-007).
//!
//! The reader is our own for four reasons: members keep the order of the text whatever their names look like (POLICY-D07),
//! every key and value has a line and column, duplicate keys are found at any depth (HARD-061), and a text nested however
//! deeply is a fault and never a crash. This room knows nothing about policy.

mod comments;
mod cursor;
mod node;
mod parser;

pub(crate) use comments::remove_comments;
pub(crate) use node::{Document, Duplicate, Member, Node, NodeValue, Position, TextFault, find_duplicates};
pub(crate) use parser::parse_json;

/// How deeply arrays and objects may nest. A valid policy needs five levels.
pub(crate) const MAX_DEPTH: usize = 64;

#[cfg(test)]
mod tests;
