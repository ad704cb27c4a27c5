//! Where an agent's name can stand: in the entries of a session, or in a tag of the system prompt (TOOL-005, TOOL-006).

use serde_json::Value;

use crate::text::{is_js_space, non_blank};

/// What the entries of a session say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EntryScan {
    /// This agent.
    Named(String),
    /// Explicitly none.
    Null,
    /// Nothing about agents.
    Nothing,
}

/// Scans from the newest entry to the oldest; the first one with a name, or with an explicit null, decides.
pub(super) fn scan_entries(entries: &[Value]) -> EntryScan {
    for entry in entries.iter().rev() {
        let is = |field, text| entry.get(field).and_then(Value::as_str) == Some(text);
        if !is("type", "custom") || !is("customType", "active_agent") {
            continue;
        }
        match entry.get("data").and_then(|data| data.get("name")) {
            Some(Value::Null) => return EntryScan::Null,
            Some(Value::String(name)) => {
                if let Some(name) = non_blank(name) {
                    return EntryScan::Named(name.to_owned());
                }
            }
            _ => {}
        }
    }
    EntryScan::Nothing
}

const TAG: &str = "<active_agent";

/// The name in the first well-shaped tag of a prompt: `active_agent`, white space, `name=` and a quoted value without quotes
/// in it, up to `>`. A tag of another shape is passed over; a blank name is none and ends the search.
pub(super) fn tag_name(prompt: &str) -> Option<String> {
    let mut rest = prompt;
    while let Some(at) = find_ignoring_case(rest, TAG) {
        rest = rest.get(at + TAG.len()..)?;
        if let Some(name) = name_attribute(rest) {
            return non_blank(name).map(str::to_owned);
        }
    }
    None
}

/// The value of `name=` behind the tag's word, when the tag has the one accepted shape.
fn name_attribute(after_word: &str) -> Option<&str> {
    let inside = after_word.trim_start_matches(is_js_space);
    if inside.len() == after_word.len() {
        return None;
    }
    let (attribute, rest) = inside.split_at_checked(5)?;
    if !attribute.eq_ignore_ascii_case("name=") {
        return None;
    }
    let rest = rest.strip_prefix(['"', '\''])?;
    let end = rest.find(['"', '\''])?;
    let (name, rest) = rest.split_at_checked(end)?;
    (!name.is_empty() && rest.contains('>')).then_some(name)
}

fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn named(name: &str) -> EntryScan {
        EntryScan::Named(name.to_owned())
    }

    #[rstest]
    #[case::newest_wins(vec![json!({"name": "a"}), json!({"name": "b"})], named("b"))]
    #[case::null_ends(vec![json!({"name": "a"}), json!({"name": null})], EntryScan::Null)]
    #[case::blank_is_skipped(vec![json!({"name": "a"}), json!({"name": " "})], named("a"))]
    #[case::number_is_skipped(vec![json!({"name": "a"}), json!({"name": 5})], named("a"))]
    #[case::no_data_is_skipped(vec![json!({"name": "a"}), Value::Null], named("a"))]
    #[case::trimmed(vec![json!({"name": " A "})], named("A"))]
    #[case::after_null(vec![json!({"name": null}), json!({"name": "B"})], named("B"))]
    #[case::nothing(vec![], EntryScan::Nothing)]
    fn tool_005_entries(#[case] data: Vec<Value>, #[case] expected: EntryScan) {
        let entries: Vec<Value> =
            data.into_iter().map(|data| json!({"type": "custom", "customType": "active_agent", "data": data})).collect();
        assert_eq!(scan_entries(&entries), expected);
    }

    #[test]
    fn tool_005_other_entries_are_ignored() {
        let entries = [
            json!({"type": "message", "customType": "active_agent", "data": {"name": "x"}}),
            json!({"type": "custom", "customType": "other", "data": {"name": "x"}}),
            json!({"type": "custom", "customType": "active_agent"}),
            Value::Null,
        ];
        assert_eq!(scan_entries(&entries), EntryScan::Nothing);
    }

    #[rstest]
    #[case("<active_agent name=\"rev\">", Some("rev"))]
    #[case("<ACTIVE_AGENT NAME=\"Rev\" x=1>", Some("Rev"))]
    #[case("<active_agent name='rev'/>", Some("rev"))]
    #[case("<active_agent\nname=\"rev\">", Some("rev"))]
    #[case("<active_agent name=\"mix'>", Some("mix"))]
    #[case("<active_agent name=rev>", None)]
    #[case("<active_agent id=\"1\" name=\"rev\">", None)]
    #[case("<active_agent name = \"x\">", None)]
    #[case("<active_agent name=\"\">", None)]
    #[case("<active_agent name=\"x\"", None)]
    #[case("<active_agent name=\"it's\">", Some("it"))]
    #[case("<active_agent name=\"a&amp;b\">", Some("a&amp;b"))]
    #[case("<active_agent name=\"a\"><active_agent name=\"b\">", Some("a"))]
    #[case("<active_agent id=\"1\"><active_agent name=\"b\">", Some("b"))]
    #[case("<active_agent name=\" \"><active_agent name=\"b\">", None)]
    #[case("", None)]
    #[case("é<active_agenté name=\"x\">", None)]
    fn tool_006_tags(#[case] prompt: &str, #[case] expected: Option<&str>) {
        assert_eq!(tag_name(prompt).as_deref(), expected);
    }
}
