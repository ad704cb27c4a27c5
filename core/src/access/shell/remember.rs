//! What one analysis knows of the world: the caller's views, asked once a word. An analysis meets the same words again and
//! again, and each costs the file system a look.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::facts::ShellFacts;
use crate::access::path::{AccessPath, Base, WordResolver};
use crate::host::Platform;

/// The views of [`ShellFacts`], the resolver with a memory.
pub(crate) struct Facts<'a> {
    pub(crate) resolver: Remembering<'a>,
    pub(crate) is_promotable: &'a dyn Fn(&str) -> bool,
    pub(crate) could_hit_absolute: &'a dyn Fn(&str) -> bool,
    pub(crate) out_of_time: &'a dyn Fn() -> bool,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(facts: &ShellFacts<'a>) -> Self {
        Self {
            resolver: Remembering { inner: facts.resolver, known: RefCell::default(), nothing: RefCell::default() },
            is_promotable: facts.is_promotable,
            could_hit_absolute: facts.could_hit_absolute,
            out_of_time: facts.out_of_time,
        }
    }
}

/// The paths of the words under one base.
type Words = HashMap<String, Option<Rc<AccessPath>>>;

/// Remembers what a resolver said. Lives for one analysis.
pub(crate) struct Remembering<'a> {
    inner: &'a dyn WordResolver,
    /// By directory; the unknown one has no name.
    known: RefCell<HashMap<String, Words>>,
    /// Whether bare words name nothing, by directory; nothing about one to which a link leads.
    nothing: RefCell<HashMap<String, Option<HashMap<String, bool>>>>,
}

impl Remembering<'_> {
    pub(crate) fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    pub(crate) fn platform(&self) -> Platform {
        self.inner.platform()
    }

    /// Where a word leads from a base (EXT-001).
    pub(crate) fn resolve(&self, word: &str, base: &Base) -> Option<Rc<AccessPath>> {
        let dir = match base {
            Base::Known(dir) => dir.as_str(),
            Base::Unknown => "",
        };
        if let Some(known) = self.known.borrow().get(dir).and_then(|words| words.get(word)) {
            return known.clone();
        }
        let found = self.inner.resolve_word(word, base).map(Rc::new);
        let mut known = self.known.borrow_mut();
        match known.get_mut(dir) {
            Some(words) => words.insert(word.to_owned(), found.clone()),
            None => known.entry(dir.to_owned()).or_default().insert(word.to_owned(), found.clone()),
        };
        found
    }

    /// Whether a bare word names nothing from this base, for sure: no entry, and no place that is guarded. Cheaper than its
    /// path; most words of a command are of this kind.
    pub(crate) fn names_nothing(&self, word: &str, base: &Base) -> bool {
        let Base::Known(dir) = base else { return false };
        let mut known = self.nothing.borrow_mut();
        if !known.contains_key(dir) {
            known.insert(dir.to_owned(), self.inner.is_straight(dir).then(HashMap::new));
        }
        let Some(Some(words)) = known.get_mut(dir) else { return false };
        match words.get(word) {
            Some(found) => *found,
            None => {
                let found = self.inner.names_nothing(word, dir);
                words.insert(word.to_owned(), found);
                found
            }
        }
    }

    /// The file of that very name, where cleaning would have changed it (HARD-027).
    pub(crate) fn exact(&self, word: &str, base: &Base) -> Option<Rc<AccessPath>> {
        self.inner.exact_word(word, base).map(Rc::new)
    }

    /// Where `cd word` leads from a base.
    pub(crate) fn fold(&self, word: &str, base: &Base) -> Base {
        self.inner.fold_directory(word, base)
    }
}
