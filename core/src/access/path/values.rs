//! Assembles an [`AccessPath`] from the readings of one place: the main form, the further spellings, and on which side of the
//! session directory it lies (PATH-012, PATH-020, PATH-021, RES-14, RES-20). Every decision about values is made here.

use std::borrow::Cow;

use super::access_path::AccessPath;
use super::containment::{below_normalised, is_safe_system_path};
use super::flavour::{ends_with_separator, fold};
use super::resolve_links::{Reality, Standing};
use crate::host::Platform;

/// The session directory in comparable form.
pub(crate) struct SessionDirectory<'a> {
    pub(crate) platform: Platform,
    /// Lexical, folded.
    pub(crate) lexical: &'a str,
    /// After links, folded.
    pub(crate) canonical: &'a str,
}

/// The texts of one path.
pub(crate) struct Spelled<'a> {
    /// As the caller wrote it, trimmed.
    pub(crate) typed: &'a str,
    /// As decoded or cleaned: what the package lists beside the resolved values.
    pub(crate) cleaned: &'a str,
    /// The requirement that a `..` behind a link names: BASH-D18 for shell words, GATES-D07 elsewhere.
    pub(crate) by_parent: &'static str,
}

/// Collects further spellings: distinct, not empty, none that the main form has.
pub(crate) struct Further<'a> {
    values: &'a [String],
    list: Vec<(String, &'static str)>,
}

impl<'a> Further<'a> {
    pub(crate) fn new(values: &'a [String], list: Vec<(String, &'static str)>) -> Self {
        Self { values, list }
    }

    pub(crate) fn push<'t>(&mut self, text: impl Into<Cow<'t, str>>, requirement: &'static str) {
        let text = text.into();
        let known = self.values.iter().any(|value| **value == *text) || self.list.iter().any(|(listed, _)| **listed == *text);
        if !text.is_empty() && !known {
            self.list.push((text.into_owned(), requirement));
        }
    }

    pub(crate) fn into_list(self) -> Vec<(String, &'static str)> {
        self.list
    }
}

impl SessionDirectory<'_> {
    /// The path relative to the session directory, when strictly inside it.
    pub(crate) fn relative(&self, lexical: &str) -> Option<String> {
        self.below(lexical).map(str::to_owned)
    }

    fn below<'p>(&self, lexical: &'p str) -> Option<&'p str> {
        below_normalised(self.platform, lexical, self.lexical).filter(|_| !self.lexical.is_empty())
    }

    /// PATH-012 for one reading, the standard streams by their name first (RES-53).
    fn is_outside(&self, lexical: &str, canonical: &str) -> bool {
        if self.canonical.is_empty() || is_safe_system_path(lexical) || is_safe_system_path(canonical) {
            return false;
        }
        canonical != self.canonical && below_normalised(self.platform, canonical, self.canonical).is_none()
    }

    /// The path that these readings name. Protection and folded spellings are added by the caller.
    pub(crate) fn path(&self, spelled: &Spelled<'_>, reality: &Reality) -> AccessPath {
        let folded = |text| fold(self.platform, text);
        let lexical = folded(&reality.plain);
        let canonical = folded(reality.canonical());
        let textual = folded(reality.textual());
        let package = folded(reality.package());
        let relative = self.relative(&lexical);
        let crossed = lexical != textual;

        let mut values = Vec::with_capacity(2);
        if spelled.cleaned == "*" {
            push_distinct(&mut values, "*");
        } else {
            push_distinct(&mut values, &lexical);
            relative.iter().for_each(|relative| push_distinct(&mut values, relative));
        }
        push_distinct(&mut values, &canonical);

        let mut further = Further::new(&values, Vec::new());
        further.push(spelled.cleaned, "POLICY-D08");
        further.push(spelled.typed, "POLICY-D08");
        let by_link = if crossed { spelled.by_parent } else { "GATES-D08" };
        further.push(textual.as_ref(), by_link);
        further.push(self.below(&textual).unwrap_or_default(), by_link);
        further.push(package.as_ref(), by_link);
        if spelled.cleaned != "*" {
            // A rule may name the file by its own place inside the session directory.
            let inside = below_normalised(self.platform, &canonical, self.canonical).unwrap_or_default();
            further.push(inside, "HARD-024");
        }
        let further = further.into_list();

        let package_outside = self.is_outside(&textual, &package);
        let outside = package_outside || self.is_outside(&lexical, &canonical);
        AccessPath {
            typed: spelled.typed.to_owned(),
            relative,
            outside,
            outside_by: (outside && !package_outside).then_some(by_link),
            unknown_place: false,
            is_directory: reality.standing == Standing::Directory || ends_with_separator(self.platform, spelled.cleaned),
            exists: reality.is_entry,
            protected: None,
            assumed: Vec::new(),
            lexical: lexical.into_owned(),
            canonical: canonical.into_owned(),
            values,
            further,
        }
    }
}

fn push_distinct(values: &mut Vec<String>, value: &str) {
    if !values.iter().any(|known| known == value) {
        values.push(value.to_owned());
    }
}

impl AccessPath {
    /// A path that only has its text (PATH-021, PATH-023): nothing is known about where it leads, so it counts as outside.
    pub fn literal(typed: &str, text: &str) -> Self {
        let values = vec![text.to_owned()];
        let mut further = Further::new(&values, Vec::new());
        further.push(typed, "POLICY-D08");
        let further = further.into_list();
        Self {
            typed: typed.to_owned(),
            lexical: text.to_owned(),
            relative: None,
            canonical: String::new(),
            values,
            further,
            assumed: Vec::new(),
            outside: true,
            outside_by: None,
            unknown_place: false,
            is_directory: text.ends_with('/'),
            exists: false,
            protected: None,
        }
    }

    /// A path whose directory nobody can tell (RES-51, HARD-018, HARD-023).
    ///
    /// ```
    /// use portcullis_core::access::path::AccessPath;
    ///
    /// let path = AccessPath::of_unknown_place("../x", "../x");
    /// assert!(path.outside && path.unknown_place);
    /// assert_eq!(path.values, ["../x"]);
    /// ```
    pub fn of_unknown_place(typed: &str, text: &str) -> Self {
        Self { unknown_place: true, ..Self::literal(typed, text) }
    }

    /// A standard stream of Git Bash (EXT-011): all its values are the text itself.
    pub(crate) fn device(typed: &str, text: &str) -> Self {
        Self { canonical: text.to_owned(), outside: false, exists: true, ..Self::literal(typed, text) }
    }
}
