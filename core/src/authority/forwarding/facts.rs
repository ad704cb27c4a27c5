//! The facts of an ask: all that somebody in another session needs to judge it without deriving anything anew (HARD-009).
//!
//! Facts with a member that this version does not know are no facts: the member may hold back what the rest allows (RES-55).

use serde::{Deserialize, Serialize};

use crate::policy::{Direction, FloorKind, UnitContext};

/// What still asks after the asking session's own policy (5.5, 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskFacts {
    /// The gate that asks (closed list, section 6).
    pub gate: String,
    /// Its surface: a tool, `bash`, `mcp`, `skill` or a family, never a member.
    pub surface: String,
    /// What the access is proven to do; absent outside path surfaces. The stricter one where items differ.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub direction: Option<Direction>,
    /// The asking session's directory after links.
    pub cwd: String,
    /// The invoked tool.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool: Option<String>,
    /// What asks, each by itself.
    pub items: Vec<FactItem>,
    /// What a person is shown.
    pub prompt: FactPrompt,
}

/// One thing that asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum FactItem {
    /// A path.
    Path {
        /// As the caller wrote it.
        typed: String,
        /// Absolute, links not followed.
        lexical: String,
        /// Relative to the asking session's directory, when inside.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        relative: Option<String>,
        /// After links.
        canonical: String,
        /// Further spellings that deny and ask rules see (RES-14).
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        spellings: Vec<String>,
        /// Nobody can tell the directory (RES-51).
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        unknown_place: bool,
        /// The direction of this path, where it is not the one of all.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        direction: Option<Direction>,
        /// Its floors.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        floors: Vec<FactFloor>,
    },
    /// A command that the shell would run.
    Unit {
        /// What it runs, as typed.
        text: String,
        /// Further spellings that deny and ask rules see.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        spellings: Vec<String>,
        /// What it is nested in.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        context: Option<UnitContext>,
        /// Its floors.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        floors: Vec<FactFloor>,
    },
    /// An MCP call by all its names.
    Mcp {
        /// Every name that any rule may use.
        candidates: Vec<String>,
        /// Further names that only deny and ask rules see: those of generic calls that the called tool shares (HARD-026).
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        spellings: Vec<String>,
        /// The call's own name: what grants are compared with, and what one stores unless it holds a wildcard (RES-30).
        #[serde(skip_serializing_if = "Option::is_none", default)]
        grant_name: Option<String>,
        /// The native tool's own name.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        own_tool: Option<String>,
    },
    /// A plain value: a skill's name, `*` of an extension tool.
    Value {
        /// The value.
        value: String,
    },
}

/// A floor that the asking session put on an item (HARD-010).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FactFloor {
    /// Which one.
    pub kind: FloorKind,
    /// The options whose spelling in a grant lifts it (HARD-057).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub options: Vec<String>,
}

/// What a person is shown of the call, beside the message. Unescaped; the serving session escapes and caps (HARD-062).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FactPrompt {
    /// The whole command.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command: Option<String>,
    /// The path as typed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub path: Option<String>,
    /// The MCP target.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<String>,
    /// The skill.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub skill_name: Option<String>,
    /// The preview of the input.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool_input_preview: Option<String>,
    /// The message with every fact in full, when `message` of the request abbreviates.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub full_message: String,
}
