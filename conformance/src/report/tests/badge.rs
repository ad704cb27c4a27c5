use pretty_assertions::assert_eq;
use roxmltree::Document;
use rstest::rstest;
use serde_json::{Value, json};

use super::{failed, hostile, row, run_of, skipped};
use crate::report::{Format, RunReport};
use crate::run::Verdict;

/// The endpoint badge of shields.io, as its page describes it.
fn schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["schemaVersion", "label", "message"],
        "properties": {
            "schemaVersion": { "const": 1 },
            "label": { "type": "string" },
            "message": { "type": "string", "minLength": 1 },
            "color": { "enum": ["brightgreen", "green", "yellowgreen", "yellow", "orange", "red", "blue", "lightgrey"] },
            "isError": { "type": "boolean" },
        },
    })
}

fn endpoint(run: &RunReport) -> Value {
    serde_json::from_str(&Format::BadgeJson.render(run).unwrap()).unwrap()
}

#[rstest]
#[case::good(run_of(vec![row("a", Verdict::Passed)]), json!({ "message": "1 passed", "color": "brightgreen" }))]
#[case::partly(run_of(vec![row("a", Verdict::Passed), row("b", skipped("x"))]), json!({ "message": "1 passed, 1 skipped", "color": "yellow" }))]
#[case::bad(run_of(vec![row("a", failed("allow"))]), json!({ "message": "0 passed, 1 failed", "color": "red", "isError": true }))]
#[case::nothing(run_of(vec![row("a", skipped("x"))]), json!({ "message": "nothing ran", "color": "lightgrey", "isError": true }))]
fn the_endpoint_says_how_it_stands(#[case] run: RunReport, #[case] expected: Value) {
    let mut whole = json!({ "schemaVersion": 1, "label": "portcullis" });
    whole.as_object_mut().unwrap().extend(expected.as_object().unwrap().clone());
    let value = endpoint(&run);
    assert_eq!(value, whole);
    assert!(jsonschema::is_valid(&schema(), &value));
}

#[test]
fn the_endpoint_of_a_hostile_run_has_the_schema() {
    assert!(jsonschema::is_valid(&schema(), &endpoint(&hostile())));
}

#[test]
fn the_picture_is_well_formed_and_says_its_text() {
    let text = Format::Badge.render(&hostile()).unwrap();
    let document = Document::parse(&text).unwrap();
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.tag_name().namespace()), ("svg", Some("http://www.w3.org/2000/svg")));
    let elements: Vec<&str> =
        document.descendants().filter(|node| node.is_element()).map(|node| node.tag_name().name()).collect();
    assert_eq!(elements, ["svg", "title", "clipPath", "rect", "g", "rect", "rect", "g", "text", "text"]);
    let texts: Vec<&str> =
        document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
    assert_eq!(texts, ["portcullis", &hostile().sums()]);
    let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
    assert_eq!((root.attribute("role"), root.attribute("aria-labelledby")), (Some("img"), title.attribute("id")));
    assert!(title.text().unwrap().starts_with("]]> <b>&amp;\""), "{:?}", title.text());
}

/// The words fit into their halves, and the halves make the whole.
#[test]
fn the_picture_is_as_wide_as_its_words() {
    let text = Format::Badge.render(&run_of(vec![row("a", Verdict::Passed)])).unwrap();
    let document = Document::parse(&text).unwrap();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| node.attribute(name).unwrap_or("0").parse::<usize>().unwrap();
    let halves: Vec<_> = document.descendants().filter(|node| node.has_tag_name("rect")).skip(1).collect();
    let widths: Vec<usize> = halves.iter().map(|half| number(*half, "width")).collect();
    assert_eq!(widths.iter().sum::<usize>(), number(document.root_element(), "width"));
    assert_eq!(number(halves[1], "x"), widths[0]);
    let lengths = document.descendants().filter(|node| node.has_tag_name("text")).map(|node| number(node, "textLength"));
    assert_eq!(lengths.collect::<Vec<_>>(), widths.iter().map(|width| width - 12).collect::<Vec<_>>());
}
