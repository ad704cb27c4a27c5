//! Lines for people and pipes.

use portcullis_core::report::escape::visible;

use super::{RunReport, Standing, Style, render_failure};
use crate::run::{Counts, RowResult};

/// What stands between the failures and the sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// A line for each row.
    Rows,
    /// Why rows were skipped.
    Skips,
    /// Nothing.
    Nothing,
}

/// Failures first, the sums last.
pub fn text(run: &RunReport, style: Style, detail: Detail) -> String {
    let mut lines = Vec::new();
    for row in run.rows.iter().filter(|row| row.is_bad()) {
        lines.extend([render_failure(row, style), String::new()]);
    }
    match detail {
        Detail::Rows => lines.extend(run.rows.iter().map(|row| row_line(row, style))),
        Detail::Skips => lines.extend(skip_lines(run, style)),
        Detail::Nothing => {}
    }
    lines.push(sums_line(run, style));
    lines.join("\n")
}

/// One row in one line.
fn row_line(row: &RowResult, style: Style) -> String {
    let (word, name) = (row.verdict.word(), visible(&row.name));
    match row.counts() {
        Counts::Passed => match &row.decided {
            Some(decided) => format!("{} {name}  {}", style.green(word), style.dim(&visible(decided))),
            None => format!("{} {name}", style.green(word)),
        },
        Counts::Failed | Counts::Errored => format!("{} {name}", style.red(word)),
        Counts::Known(reason) => format!("{} {name} (expected: {})", style.yellow(word), visible(reason)),
        Counts::Unscored(reason) => format!("{} {name} (not scored: {})", style.yellow(word), visible(reason)),
        Counts::Skipped(reason) => format!("{} {name} ({})", style.yellow(word), visible(reason)),
        Counts::NotRun => format!("{} {name}", style.yellow(word)),
    }
}

/// Why rows were skipped, one line a reason.
fn skip_lines(run: &RunReport, style: Style) -> Vec<String> {
    let line = |(reason, number): (&str, usize)| {
        style.yellow(&format!("{} skipped: {}", crate::error::count(number, "row"), visible(reason)))
    };
    skips(run).into_iter().map(line).collect()
}

/// The reasons of skips, and how many rows each has.
pub(super) fn skips(run: &RunReport) -> std::collections::BTreeMap<&str, usize> {
    let mut reasons = std::collections::BTreeMap::new();
    for row in &run.rows {
        if let Counts::Skipped(reason) = row.counts() {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    reasons
}

/// The sums in one line.
fn sums_line(run: &RunReport, style: Style) -> String {
    let sums = run.sums();
    match run.standing() {
        Standing::Bad => style.red(&sums),
        Standing::Nothing | Standing::Partly => style.yellow(&sums),
        Standing::Good => style.green(&sums),
    }
}
