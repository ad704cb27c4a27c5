//! The facts that a refusal names (MSG-003).

use serde_json::Value;

use crate::policy::PermissionCheckResult;

/// One path outside the session directory, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalPathDisclosure {
    /// The path as judged (lexical).
    pub path: String,
    /// Where it leads, when elsewhere.
    pub resolved_path: Option<String>,
}

/// The facts that a refusal must name (MSG-003).
#[derive(Debug, Clone, PartialEq)]
pub enum DenialContext {
    /// Gate 6.
    Tool {
        /// The answer.
        check: Box<PermissionCheckResult>,
        /// The input.
        input: Value,
    },
    /// Gate 2.
    Path {
        /// The tool.
        tool_name: String,
        /// The path as typed.
        path_value: String,
    },
    /// Gate 3.
    ExternalDirectory {
        /// The tool.
        tool_name: String,
        /// The path as typed.
        path_value: String,
        /// Where it leads, when elsewhere.
        resolved_path: Option<String>,
        /// The session directory.
        cwd: String,
    },
    /// Gate 4.
    BashExternalDirectory {
        /// The whole command.
        command: String,
        /// The uncovered paths.
        external_paths: Vec<ExternalPathDisclosure>,
        /// The session directory.
        cwd: String,
    },
    /// Gate 5.
    BashPath {
        /// The whole command.
        command: String,
        /// The token.
        path_value: String,
        /// The invoked tool.
        tool_name: String,
    },
    /// Gate 1.
    SkillRead {
        /// The skill.
        skill_name: String,
        /// The path.
        read_path: String,
    },
    /// A typed skill.
    SkillInput {
        /// The skill.
        skill_name: String,
    },
}
