//! The rows of several runs side by side.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::requirements;

/// Runs as their JSON lines say them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Runs {
    runs: Vec<Run>,
}

#[derive(Debug, Clone, PartialEq)]
struct Run {
    /// The line about the run.
    head: Value,
    /// The lines of its rows.
    rows: Vec<Value>,
}

/// What a page carries.
pub(super) struct Gathered {
    /// Everything that lists and filters need.
    pub(super) index: Value,
    /// One a file of scenarios: what is shown of its rows when they are opened, in the same order.
    pub(super) details: Vec<Value>,
}

/// One row of the suite and its lines, one an implementation that played it.
struct Row<'a> {
    /// The first line of it.
    first: &'a Value,
    /// What was given and done, from the first line that says it.
    details: Option<&'a Value>,
    lines: Vec<Option<&'a Value>>,
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

impl Runs {
    /// Reads the lines of one or more runs.
    pub fn read(&mut self, stream: &str) -> Result<(), String> {
        let mut open: Option<Run> = None;
        for (index, line) in stream.lines().enumerate() {
            let fault = |what: String| format!("{}: {what}", index + 1);
            let value: Value = serde_json::from_str(line).map_err(|error| fault(error.to_string()))?;
            match (text(&value, "type"), &mut open) {
                ("run", _) => self.runs.extend(open.replace(Run { head: value, rows: Vec::new() })),
                ("row", Some(run)) => run.rows.push(value),
                ("row", None) => return Err(fault("a row without a run".into())),
                ("summary", _) => {}
                _ => return Err(fault("this is no line of a run".into())),
            }
        }
        let run = open.ok_or_else(|| "1: there is no run".to_owned())?;
        self.runs.push(run);
        Ok(())
    }

    /// Runs of one implementation that have no row in common are one column.
    fn columns(&self) -> Vec<Vec<&Run>> {
        let mut columns: Vec<Vec<&Run>> = Vec::new();
        for run in &self.runs {
            let who = |run: &Run| {
                (text(&run.head["implementation"], "name").to_owned(), text(&run.head["implementation"], "version").to_owned())
            };
            let fits = |column: &Vec<&Run>| column.iter().all(|other| who(other) == who(run) && !other.shares_a_row_with(run));
            match columns.iter_mut().find(|column| fits(column)) {
                Some(column) => column.push(run),
                None => columns.push(vec![run]),
            }
        }
        columns
    }

    pub(super) fn gather(&self) -> Gathered {
        let columns = self.columns();
        let rows = rows(&columns);
        let mut files = Interned::default();
        let mut areas = Interned::default();
        let mut covered = Interned::default();
        let mut grouped: Vec<Vec<&Row<'_>>> = Vec::new();
        for row in &rows {
            let at = files.place(text(&row.first["origin"], "file"));
            grouped.resize_with(grouped.len().max(at + 1), Vec::new);
            if let Some(group) = grouped.get_mut(at) {
                group.push(row);
            }
        }
        let mut listed = Vec::with_capacity(rows.len());
        for (file, group) in grouped.iter().enumerate() {
            for row in group {
                let covers = row.details.and_then(|details| details["covers"].as_array()).map(Vec::as_slice).unwrap_or_default();
                let covers: Vec<usize> = covers.iter().filter_map(Value::as_str).map(|id| covered.place(id)).collect();
                let outcomes: String = row.lines.iter().map(|line| line.map_or('-', outcome)).collect();
                let area = areas.place(area(text(&row.first["origin"], "file")));
                let level = usize::from(text(row.first, "level") == "hardened");
                listed.push(json!([
                    text(row.first, "name"),
                    text(row.first, "title"),
                    area,
                    level,
                    file,
                    row.first["origin"]["line"],
                    covers,
                    outcomes
                ]));
            }
        }
        let title = |id: &String| requirements::find(id).map_or("", |known| known.title);
        let index = json!({
            "version": 1,
            "runs": columns.iter().enumerate().map(|(at, column)| head(column, &columns, at)).collect::<Vec<_>>(),
            "areas": areas.names,
            "files": files.names,
            "requirements": covered.names.iter().map(|id| json!([id, title(id)])).collect::<Vec<_>>(),
            "rows": listed,
        });
        let details = grouped.iter().map(|group| group.iter().map(|row| opened(row)).collect()).collect();
        Gathered { index, details }
    }
}

impl Run {
    fn shares_a_row_with(&self, other: &Self) -> bool {
        let names: std::collections::HashSet<&str> = self.rows.iter().map(|row| text(row, "name")).collect();
        other.rows.iter().any(|row| names.contains(text(row, "name")))
    }
}

/// All rows in the order in which they are first named.
fn rows<'a>(columns: &[Vec<&'a Run>]) -> Vec<Row<'a>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut rows: Vec<Row<'a>> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        for line in column.iter().flat_map(|run| &run.rows) {
            let place = *places.entry(text(line, "name")).or_insert_with(|| {
                rows.push(Row { first: line, details: None, lines: vec![None; columns.len()] });
                rows.len() - 1
            });
            let Some(row) = rows.get_mut(place) else { continue };
            row.details = row.details.or(line.get("details"));
            if let Some(slot) = row.lines.get_mut(at) {
                *slot = Some(line);
            }
        }
    }
    rows
}

/// Who was played. The same implementation in two columns is told apart by a mark.
fn head(column: &[&Run], columns: &[Vec<&Run>], at: usize) -> Value {
    let Some(run) = column.first() else { return Value::Null };
    let same = |other: &&Vec<&Run>| other.first().is_some_and(|other| other.head["implementation"] == run.head["implementation"]);
    let before = columns.iter().take(at).filter(same).count();
    let mut head = run.head["implementation"].clone();
    if let Some(members) = head.as_object_mut() {
        if before > 0 {
            members.insert("mark".into(), format!(" ({})", before + 1).into());
        }
        if let Some(revision) = run.head.get("revision") {
            members.insert("revision".into(), revision.clone());
        }
    }
    head
}

/// One letter. What somebody answers for and what is not scored are states of their own, whatever the outcome; nothing that did not pass
/// reads as passed.
fn outcome(line: &Value) -> char {
    if line.get("unscored").is_some() {
        return 'u';
    }
    if line.get("expectedFailure").is_some() {
        return 'k';
    }
    match text(line, "outcome") {
        "passed" => 'p',
        "failed" => 'f',
        "skipped" => 's',
        "not run" => 'n',
        _ => 'e',
    }
}

/// What is shown of a row when it is opened.
fn opened(row: &Row<'_>) -> Value {
    let mut shown = Map::new();
    for key in ["note", "needs", "given", "steps"] {
        if let Some(value) = row.details.and_then(|details| details.get(key)) {
            shown.insert(key.into(), value.clone());
        }
    }
    shown.insert("runs".into(), row.lines.iter().map(|line| line.map_or(Value::Null, one_run)).collect());
    shown.into()
}

/// What one implementation did with it.
fn one_run(line: &Value) -> Value {
    let keys = ["decided", "reason", "message", "failure", "expectedFailure", "unscored", "standardError"];
    let mut shown: Map<String, Value> =
        keys.iter().filter_map(|key| Some(((*key).to_owned(), line.get(*key)?.clone()))).collect();
    if let Some(played) = line.get("details").and_then(|details| details.get("played")) {
        shown.insert("played".into(), played.clone());
    }
    shown.into()
}

/// The folder of a scenario file.
fn area(file: &str) -> &str {
    file.rsplit('/').nth(1).unwrap_or("other")
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
