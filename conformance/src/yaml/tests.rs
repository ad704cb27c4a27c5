use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::parse;
use crate::source::SourceFile;

fn read(text: &str) -> Result<Value, String> {
    parse(&SourceFile::new("t.yaml", text))
        .map(|node| node.map_or(Value::Null, |node| node.to_json()))
        .map_err(|problem| problem.to_string())
}

#[rstest]
#[case::types("a: [1, -2, 1.5, 0x1f, true, null, ~, '1', no, yes, 1.2.3, .5, -x]", json!({"a": [1, -2, 1.5, 31, true, null, null, "1", "no", "yes", "1.2.3", 0.5, "-x"]}))]
#[case::keys_are_texts("{42: a, '*': b, null: c}", json!({"42": "a", "*": "b", "null": "c"}))]
#[case::alias("a: &x {b: 1}\nc: *x", json!({"a": {"b": 1}, "c": {"b": 1}}))]
#[case::block("a: |\n  x\n  y\n", json!({"a": "x\ny\n"}))]
#[case::empty("# nothing\n", Value::Null)]
#[case::shell_words("c: git status && rm -rf build", json!({"c": "git status && rm -rf build"}))]
fn values(#[case] text: &str, #[case] expected: Value) {
    assert_eq!(read(text), Ok(expected));
}

#[rstest]
#[case::duplicate("a: 1\nb: 2\na: 3", "t.yaml:3:1: the key `a` stands here twice")]
#[case::duplicate_quoted("{a: 1, \"a\": 2}", "t.yaml:1:8: the key `a` stands here twice")]
#[case::tag("a: !x 1", "t.yaml:1:7: tags have no meaning in a scenario file")]
#[case::documents("a: 1\n---\nb: 2", "t.yaml:2:1: a scenario file holds one YAML document")]
#[case::key("{[a]: 1}", "t.yaml:1:2: a key must be a plain text, not a list or map")]
#[case::own_alias("a: &x [*x]", "t.yaml:1:8: an alias inside the node that it names")]
fn faults(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(read(text), Err(expected.to_owned()));
}

#[test]
fn an_alias_bomb_is_refused_at_the_alias_that_breaks_the_bound() {
    let mut text = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for level in 1..12 {
        let before = level - 1;
        text.push_str(&format!(
            "a{level}: &a{level} [*a{before},*a{before},*a{before},*a{before},*a{before},*a{before},*a{before}]\n"
        ));
    }
    let problem = read(&text).unwrap_err();
    assert!(problem.contains("more than 400000 nodes, aliases written out"), "{problem}");
}

#[test]
fn deep_nesting_is_refused() {
    let problem = read(&format!("{}{}", "[".repeat(60), "]".repeat(60))).unwrap_err();
    assert!(problem.contains("nested more than 48 levels deep"), "{problem}");
    assert!(read(&"[".repeat(1_000_000)).unwrap_err().contains("recursion limit exceeded"));
    let mut text = String::from("a0: &a0 [x]\n");
    for level in 1..60 {
        text.push_str(&format!("a{level}: &a{level} [*a{}]\n", level - 1));
    }
    assert!(read(&text).unwrap_err().contains("nested more than 48 levels deep"));
}

#[test]
fn places_count_lines_columns_and_bytes() {
    let node = parse(&SourceFile::new("t.yaml", "ä: 1\nb:\n  ö: x")).unwrap().unwrap();
    let inner = &node.get("b").unwrap().as_map().unwrap()[0];
    assert_eq!((inner.place.line, inner.place.column, inner.place.offset), (3, 3, 11));
    assert_eq!((inner.value.place.line, inner.value.place.column), (3, 6));
}
