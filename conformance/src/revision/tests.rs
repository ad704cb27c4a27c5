use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{Revision, freeze, sums};
use crate::load::load_all;
use crate::scenario::Scenario;
use crate::source::SourceFile;

const SUITE: &str = r#"
suite: s
level: baseline
given: { policy: { bash: { "*": ask, "git *": allow } } }
scenarios:
  - id: plain
    title: one
    covers: [RULE-006]
    steps: [{ bash: git status, expect: { outcome: allow, by: { gate: tool } } }]
  - id: table
    title: two
    covers: [RULE-006]
    each: [{ command: git log }, { command: git diff }]
    steps: [{ bash: "${command}", expect: { outcome: allow, by: { gate: tool } } }]
"#;

fn suite(text: &str) -> Vec<Scenario> {
    load_all(&[SourceFile::new("s.yaml", text)]).unwrap()
}

fn revision(text: &str) -> Revision {
    Revision::parse("2026.12", &SourceFile::new("2026.12.txt", text)).unwrap()
}

/// Row and why it does not count.
fn unscored(then: &str, now: &str) -> Vec<(String, Option<String>)> {
    let revision = revision(&freeze("2026.12", &suite(then)));
    let now = suite(now);
    let sums = sums(&now);
    now.iter().map(|row| (row.name.clone(), revision.unscored(row, &sums))).collect()
}

fn told(rows: &[(&str, &str)]) -> Vec<(String, Option<String>)> {
    rows.iter().map(|(row, why)| ((*row).to_owned(), (!why.is_empty()).then(|| format!("{why} revision 2026.12")))).collect()
}

#[rstest]
#[case::nothing_changed(SUITE.to_owned(), &[("plain", ""), ("table/git log", ""), ("table/git diff", "")])]
#[case::words_for_people(SUITE.replace("title: one", "title: \"1\"\n    note: n").replace("[RULE-006]", "[RULE-006, RULE-007]"), &[("plain", ""), ("table/git log", ""), ("table/git diff", "")])]
#[case::a_new_row(SUITE.replace("{ command: git diff }", "{ command: git diff }, { command: git show }"), &[("plain", ""), ("table/git log", ""), ("table/git diff", ""), ("table/git show", "newer than")])]
#[case::another_step(SUITE.replace("bash: git status", "bash: git  status"), &[("plain", "changed since"), ("table/git log", ""), ("table/git diff", "")])]
#[case::another_template(SUITE.replace("bash: \"${command}\"", "bash: \"${command} .\""), &[("plain", ""), ("table/git log", "changed since"), ("table/git diff", "changed since")])]
#[case::another_world(SUITE.replace("git *\": allow", "g*\": allow"), &[("plain", "changed since"), ("table/git log", "changed since"), ("table/git diff", "changed since")])]
fn what_counts_is_what_was_there(#[case] now: String, #[case] rows: &[(&str, &str)]) {
    assert_eq!(unscored(SUITE, &now), told(rows));
}

#[test]
fn a_withdrawn_row_does_not_count_and_is_no_fault() {
    let frozen = freeze("2026.12", &suite(SUITE));
    let text = frozen.lines().map(|line| {
        if line.ends_with(" plain") { "withdrawn (RES-31 asks there) plain\n".to_owned() } else { format!("{line}\n") }
    });
    let revision = revision(&text.collect::<String>());
    let now = suite(&SUITE.replace("id: plain", "id: plainer"));
    assert_eq!((revision.frozen(), revision.withdrawn()), (2, 1));
    assert_eq!(revision.check(&now), []);
    let old = suite(SUITE);
    assert_eq!(revision.unscored(&old[0], &sums(&old)).as_deref(), Some("withdrawn from revision 2026.12: RES-31 asks there"));
}

#[test]
fn a_frozen_row_that_changed_or_went_is_a_fault_at_its_line() {
    let revision = revision(&freeze("2026.12", &suite(SUITE)));
    let now = suite(&SUITE.replace("id: plain", "id: plainer").replace("git diff }", "git diff, row: git log }"));
    let faults: Vec<String> = revision.check(&now).iter().map(ToString::to_string).collect();
    let sum = sums(&now)["table/git log"];
    assert_eq!(sum, sums(&suite(SUITE))["table/git log"]);
    assert_eq!(
        faults,
        ["2026.12.txt:3:1: `plain` is no longer in the suite", "2026.12.txt:4:1: `table/git diff` is no longer in the suite"]
    );
}

#[rstest]
#[case::no_sum("table", "2026.12.txt:1:1: is neither `SUM NAME` nor `withdrawn (REASON) NAME`")]
#[case::short_sum("12ab plain", "2026.12.txt:1:1: is neither `SUM NAME` nor `withdrawn (REASON) NAME`")]
#[case::no_reason("withdrawn () plain", "2026.12.txt:1:1: is neither `SUM NAME` nor `withdrawn (REASON) NAME`")]
#[case::twice("0123456789abcdef a\n# remark\n0123456789abcdef a", "2026.12.txt:3:1: `a` stands in line 1 already")]
fn a_file_that_cannot_be_read_says_where(#[case] text: &str, #[case] fault: &str) {
    let problems = Revision::parse("2026.12", &SourceFile::new("2026.12.txt", text)).unwrap_err();
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [fault]);
}
