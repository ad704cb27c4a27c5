//! The path that a call touches, as the caller wrote it (GATE-012, SURF-013), and the further operands of searches (RES-22). What
//! the text means is `access::path`'s business.

use serde_json::Value;

use super::extractors::ExtractorRegistry;
use super::input::text_field;
use super::tool_kind::{ToolKind, tool_kind};
use crate::host::{HostError, HostResult};
use crate::text::{js_trim, non_blank};

/// The raw path of a call, trimmed, with the requirement that found it when the package would not have looked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawPath {
    /// The text.
    pub text: String,
    /// The text before it was trimmed, when that is another one: a host may open the file of that name (HARD-024).
    pub untrimmed: Option<String>,
    /// `RES-19`'s requirement for a `file_path`.
    pub introduced_by: Option<&'static str>,
}

/// The path for gates 2 and 3 (GATE-012): none for the shell; `path`, else `file_path` (RES-19), of a path tool;
/// `arguments.path` of an MCP call; for skills and extensions the registered extractor's answer when there is one, else
/// `path`.
///
/// ```
/// use portcullis_core::access::{ExtractorRegistry, tool_path};
/// use serde_json::json;
///
/// let none = ExtractorRegistry::new();
/// let path = |tool, input| tool_path(tool, &input, &none).unwrap().map(|path| path.text);
/// assert_eq!(path("read", json!({"path": " a "})).as_deref(), Some("a"));
/// assert_eq!(path("mcp", json!({"path": "a"})), None);
/// ```
pub fn tool_path(tool: &str, input: &Value, extractors: &ExtractorRegistry) -> HostResult<Option<RawPath>> {
    let by_convention = || field(input, "path");
    Ok(match tool_kind(tool) {
        ToolKind::Bash => None,
        ToolKind::Path => {
            by_convention().or_else(|| Some(RawPath { introduced_by: Some("HARD-024"), ..field(input, "file_path")? }))
        }
        ToolKind::Mcp => input.get("arguments").and_then(|arguments| field(arguments, "path")),
        ToolKind::Skill | ToolKind::Extension => match extractors.get(tool) {
            Some(extractor) => extractor.extract_path(input)?.as_deref().and_then(raw_path),
            None => by_convention(),
        },
    })
}

fn field(input: &Value, name: &str) -> Option<RawPath> {
    raw_path(input.as_object()?.get(name)?.as_str()?)
}

fn raw_path(raw: &str) -> Option<RawPath> {
    let text = non_blank(raw)?;
    let untrimmed = (text != raw).then(|| raw.to_owned());
    Some(RawPath { text: text.to_owned(), untrimmed, introduced_by: None })
}

/// The operands of a search beside its path, trimmed (HARD-058, RES-22): `grep.glob`, `find.pattern`. They are relative to the
/// path operand. A glob that only leaves things out (`!*.md`) names no operand; one with a brace list names each of its
/// alternatives beside itself, because that is pure syntax (HARD-019).
pub fn search_operands(tool: &str, input: &Value) -> HostResult<Vec<String>> {
    let operand = match js_trim(tool) {
        "grep" => text_field(input, "glob").filter(|glob| !glob.starts_with('!')),
        "find" => text_field(input, "pattern"),
        _ => None,
    };
    operand.map_or_else(|| Ok(Vec::new()), alternatives)
}

/// More alternatives are not looked at, and the call does not go ahead.
const MAX_ALTERNATIVES: usize = 256;

/// The glob, and what its brace lists stand for.
fn alternatives(glob: &str) -> HostResult<Vec<String>> {
    let mut found = vec![glob.to_owned()];
    let mut open = vec![glob.to_owned()];
    let mut looks = 0;
    while let Some(text) = open.pop() {
        looks += 1;
        let Some((before, items, after)) = first_list(&text) else {
            if !found.contains(&text) && !text.is_empty() {
                found.push(text);
            }
            continue;
        };
        open.extend(items.iter().rev().map(|item| format!("{before}{item}{after}")));
        // Lists of one item grow nothing, but each of them costs a look at the whole text.
        if open.len() + found.len() > MAX_ALTERNATIVES || looks > 4 * MAX_ALTERNATIVES {
            return Err(HostError::new("the search pattern holds too many alternatives"));
        }
    }
    Ok(found)
}

/// The first closed brace list: the text before it, its items, the text behind it.
fn first_list(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    let open = text.find('{')?;
    let rest = text.get(open + 1..)?;
    let (mut depth, mut from, mut items) = (0_usize, 0, Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                items.push(rest.get(from..at)?);
                from = at + 1;
            }
            '}' => {
                items.push(rest.get(from..at)?);
                return Some((text.get(..open)?, items, rest.get(at + 1..)?));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn registry() -> ExtractorRegistry {
        let registry = ExtractorRegistry::new();
        let by = |field: &'static str| move |input: &Value| Ok(input.get(field).and_then(Value::as_str).map(str::to_owned));
        let _ = registry.register("ffgrep", by("dir")).unwrap();
        let _ = registry.register("deployer", by("target")).unwrap();
        let _ = registry.register("read", by("target")).unwrap();
        let _ = registry.register("mcp", by("target")).unwrap();
        let _ = registry.register("skill", by("target")).unwrap();
        let _ = registry.register("boom", |_: &Value| Err(HostError::new("boom"))).unwrap();
        registry
    }

    #[rstest]
    #[case::gate_012("read", json!({"path": " a "}), Some("a"))]
    #[case::gate_012("mcp", json!({"path": "a"}), None)]
    #[case::gate_012("mcp", json!({"arguments": {"path": "a"}}), Some("a"))]
    #[case::gate_012("mcp", json!({"arguments": "{\"path\":\"a\"}"}), None)]
    #[case::gate_012("deploy", json!({"path": "a"}), Some("a"))]
    #[case::gate_012("deploy", json!({"file_path": "a"}), None)]
    #[case::gate_012("read", json!({"path": [".env"]}), None)]
    #[case::gate_012("bash", json!({"path": "a"}), None)]
    #[case::gate_012_extractor("deployer", json!({"target": ".env"}), Some(".env"))]
    #[case::gate_012_extractor("deployer", json!({"path": ".env"}), None)]
    #[case::gate_012_extractor("deployer", json!({"target": 5, "path": ".env"}), None)]
    #[case::surf_013("foo", json!({"path": "/z"}), Some("/z"))]
    #[case::surf_013("foo", json!({"file": "/z"}), None)]
    #[case::surf_013("mcp", json!({"path": "no", "arguments": {"path": "/y"}}), Some("/y"))]
    #[case::surf_013("ffgrep", json!({"dir": " /d ", "path": "/p"}), Some("/d"))]
    #[case::surf_013("ffgrep", json!({"path": "/p"}), None)]
    #[case::surf_013("ffgrep", json!({"dir": "  ", "path": "/p"}), None)]
    #[case::surf_013_never_consulted("read", json!({"path": "a", "target": "b"}), Some("a"))]
    #[case::surf_013_never_consulted("mcp", json!({"target": "b"}), None)]
    #[case::surf_013_skill("skill", json!({"path": "a", "target": "b"}), Some("b"))]
    #[case::res_16_native("mcp__s__t", json!({"path": "a"}), Some("a"))]
    #[case::path_blank("read", json!({"path": "  "}), None)]
    fn paths(#[case] tool: &str, #[case] input: Value, #[case] expected: Option<&str>) {
        let found = tool_path(tool, &input, &registry()).unwrap();
        assert_eq!(found.map(|path| (path.text, path.introduced_by)), expected.map(|text| (text.to_owned(), None)));
    }

    #[rstest]
    #[case::res_19(json!({"file_path": " x "}), Some("x"))]
    #[case::res_19_blank_path(json!({"path": "", "file_path": "x"}), Some("x"))]
    #[case::res_19_not_both(json!({"path": "a", "file_path": "x"}), None)]
    fn file_path_of_a_path_tool(#[case] input: Value, #[case] expected: Option<&str>) {
        let found = tool_path("read", &input, &registry()).unwrap().filter(|path| path.introduced_by == Some("HARD-024"));
        assert_eq!(found.map(|path| path.text).as_deref(), expected);
    }

    #[rstest]
    #[case::hard_024("read", json!({"path": " a "}), Some(" a "))]
    #[case::hard_024("read", json!({"file_path": "a\n"}), Some("a\n"))]
    #[case::hard_024("ffgrep", json!({"dir": "\u{a0}d"}), Some("\u{a0}d"))]
    #[case::hard_024("read", json!({"path": "a b"}), None)]
    fn the_text_before_it_was_trimmed(#[case] tool: &str, #[case] input: Value, #[case] expected: Option<&str>) {
        let found = tool_path(tool, &input, &registry()).unwrap().unwrap();
        assert_eq!(found.untrimmed.as_deref(), expected);
    }

    #[test]
    fn gate_012_after_disposal_the_convention_holds_again() {
        let registry = ExtractorRegistry::new();
        let registration = registry.register("deployer", |_: &Value| Ok(None)).unwrap();
        let path = || tool_path("deployer", &json!({"path": ".env"}), &registry).unwrap().map(|path| path.text);
        assert_eq!(path(), None);
        registration.dispose();
        assert_eq!(path().as_deref(), Some(".env"));
    }

    #[test]
    fn surf_013_a_failing_extractor_fails_the_call() {
        assert_eq!(tool_path("boom", &json!({"path": "a"}), &registry()), Err(HostError::new("boom")));
    }

    #[rstest]
    #[case::hard_058("grep", json!({"pattern": "x", "glob": " .env "}), &[".env"])]
    #[case::hard_058("find", json!({"pattern": "/etc/*"}), &["/etc/*"])]
    #[case::hard_058("grep", json!({"pattern": "/etc/*"}), &[])]
    #[case::hard_058("grep", json!({"glob": "!.env"}), &[])]
    #[case::hard_058("ls", json!({"glob": ".env", "pattern": "x"}), &[])]
    #[case::hard_058("find", json!({"pattern": " "}), &[])]
    #[case::hard_058("find", json!(null), &[])]
    fn operands(#[case] tool: &str, #[case] input: Value, #[case] expected: &[&str]) {
        assert_eq!(search_operands(tool, &input).unwrap(), expected);
    }

    /// HARD-019: brace lists are pure syntax.
    #[rstest]
    #[case::list("{.env,*.ts}", &["{.env,*.ts}", ".env", "*.ts"])]
    #[case::inside("src/{a,b}/x", &["src/{a,b}/x", "src/a/x", "src/b/x"])]
    #[case::nested("{a,{b,c}d}", &["{a,{b,c}d}", "a", "bd", "cd"])]
    #[case::two("{a,b}{c,d}", &["{a,b}{c,d}", "ac", "ad", "bc", "bd"])]
    #[case::one("{.env}", &["{.env}", ".env"])]
    #[case::empty_item(".env{,x}", &[".env{,x}", ".env", ".envx"])]
    #[case::open("{a,b", &["{a,b"])]
    #[case::none("*.ts", &["*.ts"])]
    fn hard_019_alternatives(#[case] glob: &str, #[case] expected: &[&str]) {
        assert_eq!(search_operands("grep", &json!({ "glob": glob })).unwrap(), expected);
        assert_eq!(search_operands("find", &json!({ "pattern": glob })).unwrap(), expected);
    }

    #[test]
    fn hard_019_too_many_alternatives_block() {
        for glob in ["{a,b}".repeat(40), "{a}".repeat(100_000)] {
            assert!(search_operands("grep", &json!({ "glob": glob })).is_err());
        }
    }
}
