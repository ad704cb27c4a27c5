//! Saving the three settings of the settings command (CFG-036, POLICY-D04).
//!
//! The file is the user's: everything else in it stays as it is, comments included, and a file that does not validate is
//! not touched at all.

use std::fmt;

use serde_json::{Map, Value};

use super::config::validate;
use super::json::{Document, Node, NodeValue, parse_json, remove_comments};
use super::loader::{FileText, Look};
use crate::host::{FileStore, FileView};

/// What the settings command saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavedSettings {
    /// Write the debug log.
    pub debug_log: bool,
    /// Write the review log.
    pub permission_review_log: bool,
    /// The permissive mode.
    pub yolo_mode: bool,
}

impl SavedSettings {
    fn members(self) -> [(&'static str, bool); 3] {
        [("debugLog", self.debug_log), ("permissionReviewLog", self.permission_review_log), ("yoloMode", self.yolo_mode)]
    }
}

/// Why saving failed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveError {
    /// The kind, for decisions.
    pub kind: SaveErrorKind,
    /// The file.
    pub path: String,
    /// The cause, for people.
    pub cause: String,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SaveErrorKind {
    /// The file that is there cannot be read.
    Unreadable,
    /// The file that is there does not validate: saving would lose its policy (POLICY-D04).
    Invalid,
    /// The new file could not be written.
    Write,
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot save the settings to {}: {}", self.path, self.cause)
    }
}

impl std::error::Error for SaveError {}

/// Saves the three settings into the global file, which is replaced as one step.
///
/// A new file, and one without comments, is written as two-space JSON with a final newline; in one with comments only the
/// three values change (POLICY-D04).
pub fn save_settings(
    store: &dyn FileStore,
    files: &dyn FileView,
    path: &str,
    settings: SavedSettings,
    known_tools: &[String],
) -> Result<(), SaveError> {
    let error = |kind, cause: String| SaveError { kind, path: path.to_owned(), cause };
    let text = match Look::at(files, path) {
        Look::Missing => None,
        Look::Unreadable(fault) => return Err(error(SaveErrorKind::Unreadable, super::loader::describe(&fault))),
        Look::Stamped(_) | Look::Hashed(..) => match FileText::of(files, path) {
            FileText::Missing => None,
            FileText::Text(text) => Some(text),
            FileText::Unreadable(cause) => return Err(error(SaveErrorKind::Unreadable, cause)),
        },
    };
    let new = match text {
        None => pretty(fresh(settings)),
        Some(text) => rewrite(&text, settings, known_tools).map_err(|cause| error(SaveErrorKind::Invalid, cause))?,
    };
    let failed = |fault| error(SaveErrorKind::Write, super::loader::describe(&fault));
    if let Some(folder) = parent(path) {
        store.create_private_dir(folder).map_err(failed)?;
    }
    store.replace_private(path, new.as_bytes()).map_err(failed)
}

fn parent(path: &str) -> Option<&str> {
    let end = path.rfind(['/', '\\'])?;
    path.get(..end).filter(|folder| !folder.is_empty())
}

fn fresh(settings: SavedSettings) -> Map<String, Value> {
    settings.members().into_iter().map(|(name, value)| (name.to_owned(), Value::Bool(value))).collect()
}

fn pretty(members: Map<String, Value>) -> String {
    format!("{:#}\n", Value::Object(members))
}

/// The new text of an existing file; the error says why the old one is not touched.
fn rewrite(text: &str, settings: SavedSettings, known_tools: &[String]) -> Result<String, String> {
    let document = valid(text, known_tools)?;
    if remove_comments(text).cuts.is_empty() {
        let mut members = match to_value(&document.root) {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        members.extend(fresh(settings));
        return Ok(pretty(members));
    }
    let edited = edit(text, &document, settings);
    // The edit is text surgery; what it made must still be the same policy with the new values.
    let reread = valid(&edited, known_tools)?;
    let mut wanted = to_value(&document.root);
    if let Value::Object(members) = &mut wanted {
        members.extend(fresh(settings));
    }
    if to_value(&reread.root) == wanted { Ok(edited) } else { Err("its comments stand in the way; edit it by hand".to_owned()) }
}

fn valid(text: &str, known_tools: &[String]) -> Result<Document, String> {
    let refuse =
        |line: u32, message: &str| format!("the file that is there is not valid (line {line}: {message}); mend it first");
    let document = parse_json(text).map_err(|fault| refuse(fault.at.line, &fault.message))?;
    let (findings, _) = validate(&document, known_tools);
    match findings.into_iter().find(|finding| finding.kind.breaks_file()) {
        Some(finding) => Err(refuse(finding.at.map_or(1, |at| at.line), &finding.message)),
        None => Ok(document),
    }
}

/// Replaces the values in place and adds missing members before the closing brace.
fn edit(text: &str, document: &Document, settings: SavedSettings) -> String {
    let members = document.root.members().unwrap_or_default();
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    let mut missing = Vec::new();
    for (name, value) in settings.members() {
        match document.root.get(name) {
            Some(node) => edits.push((node.span.start, node.span.end, value.to_string())),
            None => missing.push(format!("  \"{name}\": {value}")),
        }
    }
    let brace = document.root.span.end.saturating_sub(1);
    if !missing.is_empty() {
        if let Some(last) = members.last() {
            edits.push((last.value.span.end, last.value.span.end, ",".to_owned()));
        }
        let own_line = text.get(..brace).is_some_and(|before| before.ends_with('\n'));
        let lead = if own_line { "" } else { "\n" };
        edits.push((brace, brace, format!("{lead}{}\n", missing.join(",\n"))));
    }
    edits.sort_by_key(|(start, end, _)| (*start, *end));
    let mut out = String::with_capacity(text.len() + 96);
    let mut done = 0;
    for (start, end, with) in edits {
        out.push_str(text.get(done..start).unwrap_or_default());
        out.push_str(&with);
        done = end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// The node as JSON. The depth of a document is bounded by its parser.
fn to_value(node: &Node) -> Value {
    match &node.value {
        NodeValue::Null | NodeValue::Unsupported(_) => Value::Null,
        NodeValue::Bool(value) => Value::Bool(*value),
        NodeValue::Number(value) => number(*value),
        NodeValue::String(text) => Value::String(text.clone()),
        NodeValue::Array(items) => Value::Array(items.iter().map(to_value).collect()),
        NodeValue::Object(members) => {
            Value::Object(members.iter().map(|member| (member.key.clone(), to_value(&member.value))).collect())
        }
    }
}

/// Whole numbers are written without a fraction, as ECMAScript does.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_991.0 { Value::from(value as i64) } else { Value::from(value) }
}

#[cfg(test)]
mod tests;
