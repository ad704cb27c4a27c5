//! Whether a tool is registered with the host (HAND-004, TOOL-003). The wording of a refusal is not decided here.

use std::collections::BTreeSet;

use serde_json::Value;

use super::tool_name::tool_name_of;

/// The result of the registration check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Registration {
    /// The event names no tool.
    MissingToolName,
    /// The host knows the tool.
    Registered {
        /// The name as asked, trimmed.
        requested: String,
        /// The name in the host's list; another one only through an alias.
        normalized: String,
    },
    /// The host does not know the tool.
    Unregistered {
        /// The name as asked, trimmed.
        requested: String,
        /// What the host has instead: unique, in a fixed order that reads like a collation.
        available: Vec<String>,
    },
}

/// Compares the name with the host's tools, case-sensitively (TOOL-003). Entries are texts or objects; nameless ones are
/// ignored.
///
/// ```
/// use portcullis_core::access::{Registration, check_registration};
/// use serde_json::json;
///
/// let tools = [json!("read"), json!({"name": "write"})];
/// let known = Registration::Registered { requested: "read".into(), normalized: "read".into() };
/// assert_eq!(check_registration(Some(" read "), &tools), known);
/// ```
pub fn check_registration(requested: Option<&str>, tools: &[Value]) -> Registration {
    check_registration_with(requested, tools, &[])
}

/// [`check_registration`] with aliases, (alias, canonical): a name also stands for its canonical form, for its aliases, and
/// for its sibling aliases.
pub fn check_registration_with(requested: Option<&str>, tools: &[Value], aliases: &[(String, String)]) -> Registration {
    let Some(requested) = requested.and_then(crate::text::non_blank) else {
        return Registration::MissingToolName;
    };
    let names: Vec<String> = tools.iter().filter_map(tool_name_of).collect();
    let canonical_of = |name: &str| aliases.iter().find(|(alias, _)| alias == name).map(|(_, canonical)| canonical.as_str());
    let canonical = canonical_of(requested).unwrap_or(requested);
    let found = names
        .iter()
        .find(|name| name.as_str() == requested)
        .or_else(|| names.iter().find(|name| canonical_of(name).unwrap_or(name) == canonical));
    match found {
        Some(name) => Registration::Registered { requested: requested.to_owned(), normalized: name.clone() },
        None => Registration::Unregistered { requested: requested.to_owned(), available: sorted(names) },
    }
}

/// Unique names in a fixed order that reads like a collation: by letters without their case first, then the lower case.
fn sorted(names: Vec<String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    names.sort_by_cached_key(|name| {
        let swapped: String = name.chars().map(swap_case).collect();
        (unaccented(name), swapped)
    });
    names
}

fn swap_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}

/// Lower case without combining marks.
fn unaccented(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::is_combining_mark;

    name.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn registered(requested: &str, normalized: &str) -> Registration {
        Registration::Registered { requested: requested.into(), normalized: normalized.into() }
    }

    fn unregistered(requested: &str, available: &[&str]) -> Registration {
        Registration::Unregistered {
            requested: requested.into(),
            available: available.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    #[rstest]
    #[case::hand_004(json!({"name": "x-tool"}), registered("x-tool", "x-tool"))]
    #[case::hand_004(json!({"name": " read "}), registered("read", "read"))]
    #[case::hand_004(json!({"name": "READ"}), unregistered("READ", &["bash", "ls", "read", "x-tool"]))]
    #[case::hand_004(json!({}), Registration::MissingToolName)]
    #[case::hand_004(json!("ls"), registered("ls", "ls"))]
    fn against_a_mixed_list(#[case] event: Value, #[case] expected: Registration) {
        let tools = [
            json!({"name": "read"}),
            json!({"name": "bash"}),
            json!({"name": "bash"}),
            json!(null),
            json!({"foo": 1}),
            json!("ls"),
            json!({"tool": "x-tool"}),
        ];
        assert_eq!(check_registration(tool_name_of(&event).as_deref(), &tools), expected);
    }

    #[rstest]
    #[case::tool_003(Some("read"), json!(["read", "write"]), registered("read", "read"))]
    #[case::tool_003(Some("Read"), json!(["read", "write"]), unregistered("Read", &["read", "write"]))]
    #[case::tool_003(None, json!(["read"]), Registration::MissingToolName)]
    #[case::tool_003(Some("  "), json!(["read"]), Registration::MissingToolName)]
    #[case::tool_003(Some("x"), json!(["b", "a", "Zed", "é", "_q", "B", "a"]), unregistered("x", &["_q", "a", "b", "B", "é", "Zed"]))]
    #[case::tool_003(Some("x"), json!([null, {}, 5]), unregistered("x", &[]))]
    fn without_aliases(#[case] requested: Option<&str>, #[case] tools: Value, #[case] expected: Registration) {
        assert_eq!(check_registration(requested, tools.as_array().unwrap()), expected);
    }

    #[rstest]
    #[case::tool_003(&[("old", "new")], "old", "new", registered("old", "new"))]
    #[case::tool_003(&[("old", "new")], "new", "old", registered("new", "old"))]
    #[case::tool_003(&[("a1", "c"), ("a2", "c")], "a1", "a2", registered("a1", "a2"))]
    #[case::tool_003(&[("a1", "c"), ("a2", "d")], "a1", "a2", unregistered("a1", &["a2"]))]
    fn with_aliases(
        #[case] aliases: &[(&str, &str)],
        #[case] requested: &str,
        #[case] tool: &str,
        #[case] expected: Registration,
    ) {
        let aliases: Vec<(String, String)> =
            aliases.iter().map(|(alias, canonical)| ((*alias).to_owned(), (*canonical).to_owned())).collect();
        assert_eq!(check_registration_with(Some(requested), &[json!(tool)], &aliases), expected);
    }
}
