//! From a reading to a path: what the resolver is asked, how often, and how a place that nobody can tell is listed.

use std::borrow::Cow;
use std::rc::Rc;

use super::super::floors::floor;
use super::super::program::CandidateKind;
use super::{Candidate, PathScene, Paths};
use crate::access::path::{AccessPath, Base};
use crate::policy::{Floor, FloorKind, GrantLift};

/// Look-ups of the file system that one command may cost.
const MAX_LOOKUPS: usize = 20_000;

/// One finding before it is resolved.
#[derive(Clone, Copy)]
pub(super) struct Finding<'t> {
    /// What is shown.
    pub(super) token: &'t str,
    /// What is resolved.
    pub(super) text: &'t str,
    pub(super) kind: CandidateKind,
    pub(super) boundary: bool,
    pub(super) boundary_by: Option<&'static str>,
    pub(super) candidate_by: Option<&'static str>,
}

impl Paths {
    /// Counts one look-up, and says whether it may still be made.
    fn may_look(&mut self, bound: &mut bool) -> bool {
        self.lookups += 1;
        let within = self.lookups <= MAX_LOOKUPS;
        *bound |= !within;
        within
    }

    /// Counts a look-up whose answer is known.
    pub(super) fn count_lookup(&mut self, bound: &mut bool) {
        self.may_look(bound);
    }

    /// The paths of a bare word: as the package cleans it, and as it is.
    pub(super) fn look(
        &mut self,
        scene: &PathScene<'_>,
        text: &str,
        base: &Base,
        bound: &mut bool,
    ) -> [Option<Rc<AccessPath>>; 2] {
        if !self.may_look(bound) {
            return [None, None];
        }
        let resolver = &scene.facts.resolver;
        if resolver.names_nothing(text, base) {
            return [None, None];
        }
        let exact = exact_text(text, base);
        [resolver.resolve(&exact, base), resolver.exact(&exact, base)]
    }

    pub(super) fn resolve(&mut self, scene: &PathScene<'_>, base: &Base, found: Finding<'_>, bound: &mut bool) {
        if !self.may_look(bound) {
            return;
        }
        let exact = if found.token == found.text { Cow::Borrowed(found.text) } else { exact_text(found.text, base) };
        let mut found = found;
        if let Some(path) = scene.facts.resolver.exact(&exact, base) {
            let by = |known: Option<&'static str>| known.or(Some("HARD-027"));
            let exact =
                Finding { boundary: true, boundary_by: by(found.boundary_by), candidate_by: by(found.candidate_by), ..found };
            self.add(scene, exact.candidate(path, Vec::new()));
        }
        let Some(path) = scene.facts.resolver.resolve(&exact, base) else { return };
        if path.unknown_place && (*base != Base::Unknown || found.token.starts_with('~')) {
            // `~user`: the package takes it for a plain name.
            found.boundary_by = found.boundary_by.or(Some("HARD-018"));
        } else if path.unknown_place && path.assumed.first().is_some_and(|text| SAFE_DEVICES.contains(&text.as_str())) {
            // EXT-006 spares what would be a safe device from the session directory.
            found.boundary_by = found.boundary_by.or(Some("HARD-023"));
        }
        let mut floors = Vec::new();
        if path.unknown_place && (scene.facts.could_hit_absolute)(found.text) {
            floors.push(floor(FloorKind::UnknownDirectory, "BASH-D16", GrantLift::Never));
        }
        self.add(scene, found.candidate(path, floors));
    }
}

impl<'t> Finding<'t> {
    fn candidate(self, path: Rc<AccessPath>, floors: Vec<Floor>) -> Candidate<'t> {
        Candidate {
            token: self.token,
            typed: true,
            kind: self.kind,
            boundary: self.boundary,
            rule_candidate: true,
            boundary_by: self.boundary_by,
            candidate_by: self.candidate_by,
            floors,
            path,
        }
    }
}

/// What the resolver is given so that its cleaning (EXT-001) leaves a literal value alone.
fn exact_text<'t>(text: &'t str, base: &Base) -> Cow<'t, str> {
    match base {
        Base::Known(dir)
            if text.starts_with(['~', '@', '\'', '"', '$', ' ', '\t', '\n']) && !text.starts_with("@/") && text != "~" =>
        {
            Cow::Owned(format!("{}/{text}", dir.trim_end_matches('/')))
        }
        _ => Cow::Borrowed(text),
    }
}

/// EXT-004.
const SAFE_DEVICES: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// Why a rule candidate that the package keeps off the boundary meets it.
pub(super) fn loose(token: &str, base: &Base) -> &'static str {
    match base {
        Base::Unknown => "HARD-023",
        Base::Known(_) if token.starts_with(['~', '$']) => "HARD-018",
        Base::Known(_) => "BASH-D10",
    }
}

/// A word of which only the text is known.
pub(super) fn unknown_word<'t>(shown: &'t str, text: &str, by: &'static str) -> Candidate<'t> {
    Candidate {
        token: shown,
        typed: true,
        kind: CandidateKind::Shape,
        boundary: true,
        rule_candidate: true,
        boundary_by: Some(by),
        candidate_by: Some(by),
        floors: Vec::new(),
        path: Rc::new(AccessPath {
            typed: shown.to_owned(),
            lexical: text.to_owned(),
            relative: None,
            canonical: String::new(),
            values: vec![text.to_owned()],
            further: Vec::new(),
            assumed: Vec::new(),
            outside: true,
            outside_by: Some(by),
            unknown_place: true,
            is_directory: text.ends_with('/'),
            exists: false,
            protected: None,
        }),
    }
}
