use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::read::ZlibDecoder;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use super::gather::gather;
use super::report_page;
use crate::report::RunReport;

/// What a policy, a scenario or an implementation may say to harm the page that shows it.
const HOSTILE: &str = "</script><script>alert(1)</script><!--<script>&amp;\u{2028}\u{202e}\u{0}\u{9b}";

fn run(name: &str, rows: Vec<Value>) -> RunReport {
    let hello = json!({ "name": name, "version": "1", "language": "Rust", "capabilities": [], "levels": ["baseline"] });
    RunReport {
        implementation: serde_json::from_value(hello).unwrap(),
        revision: None,
        not_chosen: 0,
        rows: rows.into_iter().map(|row| serde_json::from_value(row).unwrap()).collect(),
        complaints: Vec::new(),
    }
}

fn row(name: &str, rest: Value) -> Value {
    let mut row = json!({
        "name": name, "id": name, "title": "t", "suite": "s", "level": "baseline",
        "origin": { "file": "scenarios/area/a.yaml", "line": 7 }, "outcome": "passed",
    });
    row.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    row
}

/// The text of the data element with this id.
fn part<'p>(page: &'p str, id: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!(" id=\"{id}\">")).unwrap();
    rest.split_once("</script>").unwrap().0
}

fn unpacked(text: &str) -> Value {
    let bytes = BASE64.decode(text).unwrap();
    let mut json = String::new();
    ZlibDecoder::new(bytes.as_slice()).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

#[test]
fn rows_of_several_runs_stand_side_by_side() {
    let played = json!([{ "line": 8, "action": "bash: ls", "seen": { "outcome": "allow" }, "trace": { "tool": "bash" } }]);
    let details = json!({ "covers": ["CFG-014", "X-1"], "note": "n", "given": { "ui": true }, "steps": [{ "bash": "ls" }], "played": played });
    let other = json!({ "covers": ["CFG-014", "X-1"], "given": { "ui": true }, "steps": [{ "bash": "ls" }], "played": [] });
    let failure = json!({ "step": 1, "action": "bash: ls", "line": 8, "mismatches": [] });
    let gathered = gather(&[
        run(
            "one",
            vec![
                row("a", json!({ "details": details, "decided": "allow by tool" })),
                row("b", json!({ "outcome": "skipped", "reason": "needs mcp", "level": "hardened" })),
            ],
        ),
        run(
            "two",
            vec![
                row("a", json!({ "outcome": "failed", "failure": failure, "details": other, "repeat": "portcullis run" })),
                row("c", json!({ "origin": { "file": "mine.yaml", "line": 2 } })),
            ],
        ),
        // The same implementation goes on, with rows that it has not had.
        RunReport {
            complaints: vec!["x passes".into()],
            ..run("one", vec![row("c", json!({ "outcome": "not run", "origin": { "file": "mine.yaml", "line": 2 } }))])
        },
    ]);
    let head = |name: &str, complaints: Value| json!({ "name": name, "version": "1", "language": "Rust", "mark": "", "revision": null, "notChosen": 0, "complaints": complaints });
    let expected = json!({
        "version": 1,
        "runs": [head("one", json!(["x passes"])), head("two", json!([]))],
        "areas": ["area", "other"],
        "files": ["scenarios/area/a.yaml", "mine.yaml"],
        "requirements": [["CFG-014", crate::requirements::find("CFG-014").unwrap().title], ["X-1", ""]],
        "rows": [
            ["a", "t", 0, 0, 0, 7, [0, 1], "pf"],
            ["b", "t", 0, 1, 0, 7, [], "s-"],
            ["c", "t", 1, 0, 1, 2, [], "np"],
        ],
    });
    assert_eq!(gathered.index, expected);
    let details = json!([
        [
            {
                "note": "n", "given": { "ui": true }, "steps": [{ "bash": "ls" }],
                "needs": [],
                "runs": [{ "decided": "allow by tool", "played": played }, { "failure": failure, "repeat": "portcullis run", "played": [] }],
            },
            { "runs": [{ "reason": "needs mcp" }, null] },
        ],
        [{ "runs": [{}, {}] }],
    ]);
    assert_eq!(Value::from(gathered.details), details);
}

#[rstest]
#[case::passed(json!({}), "p")]
#[case::failed(json!({ "outcome": "failed", "failure": { "step": 1, "action": "a", "line": 1, "mismatches": [] } }), "f")]
#[case::errored(json!({ "outcome": "errored", "message": "m" }), "e")]
#[case::skipped(json!({ "outcome": "skipped", "reason": "r" }), "s")]
#[case::not_run(json!({ "outcome": "not run" }), "n")]
#[case::known(json!({ "outcome": "errored", "message": "m", "expectedFailure": "why" }), "k")]
#[case::unscored(json!({ "unscored": "new" }), "u")]
fn only_what_passed_reads_as_passed(#[case] rest: Value, #[case] code: &str) {
    assert_eq!(gather(&[run("one", vec![row("a", rest)])]).index["rows"][0][7], code);
}

#[test]
fn two_runs_of_the_same_rows_are_two_columns() {
    let gathered = gather(&[run("one", vec![row("a", json!({}))]), run("one", vec![row("a", json!({ "outcome": "not run" }))])]);
    assert_eq!(gathered.index["rows"][0][7], "pn");
    assert_eq!(gathered.index["runs"][1]["mark"], " (2)");
    assert_eq!(gathered.index["runs"][0]["mark"], "");
}

#[test]
fn data_cannot_end_the_element_that_they_stand_in() {
    let details = json!({ "covers": [HOSTILE], "given": { HOSTILE: HOSTILE }, "steps": [], "played": [] });
    let rest = json!({ "title": HOSTILE, "outcome": "skipped", "reason": HOSTILE, "details": details });
    let page = report_page(&[run(HOSTILE, vec![row(HOSTILE, rest)])]);
    assert!(!page.contains("alert(1)<"), "the text came through as it was");
    assert_eq!(page.matches("</script>").count(), page.matches("<script").count());
    assert_eq!(page.matches("</script>").count(), 3, "the index, the details, the script");
    let index: Value = serde_json::from_str(part(&page, "index")).unwrap();
    assert_eq!(index["rows"][0][1], HOSTILE);
    assert_eq!(index["runs"][0]["name"], HOSTILE);
    assert_eq!(unpacked(part(&page, "details-0"))[0]["given"][HOSTILE], HOSTILE);
}

#[test]
fn the_page_needs_nothing_from_anywhere() {
    let page = report_page(&[run("one", vec![row("a", json!({}))])]);
    let (_, policy) = page.split_once("Content-Security-Policy\" content=\"").unwrap();
    let policy = policy.split_once('"').unwrap().0;
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
    // The name of a namespace is no place to go to.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for word in
        ["http:", "https:", "src=", "url(", "@import", "innerHTML", "insertAdjacentHTML", "outerHTML", "document.write", "eval("]
    {
        assert!(!page.contains(word), "{word}");
    }
    assert!(!page.contains(" style="), "an inline style would not be let in");
}
