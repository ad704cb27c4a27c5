//! The words of a rule: state, scope, layer, origin, source, direction (closed lists of docs/spec/README.md, section 6).

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident => $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$vmeta])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word as files, events and logs spell it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The value of an exact word.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// The three answers, from mild to strict: `Allow < Ask < Deny`.
    PermissionState {
        /// Goes ahead silently.
        Allow => "allow",
        /// A person decides.
        Ask => "ask",
        /// Refused without a question.
        Deny => "deny",
    }
}

words! {
    /// Where a rule was written, from lowest to highest precedence.
    Scope {
        /// The global configuration file.
        Global => "global",
        /// The project's configuration file.
        Project => "project",
        /// The global file of the active agent.
        Agent => "agent",
        /// The project's file of the active agent.
        ProjectAgent => "project-agent",
    }
}

words! {
    /// The place of a rule in the list (RULE-011).
    Layer {
        /// The universal default.
        Default => "default",
        /// Allows that come with MCP use (RULE-010).
        Baseline => "baseline",
        /// Rules of the policy files.
        Config => "config",
        /// Grants of this session.
        Session => "session",
    }
}

words! {
    /// Who contributed the answer.
    Origin {
        /// The global configuration file.
        Global => "global",
        /// The project's configuration file.
        Project => "project",
        /// The agent's global file.
        Agent => "agent",
        /// The agent's project file.
        ProjectAgent => "project-agent",
        /// Nobody wrote it: the engine's own default.
        Builtin => "builtin",
        /// RULE-010.
        Baseline => "baseline",
        /// A grant of this session.
        Session => "session",
        /// The permissive mode answered.
        Yolo => "yolo",
        /// A broken policy file raised the answer (HARD-012).
        FailClosed => "fail-closed",
    }
}

words! {
    /// The kind of answer (RULE-018).
    Source {
        /// A rule on a tool's own name.
        Tool => "tool",
        /// The `bash` surface.
        Bash => "bash",
        /// The `mcp` surface.
        Mcp => "mcp",
        /// The `skill` surface.
        Skill => "skill",
        /// `path` and `external_directory`.
        Special => "special",
        /// Nothing but the universal default.
        Default => "default",
        /// A grant of this session.
        Session => "session",
    }
}

words! {
    /// What an access is proven to do. Unproven counts as both (HARD-036).
    Direction {
        /// Only reads.
        Read => "read",
        /// Only writes.
        Write => "write",
        /// Both, or nobody knows.
        Both => "both",
    }
}

impl From<Scope> for Origin {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Global => Self::Global,
            Scope::Project => Self::Project,
            Scope::Agent => Self::Agent,
            Scope::ProjectAgent => Self::ProjectAgent,
        }
    }
}

/// Where a rule stands in a file. Line and column count from 1; columns count Unicode scalar values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleLocation {
    /// The file's path.
    pub file: Arc<str>,
    /// Line of the pattern (or of the surface, for a plain state).
    pub line: u32,
    /// Column of the same.
    pub column: u32,
}

/// One rule (RULE-008): a surface and a pattern with an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The surface as written; may hold wildcards.
    pub surface: Arc<str>,
    /// The pattern as written.
    pub pattern: Arc<str>,
    /// The answer.
    pub action: PermissionState,
    /// Why, for denies (RULE-008).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Arc<str>>,
    /// Where it stands in the list.
    pub layer: Layer,
    /// Who contributed it.
    pub origin: Origin,
    /// Where it is written; absent for default, baseline and session rules without a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<RuleLocation>,
}

impl Rule {
    /// Whether the pattern is made of `*` only ("catch-all", "lone star").
    pub fn is_catch_all(&self) -> bool {
        !self.pattern.is_empty() && self.pattern.bytes().all(|b| b == b'*')
    }
}
