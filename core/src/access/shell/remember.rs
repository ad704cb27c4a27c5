//! A resolver that asks the file system once a word: one analysis meets the same words again and again.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::access::path::{AccessPath, Base, WordResolver};
use crate::host::Platform;

/// A word, and the directory if it is known.
type Asked = (String, Option<String>);

/// Remembers what another resolver said. Lives for one analysis.
pub(crate) struct Remembering<'a> {
    inner: &'a dyn WordResolver,
    known: RefCell<HashMap<Asked, Option<AccessPath>>>,
}

impl<'a> Remembering<'a> {
    pub(crate) fn new(inner: &'a dyn WordResolver) -> Self {
        Self { inner, known: RefCell::default() }
    }
}

impl WordResolver for Remembering<'_> {
    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    fn platform(&self) -> Platform {
        self.inner.platform()
    }

    fn resolve_word(&self, word: &str, base: &Base) -> Option<AccessPath> {
        let dir = match base {
            Base::Known(dir) => Some(dir.clone()),
            Base::Unknown => None,
        };
        let key = (word.to_owned(), dir);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = self.inner.resolve_word(word, base);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn exact_word(&self, word: &str, base: &Base) -> Option<AccessPath> {
        self.inner.exact_word(word, base)
    }

    fn fold_directory(&self, word: &str, base: &Base) -> Base {
        self.inner.fold_directory(word, base)
    }
}
