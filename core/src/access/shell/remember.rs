//! What one analysis knows of the world: the caller's views, asked once a word. An analysis meets the same words again and
//! again, and each costs the file system a look.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;

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
    /// The views for a command of this length.
    pub(crate) fn new(facts: &ShellFacts<'a>, command: usize) -> Self {
        Self {
            resolver: Remembering {
                inner: facts.resolver,
                directories: RefCell::default(),
                room: Cell::new(Some(room(command))),
            },
            is_promotable: facts.is_promotable,
            could_hit_absolute: facts.could_hit_absolute,
            out_of_time: facts.out_of_time,
        }
    }
}

/// What is known of one word under one directory.
#[derive(Default)]
struct Known {
    path: Option<Option<Rc<AccessPath>>>,
    /// Whether it names nothing there.
    nothing: Option<bool>,
}

/// What is known of the words under one directory.
struct Directory {
    /// The unknown one has no name.
    name: String,
    /// Whether no link leads to it.
    straight: Option<bool>,
    words: HashMap<String, Known>,
}

/// Directories in the order in which they were met.
#[derive(Default)]
struct Directories {
    all: Vec<Directory>,
    places: HashMap<String, usize>,
    /// The one that was asked about last: most words of a command stand in the same.
    last: usize,
}

impl Directories {
    /// The directory of this name.
    fn at(&mut self, name: &str) -> Option<&mut Directory> {
        if self.all.get(self.last).is_none_or(|directory| directory.name != name) {
            self.last = match self.places.get(name) {
                Some(place) => *place,
                None => {
                    self.places.insert(name.to_owned(), self.all.len());
                    self.all.push(Directory { name: name.to_owned(), straight: None, words: HashMap::default() });
                    self.all.len() - 1
                }
            };
        }
        self.all.get_mut(self.last)
    }
}

impl Directory {
    fn word(&mut self, word: &str) -> &mut Known {
        self.words.entry_ref(word).or_default()
    }
}

/// Remembers what a resolver said. Lives for one analysis.
pub(crate) struct Remembering<'a> {
    inner: &'a dyn WordResolver,
    directories: RefCell<Directories>,
    /// How many bytes of path texts may still be made; nothing when that was too little.
    room: Cell<Option<usize>>,
}

/// Bytes of path texts that a command of this length may cost. A directory may be as long as the system allows, and each word
/// below it carries it several times: a short command would fill the memory.
fn room(command: usize) -> usize {
    (4 << 20) + command.saturating_mul(64)
}

fn bytes(path: &AccessPath) -> usize {
    let further = path.further.iter().map(|(text, _)| text.len());
    let texts = path.values.iter().chain(&path.assumed).chain(&path.relative).map(String::len);
    path.typed.len() + path.lexical.len() + path.canonical.len() + texts.chain(further).sum::<usize>()
}

impl Remembering<'_> {
    pub(crate) fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    pub(crate) fn platform(&self) -> Platform {
        self.inner.platform()
    }

    /// The home directory.
    pub(crate) fn home(&self) -> Option<String> {
        self.inner.home_directory()
    }

    /// Where a word leads from a base (EXT-001).
    pub(crate) fn resolve(&self, word: &str, base: &Base) -> Option<Rc<AccessPath>> {
        let name = match base {
            Base::Known(name) => name.as_str(),
            Base::Unknown => "",
        };
        let mut directories = self.directories.borrow_mut();
        let known = directories.at(name)?.word(word);
        known.path.get_or_insert_with(|| self.within_room(|| self.inner.resolve_word(word, base))).clone()
    }

    /// What had no room is not there, and the whole call asks.
    fn within_room(&self, make: impl FnOnce() -> Option<AccessPath>) -> Option<Rc<AccessPath>> {
        let room = self.room.get()?;
        let path = make()?;
        self.room.set(room.checked_sub(bytes(&path)));
        Some(Rc::new(path))
    }

    /// Whether there were more path texts than a command of this length may cost.
    pub(crate) fn is_full(&self) -> bool {
        self.room.get().is_none()
    }

    /// Whether a bare word names nothing from this base, for sure: no entry, and no place that is guarded. Cheaper than its
    /// path; most words of a command are of this kind.
    pub(crate) fn names_nothing(&self, word: &str, base: &Base) -> bool {
        let Base::Known(name) = base else { return false };
        let mut directories = self.directories.borrow_mut();
        let Some(directory) = directories.at(name) else { return false };
        if !*directory.straight.get_or_insert_with(|| self.inner.is_straight(name)) {
            return false;
        }
        *directory.word(word).nothing.get_or_insert_with(|| self.inner.names_nothing(word, name))
    }

    /// The file of that very name, where cleaning would have changed it (HARD-027).
    pub(crate) fn exact(&self, word: &str, base: &Base) -> Option<Rc<AccessPath>> {
        self.within_room(|| self.inner.exact_word(word, base))
    }

    /// Where `cd word` leads from a base.
    pub(crate) fn fold(&self, word: &str, base: &Base) -> Base {
        self.inner.fold_directory(word, base)
    }
}
