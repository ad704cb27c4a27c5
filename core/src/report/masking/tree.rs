//! Masks JSON values: members by their key, texts by what stands in them, argument lists by their options.

use serde_json::{Map, Value};

use super::names::{Binding, is_sensitive};
use super::{MASK, mask_text};

/// How deep a value is looked at. What lies deeper is replaced: a record is no place for it, and it may hold anything.
const MAX_DEPTH: usize = 64;
const TOO_DEEP: &str = "[too deep]";

/// The value with every text masked, and every member whose key is sensitive.
///
/// ```
/// use portcullis_core::report::masking::mask_value;
/// use serde_json::json;
/// let input = json!({"user": "u", "apiKey": "v", "argv": ["--token", "t"]});
/// assert_eq!(mask_value(&input), json!({"user": "u", "apiKey": "[redacted]", "argv": ["--token", "[redacted]"]}));
/// ```
pub fn mask_value(value: &Value) -> Value {
    masked(value, 0)
}

fn masked(value: &Value, depth: usize) -> Value {
    if depth >= MAX_DEPTH {
        return TOO_DEEP.into();
    }
    match value {
        Value::String(text) => Value::String(mask_text(text).into_owned()),
        Value::Array(items) => Value::Array(masked_items(items, depth)),
        Value::Object(members) => Value::Object(masked_members(members, depth)),
        plain => plain.clone(),
    }
}

/// A list may be the arguments of a program: an option takes the text behind it.
fn masked_items(items: &[Value], depth: usize) -> Vec<Value> {
    let mut behind_option = false;
    items
        .iter()
        .map(|item| {
            let text = item.as_str();
            let mask = behind_option && text.is_some_and(|text| !text.starts_with('-'));
            behind_option = text.is_some_and(is_sensitive_option);
            if mask { MASK.into() } else { masked(item, depth + 1) }
        })
        .collect()
}

fn is_sensitive_option(text: &str) -> bool {
    text.starts_with('-') && !text.contains(['=', ' ']) && is_sensitive(text, Binding::Option)
}

fn masked_members(members: &Map<String, Value>, depth: usize) -> Map<String, Value> {
    let names_its_value =
        ["name", "key"].iter().filter_map(|label| members.get(*label)?.as_str()).any(|name| is_sensitive(name, Binding::Key));
    members
        .iter()
        .map(|(key, value)| {
            let hide = is_sensitive(key, Binding::Key) || (names_its_value && key == "value");
            let value = if hide && !value.is_null() { MASK.into() } else { masked(value, depth + 1) };
            (key.clone(), value)
        })
        .collect()
}
