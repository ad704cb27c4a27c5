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
    known: Vec<String>,
    unknown: bool,
}

impl Bases {
    pub(crate) fn of(base: Base) -> Self {
        Self(Rc::new(match base {
            Base::Known(path) => Set { known: vec![path], unknown: false },
            Base::Unknown => Set { known: Vec::new(), unknown: true },
        }))
    }

    pub(crate) fn unknown() -> Self {
        Self::of(Base::Unknown)
    }

    pub(crate) fn has_unknown(&self) -> bool {
        self.0.unknown
    }

    /// The known directories.
    pub(crate) fn known(&self) -> &[String] {
        &self.0.known
    }

    /// Whether this directory is a member.
    pub(crate) fn contains(&self, base: &Base) -> bool {
        match base {
            Base::Known(path) => self.0.known.contains(path),
            Base::Unknown => self.0.unknown,
        }
    }

    /// Every member, known ones first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Base> + '_ {
        let unknown = self.0.unknown.then_some(Base::Unknown);
        self.0.known.iter().cloned().map(Base::Known).chain(unknown)
    }

    /// Both sets together.
    pub(crate) fn union(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let mut known = self.0.known.clone();
        let mut unknown = self.0.unknown || other.0.unknown;
        for path in &other.0.known {
            if known.contains(path) {
                continue;
            }
            if known.len() >= MAX_KNOWN {
                unknown = true;
                break;
            }
            known.push(path.clone());
        }
        Self(Rc::new(Set { known, unknown }))
    }

    /// Every member changed in the same way.
    pub(crate) fn map(&self, mut change: impl FnMut(&Base) -> Base) -> Self {
        self.iter().map(|base| Self::of(change(&base))).reduce(|all, one| all.union(&one)).unwrap_or_else(Self::unknown)
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
    pub(crate) package: Base,
}

impl Outcome {
    /// A statement that changes nothing.
    pub(crate) fn same(bases: &Bases, package: &Base) -> Self {
        Self { success: bases.clone(), all: bases.clone(), package: package.clone() }
    }
}
