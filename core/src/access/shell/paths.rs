//! The path words of a command: which words touch the file system, from which directories, and by which requirement we say so.
//!
//! Every word that the package would list is listed as the package reads it (TOK, EXT); readings that only we have come beside
//! it (HARD-014 to HARD-023, RES-50). So a word more can never make an answer milder. Nothing here knows a rule but through the
//! two callbacks of [`ShellFacts`](super::ShellFacts).
//!
//! This file keeps the list. How one word is read stands in `paths/reading.rs`, how a reading becomes a path in
//! `paths/resolving.rs`, what text alone says of a word in `paths/values.rs`.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use hashbrown::HashMap;

use super::bases::Bases;
use super::program::{CandidateKind, PathWord};
use super::rebound::Rebound;
use super::remember::Facts;
use super::walk::Ctx;
use crate::access::path::{AccessPath, Base};
use crate::policy::{Direction, Floor};

mod reading;
mod resolving;
mod values;

/// Path words for which there is room from the start.
const MAX_ROOM: usize = 2_000;

/// What stands around the words of one statement.
#[derive(Clone, Copy)]
pub(crate) struct PathScene<'a> {
    pub(crate) facts: &'a Facts<'a>,
    pub(crate) rebound: &'a Rebound,
    pub(crate) bases: &'a Bases,
    /// The directory that the package takes to be in force.
    pub(crate) package: &'a Base,
    /// The requirement by which words here are seen at all, when the package would not see them.
    pub(crate) hidden_by: Option<&'static str>,
    pub(crate) direction: Direction,
    /// The command is proven to only read its operands (RES-24).
    pub(crate) reads: bool,
    /// Bare words under an unknown base do not meet the boundary: the command is of the reader core (HARD-023).
    pub(crate) quiet: bool,
    /// The word stands behind `--`: a dash in front of it makes no option of it.
    pub(crate) no_option: bool,
}

impl<'a> PathScene<'a> {
    /// The scene of a statement whose words the package does not look at.
    pub(crate) fn of(
        facts: &'a Facts<'a>,
        rebound: &'a Rebound,
        (bases, package): (&'a Bases, &'a Base),
        ctx: &Ctx,
        by: &'static str,
    ) -> Self {
        Self {
            facts,
            rebound,
            bases,
            hidden_by: ctx.path_by.or(Some(by)),
            direction: Direction::Both,
            package,
            reads: false,
            quiet: true,
            no_option: false,
        }
    }
}

/// A word that names a path, as it is found.
struct Candidate<'t> {
    token: &'t str,
    /// Shown as the path's typed text too; else that is the resolver's.
    typed: bool,
    kind: CandidateKind,
    boundary: bool,
    rule_candidate: bool,
    boundary_by: Option<&'static str>,
    candidate_by: Option<&'static str>,
    floors: Vec<Floor>,
    path: Rc<AccessPath>,
}

/// A path word in the list. Its path is shared with the resolver's memory until the analysis is over.
#[derive(Debug)]
struct Listed {
    token: String,
    typed: bool,
    kind: CandidateKind,
    boundary: bool,
    rule_candidate: bool,
    proven_read: bool,
    direction: Direction,
    boundary_by: Option<&'static str>,
    candidate_by: Option<&'static str>,
    floors: Vec<Floor>,
    path: Rc<AccessPath>,
    /// Where it stands in the command.
    place: usize,
}

/// What makes two path words one (EXT-009): the values.
#[derive(Debug)]
struct Values(Rc<AccessPath>);

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.0.unknown_place == other.0.unknown_place && self.0.values == other.0.values
    }
}

impl Eq for Values {}

impl Hash for Values {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The rest nearly always follows from the first.
        self.0.values.first().hash(state);
    }
}

/// The path words found so far.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    words: Vec<Listed>,
    /// Where the word stands that is looked at.
    place: usize,
    index: HashMap<Values, usize>,
    /// The same by the resolver's own value: most words are met more than once.
    met: HashMap<*const AccessPath, usize>,
    home: Option<Rc<str>>,
    lookups: usize,
}

impl Paths {
    /// For a command of this length.
    pub(crate) fn new(home: Option<Rc<str>>, command: usize) -> Self {
        // A path for seventy bytes is usual.
        Self { home, words: Vec::with_capacity((command / 70).min(MAX_ROOM)), ..Self::default() }
    }

    /// The words in the order of the text, directions of one path folded (HARD-037).
    pub(crate) fn finish(self) -> Vec<PathWord> {
        let Self { mut words, index, met, .. } = self;
        // The paths are not shared any more.
        drop((index, met));
        let mut directions: HashMap<&str, Direction> = HashMap::with_capacity(words.len());
        for word in &words {
            directions
                .entry(word.path.lexical.as_str())
                .and_modify(|known| {
                    if *known != word.direction {
                        *known = Direction::Both;
                    }
                })
                .or_insert(word.direction);
        }
        let folded: Vec<Option<Direction>> =
            words.iter().map(|word| directions.get(word.path.lexical.as_str()).copied()).collect();
        drop(directions);
        for (word, direction) in words.iter_mut().zip(folded) {
            word.direction = direction.unwrap_or(word.direction);
        }
        // The walk looks at redirections first and at hosted executions last; the list follows the text (TOK-001).
        words.sort_by_key(|word| word.place);
        words.into_iter().map(Listed::into_word).collect()
    }

    /// The next word stands here.
    pub(crate) fn at(&mut self, place: usize) -> &mut Self {
        // Nothing stands before the workdir (CWD-021).
        self.place = place.saturating_add(1);
        self
    }

    /// CWD-021: the working directory of an aliased tool meets the boundary and no `path` rule.
    pub(crate) fn workdir(&mut self, facts: &Facts<'_>, workdir: &str) {
        let base = Base::Known(facts.resolver.cwd().to_owned());
        if let Some(path) = facts.resolver.resolve(workdir, &base).filter(|path| path.outside) {
            let found = Candidate {
                token: workdir,
                typed: false,
                kind: CandidateKind::Shape,
                boundary: true,
                rule_candidate: false,
                boundary_by: None,
                candidate_by: None,
                floors: Vec::new(),
                path,
            };
            self.push(found, false, Direction::Both);
        }
    }

    /// A candidate under a scene.
    fn add(&mut self, scene: &PathScene<'_>, found: Candidate<'_>) {
        self.push(found, scene.reads, scene.direction);
    }

    /// EXT-009: a word with the values of an earlier one says nothing new, but what it says more strictly counts.
    fn push(&mut self, found: Candidate<'_>, proven_read: bool, direction: Direction) {
        let met = Rc::as_ptr(&found.path);
        let at = self.met.get(&met).copied();
        let at = at.or_else(|| self.index.get(&Values(Rc::clone(&found.path))).copied());
        let place = self.place;
        match at.and_then(|at| self.words.get_mut(at)) {
            Some(known) => known.merge(found, proven_read, direction, place),
            None => {
                self.met.insert(met, self.words.len());
                self.index.insert(Values(Rc::clone(&found.path)), self.words.len());
                self.words.push(Listed::of(found, proven_read, direction, place));
            }
        }
    }
}

impl Listed {
    fn of(found: Candidate<'_>, proven_read: bool, direction: Direction, place: usize) -> Self {
        Self {
            token: found.token.to_owned(),
            typed: found.typed,
            kind: found.kind,
            boundary: found.boundary,
            rule_candidate: found.rule_candidate,
            proven_read,
            direction,
            boundary_by: found.boundary_by,
            candidate_by: found.candidate_by,
            floors: found.floors,
            path: found.path,
            place,
        }
    }

    fn merge(&mut self, found: Candidate<'_>, proven_read: bool, direction: Direction, place: usize) {
        if place < self.place && self.place > 0 {
            self.place = place;
            found.token.clone_into(&mut self.token);
            self.typed = found.typed;
            if !found.typed && self.path.typed != found.path.typed {
                Rc::make_mut(&mut self.path).typed.clone_from(&found.path.typed);
            }
        }
        self.boundary_by = match (self.boundary, found.boundary) {
            (true, true) if found.boundary_by.is_none() => None,
            (false, true) => found.boundary_by,
            _ => self.boundary_by,
        };
        self.candidate_by = match (self.rule_candidate, found.rule_candidate) {
            (true, true) if found.candidate_by.is_none() => None,
            (false, true) => found.candidate_by,
            _ => self.candidate_by,
        };
        self.boundary |= found.boundary;
        self.rule_candidate |= found.rule_candidate;
        self.proven_read &= proven_read;
        if self.kind == CandidateKind::Existence || self.kind == CandidateKind::Promoted && found.kind != CandidateKind::Existence
        {
            self.kind = found.kind;
        }
        if self.direction != direction {
            self.direction = Direction::Both;
        }
        if self.floors.is_empty() {
            self.floors = found.floors;
        }
        if Rc::ptr_eq(&self.path, &found.path) {
            return;
        }
        for text in &found.path.assumed {
            if !self.path.assumed.contains(text) {
                Rc::make_mut(&mut self.path).assumed.push(text.clone());
            }
        }
        for spelling in &found.path.further {
            if !self.path.further.iter().any(|(text, _)| *text == spelling.0) {
                Rc::make_mut(&mut self.path).further.push(spelling.clone());
            }
        }
    }

    fn into_word(self) -> PathWord {
        let mut path = Rc::unwrap_or_clone(self.path);
        if self.typed {
            self.token.clone_into(&mut path.typed);
        }
        PathWord {
            token: self.token,
            kind: self.kind,
            boundary: self.boundary,
            rule_candidate: self.rule_candidate,
            proven_read: self.proven_read,
            direction: self.direction,
            boundary_by: self.boundary_by,
            candidate_by: self.candidate_by,
            floors: self.floors,
            path,
        }
    }
}
