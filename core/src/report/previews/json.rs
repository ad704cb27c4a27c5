//! Tools without a form of their own: their input as compact JSON (PREV-010).

use serde_json::Value;

use super::Preview;
use super::summary::{collapse, with_missing_names};
use crate::report::bounds::cut_at_utf16;

/// The input on one line, blanks collapsed; nothing for `{}` and `null`.
fn compact(input: &Value) -> String {
    match input {
        Value::Null => String::new(),
        Value::Object(members) if members.is_empty() => String::new(),
        other => collapse(&other.to_string()),
    }
}

/// The same within a limit. A cut names the arguments that it dropped whole (HARD-062).
pub(super) fn preview(input: &Value, limit: usize) -> Preview {
    let full = compact(input);
    let Some(cut) = cut_at_utf16(&full, limit) else {
        return Preview::whole(full);
    };
    let names = names_behind(input, cut);
    Preview::cut(with_missing_names(&full, cut, &names), full)
}

/// Names of the top-level arguments that begin behind the cut.
fn names_behind(input: &Value, cut: usize) -> Vec<&str> {
    let Value::Object(members) = input else { return Vec::new() };
    let mut at = 1_usize;
    let mut names = Vec::new();
    for (name, value) in members {
        // `"name":` has to be visible whole, or the name counts as dropped.
        let key_end = at + collapse(&Value::from(name.as_str()).to_string()).len() + 1;
        if key_end > cut {
            names.push(name.as_str());
        }
        at = key_end + collapse(&value.to_string()).len() + 1;
    }
    names
}
