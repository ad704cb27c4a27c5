//! The skill that a call or a typed text names (SURF-004, HAND-014).

use serde_json::Value;

use crate::text::{is_js_space, js_trim};

/// The value of a `skill` tool call: the raw `name` when it is a string, untrimmed; `None` stands for `*` (SURF-004).
pub fn skill_call_name(input: &Value) -> Option<String> {
    input.get("name").and_then(Value::as_str).map(str::to_owned)
}

/// The skill name of a text that the person typed (HAND-014): after the exact prefix `/skill:`, up to the first white space.
///
/// ```
/// use portcullis_core::access::extract_skill_name_from_input;
///
/// assert_eq!(extract_skill_name_from_input("  /skill:foo bar"), Some("foo"));
/// assert_eq!(extract_skill_name_from_input("/skill: foo"), None);
/// ```
pub fn extract_skill_name_from_input(text: &str) -> Option<&str> {
    let name = js_trim(text).strip_prefix("/skill:")?.split(is_js_space).next()?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::hand_014("  /skill:foo bar baz", Some("foo"))]
    #[case::hand_014("/skill:foo\nbar", Some("foo"))]
    #[case::hand_014("/skill:a/b:c", Some("a/b:c"))]
    #[case::hand_014("/skill:föö-ß x", Some("föö-ß"))]
    #[case::hand_014("/skill:foo\u{2003}bar", Some("foo"))]
    #[case::hand_014("/skill:foo\u{200B}bar", Some("foo\u{200B}bar"))]
    #[case::hand_014("/skill:", None)]
    #[case::hand_014("/skill: foo", None)]
    #[case::hand_014("/Skill:foo", None)]
    #[case::hand_014("run /skill:foo", None)]
    #[case::hand_014("", None)]
    fn typed(#[case] text: &str, #[case] name: Option<&str>) {
        assert_eq!(extract_skill_name_from_input(text), name);
    }

    #[rstest]
    #[case::surf_004(json!({"name": " librarian"}), Some(" librarian"))]
    #[case::surf_004(json!({"name": 5}), None)]
    #[case::surf_004(json!({"name": ""}), Some(""))]
    #[case::surf_004(json!(null), None)]
    fn called(#[case] input: Value, #[case] name: Option<&str>) {
        assert_eq!(skill_call_name(&input).as_deref(), name);
    }
}
