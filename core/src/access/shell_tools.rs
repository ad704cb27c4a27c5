//! Which calls run a shell command, and which command (PIPE-006, SURF-010, SURF-011). The command is not read here.

use serde_json::Value;

use super::input::text_field;
use crate::policy::ShellAlias;
use crate::text::{is_js_space, js_trim};

/// A call that runs a shell command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellInvocation {
    /// The command, trimmed; empty when the input has none.
    pub command: String,
    /// The working directory the call asks for, trimmed.
    pub workdir: Option<String>,
    /// The invoked tool: prompts and logs name it (PIPE-007).
    pub tool: String,
}

/// The shell command of a call, or nothing when its tool is no shell.
///
/// `bash` always is one, whatever an alias entry of that name says; any other tool is when the configuration lists it
/// under its trimmed name. Aliases are looked up among their own keys only (GATES-D21, BASH-D26).
///
/// ```
/// use portcullis_core::access::shell_invocation;
/// use serde_json::json;
///
/// let call = shell_invocation("bash", &json!({"command": " ls ", "workdir": "/a"}), &[]).unwrap();
/// assert_eq!((call.command.as_str(), call.workdir), ("ls", None));
/// ```
pub fn shell_invocation(tool: &str, input: &Value, aliases: &[(String, ShellAlias)]) -> Option<ShellInvocation> {
    let tool = js_trim(tool);
    let (command_field, workdir_field) = shell_fields(tool, aliases)?;
    let field = |name| text_field(input, name).map(str::to_owned);
    Some(ShellInvocation {
        command: input.get(command_field).and_then(Value::as_str).map(trimmed_command).unwrap_or_default().to_owned(),
        workdir: workdir_field.and_then(field),
        tool: tool.to_owned(),
    })
}

/// The command without the blanks around it (SURF-011). To the shell a `#` behind a blank that it does not know begins no
/// comment but a word: such a blank stays (HARD-004).
pub(crate) fn trimmed_command(text: &str) -> &str {
    let trimmed = js_trim(text);
    if !trimmed.starts_with('#') {
        return trimmed;
    }
    let (front, _) = text.split_at_checked(text.find('#').unwrap_or_default()).unwrap_or_default();
    match front.char_indices().next_back() {
        Some((at, odd)) if !matches!(odd, ' ' | '\t' | '\n') => {
            text.get(at..).map_or(trimmed, |kept| kept.trim_end_matches(is_js_space))
        }
        _ => trimmed,
    }
}

/// The input fields with the command and the working directory of a shell tool.
pub(crate) fn shell_fields<'a>(tool: &str, aliases: &'a [(String, ShellAlias)]) -> Option<(&'a str, Option<&'a str>)> {
    if tool == "bash" {
        return Some(("command", None));
    }
    let (_, alias) = aliases.iter().find(|(name, _)| name == tool)?;
    Some((&alias.command_argument, alias.workdir_argument.as_deref()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn aliases() -> Vec<(String, ShellAlias)> {
        let alias = |command: &str, workdir: Option<&str>| ShellAlias {
            command_argument: command.into(),
            workdir_argument: workdir.map(str::to_owned),
        };
        vec![
            ("exec".into(), alias("cmd", Some("wd"))),
            ("exec_command".into(), alias("cmd", Some("workdir"))),
            ("bash".into(), alias("zzz", Some("workdir"))),
            ("read".into(), alias("path", None)),
        ]
    }

    #[rstest]
    #[case::pipe_006("bash", json!({"command": " ls "}), "ls", None)]
    #[case::pipe_006("bash", json!(null), "", None)]
    #[case::pipe_006("exec", json!({"cmd": "x", "wd": " /a "}), "x", Some("/a"))]
    #[case::pipe_006("exec", json!({"cmd": ["a"]}), "", None)]
    #[case::surf_010("bash", json!({"command": "x", "workdir": "/a"}), "x", None)]
    #[case::surf_010("bash", json!({}), "", None)]
    #[case::surf_010(" bash ", json!({"command": "ls"}), "ls", None)]
    #[case::surf_011("exec_command", json!({"cmd": "ls", "workdir": " /a "}), "ls", Some("/a"))]
    #[case::surf_011("exec_command", json!({"cmd": "ls", "workdir": 7}), "ls", None)]
    #[case::surf_011("exec_command", json!({"cmd": "ls", "workdir": " "}), "ls", None)]
    #[case::surf_011("exec_command", json!({"command": "ls"}), "", None)]
    #[case::surf_011("exec_command", json!({"cmd": ["ls", "-l"]}), "", None)]
    #[case::surf_011_alias_for_bash("bash", json!({"command": "ls"}), "ls", None)]
    #[case::surf_011_path_tool("read", json!({"path": "ls"}), "ls", None)]
    fn is_a_shell(#[case] tool: &str, #[case] input: Value, #[case] command: &str, #[case] workdir: Option<&str>) {
        let call = shell_invocation(tool, &input, &aliases()).unwrap();
        assert_eq!((call.command.as_str(), call.workdir.as_deref(), call.tool.as_str()), (command, workdir, js_trim(tool)));
    }

    #[rstest]
    #[case::surf_011("EXEC_COMMAND")]
    #[case::pipe_006("write")]
    #[case::gates_d21("toString")]
    #[case::gates_d21("constructor")]
    #[case::gates_d21("__proto__")]
    fn is_no_shell(#[case] tool: &str) {
        assert_eq!(shell_invocation(tool, &json!({"cmd": "ls", "command": "ls"}), &aliases()), None);
    }
}
