//! `portcullis diff`: what one policy says otherwise than another, over every value (docs/guide/diff.md).
//!
//! Exact for the rules: for each surface and each kind of change a shortest value, or none. Each value found is put to the
//! core's own resolver under both policies; when it does not confirm the change, that is an error and no answer.

mod lists;
mod shapes;
mod surfaces;
mod text;
mod words;

use portcullis_core::host::Platform;
use portcullis_core::policy::surfaces::family_of;
use portcullis_core::policy::{
    Direction, GrantSet, Layer, PermissionResolver, PermissionState, PolicySnapshot, Question, Rule, Ruleset, RuntimeSettings,
};
use serde::Serialize;

use crate::lint::CheckedRule;
use crate::own_policy::{Call, Judge, Verdict};
use crate::pattern_set::{AnyText, PatternSet};
use lists::{Changed, Found, Kind, Within};
pub(crate) use lists::{Item, allowed_anew};
pub(crate) use surfaces::{BUILT_IN, Surface};
pub use text::render;

/// The version of the JSON form.
pub const VERSION: u32 = 1;

/// Which way a change goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// The new policy is milder.
    Loosened,
    /// The new policy is stricter.
    Tightened,
}

/// What two policies say differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyDiff {
    /// Of this form.
    pub version: u32,
    /// Surfaces with changes.
    pub surfaces: Vec<SurfaceDiff>,
    /// Surfaces without any: no value is answered differently.
    pub same: Vec<String>,
    /// Settings that have a say in decisions and differ.
    pub settings: Vec<SettingChange>,
    /// Words of a command that only one of the policies takes for paths, though no value is answered differently that way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<WordChange>,
}

/// A word of a command that is a path under one policy only: a rule on `path` names it that decides nothing itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WordChange {
    /// Which way it goes.
    pub way: Way,
    /// A call with a shortest such word, as `explain` takes it.
    pub call: [String; 2],
    /// What the whole gate says of that call under both policies.
    pub whole: [Verdict; 2],
}

/// One surface.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SurfaceDiff {
    /// Its name, or an example of the names that it stands for.
    pub surface: String,
    /// The surface stands for every name that no rule spells out and that these patterns match (none: no pattern does).
    #[serde(rename = "standsFor", skip_serializing_if = "Option::is_none")]
    pub stands_for: Option<Vec<String>>,
    /// At most one of each kind: a shortest value.
    pub changes: Vec<Change>,
    /// Kinds that could not be decided within bounds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<[PermissionState; 2]>,
    /// Rules changed, and a call asks this surface by several values at once: what they give together is not compared.
    #[serde(rename = "severalNames", skip_serializing_if = "std::ops::Not::not")]
    pub several_names: bool,
}

/// One kind of change, with its witness.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Which way it goes.
    pub way: Way,
    /// The old answer of the rules.
    pub from: PermissionState,
    /// The new answer of the rules.
    pub to: PermissionState,
    /// The values that are asked; the last is the witness.
    pub values: Vec<String>,
    /// The call that asks them, as `explain` takes it; absent when no ordinary call does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<[String; 2]>,
    /// What the whole gate says of that call under both policies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<[Verdict; 2]>,
    /// The rule that decides in the old policy.
    pub old: Rule,
    /// The rule that decides in the new policy.
    pub new: Rule,
}

/// A setting that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettingChange {
    /// Its name.
    pub setting: &'static str,
    /// As it was.
    pub old: String,
    /// As it is.
    pub new: String,
}

impl PolicyDiff {
    /// Whether anything is known to differ, or is not known to be the same.
    pub fn differs(&self) -> bool {
        !self.surfaces.is_empty() || !self.settings.is_empty() || !self.words.is_empty()
    }

    /// Whether something is milder, or cannot be shown not to be.
    pub fn loosens(&self) -> bool {
        let loosened = |surface: &SurfaceDiff| {
            surface.several_names
                || surface.changes.iter().any(|change| change.way == Way::Loosened)
                || surface.undecided.iter().any(|[from, to]| to < from)
        };
        self.surfaces.iter().any(loosened) || !self.settings.is_empty() || self.words.iter().any(|word| word.way == Way::Loosened)
    }
}

/// One of the two policies.
struct Side<'j> {
    judge: &'j Judge,
    snapshot: std::sync::Arc<PolicySnapshot>,
    ruleset: Ruleset,
    rules: Vec<CheckedRule>,
}

impl<'j> Side<'j> {
    fn new(judge: &'j Judge, which: &str) -> Result<Self, String> {
        let snapshot = judge.policy();
        if snapshot.clamp() {
            let issues: Vec<String> = snapshot.issues.iter().map(|issue| judge.renamed(issue)).collect();
            return Err(format!(
                "the {which} policy is broken, so its rules are not those that somebody wrote: {}",
                issues.join("; ")
            ));
        }
        let options = judge.match_options();
        let ruleset = Ruleset::compose(&snapshot.scopes, options.clone());
        let rules = ruleset.rules().iter().map(|rule| CheckedRule::new(rule, &options)).collect();
        Ok(Self { judge, snapshot, ruleset, rules })
    }

    /// The rules on a surface, the default first, with what they come to.
    fn on(&self, surface: &Surface) -> Vec<(&CheckedRule, PermissionState)> {
        let applies = |rule: &&CheckedRule| rule.rule.layer == Layer::Default || rule.is_on(&surface.name);
        self.rules.iter().filter(applies).map(|rule| (rule, self.state(rule.rule.action, rule.rule.layer, surface))).collect()
    }

    /// Rules with their values, in the spellings in which a place below the session directory is asked.
    fn items(&self, rules: &[(&CheckedRule, PermissionState)], below: bool) -> Vec<Item> {
        let inside = format!("{}/", self.judge.options().cwd.trim_end_matches('/'));
        let set = |rule: &CheckedRule| if below { rule.set.clone().or(rule.set.after(&inside)) } else { rule.set.clone() };
        rules.iter().map(|(rule, state)| Item::new(set(rule), *state)).collect()
    }

    /// The default says nothing on `path` (GATE-010); the permissive mode answers what asks (HARD-054).
    fn state(&self, state: PermissionState, layer: Layer, surface: &Surface) -> PermissionState {
        let silent = layer == Layer::Default && family_of(&surface.name) == Some("path");
        let permissive = self.snapshot.settings.yolo_mode && state == PermissionState::Ask;
        if silent || permissive { PermissionState::Allow } else { state }
    }

    /// What the core's resolver says of these values.
    fn resolve(&self, surface: &Surface, values: &[String]) -> (PermissionState, Option<Rule>) {
        let question = Question {
            surface: family_of(&surface.name).unwrap_or(&surface.name).to_owned(),
            direction: family_of(&surface.name)
                .map(|_| if surface.name.ends_with("_read") { Direction::Read } else { Direction::Write }),
            values: values.to_vec(),
            ..Question::default()
        };
        let resolver = PermissionResolver {
            rules: &self.ruleset,
            without_tag_agent: None,
            session: &GrantSet::new(),
            clamp: false,
            permissive: self.snapshot.settings.yolo_mode,
            permissive_lost: None,
            detail: false,
        };
        let result = resolver.resolve(&question);
        let layer = if result.from_default { Layer::Default } else { Layer::Config };
        (self.state(result.state, layer, surface), result.trace.winner)
    }

    fn named(&self, rule: &Rule) -> Rule {
        let mut rule = rule.clone();
        if let Some(place) = rule.location.as_mut() {
            place.file = self.judge.shown(&place.file).into();
        }
        rule
    }
}

/// Compares two policies in one and the same session.
pub fn policy_diff(old: &Judge, new: &Judge) -> Result<PolicyDiff, String> {
    let (old, new) = (Side::new(old, "old")?, Side::new(new, "new")?);
    let mut diff = PolicyDiff {
        version: VERSION,
        surfaces: Vec::new(),
        same: Vec::new(),
        settings: settings(&old.snapshot.settings, &new.snapshot.settings),
        words: Vec::new(),
    };
    for surface in surfaces::surfaces(&old.rules, &new.rules)? {
        let one = on_surface(&old, &new, &surface)?;
        if one.changes.is_empty() && one.undecided.is_empty() && !one.several_names {
            diff.same.push(surface.stands_for.map_or(surface.name, |patterns| other_names(&patterns)));
        } else {
            diff.surfaces.push(one);
        }
    }
    // Where values of `path` go the same way, the words are among them.
    let is_shown = |word: &WordChange| {
        let about = diff.surfaces.iter().filter(|surface| family_of(&surface.surface) == Some("path"));
        about.flat_map(|surface| &surface.changes).any(|change| change.way == word.way)
    };
    diff.words = words::words(&old, &new)?.into_iter().filter(|word| !is_shown(word)).collect();
    Ok(diff)
}

/// In words, what a surface stands for.
fn other_names(patterns: &[String]) -> String {
    if patterns.is_empty() {
        return "any other name".into();
    }
    let quoted: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    format!("any other name that matches {}", quoted.join(" and "))
}

fn on_surface(old: &Side<'_>, new: &Side<'_>, surface: &Surface) -> Result<SurfaceDiff, String> {
    let (mine, theirs) = (old.on(surface), new.on(surface));
    let key = |(rule, state): &(&CheckedRule, PermissionState)| (rule.rule.pattern.clone(), rule.rule.action, *state);
    let changed = Changed::align(&mine.iter().map(key).collect::<Vec<_>>(), &theirs.iter().map(key).collect::<Vec<_>>());
    let mut diff = SurfaceDiff {
        surface: surface.name.clone(),
        stands_for: surface.stands_for.clone(),
        changes: Vec::new(),
        undecided: Vec::new(),
        several_names: false,
    };
    if changed.is_empty() {
        return Ok(diff);
    }
    let options = old.judge.match_options();
    let cwd = old.judge.options().cwd.trim_end_matches('/').to_owned();
    let items = |rules: &[(&CheckedRule, PermissionState)], below: bool| old.items(rules, below);
    // Ordinary values first; what only other texts show is shown as such.
    let mut found: Vec<(Kind, Vec<String>, bool)> = Vec::new();
    let mut undecided: Vec<Kind> = Vec::new();
    let mut take = |result: Found, below: bool, usual: bool| {
        for (kind, value) in result.values {
            let length = value.chars().count();
            let values = if below { vec![format!("{cwd}/{value}"), value] } else { vec![value] };
            match found.iter_mut().find(|(known, ..)| *known == kind) {
                None => found.push((kind, values, usual)),
                Some((_, known, known_usual)) => {
                    let shorter = known.last().is_none_or(|text| length < text.chars().count());
                    if *known_usual == usual && shorter {
                        *known = values;
                    }
                }
            }
        }
        undecided.extend(result.undecided);
    };
    for room in surface.rooms(&cwd, options.platform) {
        let within = Within { shape: room.shape, without: &room.without };
        take(lists::search(&items(&mine, room.below), &items(&theirs, room.below), &changed, within), room.below, true);
    }
    // What lies in the session directory is never asked by its absolute path alone.
    let mut without = vec![PatternSet::literal("")];
    without.extend(surface.rooms(&cwd, options.platform).into_iter().flat_map(|room| room.without));
    let any = Within { shape: &AnyText, without: &without };
    take(lists::search(&items(&mine, false), &items(&theirs, false), &changed, any), false, false);
    for (kind, values, usual) in found {
        diff.changes.push(change(old, new, surface, kind, values, usual)?);
    }
    diff.changes.sort_by_key(|change| (change.way, change.to, change.from));
    undecided.retain(|kind| !diff.changes.iter().any(|change| (change.from, change.to) == *kind));
    undecided.sort_unstable();
    undecided.dedup();
    diff.undecided = undecided.into_iter().map(|(from, to)| [from, to]).collect();
    diff.several_names = surface.asks_by_several_names();
    Ok(diff)
}

/// The change that a value shows, confirmed by the resolver.
fn change(
    old: &Side<'_>,
    new: &Side<'_>,
    surface: &Surface,
    (from, to): Kind,
    values: Vec<String>,
    usual: bool,
) -> Result<Change, String> {
    let confirmed = |side: &Side<'_>, expected: PermissionState| -> Result<Rule, String> {
        match side.resolve(surface, &values) {
            (state, Some(rule)) if state == expected => Ok(side.named(&rule)),
            (state, _) => Err(format!(
                "this is a fault of this program: of {values:?} on `{}` the sets say {expected}, and the resolver says {state}",
                surface.name
            )),
        }
    };
    let (old_rule, new_rule) = (confirmed(old, from)?, confirmed(new, to)?);
    // A path on Windows is compared by its folded spelling, which is nobody's call.
    let usual = usual && old.judge.match_options().platform == Platform::Posix;
    let call = values.last().filter(|_| usual).map(|value| surface.call(value));
    let whole = match &call {
        None => None,
        Some((kind, argument)) => {
            let call = Call::from_words(kind, std::slice::from_ref(argument)).map_err(|fault| fault.message)?;
            Some([old.judge.judge(&call)?.verdict, new.judge.judge(&call)?.verdict])
        }
    };
    let way = if to < from { Way::Loosened } else { Way::Tightened };
    let call = call.map(|(kind, argument)| [kind, argument]);
    Ok(Change { way, from, to, values, call, whole, old: old_rule, new: new_rule })
}

/// The settings that have a say in decisions.
fn settings(old: &RuntimeSettings, new: &RuntimeSettings) -> Vec<SettingChange> {
    let tools = |settings: &RuntimeSettings| {
        let one = |(name, alias): &(String, portcullis_core::policy::ShellAlias)| {
            let directory = alias.workdir_argument.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
            format!("{name} ({}{directory})", alias.command_argument)
        };
        settings.shell_tools.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let texts = |settings: &RuntimeSettings| {
        [
            ("yoloMode", settings.yolo_mode.to_string()),
            ("shellTools", tools(settings)),
            ("piInfrastructureReadPaths", settings.pi_infrastructure_read_paths.join(", ")),
            ("authorizerChain", settings.authorizer_chain.join(", ")),
            ("permissionReviewLog", settings.permission_review_log.to_string()),
        ]
    };
    let pairs = texts(old).into_iter().zip(texts(new));
    pairs
        .filter(|((_, old), (_, new))| old != new)
        .map(|((setting, old), (_, new))| SettingChange { setting, old, new })
        .collect()
}

#[cfg(test)]
mod tests;
