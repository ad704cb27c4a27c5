//! Input of the wrong shape is not judged: the call is blocked before any gate (HARD-063, RES-36).

use std::error::Error;
use std::fmt;

use serde_json::Value;

use super::input::text_field;
use super::shell_tools::shell_fields;
use super::tool_kind::{ToolKind, tool_kind};
use crate::policy::ShellAlias;
use crate::text::js_trim;

/// What is wrong with an input. The text names the field and is shown as the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeFault {
    kind: ShapeFaultKind,
    field: String,
}

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ShapeFaultKind {
    /// The input of a path tool is no object.
    InputIsNoObject,
    /// A shell tool got no command.
    CommandMissing,
    /// The field is no text.
    NotAText,
    /// The text holds a NUL character.
    HoldsNul,
}

impl ShapeFault {
    fn new(kind: ShapeFaultKind, field: &str) -> Self {
        Self { kind, field: field.to_owned() }
    }

    /// The kind, for decisions.
    pub fn kind(&self) -> ShapeFaultKind {
        self.kind
    }

    /// The input field that is wrong; `input` for the input itself.
    pub fn field(&self) -> &str {
        &self.field
    }
}

impl fmt::Display for ShapeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = &self.field;
        match self.kind {
            ShapeFaultKind::InputIsNoObject => write!(f, "the tool's {field} is not an object"),
            ShapeFaultKind::CommandMissing => write!(f, "the shell command in field `{field}` is missing"),
            ShapeFaultKind::NotAText => write!(f, "field `{field}` is not a string"),
            ShapeFaultKind::HoldsNul => write!(f, "field `{field}` holds a NUL character"),
        }
    }
}

impl Error for ShapeFault {}

/// Checks the shape of a call's input (RES-36).
///
/// A shell tool needs a command that is a string; a path tool needs an object, and a path that is a string when it is
/// present, null included. `file_path` stands for a missing or blank `path` (RES-19), and `grep.glob` and `find.pattern` are path
/// operands (HARD-058), so they are held to the same. No such text may hold a NUL.
///
/// ```
/// use portcullis_core::access::check_shape;
/// use serde_json::json;
///
/// assert!(check_shape("bash", &json!({"command": ""}), &[]).is_ok());
/// let fault = check_shape("bash", &json!({"command": ["rm", "x"]}), &[]).unwrap_err();
/// assert_eq!(fault.to_string(), "field `command` is not a string");
/// ```
pub fn check_shape(tool: &str, input: &Value, aliases: &[(String, ShellAlias)]) -> Result<(), ShapeFault> {
    let tool = js_trim(tool);
    let shell = shell_fields(tool, aliases);
    if let Some((command, workdir)) = shell {
        check_command(input, command, workdir)?;
    }
    if tool_kind(tool) != ToolKind::Path {
        return Ok(());
    }
    if !input.is_object() {
        return Err(ShapeFault::new(ShapeFaultKind::InputIsNoObject, "input"));
    }
    check_text(input, "path")?;
    if text_field(input, "path").is_none() {
        check_text(input, "file_path")?;
    }
    match tool {
        "grep" => check_operand(input, "glob"),
        "find" => check_operand(input, "pattern"),
        _ => Ok(()),
    }
}

fn check_command(input: &Value, field: &str, workdir: Option<&str>) -> Result<(), ShapeFault> {
    if input.get(field).is_none() {
        return Err(ShapeFault::new(ShapeFaultKind::CommandMissing, field));
    }
    check_text(input, field)?;
    // A workdir that is no text counts as none (SURF-011); one with a NUL names no directory.
    match workdir {
        Some(workdir) => check_nul(input, workdir),
        None => Ok(()),
    }
}

fn check_text(input: &Value, field: &str) -> Result<(), ShapeFault> {
    match input.get(field) {
        None => Ok(()),
        Some(Value::String(_)) => check_nul(input, field),
        Some(_) => Err(ShapeFault::new(ShapeFaultKind::NotAText, field)),
    }
}

/// An optional operand: null is what hosts send for a parameter that was left out.
fn check_operand(input: &Value, field: &str) -> Result<(), ShapeFault> {
    if input.get(field).is_some_and(Value::is_null) { Ok(()) } else { check_text(input, field) }
}

fn check_nul(input: &Value, field: &str) -> Result<(), ShapeFault> {
    match input.get(field).and_then(Value::as_str) {
        Some(text) if text.contains('\0') => Err(ShapeFault::new(ShapeFaultKind::HoldsNul, field)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn aliases() -> Vec<(String, ShellAlias)> {
        let alias = ShellAlias { command_argument: "cmd".to_owned(), workdir_argument: Some("wd".to_owned()) };
        vec![("exec".to_owned(), alias.clone()), ("edit".to_owned(), alias)]
    }

    #[rstest]
    #[case::hard_063("bash", json!({"command": 42}), ShapeFaultKind::NotAText, "command")]
    #[case::hard_063("bash", json!({"command": ["rm", "x"]}), ShapeFaultKind::NotAText, "command")]
    #[case::hard_063("read", json!({"path": 5}), ShapeFaultKind::NotAText, "path")]
    #[case::res_36("bash", json!({}), ShapeFaultKind::CommandMissing, "command")]
    #[case::res_36("bash", json!(null), ShapeFaultKind::CommandMissing, "command")]
    #[case::res_36("bash", json!("ls"), ShapeFaultKind::CommandMissing, "command")]
    #[case::res_36("bash", json!({"command": null}), ShapeFaultKind::NotAText, "command")]
    #[case::res_36("bash", json!({"command": "ls\u{0}"}), ShapeFaultKind::HoldsNul, "command")]
    #[case::res_36("exec", json!({"command": "ls"}), ShapeFaultKind::CommandMissing, "cmd")]
    #[case::res_36("exec", json!({"cmd": "ls", "wd": "a\u{0}"}), ShapeFaultKind::HoldsNul, "wd")]
    #[case::res_36("read", json!(null), ShapeFaultKind::InputIsNoObject, "input")]
    #[case::res_36("read", json!("a"), ShapeFaultKind::InputIsNoObject, "input")]
    #[case::res_36("ls", json!(["a"]), ShapeFaultKind::InputIsNoObject, "input")]
    #[case::res_36("read", json!({"path": null}), ShapeFaultKind::NotAText, "path")]
    #[case::res_36("read", json!({"path": [".env"]}), ShapeFaultKind::NotAText, "path")]
    #[case::res_36("write", json!({"path": "a\u{0}b"}), ShapeFaultKind::HoldsNul, "path")]
    #[case::res_19("read", json!({"file_path": 5}), ShapeFaultKind::NotAText, "file_path")]
    #[case::res_19_blank_path("read", json!({"path": " ", "file_path": 5}), ShapeFaultKind::NotAText, "file_path")]
    #[case::res_19_blank_path("write", json!({"path": "", "file_path": "a\u{0}b"}), ShapeFaultKind::HoldsNul, "file_path")]
    #[case::res_36_alias_of_a_path_tool("edit", json!({"cmd": "ls", "path": 5}), ShapeFaultKind::NotAText, "path")]
    #[case::hard_058("grep", json!({"pattern": "x", "glob": [".env"]}), ShapeFaultKind::NotAText, "glob")]
    #[case::hard_058("find", json!({"pattern": {"a": 1}}), ShapeFaultKind::NotAText, "pattern")]
    fn wrong(#[case] tool: &str, #[case] input: Value, #[case] kind: ShapeFaultKind, #[case] field: &str) {
        let fault = check_shape(tool, &input, &aliases()).unwrap_err();
        assert_eq!((fault.kind(), fault.field()), (kind, field));
        assert!(fault.to_string().contains(field), "{fault}");
    }

    #[rstest]
    #[case::hard_063_empty("bash", json!({"command": ""}))]
    #[case::res_36_blank("bash", json!({"command": "  "}))]
    #[case::res_36_no_path("ls", json!({}))]
    #[case::res_36_blank_path("read", json!({"path": " "}))]
    #[case::surf_011("exec", json!({"cmd": "ls", "wd": 7}))]
    #[case::res_36_extension("deploy", json!({"path": 5}))]
    #[case::res_36_extension("deploy", json!(null))]
    #[case::res_36_mcp("mcp", json!("x"))]
    #[case::hard_058("grep", json!({"pattern": 5, "glob": null}))]
    #[case::res_19_path_wins("read", json!({"path": "a", "file_path": 5}))]
    fn right(#[case] tool: &str, #[case] input: Value) {
        assert_eq!(check_shape(tool, &input, &aliases()), Ok(()));
    }
}
