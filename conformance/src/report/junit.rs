//! JUnit: one suite a file, one case a row, the same names in every run.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Repeat, Style, render_failure};
use crate::run::{RowResult, Verdict};

/// The report as XML.
pub fn junit(results: &[RowResult], repeat: &Repeat) -> Result<String, String> {
    let mut report = Report::new("portcullis");
    let mut suites: Vec<TestSuite> = Vec::new();
    for result in results {
        let file = result.origin.file.as_str();
        if suites.last().is_none_or(|suite| suite.name.as_str() != file) {
            suites.push(TestSuite::new(file));
        }
        if let Some(suite) = suites.last_mut() {
            suite.add_test_case(case(result, repeat));
        }
    }
    report.add_test_suites(suites);
    report.to_string().map_err(|error| error.to_string())
}

fn case(result: &RowResult, repeat: &Repeat) -> TestCase {
    let status = match &result.verdict {
        verdict if result.unscored.is_some() => {
            skipped(&format!("{}, not scored: {}", verdict.word(), result.unscored.as_deref().unwrap_or_default()))
        }
        verdict if result.expected.is_some() => {
            skipped(&format!("{} as expected: {}", verdict.word(), result.expected.as_deref().unwrap_or_default()))
        }
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Skipped { reason } => skipped(reason),
        Verdict::NotRun => skipped("not run"),
        Verdict::Failed { .. } => non_success(NonSuccessKind::Failure, result, repeat),
        Verdict::Errored { .. } => non_success(NonSuccessKind::Error, result, repeat),
    };
    let mut case = TestCase::new(result.name.as_str(), status);
    case.set_classname(result.suite.as_str());
    case.set_time(result.time);
    case
}

fn skipped(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(reason);
    status
}

fn non_success(kind: NonSuccessKind, result: &RowResult, repeat: &Repeat) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(result.title.as_str());
    status.set_description(render_failure(result, repeat, Style::new(false)));
    status
}
