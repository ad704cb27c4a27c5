//! What a call touches: the kind of its tool, its input, the paths, commands and MCP names in it.
//!
//! This room turns outside data into plain facts and decides nothing: it knows no rule and no answer.

pub mod path;
pub mod shell;
