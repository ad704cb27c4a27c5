use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{HOSTILE, errored, failed, hostile, row, run_of};
use crate::report::Format;
use crate::run::{RowResult, Verdict};
use crate::source::SourceFile;

#[derive(Debug, PartialEq)]
struct Test {
    ok: bool,
    description: String,
    directive: Option<(String, String)>,
    diagnostics: Option<Value>,
}

/// Reads TAP 14 and takes nothing that its grammar does not have: a version, a plan before the tests, tests in order, a block of YAML
/// right behind a test, comments.
fn parse(text: &str) -> Vec<Test> {
    let mut lines = text.lines().peekable();
    assert_eq!(lines.next(), Some("TAP version 14"));
    let plan: usize = lines.next().unwrap().strip_prefix("1..").unwrap().split(' ').next().unwrap().parse().unwrap();
    let mut tests: Vec<Test> = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("# ") {
            continue;
        }
        let (ok, rest) = match line.strip_prefix("not ok ") {
            Some(rest) => (false, rest),
            None => (true, line.strip_prefix("ok ").unwrap_or_else(|| panic!("{line:?} is no TAP"))),
        };
        let (number, rest) = rest.split_once(" - ").unwrap();
        assert_eq!(number.parse(), Ok(tests.len() + 1));
        let (description, directive) = split(rest);
        let mut diagnostics = None;
        if lines.next_if_eq(&"  ---").is_some() {
            let mut block = String::new();
            loop {
                match lines.next().unwrap() {
                    "  ..." => break,
                    line => block.push_str(&format!("{}\n", line.strip_prefix("  ").unwrap())),
                }
            }
            diagnostics = Some(crate::yaml::parse(&SourceFile::new("tap", block)).unwrap().unwrap().to_json());
        }
        tests.push(Test { ok, description, directive, diagnostics });
    }
    assert_eq!(tests.len(), plan);
    tests
}

/// At the first `#` that no backslash escapes.
fn split(text: &str) -> (String, Option<(String, String)>) {
    let mut description = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => description.push(letters.next().unwrap()),
            '#' => {
                let (unescaped, more) = split(letters.as_str());
                assert_eq!(more, None);
                let (word, reason) = unescaped.trim().split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
                return (description.trim_end().to_owned(), Some((word, reason)));
            }
            other => description.push(other),
        }
    }
    (description, None)
}

#[test]
fn every_outcome_has_its_form() {
    let rows = vec![
        row("a", Verdict::Passed),
        row("b", failed("allow")),
        row("c", errored("gone")),
        row("d", Verdict::Skipped { reason: "needs #1".into() }),
        row("e", Verdict::NotRun),
        RowResult { expected: Some("R-1: known".into()), ..row("f", errored("gone")) },
        RowResult { unscored: Some("newer".into()), ..row("g", Verdict::Passed) },
        RowResult { unscored: Some("newer".into()), ..row("h", failed("allow")) },
    ];
    let text = Format::Tap.render(&run_of(rows)).unwrap();
    let shown: Vec<_> = parse(&text)
        .into_iter()
        .map(|test| {
            let severity = test.diagnostics.map(|value| value["severity"].as_str().unwrap().to_owned());
            (test.ok, test.description, test.directive.map(|(word, reason)| format!("{word} {reason}")), severity)
        })
        .collect();
    let line = |ok: bool, name: &str, directive: Option<&str>, severity: Option<&str>| {
        (ok, name.to_owned(), directive.map(str::to_owned), severity.map(str::to_owned))
    };
    let expected = [
        line(true, "a", None, None),
        line(false, "b", None, Some("fail")),
        line(false, "c", None, Some("error")),
        line(true, "d", Some("SKIP needs #1"), None),
        line(true, "e", Some("SKIP not run"), None),
        line(false, "f", Some("TODO errored as expected: R-1: known"), Some("error")),
        line(true, "g", Some("SKIP passed, not scored: newer"), None),
        line(false, "h", Some("TODO failed, not scored: newer"), Some("fail")),
    ];
    assert_eq!(shown, expected);
}

/// The block below a failure says the text as it was, whatever it holds.
#[test]
fn hostile_texts_stay_where_they_belong() {
    let tests = parse(&Format::Tap.render(&hostile()).unwrap());
    assert_eq!(tests.len(), 9);
    let failed = tests[1].diagnostics.as_ref().unwrap();
    assert_eq!(failed["message"], HOSTILE);
    assert_eq!(failed["at"], json!({ "file": format!("scenarios/{HOSTILE}/file.yaml"), "line": 7 }));
    assert_eq!(tests[8].diagnostics.as_ref().unwrap()["message"], HOSTILE);
    assert!(tests[3].directive.as_ref().unwrap().1.contains("|"), "{:?}", tests[3]);
}

#[test]
fn no_rows_are_skipped_not_passed() {
    assert_eq!(Format::Tap.render(&run_of(Vec::new())).unwrap(), "TAP version 14\n1..0 # SKIP there are no rows\n# 0 passed\n");
}
