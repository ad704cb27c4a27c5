//! A replay for people.

use std::fmt::Write as _;

use portcullis_core::report::escape::visible;

use super::{Example, Report, Transition};
use crate::error::count;
use crate::report::Style;

/// The longest call that is shown whole.
const LONGEST: usize = 100;

/// The whole report, without the last line end.
pub fn render(report: &Report, style: Style) -> String {
    let mut text = String::new();
    for row in report.transitions.iter().filter(|row| row.from != row.to) {
        let _ = writeln!(text, "{}", heading(row, style));
        for example in &row.examples {
            let _ = writeln!(text, "{}", one(example));
        }
    }
    for row in report.transitions.iter().filter(|row| row.from == row.to) {
        let _ = writeln!(text, "{} stays: {}", row.from, count_of(row.requests));
    }
    for left in &report.unjudged {
        let _ = writeln!(text, "{}: {}: {}", style.yellow("not judged"), left.reason.words(), left.number);
        for (log, line, about) in &left.examples {
            let about = if about.is_empty() { String::new() } else { format!("  {}", short(about)) };
            let _ = writeln!(text, "    {}:{line}{about}", visible(log));
        }
    }
    if let Some(suggestions) = &report.suggestions {
        if suggestions.is_empty() {
            let _ = writeln!(text, "no rule to suggest: none removes two prompts and leaves every deny alone");
        }
        for rule in suggestions {
            let _ = writeln!(
                text,
                "{}: allow {} '{}' removes {}",
                style.green("suggested"),
                visible(&rule.surface),
                visible(&rule.pattern),
                prompts(rule.requests)
            );
            let also: Vec<String> = rule.also_allows.iter().map(|value| format!("'{}'", short(value))).collect();
            let also = if also.is_empty() { "nothing else".to_owned() } else { format!("{}, …", also.join(", ")) };
            let _ = writeln!(text, "    would also allow: {also}");
        }
    }
    let total = |loosened: bool| -> u64 {
        let rows = report.transitions.iter().filter(|row| row.from != row.to && row.is_loosened() == loosened);
        rows.map(|row| row.requests).sum()
    };
    let since = if report.baseline { " against the baseline" } else { "" };
    let _ = write!(
        text,
        "{} in {}: {} loosened, {} tightened{since}",
        count_of(report.requests),
        lines(report.lines),
        total(true),
        total(false)
    );
    text
}

fn heading(row: &Transition, style: Style) -> String {
    let way = if row.is_loosened() { style.red("loosened ") } else { style.green("tightened") };
    format!("{way} {} → {}: {}", row.from, row.to, count_of(row.requests))
}

fn one(example: &Example) -> String {
    let [kind, argument] = &example.call;
    let times = if example.times == 1 { String::new() } else { format!(", {} times", example.times) };
    let agent = example.agent.as_ref().map(|agent| format!(", agent {}", visible(agent))).unwrap_or_default();
    let by = match &example.now.rule {
        Some(rule) => visible(rule),
        None => format!("gate {}", example.now.gate).into(),
    };
    format!(
        "    {} {}  ({}:{}{times}{agent})\n        now: {by}",
        visible(kind),
        quoted(argument),
        visible(&example.log),
        example.line
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", short(text).replace('\'', "'\\''"))
}

fn short(text: &str) -> String {
    let shown = visible(text);
    match shown.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", shown.get(..cut).unwrap_or_default()),
        None => shown.into_owned(),
    }
}

fn count_of(requests: u64) -> String {
    count(usize::try_from(requests).unwrap_or(usize::MAX), "request")
}

fn prompts(requests: u64) -> String {
    count(usize::try_from(requests).unwrap_or(usize::MAX), "prompt")
}

fn lines(lines: u64) -> String {
    count(usize::try_from(lines).unwrap_or(usize::MAX), "line")
}
