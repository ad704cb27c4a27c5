//! Frozen revisions: which rows the suite had at a time, and what was in them. A score against a revision means the same next year.
//!
//! A revision is a file of `scenarios/revisions/`, one row a line with a sum of its content. A row that is in it never changes and never
//! goes; one that proved wrong is withdrawn in the file, with a reason. Rows that came later are played and not scored.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write as _};
use std::hash::Hasher as _;
use std::sync::Arc;

use serde_json::Value;

use crate::problem::{Problem, did_you_mean};
use crate::scenario::Scenario;
use crate::select::Fnv;
use crate::source::{Place, SourceFile};
use crate::yaml::{self, Node};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded_revisions.rs"));
}

/// A sum of what is in a row: its world, its steps, its level and needs. Titles, notes and `covers` may be mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum(u64);

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What a revision says of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Frozen(Sum),
    Withdrawn(String),
}

/// A revision of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// Its name: a year and a month.
    pub name: String,
    file: Arc<SourceFile>,
    rows: BTreeMap<String, (Entry, Place)>,
}

/// The names of all revisions, the oldest first.
pub fn names() -> Vec<&'static str> {
    embedded::FILES.iter().filter_map(|(path, _)| path.rsplit('/').next()?.strip_suffix(".txt")).collect()
}

/// The revision of this name, or what is wrong.
pub fn find(name: &str) -> Result<Revision, Vec<Problem>> {
    let path = format!("scenarios/revisions/{name}.txt");
    match embedded::FILES.iter().find(|(known, _)| *known == path) {
        Some((_, text)) => Revision::parse(name, &SourceFile::new(path, *text)),
        None => Err(vec![unknown(name, path)]),
    }
}

fn unknown(name: &str, path: String) -> Problem {
    let known = names();
    let help = did_you_mean(name, known.iter().copied());
    let help = help.or_else(|| (!known.is_empty()).then(|| format!("there are: {}", known.join(", "))));
    let message = format!("there is no revision `{name}`");
    Problem { file: SourceFile::new(path, ""), place: Place::START, message, help, objection: false }
}

impl Revision {
    /// Reads a file.
    pub fn parse(name: &str, file: &Arc<SourceFile>) -> Result<Self, Vec<Problem>> {
        let mut revision = Self { name: name.to_owned(), file: Arc::clone(file), rows: BTreeMap::new() };
        let mut problems = Vec::new();
        let mut offset = 0;
        for (index, line) in file.text.split('\n').enumerate() {
            let place = Place { offset, length: line.len(), line: index + 1, column: 1 };
            offset += line.len() + 1;
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let fault = match entry(line) {
                Some((row, entry)) => match revision.rows.insert(row.to_owned(), (entry, place)) {
                    None => continue,
                    Some((_, before)) => format!("`{row}` stands in line {} already", before.line),
                },
                None => "is neither `SUM NAME` nor `withdrawn (REASON) NAME`".to_owned(),
            };
            problems.push(Problem { file: Arc::clone(file), place, message: fault, help: None, objection: false });
        }
        if problems.is_empty() { Ok(revision) } else { Err(problems) }
    }

    /// Why a row does not count in a score against this revision; `None` when it does.
    pub fn unscored(&self, row: &Scenario, sums: &HashMap<String, Sum>) -> Option<String> {
        match self.rows.get(&row.name) {
            None => Some(format!("newer than revision {}", self.name)),
            Some((Entry::Withdrawn(reason), _)) => Some(format!("withdrawn from revision {}: {reason}", self.name)),
            Some((Entry::Frozen(sum), _)) if sums.get(&row.name) != Some(sum) => {
                Some(format!("changed since revision {}", self.name))
            }
            Some(_) => None,
        }
    }

    /// Rows that count.
    pub fn frozen(&self) -> usize {
        self.rows.values().filter(|(entry, _)| matches!(entry, Entry::Frozen(_))).count()
    }

    /// Rows that counted once.
    pub fn withdrawn(&self) -> usize {
        self.rows.len() - self.frozen()
    }

    /// Rows that changed or went although they are frozen.
    pub fn check(&self, suite: &[Scenario]) -> Vec<Problem> {
        const HELP: &str = "a frozen row stays as it is; if it was wrong, write `withdrawn (REASON) NAME` in place of this line";
        let sums = sums(suite);
        let fault = |(row, (entry, place)): (&String, &(Entry, Place))| {
            let Entry::Frozen(sum) = entry else { return None };
            let message = match sums.get(row) {
                Some(now) if now == sum => return None,
                Some(now) => format!("`{row}` has changed: its sum is {now} now"),
                None => format!("`{row}` is no longer in the suite"),
            };
            let file = Arc::clone(&self.file);
            Some(Problem { file, place: *place, message, help: Some(HELP.into()), objection: false })
        };
        self.rows.iter().filter_map(fault).collect()
    }
}

fn entry(line: &str) -> Option<(&str, Entry)> {
    if let Some(rest) = line.strip_prefix("withdrawn (") {
        let (reason, row) = rest.split_once(") ")?;
        let told = !reason.trim().is_empty() && !row.is_empty();
        return told.then(|| (row, Entry::Withdrawn(reason.to_owned())));
    }
    let (sum, row) = line.split_once(' ')?;
    let digits = sum.len() == 16 && !row.is_empty();
    digits.then(|| u64::from_str_radix(sum, 16).ok()).flatten().map(|sum| (row, Entry::Frozen(Sum(sum))))
}

/// The file of a revision that is made now.
pub fn freeze(name: &str, suite: &[Scenario]) -> String {
    let sums = sums(suite);
    let mut rows: Vec<(&str, Sum)> =
        suite.iter().filter_map(|row| Some((row.name.as_str(), *sums.get(row.name.as_str())?))).collect();
    rows.sort_unstable_by_key(|(row, _)| *row);
    let mut text = format!(
        "# Revision {name} of the suite: its rows, each with a sum of its content (docs/revisions.md).\n\
         # Made by `portcullis revision freeze {name}`. A row of it never changes and never goes.\n"
    );
    for (row, sum) in rows {
        let _ = writeln!(text, "{sum} {row}");
    }
    text
}

/// The sums of rows by their names. Taken from the text, so that they outlive changes of the runner.
pub fn sums(suite: &[Scenario]) -> HashMap<String, Sum> {
    let mut by_file: HashMap<&str, HashMap<usize, Sum>> = HashMap::new();
    let mut found = HashMap::new();
    for row in suite {
        let places = by_file.entry(&row.file.name).or_insert_with(|| in_file(&row.file));
        if let Some(sum) = places.get(&row.place.offset) {
            found.insert(row.name.clone(), *sum);
        }
    }
    found
}

/// By where a row stands.
fn in_file(file: &Arc<SourceFile>) -> HashMap<usize, Sum> {
    let mut found = HashMap::new();
    let Ok(Some(root)) = yaml::parse(file) else { return found };
    let shared = without(&root, &["suite", "about", "scenarios"]);
    for scenario in root.get("scenarios").and_then(Node::as_list).unwrap_or_default() {
        let own = without(scenario, &["title", "note", "covers", "each"]);
        let sum = |row: Option<&Node>| {
            let row = row.map_or(Value::Null, Node::to_json);
            let mut hasher = Fnv::default();
            hasher.write(Value::from(vec![shared.clone(), own.clone(), row]).to_string().as_bytes());
            Sum(hasher.finish())
        };
        match scenario.get("each").and_then(Node::as_list) {
            None => drop(found.insert(scenario.place.offset, sum(None))),
            Some(rows) => found.extend(rows.iter().map(|row| (row.place.offset, sum(Some(row))))),
        }
    }
    found
}

fn without(node: &Node, keys: &[&str]) -> Value {
    let entries = node.as_map().unwrap_or_default().iter().filter(|entry| !keys.contains(&&*entry.key));
    Value::Object(entries.map(|entry| (entry.key.to_string(), entry.value.to_json())).collect())
}

#[cfg(test)]
mod tests;
