//! The path words of a command: which words touch the file system, from which directories, and by which requirement we say so.
//!
//! Every word that the package would list is listed as the package reads it (TOK, EXT); readings that only we have come beside
//! it (HARD-014 to HARD-023, RES-50). So a word more can never make an answer milder. Nothing here knows a rule but through the
//! two callbacks of [`ShellFacts`].
//!
//! This file keeps the list. How one word is read stands in `paths/reading.rs`, how a reading becomes a path in
//! `paths/resolving.rs`, what text alone says of a word in `paths/values.rs`.

use std::collections::HashMap;

use super::bases::Bases;
use super::facts::ShellFacts;
use super::program::{CandidateKind, PathWord};
use super::rebound::Rebound;
use super::walk::Ctx;
use crate::access::path::Base;
use crate::policy::Direction;

mod reading;
mod resolving;
mod values;

/// What stands around the words of one statement.
#[derive(Clone, Copy)]
pub(crate) struct PathScene<'a> {
    pub(crate) facts: &'a ShellFacts<'a>,
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
        facts: &'a ShellFacts<'a>,
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

/// The path words found so far.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    words: Vec<PathWord>,
    /// Where each of them stands in the command.
    places: Vec<usize>,
    /// Where the word stands that is looked at.
    place: usize,
    index: HashMap<(Vec<String>, bool), usize>,
    home: Option<String>,
    lookups: usize,
}

impl Paths {
    pub(crate) fn new(home: Option<String>) -> Self {
        Self { home, ..Self::default() }
    }

    /// The words in walk order, directions of one path folded (HARD-037).
    pub(crate) fn finish(mut self) -> Vec<PathWord> {
        let mut directions: HashMap<String, Direction> = HashMap::new();
        for word in &self.words {
            directions
                .entry(word.path.lexical.clone())
                .and_modify(|known| {
                    if *known != word.direction {
                        *known = Direction::Both;
                    }
                })
                .or_insert(word.direction);
        }
        for word in &mut self.words {
            if let Some(direction) = directions.get(&word.path.lexical) {
                word.direction = *direction;
            }
        }
        // The walk looks at redirections first and at hosted executions last; the list follows the text (TOK-001).
        let mut placed: Vec<(usize, PathWord)> = self.places.into_iter().zip(self.words).collect();
        placed.sort_by_key(|(place, _)| *place);
        placed.into_iter().map(|(_, word)| word).collect()
    }

    /// The next word stands here.
    pub(crate) fn at(&mut self, place: usize) -> &mut Self {
        // Nothing stands before the workdir (CWD-021).
        self.place = place.saturating_add(1);
        self
    }

    /// CWD-021: the working directory of an aliased tool meets the boundary and no `path` rule.
    pub(crate) fn workdir(&mut self, facts: &ShellFacts<'_>, workdir: &str) {
        let base = Base::Known(facts.resolver.cwd().to_owned());
        if let Some(path) = facts.resolver.resolve_word(workdir, &base).filter(|path| path.outside) {
            self.push(PathWord {
                token: workdir.to_owned(),
                kind: CandidateKind::Shape,
                boundary: true,
                rule_candidate: false,
                proven_read: false,
                direction: Direction::Both,
                boundary_by: None,
                candidate_by: None,
                floors: Vec::new(),
                path,
            });
        }
    }

    /// EXT-009: a word with the values of an earlier one says nothing new, but what it says more strictly counts.
    fn push(&mut self, word: PathWord) {
        let key = (word.path.values.clone(), word.path.unknown_place);
        let at = self.index.get(&key).copied();
        let Some((known, place)) = at.and_then(|at| self.words.get_mut(at).zip(self.places.get_mut(at))) else {
            self.index.insert(key, self.words.len());
            self.words.push(word);
            self.places.push(self.place);
            return;
        };
        if self.place < *place && *place > 0 {
            *place = self.place;
            known.token = word.token;
            known.path.typed = word.path.typed;
        }
        known.boundary_by = match (known.boundary, word.boundary) {
            (true, true) if word.boundary_by.is_none() => None,
            (false, true) => word.boundary_by,
            _ => known.boundary_by,
        };
        known.candidate_by = match (known.rule_candidate, word.rule_candidate) {
            (true, true) if word.candidate_by.is_none() => None,
            (false, true) => word.candidate_by,
            _ => known.candidate_by,
        };
        known.boundary |= word.boundary;
        known.rule_candidate |= word.rule_candidate;
        known.proven_read &= word.proven_read;
        if known.kind == CandidateKind::Existence
            || known.kind == CandidateKind::Promoted && word.kind != CandidateKind::Existence
        {
            known.kind = word.kind;
        }
        if known.direction != word.direction {
            known.direction = Direction::Both;
        }
        if known.floors.is_empty() {
            known.floors = word.floors;
        }
        for text in word.path.assumed {
            if !known.path.assumed.contains(&text) {
                known.path.assumed.push(text);
            }
        }
        for spelling in word.path.further {
            if !known.path.further.iter().any(|(text, _)| *text == spelling.0) {
                known.path.further.push(spelling);
            }
        }
    }
}
