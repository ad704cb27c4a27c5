use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::*;

#[rstest]
#[case::line_comment("{} // x\n", "{} \n")]
#[case::carriage_return_belongs_to_the_comment("// a\r\n{}", "\n{}")]
#[case::lone_carriage_return_ends_nothing("// a\r{}", "")]
#[case::nothing_is_put_in_its_place("1/* x */2", "12")]
#[case::unterminated_block("{/* a", "{")]
#[case::inside_a_string("{\"a\":\"//x\"}", "{\"a\":\"//x\"}")]
#[case::behind_an_escaped_quote("{\"a\":\"\\\"//x\"}", "{\"a\":\"\\\"//x\"}")]
#[case::apostrophe_opens_a_string("it's // gone?", "it's // gone?")]
#[case::star_of_the_opening_does_not_close("/*/ x */y", "y")]
fn cfg_005_comments(#[case] text: &str, #[case] left: &str) {
    assert_eq!(remove_comments(text).text, left);
}

#[rstest]
#[case::trailing_comma("{\"yoloMode\":true,}", 1, 18, "expected a member name, found `}`")]
#[case::trailing_comma_in_an_array("[1,]", 1, 4, "expected a value, found `]`")]
#[case::byte_order_mark("\u{feff}{}", 1, 1, "the file starts with a byte-order mark; remove it")]
#[case::empty("", 1, 1, "expected a value, found the end of the text")]
#[case::only_a_comment("// nothing", 1, 11, "expected a value, found the end of the text")]
#[case::single_quotes("{'a':1}", 1, 2, "expected a member name or `}`, found `'`")]
#[case::hash_comment("# a\n{}", 1, 1, "expected a value, found `#`")]
#[case::not_a_number("NaN", 1, 1, "expected a value, found `N`")]
#[case::trailing_text("{} x", 1, 4, "unexpected `x` after the end of the document")]
#[case::leading_zero("01", 1, 2, "unexpected `1` after the end of the document")]
#[case::bare_fraction("1.", 1, 3, "expected a digit, found the end of the text")]
#[case::bare_exponent("1e+", 1, 4, "expected a digit, found the end of the text")]
#[case::minus_alone("-", 1, 2, "expected a digit, found the end of the text")]
#[case::broken_word("trux", 1, 4, "expected `true`, found `x`")]
#[case::open_string("\n \"abc", 2, 2, "a string that does not end")]
#[case::line_break_in_string("\"a\nb\"", 1, 3, "a control character (U+000A) inside a string")]
#[case::bad_escape("\"\\x\"", 1, 2, "an escape that JSON does not know")]
#[case::short_unicode_escape("\"\\u12\"", 1, 2, "a `\\u` escape without four hexadecimal digits")]
#[case::no_colon("{\"a\" 1}", 1, 6, "expected `:`, found `1`")]
#[case::no_comma("[1 2]", 1, 4, "expected `,` or `]`, found `2`")]
#[case::wrong_close("{\"a\":1]", 1, 7, "expected `,` or `}`, found `]`")]
#[case::other_blank("\u{a0}1", 1, 1, "expected a value, found `\u{a0}`")]
#[case::behind_a_comment("/* a\n b */ ?", 2, 7, "expected a value, found `?`")]
fn cfg_006_strict_json(#[case] text: &str, #[case] line: u32, #[case] column: u32, #[case] message: &str) {
    assert_eq!(parse_json(text), Err(TextFault::new(Position { line, column }, message)));
}

#[rstest]
#[case::null("null", NodeValue::Null)]
#[case::boolean(" true ", NodeValue::Bool(true))]
#[case::number("-1.5e2", NodeValue::Number(-150.0))]
#[case::zero("-0", NodeValue::Number(0.0))]
#[case::escapes(r#""\"\\\/\b\f\n\r\t\u00e9""#, NodeValue::String("\"\\/\u{8}\u{c}\n\r\té".to_owned()))]
#[case::surrogate_pair(r#""\ud83d\ude00""#, NodeValue::String("😀".to_owned()))]
#[case::lone_surrogate(r#""\ud83dx""#, NodeValue::String("\u{fffd}x".to_owned()))]
#[case::lone_low_surrogate(r#""\ude00""#, NodeValue::String("\u{fffd}".to_owned()))]
#[case::two_high_surrogates(r#""\ud83d\ud83d\ude00""#, NodeValue::String("\u{fffd}😀".to_owned()))]
#[case::comment_inside_a_word("tr/* x */ue", NodeValue::Bool(true))]
#[case::empty_object("{ }", NodeValue::Object(Vec::new()))]
#[case::empty_array("[ ]", NodeValue::Array(Vec::new()))]
fn cfg_006_values(#[case] text: &str, #[case] value: NodeValue) {
    assert_eq!(parse_json(text).unwrap().root.value, value);
}

fn keys(text: &str) -> Vec<String> {
    parse_json(text).unwrap().root.members().unwrap().iter().map(|member| member.key.clone()).collect()
}

#[test]
fn policy_d07_order_is_the_order_of_the_text() {
    // CFG-007 moves integer-like keys to the front; POLICY-D07 does not, and knows no special names.
    let text = r#"{"*":1,"42":1,"07":1,"-1":1,"4294967295":1,"4294967294":1,"1.5":1,"__proto__":1,"constructor":1}"#;
    assert_eq!(keys(text), ["*", "42", "07", "-1", "4294967295", "4294967294", "1.5", "__proto__", "constructor"]);
}

#[test]
fn hard_061_duplicates_at_any_depth_with_their_places() {
    let text = "{\n  \"a\": {\"x\": 1, \"x\": 2},\n  \"l\": [0, {\"y\": 1, \"y\": 1}],\n  \"a\": 3, \"\\u0061\": 4\n}";
    let found = parse_json(text).unwrap().duplicates;
    let expected = [(2, 17, "a.x"), (3, 21, "l.1.y"), (4, 3, "a"), (4, 11, "a")];
    let expected: Vec<Duplicate> = expected
        .into_iter()
        .map(|(line, column, location)| Duplicate { at: Position { line, column }, location: location.to_owned() })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn places_count_scalars_and_see_through_comments() {
    let text = "/* é\n*/ {\n  // note\n  \"😀\": /* here */ 5\n}";
    let document = parse_json(text).unwrap();
    let member = &document.root.members().unwrap()[0];
    assert_eq!(
        (document.root.at, member.at, member.value.at),
        (Position { line: 2, column: 4 }, Position { line: 4, column: 3 }, Position { line: 4, column: 19 },)
    );
    assert_eq!(text.get(member.value.span.clone()), Some("5"));
    assert_eq!(text.get(document.root.span.clone()), Some("{\n  // note\n  \"😀\": /* here */ 5\n}"));
}

#[test]
fn depth_is_bounded_and_no_crash() {
    let deep = "[".repeat(1_000_000);
    assert_eq!(parse_json(&deep), Err(TextFault::new(Position { line: 1, column: 65 }, "nested more than 64 levels deep")));
    let objects = "{\"a\":".repeat(500_000);
    assert_eq!(parse_json(&objects), Err(TextFault::new(Position { line: 1, column: 321 }, "nested more than 64 levels deep")));
    let fits = format!("{}{}", "[".repeat(64), "]".repeat(64));
    assert!(parse_json(&fits).is_ok());
}

proptest! {
    /// Policy invariant 8.
    #[test]
    fn invariant_08_text_without_slash_is_unchanged(text in "[^/]{0,60}") {
        prop_assert_eq!(remove_comments(&text).text, &*text);
    }

    #[test]
    fn any_text_is_answered(text in "[\\[\\]{}:,\"'/*a1\\\\ \n\u{feff}-]{0,80}") {
        let _ = parse_json(&text);
    }

    /// What `serde_json` takes, this reader takes, with the same value; what it refuses, this one refuses.
    #[test]
    fn agrees_with_another_parser(text in "[\\[\\]{}:,\"a1 .e-]{0,40}") {
        let other: Result<serde_json::Value, _> = serde_json::from_str(&text);
        let own = parse_json(&text);
        // Numbers beyond the range of a double are an error there and infinite here, as in ECMAScript.
        let out_of_range = other.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
        if !out_of_range {
            prop_assert_eq!(own.is_ok(), other.is_ok(), "{:?}", own);
        }
    }
}
