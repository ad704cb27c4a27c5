//! Results of runs to those of implementations.

use super::{Ended, Played, Row};
use crate::implementation::Hello;
use crate::report::stream;
use crate::run::{Counts, RowResult, Verdict};

/// Reads the lines of one or more runs; runs of one implementation are put together. Names a line that is none of a run.
pub fn read(text: &str, into: &mut Vec<Played>) -> Result<(), String> {
    for run in stream::read(text)? {
        if let Some(played) = place(run.implementation, into) {
            played.rows.extend(run.rows.into_iter().map(Row::from));
        }
    }
    Ok(())
}

fn place(hello: Hello, into: &mut Vec<Played>) -> Option<&mut Played> {
    let known = into.iter().position(|played| played.name == hello.name && played.version == hello.version);
    let at = known.unwrap_or_else(|| {
        let Hello { name, version, language, homepage, .. } = hello;
        into.push(Played { name, version, language, homepage, rows: Vec::new() });
        into.len() - 1
    });
    into.get_mut(at)
}

impl From<RowResult> for Row {
    fn from(row: RowResult) -> Self {
        let area = row.origin.area().to_owned();
        let apart = matches!(row.counts(), Counts::Unscored(_));
        let ended = match row.verdict {
            _ if apart => Ended::Apart,
            Verdict::Passed => Ended::Passed,
            Verdict::Failed { failure } => {
                let differs = failure.mismatches.into_iter().find(|mismatch| mismatch.what == "outcome");
                Ended::Failed(differs.map(|mismatch| (mismatch.expected, mismatch.got)))
            }
            Verdict::Errored { .. } => Ended::Errored,
            Verdict::Skipped { reason } => Ended::Skipped(reason),
            Verdict::NotRun => Ended::Apart,
        };
        Self { area, level: row.level, ended, expected: row.expected }
    }
}
