use std::sync::Arc;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Map, Value, json};

use super::summary::{collapse, line_count};
use super::{
    AlreadyRegistered, FormatterRegistry, Preview, ToolInputFormatter, ToolPreviewFormatter, ToolPreviewLimits,
    resolve_tool_preview_limits,
};
use crate::host::{HostError, HostResult};

fn preview(tool: &str, input: &Value) -> Preview {
    preview_within(ToolPreviewLimits::default(), tool, input)
}

fn preview_within(limits: ToolPreviewLimits, tool: &str, input: &Value) -> Preview {
    ToolPreviewFormatter::new(limits, &FormatterRegistry::new()).format_input(tool, input).unwrap()
}

fn shown(tool: &str, input: &Value) -> String {
    preview(tool, input).text
}

fn logged(surface: &str, tool: &str, input: &Value) -> Option<String> {
    ToolPreviewFormatter::new(ToolPreviewLimits::default(), &FormatterRegistry::new()).format_log(surface, tool, input).unwrap()
}

type Answer = HostResult<Option<String>>;

fn formatter(answer: Answer) -> Arc<dyn ToolInputFormatter> {
    Arc::new(move |_: &Map<String, Value>| answer.clone())
}

fn registry_with(tool: &str, answer: Answer) -> FormatterRegistry {
    let registry = FormatterRegistry::new();
    registry.register(tool, formatter(answer)).unwrap();
    registry
}

// PREV-001

#[test]
fn prev_001_limits_and_settings() {
    let defaults = ToolPreviewLimits { input: 200, text_summary: 80, log: 1000, mcp_argument: 60, mcp_summary: 160 };
    assert_eq!(ToolPreviewLimits::default(), defaults);
    assert_eq!(resolve_tool_preview_limits(None, None), defaults);
    assert_eq!(resolve_tool_preview_limits(Some(0), Some(7)), ToolPreviewLimits { input: 0, text_summary: 7, ..defaults });
    assert_eq!(resolve_tool_preview_limits(Some(u64::MAX), None).input, usize::MAX);
}

/// PREV-001, HARD-062, GATES-D20: equal length is kept; more is cut at the limit, U+2026, and how much is missing.
#[rstest]
#[case::pattern_kept("grep", json!({"pattern": "z".repeat(80)}), format!("pattern '{}', in the current directory", "z".repeat(80)))]
#[case::pattern_cut("grep", json!({"pattern": "z".repeat(81)}), format!("pattern '{}… [1 more character]', in the current directory", "z".repeat(80)))]
#[case::json_cut("deploy", json!({"a": "z".repeat(300)}), format!("{{\"a\":\"{}… [108 more characters]", "z".repeat(194)))]
#[case::json_kept("deploy", json!({"a": "z".repeat(192)}), format!("{{\"a\":\"{}\"}}", "z".repeat(192)))]
#[case::surrogates_stay_whole("find", json!({"pattern": format!("{}😀", "z".repeat(79))}), format!("pattern '{}… [1 more character]', in the current directory", "z".repeat(79)))]
fn prev_001_cuts(#[case] tool: &str, #[case] input: Value, #[case] expected: String) {
    assert_eq!(shown(tool, &input), expected);
}

#[test]
fn prev_001_an_explicit_zero_is_honoured() {
    let limits = resolve_tool_preview_limits(Some(0), Some(0));
    assert_eq!(preview_within(limits, "deploy", &json!({"a": 1})).text, "… [7 more characters, with a]");
    assert_eq!(
        preview_within(limits, "ls", &json!({"pattern": "ab"})).text,
        "pattern '… [2 more characters]', in the current directory"
    );
}

#[test]
fn prev_001_log_previews_are_cut_at_1000() {
    let long = logged("deploy", "deploy", &json!({"a": "z".repeat(2000)})).unwrap();
    assert_eq!(long, format!("{{\"a\":\"{}… [1008 more characters]", "z".repeat(994)));
    let path = logged("read", "read", &json!({"path": "z".repeat(2000)})).unwrap();
    assert_eq!(path, format!("path '{}… [1007 more characters]", "z".repeat(994)));
}

/// HARD-062: a cut never drops a whole argument without its name.
#[test]
fn hard_062_a_cut_names_the_arguments_that_it_drops() {
    let input = json!({"body": "z".repeat(200), "force": true, "target": {"a": 1}});
    let shown = preview("deploy", &input);
    assert_eq!(shown.text, format!("{{\"body\":\"{}… [41 more characters, with force, target]", "z".repeat(191)));
    assert_eq!(shown.full, Some(input.to_string()));
    let arguments = json!({"arguments": {"q": "z".repeat(60), "r": "y".repeat(60), "s": "x".repeat(60), "t": 1}});
    let shown = preview("mcp", &arguments);
    assert_eq!(
        shown.text,
        format!("q: \"{}\", r: \"{}\", s: \"{}… [45 more characters, with t]", "z".repeat(60), "y".repeat(60), "x".repeat(22))
    );
}

// PREV-002

#[rstest]
#[case::fragment("deploy", Ok(Some("f\n".to_owned())), "f\n")]
#[case::empty("deploy", Ok(Some(String::new())), "")]
#[case::decline("deploy", Ok(None), "{\"a\":1}")]
#[case::untruncated("deploy", Ok(Some("z".repeat(500))), &"z".repeat(500))]
#[case::other_tool("other", Ok(Some("f".to_owned())), "{\"a\":1}")]
fn prev_002_a_registered_formatter_comes_first(#[case] tool: &str, #[case] answer: Answer, #[case] expected: &str) {
    let registry = registry_with(tool, answer);
    let previews = ToolPreviewFormatter::new(ToolPreviewLimits::default(), &registry);
    assert_eq!(previews.format_input("deploy", &json!({"a": 1})).unwrap().text, expected);
}

#[test]
fn prev_002_what_is_no_object_comes_as_an_empty_one() {
    let registry = FormatterRegistry::new();
    let count: Arc<dyn ToolInputFormatter> = Arc::new(|input: &Map<String, Value>| Ok(Some(input.len().to_string())));
    registry.register("deploy", count).unwrap();
    let previews = ToolPreviewFormatter::new(ToolPreviewLimits::default(), &registry);
    for input in [json!(null), json!("x"), json!([1, 2]), json!({})] {
        assert_eq!(previews.format_input("deploy", &input).unwrap().text, "0");
    }
    assert_eq!(previews.format_input("deploy", &json!({"a": 1})).unwrap().text, "1");
}

#[test]
fn hand_007_a_formatter_that_fails_is_an_error() {
    let registry = registry_with("read", Err(HostError::new("boom")));
    let previews = ToolPreviewFormatter::new(ToolPreviewLimits::default(), &registry);
    assert_eq!(previews.format_input("read", &json!({})), Err(HostError::new("boom")));
    assert_eq!(previews.format_log("read", "read", &json!({})), Err(HostError::new("boom")));
}

// PREV-003 to PREV-008

#[rstest]
#[case::prev_003_file_path(json!({"file_path": "b"}), "path 'b'")]
#[case::prev_003_blank_path(json!({"path": "", "file_path": "b"}), "path 'b'")]
#[case::prev_003_trimmed(json!({"path": " a "}), "path 'a'")]
#[case::prev_003_path_wins(json!({"path": "a", "file_path": "b"}), "path 'a'")]
#[case::prev_004_all(json!({"path": "a", "offset": 0, "limit": 10}), "path 'a', offset 0, limit 10")]
#[case::prev_004_text_offset(json!({"offset": "3"}), "")]
#[case::prev_004_limit_alone(json!({"limit": 10}), "limit 10")]
#[case::prev_004_empty(json!({}), "")]
#[case::prev_004_no_object(json!("x"), "")]
fn prev_004_read(#[case] input: Value, #[case] expected: &str) {
    assert_eq!(shown("read", &input), expected);
}

#[test]
fn prev_004_path_length_is_unlimited() {
    let path = "p".repeat(5000);
    assert_eq!(preview("read", &json!({"path": path})), Preview::whole(format!("path '{path}'")));
}

#[rstest]
#[case(json!({"path": "a", "content": "x\n"}), "path 'a', 2 lines, 2 characters")]
#[case(json!({"path": "a", "content": "a\nb\r\nc\rd"}), "path 'a', 4 lines, 8 characters")]
#[case(json!({"path": "a", "content": "é😀"}), "path 'a', 1 line, 3 characters")]
#[case(json!({"path": "a", "content": ""}), "path 'a', 0 lines, 0 characters")]
#[case(json!({"path": "a", "content": 5}), "path 'a', 0 lines, 0 characters")]
#[case(json!({"content": "x"}), "1 line, 1 character")]
#[case(json!({}), "0 lines, 0 characters")]
fn prev_005_write(#[case] input: Value, #[case] expected: &str) {
    assert_eq!(shown("write", &input), expected);
}

#[rstest]
#[case::two_of_four(
    json!({"path": "a", "edits": [{"oldText": "x\ny", "newText": "z"}, {"oldText": 1, "newText": "z"}, {"oldText": "q"}, {"oldText": "", "newText": ""}]}),
    "path 'a', 2 edits, the first from 2 lines to 1 line, 1 more"
)]
#[case::empty_array_beats_top_level(json!({"edits": [], "oldText": "x", "newText": "y"}), "an edit without usable texts")]
#[case::to_nothing(json!({"edits": [{"oldText": "x", "newText": ""}]}), "1 edit, the first from 1 line to 0 lines")]
#[case::top_level(json!({"path": "a", "oldText": "x", "newText": "y\n"}), "path 'a', 1 edit, the first from 1 line to 2 lines")]
#[case::edits_no_array(json!({"edits": 5, "oldText": "x", "newText": "y"}), "1 edit, the first from 1 line to 1 line")]
#[case::none_valid(json!({"path": "a", "edits": [{"oldText": "x"}]}), "path 'a', an edit without usable texts")]
#[case::nothing(json!({}), "an edit without usable texts")]
fn prev_006_edit(#[case] input: Value, #[case] expected: &str) {
    assert_eq!(shown("edit", &input), expected);
}

#[rstest]
#[case::all(json!({"pattern": "a  b\n c", "glob": "*.ts", "path": "src"}), "pattern 'a b c', glob '*.ts', path 'src'")]
#[case::empty(json!({}), "in the current directory")]
#[case::blank_pattern(json!({"pattern": " \n", "path": "src"}), "path 'src'")]
#[case::pattern_only(json!({"pattern": "x"}), "pattern 'x', in the current directory")]
#[case::no_text(json!({"pattern": 5, "glob": []}), "in the current directory")]
fn prev_007_search(#[values("grep", "find", "ls")] tool: &str, #[case] input: Value, #[case] expected: &str) {
    assert_eq!(shown(tool, &input), expected);
}

#[test]
fn prev_007_the_path_stays_whole_and_so_does_the_full_view() {
    let input = json!({"pattern": "z".repeat(100), "path": "p".repeat(300)});
    let preview = preview("grep", &input);
    assert!(preview.text.ends_with(&format!("path '{}'", "p".repeat(300))));
    assert_eq!(preview.full, Some(format!("pattern '{}', path '{}'", "z".repeat(100), "p".repeat(300))));
}

#[rstest]
#[case("", 0)]
#[case("a", 1)]
#[case("a\n", 2)]
#[case("\n", 2)]
#[case("a\r\nb", 2)]
#[case("a\rb", 2)]
#[case("a\u{2028}b", 1)]
#[case("\r\n\n\r", 4)]
fn prev_008_line_count(#[case] text: &str, #[case] expected: usize) {
    assert_eq!(line_count(text), expected);
}

// PREV-009

#[rstest]
#[case::kinds(
    json!({"arguments": {"q": "hello", "n": 3, "b": true, "a": [1, 2], "o": {}, "z": null}}),
    "q: \"hello\", n: 3, b: true, a: [2 items], o: {…}, z: null"
)]
#[case::raw(json!({"arguments": {"q": "q\"uote\nl"}}), "q: \"q\"uote\nl\"")]
#[case::cut_at_60(json!({"arguments": {"q": "z".repeat(61)}}), &format!("q: \"{}… [1 more character]\"", "z".repeat(60)))]
#[case::order(json!({"arguments": {"b": 1, "a": 2}}), "b: 1, a: 2")]
#[case::array(json!({"arguments": [1]}), "")]
#[case::text(json!({"arguments": "{\"a\":1}"}), "")]
#[case::none(json!({"tool": "a:b"}), "")]
#[case::empty(json!({"arguments": {}}), "")]
fn prev_009_mcp(#[case] input: Value, #[case] expected: &str) {
    assert_eq!(shown("mcp", &input), expected);
}

#[test]
fn prev_009_the_full_view_opens_what_the_preview_closes() {
    let input = json!({"arguments": {"a": [1, 2], "o": {"k": "v"}}});
    assert_eq!(preview("mcp", &input).full, Some("a: [1,2], o: {\"k\":\"v\"}".to_owned()));
}

// PREV-010

#[rstest]
#[case(json!({"a": 1}), "{\"a\":1}")]
#[case(json!([]), "[]")]
#[case(json!("str"), "\"str\"")]
#[case(json!(0), "0")]
#[case(json!({}), "")]
#[case(json!(null), "")]
#[case(json!({"a": "b   c"}), "{\"a\":\"b c\"}")]
#[case(json!({"b": 1, "a": 2}), "{\"b\":1,\"a\":2}")]
fn prev_010_other_tools(#[case] input: Value, #[case] expected: &str) {
    assert_eq!(shown("deploy", &input), expected);
}

#[test]
fn prev_010_white_space_is_the_javascript_set() {
    assert_eq!(collapse("a\u{a0}\u{2003}\u{feff} b\u{85}c"), "a b\u{85}c");
}

// PREV-011

#[rstest]
#[case::bash("bash", "bash", json!({"command": "ls"}), None)]
#[case::alias("bash", "exec_command", json!({"cmd": "ls"}), None)]
#[case::mcp("mcp", "mcp", json!({"arguments": {"a": 1}}), None)]
#[case::read("read", "read", json!({"path": "a"}), Some("path 'a'"))]
#[case::extension("deploy", "deploy", json!({"a": 1}), Some("{\"a\":1}"))]
#[case::nothing("deploy", "deploy", json!({}), None)]
#[case::masked("deploy", "deploy", json!({"token": "v", "run": "KEY=v x"}), Some("{\"token\":\"[redacted]\",\"run\":\"KEY=[redacted] x\"}"))]
fn prev_011_log_previews(#[case] surface: &str, #[case] tool: &str, #[case] input: Value, #[case] expected: Option<&str>) {
    assert_eq!(logged(surface, tool, &input).as_deref(), expected);
}

#[rstest]
#[case::extension_ignores_it("deploy", Some("{\"a\":1}"))]
#[case::path_tool_uses_it("read", Some("fragment"))]
fn prev_011_log_previews_and_formatters(#[case] tool: &str, #[case] expected: Option<&str>) {
    let registry = registry_with(tool, Ok(Some("fragment".to_owned())));
    let previews = ToolPreviewFormatter::new(ToolPreviewLimits::default(), &registry);
    assert_eq!(previews.format_log(tool, tool, &json!({"a": 1})).unwrap().as_deref(), expected);
}

// EVT-020

#[test]
fn evt_020_mcp_has_a_formatter_already() {
    let registry = FormatterRegistry::new();
    let error = registry.register("mcp", formatter(Ok(None))).unwrap_err();
    assert_eq!(error, AlreadyRegistered { tool_name: "mcp".to_owned() });
    assert_eq!(error.to_string(), "a formatter for the tool 'mcp' is already registered");
}

#[test]
fn evt_020_a_disposer_removes_only_its_own() {
    let registry = FormatterRegistry::new();
    let first = registry.register("t", formatter(Ok(Some("1".into())))).unwrap();
    assert!(registry.register("t", formatter(Ok(None))).is_err());
    first.dispose();
    first.dispose();
    assert!(registry.get("t").is_none());
    let _second = registry.register("t", formatter(Ok(Some("2".into())))).unwrap();
    first.dispose();
    assert!(registry.get("t").is_some());
}

#[test]
fn evt_020_a_stale_disposer_removes_the_same_function_registered_again() {
    let registry = FormatterRegistry::new();
    let same = formatter(Ok(None));
    let first = registry.register("t", Arc::clone(&same)).unwrap();
    first.dispose();
    let _second = registry.register("t", same).unwrap();
    first.dispose();
    assert!(registry.get("t").is_none());
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..5).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    /// PREV-001: no limit and no input makes a preview fail, and a preview that is cut says so.
    #[test]
    fn prev_001_previews_take_any_input(
        tool in prop_oneof![Just("read"), Just("write"), Just("edit"), Just("grep"), Just("mcp"), Just("deploy")],
        input in any_json(),
        limit in 0_u64..40,
    ) {
        let limits = resolve_tool_preview_limits(Some(limit), Some(limit));
        let preview = preview_within(limits, tool, &input);
        if let Some(full) = preview.full {
            prop_assert_ne!(preview.text, full);
        }
    }

    /// HARD-062: every top-level argument of a cut JSON preview is visible by its name.
    #[test]
    fn hard_062_every_argument_is_visible_by_name(names in prop::collection::btree_set("[a-z]{1,6}", 1..6), limit in 0_u64..60) {
        let input = Value::Object(names.iter().map(|name| (name.clone(), json!("Z".repeat(9)))).collect());
        let text = preview_within(resolve_tool_preview_limits(Some(limit), None), "deploy", &input).text;
        for name in &names {
            prop_assert!(text.contains(name.as_str()), "{name} in {text}");
        }
    }
}
