use std::collections::BTreeSet;

use pretty_assertions::assert_eq;
use roxmltree::{Document, Node};

use super::{hostile, row, run_of};
use crate::report::Format;
use crate::run::{RowResult, Verdict};

/// Element, what may stand in it, attributes it must and may have.
type Element = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// The schema that CI servers read JUnit by (junit-10.xsd), as far as it goes for what is written here; `.ci/run junit` judges by
/// the schema itself.
const SCHEMA: &[Element] = &[
    ("testsuites", &["testsuite"], &["name", "tests", "failures", "errors"], &["time"]),
    ("testsuite", &["testcase"], &["name", "tests", "failures", "errors", "skipped"], &["time"]),
    ("testcase", &["failure", "error", "skipped"], &["name", "classname"], &["time"]),
    ("failure", &[], &["message"], &["type"]),
    ("error", &[], &["message"], &["type"]),
    ("skipped", &[], &["message"], &[]),
];

fn check(node: Node<'_, '_>) {
    let name = node.tag_name().name();
    let (_, children, must, may) = SCHEMA.iter().find(|(known, ..)| *known == name).unwrap_or_else(|| panic!("<{name}>"));
    let has: BTreeSet<&str> = node.attributes().map(|attribute| attribute.name()).collect();
    for attribute in *must {
        assert!(has.contains(attribute), "<{name}> has no {attribute}");
    }
    for attribute in has {
        assert!(must.contains(&attribute) || may.contains(&attribute), "<{name} {attribute}>");
    }
    for child in node.children().filter(Node::is_element) {
        assert!(children.contains(&child.tag_name().name()), "<{}> in <{name}>", child.tag_name().name());
        check(child);
    }
}

fn cases<'d>(document: &'d Document<'d>) -> Vec<Node<'d, 'd>> {
    document.descendants().filter(|node| node.has_tag_name("testcase")).collect()
}

#[test]
fn the_report_has_the_schema_and_counts_right() {
    let text = Format::Junit.render(&hostile()).unwrap();
    let document = Document::parse(&text).unwrap();
    check(document.root_element());
    let kinds = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!([kinds("testcase"), kinds("failure"), kinds("error"), kinds("skipped")], [9, 2, 1, 5]);
    let counts = |node: Node<'_, '_>, names: &[&str]| -> Vec<String> {
        names.iter().map(|name| node.attribute(*name).unwrap().to_owned()).collect()
    };
    assert_eq!(counts(document.root_element(), &["tests", "failures", "errors"]), ["9", "2", "1"]);
    let suites = document.descendants().filter(|node| node.has_tag_name("testsuite"));
    let skipped: usize = suites.map(|suite| counts(suite, &["skipped"])[0].parse::<usize>().unwrap()).sum();
    assert_eq!(skipped, 5);
    let names: BTreeSet<&str> = cases(&document).iter().map(|case| case.attribute("name").unwrap()).collect();
    assert_eq!(names.len(), 9);
}

#[test]
fn times_are_there_when_the_run_has_them() {
    let timed = RowResult { microseconds: Some(1_500), ..row("a", Verdict::Passed) };
    let text = Format::Junit.render(&run_of(vec![timed, row("b", Verdict::Passed)])).unwrap();
    let document = Document::parse(&text).unwrap();
    let times: Vec<_> = cases(&document).iter().map(|case| case.attribute("time")).collect();
    assert_eq!(times, [Some("0.002"), None]);
}
