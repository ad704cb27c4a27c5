//! YAML with places: a tree of nodes, each of which knows where it stands.
//!
//! This room knows YAML and nothing of scenarios. It is strict where YAML is generous: keys are scalars and never repeat, tags and
//! further documents are refused, and the size of everything is bounded, aliases included.

mod node;
mod parse;

pub use node::{Entry, Node, Yaml};
pub use parse::{MAX_DEPTH, MAX_NODES, parse};

#[cfg(test)]
mod tests;
