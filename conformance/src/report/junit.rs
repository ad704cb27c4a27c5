//! JUnit: one suite a file, one case a row, the same names in every run.

use portcullis_core::report::escape::{visible, visible_layout};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{RunReport, Style, render_failure};
use crate::run::{Counts, RowResult};

/// The report as XML.
pub(super) fn junit(run: &RunReport) -> Result<String, String> {
    let mut report = Report::new("portcullis");
    let mut suites: Vec<TestSuite> = Vec::new();
    for row in &run.rows {
        let file = visible(&row.origin.file);
        if suites.last().is_none_or(|suite| suite.name.as_str() != file) {
            suites.push(TestSuite::new(file));
        }
        if let Some(suite) = suites.last_mut() {
            suite.add_test_case(case(row));
        }
    }
    report.add_test_suites(suites);
    if !run.complaints.is_empty() {
        let mut suite = TestSuite::new("known failures");
        suite.add_test_cases(run.complaints.iter().enumerate().map(|(index, complaint)| {
            let status = non_success(NonSuccessKind::Failure, complaint, complaint);
            let mut case = TestCase::new(format!("known failure {}", index + 1), status);
            case.set_classname("known failures");
            case
        }));
        report.add_test_suite(suite);
    }
    report.to_string().map(|text| as_the_schema_has_it(&text)).map_err(|error| error.to_string())
}

/// The schema that CI servers read by (junit-10.xsd) counts what was skipped in each suite, and not for all suites at once.
fn as_the_schema_has_it(text: &str) -> String {
    let Some((head, rest)) = text.split_once("<testsuites ") else { return text.to_owned() };
    let Some((attributes, rest)) = rest.split_once('>') else { return text.to_owned() };
    let attributes: Vec<&str> = attributes.split(' ').filter(|attribute| !attribute.starts_with("skipped=")).collect();
    format!("{head}<testsuites {}>{rest}", attributes.join(" "))
}

fn case(row: &RowResult) -> TestCase {
    let word = row.verdict.word();
    let status = match row.counts() {
        Counts::Passed => TestCaseStatus::success(),
        Counts::Failed => non_success(NonSuccessKind::Failure, &row.title, &render_failure(row, Style::new(false))),
        Counts::Errored => non_success(NonSuccessKind::Error, &row.title, &render_failure(row, Style::new(false))),
        Counts::Known(reason) => skipped(&format!("{word} as expected: {reason}")),
        Counts::Unscored(reason) => skipped(&format!("{word}, not scored: {reason}")),
        Counts::Skipped(reason) => skipped(reason),
        Counts::NotRun => skipped("not run"),
    };
    let mut case = TestCase::new(visible(&row.name), status);
    case.set_classname(visible(&row.suite));
    if let Some(microseconds) = row.microseconds {
        case.set_time(std::time::Duration::from_micros(microseconds));
    }
    case
}

fn skipped(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(visible(reason));
    status
}

fn non_success(kind: NonSuccessKind, message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(visible(message));
    status.set_description(visible_layout(description));
    status
}
