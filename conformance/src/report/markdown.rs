//! Markdown for the page of a CI job (`$GITHUB_STEP_SUMMARY`): the sums, a table of areas, what failed and what was skipped.
//!
//! Such a page holds a megabyte and is dropped whole when it is longer; what is left out here is said.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use portcullis_core::report::escape::visible;

use super::text::skips;
use super::{RunReport, Standing, Style, render_failure};
use crate::error::count;
use crate::run::{Counts, RowResult, Summary};

/// Failures that are shown whole.
const SHOWN: usize = 50;
/// Letters of a failure that are shown.
const LONGEST: usize = 8_000;

/// The report.
pub(super) fn markdown(run: &RunReport) -> String {
    let mark = match run.standing() {
        Standing::Bad => "❌ failed",
        Standing::Nothing => "⚪ nothing ran",
        Standing::Partly => "🟡 nothing failed, not all passed",
        Standing::Good => "✅ passed",
    };
    let who = format!("{} {}", run.implementation.name, run.implementation.version);
    let mut text = format!("## Portcullis: {mark}\n\n{}: {}.", plain(&who), plain(&run.sums()));
    if let Some(revision) = &run.revision {
        let _ = write!(text, " Scored against revision {}.", plain(revision));
    }
    text.push('\n');
    areas(run, &mut text);
    failures(run, &mut text);
    list("Known failures that are none", run.complaints.iter().map(|complaint| plain(complaint)), &mut text);
    let known = run.rows.iter().filter_map(|row| match row.counts() {
        Counts::Known(reason) => Some(reason),
        _ => None,
    });
    list("Failed as expected", counted(known), &mut text);
    let skipped = skips(run).into_iter().map(|(reason, number)| format!("{}: {}", count(number, "row"), plain(reason)));
    list("Skipped", skipped, &mut text);
    text
}

/// Reasons, and how often.
fn counted<'r>(reasons: impl Iterator<Item = &'r str>) -> impl Iterator<Item = String> {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    reasons.for_each(|reason| *all.entry(reason).or_default() += 1);
    all.into_iter().map(|(reason, number)| format!("{}: {}", count(number, "row"), plain(reason)))
}

fn areas(run: &RunReport, text: &mut String) {
    let mut areas: BTreeMap<&str, Vec<&RowResult>> = BTreeMap::new();
    for row in &run.rows {
        areas.entry(row.origin.area()).or_default().push(row);
    }
    text.push_str("\n| area | passed | failed | errored | as expected | not scored | skipped | not run |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (area, rows) in areas {
        let sums = Summary::of(rows);
        let numbers = [sums.passed, sums.failed, sums.errored, sums.expected, sums.unscored, sums.skipped, sums.not_run];
        let _ = write!(text, "| {} |", plain(area));
        for number in numbers {
            let _ = if number == 0 { write!(text, "  |") } else { write!(text, " {number} |") };
        }
        text.push('\n');
    }
}

fn failures(run: &RunReport, text: &mut String) {
    let bad: Vec<&RowResult> = run.rows.iter().filter(|row| row.is_bad()).collect();
    if bad.is_empty() {
        return;
    }
    text.push_str("\n### What failed\n");
    for row in bad.iter().take(SHOWN) {
        let mut report: String = render_failure(row, Style::new(false));
        if let Some((cut, _)) = report.char_indices().nth(LONGEST) {
            report.truncate(cut);
            report.push_str("\n… (cut)");
        }
        let fence = fence(&report);
        let name = format!("{}: {}", visible(&row.name), visible(&row.title));
        let _ = write!(text, "\n<details><summary>{}</summary>\n\n{fence}text\n{report}\n{fence}\n\n</details>\n", html(&name));
    }
    if let Some(rest) = bad.get(SHOWN..).filter(|rest| !rest.is_empty()) {
        let _ = writeln!(text, "\n{} more:\n", count(rest.len(), "row"));
        rest.iter().for_each(|row| text.push_str(&format!("- {}\n", plain(&row.name))));
    }
}

fn list(title: &str, lines: impl Iterator<Item = String>, text: &mut String) {
    let lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        let _ = write!(text, "\n### {title}\n\n");
        lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
    }
}

/// Longer than any row of backticks inside.
fn fence(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    "`".repeat((longest + 1).max(3))
}

/// One line that says nothing but itself. Escaped is every mark that Markdown, or GitHub's kind of it, may read as one.
fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in visible(text).chars() {
        if letter.is_ascii_punctuation() && !matches!(letter, ',' | ';' | '\'' | '/' | '?' | '%') {
            shown.push('\\');
        }
        shown.push(letter);
    }
    shown
}

/// Inside of an element of HTML. No mark of Markdown counts there but those of a line, and a letter as a number is none.
fn html(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii_punctuation() && !matches!(letter, ',' | '.' | ':' | '/' | '-' | '\'' | ';' | '?' | '%') {
            let _ = write!(shown, "&#{};", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    shown
}
