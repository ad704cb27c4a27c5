use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::super::json::{Node, NodeValue, Position};
use super::super::rule::PermissionState;
use super::*;

fn value(node: &Node) -> Value {
    match &node.value {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => json!(value),
        NodeValue::Number(value) => json!(value),
        NodeValue::String(text) => json!(text),
        NodeValue::Array(items) => items.iter().map(value).collect(),
        NodeValue::Object(members) => members.iter().map(|member| (member.key.clone(), value(&member.value))).collect(),
        NodeValue::Unsupported(word) => json!({ "unsupported": word }),
    }
}

#[rstest]
#[case::plain("---\na: b\n---\nbody", Some("a: b"))]
#[case::more_dashes("---\na: b\n----\nx", Some("a: b"))]
#[case::crlf("---\r\na: b\r\n---\r\nbody", Some("a: b"))]
#[case::prose("# Title\n---\na: b\n---", None)]
#[case::empty("", None)]
#[case::dashes_later("x\n---\n", None)]
fn cfg_017_block(#[case] text: &str, #[case] expected: Option<&str>) {
    let expected = expected.map_or(Block::None, |text| Block::Found(text.to_owned()));
    assert_eq!(block::find(text), expected);
}

#[rstest]
#[case::no_end("---\na: b", "a: b")]
#[case::leading_blank(" ---\na: b\n---", "a: b")]
#[case::blank_after_the_dashes("--- \na: b\n---", "a: b")]
#[case::byte_order_mark("\u{feff}---\na: b\n---\n", "a: b")]
#[case::nothing_between("---\n---\n", "")]
#[case::four_dashes("----\na: b\n---", "a: b")]
fn res_09_looks_like_a_block_but_is_none(#[case] text: &str, #[case] meant: &str) {
    // CFG-017 says "none" for each of them; RES-09 makes them broken agent files.
    let Block::Broken(fault, found) = block::find(text) else { panic!("not broken: {text:?}") };
    assert_eq!((found.as_str(), fault.at), (meant, Position::START));
    let agent = read_agent_file(text, &[]);
    assert_eq!(agent.findings.iter().map(|finding| finding.kind).collect::<Vec<_>>(), [IssueKind::Syntax]);
}

#[rstest]
#[case::pair("a:b", json!({"a": "b"}))]
#[case::quoted_key("\"git *\": allow", json!({"git *": "allow"}))]
#[case::unquoted_keys("git *: ask\n*: ask", json!({"git *": "ask", "*": "ask"}))]
#[case::first_colon_splits("\"exa:*\": allow", json!({"exa": "*\": allow"}))]
#[case::no_comments("a: b # note", json!({"a": "b # note"}))]
#[case::no_flow_map("a: {x: y}", json!({"a": "{x: y}"}))]
#[case::no_flow_list("a: [1,2]", json!({"a": "[1,2]"}))]
#[case::dash_belongs_to_the_key("- a: b", json!({"- a": "b"}))]
#[case::lone_quote_stays("a: 'b", json!({"a": "'b"}))]
#[case::unequal_quotes_stay("a: \"b'", json!({"a": "\"b'"}))]
#[case::one_quote_is_a_pair("a: '", json!({"a": ""}))]
#[case::shrinking_indent("a:\n  b: c\n d: e", json!({"a": {"b": "c", "d": "e"}}))]
#[case::tab("a:\n\tb: c", json!({"a": {"b": "c"}}))]
#[case::indent_under_a_scalar("a: b\n  c: d", json!({"a": "b", "c": "d"}))]
#[case::repeated_key_replaces("p:\n  x: 1\np:\n  y: 2", json!({"p": {"y": "2"}}))]
#[case::skipped_lines("\n# note\nno colon\n: x\na: b", json!({"a": "b"}))]
fn cfg_018_line_format(#[case] text: &str, #[case] expected: Value) {
    // The row `first_colon_splits` of the specification shows the value as `'*": allow'`: those quotes are its own.
    assert_eq!(value(&lines::parse_lines(text, 1).root), expected);
}

#[test]
fn cfg_018_deep_nesting_is_bounded() {
    let text: String = (0..3_000).map(|level| format!("{}k:\n", " ".repeat(level))).collect();
    let _ = lines::parse_lines(&text, 0);
}

/// Entries as `surface/pattern=action(reason)`.
fn entries(agent: &AgentFile) -> Vec<String> {
    let shown = agent.policy.iter().flat_map(|policy| &policy.entries).map(|entry| {
        let reason = entry.reason.as_ref().map(|reason| format!("({reason})")).unwrap_or_default();
        format!("{}/{}={}{reason}", entry.surface, entry.pattern, entry.action)
    });
    shown.collect()
}

fn kinds(agent: &AgentFile) -> Vec<(IssueKind, String)> {
    agent.findings.iter().map(|finding| (finding.kind, finding.member.clone())).collect()
}

fn agent(block: &str) -> AgentFile {
    read_agent_file(&format!("---\n{block}\n---\nbody"), &[])
}

#[rstest]
#[case::comment_behind_a_value("permission:\n  bash: deny # no bash", &["bash/*=deny"])]
#[case::flow_map("permission: { bash: deny }", &["bash/*=deny"])]
#[case::colon_in_a_pattern("permission:\n  mcp:\n    exa:search: allow", &["mcp/exa:search=allow"])]
#[case::quoted_colon("permission:\n  mcp:\n    \"exa:*\": allow", &["mcp/exa:*=allow"])]
#[case::drive("permission:\n  read:\n    C:/x/*: deny", &["read/C:/x/*=deny"])]
#[case::deny_object(
    "permission:\n  bash:\n    npm *:\n      action: deny\n      reason: Use pnpm",
    &["bash/npm *=deny(Use pnpm)"]
)]
#[case::order_and_numbers("permission:\n  skill:\n    \"*\": deny\n    42: allow\n    true: ask", &["skill/*=deny", "skill/42=allow", "skill/true=ask"])]
#[case::anchors("permission:\n  bash: &a {ls: allow}\n  read: *a", &["bash/ls=allow", "read/ls=allow"])]
#[case::block_scalar("description: |\n  a: b\n  - c\npermission:\n  bash: ask", &["bash/*=ask"])]
#[case::string_tag("permission:\n  bash: !!str ask", &["bash/*=ask"])]
#[case::other_keys_do_not_matter("model: ~\ntools: [read, !x y]\npermission:\n  read: allow", &["read/*=allow"])]
#[case::directional("permission:\n  path_write: {\"*\": deny}", &["path_write/*=deny"])]
fn policy_d12_yaml_is_read(#[case] block: &str, #[case] expected: &[&str]) {
    // CFG-019 drops most of these without a word.
    let agent = agent(block);
    assert_eq!((kinds(&agent), entries(&agent)), (Vec::new(), expected.iter().map(|text| (*text).to_owned()).collect()));
}

#[rstest]
#[case::wrong_case("permission:\n  bash: Deny\n  read: deny", &[(IssueKind::Invalid, "permission.bash")], &["read/*=deny"])]
#[case::word("permission: deny", &[(IssueKind::Invalid, "permission")], &[])]
#[case::nothing("permission:", &[(IssueKind::Invalid, "permission")], &[])]
#[case::one_bad_entry(
    "permission:\n  a: {x: deny, y: no, z: allow}",
    &[(IssueKind::Invalid, "permission.a")],
    &["a/x=deny"]
)]
#[case::misplaced_deny_object(
    "permission:\n  a: {action: deny}",
    &[(IssueKind::CannotWork, "permission.a")],
    &["a/action=deny"]
)]
#[case::misplaced_deny_object_with_a_reason(
    "permission:\n  a: {action: deny, reason: why}",
    &[(IssueKind::Invalid, "permission.a")],
    &["a/action=deny"]
)]
#[case::states_are_strings("permission:\n  bash: true\n  read: 1\n  edit: null", &[
    (IssueKind::Invalid, "permission.bash"), (IssueKind::Invalid, "permission.read"), (IssueKind::Invalid, "permission.edit"),
], &[])]
#[case::tagged("permission:\n  bash: !x deny", &[(IssueKind::Invalid, "permission.bash")], &[])]
#[case::near_miss("permission:\n  path_wrote: deny", &[(IssueKind::NearMiss, "permission.path_wrote")], &["path_wrote/*=deny"])]
#[case::duplicate(
    "permission:\n  bash: deny\n  read: allow\n  bash: ask",
    &[(IssueKind::DuplicateKey, "permission.bash")],
    &["bash/*=deny", "bash/*=ask"]
)]
#[case::number_and_text_are_one_key(
    "permission:\n  skill: {42: deny, \"42\": allow}",
    &[(IssueKind::DuplicateKey, "permission.skill.42")],
    &["skill/42=deny"]
)]
#[case::duplicate_elsewhere("a: 1\na: 2", &[(IssueKind::DuplicateKey, "a")], &[])]
#[case::list("- permission", &[(IssueKind::Invalid, "")], &[])]
#[case::text("just words", &[(IssueKind::Invalid, "")], &[])]
fn res_09_faults_break_the_file(#[case] block: &str, #[case] faults: &[(IssueKind, &str)], #[case] kept: &[&str]) {
    let agent = agent(block);
    let faults: Vec<(IssueKind, String)> = faults.iter().map(|(kind, member)| (*kind, (*member).to_owned())).collect();
    assert_eq!((kinds(&agent), entries(&agent)), (faults, kept.iter().map(|text| (*text).to_owned()).collect()));
}

#[rstest]
#[case::star_is_an_alias("permission:\n  *: deny\n  bash:\n    *: ask\n    git *: allow\n  read: deny", &["bash/*=ask", "read/*=deny"])]
#[case::unclosed_flow("permission:\n  bash: {a: deny\n  read: ask\n  edit: allow", &["read/*=ask"])]
#[case::tab_indent("permission:\n\tbash: deny", &["bash/*=deny"])]
#[case::merge_key("b: &b {x: deny}\npermission:\n  bash: ask\n  read:\n    <<: *b", &["bash/*=ask"])]
#[case::collection_as_key("permission:\n  bash: deny\n  ? [a]\n  : ask", &["bash/*=deny"])]
#[case::two_documents("permission:\n  bash: deny\n...\na: b", &["bash/*=deny"])]
#[case::self_reference("permission:\n  bash: deny\n  x: &p [*p]", &["bash/*=deny"])]
fn res_06_a_block_that_is_no_yaml_keeps_its_restrictions(#[case] block: &str, #[case] kept: &[&str]) {
    let agent = agent(block);
    assert_eq!(kinds(&agent), [(IssueKind::Syntax, String::new())], "{:?}", agent.findings);
    assert_eq!(entries(&agent), kept);
}

#[test]
fn res_06_default_of_a_block_that_is_no_yaml() {
    let agent = agent("permission:\n  *: deny");
    assert_eq!(agent.policy.unwrap().default, Some((PermissionState::Deny, Position { line: 3, column: 3 })));
}

#[rstest]
#[case::none("model: x")]
#[case::empty("# nothing")]
#[case::prefix_is_not_it("permissions_note: x")]
fn cfg_020_no_permission_contributes_nothing(#[case] block: &str) {
    assert_eq!(agent(block), AgentFile::default());
}

#[test]
fn policy_d12_a_misspelt_permission_is_told() {
    let agent = agent("permissions:\n  bash: deny");
    assert_eq!((kinds(&agent), agent.policy.is_none()), (vec![(IssueKind::MisspeltMember, "permissions".to_owned())], true));
}

#[test]
fn places_are_those_of_the_file() {
    let agent = agent("model: x\npermission:\n  \"*\": ask\n  bash:\n    \"rm *\": deny\n    ls: no");
    let policy = agent.policy.unwrap();
    assert_eq!(policy.default, Some((PermissionState::Ask, Position { line: 4, column: 3 })));
    assert_eq!(policy.entries[0].at, Position { line: 6, column: 5 });
    assert_eq!(agent.findings[0].at, Some(Position { line: 7, column: 9 }));
    let broken = read_agent_file("---\na: b\nc: [\n---\n", &[]);
    assert_eq!(broken.findings[0].at, Some(Position { line: 3, column: 4 }), "{:?}", broken.findings);
}

#[test]
fn aliases_are_bounded() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", [before.as_str(); 10].join(", ")));
    }
    let agent = agent(&bomb);
    assert_eq!(agent.findings.len(), 1);
    assert_eq!(agent.findings[0].message, "aliases bring in more than 10000 values");
}

#[test]
fn aliases_cannot_nest_beyond_the_bound() {
    let mut text = "a0: &a0 [x]\n".to_owned();
    for level in 1..80 {
        text.push_str(&format!("a{level}: &a{level} [*a{}]\n", level - 1));
    }
    let agent = agent(&text);
    assert_eq!(agent.findings[0].message, "nested more than 64 levels deep");
}

#[rstest]
#[case::flow("[".repeat(100_000))]
#[case::flow_maps("{a: ".repeat(100_000))]
#[case::block("- ".repeat(100_000))]
#[case::steps((0..1_000).map(|level| format!("{}a:\n", " ".repeat(level))).collect::<String>())]
fn depth_is_a_fault_and_no_crash(#[case] block: String) {
    assert_eq!(kinds(&agent(&block)), [(IssueKind::Syntax, String::new())]);
}

#[test]
fn cfg_018_many_keys_take_linear_time() {
    let text: String = (0..100_000).map(|key| format!("k{key}: v\n")).collect();
    assert_eq!(lines::parse_lines(&text, 0).root.members().map(<[_]>::len), Some(100_000));
}

proptest! {
    #[test]
    fn any_block_is_answered(block in "[a-c:{}\\[\\]&*!'\"#| \n\t<>?-]{0,60}") {
        let _ = agent(&block);
        let _ = read_agent_file(&block, &[]);
    }

    /// A restriction that both readings see is never lost, whatever stands behind it.
    #[test]
    fn res_06_a_leading_deny_survives(rest in "[a-c:{}\\[\\]&*!'\"| \n\t<>?]{0,40}") {
        let agent = agent(&format!("permission:\n  bash: deny\nz:\n  {rest}"));
        prop_assert_eq!(entries(&agent), ["bash/*=deny"]);
    }
}
