//! The closed lists of docs/spec/README.md, section 6, as far as scenarios use them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which implementations a scenario is for (section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The reference and the npm package pass.
    Baseline,
    /// The reference passes; the package is known not to.
    Hardened,
}

impl Level {
    /// Both, mild first.
    pub const NAMES: [&'static str; 2] = ["baseline", "hardened"];

    /// The level of a word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "baseline" => Some(Self::Baseline),
            "hardened" => Some(Self::Hardened),
            _ => None,
        }
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Hardened => "hardened",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! capabilities {
    ($($variant:ident => $word:literal),+ $(,)?) => {
        /// What an implementation is able to do, and a scenario needs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum Capability { $(
            #[doc = concat!("`", $word, "`")]
            #[serde(rename = $word)]
            $variant
        ),+ }

        impl Capability {
            /// All, in the order of the specification.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// Their words.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// The capability of a word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// Its word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
    };
}

capabilities! {
    Bash => "bash",
    ShellAlias => "shell-alias",
    Mcp => "mcp",
    Skills => "skills",
    SkillInput => "skill-input",
    Agents => "agents",
    Project => "project",
    Trust => "trust",
    Grants => "grants",
    SessionRules => "session-rules",
    Prompts => "prompts",
    Events => "events",
    ReviewLog => "review-log",
    DebugLog => "debug-log",
    PermissiveMode => "permissive-mode",
    Exposure => "exposure",
    PromptNarrowing => "prompt-narrowing",
    ConfigIssues => "config-issues",
    Service => "service",
    Links => "links",
    Windows => "windows",
    RawEvent => "raw-event",
    Forwarding => "forwarding",
    MultiSession => "multi-session",
    Clock => "clock",
    MockChecks => "mock-checks",
    AuthorizerChain => "authorizer-chain",
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Capabilities whose scenarios cannot be baseline: the package has no way to show them (section 7).
pub const HARDENED_CAPABILITIES: [Capability; 6] = [
    Capability::Trust,
    Capability::SessionRules,
    Capability::MultiSession,
    Capability::Clock,
    Capability::MockChecks,
    Capability::AuthorizerChain,
];

/// Gates and ends outside them.
pub const GATES: [&str; 11] = [
    "skill-read",
    "path",
    "external-directory",
    "bash-external-directory",
    "bash-path",
    "tool",
    "skill-input",
    "registration",
    "shape",
    "boundary",
    "none",
];
/// Surfaces that only hardened policies name.
pub const MEMBER_SURFACES: [&str; 4] = ["path_read", "path_write", "external_directory_read", "external_directory_write"];
/// States.
pub const STATES: [&str; 3] = ["allow", "ask", "deny"];
/// Sources.
pub const SOURCES: [&str; 7] = ["tool", "bash", "mcp", "skill", "special", "default", "session"];
/// Origins of the baseline.
pub const ORIGINS: [&str; 8] = ["global", "project", "agent", "project-agent", "builtin", "baseline", "session", "yolo"];
/// Origins that only the reference knows.
pub const HARDENED_ORIGINS: [&str; 1] = ["fail-closed"];
/// Resolutions of the decision event, baseline.
pub const RESOLUTIONS: [&str; 9] = [
    "policy_allow",
    "policy_deny",
    "auto_approved",
    "session_approved",
    "infrastructure_auto_allowed",
    "user_approved",
    "user_approved_for_session",
    "user_denied",
    "confirmation_unavailable",
];
/// Resolutions of the decision event that only the reference knows.
pub const HARDENED_RESOLUTIONS: [&str; 8] = [
    "link_approved",
    "link_denied",
    "forwarded_policy_allow",
    "forwarded_policy_deny",
    "forwarded_session_approved",
    "forwarded_auto_approved",
    "gate_error",
    "invalid_call",
];
/// Members of a decision event, baseline.
pub const DECISION_MEMBERS: [&str; 7] = ["surface", "value", "result", "resolution", "origin", "agentName", "matchedPattern"];
/// Members of a decision event that only the reference has.
pub const HARDENED_DECISION_MEMBERS: [&str; 4] = ["gate", "requestId", "ruleSurface", "decidedBy"];
/// Events of the review log, baseline.
pub const REVIEW_EVENTS: [&str; 19] = [
    "permission_request.waiting",
    "permission_request.approved",
    "permission_request.denied",
    "permission_request.blocked",
    "permission_request.session_approved",
    "permission_request.auto_approved",
    "permission_request.infrastructure_auto_allowed",
    "config.resolved",
    "forwarded_permission.request_created",
    "forwarded_permission.response_received",
    "forwarded_permission.response_timed_out",
    "forwarded_permission.prompted",
    "forwarded_permission.approved",
    "forwarded_permission.denied",
    "forwarded_permission.auto_approved",
    "forwarded_permission.auto_denied",
    "forwarded_permission.session_recorded",
    "permission_forwarding.warning",
    "permission_forwarding.error",
];
/// Events of the review log that only the reference writes.
pub const HARDENED_REVIEW_EVENTS: [&str; 11] = [
    "permission_request.policy_allowed",
    "config.untrusted",
    "config.rejected",
    "forwarded_permission.target_unavailable",
    "forwarded_permission.withdrawn",
    "forwarded_permission.refused",
    "authorizer.link_decided",
    "authorizer.link_missing",
    "authorizer.link_failed",
    "authorizer.link_vacant",
    "node.absent",
];
/// Events of the debug log, baseline.
pub const DEBUG_EVENTS: [&str; 8] = [
    "config.loaded",
    "config.resolved",
    "config.saved",
    "lifecycle.reload",
    "permission.decision",
    "permission.session_summary",
    "permission_forwarding.warning",
    "permission_forwarding.error",
];
/// Events of the debug log that only the reference writes.
pub const HARDENED_DEBUG_EVENTS: [&str; 1] = ["permission_forwarding.recovered"];
/// Members of a prompt event (EVT-002).
pub const UI_PROMPT_MEMBERS: [&str; 7] = ["requestId", "source", "surface", "value", "agentName", "message", "forwarding"];
/// The tools that a world has when it names none.
pub const DEFAULT_TOOLS: [&str; 9] = ["read", "write", "edit", "grep", "find", "ls", "bash", "mcp", "skill"];
