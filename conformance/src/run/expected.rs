//! Failures that somebody knows of and answers for. An entry that no longer tells the truth is a failure itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use similar::TextDiff;

use super::result::{RowResult, Verdict};
use crate::scenario::Scenario;
use crate::source::SourceFile;
use crate::yaml;

/// How a row is expected to go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// A wrong answer.
    Failed,
    /// No answer.
    Errored,
}

impl Kind {
    fn of(verdict: &Verdict) -> Option<Self> {
        match verdict {
            Verdict::Failed { .. } => Some(Self::Failed),
            Verdict::Errored { .. } => Some(Self::Errored),
            Verdict::Passed | Verdict::Skipped { .. } | Verdict::NotRun => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Errored => "errored",
        }
    }
}

/// One entry of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// A scenario (all its rows), or one row.
    pub id: String,
    /// How it ends.
    pub outcome: Kind,
    /// Why that is known and stands.
    pub reason: String,
    /// Where one reads more.
    pub link: String,
}

/// The file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    name: String,
    text: String,
    entries: Vec<(Entry, usize)>,
}

impl Expected {
    /// Reads a file, or says what is wrong with it, one fault a line.
    pub fn parse(file: &Arc<SourceFile>) -> Result<Self, Vec<String>> {
        let document = yaml::parse(file).map_err(|problem| vec![problem.to_string()])?;
        let mut expected = Self { name: file.name.clone(), text: file.text.clone(), entries: Vec::new() };
        let Some(document) = document.filter(|node| !node.is_null()) else { return Ok(expected) };
        let Some(nodes) = document.as_list() else { return Err(vec![format!("{}: is no list of entries", file.name)]) };
        let mut faults = Vec::new();
        for node in nodes {
            let line = node.place.line;
            match serde_json::from_value::<Entry>(node.to_json()) {
                Err(error) => faults.push(format!("{}:{line}: {error}", file.name)),
                Ok(entry) => {
                    faults.extend(expected.fault(&entry).map(|fault| format!("{}:{line}: {fault}", file.name)));
                    expected.entries.push((entry, line));
                }
            }
        }
        if faults.is_empty() { Ok(expected) } else { Err(faults) }
    }

    fn fault(&self, entry: &Entry) -> Option<String> {
        if let Some((_, line)) = self.entries.iter().find(|(known, _)| known.id == entry.id) {
            return Some(format!("`{}` stands in line {line} already", entry.id));
        }
        let empty = [("reason", &entry.reason), ("link", &entry.link)].into_iter().find(|(_, text)| text.trim().is_empty());
        empty.map(|(member, _)| format!("`{}` has no {member}: somebody has to answer for it", entry.id))
    }

    /// The entry for a row: its own before that of its scenario.
    fn entry(&self, name: &str, id: &str) -> Option<&(Entry, usize)> {
        let of = |wanted: &str| self.entries.iter().find(|(entry, _)| entry.id == wanted);
        of(name).or_else(|| of(id))
    }

    /// Whether the row ended as its entry says.
    pub fn expects(&self, result: &RowResult) -> bool {
        let entry = self.entry(&result.name, &result.id);
        entry.is_some_and(|(entry, _)| Kind::of(&result.verdict) == Some(entry.outcome))
    }

    /// Marks what ended as expected, and says which entries do not hold. `all` is what could be named, chosen or not.
    pub fn judge(&self, results: &mut [RowResult], all: &[Scenario]) -> Vec<String> {
        let names: BTreeMap<&str, &str> = all.iter().map(|row| (row.name.as_str(), row.id.as_str())).collect();
        let mut complaints = Vec::new();
        for (entry, line) in &self.entries {
            if !names.iter().any(|(name, id)| *name == entry.id || *id == entry.id) {
                complaints.push(format!("{}:{line}: `{}` names no scenario and no row", self.name, entry.id));
            }
        }
        for result in results {
            let Some((entry, line)) = self.entry(&result.name, &result.id) else { continue };
            if result.unscored.is_some() {
                continue;
            }
            match &result.verdict {
                Verdict::NotRun => {}
                verdict if Kind::of(verdict) == Some(entry.outcome) => result.expected = Some(entry.reason.clone()),
                verdict => complaints.push(format!(
                    "{}:{line}: `{}` {}, and was expected to be {}: {}",
                    self.name,
                    result.name,
                    if matches!(verdict, Verdict::Passed) { "passed" } else { verdict.word() },
                    entry.outcome.word(),
                    entry.reason,
                )),
            }
        }
        complaints
    }

    /// The file as the results want it, as a diff for `patch`; empty when it is right. Entries of rows that were not played stay. New
    /// ones have neither reason nor link: the file is refused until somebody has written them.
    pub fn proposal(&self, results: &[RowResult], all: &[Scenario]) -> String {
        let ids: BTreeMap<&str, &str> = all.iter().map(|row| (row.name.as_str(), row.id.as_str())).collect();
        let mut rows: BTreeMap<&str, Vec<&RowResult>> = BTreeMap::new();
        for result in results {
            rows.entry(&result.id).or_default().push(result);
        }
        let mut kept: Vec<Option<Entry>> = Vec::new();
        for (entry, _) in &self.entries {
            let named = results.iter().filter(|result| result.name == entry.id);
            // Rows with an entry of their own are not this one's concern.
            let own = |result: &RowResult| self.entries.iter().any(|(other, _)| other.id == result.name && other.id != entry.id);
            let of_scenario = rows.get(entry.id.as_str()).into_iter().flatten().copied().filter(|result| !own(result));
            let played: Vec<Option<Kind>> = named
                .chain(of_scenario)
                .filter(|result| result.verdict != Verdict::NotRun)
                .map(|result| Kind::of(&result.verdict))
                .collect();
            let exists = ids.iter().any(|(name, id)| *name == entry.id || *id == entry.id);
            kept.push(match played.split_first() {
                None if exists => Some(entry.clone()),
                Some((Some(kind), others)) if others.iter().all(|other| *other == Some(*kind)) => {
                    Some(Entry { outcome: *kind, ..entry.clone() })
                }
                _ => None,
            });
        }
        let covered = |result: &RowResult, id: &str| kept.iter().flatten().any(|entry| entry.id == result.name || entry.id == id);
        let mut text = self.with(&kept);
        let mut written: Vec<&str> = Vec::new();
        for result in results {
            let id = result.id.as_str();
            let Some(kind) = Kind::of(&result.verdict) else { continue };
            if covered(result, id) || written.contains(&id) {
                continue;
            }
            let group = rows.get(id).map(Vec::as_slice).unwrap_or_default();
            let whole = all.iter().filter(|row| row.id == id).count() == group.len()
                && group.iter().all(|other| Kind::of(&other.verdict) == Some(kind) && !covered(other, ""));
            let name = if whole { id } else { &result.name };
            if whole {
                written.push(id);
            }
            text.push_str(&block(&Entry { id: name.into(), outcome: kind, reason: String::new(), link: String::new() }));
        }
        if text == self.text {
            return String::new();
        }
        TextDiff::from_lines(&self.text, &text).unified_diff().context_radius(3).header(&self.name, &self.name).to_string()
    }

    /// The text with each entry kept, changed or struck; what stands around them stays when each begins a line of its own.
    fn with(&self, kept: &[Option<Entry>]) -> String {
        let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
        let starts: Vec<usize> =
            (0..lines.len()).filter(|line| lines.get(*line).is_some_and(|text| text.starts_with("- "))).collect();
        if starts.len() != kept.len() {
            return kept.iter().flatten().map(block).collect();
        }
        let head = starts.first().copied().unwrap_or(lines.len());
        let mut text: String = lines.iter().take(head).copied().collect();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        for (index, (entry, (old, _))) in kept.iter().zip(&self.entries).enumerate() {
            let from = starts.get(index).copied().unwrap_or_default();
            let to = starts.get(index + 1).copied().unwrap_or(lines.len());
            let own: Vec<&str> = lines.iter().take(to).skip(from).copied().collect();
            // Blank lines and remarks in front of the next entry are not this one's.
            let is_between = |line: &&&str| line.trim().is_empty() || line.starts_with('#');
            let body = own.len() - own.iter().rev().take_while(is_between).count();
            let (own, between) = own.split_at_checked(body).unwrap_or((&own, &[]));
            match entry {
                None => {}
                Some(entry) if entry == old => own.iter().for_each(|line| text.push_str(line)),
                Some(entry) => text.push_str(&block(entry)),
            }
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            between.iter().for_each(|line| text.push_str(line));
        }
        text
    }
}

fn block(entry: &Entry) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut text = String::new();
    let (id, outcome) = (quoted(&entry.id), entry.outcome.word());
    let (reason, link) = (quoted(&entry.reason), quoted(&entry.link));
    let _ = write!(text, "- id: {id}\n  outcome: {outcome}\n  reason: {reason}\n  link: {link}\n");
    text
}
