//! `read`, `write`, `edit` (PREV-004 to PREV-006). Contents are never shown, only how much of them there is.

use serde_json::Value;

use super::Preview;
use super::summary::{line_count, prompt_path, quantity};

/// Path, then `offset` and `limit` when they are numbers.
pub(super) fn read(input: &Value) -> Preview {
    let mut parts = Vec::new();
    if let Some(path) = prompt_path(input) {
        parts.push(format!("path '{path}'"));
    }
    for name in ["offset", "limit"] {
        if let Some(Value::Number(number)) = input.get(name) {
            parts.push(format!("{name} {number}"));
        }
    }
    Preview::whole(parts.join(", "))
}

/// Path, and how many lines and characters (UTF-16 units, as editors count) the content has.
pub(super) fn write(input: &Value) -> Preview {
    let content = input.get("content").and_then(Value::as_str).unwrap_or_default();
    let size = format!("{}, {}", quantity(line_count(content), "line"), quantity(content.encode_utf16().count(), "character"));
    Preview::whole(with_path(input, size))
}

/// Path, how many edits, and the size of the first one.
pub(super) fn edit(input: &Value) -> Preview {
    let edits = edits(input);
    let summary = match edits.split_first() {
        None => "an edit without usable texts".to_owned(),
        Some(((old, new), more)) => {
            let first = format!(
                "{}, the first from {} to {}",
                quantity(edits.len(), "edit"),
                quantity(line_count(old), "line"),
                quantity(line_count(new), "line")
            );
            if more.is_empty() { first } else { format!("{first}, {} more", more.len()) }
        }
    };
    Preview::whole(with_path(input, summary))
}

/// The array `edits` if there is one, even an empty one; else the two texts beside it. Entries without both are dropped.
fn edits(input: &Value) -> Vec<(&str, &str)> {
    match input.get("edits") {
        Some(Value::Array(entries)) => entries.iter().filter_map(texts).collect(),
        _ => texts(input).into_iter().collect(),
    }
}

fn texts(edit: &Value) -> Option<(&str, &str)> {
    Some((edit.get("oldText")?.as_str()?, edit.get("newText")?.as_str()?))
}

fn with_path(input: &Value, summary: String) -> String {
    match prompt_path(input) {
        Some(path) => format!("path '{path}', {summary}"),
        None => summary,
    }
}
