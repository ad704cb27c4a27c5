//! How one word is read: as the package's token, and as the shell reads it, under every directory that may be in force.

use super::super::classify;
use super::super::expand::{self, Reading};
use super::super::floors::floor;
use super::super::program::CandidateKind;
use super::super::word::Word;
use super::resolving::{Finding, loose, unknown_word};
use super::values::{assignment_value, file_url_path, option_value};
use super::{Candidate, PathScene, Paths};
use crate::access::path::Base;
use crate::policy::{FloorKind, GrantLift};

impl Paths {
    /// A word that its text may make a path: an argument of a command, an operand of another statement (HARD-021).
    pub(crate) fn word(&mut self, scene: &PathScene<'_>, word: &Word<'_>, bound: &mut bool) {
        let listed = self.package_reading(scene, word, scene.hidden_by, bound);
        self.own_reading(scene, word, listed, bound);
    }

    /// A word that its position makes a path: a redirect target, a file option's value (HARD-016).
    pub(crate) fn role(&mut self, scene: &PathScene<'_>, word: &Word<'_>, bound: &mut bool) {
        let listed = self.package_reading(scene, word, scene.hidden_by, bound);
        self.own_reading(scene, word, listed, bound);
        let home = self.home.clone();
        for base in scene.bases.iter() {
            let Reading::Text { text, partial: false, by } = expand::read(word, base, *scene.rebound, home.as_deref()) else {
                continue;
            };
            let by = Some(by.unwrap_or("HARD-016"));
            self.resolve(
                scene,
                base,
                Finding {
                    token: shown(word),
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
    pub(crate) fn glued(&mut self, scene: &PathScene<'_>, word: &Word<'_>, at: usize, bound: &mut bool) {
        let value = word.value();
        let Some((option, token)) = value.split_at_checked(at).filter(|(_, text)| !text.is_empty()) else { return };
        let home = self.home.clone();
        let lists = glued_lists(word, bound);
        for base in scene.bases.iter() {
            self.resolve(scene, base, glued_file(token, token), bound);
            for text in lists.iter().filter_map(|text| text.strip_prefix(option)).filter(|text| !text.is_empty()) {
                self.resolve(scene, base, glued_file(token, text), bound);
            }
            if word.is_computed()
                && let Reading::Text { text, partial: false, .. } = expand::read(word, base, *scene.rebound, home.as_deref())
                && let Some(text) = text.strip_prefix(option)
            {
                self.resolve(scene, base, glued_file(token, text), bound);
            }
        }
    }

    /// A file glued to a letter of an option cluster, classified like any word (HARD-017).
    pub(crate) fn glued_value(&mut self, scene: &PathScene<'_>, word: &Word, at: usize, bound: &mut bool) {
        let value = word.value();
        let Some((option, text)) = value.split_at_checked(at).filter(|(_, text)| !text.is_empty()) else { return };
        let lists = glued_lists(word, bound);
        for base in scene.bases.iter() {
            self.plain_value(scene, base, text, text, word.is_computed(), Some("HARD-017"), bound);
            for text in lists.iter().filter_map(|text| text.strip_prefix(option)) {
                self.plain_value(scene, base, text, text, word.is_computed(), Some("HARD-019"), bound);
            }
        }
    }

    /// The token as the package reads it (TOK-016 to TOK-018, TOK-021). Says whether its shape makes it a path there.
    fn package_reading(
        &mut self,
        scene: &PathScene<'_>,
        word: &Word<'_>,
        hidden: Option<&'static str>,
        bound: &mut bool,
    ) -> bool {
        let Some(token) = word.token.as_deref() else { return false };
        let name = word.is_name();
        if !name && classify::is_rejected(token) {
            return false;
        }
        let broad = !name && classify::is_broad(token, scene.facts.resolver.platform());
        let promoted = !broad && (scene.facts.is_promotable)(token);
        if !broad && !promoted {
            return false;
        }
        let strict = broad && classify::is_strict(token);
        let kind = if promoted { CandidateKind::Promoted } else { CandidateKind::Shape };
        let mut found = Finding { token, text: token, kind, boundary: !promoted, boundary_by: None, candidate_by: None };
        for base in scene.bases.iter() {
            let hidden = hidden.or((base != scene.package).then_some("RES-52"));
            found.boundary_by = if strict { hidden } else { hidden.or(Some(loose(token, base))) };
            found.candidate_by = hidden;
            self.resolve(scene, base, found, bound);
        }
        if !scene.bases.contains(scene.package) && hidden.is_none() {
            // The package stands elsewhere: what it lists stays listed, and nothing more of it.
            found = Finding { boundary: strict, boundary_by: None, candidate_by: None, ..found };
            self.resolve(scene, scene.package, found, bound);
        }
        broad
    }

    /// The word as the shell reads it. The package may have listed it as a path.
    fn own_reading(&mut self, scene: &PathScene<'_>, word: &Word<'_>, listed: bool, bound: &mut bool) {
        if listed && word.is_plain_path() {
            // The same path from the same text: nothing new, and looked up all the same.
            return scene.bases.iter().for_each(|_| self.count_lookup(bound));
        }
        if word.is_name() {
            return scene.bases.iter().for_each(|base| self.bare(scene, base, &word.raw, &word.raw, None, bound));
        }
        let home = self.home.clone();
        for base in scene.bases.iter() {
            match expand::read(word, base, *scene.rebound, home.as_deref()) {
                Reading::UnknownPlace => self.unknown_place(scene, shown(word), "HARD-018"),
                Reading::Text { text, partial, by } => self.value(scene, base, shown(word), &text, partial, by, bound),
            }
        }
        if word.has_braces() {
            match expand::braces(word) {
                None => *bound = true,
                Some(alternatives) if alternatives.len() > 1 => {
                    for base in scene.bases.iter() {
                        for text in &alternatives {
                            self.value(scene, base, text, text, word.is_computed(), Some("HARD-019"), bound);
                        }
                    }
                }
                Some(_) => {}
            }
        }
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
        let dashed = text.starts_with('-');
        if let Some(inner) = if dashed { option_value(text) } else { assignment_value(text) } {
            self.plain_value(scene, base, inner, inner, partial, Some("HARD-017"), bound);
            if !dashed || !scene.no_option {
                return;
            }
        }
        if dashed {
            // Behind `--` the shell's word is a name; `./` keeps it one here. Text alone makes it a path only where it climbs.
            if scene.no_option && !partial {
                let name = format!("./{text}");
                if text.contains("/..") {
                    self.plain_value(scene, base, shown, &name, partial, Some("HARD-014"), bound);
                } else {
                    self.bare(scene, base, shown, &name, Some("HARD-015"), bound);
                }
            }
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
        if by == Some("HARD-017") && matches!(text.split('/').next(), Some(head) if head.starts_with('~') && head != "~") {
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
                let mut floors = Vec::new();
                if hit {
                    floors.push(floor(FloorKind::UnknownDirectory, "BASH-D16", GrantLift::Never));
                }
                let found = Candidate {
                    kind: CandidateKind::Existence,
                    rule_candidate: hit,
                    boundary: !scene.quiet,
                    floors,
                    ..unknown_word(shown, text, "HARD-023")
                };
                self.add(scene, found);
            }
            return;
        }
        let by = by.or(Some("HARD-015"));
        for path in self.look(scene, text, base, bound).into_iter().flatten() {
            // Below a guarded folder the name of a file that is not there yet counts too (HARD-056).
            if path.exists || path.protected.is_some() {
                let found = Candidate {
                    token: shown,
                    typed: false,
                    kind: CandidateKind::Existence,
                    boundary: true,
                    rule_candidate: true,
                    boundary_by: by,
                    candidate_by: by,
                    floors: Vec::new(),
                    path,
                };
                self.add(scene, found);
            }
        }
    }

    fn unknown_place(&mut self, scene: &PathScene<'_>, shown: &str, by: &'static str) {
        let mut found = unknown_word(shown, shown, by);
        if (scene.facts.could_hit_absolute)(shown) {
            found.floors.push(floor(FloorKind::UnknownDirectory, "BASH-D16", GrantLift::Never));
        }
        self.add(scene, found);
    }
}

/// The words that a word with a brace list stands for.
fn glued_lists(word: &Word<'_>, bound: &mut bool) -> Vec<String> {
    if !word.has_braces() {
        return Vec::new();
    }
    let lists = expand::braces(word);
    *bound |= lists.is_none();
    lists.unwrap_or_default()
}

/// HARD-020: a file by its role, glued to an option.
fn glued_file<'t>(token: &'t str, text: &'t str) -> Finding<'t> {
    let by = Some("HARD-020");
    Finding { token, text, kind: CandidateKind::Role, boundary: true, boundary_by: by, candidate_by: by }
}

/// What prompts and logs show of a word: its token, or the text as typed.
fn shown<'w>(word: &'w Word<'_>) -> &'w str {
    word.token.as_deref().unwrap_or(&word.raw)
}
