//! One failure: what was done, expected against got, the explanation, and the line that repeats just it.

use similar::{ChangeTag, TextDiff};

use super::Style;
use crate::run::{RowResult, Verdict};

/// How a row is repeated from the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The command: `run`, or `test` for people's own tests.
    pub command: &'static str,
    /// The arguments before `--id`: the implementation when it is not the reference.
    pub implementation: Option<String>,
    /// Whether the file must be named: it is not part of the embedded suite.
    pub from_files: bool,
}

impl Repeat {
    /// The command.
    pub fn command(&self, result: &RowResult) -> String {
        let mut command = format!("portcullis {}", self.command);
        if self.from_files {
            command.push_str(&format!(" {}", quoted(&result.origin.file)));
        }
        if let Some(name) = &self.implementation {
            command.push_str(&format!(" --implementation {}", quoted(name)));
        }
        command.push_str(&format!(" --id {}", quoted(&result.name)));
        command
    }
}

/// For a POSIX shell.
fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | '=' | ':');
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// The whole report of a row that did not pass; several lines without the last line end.
pub fn render_failure(result: &RowResult, repeat: &Repeat, style: Style) -> String {
    let mut lines = vec![format!(
        "{} {}  {}",
        style.red(if matches!(result.verdict, Verdict::Errored { .. }) { "ERRORED" } else { "FAILED" }),
        style.bold(&result.name),
        style.dim(&format!("{}:{}", result.origin.file, result.origin.line)),
    )];
    lines.push(format!("  {}", result.title));
    match &result.verdict {
        Verdict::Errored { message } => lines.extend(message.lines().map(|line| format!("  {line}"))),
        Verdict::Failed { failure } => {
            lines.push(format!("  step {} (line {}): {}", failure.step, failure.line, failure.action));
            for mismatch in &failure.mismatches {
                lines.push(format!("    {}:", style.bold(&mismatch.what)));
                lines.extend(diff(&mismatch.expected, &mismatch.got, style));
            }
            if let Some(trace) = &failure.trace {
                lines.push("  trace:".into());
                lines.extend(trace.lines().map(|line| format!("    {line}")));
            }
        }
        _ => {}
    }
    if let Some(remarks) = &result.remarks {
        lines.push("  standard error:".into());
        lines.extend(remarks.lines().map(|line| format!("    {}", line.escape_debug())));
    }
    lines.push(format!("  repeat: {}", repeat.command(result)));
    lines.join("\n")
}

/// `-` is expected, `+` is got.
fn diff(expected: &str, got: &str, style: Style) -> Vec<String> {
    let diff = TextDiff::from_lines(expected, got);
    let line = |change: similar::Change<&str>| {
        let text = change.value().trim_end_matches(['\n', '\r']);
        match change.tag() {
            ChangeTag::Delete => style.red(&format!("      - {text}")),
            ChangeTag::Insert => style.green(&format!("      + {text}")),
            ChangeTag::Equal => format!("        {text}"),
        }
    };
    diff.iter_all_changes().map(line).collect()
}
