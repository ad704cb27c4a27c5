//! MCP calls (PREV-009): the arguments by name.

use serde_json::{Map, Value};

use super::Preview;
use super::limits::ToolPreviewLimits;
use super::registry::ToolInputFormatter;
use super::summary::{quantity, with_missing_names};
use crate::host::HostResult;
use crate::report::bounds::{bound_utf16, cut_at_utf16};

/// The formatter that the registry holds for `mcp`.
pub(super) struct McpFormatter;

impl ToolInputFormatter for McpFormatter {
    fn format(&self, input: &Map<String, Value>, limits: &ToolPreviewLimits) -> HostResult<Option<Preview>> {
        let Some(Value::Object(arguments)) = input.get("arguments") else {
            return Ok(Some(Preview::default()));
        };
        Ok(Some(summary(arguments, limits)))
    }
}

/// Name and value of each argument, the whole within its limit. A cut names what it dropped whole (HARD-062).
fn summary(arguments: &Map<String, Value>, limits: &ToolPreviewLimits) -> Preview {
    let mut text = String::new();
    let mut name_ends = Vec::new();
    for (name, value) in arguments {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(name);
        text.push_str(": ");
        name_ends.push((name.as_str(), text.len()));
        text.push_str(&shown(value, limits.mcp_argument));
    }
    let short = match cut_at_utf16(&text, limits.mcp_summary) {
        None => text,
        Some(cut) => {
            let dropped: Vec<&str> = name_ends.iter().filter(|(_, end)| *end > cut).map(|(name, _)| *name).collect();
            with_missing_names(&text, cut, &dropped)
        }
    };
    Preview::cut(short, whole(arguments))
}

fn shown(value: &Value, limit: usize) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", bound_utf16(text, limit)),
        Value::Array(items) => format!("[{}]", quantity(items.len(), "item")),
        Value::Object(_) => "{…}".to_owned(),
        plain => plain.to_string(),
    }
}

/// Nothing left out: the complete view of HARD-053.
fn whole(arguments: &Map<String, Value>) -> String {
    arguments
        .iter()
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}: \"{text}\""),
            other => format!("{name}: {other}"),
        })
        .collect::<Vec<_>>()
        .join(", ")
}
