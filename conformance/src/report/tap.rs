//! The Test Anything Protocol, version 14: one test a row, a block of YAML below what did not pass.

use std::fmt::Write as _;

use portcullis_core::report::escape::{is_invisible, visible};
use serde_json::{Value, json};

use super::{RunReport, Style, render_failure};
use crate::run::{Counts, RowResult, Verdict};

/// The report.
pub(super) fn tap(run: &RunReport) -> String {
    let mut text = format!("TAP version 14\n1..{}", run.rows.len() + run.complaints.len());
    if run.rows.is_empty() && run.complaints.is_empty() {
        text.push_str(" # SKIP there are no rows");
    }
    text.push('\n');
    for (index, row) in run.rows.iter().enumerate() {
        test(index + 1, row, &mut text);
    }
    for (index, complaint) in run.complaints.iter().enumerate() {
        let _ = writeln!(text, "not ok {} - known failure {}", run.rows.len() + index + 1, index + 1);
        yaml(&[("message", json!(complaint)), ("severity", json!("fail"))], &mut text);
    }
    let _ = writeln!(text, "# {}", run.sums());
    text
}

fn test(number: usize, row: &RowResult, text: &mut String) {
    let word = row.verdict.word();
    let (ok, directive) = match row.counts() {
        Counts::Passed => (true, None),
        Counts::Failed | Counts::Errored => (false, None),
        // What is not ok and to do fails no run; what is ok and to do would be a bonus, which this is not.
        Counts::Known(reason) => (false, Some(("TODO", format!("{word} as expected: {reason}")))),
        Counts::Unscored(reason) if row.verdict.is_bad() => (false, Some(("TODO", format!("{word}, not scored: {reason}")))),
        Counts::Unscored(reason) => (true, Some(("SKIP", format!("{word}, not scored: {reason}")))),
        Counts::Skipped(reason) => (true, Some(("SKIP", reason.to_owned()))),
        Counts::NotRun => (true, Some(("SKIP", "not run".to_owned()))),
    };
    let _ = write!(text, "{}ok {number} - {}", if ok { "" } else { "not " }, plain(&row.name));
    if let Some((directive, reason)) = directive {
        let _ = write!(text, " # {directive} {}", plain(&reason));
    }
    text.push('\n');
    if row.verdict.is_bad() {
        let severity = if matches!(row.verdict, Verdict::Errored { .. }) { "error" } else { "fail" };
        yaml(
            &[
                ("message", json!(row.title)),
                ("severity", json!(severity)),
                ("at", json!({ "file": row.origin.file, "line": row.origin.line })),
                ("report", json!(render_failure(row, Style::new(false)))),
            ],
            text,
        );
    }
}

/// `#` begins a directive and `\` escapes.
fn plain(text: &str) -> String {
    visible(text).replace('\\', r"\\").replace('#', r"\#")
}

/// JSON is YAML, but for characters that YAML does not take as they are.
fn yaml(members: &[(&str, Value)], text: &mut String) {
    text.push_str("  ---\n");
    for (key, value) in members {
        let _ = write!(text, "  {key}: ");
        for letter in value.to_string().chars() {
            if is_invisible(letter) && letter != ' ' {
                let _ = write!(text, "\\U{:08x}", u32::from(letter));
            } else {
                text.push(letter);
            }
        }
        text.push('\n');
    }
    text.push_str("  ...\n");
}
