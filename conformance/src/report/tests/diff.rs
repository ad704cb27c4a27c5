use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{errored, failed, hostile, row, run_of, skipped};
use crate::report::{Change, ChangeKind, Diff, RunReport, Style};
use crate::run::{RowResult, Verdict};

fn known(verdict: Verdict, reason: &str) -> Option<RowResult> {
    Some(RowResult { expected: Some(reason.into()), ..row("x", verdict) })
}

fn is(verdict: Verdict) -> Option<RowResult> {
    Some(row("x", verdict))
}

fn unscored(verdict: Verdict) -> Option<RowResult> {
    Some(RowResult { unscored: Some("newer".into()), ..row("x", verdict) })
}

#[rstest]
#[case::same(is(Verdict::Passed), is(Verdict::Passed), None)]
#[case::same_failure(is(failed("allow")), is(failed("allow")), None)]
#[case::passed_failed(is(Verdict::Passed), is(failed("allow")), Some(ChangeKind::NewlyFailing))]
#[case::skipped_errored(is(skipped("s")), is(errored("e")), Some(ChangeKind::NewlyFailing))]
#[case::known_no_more(known(failed("allow"), "r"), is(failed("allow")), Some(ChangeKind::NewlyFailing))]
#[case::new_and_failing(None, is(failed("allow")), Some(ChangeKind::NewlyFailing))]
#[case::passed_gone(is(Verdict::Passed), None, Some(ChangeKind::Gone))]
#[case::passed_skipped(is(Verdict::Passed), is(skipped("s")), Some(ChangeKind::NoLongerPassing))]
#[case::passed_not_run(is(Verdict::Passed), is(Verdict::NotRun), Some(ChangeKind::NoLongerPassing))]
#[case::passed_known(is(Verdict::Passed), known(failed("allow"), "r"), Some(ChangeKind::NoLongerPassing))]
#[case::failed_errored(is(failed("allow")), is(errored("e")), Some(ChangeKind::FailsOtherwise))]
#[case::failed_otherwise(is(failed("allow")), is(failed("error")), Some(ChangeKind::FailsOtherwise))]
#[case::failed_passed(is(failed("allow")), is(Verdict::Passed), Some(ChangeKind::Fixed))]
#[case::skipped_passed(is(skipped("s")), is(Verdict::Passed), Some(ChangeKind::Fixed))]
#[case::new(None, is(Verdict::Passed), Some(ChangeKind::New))]
#[case::failed_gone(is(failed("allow")), None, Some(ChangeKind::GoneUnpassed))]
#[case::failed_skipped(is(failed("allow")), is(skipped("s")), Some(ChangeKind::Otherwise))]
#[case::now_known(is(failed("allow")), known(failed("allow"), "r"), Some(ChangeKind::Otherwise))]
#[case::known_otherwise(known(failed("allow"), "r"), known(failed("allow"), "q"), Some(ChangeKind::Otherwise))]
#[case::not_scored(is(Verdict::Passed), unscored(Verdict::Passed), Some(ChangeKind::PassesOtherwise))]
fn a_row_changed(#[case] old: Option<RowResult>, #[case] new: Option<RowResult>, #[case] kind: Option<ChangeKind>) {
    let (old, new) = (run_of(old.into_iter().collect()), run_of(new.into_iter().collect()));
    let diff = Diff::of(&old, &new);
    assert_eq!(diff.changes.iter().map(|change| change.kind).collect::<Vec<_>>(), Vec::from_iter(kind));
    let worse = matches!(kind, Some(ChangeKind::NewlyFailing | ChangeKind::Gone | ChangeKind::NoLongerPassing));
    assert_eq!(diff.is_worse(), worse);
}

#[test]
fn the_worse_come_first_and_two_sums_last() {
    let old = run_of(vec![row("a", failed("allow")), row("b", Verdict::Passed), row("c", Verdict::Passed)]);
    let mut new = run_of(vec![row("a", Verdict::Passed), row("b", failed("allow")), row("d", Verdict::Passed)]);
    new.implementation.version = "1.3".into();
    new.revision = Some("2026.12".into());
    new.not_chosen = 2;
    let expected = "\
the implementations differ: gate 1.2, then gate 1.3
the revisions differ: none, then 2026.12
the new run played 3 rows of 5
newly failing (1)
  b
    - passed
    + failed; step 1, outcome: expected block, got allow
passed and gone (1)
  c
    - passed
fixed (1)
  a
    - failed; step 1, outcome: expected block, got allow
    + passed
new (1)
  d
    + passed
before: 2 passed, 1 failed
after:  2 passed, 1 failed, 2 not chosen";
    assert_eq!(Diff::of(&old, &new).text(Style::new(false)), expected);
}

#[test]
fn a_known_failure_that_is_none_any_more_is_worse() {
    let good = run_of(vec![row("a", Verdict::Passed)]);
    let bad = RunReport { complaints: vec!["f:1: `b` names no row".into()], ..good.clone() };
    let change = |kind: ChangeKind, old: Option<&str>, new: Option<&str>| Change {
        name: "known failures".into(),
        kind,
        worse: kind == ChangeKind::NewlyFailing,
        old: old.map(str::to_owned),
        new: new.map(str::to_owned),
    };
    let text = Some("f:1: `b` names no row");
    assert_eq!(Diff::of(&good, &bad).changes, [change(ChangeKind::NewlyFailing, None, text)]);
    assert_eq!(Diff::of(&bad, &good).changes, [change(ChangeKind::Fixed, text, None)]);
}

#[test]
fn a_program_reads_the_same() {
    let (old, new) = (run_of(vec![row("a", Verdict::Passed)]), run_of(vec![row("a", skipped("s"))]));
    let value = Diff::of(&old, &new).json();
    assert_eq!((&value["version"], &value["worse"], &value["remarks"]), (&json!(1), &json!(true), &json!([])));
    let change = json!({ "name": "a", "kind": "no-longer-passing", "worse": true, "old": "passed", "new": "skipped; s" });
    assert_eq!(value["changes"], json!([change]));
    assert_eq!(value["new"]["summary"], json!({ "passed": 0, "failed": 0, "errored": 0, "skipped": 1, "notRun": 0 }));
}

#[test]
fn a_run_is_like_itself_and_hostile_texts_stay_on_their_line() {
    let run = hostile();
    assert_eq!(Diff::of(&run, &run).changes, []);
    let text = Diff::of(&run, &run_of(Vec::new())).text(Style::new(false));
    assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("ok 9") || line.starts_with("::")), "{text}");
}
