//! The input of a host event, its call id, and the text fields in it (HAND-002, HAND-003, SURF-003).

use serde_json::{Map, Value};

use crate::text::non_blank;

/// The tool's input (HAND-002, TOOL-002): `input` when present, even null; else `arguments`; else an empty object.
///
/// ```
/// use portcullis_core::access::tool_input_of;
/// use serde_json::{Value, json};
///
/// assert_eq!(tool_input_of(&json!({"input": null, "arguments": {"b": 1}})), Value::Null);
/// assert_eq!(tool_input_of(&json!("x")), json!({}));
/// ```
pub fn tool_input_of(event: &Value) -> Value {
    event.get("input").or_else(|| event.get("arguments")).cloned().unwrap_or_else(|| Value::Object(Map::new()))
}

/// The host's id of the call (HAND-003): field `toolCallId` when it is a string, else empty.
pub fn tool_call_id_of(event: &Value) -> String {
    event.get("toolCallId").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A text field of the input, trimmed (SURF-003). An input that is no object has none.
pub fn text_field<'a>(input: &'a Value, field: &str) -> Option<&'a str> {
    input.as_object()?.get(field)?.as_str().and_then(non_blank)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::hand_002(json!({"input": {"a": 1}, "arguments": {"b": 1}}), json!({"a": 1}))]
    #[case::hand_002(json!({"arguments": {"b": 1}}), json!({"b": 1}))]
    #[case::hand_002(json!({"input": null, "arguments": {"b": 1}}), json!(null))]
    #[case::hand_002(json!({}), json!({}))]
    #[case::hand_002(json!("x"), json!({}))]
    #[case::hand_002(json!({"input": "str"}), json!("str"))]
    #[case::hand_002(json!({"input": [1]}), json!([1]))]
    #[case::tool_002(json!({"arguments": null}), json!(null))]
    fn reads_the_input(#[case] event: Value, #[case] input: Value) {
        assert_eq!(tool_input_of(&event), input);
    }

    #[rstest]
    #[case::hand_003(json!({"toolName": "bash", "toolCallId": 7}), "")]
    #[case::hand_003(json!({"toolCallId": "call-1"}), "call-1")]
    #[case::hand_003(json!(null), "")]
    fn reads_the_call_id(#[case] event: Value, #[case] id: &str) {
        assert_eq!(tool_call_id_of(&event), id);
    }

    #[rstest]
    #[case::surf_003(json!({"a": " a "}), Some("a"))]
    #[case::surf_003(json!({"a": "\u{A0}"}), None)]
    #[case::surf_003(json!({"a": "\u{FEFF}"}), None)]
    #[case::surf_003(json!({"a": "\u{200B}"}), Some("\u{200B}"))]
    #[case::surf_003(json!({"a": 5}), None)]
    #[case::surf_003(json!([1]), None)]
    #[case::surf_003(json!(null), None)]
    fn text_fields(#[case] input: Value, #[case] text: Option<&str>) {
        assert_eq!(text_field(&input, "a"), text);
    }
}
