//! Makes a case small: steps, rules, files and words go as long as the difference stays.

use serde_json::Value;

use super::duel::Duel;
use super::relation::Difference;
use crate::scenario::{Action, Answer, Policy, Scenario};

/// More comparisons are not spent on one case.
const BUDGET: usize = 400;

/// What is left of a case when nothing more can go, and the difference on it.
pub(super) fn shrunk(duel: &Duel<'_>, scenario: &Scenario, difference: Difference) -> (Scenario, Difference) {
    let mut small = (scenario.clone(), difference);
    let mut budget = BUDGET;
    let mut until = small.0.clone();
    until.steps.truncate(small.1.step);
    accept(duel, &mut small, until, &mut budget);
    loop {
        let before = small.0.clone();
        for way in [fewer_steps, fewer_things, fewer_rules, fewer_words] {
            // Whatever goes makes the list of what can go another one.
            let mut at = 0;
            while let Some(candidate) = way(&small.0).into_iter().nth(at) {
                if budget == 0 {
                    return small;
                }
                if !accept(duel, &mut small, candidate, &mut budget) {
                    at += 1;
                }
            }
        }
        if small.0 == before {
            return small;
        }
    }
}

/// Takes a candidate that still shows the difference on its last step.
fn accept(duel: &Duel<'_>, small: &mut (Scenario, Difference), candidate: Scenario, budget: &mut usize) -> bool {
    *budget = budget.saturating_sub(1);
    let Ok(found) = duel.differences(&candidate) else { return false };
    let last = candidate.steps.len();
    let same = |one: &Difference| one.step == last && one.requirements.is_empty() && one.mark() == small.1.mark();
    match found.into_iter().find(same) {
        Some(difference) => {
            *small = (candidate, difference);
            true
        }
        None => false,
    }
}

fn with(scenario: &Scenario, change: impl FnOnce(&mut Scenario)) -> Scenario {
    let mut changed = scenario.clone();
    change(&mut changed);
    changed
}

/// One earlier step less; fewer answers.
fn fewer_steps(scenario: &Scenario) -> Vec<Scenario> {
    let earlier = 0..scenario.steps.len().saturating_sub(1);
    let mut all: Vec<Scenario> = earlier
        .map(|index| {
            with(scenario, |changed| {
                changed.steps.remove(index);
            })
        })
        .collect();
    for (index, step) in scenario.steps.iter().enumerate() {
        if step.answers.as_ref().is_some_and(|answers| answers.len() > 1) {
            all.push(with(scenario, |changed| {
                if let Some(answers) = changed.steps.get_mut(index).and_then(|step| step.answers.as_mut()) {
                    answers.truncate(1);
                }
            }));
        }
        if step.answers.as_ref().is_some_and(|answers| answers.first() != Some(&Answer::Deny) && !answers.is_empty()) {
            all.push(with(scenario, |changed| {
                if let Some(step) = changed.steps.get_mut(index) {
                    step.answers = None;
                }
            }));
        }
    }
    all
}

/// Whether a thing is there, and how it goes.
type Part = (bool, fn(&mut Scenario));

/// Things of the world, one at a time.
fn fewer_things(scenario: &Scenario) -> Vec<Scenario> {
    let given = &scenario.given;
    let mut all = Vec::new();
    if given.files.len() > 3 {
        all.push(with(scenario, |changed| changed.given.files.clear()));
    }
    for index in 0..given.files.len() {
        all.push(with(scenario, |changed| {
            changed.given.files.remove(index);
        }));
    }
    let parts: [Part; 8] = [
        (given.agent.is_some(), |changed| changed.given.agent = None),
        (given.config.is_some(), |changed| changed.given.config = None),
        (given.tools.is_some(), |changed| changed.given.tools = None),
        (given.mcp_servers.is_some(), |changed| changed.given.mcp_servers = None),
        (!given.skills.is_empty(), |changed| changed.given.skills.clear()),
        (!given.extractors.is_empty(), |changed| changed.given.extractors.clear()),
        (given.policy.project.is_some(), |changed| changed.given.policy.project = None),
        (given.trusted != crate::scenario::Trusted::Yes, |changed| changed.given.trusted = crate::scenario::Trusted::Yes),
    ];
    all.extend(parts.into_iter().filter(|(there, _)| *there).map(|(_, go)| with(scenario, go)));
    for index in 0..given.policy.agents.len() {
        all.push(with(scenario, |changed| {
            changed.given.policy.agents.remove(index);
        }));
    }
    for index in 0..given.policy.project_agents.len() {
        all.push(with(scenario, |changed| {
            changed.given.policy.project_agents.remove(index);
        }));
    }
    all
}

/// Surfaces, then patterns, one at a time.
fn fewer_rules(scenario: &Scenario) -> Vec<Scenario> {
    let mut all = Vec::new();
    for (scope, map) in scopes(&scenario.given.policy).into_iter().enumerate() {
        for (surface, rules) in map.as_object().into_iter().flatten() {
            all.push(with(scenario, |changed| {
                edit(&mut changed.given.policy, scope, |map| {
                    map.as_object_mut().and_then(|map| map.shift_remove(surface));
                });
            }));
            for pattern in rules.as_object().into_iter().flatten().map(|(pattern, _)| pattern) {
                all.push(with(scenario, |changed| {
                    edit(&mut changed.given.policy, scope, |map| {
                        let rules = map.get_mut(surface).and_then(Value::as_object_mut);
                        rules.and_then(|rules| rules.shift_remove(pattern));
                    });
                }));
            }
        }
    }
    all
}

fn scopes(policy: &Policy) -> Vec<&Value> {
    policy.maps().collect()
}

fn edit(policy: &mut Policy, scope: usize, change: impl FnOnce(&mut Value)) {
    let agents = policy.agents.iter_mut().chain(&mut policy.project_agents).map(|(_, map)| map);
    if let Some(map) = policy.global.iter_mut().chain(&mut policy.project).chain(agents).nth(scope) {
        change(map);
    }
}

/// Commands without some of their words: long stretches first.
fn fewer_words(scenario: &Scenario) -> Vec<Scenario> {
    let mut all = Vec::new();
    for (index, step) in scenario.steps.iter().enumerate() {
        let Action::Tool { input, .. } = &step.action else { continue };
        let Some((key, text)) = ["command", "line"].into_iter().find_map(|key| Some((key, input.get(key)?.as_str()?))) else {
            continue;
        };
        for shorter in without_words(text) {
            all.push(with(scenario, |changed| {
                if let Some(Action::Tool { input, .. }) = changed.steps.get_mut(index).map(|step| &mut step.action)
                    && let Some(command) = input.get_mut(key)
                {
                    *command = shorter.into();
                }
            }));
        }
    }
    all
}

/// The line without one stretch of words; each length is half of the one before.
fn without_words(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let mut all = Vec::new();
    let mut length = words.len() / 2;
    while length > 0 {
        for start in (0..words.len()).step_by(length) {
            let kept = words.iter().enumerate().filter(|(at, _)| *at < start || *at >= start + length).map(|(_, word)| *word);
            let shorter = kept.collect::<String>().trim_end().to_owned();
            if !shorter.is_empty() {
                all.push(shorter);
            }
        }
        length /= 2;
    }
    all
}
