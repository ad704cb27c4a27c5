//! The rows of several runs side by side.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::implementation::Hello;
use crate::report::RunReport;
use crate::requirements;
use crate::run::{Counts, Details, RowResult, Verdict};
use crate::scenario::Level;

/// What a page carries.
pub(super) struct Gathered {
    /// Everything that lists and filters need.
    pub(super) index: Value,
    /// One a file of scenarios: what is shown of its rows when they are opened, in the same order.
    pub(super) details: Vec<Value>,
}

/// Runs of one implementation that have no row in common.
type Column<'a> = Vec<&'a RunReport>;

/// One row of the suite, and what became of it on each implementation.
struct Row<'a> {
    /// The first result of it.
    first: &'a RowResult,
    /// What was given and done, from the first result that says it.
    details: Option<&'a Details>,
    /// One a column.
    results: Vec<Option<&'a RowResult>>,
}

/// Puts the runs side by side.
pub(super) fn gather(runs: &[RunReport]) -> Gathered {
    let columns = columns(runs);
    let rows = rows(&columns);
    let mut files = Interned::default();
    let mut grouped: Vec<Vec<&Row<'_>>> = Vec::new();
    for row in &rows {
        let at = files.place(&row.first.origin.file);
        grouped.resize_with(grouped.len().max(at + 1), Vec::new);
        if let Some(group) = grouped.get_mut(at) {
            group.push(row);
        }
    }
    let (mut areas, mut covered) = (Interned::default(), Interned::default());
    let mut listed = Vec::with_capacity(rows.len());
    for (file, group) in grouped.iter().enumerate() {
        for Row { first, details, results } in group {
            let covers: Vec<usize> = details.iter().flat_map(|details| &details.covers).map(|id| covered.place(id)).collect();
            let outcomes: String = results.iter().map(|result| result.map_or('-', outcome)).collect();
            let area = areas.place(first.origin.area());
            let level = usize::from(first.level == Level::Hardened);
            listed.push(json!([first.name, first.title, area, level, file, first.origin.line, covers, outcomes]));
        }
    }
    let title = |id: &String| requirements::find(id).map_or("", |known| known.title);
    let index = json!({
        "version": 1,
        "runs": columns.iter().enumerate().map(|(at, column)| head(column, columns.get(..at).unwrap_or_default())).collect::<Vec<_>>(),
        "areas": areas.names,
        "files": files.names,
        "requirements": covered.names.iter().map(|id| json!([id, title(id)])).collect::<Vec<_>>(),
        "rows": listed,
    });
    let details = grouped.iter().map(|group| group.iter().map(|row| opened(row)).collect()).collect();
    Gathered { index, details }
}

fn columns(runs: &[RunReport]) -> Vec<Column<'_>> {
    let mut columns: Vec<(HashSet<&str>, Column<'_>)> = Vec::new();
    for run in runs {
        let names: HashSet<&str> = run.rows.iter().map(|row| row.name.as_str()).collect();
        let goes_on = |(known, column): &&mut (HashSet<&str>, Column<'_>)| {
            column.iter().all(|other| same(&other.implementation, &run.implementation)) && known.is_disjoint(&names)
        };
        match columns.iter_mut().find(goes_on) {
            Some((known, column)) => {
                known.extend(names);
                column.push(run);
            }
            None => columns.push((names, vec![run])),
        }
    }
    columns.into_iter().map(|(_, column)| column).collect()
}

fn same(one: &Hello, other: &Hello) -> bool {
    one.name == other.name && one.version == other.version
}

/// All rows in the order in which they are first named.
fn rows<'a>(columns: &[Column<'a>]) -> Vec<Row<'a>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut rows: Vec<Row<'a>> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        for result in column.iter().flat_map(|run| &run.rows) {
            let place = *places.entry(&result.name).or_insert_with(|| {
                rows.push(Row { first: result, details: None, results: vec![None; columns.len()] });
                rows.len() - 1
            });
            let Some(row) = rows.get_mut(place) else { continue };
            row.details = row.details.or(result.details.as_deref());
            if let Some(slot) = row.results.get_mut(at) {
                *slot = Some(result);
            }
        }
    }
    rows
}

/// Who was played. The same implementation in a further column is told apart by a mark.
fn head(column: &Column<'_>, before: &[Column<'_>]) -> Value {
    let Some(run) = column.first() else { return Value::Null };
    let Hello { name, version, language, .. } = &run.implementation;
    let alike =
        before.iter().filter(|other| other.first().is_some_and(|other| same(&other.implementation, &run.implementation))).count();
    json!({
        "name": name,
        "version": version,
        "language": language,
        "mark": if alike > 0 { format!(" ({})", alike + 1) } else { String::new() },
        "revision": run.revision,
        // Two parts of the suite leave out what the other has: nobody can say then what was left out of both.
        "notChosen": if column.len() == 1 { run.not_chosen } else { 0 },
        "complaints": column.iter().flat_map(|run| &run.complaints).collect::<Vec<_>>(),
    })
}

/// One letter. What somebody answers for and what is not scored are states of their own; nothing that did not pass reads as passed.
fn outcome(result: &RowResult) -> char {
    match result.counts() {
        Counts::Passed => 'p',
        Counts::Failed => 'f',
        Counts::Errored => 'e',
        Counts::Known(_) => 'k',
        Counts::Unscored(_) => 'u',
        Counts::Skipped(_) => 's',
        Counts::NotRun => 'n',
    }
}

/// What is shown of a row when it is opened.
fn opened(row: &Row<'_>) -> Value {
    let runs: Vec<Value> = row.results.iter().map(|result| result.map_or(Value::Null, one_run)).collect();
    let Some(Details { note, needs, given, steps, .. }) = row.details else { return json!({ "runs": runs }) };
    json!({ "note": note, "needs": needs, "given": given, "steps": steps, "runs": runs })
}

/// What one implementation did with it.
fn one_run(result: &RowResult) -> Value {
    let mut shown = Map::new();
    let mut add = |key: &str, value: Option<Value>| shown.extend(value.map(|value| (key.to_owned(), value)));
    let text = |text: &Option<String>| text.clone().map(Value::from);
    add("decided", text(&result.decided));
    match &result.verdict {
        Verdict::Failed { failure } => add("failure", serde_json::to_value(failure).ok()),
        Verdict::Errored { message } => add("message", Some(message.clone().into())),
        Verdict::Skipped { reason } => add("reason", Some(reason.clone().into())),
        Verdict::Passed | Verdict::NotRun => {}
    }
    add("expectedFailure", text(&result.expected));
    add("unscored", text(&result.unscored));
    add("standardError", text(&result.remarks));
    add("repeat", text(&result.repeat));
    add("played", result.details.as_ref().and_then(|details| serde_json::to_value(&details.played).ok()));
    shown.into()
}

/// Texts by number.
#[derive(Default)]
struct Interned {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Interned {
    fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.names.len();
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }
}
