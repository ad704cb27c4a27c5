//! A run as lines of JSON: one about the run, one a row, one with the sums. Every other report is made of what these lines say, so that a
//! saved stream gives the same report as the run did. Without times, unless they are asked for: two runs that went alike read alike.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::count;
use crate::implementation::Hello;
use crate::run::{RowResult, Summary};

/// The version of the lines. A new member is no new version: readers leave out what they do not know.
pub const VERSION: u32 = 1;

/// A run, as its lines say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunReport {
    /// Who was played.
    pub implementation: Hello,
    /// The revision of the suite that is scored, when it is one.
    pub revision: Option<String>,
    /// Rows that were there and not chosen to be played.
    pub not_chosen: usize,
    /// The rows that were chosen, in the order of the suite.
    pub rows: Vec<RowResult>,
    /// Entries of the list of known failures that do not hold: each fails the run.
    pub complaints: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    /// The first line.
    Run(Head),
    /// One row.
    Row(Box<RowResult>),
    /// The last line. A stream without it is broken off.
    Summary(Sums),
}

/// What the run is.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Head {
    /// The version of these lines.
    #[serde(default = "version")]
    version: u32,
    /// Who was played.
    implementation: Hello,
    /// How many rows follow.
    rows: usize,
    /// Rows that were there and not chosen to be played.
    #[serde(skip_serializing_if = "is_zero", default)]
    not_chosen: usize,
    /// The revision of the suite that is scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
}

/// How many rows ended how.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Sums {
    #[serde(flatten)]
    rows: Summary,
    /// Entries of the list of known failures that do not hold: each fails the run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    complaints: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn version() -> u32 {
    VERSION
}

impl RunReport {
    /// The lines.
    pub fn lines(&self) -> Vec<String> {
        let head = Line::Run(Head {
            version: VERSION,
            implementation: self.implementation.clone(),
            rows: self.rows.len(),
            not_chosen: self.not_chosen,
            revision: self.revision.clone(),
        });
        let rows = self.rows.iter().map(|row| Line::Row(Box::new(row.clone())));
        let sums = Line::Summary(Sums { rows: self.summary(), complaints: self.complaints.clone() });
        // All keys are texts and all numbers whole: nothing here can fail to be JSON.
        let text = |line: Line| serde_json::to_string(&line).unwrap_or_default();
        std::iter::once(head).chain(rows).chain(std::iter::once(sums)).map(text).collect()
    }

    /// How many rows ended how.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.rows)
    }
}

/// Reads the lines of one or more runs. A fault begins with the number of its line.
pub fn read(text: &str) -> Result<Vec<RunReport>, String> {
    let mut runs: Vec<RunReport> = Vec::new();
    let mut open: Option<(Head, Vec<RowResult>)> = None;
    let mut last = 1;
    for (index, line) in text.lines().enumerate() {
        last = index + 1;
        let fault = |what: String| format!("{last}: {what}");
        match (serde_json::from_str(line).map_err(|error| fault(error.to_string()))?, open.take()) {
            (Line::Run(head), None) if head.version > VERSION => {
                let text = format!("the lines have version {}; this program reads {VERSION}", head.version);
                return Err(fault(text));
            }
            (Line::Run(head), None) => open = Some((head, Vec::new())),
            (Line::Run(_), Some(_)) => return Err(fault(BROKEN_OFF.into())),
            (Line::Row(_), None) => return Err(fault("a row without a run".into())),
            (Line::Row(row), Some((head, mut rows))) => {
                rows.push(*row);
                open = Some((head, rows));
            }
            (Line::Summary(_), None) => return Err(fault("sums without a run".into())),
            (Line::Summary(sums), Some((head, rows))) => runs.push(whole(head, rows, sums).map_err(fault)?),
        }
    }
    match (open, runs.is_empty()) {
        (Some(_), _) => Err(format!("{last}: {BROKEN_OFF}")),
        (None, true) => Err("1: there is no run".into()),
        (None, false) => Ok(runs),
    }
}

const BROKEN_OFF: &str = "the run before has no sums: it was broken off, or this is not all of it";

/// A run whose lines agree with each other.
fn whole(head: Head, rows: Vec<RowResult>, sums: Sums) -> Result<RunReport, String> {
    if head.rows != rows.len() {
        return Err(format!("{} of {}: this is not the whole run", count(rows.len(), "row"), head.rows));
    }
    let mut names = BTreeSet::new();
    if let Some(twice) = rows.iter().find(|row| !names.insert(row.name.as_str())) {
        return Err(format!("the row `{}` is there twice", twice.name));
    }
    if Summary::of(&rows) != sums.rows {
        return Err("the sums are not those of the rows".into());
    }
    let Head { implementation, revision, not_chosen, .. } = head;
    Ok(RunReport { implementation, revision, not_chosen, rows, complaints: sums.complaints })
}

/// The JSON Schema of a line, draft 2020-12.
pub fn line_schema() -> Value {
    let schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Line>();
    let mut schema = schema.to_value();
    if let Some(members) = schema.as_object_mut() {
        members.insert("title".into(), json!(format!("Portcullis results {VERSION}: one line")));
        let about =
            "A run is a line of type run, one of type row a row, and one of type summary; docs/guide/report.md describes them.";
        members.insert("description".into(), about.into());
    }
    schema
}

#[cfg(test)]
mod tests;
