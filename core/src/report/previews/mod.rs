//! What an input looks like in a prompt and in the review log (PREV). One file a tool family.
//!
//! A preview is raw text: whoever shows it escapes it. It never influences a decision; only a formatter that fails does, because
//! then nobody could be asked properly (HAND-007).

mod file_tools;
mod json;
mod limits;
mod mcp;
mod registry;
mod search_tools;
mod summary;

use serde_json::{Map, Value};

pub use limits::{ToolPreviewLimits, resolve_tool_preview_limits};
pub use registry::{AlreadyRegistered, FormatterDisposer, FormatterRegistry, ToolInputFormatter};

use super::bounds::bound_utf16;
use super::masking::{mask_text, mask_value};
use crate::host::HostResult;

/// The text for a prompt, and the whole of it when it was cut.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// Within the limits; empty when there is nothing to show.
    pub text: String,
    /// Everything, when `text` is not (HARD-053).
    pub full: Option<String>,
}

impl Preview {
    /// A text that is whole.
    pub fn whole(text: impl Into<String>) -> Self {
        Self { text: text.into(), full: None }
    }

    /// A text and the whole of it; they may be the same.
    pub(crate) fn cut(text: String, full: String) -> Self {
        let full = (full != text).then_some(full);
        Self { text, full }
    }
}

/// Makes previews of inputs.
#[derive(Debug, Clone, Copy)]
pub struct ToolPreviewFormatter<'a> {
    limits: ToolPreviewLimits,
    registry: &'a FormatterRegistry,
}

impl<'a> ToolPreviewFormatter<'a> {
    /// With these limits, asking registered formatters first.
    pub fn new(limits: ToolPreviewLimits, registry: &'a FormatterRegistry) -> Self {
        Self { limits, registry }
    }

    /// The preview for a prompt (PREV-002 to PREV-010).
    ///
    /// ```
    /// use portcullis_core::report::previews::{FormatterRegistry, ToolPreviewFormatter, ToolPreviewLimits};
    /// use serde_json::json;
    /// let registry = FormatterRegistry::new();
    /// let previews = ToolPreviewFormatter::new(ToolPreviewLimits::default(), &registry);
    /// assert_eq!(previews.format_input("deploy", &json!({"a": 1})).unwrap().text, r#"{"a":1}"#);
    /// ```
    pub fn format_input(&self, tool_name: &str, input: &Value) -> HostResult<Preview> {
        if let Some(formatter) = self.registry.get(tool_name) {
            let empty = Map::new();
            let object = input.as_object().unwrap_or(&empty);
            if let Some(preview) = formatter.format(object, &self.limits)? {
                return Ok(preview);
            }
        }
        Ok(self.built_in(tool_name, input))
    }

    /// The preview for the review log, made of the masked input (PREV-011, HARD-052); `surface` is the one that was checked.
    pub fn format_log(&self, surface: &str, tool_name: &str, input: &Value) -> HostResult<Option<String>> {
        if matches!(surface, "bash" | "mcp") {
            return Ok(None);
        }
        let text = if is_path_tool(tool_name) {
            // The preview holds no content, so only the little that it shows has to be masked.
            bound_utf16(&mask_text(&self.format_input(tool_name, input)?.text), self.limits.log)
        } else {
            json::preview(&mask_value(input), self.limits.log).text
        };
        Ok((!text.is_empty()).then_some(text))
    }

    fn built_in(&self, tool_name: &str, input: &Value) -> Preview {
        match tool_name {
            "read" => file_tools::read(input),
            "write" => file_tools::write(input),
            "edit" => file_tools::edit(input),
            "grep" | "find" | "ls" => search_tools::search(input, self.limits.text_summary),
            _ => json::preview(input, self.limits.input),
        }
    }
}

fn is_path_tool(tool_name: &str) -> bool {
    matches!(tool_name, "read" | "write" | "edit" | "grep" | "find" | "ls")
}

#[cfg(test)]
mod tests;
