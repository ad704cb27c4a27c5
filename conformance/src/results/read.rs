//! JSON lines to results.

use serde::Deserialize;

use super::{Ended, Played, Row};
use crate::implementation::Hello;
use crate::scenario::{Level, Origin};

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Run { implementation: Hello },
    Row(Box<RowLine>),
    Summary {},
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RowLine {
    level: Level,
    origin: Origin,
    outcome: String,
    failure: Option<Failure>,
    reason: Option<String>,
    expected_failure: Option<String>,
    unscored: Option<String>,
}

#[derive(Deserialize)]
struct Failure {
    mismatches: Vec<Mismatch>,
}

#[derive(Deserialize)]
struct Mismatch {
    what: String,
    expected: String,
    got: String,
}

/// Reads the lines of one or more runs; runs of one implementation are put together. Names a line that is none of a run.
pub fn read(text: &str, into: &mut Vec<Played>) -> Result<(), String> {
    let mut at = None;
    for (index, line) in text.lines().enumerate() {
        let fault = |what: String| format!("{}: {what}", index + 1);
        match serde_json::from_str(line).map_err(|error| fault(error.to_string()))? {
            Line::Run { implementation } => at = Some(place(implementation, into)),
            Line::Row(row) => {
                let played = at.and_then(|at: usize| into.get_mut(at));
                played.ok_or_else(|| fault("a row without a run".into()))?.rows.push((*row).into());
            }
            Line::Summary {} => {}
        }
    }
    if at.is_none() { Err("1: there is no run".into()) } else { Ok(()) }
}

fn place(hello: Hello, into: &mut Vec<Played>) -> usize {
    let known = into.iter().position(|played| played.name == hello.name && played.version == hello.version);
    known.unwrap_or_else(|| {
        let Hello { name, version, language, homepage, .. } = hello;
        into.push(Played { name, version, language, homepage, rows: Vec::new() });
        into.len() - 1
    })
}

impl From<RowLine> for Row {
    fn from(line: RowLine) -> Self {
        let ended = match line.outcome.as_str() {
            _ if line.unscored.is_some() => Ended::Apart,
            "passed" => Ended::Passed,
            "failed" => Ended::Failed(line.failure.and_then(|failure| {
                let differs = failure.mismatches.into_iter().find(|mismatch| mismatch.what == "outcome");
                differs.map(|mismatch| (mismatch.expected, mismatch.got))
            })),
            "errored" => Ended::Errored,
            "skipped" => Ended::Skipped(line.reason.unwrap_or_default()),
            _ => Ended::Apart,
        };
        let mut folders = line.origin.file.rsplit('/').skip(1);
        let area = folders.next().unwrap_or("other").to_owned();
        Self { area, level: line.level, ended, expected: line.expected_failure }
    }
}
