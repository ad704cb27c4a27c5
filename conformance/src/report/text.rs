//! Lines for people and pipes.

use super::Style;
use crate::run::{RowResult, Summary, Verdict};

/// One row in one line.
pub fn row_line(result: &RowResult, style: Style) -> String {
    let word = result.verdict.word();
    if let Some(reason) = &result.unscored {
        return format!("{} {} (not scored: {reason})", style.yellow(word), result.name);
    }
    if let Some(reason) = &result.expected {
        return format!("{} {} (expected: {reason})", style.yellow(word), result.name);
    }
    let painted = match &result.verdict {
        Verdict::Passed => style.green(word),
        Verdict::Failed { .. } | Verdict::Errored { .. } => style.red(word),
        Verdict::Skipped { .. } | Verdict::NotRun => style.yellow(word),
    };
    match &result.verdict {
        Verdict::Skipped { reason } => format!("{painted} {} ({reason})", result.name),
        Verdict::Passed => match &result.decided {
            Some(decided) => format!("{painted} {}  {}", result.name, style.dim(decided)),
            None => format!("{painted} {}", result.name),
        },
        _ => format!("{painted} {}", result.name),
    }
}

/// The sums in one line; what is zero is not mentioned, but for what passed.
pub fn summary_line(summary: &Summary, style: Style) -> String {
    let mut parts = vec![format!("{} passed", summary.passed)];
    for (count, word) in [
        (summary.failed, "failed"),
        (summary.errored, "errored"),
        (summary.expected, "failed as expected"),
        (summary.unscored, "not scored"),
        (summary.skipped, "skipped"),
        (summary.not_run, "not run"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let text = parts.join(", ");
    if summary.is_good() { style.green(&text) } else { style.red(&text) }
}
