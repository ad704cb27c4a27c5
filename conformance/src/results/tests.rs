use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{page, read};

const HEAD: &str = r#"{"type":"run","implementation":{"name":"NAME","version":"1","language":"C","capabilities":[],"levels":["baseline"]},"rows":1}"#;

fn row(area: &str, level: &str, rest: &str) -> String {
    let name = "\"name\":\"n\",\"id\":\"n\",\"title\":\"t\",\"suite\":\"s\"";
    format!(r#"{{"type":"row",{name},"level":"{level}","origin":{{"file":"scenarios/{area}/x.yaml","line":1}},{rest}}}"#)
}

fn report(name: &str, rows: &[String]) -> String {
    let sums = r#"{"type":"summary","passed":1,"failed":0,"errored":0,"skipped":0,"notRun":0}"#;
    [&[HEAD.replace("NAME", name)], rows, &[sums.to_owned()]].concat().join("\n")
}

#[test]
fn a_page_counts_by_area_and_level_and_says_what_is_given_instead() {
    let known = "\"expectedFailure\":\"HARD-001: a body is judged; it allows by `*`\"";
    let failed = r#""outcome":"failed","failure":{"mismatches":[{"what":"outcome","expected":"block","got":"allow"}]}"#;
    let first = [
        row("a", "baseline", r#""outcome":"passed""#),
        row("a", "baseline", r#""outcome":"skipped","reason":"needs mcp""#),
        row("b", "hardened", &format!("{failed},{known}")),
        row("b", "hardened", &format!("\"outcome\":\"errored\",\"message\":\"m\",{known}")),
        row("b", "hardened", r#""outcome":"passed","unscored":"newer""#),
        row("b", "hardened", r#""outcome":"not run""#),
    ];
    let mut all = Vec::new();
    read(&report("one", &first), &mut all).unwrap();
    read(&report("two", &[row("b", "hardened", r#""outcome":"passed""#)]), &mut all).unwrap();
    read(&report("two", &[row("a", "baseline", r#""outcome":"passed""#)]), &mut all).unwrap();
    assert_eq!(all.iter().map(|played| (played.name.as_str(), played.rows.len())).collect::<Vec<_>>(), [("one", 6), ("two", 2)]);
    let text = page(&all);
    for part in [
        "|  | one 1 | two 1 |\n",
        "| baseline | 1 of 1, 1 skipped | 1 of 1 |\n| hardened | 0 of 2 | 1 of 1 |\n",
        "| [a](../scenarios/a) | baseline | 1 of 1, 1 skipped | 1 of 1 |\n| [b](../scenarios/b) | hardened | 0 of 2 | 1 of 1 |\n",
        "## What one skips\n\nA row may need several things.\n\n- 1 row: needs `mcp`\n",
        "## Where one answers otherwise\n\n2 rows of level hardened",
        "In 1 it lets a call through",
        "in 1 it gives no answer in time. In the other 0 ",
        "| [HARD-001](spec/hardening.md) | Every executing position is a unit | 2 |\n",
        "### HARD-001 Every executing position is a unit\n\n- A body is judged. *Instead it allows by `*`.* (2 rows)\n",
    ] {
        assert!(text.contains(part), "{part}\n--- is not in\n{text}");
    }
}

#[rstest]
#[case::no_json("{", "1: EOF while parsing an object at line 1 column 1")]
#[case::nothing("", "1: there is no run")]
#[case::no_run(
    r#"{"type":"row","level":"baseline","origin":{"file":"f","line":1},"outcome":"passed"}"#,
    "1: a row without a run"
)]
fn what_is_no_report_is_refused(#[case] text: &str, #[case] fault: &str) {
    assert_eq!(read(text, &mut Vec::new()), Err(fault.to_owned()));
}
