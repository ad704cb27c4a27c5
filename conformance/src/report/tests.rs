//! One hostile run in each form, read by a parser of the form's own field.

mod badge;
mod diff;
mod github;
mod junit;
mod markdown;
mod tap;

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{Format, RunReport, Standing};
use crate::compare::Mismatch;
use crate::implementation::Hello;
use crate::run::{RowResult, StepFailure, Summary, Verdict};
use crate::scenario::{Level, Origin};

/// What ends, begins or colours something in one form or another.
pub(super) const HOSTILE: &str = "]]> <b>&amp;\" `x` ``` | # %0A %25 ::error::x \\ * [l](u) @me $x$ -->\r\n\u{1b}[31m\u{0}\u{202e}\u{85}ü\n  ...\nok 9 - x\n::error::y\n</text></summary>\n| a |";

pub(super) fn row(name: &str, verdict: Verdict) -> RowResult {
    RowResult {
        name: name.to_owned(),
        id: name.to_owned(),
        title: format!("title of {name}"),
        suite: "suite".into(),
        level: Level::Baseline,
        origin: Origin { file: "scenarios/area/file.yaml".into(), line: 7 },
        verdict,
        decided: None,
        expected: None,
        unscored: None,
        remarks: None,
        details: None,
        repeat: None,
        microseconds: None,
    }
}

pub(super) fn failed(got: &str) -> Verdict {
    let mismatches = vec![Mismatch { what: "outcome".into(), expected: "block".into(), got: got.into() }];
    Verdict::Failed { failure: Box::new(StepFailure { step: 1, action: "bash: x".into(), line: 9, mismatches, trace: None }) }
}

pub(super) fn errored(message: &str) -> Verdict {
    Verdict::Errored { message: message.into() }
}

pub(super) fn skipped(reason: &str) -> Verdict {
    Verdict::Skipped { reason: reason.into() }
}

pub(super) fn run_of(rows: Vec<RowResult>) -> RunReport {
    let implementation = Hello {
        name: "gate".into(),
        version: "1.2".into(),
        language: "C".into(),
        homepage: None,
        issues: None,
        capabilities: Vec::new(),
        levels: vec![Level::Baseline],
    };
    RunReport { implementation, revision: None, not_chosen: 0, rows, complaints: Vec::new() }
}

/// Every outcome, and in every text what could break a form.
pub(super) fn hostile() -> RunReport {
    let outcomes = [
        ("passed", Verdict::Passed),
        ("failed", failed(HOSTILE)),
        ("errored", errored(HOSTILE)),
        ("skipped", skipped(HOSTILE)),
        ("not run", Verdict::NotRun),
        ("known", failed("allow")),
        ("unscored", Verdict::Passed),
        ("unscored and failed", failed("allow")),
    ];
    let mut rows: Vec<RowResult> = outcomes
        .into_iter()
        .map(|(name, verdict)| RowResult {
            title: HOSTILE.into(),
            suite: HOSTILE.into(),
            origin: Origin { file: format!("scenarios/{HOSTILE}/file.yaml"), line: 7 },
            decided: Some(HOSTILE.into()),
            remarks: verdict.is_bad().then(|| HOSTILE.into()),
            repeat: verdict.is_bad().then(|| HOSTILE.into()),
            ..row(&format!("{name} {HOSTILE}"), verdict)
        })
        .collect();
    if let [.., known, unscored, unscored_failed] = rows.as_mut_slice() {
        known.expected = Some(HOSTILE.into());
        unscored.unscored = Some(HOSTILE.into());
        unscored_failed.unscored = Some(HOSTILE.into());
    }
    if let Some(Verdict::Failed { failure }) = rows.get_mut(1).map(|row| &mut row.verdict) {
        failure.trace = Some(HOSTILE.into());
    }
    let mut run = run_of(rows);
    run.implementation.name = HOSTILE.into();
    run.complaints = vec![HOSTILE.into()];
    run.not_chosen = 3;
    run.revision = Some(HOSTILE.into());
    run
}

/// The three lines of a run with one row.
pub(super) fn lines_of(name: &str) -> [String; 3] {
    run_of(vec![row(name, Verdict::Passed)]).lines().try_into().unwrap()
}

fn known(verdict: Verdict) -> RowResult {
    RowResult { expected: Some("R-1: known".into()), ..row("k", verdict) }
}

fn unscored(verdict: Verdict) -> RowResult {
    RowResult { unscored: Some("newer".into()), ..row("u", verdict) }
}

#[rstest]
#[case::passed(vec![row("a", Verdict::Passed)], Standing::Good, "1 passed")]
#[case::failed(vec![row("a", Verdict::Passed), row("b", failed("allow"))], Standing::Bad, "1 passed, 1 failed")]
#[case::errored(vec![row("a", Verdict::Passed), row("b", errored("x"))], Standing::Bad, "1 passed, 1 errored")]
#[case::not_run(vec![row("a", Verdict::Passed), row("b", Verdict::NotRun)], Standing::Bad, "1 passed, 1 not run")]
#[case::skipped(vec![row("a", Verdict::Passed), row("b", skipped("x"))], Standing::Partly, "1 passed, 1 skipped")]
#[case::known(vec![row("a", Verdict::Passed), known(failed("allow"))], Standing::Partly, "1 passed, 1 failed as expected")]
#[case::unscored(vec![row("a", Verdict::Passed), unscored(failed("allow"))], Standing::Partly, "1 passed, 1 not scored")]
#[case::all_skipped(vec![row("a", skipped("x"))], Standing::Nothing, "0 passed, 1 skipped")]
#[case::nothing(vec![], Standing::Nothing, "0 passed")]
fn only_what_passed_is_green(#[case] rows: Vec<RowResult>, #[case] standing: Standing, #[case] sums: &str) {
    let run = run_of(rows);
    assert_eq!((run.standing(), run.sums()), (standing, sums.to_owned()));
    let is_green = |format: Format, mark: &str| format.render(&run).unwrap().contains(mark);
    let marks =
        [(Format::Badge, "#2e7d32"), (Format::BadgeJson, "brightgreen"), (Format::Markdown, "✅"), (Format::Github, "::notice")];
    let green: Vec<bool> = marks.iter().map(|(format, mark)| is_green(*format, mark)).collect();
    assert_eq!(green, [standing == Standing::Good; 4]);
}

#[test]
fn a_part_of_the_suite_is_not_green_and_a_wrong_known_failure_is_red() {
    let passed = run_of(vec![row("a", Verdict::Passed)]);
    let part = RunReport { not_chosen: 5, ..passed.clone() };
    assert_eq!((part.standing(), part.sums()), (Standing::Partly, "1 passed, 5 not chosen".to_owned()));
    let wrong = RunReport { complaints: vec!["x".into()], ..passed };
    assert_eq!((wrong.standing(), wrong.sums()), (Standing::Bad, "1 passed, 1 known failure wrong".to_owned()));
}

#[test]
fn rows_are_counted_once() {
    let sums = Summary { passed: 1, failed: 1, errored: 1, expected: 1, unscored: 2, skipped: 1, not_run: 1 };
    assert_eq!(hostile().summary(), sums);
}

/// No form but the lines, which escape it, hands on what a terminal or a reader would obey.
#[test]
fn no_form_holds_a_control_character() {
    for format in Format::ALL {
        let text = format.render(&hostile()).unwrap();
        let control: Vec<char> =
            text.chars().filter(|letter| (letter.is_control() && *letter != '\n') || *letter == '\u{202e}').collect();
        let allowed: Vec<char> = if format == Format::JsonLines { control.clone() } else { Vec::new() };
        assert_eq!(control, allowed, "{}", format.name());
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{}", format.name());
    }
    assert!(!Format::JsonLines.render(&hostile()).unwrap().contains('\u{1b}'));
}
