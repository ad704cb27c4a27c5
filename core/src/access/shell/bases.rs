//! The directories that may be in force at a word (RES-52): known ones, and whether there may be one that nobody can tell.

use std::rc::Rc;

use crate::access::path::Base;

/// More known directories than this and the rest is unknown.
const MAX_KNOWN: usize = 4;

/// A set of possible working directories, in the order in which they were found. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bases(Rc<Set>);

#[derive(Debug, PartialEq, Eq)]
struct Set {
    /// Known ones first; an unknown one, if there is one, last.
    all: Vec<Base>,
}

impl Bases {
    pub(crate) fn of(base: Base) -> Self {
        Self(Rc::new(Set { all: vec![base] }))
    }

    pub(crate) fn unknown() -> Self {
        Self::of(Base::Unknown)
    }

    pub(crate) fn has_unknown(&self) -> bool {
        self.0.all.last() == Some(&Base::Unknown)
    }

    /// The known directories.
    pub(crate) fn known(&self) -> impl Iterator<Item = &Base> {
        self.0.all.iter().filter(|base| **base != Base::Unknown)
    }

    /// Whether this directory is a member.
    pub(crate) fn contains(&self, base: &Base) -> bool {
        self.0.all.contains(base)
    }

    /// Every member, known ones first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Base> {
        self.0.all.iter()
    }

    /// Both sets together.
    pub(crate) fn union(&self, other: &Self) -> Self {
        if Rc::ptr_eq(&self.0, &other.0) || self == other {
            return self.clone();
        }
        let mut all: Vec<Base> = self.known().cloned().collect();
        let mut unknown = self.has_unknown() || other.has_unknown();
        for base in other.known() {
            if all.contains(base) {
                continue;
            }
            if all.len() >= MAX_KNOWN {
                unknown = true;
                break;
            }
            all.push(base.clone());
        }
        all.extend(unknown.then_some(Base::Unknown));
        Self(Rc::new(Set { all }))
    }

    /// Every member changed in the same way.
    pub(crate) fn map(&self, mut change: impl FnMut(&Base) -> Base) -> Self {
        self.iter().map(|base| Self::of(change(base))).reduce(|all, one| all.union(&one)).unwrap_or_else(Self::unknown)
    }
}

/// Where a statement may leave the shell.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// After success: what `&&` goes on with.
    pub(crate) success: Bases,
    /// After success or failure: what `;`, `||` and a line break go on with.
    pub(crate) all: Bases,
    /// The directory that the package would go on with (CWD).
    pub(crate) package: Rc<Base>,
}

impl Outcome {
    /// A statement that changes nothing.
    pub(crate) fn same(bases: &Bases, package: &Rc<Base>) -> Self {
        Self { success: bases.clone(), all: bases.clone(), package: Rc::clone(package) }
    }
}
