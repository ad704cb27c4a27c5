//! What one tool call touches, collected once for all gates (5.2, 6): gates read it and look nowhere else.

use crate::access::mcp::McpCall;
use crate::access::path::AccessPath;
use crate::access::shell::BashProgram;
use crate::host::Platform;
use crate::policy::Direction;

/// The shell command of a call (PIPE-006).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellFacts {
    /// The command, trimmed; empty when there is none.
    pub command: String,
    /// The directory that an alias starts it in.
    pub workdir: Option<String>,
    /// Its one analysis (PIPE-005); `None` for the empty command.
    pub program: Option<BashProgram>,
}

/// One path operand of a tool that is no shell (GATE-012, RES-22).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathOperand {
    /// The path.
    pub path: AccessPath,
    /// Whether PATH-014 exempts a read of it.
    pub infrastructure: bool,
    /// Whether the package exempts it (all of the agent directory): a lost exemption is a tightening of HARD-025.
    pub baseline_infrastructure: bool,
    /// The requirement when the package would not look at it (HARD-058 for `glob` and `pattern`, RES-19 for `file_path`).
    pub introduced_by: Option<&'static str>,
}

/// What kind of call gate 6 judges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallTarget {
    /// A shell command, on `bash` whatever the tool's name.
    Shell(ShellFacts),
    /// An MCP call, through the generic tool or a native one.
    Mcp(McpCall),
    /// The `skill` tool with the raw `name`, if it is a string (SURF-004).
    Skill(Option<String>),
    /// One of the six path tools.
    PathTool,
    /// Any other tool.
    Extension,
}

/// Everything that gates may know about what a call touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFacts {
    /// The session directory, absolute and lexical.
    pub cwd: String,
    /// The session directory after links; empty when nobody looked.
    pub canonical_cwd: String,
    /// The flavour of paths.
    pub platform: Platform,
    /// What gate 6 judges.
    pub target: CallTarget,
    /// The direction that the tool's name proves (HARD-036).
    pub direction: Direction,
    /// Path operands in order: the path first, then the operands of a search.
    pub operands: Vec<PathOperand>,
    /// Whether the first operand is the call's own path (and not only a search operand).
    pub has_path: bool,
    /// Known limits that the call touched (RES-13), for the trace.
    pub known_limits: Vec<&'static str>,
}

impl CallFacts {
    /// The call's own path, if it has one.
    pub fn own_path(&self) -> Option<&PathOperand> {
        self.operands.first().filter(|_| self.has_path)
    }

    /// The shell command, for calls that run one.
    pub fn command(&self) -> Option<&str> {
        match &self.target {
            CallTarget::Shell(shell) => Some(&shell.command),
            _ => None,
        }
    }

    /// The shell command and its program, for calls that run one.
    pub fn program(&self) -> Option<(&str, &BashProgram)> {
        match &self.target {
            CallTarget::Shell(shell) => shell.program.as_ref().map(|program| (shell.command.as_str(), program)),
            _ => None,
        }
    }
}
