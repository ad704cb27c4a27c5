//! GitHub workflow commands: a remark at the line of each row that failed, and one with the sums.
//!
//! A job shows ten errors of a step and drops the rest without a word. The last one here names what is left out.

use portcullis_core::report::escape::{visible, visible_layout};

use super::{RunReport, Standing, Style, render_failure};

/// Errors of one step that are shown, one of which is the sums.
const SHOWN: usize = 10;

/// The report.
pub(super) fn github(run: &RunReport) -> String {
    let rows = run.rows.iter().filter(|row| row.is_bad()).map(|row| {
        let place = [("file", row.origin.file.clone()), ("line", row.origin.line.to_string())];
        (row.name.clone(), place.to_vec(), render_failure(row, Style::new(false)))
    });
    let complaints = run.complaints.iter().map(|complaint| ("known failures".to_owned(), Vec::new(), complaint.clone()));
    let all: Vec<_> = rows.chain(complaints).collect();
    let (shown, rest) = all.split_at_checked(SHOWN - 1).unwrap_or((&all, &[]));
    let mut lines: Vec<String> = shown
        .iter()
        .map(|(name, place, message)| {
            let mut members = place.clone();
            members.push(("title", format!("{}: {}", run.implementation.name, name)));
            command("error", &members, message)
        })
        .collect();
    let mut sums = run.sums();
    if !rest.is_empty() {
        let names: Vec<&str> = rest.iter().map(|(name, _, _)| name.as_str()).collect();
        sums.push_str(&format!("\nwithout a remark of their own: {}", names.join(", ")));
    }
    let level = match run.standing() {
        Standing::Bad => "error",
        Standing::Nothing | Standing::Partly => "warning",
        Standing::Good => "notice",
    };
    let title = format!("portcullis: {} {}", run.implementation.name, run.implementation.version);
    lines.push(command(level, &[("title", title)], &sums));
    lines.join("\n")
}

fn command(level: &str, members: &[(&str, String)], message: &str) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("{key}={}", member(value))).collect();
    format!("::{level} {}::{}", members.join(","), data(&visible_layout(message)))
}

/// What a command says. `%` first: it is what the others are written with.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a member, which `:` and `,` would end.
fn member(text: &str) -> String {
    data(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}
