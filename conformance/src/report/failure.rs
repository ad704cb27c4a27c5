//! One failure: what was done, expected against got, the explanation, and the line that repeats just it.

use portcullis_core::report::escape::visible;
use similar::{ChangeTag, TextDiff};

use super::Style;
use crate::run::{RowResult, Verdict};

/// How a row is repeated from the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The command: `run`, or `test` for people's own tests.
    pub command: &'static str,
    /// The implementation when it is not the reference.
    pub implementation: Option<String>,
    /// Whether the file must be named: it is not part of the embedded suite.
    pub from_files: bool,
}

impl Repeat {
    /// Writes the command into each row that did not pass.
    pub fn note_in(&self, rows: &mut [RowResult]) {
        for row in rows.iter_mut().filter(|row| row.verdict.is_bad()) {
            row.repeat = Some(self.command(row));
        }
    }

    fn command(&self, row: &RowResult) -> String {
        let mut command = format!("portcullis {}", self.command);
        if self.from_files {
            command.push_str(&format!(" {}", quoted(&row.origin.file)));
        }
        if let Some(name) = &self.implementation {
            command.push_str(&format!(" --implementation {}", quoted(name)));
        }
        command.push_str(&format!(" --id {}", quoted(&row.name)));
        command
    }
}

/// For a POSIX shell.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | '=' | ':');
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// The whole report of a row that did not pass; several lines without the last line end.
pub fn render_failure(row: &RowResult, style: Style) -> String {
    let mut lines = vec![format!(
        "{} {}  {}",
        style.red(if matches!(row.verdict, Verdict::Errored { .. }) { "ERRORED" } else { "FAILED" }),
        style.bold(&visible(&row.name)),
        style.dim(&format!("{}:{}", visible(&row.origin.file), row.origin.line)),
    )];
    lines.push(format!("  {}", visible(&row.title)));
    match &row.verdict {
        Verdict::Errored { message } => lines.extend(indented(2, message)),
        Verdict::Failed { failure } => {
            lines.push(format!("  step {} (line {}): {}", failure.step, failure.line, visible(&failure.action)));
            for mismatch in &failure.mismatches {
                lines.push(format!("    {}:", style.bold(&visible(&mismatch.what))));
                lines.extend(diff(&mismatch.expected, &mismatch.got, style));
            }
            if let Some(trace) = &failure.trace {
                lines.push("  trace:".into());
                lines.extend(indented(4, trace));
            }
        }
        _ => {}
    }
    if let Some(remarks) = &row.remarks {
        lines.push("  standard error:".into());
        lines.extend(indented(4, remarks));
    }
    if let Some(repeat) = &row.repeat {
        lines.push(format!("  repeat: {}", visible(repeat)));
    }
    lines.join("\n")
}

/// The lines of a text that may hold anything.
fn indented(depth: usize, text: &str) -> impl Iterator<Item = String> {
    text.lines().map(move |line| format!("{:depth$}{}", "", visible(line)))
}

/// `-` is expected, `+` is got.
fn diff(expected: &str, got: &str, style: Style) -> Vec<String> {
    let diff = TextDiff::from_lines(expected, got);
    let line = |change: similar::Change<&str>| {
        let text = visible(change.value().trim_end_matches(['\n', '\r']));
        match change.tag() {
            ChangeTag::Delete => style.red(&format!("      - {text}")),
            ChangeTag::Insert => style.green(&format!("      + {text}")),
            ChangeTag::Equal => format!("        {text}"),
        }
    };
    diff.iter_all_changes().map(line).collect()
}
