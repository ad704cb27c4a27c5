//! `grep`, `find`, `ls` (PREV-007): what is looked for, and where.

use serde_json::Value;

use super::Preview;
use super::summary::{collapse, prompt_path, text_member};
use crate::report::bounds::bound_utf16;

/// Pattern and glob within the limit, the path as it is, or the words for the current directory.
pub(super) fn search(input: &Value, limit: usize) -> Preview {
    let render = |limit: usize| {
        let mut parts = Vec::new();
        for name in ["pattern", "glob"] {
            if let Some(text) = text_member(input, name) {
                parts.push(format!("{name} '{}'", bound_utf16(&collapse(text), limit)));
            }
        }
        parts.push(match prompt_path(input) {
            Some(path) => format!("path '{path}'"),
            None => "in the current directory".to_owned(),
        });
        parts.join(", ")
    };
    Preview::cut(render(limit), render(usize::MAX))
}
