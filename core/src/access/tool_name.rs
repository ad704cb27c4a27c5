//! The name of the tool in a host event, and the two other readings that only records use (HAND-001, HAND-009, HAND-010).

use serde_json::Value;

use crate::text::non_blank;

/// The name that records show when an event has none (HAND-009).
pub const UNKNOWN_TOOL: &str = "<unknown>";

/// The tool's name, trimmed (HAND-001, TOOL-001): the event itself when it is a text, else its first text field among
/// `toolName`, `name`, `tool`.
///
/// ```
/// use portcullis_core::access::tool_name_of;
/// use serde_json::json;
///
/// assert_eq!(tool_name_of(&json!({"toolName": " read ", "name": "bash"})).as_deref(), Some("read"));
/// assert_eq!(tool_name_of(&json!({"name": ""})), None);
/// ```
pub fn tool_name_of(event: &Value) -> Option<String> {
    let found = match event {
        Value::String(text) => non_blank(text),
        Value::Object(fields) => ["toolName", "name", "tool"]
            .into_iter()
            .find_map(|field| fields.get(field).and_then(Value::as_str).and_then(non_blank)),
        _ => None,
    };
    found.map(str::to_owned)
}

/// The name on an error's record (HAND-009): `name`, unless null or absent, else `toolName`; as it stands. Everything else is
/// [`UNKNOWN_TOOL`].
pub fn audited_tool_name(event: &Value) -> String {
    let member = |field| event.get(field).filter(|value| !value.is_null());
    member("name")
        .or_else(|| member("toolName"))
        .and_then(Value::as_str)
        .filter(|name| !name.is_empty())
        .unwrap_or(UNKNOWN_TOOL)
        .to_owned()
}

/// The command on an error's record (HAND-010).
pub fn audited_command(event: &Value) -> Option<String> {
    let member = |field| event.get(field).filter(|value| !value.is_null());
    let input = member("input").or_else(|| member("arguments"))?;
    input.get("command").and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::hand_001(json!({"toolName": "read", "name": "bash", "tool": "edit"}), Some("read"))]
    #[case::hand_001(json!({"name": "bash", "tool": "edit"}), Some("bash"))]
    #[case::hand_001(json!({"tool": "edit"}), Some("edit"))]
    #[case::hand_001(json!({"toolName": "  ", "name": "bash"}), Some("bash"))]
    #[case::hand_001(json!({"toolName": 5, "name": " bash "}), Some("bash"))]
    #[case::hand_001(json!("read"), Some("read"))]
    #[case::hand_001(json!({"toolName": "  bash\n"}), Some("bash"))]
    #[case::hand_001(json!(null), None)]
    #[case::hand_001(json!(42), None)]
    #[case::hand_001(json!([]), None)]
    #[case::hand_001(json!("  "), None)]
    #[case::hand_001(json!({"name": ""}), None)]
    #[case::tool_001(json!(" read "), Some("read"))]
    #[case::tool_001(json!({"toolName": "", "name": " b "}), Some("b"))]
    #[case::tool_001(json!({"toolName": 5, "name": "b"}), Some("b"))]
    #[case::tool_001(json!({"tool": "c"}), Some("c"))]
    #[case::tool_001(json!({"tool": {"name": "x"}}), None)]
    #[case::tool_001(json!(["read"]), None)]
    #[case::tool_001(json!({}), None)]
    fn reads_the_name(#[case] event: Value, #[case] name: Option<&str>) {
        assert_eq!(tool_name_of(&event).as_deref(), name);
    }

    #[rstest]
    #[case::hand_009(json!({"name": "n", "toolName": "t"}), "n")]
    #[case::hand_009(json!({"name": null, "toolName": "tt"}), "tt")]
    #[case::hand_009(json!({"name": "", "toolName": "t"}), "<unknown>")]
    #[case::hand_009(json!({"tool": "bash"}), "<unknown>")]
    #[case::hand_009(json!({"toolName": " bash "}), " bash ")]
    #[case::hand_009(json!({"name": 5, "toolName": "t"}), "<unknown>")]
    #[case::hand_009(json!("bash"), "<unknown>")]
    fn audited(#[case] event: Value, #[case] name: &str) {
        assert_eq!(audited_tool_name(&event), name);
    }

    #[rstest]
    #[case::hand_010(json!({"name": "bash", "input": null, "arguments": {"command": "c"}}), Some("c"))]
    #[case::hand_010(json!({"arguments": {"command": 5}}), None)]
    #[case::hand_010(json!({"input": {}, "arguments": {"command": "c"}}), None)]
    #[case::hand_010(json!({"input": {"command": " c "}}), Some(" c "))]
    #[case::hand_010(json!(null), None)]
    fn audited_commands(#[case] event: Value, #[case] command: Option<&str>) {
        assert_eq!(audited_command(&event).as_deref(), command);
    }
}
