//! A policy query as text (SURF-009 with POLICY-D13): a surface and a value become the question that a call would put.

use serde_json::json;

use super::call_snapshot::CallSnapshot;
use crate::access::mcp::{mcp_target_call, native_mcp_call};
use crate::access::{ToolKind, is_listing_tool, is_path_surface, tool_kind};
use crate::gates::{
    CallTarget, GateResolver as _, ShellFacts, ToolCallContext, ToolCallGateInputs as _, mcp_question, resolve_bash_command_check,
};
use crate::host::{HostError, HostResult};
use crate::policy::{PermissionCheckResult, Question};
use crate::text::non_blank;

impl CallSnapshot<'_> {
    /// Answers for a surface and a value; the value decides wherever the call's would.
    pub fn answer(&self, surface: &str, value: Option<&str>) -> HostResult<PermissionCheckResult> {
        if is_path_surface(surface) {
            return Ok(self.resolve(&self.path_question(surface, value)));
        }
        Ok(match tool_kind(surface) {
            ToolKind::Bash => return self.answer_bash(value.unwrap_or_default()),
            ToolKind::Skill => self.resolve(&plain_question(surface, value.unwrap_or_default())),
            ToolKind::Mcp => {
                let call = mcp_target_call(value.unwrap_or_default(), &self.policy().snapshot.mcp_servers);
                self.resolve(&Question { surface: surface.to_owned(), ..mcp_question(&call) })
            }
            ToolKind::Path | ToolKind::Extension => match native_mcp_call(surface, &self.policy().snapshot.mcp_servers) {
                Some(call) => self.resolve(&mcp_question(&call)),
                // Rules of an extension tool know no value but `*` (SURF-008).
                None => self.resolve(&plain_question(surface, "*")),
            },
        })
    }

    fn path_question(&self, surface: &str, value: Option<&str>) -> Question {
        let path = value.and_then(non_blank).and_then(|text| self.normalizer().tool_path(text));
        let Some(path) = path else {
            return plain_question(surface, "*");
        };
        let path = if is_listing_tool(surface) { self.normalizer().with_folder_alias(path) } else { path };
        Question {
            surface: surface.to_owned(),
            protected: path.protected.is_some() && matches!(surface, "path" | "path_write"),
            values: path.values,
            further: path.further,
            unknown_place: path.unknown_place,
            ..Question::default()
        }
    }

    fn answer_bash(&self, command: &str) -> HostResult<PermissionCheckResult> {
        let shell = self.shell_facts(command)?;
        resolve_bash_command_check(&shell.command, shell.program.as_ref(), self)
            .map(|check| check.check.result)
            .ok_or_else(|| HostError::new("the command gave no answer"))
    }

    /// The analysis of a command that is given as text.
    pub(super) fn shell_facts(&self, command: &str) -> HostResult<ShellFacts> {
        let context = ToolCallContext {
            tool_name: "bash".to_owned(),
            agent_name: None,
            input: json!({ "command": command }),
            tool_call_id: String::new(),
            cwd: self.cwd().to_owned(),
        };
        let facts = self.call_facts(&context)?;
        match facts.target {
            CallTarget::Shell(shell) => Ok(shell),
            _ => Err(HostError::new("the command is no shell call")),
        }
    }
}

fn plain_question(surface: &str, value: &str) -> Question {
    Question { surface: surface.to_owned(), values: vec![value.to_owned()], ..Question::default() }
}
