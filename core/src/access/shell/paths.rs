//! The path words of a command: which words touch the file system, from which directories, and by which requirement we say so.
//!
//! Every word that the package would list is listed as the package reads it (TOK, EXT); readings that only we have come beside
//! it (HARD-014 to HARD-023, RES-50). So a word more can never make an answer milder. Nothing here knows a rule but through the
//! two callbacks of [`ShellFacts`].

use std::collections::HashMap;

use super::classify;
use super::expand::{self, Reading};
use super::facts::ShellFacts;
use super::floors::floor;
use super::program::{CandidateKind, PathWord};
use super::rebound::Rebound;
use super::walk::Ctx;
use super::word::{Word, WordKind};
use crate::access::path::{AccessPath, Base};
use crate::policy::{Direction, FloorKind, GrantLift};

use super::bases::Bases;

/// Look-ups of the file system that one command may cost.
const MAX_LOOKUPS: usize = 20_000;

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
        }
    }
}

/// One finding before it is resolved.
#[derive(Clone, Copy)]
struct Finding<'t> {
    /// What is shown.
    token: &'t str,
    /// What is resolved.
    text: &'t str,
    kind: CandidateKind,
    boundary: bool,
    boundary_by: Option<&'static str>,
    candidate_by: Option<&'static str>,
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

    /// An argument of a command.
    pub(crate) fn argument(&mut self, scene: &PathScene<'_>, word: &Word, bound: &mut bool) {
        self.package_reading(scene, word, scene.hidden_by, bound);
        self.own_reading(scene, word, bound);
    }

    /// A word of a statement that is no command (HARD-021).
    pub(crate) fn statement_word(&mut self, scene: &PathScene<'_>, word: &Word, bound: &mut bool) {
        self.package_reading(scene, word, scene.hidden_by, bound);
        self.own_reading(scene, word, bound);
    }

    /// A word that its position makes a path: a redirect target, a file option's value (HARD-016).
    pub(crate) fn role(&mut self, scene: &PathScene<'_>, word: &Word, bound: &mut bool) {
        self.package_reading(scene, word, scene.hidden_by, bound);
        self.own_reading(scene, word, bound);
        for base in scene.bases.iter() {
            let Reading::Text { text, partial: false, by } = self.read(scene, word, &base) else { continue };
            let shown = word.token.clone().unwrap_or_else(|| word.raw.clone());
            let by = Some(by.unwrap_or("HARD-016"));
            self.resolve(
                scene,
                &base,
                Finding {
                    token: &shown,
                    text: &text,
                    kind: CandidateKind::Role,
                    boundary: true,
                    boundary_by: by,
                    candidate_by: by,
                },
                bound,
            );
        }
    }

    /// A file glued to an option of a pattern-first command: its value from this byte on (HARD-020).
    pub(crate) fn glued(&mut self, scene: &PathScene<'_>, word: &Word, at: usize, bound: &mut bool) {
        let value = word.value();
        let Some(text) = value.get(at..).filter(|text| !text.is_empty()) else { return };
        for base in scene.bases.iter() {
            let by = Some("HARD-020");
            let found =
                Finding { token: text, text, kind: CandidateKind::Role, boundary: true, boundary_by: by, candidate_by: by };
            self.resolve(scene, &base, found, bound);
        }
    }

    /// The token as the package reads it (TOK-016 to TOK-018, TOK-021).
    fn package_reading(&mut self, scene: &PathScene<'_>, word: &Word, hidden: Option<&'static str>, bound: &mut bool) {
        let Some(token) = word.token.as_deref().filter(|_| word.kind == WordKind::Argument) else { return };
        let strict = classify::is_strict(token);
        let broad = classify::is_broad(token, scene.facts.resolver.platform());
        let promoted = !broad && !classify::is_rejected(token) && (scene.facts.is_promotable)(token);
        if !broad && !promoted {
            return;
        }
        let kind = if promoted { CandidateKind::Promoted } else { CandidateKind::Shape };
        let mut found = Finding { token, text: token, kind, boundary: !promoted, boundary_by: None, candidate_by: None };
        for base in scene.bases.iter() {
            let hidden = hidden.or((base != *scene.package).then_some("RES-52"));
            found.boundary_by = if strict { hidden } else { hidden.or(Some(loose(token, &base))) };
            found.candidate_by = hidden;
            self.resolve(scene, &base, found, bound);
        }
        if !scene.bases.contains(scene.package) && hidden.is_none() {
            // The package stands elsewhere: what it lists stays listed, and nothing more of it.
            found = Finding { boundary: strict, boundary_by: None, candidate_by: None, ..found };
            self.resolve(scene, &scene.package.clone(), found, bound);
        }
    }

    /// The word as the shell reads it.
    fn own_reading(&mut self, scene: &PathScene<'_>, word: &Word, bound: &mut bool) {
        let shown = word.token.clone().unwrap_or_else(|| word.raw.clone());
        for base in scene.bases.iter() {
            match self.read(scene, word, &base) {
                Reading::UnknownPlace => self.unknown_place(scene, &shown, "HARD-018"),
                Reading::Text { text, partial, by } => self.value(scene, &base, &shown, &text, partial, by, bound),
            }
        }
        if word.has_braces() {
            match expand::braces(word) {
                None => *bound = true,
                Some(alternatives) if alternatives.len() > 1 => {
                    for base in scene.bases.iter() {
                        for text in &alternatives {
                            self.value(scene, &base, text, text, word.is_computed(), Some("HARD-019"), bound);
                        }
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn read(&self, scene: &PathScene<'_>, word: &Word, base: &Base) -> Reading {
        expand::read(word, base, *scene.rebound, self.home.as_deref())
    }

    /// One value under one base: an option with a value in it, a path by shape, or a name that may exist.
    #[expect(clippy::too_many_arguments, reason = "the parts of one reading")]
    fn value(
        &mut self,
        scene: &PathScene<'_>,
        base: &Base,
        shown: &str,
        text: &str,
        partial: bool,
        by: Option<&'static str>,
        bound: &mut bool,
    ) {
        if let Some(inner) = option_value(text).or_else(|| assignment_value(text)) {
            return self.plain_value(scene, base, inner, inner, partial, Some("HARD-017"), bound);
        }
        if text.starts_with('-') {
            return;
        }
        self.plain_value(scene, base, shown, text, partial, by, bound);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one reading")]
    fn plain_value(
        &mut self,
        scene: &PathScene<'_>,
        base: &Base,
        shown: &str,
        text: &str,
        partial: bool,
        by: Option<&'static str>,
        bound: &mut bool,
    ) {
        // A word that begins with what only the shell can tell names no place (RES-50: computed values stay residual).
        if text.is_empty() || partial && text.starts_with(['$', '`', '<', '>']) {
            return;
        }
        if matches!(text.split('/').next(), Some(head) if by == Some("HARD-017") && head.starts_with('~') && head != "~") {
            return self.unknown_place(scene, shown, "HARD-018");
        }
        let file = classify::is_file_url(text).then(|| file_url_path(text));
        let text = file.as_deref().unwrap_or(text);
        if classify::has_path_shape(text, scene.facts.resolver.platform()) || text == "~" {
            let by = by.or(if classify::is_rejected(text) { Some("HARD-019") } else { Some("HARD-027") });
            let found =
                Finding { token: shown, text, kind: CandidateKind::Shape, boundary: true, boundary_by: by, candidate_by: by };
            return self.resolve(scene, base, found, bound);
        }
        if classify::is_url(text) {
            return;
        }
        if partial {
            return;
        }
        if text.starts_with('@') {
            self.bare(scene, base, shown, text, by, bound);
        }
        let bare = text.strip_prefix('@').filter(|rest| !rest.is_empty() && !rest.contains('/')).unwrap_or(text);
        self.bare(scene, base, shown, bare, by, bound);
    }

    /// A bare word: a path if it exists (HARD-015); under an unknown base a possible one (HARD-023, RES-51).
    fn bare(&mut self, scene: &PathScene<'_>, base: &Base, shown: &str, text: &str, by: Option<&'static str>, bound: &mut bool) {
        if *base == Base::Unknown {
            let hit = (scene.facts.could_hit_absolute)(text);
            if hit || !scene.quiet {
                let mut word = unknown_word(shown, text, scene, "HARD-023");
                word.kind = CandidateKind::Existence;
                word.rule_candidate = hit;
                word.boundary = !scene.quiet;
                if hit {
                    word.floors.push(floor(FloorKind::UnknownDirectory, "BASH-D16", GrantLift::Never));
                }
                self.push(word);
            }
            return;
        }
        let by = by.or(Some("HARD-015"));
        for path in self.look(scene, text, base, bound) {
            // Below a guarded folder the name of a file that is not there yet counts too (HARD-056).
            if path.exists || path.protected.is_some() {
                self.push(PathWord {
                    token: shown.to_owned(),
                    kind: CandidateKind::Existence,
                    boundary: true,
                    rule_candidate: true,
                    proven_read: scene.reads,
                    direction: scene.direction,
                    boundary_by: by,
                    candidate_by: by,
                    floors: Vec::new(),
                    path,
                });
            }
        }
    }

    fn unknown_place(&mut self, scene: &PathScene<'_>, shown: &str, by: &'static str) {
        let mut word = unknown_word(shown, shown, scene, by);
        if (scene.facts.could_hit_absolute)(shown) {
            word.floors.push(floor(FloorKind::UnknownDirectory, "BASH-D16", GrantLift::Never));
        }
        self.push(word);
    }

    /// The paths of a bare word: as the package cleans it, and as it is.
    fn look(&mut self, scene: &PathScene<'_>, text: &str, base: &Base, bound: &mut bool) -> Vec<AccessPath> {
        self.lookups += 1;
        if self.lookups > MAX_LOOKUPS {
            *bound = true;
            return Vec::new();
        }
        let resolver = scene.facts.resolver;
        let exact = exact_text(text, base);
        resolver.resolve_word(&exact, base).into_iter().chain(resolver.exact_word(&exact, base)).collect()
    }

    fn resolve(&mut self, scene: &PathScene<'_>, base: &Base, found: Finding<'_>, bound: &mut bool) {
        let package = found.token == found.text;
        self.lookups += 1;
        if self.lookups > MAX_LOOKUPS {
            *bound = true;
            return;
        }
        let exact = if package { found.text.to_owned() } else { exact_text(found.text, base) };
        if let Some(path) = scene.facts.resolver.exact_word(&exact, base) {
            let by = |known: Option<&'static str>| known.or(Some("HARD-027"));
            self.push(PathWord {
                token: found.token.to_owned(),
                kind: found.kind,
                boundary: true,
                rule_candidate: true,
                proven_read: scene.reads,
                direction: scene.direction,
                boundary_by: by(found.boundary_by),
                candidate_by: by(found.candidate_by),
                floors: Vec::new(),
                path: AccessPath { typed: found.token.to_owned(), ..path },
            });
        }
        let Some(mut path) = scene.facts.resolver.resolve_word(&exact, base) else { return };
        path.typed = found.token.to_owned();
        let mut found = found;
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
        self.push(PathWord {
            token: found.token.to_owned(),
            kind: found.kind,
            boundary: found.boundary,
            rule_candidate: true,
            proven_read: scene.reads,
            direction: scene.direction,
            boundary_by: found.boundary_by,
            candidate_by: found.candidate_by,
            floors,
            path,
        });
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

/// What the resolver is given so that its cleaning (EXT-001) leaves a literal value alone.
fn exact_text(text: &str, base: &Base) -> String {
    match base {
        Base::Known(dir)
            if text.starts_with(['~', '@', '\'', '"', '$', ' ', '\t', '\n']) && !text.starts_with("@/") && text != "~" =>
        {
            format!("{}/{text}", dir.trim_end_matches('/'))
        }
        _ => text.to_owned(),
    }
}

/// EXT-004.
const SAFE_DEVICES: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// Why a rule candidate that the package keeps off the boundary meets it.
fn loose(token: &str, base: &Base) -> &'static str {
    match base {
        Base::Unknown => "HARD-023",
        Base::Known(_) if token.starts_with(['~', '$']) => "HARD-018",
        Base::Known(_) => "BASH-D10",
    }
}

/// A word of which only the text is known.
fn unknown_word(shown: &str, text: &str, scene: &PathScene<'_>, by: &'static str) -> PathWord {
    PathWord {
        token: shown.to_owned(),
        kind: CandidateKind::Shape,
        boundary: true,
        rule_candidate: true,
        proven_read: scene.reads,
        direction: scene.direction,
        boundary_by: Some(by),
        candidate_by: Some(by),
        floors: Vec::new(),
        path: AccessPath {
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
        },
    }
}

/// HARD-017 and RES-50: the value inside an option: `--opt=value`, `-o=value`, `-I/path`.
fn option_value(text: &str) -> Option<&str> {
    if !text.starts_with('-') {
        return None;
    }
    if let Some((_, value)) = text.split_once('=') {
        return Some(value);
    }
    if text.starts_with("--") {
        return None;
    }
    let letters = text.chars().skip(1).take_while(char::is_ascii_alphanumeric).count();
    let value = text.get(1 + letters..).filter(|_| letters > 0)?;
    ["/", "~/", "../", "./"].iter().any(|head| value.starts_with(head)).then_some(value)
}

/// `key=value` without a dash and without a separator before the sign.
fn assignment_value(text: &str) -> Option<&str> {
    let (key, value) = text.split_once('=')?;
    (!key.is_empty() && !key.contains('/') && !classify::is_url(text)).then_some(value)
}

/// The path of a `file:` reference.
fn file_url_path(text: &str) -> String {
    let rest = text.get(5..).unwrap_or_default();
    let rest = rest.strip_prefix("//localhost").or_else(|| rest.strip_prefix("//")).unwrap_or(rest);
    let mut out = Vec::new();
    let mut bytes = rest.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let rest = bytes.as_slice_lossy();
        match rest.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                bytes.nth(1);
            }
            None => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

trait Rest {
    fn as_slice_lossy(&self) -> String;
}

impl Rest for std::str::Bytes<'_> {
    fn as_slice_lossy(&self) -> String {
        String::from_utf8_lossy(&self.clone().take(2).collect::<Vec<_>>()).into_owned()
    }
}
