//! `portcullis coverage`: what of a policy, and of the gate, tests reach (docs/guide/coverage.md).
//!
//! The tests are played on the reference, and what they reach is read off the explanations that its decisions leave. Nothing is
//! matched here.

mod formats;
mod html;

use std::collections::{BTreeMap, BTreeSet};

use portcullis_core::policy::surfaces::members_of;
use portcullis_core::policy::{Layer, PolicySnapshot, QuestionTrace, Rule, Ruleset};
use portcullis_core::report::{CallTrace, GateOutcomeTrace};
use serde::Serialize;

use crate::implementation::{Hello, Implementation, InProcess, Observation, Refusal, StepRequest, World};
use crate::lint::{rules_of, shadows};
use crate::own_policy::Judge;
use crate::run::{Verdict, play};
use crate::scenario::{ConfigTexts, Scenario};
use crate::source::SourceFile;
pub use formats::{lcov, render};
pub use html::html;

/// The version of the JSON form.
pub const VERSION: u32 = 1;

/// The gates of a tool call, and the one of a typed skill.
const GATES: [&str; 7] =
    ["skill-read", "path", "external-directory", "bash-external-directory", "bash-path", "tool", "skill-input"];

/// One rule of the file, or its universal default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleHits {
    /// The rule.
    pub rule: Rule,
    /// How many questions it answered.
    pub hits: u64,
    /// The line of a later rule that matches all that it does: no test can reach it.
    #[serde(rename = "deadBy", skip_serializing_if = "Option::is_none")]
    pub dead_by: Option<u32>,
}

/// Something with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NameHits {
    /// Its name.
    pub name: String,
    /// How often it was reached.
    pub hits: u64,
}

/// What tests reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Of this form.
    pub version: u32,
    /// The policy file, when one was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How many rows were played.
    pub rows: usize,
    /// Rows that did not pass: what they reach counts, and somebody should look at them.
    pub failed: Vec<String>,
    /// The rules in the order of the file.
    pub rules: Vec<RuleHits>,
    /// How often each gate had something to say.
    pub gates: Vec<NameHits>,
    /// How often each surface was asked.
    pub surfaces: Vec<NameHits>,
}

impl Coverage {
    /// Of a hundred rules so many are reached, rounded down; without rules, of a hundred gates and surfaces.
    pub fn percent(&self) -> u64 {
        let (reached, all) = if self.file.is_some() { self.reached_rules() } else { self.reached_names() };
        reached.saturating_mul(100).checked_div(all).unwrap_or(100)
    }

    fn reached_rules(&self) -> (u64, u64) {
        let reached = self.rules.iter().filter(|rule| rule.hits > 0).count();
        (reached as u64, self.rules.len() as u64)
    }

    fn reached_names(&self) -> (u64, u64) {
        let all = self.gates.iter().chain(&self.surfaces);
        (all.clone().filter(|name| name.hits > 0).count() as u64, all.count() as u64)
    }
}

/// Which scopes of a scenario are this very file, in the words of origins.
fn scopes_of(texts: &ConfigTexts, policy: &str) -> Vec<&'static str> {
    // A file that is named is kept with its dollars doubled.
    let same = |text: &String| text.replace("$${", "${") == policy;
    let agents = |list: &[(String, String)]| list.iter().any(|(_, text)| same(text));
    let scopes = [
        ("global", texts.global.as_ref().is_some_and(same)),
        ("project", texts.project.as_ref().is_some_and(same)),
        ("agent", agents(&texts.agents)),
        ("project-agent", agents(&texts.project_agents)),
    ];
    scopes.into_iter().filter(|(_, is)| *is).map(|(scope, _)| scope).collect()
}

/// A place in the policy file, with the pattern: what tells rules apart.
type Place = (u32, u32);

#[derive(Default)]
struct Tally {
    rules: BTreeMap<Place, u64>,
    gates: BTreeMap<String, u64>,
    surfaces: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, call: &CallTrace, scopes: &[&str]) {
        for gate in &call.gates {
            if !matches!(gate.outcome, GateOutcomeTrace::Null) {
                *self.gates.entry(gate.gate.clone()).or_default() += 1;
            }
            for question in &gate.questions {
                for surface in asked(question) {
                    *self.surfaces.entry(surface).or_default() += 1;
                }
                let winner = question.winner.as_ref().filter(|rule| scopes.contains(&rule.origin.as_str()));
                if let Some(place) = winner.and_then(|rule| rule.location.as_ref()) {
                    *self.rules.entry((place.line, place.column)).or_default() += 1;
                }
            }
        }
    }
}

/// The surface of a question; of a family its members.
fn asked(question: &QuestionTrace) -> Vec<String> {
    let members = members_of(&question.surface, question.direction);
    if members.is_empty() { vec![question.surface.clone()] } else { members.iter().map(|name| (*name).to_owned()).collect() }
}

/// The reference, with somebody who looks at what it explains.
struct Watched<'w> {
    inner: InProcess,
    tally: &'w mut Tally,
    scopes: &'w [&'static str],
}

impl Implementation for Watched<'_> {
    fn hello(&self) -> Hello {
        self.inner.hello()
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        self.inner.begin(world)
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        let seen = self.inner.step(request)?;
        for seen in std::iter::once(&seen).chain(seen.sessions.values()) {
            if let Some(call) = &seen.explanation {
                self.tally.add(call, self.scopes);
            }
        }
        Ok(seen)
    }

    fn end(&mut self) {
        self.inner.end();
    }
}

/// Plays the scenarios that are about this policy file and says what of it they reach; `None` when none is.
pub fn of_policy(judge: &Judge, source: &SourceFile, scenarios: &[Scenario]) -> Option<Coverage> {
    let about: Vec<(&Scenario, Vec<&'static str>)> = scenarios
        .iter()
        .map(|scenario| (scenario, scopes_of(&scenario.given.texts, &source.text)))
        .filter(|(_, scopes)| !scopes.is_empty())
        .collect();
    if about.is_empty() {
        return None;
    }
    let (tally, failed) = played(&about);
    let snapshot = judge.policy();
    let rules = rules(judge, &snapshot, &tally);
    let named: BTreeSet<String> = rules.iter().flat_map(|hit| surfaces_of(&hit.rule)).collect();
    Some(Coverage {
        version: VERSION,
        file: Some(source.name.clone()),
        rows: about.len(),
        failed,
        rules,
        gates: gates(&tally),
        surfaces: surfaces(named, &tally),
    })
}

/// Plays scenarios and says which gates and surfaces they reach.
pub fn of_suite(scenarios: &[Scenario]) -> Coverage {
    let about: Vec<(&Scenario, Vec<&'static str>)> = scenarios.iter().map(|scenario| (scenario, Vec::new())).collect();
    let (tally, failed) = played(&about);
    let named = crate::policy_diff::BUILT_IN.iter().map(|name| (*name).to_owned()).collect();
    Coverage {
        version: VERSION,
        file: None,
        rows: about.len(),
        failed,
        rules: Vec::new(),
        gates: gates(&tally),
        surfaces: surfaces(named, &tally),
    }
}

fn played(about: &[(&Scenario, Vec<&'static str>)]) -> (Tally, Vec<String>) {
    let mut tally = Tally::default();
    let mut failed = Vec::new();
    for (scenario, scopes) in about {
        let mut watched = Watched { inner: InProcess::default(), tally: &mut tally, scopes };
        let result = play(scenario, &mut watched);
        if result.verdict != Verdict::Passed {
            failed.push(result.name);
        }
    }
    (tally, failed)
}

/// The rules of the file in its order, the default among them.
fn rules(judge: &Judge, snapshot: &PolicySnapshot, tally: &Tally) -> Vec<RuleHits> {
    let listed = rules_of(snapshot, &judge.options().home);
    let dead = shadows(&listed);
    let line_of = |at: usize| listed.get(at).map(crate::lint::CheckedRule::line);
    let of_file = listed.iter().zip(dead).map(|(rule, by)| (rule.rule.clone(), by.and_then(line_of)));
    let ruleset = Ruleset::compose(&snapshot.scopes, judge.match_options());
    let default = ruleset.default_rule().clone();
    let mut rules: Vec<RuleHits> = std::iter::once((default, None))
        .chain(of_file)
        .filter_map(|(rule, dead_by)| {
            let place = rule.location.as_ref()?;
            let hits = tally.rules.get(&(place.line, place.column)).copied().unwrap_or_default();
            let mut rule = rule.clone();
            if let Some(place) = rule.location.as_mut() {
                place.file = judge.shown(&place.file).into();
            }
            Some(RuleHits { rule, hits, dead_by })
        })
        .collect();
    rules.sort_by_key(|hit| hit.rule.location.as_ref().map(|place| (place.line, place.column)));
    rules
}

/// The surfaces that a rule names, if it names any.
fn surfaces_of(rule: &Rule) -> Vec<String> {
    if rule.layer == Layer::Default || rule.surface.contains(['*', '?']) {
        return Vec::new();
    }
    let members = members_of(&rule.surface, None);
    if members.is_empty() { vec![rule.surface.to_string()] } else { members.iter().map(|name| (*name).to_owned()).collect() }
}

fn gates(tally: &Tally) -> Vec<NameHits> {
    GATES
        .iter()
        .map(|name| NameHits { name: (*name).to_owned(), hits: tally.gates.get(*name).copied().unwrap_or_default() })
        .collect()
}

fn surfaces(mut named: BTreeSet<String>, tally: &Tally) -> Vec<NameHits> {
    named.extend(tally.surfaces.keys().cloned());
    let hits = |name: String| NameHits { hits: tally.surfaces.get(&name).copied().unwrap_or_default(), name };
    named.into_iter().map(hits).collect()
}

#[cfg(test)]
mod tests;
