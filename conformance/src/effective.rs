//! `portcullis effective`: the rules of all policy files as one list, in the order in which they count
//! (docs/guide/effective.md).

use std::fmt::Write as _;

use portcullis_core::policy::{Rule, Ruleset};
use serde::Serialize;

use crate::lint::{rules_of, shadows};
use crate::own_policy::Judge;

/// The version of the JSON form.
pub const VERSION: u32 = 1;

/// One rule of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its place, from 1: later ones win.
    pub place: usize,
    /// The rule, with its origin, file and line.
    pub rule: Rule,
    /// The place of the later rule because of which it never decides.
    #[serde(rename = "shadowedBy")]
    pub shadowed_by: Option<usize>,
}

/// The whole policy of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Effective {
    /// Of this form.
    pub version: u32,
    /// What no rule decides: the state, and where it is written.
    pub default: String,
    /// In order of evaluation; on a surface the last that matches wins.
    pub rules: Vec<Entry>,
    /// Complaints about the files.
    pub issues: Vec<String>,
}

/// Puts the policy of a judge's session together.
pub fn effective(judge: &Judge) -> Effective {
    let snapshot = judge.policy();
    let rules = rules_of(&snapshot, &judge.options().home);
    let shadows = shadows(&rules);
    let named = |rule: &Rule| {
        let mut rule = rule.clone();
        if let Some(place) = rule.location.as_mut() {
            place.file = judge.shown(&place.file).into();
        }
        rule
    };
    let entries = rules.iter().zip(shadows).enumerate().map(|(at, (rule, by))| Entry {
        place: at + 1,
        rule: named(&rule.rule),
        shadowed_by: by.map(|by| by + 1),
    });
    let ruleset = Ruleset::compose(&snapshot.scopes, judge.match_options());
    let default = ruleset.default_rule();
    let place = default.location.as_ref().map(|place| format!(" {}:{}", judge.shown(&place.file), place.line));
    let default = format!("{} ({}){}", default.action, default.origin, place.unwrap_or_default());
    let mut issues = Vec::new();
    if snapshot.clamp() {
        issues.push("a policy file is broken: whatever is allowed here asks (HARD-012)".to_owned());
    }
    issues.extend(snapshot.issues.iter().map(|issue| judge.renamed(issue)));
    Effective { version: VERSION, default, rules: entries.collect(), issues }
}

/// What another policy lists otherwise, as a diff of both lists in the order in which they count; empty when they are one list.
pub fn difference(old: (&str, &Effective), new: (&str, &Effective)) -> String {
    let lines = |policy: &Effective| {
        let default = policy.default.split(" (").next().unwrap_or_default();
        let mut text = format!("{default} everything else\n");
        for entry in &policy.rules {
            let rule = &entry.rule;
            let _ = writeln!(text, "{} {} '{}' ({})", rule.action, rule.surface, rule.pattern, rule.origin);
        }
        shown(&text)
    };
    let (before, after) = (lines(old.1), lines(new.1));
    let diff = similar::TextDiff::from_lines(before.as_str(), after.as_str());
    diff.unified_diff().context_radius(2).header(&shown(old.0), &shown(new.0)).to_string().trim_end().to_owned()
}

fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{FFFD}' } else { c }).collect()
}

/// The list for people.
pub fn render(effective: &Effective) -> String {
    let mut text = format!("    *  {}", effective.default);
    for entry in &effective.rules {
        let rule = &entry.rule;
        let place = rule.location.as_ref().map(|place| format!(" {}:{}", place.file, place.line)).unwrap_or_default();
        let mark = if entry.shadowed_by.is_some() { "x" } else { " " };
        let _ = write!(
            text,
            "\n{:>3} {mark} {:<5} {} '{}' ({}){place}",
            entry.place,
            rule.action.as_str(),
            rule.surface,
            rule.pattern,
            rule.origin
        );
        if let Some(by) = entry.shadowed_by {
            let _ = write!(text, "  never decides: {by} matches all of it");
        }
    }
    for issue in &effective.issues {
        let _ = write!(text, "\nissue: {issue}");
    }
    shown(&text)
}
