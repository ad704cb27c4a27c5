//! Reading nodes as what they should be, collecting every fault on the way.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::problem::{Problem, did_you_mean};
use crate::source::{Place, SourceFile};
use crate::yaml::{Entry, Node};

/// Faults beyond this many are not reported: they are rarely news.
const MAX_PROBLEMS: usize = 100;

/// Reads nodes of one file. A read that fails leaves a problem and gives `None`.
pub(super) struct Reader {
    pub(super) file: Arc<SourceFile>,
    problems: RefCell<Vec<Problem>>,
    seen: RefCell<HashSet<(Place, String)>>,
}

/// A map whose keys were checked against the known ones.
#[derive(Clone, Copy)]
pub(super) struct Fields<'n> {
    pub(super) node: &'n Node,
    entries: &'n [Entry],
}

impl<'n> Fields<'n> {
    pub(super) fn get(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|entry| &*entry.key == key).map(|entry| &entry.value)
    }

    pub(super) fn key_place(&self, key: &str) -> Place {
        self.entries.iter().find(|entry| &*entry.key == key).map_or(self.node.place, |entry| entry.place)
    }
}

impl Reader {
    pub(super) fn new(file: &Arc<SourceFile>) -> Self {
        Self { file: Arc::clone(file), problems: RefCell::default(), seen: RefCell::default() }
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems.into_inner()
    }

    /// Rows of a table share their template: the same fault at the same place is one fault.
    pub(super) fn error(&self, place: Place, message: impl Into<String>, help: Option<String>) {
        self.complain(place, message.into(), help, false);
    }

    /// A fault that keeps nobody from playing the scenario.
    pub(super) fn objection(&self, place: Place, message: impl Into<String>, help: Option<String>) {
        self.complain(place, message.into(), help, true);
    }

    fn complain(&self, place: Place, message: String, help: Option<String>, objection: bool) {
        let mut problems = self.problems.borrow_mut();
        if problems.len() < MAX_PROBLEMS && self.seen.borrow_mut().insert((place, message.clone())) {
            problems.push(Problem { file: Arc::clone(&self.file), place, message, help, objection });
        }
    }

    fn wrong(&self, node: &Node, what: &str, wanted: &str) {
        let help = (wanted == "a text" && node.scalar_text().is_some()).then(|| "put it in quotes to make it a text".to_owned());
        self.error(node.place, format!("{what} must be {wanted}, this is {}", node.describe()), help);
    }

    pub(super) fn fields<'n>(&self, node: &'n Node, what: &str, known: &[&str]) -> Option<Fields<'n>> {
        let entries = self.entries(node, what)?;
        for entry in entries {
            if !known.contains(&&*entry.key) {
                let message = format!("{what} knows no key `{}`", entry.key);
                self.error(entry.place, message, did_you_mean(&entry.key, known.iter().copied()));
            }
        }
        Some(Fields { node, entries })
    }

    pub(super) fn entries<'n>(&self, node: &'n Node, what: &str) -> Option<&'n [Entry]> {
        let entries = node.as_map();
        if entries.is_none() {
            self.wrong(node, what, "a map");
        }
        entries
    }

    pub(super) fn text(&self, node: &Node, what: &str) -> Option<String> {
        let text = node.as_text();
        if text.is_none() {
            self.wrong(node, what, "a text");
        }
        text.map(str::to_owned)
    }

    /// A text that is not blank.
    pub(super) fn name(&self, node: &Node, what: &str) -> Option<String> {
        let text = self.text(node, what)?;
        if text.trim().is_empty() {
            self.error(node.place, format!("{what} must not be blank"), None);
            return None;
        }
        Some(text)
    }

    /// `null` or a text: the inner `None` is null.
    #[expect(clippy::option_option, reason = "absent, null and a text are three things")]
    pub(super) fn text_or_null(&self, node: &Node, what: &str) -> Option<Option<String>> {
        if node.is_null() { Some(None) } else { self.text(node, what).map(Some) }
    }

    /// One word of a closed list.
    pub(super) fn word(&self, node: &Node, what: &str, known: &[&str]) -> Option<String> {
        let text = self.text(node, what)?;
        if !known.contains(&text.as_str()) {
            let help = did_you_mean(&text, known.iter().copied());
            self.error(node.place, format!("{what} cannot be `{text}`"), help);
            return None;
        }
        Some(text)
    }

    pub(super) fn flag(&self, node: &Node, what: &str) -> Option<bool> {
        let flag = node.to_json().as_bool();
        if flag.is_none() {
            self.wrong(node, what, "true or false");
        }
        flag
    }

    pub(super) fn list<'n>(&self, node: &'n Node, what: &str) -> Option<&'n [Node]> {
        let list = node.as_list();
        if list.is_none() {
            self.wrong(node, what, "a list");
        }
        list
    }

    pub(super) fn texts(&self, node: &Node, what: &str) -> Option<Vec<String>> {
        let items = self.list(node, what)?;
        Some(items.iter().filter_map(|item| self.text(item, &format!("an item of {what}"))).collect())
    }

    /// One text or a list of texts.
    pub(super) fn text_or_texts(&self, node: &Node, what: &str) -> Option<Vec<String>> {
        if node.as_list().is_some() { self.texts(node, what) } else { self.text(node, what).map(|text| vec![text]) }
    }

    pub(super) fn object(&self, node: &Node, what: &str) -> Option<Map<String, Value>> {
        self.entries(node, what)?;
        match node.to_json() {
            Value::Object(map) => Some(map),
            _ => None,
        }
    }
}
