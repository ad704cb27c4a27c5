//! Path texts under construction: names pushed and popped behind a root, `.` and `..` taken textually (PATH-004).

use super::flavour::{Place, is_separator, separator};
use crate::host::Platform;

/// A normalised absolute path that names can be pushed onto and popped from. Never goes above its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathText {
    text: String,
    root: usize,
    separator: char,
}

impl PathText {
    /// The root itself. It must end with the separator.
    pub(crate) fn at_root(platform: Platform, root: String) -> Self {
        Self { root: root.len(), text: root, separator: separator(platform) }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Appends a plain name.
    pub(crate) fn push(&mut self, name: &str) {
        if self.text.len() > self.root {
            self.text.push(self.separator);
        }
        self.text.push_str(name);
    }

    /// Makes room for this much more text.
    pub(crate) fn reserve(&mut self, room: usize) {
        self.text.reserve(room);
    }

    /// Removes the last name; the root stays.
    pub(crate) fn pop(&mut self) {
        self.text.truncate(self.parent_len());
    }

    /// How long the text is without its last name.
    pub(crate) fn parent_len(&self) -> usize {
        self.text.rfind(self.separator).unwrap_or(self.root).max(self.root)
    }

    /// Goes back to an earlier length of the same text.
    pub(crate) fn truncate(&mut self, len: usize) {
        if len >= self.root {
            self.text.truncate(len);
        }
    }

    /// How many names stand behind the root.
    pub(crate) fn depth(&self) -> usize {
        match self.text.get(self.root..) {
            Some("") | None => 0,
            Some(names) => names.matches(self.separator).count() + 1,
        }
    }
}

/// The textual normal form of a place (PATH-004): `.`, `..` and repeated separators resolved, no separator at the end.
pub(crate) fn normalise(platform: Platform, place: &Place<'_>) -> PathText {
    let mut path = PathText::at_root(platform, place.root.clone());
    path.reserve(place.names.iter().map(|name| name.len() + 1).sum());
    for name in &place.names {
        match *name {
            "" | "." => {}
            ".." => path.pop(),
            name => path.push(name),
        }
    }
    path
}

/// A home form joined to the home directory (PATH-002, EXT-001): normalised, but a separator at the end stays.
pub(crate) fn join_home(platform: Platform, home: &str, rest: &str) -> String {
    let Some(place) = super::flavour::split_root(platform, home) else { return home.to_owned() };
    let (root, before) = place;
    let names = before.split(|c| is_separator(platform, c)).chain(rest.split(|c| is_separator(platform, c)));
    let mut path = normalise(platform, &Place { root, names: names.collect() }).into_string();
    let ends = rest.ends_with(|c| is_separator(platform, c)) && !rest.trim_matches(|c| is_separator(platform, c)).is_empty();
    if ends && !path.ends_with(separator(platform)) {
        path.push(separator(platform));
    }
    path
}
