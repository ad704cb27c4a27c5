//! Tables: `${column}` in a scenario stands for the row's value.
//!
//! The template is scanned once (unknown placeholders, unused columns) and filled once a row. A text that is nothing but one
//! placeholder takes the cell's node, type and place included, so that a fault in a cell is reported at the cell.

use std::collections::HashSet;
use std::sync::Arc;

use super::reader::Reader;
use crate::problem::did_you_mean;
use crate::source::Place;
use crate::yaml::{Entry, Node, Yaml};

/// The columns of one row.
pub(super) struct Row<'n> {
    /// The row's label.
    pub(super) label: String,
    /// Where the row stands.
    pub(super) place: Place,
    cells: Vec<(&'n str, &'n Node)>,
}

/// A placeholder in a text: byte range and name.
struct Placeholder<'t> {
    start: usize,
    end: usize,
    name: &'t str,
}

/// `${name}` with a name of letters, digits and `_`; `$${` escapes. Other `${…}` are plain text, as a shell writes them.
fn placeholders(text: &str) -> Vec<Placeholder<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("${")).map(|at| at + from) {
        from = at + 2;
        if at > 0 && text.as_bytes().get(at - 1) == Some(&b'$') {
            continue;
        }
        let Some(name) = text.get(from..).and_then(|rest| rest.split_once('}')).map(|(name, _)| name) else { break };
        let mut letters = name.chars();
        let starts = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        if starts && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            found.push(Placeholder { start: at, end: from + name.len() + 1, name });
        }
    }
    found
}

/// Reads the rows under `each`.
pub(super) fn rows<'n>(reader: &Reader, each: &'n Node) -> Vec<Row<'n>> {
    let Some(items) = reader.list(each, "`each`") else { return Vec::new() };
    if items.is_empty() {
        reader.error(each.place, "`each` has no row", None);
    }
    let mut labels: HashSet<String> = HashSet::new();
    let mut rows: Vec<Row<'n>> = Vec::new();
    let mut columns: Option<HashSet<&str>> = None;
    for item in items {
        let Some(entries) = reader.entries(item, "a row of `each`") else { continue };
        let cells: Vec<(&str, &Node)> =
            entries.iter().filter(|entry| &*entry.key != "row").map(|entry| (&*entry.key, &entry.value)).collect();
        check_columns(reader, item, entries, &cells, &mut columns);
        let label = item.get("row").or(cells.first().map(|(_, node)| *node)).map(label_of).unwrap_or_default();
        let mut unique = label.clone();
        let mut count = 1;
        while !labels.insert(unique.clone()) {
            count += 1;
            unique = format!("{label} #{count}");
        }
        rows.push(Row { label: unique, place: item.place, cells });
    }
    rows
}

fn check_columns<'n>(
    reader: &Reader,
    item: &Node,
    entries: &'n [Entry],
    cells: &[(&'n str, &'n Node)],
    columns: &mut Option<HashSet<&'n str>>,
) {
    for entry in entries {
        let mut letters = entry.key.chars();
        let good = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !good {
            let message = format!("`{}` is no name of a column", entry.key);
            reader.error(entry.place, message, Some("use letters, digits and `_`".into()));
        }
        if words_taken(&entry.key) {
            reader.error(entry.place, format!("`{}` is the name of a place, not of a column", entry.key), None);
        }
    }
    let own: HashSet<&str> = cells.iter().map(|(name, _)| *name).collect();
    if own.is_empty() {
        reader.error(item.place, "the row has no column", None);
    }
    match columns {
        None => *columns = Some(own),
        Some(first) => {
            let mut missing: Vec<&str> = first.difference(&own).copied().collect();
            missing.sort_unstable();
            for name in missing {
                let help = "all rows have the same columns; write `null` for nothing".to_owned();
                reader.error(item.place, format!("the row lacks the column `{name}`"), Some(help));
            }
            for entry in entries.iter().filter(|entry| &*entry.key != "row" && !first.contains(&*entry.key)) {
                let message = format!("the first row has no column `{}`", entry.key);
                reader.error(entry.place, message, did_you_mean(&entry.key, first.iter().copied()));
            }
        }
    }
}

fn words_taken(name: &str) -> bool {
    [&crate::scenario::PLACES[..], &crate::scenario::WILD, &crate::scenario::EXCHANGE].concat().contains(&name)
}

/// A short one-line label of a cell.
fn label_of(node: &Node) -> String {
    let text = match node.scalar_text() {
        Some(text) => text.to_owned(),
        None => node.to_json().to_string(),
    };
    let mut label = String::new();
    for word in text.split_whitespace() {
        if !label.is_empty() {
            label.push(' ');
        }
        label.extend(word.chars().filter(|letter| !letter.is_control()));
    }
    if label.chars().count() > 80 {
        label = label.chars().take(79).collect();
        label.push('…');
    }
    label
}

/// Reports unknown placeholders in a template and notes the used columns.
pub(super) fn scan<'n>(reader: &Reader, node: &'n Node, columns: &[&str], used: &mut HashSet<&'n str>) {
    scan_in(reader, node, columns, used, false);
}

fn scan_in<'n>(reader: &Reader, node: &'n Node, columns: &[&str], used: &mut HashSet<&'n str>, expecting: bool) {
    match &node.yaml {
        Yaml::Scalar { text, .. } => scan_text(reader, text, node.place, columns, used, expecting),
        Yaml::List(items) => items.iter().for_each(|item| scan_in(reader, item, columns, used, expecting)),
        Yaml::Map(entries) => {
            for entry in entries {
                scan_text(reader, &entry.key, entry.place, columns, used, expecting);
                scan_in(reader, &entry.value, columns, used, expecting || &*entry.key == "expect");
            }
        }
    }
}

fn scan_text<'n>(reader: &Reader, text: &'n str, place: Place, columns: &[&str], used: &mut HashSet<&'n str>, expecting: bool) {
    for found in placeholders(text) {
        let name = found.name;
        if columns.contains(&name) {
            used.insert(name);
        } else if crate::scenario::WILD.contains(&name) {
            if !expecting {
                reader.error(place, format!("`${{{name}}}` has a meaning in expectations only"), None);
            }
        } else if !crate::scenario::PLACES.contains(&name) && !crate::scenario::EXCHANGE.contains(&name) {
            let known = columns.iter().copied().chain(crate::scenario::PLACES);
            let near = did_you_mean(name, known).unwrap_or_default();
            let help = format!("{near}{}write `$${{{name}}}` for the text itself", if near.is_empty() { "" } else { "; " });
            reader.error(place, format!("unknown placeholder `${{{name}}}`"), Some(help));
        }
    }
}

/// Reports columns that no placeholder names.
pub(super) fn report_unused(reader: &Reader, each: &Node, columns: &[&str], used: &HashSet<&str>) {
    for column in columns.iter().filter(|column| !used.contains(**column)) {
        let place = each
            .as_list()
            .and_then(<[Node]>::first)
            .and_then(Node::as_map)
            .and_then(|entries| entries.iter().find(|entry| &*entry.key == *column).map(|entry| entry.place));
        let help = format!("use `${{{column}}}` in the scenario, or name the column `row` if it is a label");
        reader.error(place.unwrap_or(each.place), format!("no step uses the column `{column}`"), Some(help));
    }
}

impl<'n> Row<'n> {
    /// Names of the columns.
    pub(super) fn columns(&self) -> Vec<&'n str> {
        self.cells.iter().map(|(name, _)| *name).collect()
    }

    fn cell(&self, name: &str) -> Option<&'n Node> {
        self.cells.iter().find(|(column, _)| *column == name).map(|(_, node)| *node)
    }

    /// The template with this row's values.
    pub(super) fn fill(&self, reader: &Reader, node: &Node) -> Node {
        let yaml = match &node.yaml {
            Yaml::Scalar { text, plain } => {
                if let Some(cell) = self.whole(text) {
                    return cell.clone();
                }
                match self.fill_text(reader, text, node.place) {
                    Some(filled) => Yaml::Scalar { text: filled, plain: false },
                    None => Yaml::Scalar { text: Arc::clone(text), plain: *plain },
                }
            }
            Yaml::List(items) => Yaml::List(items.iter().map(|item| self.fill(reader, item)).collect()),
            Yaml::Map(entries) => Yaml::Map(self.fill_map(reader, entries)),
        };
        Node { yaml, ..node.clone_place() }
    }

    fn fill_map(&self, reader: &Reader, entries: &[Entry]) -> Vec<Entry> {
        let mut seen = HashSet::new();
        let mut filled = Vec::with_capacity(entries.len());
        for entry in entries {
            let key = self.fill_text(reader, &entry.key, entry.place).unwrap_or_else(|| Arc::clone(&entry.key));
            if !seen.insert(Arc::clone(&key)) {
                reader.error(entry.place, format!("in row `{}` the key `{key}` stands here twice", self.label), None);
                continue;
            }
            filled.push(Entry { key, place: entry.place, value: self.fill(reader, &entry.value) });
        }
        filled
    }

    /// The cell, when the text is nothing but its placeholder.
    fn whole(&self, text: &str) -> Option<&'n Node> {
        let name = text.strip_prefix("${")?.strip_suffix('}')?;
        self.cell(name)
    }

    /// The text with its columns filled in; `None` when it has none.
    fn fill_text(&self, reader: &Reader, text: &str, place: Place) -> Option<Arc<str>> {
        let found: Vec<(Placeholder<'_>, &Node)> = placeholders(text)
            .into_iter()
            .filter_map(|placeholder| self.cell(placeholder.name).map(|cell| (placeholder, cell)))
            .collect();
        if found.is_empty() {
            return None;
        }
        let mut filled = String::new();
        let mut from = 0;
        for (placeholder, cell) in found {
            filled.push_str(text.get(from..placeholder.start).unwrap_or_default());
            match cell.scalar_text() {
                Some(value) => filled.push_str(value),
                None => {
                    let message = format!("`${{{}}}` inside a longer text must be a single value", placeholder.name);
                    reader.error(place, message, None);
                }
            }
            from = placeholder.end;
        }
        filled.push_str(text.get(from..).unwrap_or_default());
        Some(Arc::from(filled))
    }
}
