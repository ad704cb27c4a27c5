use pretty_assertions::assert_eq;

use super::{Compared, page, read};

const HEAD: &str = r#"{"type":"run","implementation":{"name":"NAME","version":"1","language":"C","capabilities":[],"levels":["baseline"]},"rows":1}"#;

fn row(area: &str, level: &str, rest: &str) -> String {
    let name = format!("\"name\":{:?},\"id\":\"n\",\"title\":\"t\",\"suite\":\"s\"", format!("{area} {rest}"));
    format!(r#"{{"type":"row",{name},"level":"{level}","origin":{{"file":"scenarios/{area}/x.yaml","line":1}},{rest}}}"#)
}

fn report(name: &str, rows: &[String]) -> String {
    let of = |outcome: &str| {
        rows.iter().filter(|row| row.contains(&format!("\"outcome\":\"{outcome}\"")) && !row.contains("nscored")).count()
    };
    let known = rows.iter().filter(|row| row.contains("expectedFailure")).count();
    let unscored = rows.iter().filter(|row| row.contains("unscored")).count();
    let sums = serde_json::json!({
        "type": "summary", "passed": of("passed"), "failed": 0, "errored": 0, "expected": known, "unscored": unscored,
        "skipped": of("skipped"), "notRun": of("not run"),
    });
    let head = HEAD.replace("NAME", name).replace("\"rows\":1", &format!("\"rows\":{}", rows.len()));
    [&[head], rows, &[sums.to_string()]].concat().join("\n")
}

#[test]
fn a_page_counts_by_area_and_level_and_says_what_is_given_instead() {
    let known = "\"expectedFailure\":\"HARD-001: a body is judged; it allows by `*`\"";
    let failed = r#""outcome":"failed","failure":{"step":1,"action":"a","line":1,"mismatches":[{"what":"outcome","expected":"block","got":"allow"}]}"#;
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
    let text = page(&all, None);
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

#[test]
fn what_explains_generated_differences_is_counted_by_requirement() {
    let head: serde_json::Value = serde_json::from_str(&HEAD.replace("NAME", "one")).unwrap();
    let counts = serde_json::json!({
        "cases": 8, "calls": 20, "alike": 17, "explained": 3, "milder": 0, "stricter": 0, "otherwise": 0,
        "requirements": { "HARD-001": { "stricter": 2, "milder": 1 } }, "skipped": {}, "errors": [],
    });
    let pair = serde_json::json!({ "implementations": [head["implementation"], head["implementation"]], "counts": counts, "findings": [] });
    let text = serde_json::json!({ "version": 1, "seed": 7, "calls": 20, "relation": "refinement", "pairs": [pair] }).to_string();
    let mut all = Vec::new();
    read(&report("one", &[row("a", "baseline", r#""outcome":"passed""#)]), &mut all).unwrap();
    let page = page(&all, Some(&Compared::read(&text).unwrap()));
    for part in [
        "## On generated calls\n\none and one on 20 calls in 8 cases made from seed 7 ",
        ": 17 have the same\nverdict, 3 steps differ and something explains it, 0 differ and nothing does.",
        "| HARD-001 | 2 | 1 | Every executing position is a unit |\n",
    ] {
        assert!(page.contains(part), "{part}\n--- is not in\n{page}");
    }
    assert!(Compared::read("{}").is_err());
}
