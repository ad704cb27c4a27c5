//! The protocol of docs/protocol.md: one JSON object a line, requests of the runner and answers of the implementation.
//!
//! This room decides what a message looks like, and says in words what is wrong with one. It knows nothing of processes and time.

mod answer;
mod message;
mod request;
mod schema;
mod server;

pub use answer::{Answer, Reply};
pub use message::Message;
pub use request::{Call, Request};
pub use schema::schema;
pub use server::serve;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::implementation::Hello;
use crate::scenario::{Capability, Level};

/// The version of the protocol. It grows when an adapter written before would misread a message or be misread.
pub const VERSION: u32 = 1;

/// The longest line that is read, in bytes, on both sides.
pub const MAX_LINE: usize = 16 * 1024 * 1024;

/// The `result` of `hello`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HelloResult {
    /// The version of the protocol that the implementation speaks.
    pub protocol: u32,
    /// Name of the implementation.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language it is written in.
    pub language: String,
    /// Where it lives.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub homepage: Option<String>,
    /// Where its faults are reported.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub issues: Option<String>,
    /// What it can do; scenarios that need more are skipped.
    pub capabilities: Vec<Capability>,
    /// The levels it claims; scenarios of another are skipped.
    pub levels: Vec<Level>,
}

impl From<Hello> for HelloResult {
    fn from(hello: Hello) -> Self {
        let Hello { name, version, language, homepage, issues, capabilities, levels } = hello;
        Self { protocol: VERSION, name, version, language, homepage, issues, capabilities, levels }
    }
}

impl From<HelloResult> for Hello {
    fn from(result: HelloResult) -> Self {
        let HelloResult { protocol: _, name, version, language, homepage, issues, capabilities, levels } = result;
        Self { name, version, language, homepage, issues, capabilities, levels }
    }
}

/// The `result` of `begin`, `end` and `bye`: nothing to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Done {}

#[cfg(test)]
mod tests;
