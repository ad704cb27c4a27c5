//! Which few rules would have removed most prompts. A rule is put behind all others, so it may take nothing that is denied
//! today; that is decided over every value. How many prompts it removes is counted by the reference under that very policy.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::sync::Arc;

use portcullis_core::host::Platform;
use portcullis_core::policy::surfaces::members_of;
use portcullis_core::policy::{Layer, Origin, PermissionState, Rule, Ruleset};
use serde::Serialize;

use super::Asking;
use crate::lint::CheckedRule;
use crate::own_policy::{Call, Judge, JudgeOptions, PolicyFiles, PolicySource, Verdict};
use crate::pattern_set::{Answer, AnyText, PatternSet, Search};
use crate::policy_diff::{Item, Surface, allowed_anew};

/// How many candidates are put to the reference.
const CANDIDATES: usize = 40;

/// How many different calls are put to it for each.
const CALLS: usize = 300;

/// What removes fewer prompts is not worth a rule.
const FEWEST: u64 = 2;

/// How many values that nobody asked for are shown with a rule.
const MOST_ELSE: usize = 3;

/// How much work it is worth to find a deny.
const BUDGET: usize = 3_000_000;

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// Its surface.
    pub surface: String,
    /// Its pattern; the answer is `allow`.
    pub pattern: String,
    /// How many of the recorded requests would go ahead by it that ask without it, beside those of the rules before it.
    pub requests: u64,
    /// Shortest values that it would allow as well and that nobody has asked for.
    #[serde(rename = "alsoAllows")]
    pub also_allows: Vec<String>,
}

type Key = (String, String);

/// At most so many rules, each the best beside those before it.
pub(super) fn suggest(
    options: &JudgeOptions,
    asking: &HashMap<[String; 2], Asking>,
    most: usize,
) -> Result<Vec<Suggestion>, String> {
    let judge = Judge::new(options.clone());
    let snapshot = judge.policy();
    let matching = judge.match_options();
    let rules: Vec<CheckedRule> = Ruleset::compose(&snapshot.scopes, matching.clone())
        .rules()
        .iter()
        .map(|rule| CheckedRule::new(rule, &matching))
        .collect();
    let checked = |key: &Key| CheckedRule::new(&new_rule(key), &matching);

    // Calls in a fixed order, the frequent ones first; a call that one grant would settle names its candidate.
    let mut calls: Vec<(&[String; 2], &Asking)> = asking.iter().collect();
    calls.sort_by(|a, b| (b.1.times, a.0).cmp(&(a.1.times, b.0)));
    let mut hoped: BTreeMap<Key, u64> = BTreeMap::new();
    for (call, asked) in &calls {
        if let [grant] = asked.grants.as_slice()
            && let [(surface, pattern)] = grant.as_slice()
        {
            *hoped.entry((surface.clone(), pattern.clone())).or_default() += asked.times;
            // Where the pattern takes too much, the call itself may do.
            let [kind, argument] = call;
            if kind == surface && !argument.contains(['*', '?', '~', '$']) {
                hoped.entry((surface.clone(), argument.clone())).or_default();
            }
        }
    }
    let mut candidates: Vec<(Key, u64)> = hoped.into_iter().collect();
    candidates.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    let mut taken: Vec<(Key, BTreeSet<usize>)> = Vec::new();
    for (key, _) in
        candidates.into_iter().filter(|(key, _)| !overrides_a_deny(&judge, &rules, &checked(key), &key.0)).take(CANDIDATES)
    {
        let removed = removed_by(options, &key, &calls)?;
        if !removed.is_empty() {
            taken.push((key, removed));
        }
    }
    let times = |calls_of: &BTreeSet<usize>, done: &BTreeSet<usize>| -> u64 {
        calls_of.difference(done).filter_map(|at| calls.get(*at)).map(|(_, asked)| asked.times).sum()
    };
    let mut done: BTreeSet<usize> = BTreeSet::new();
    let mut found = Vec::new();
    while found.len() < most {
        // The best; among equals the narrower, so that a word is not opened for the sake of one call.
        let best = taken.iter().max_by_key(|((_, pattern), calls_of)| {
            (times(calls_of, &done), !pattern.contains('*'), std::cmp::Reverse(pattern.clone()))
        });
        let Some((key, removed)) = best.filter(|(_, removed)| times(removed, &done) >= FEWEST) else { break };
        let asked: Vec<&str> =
            removed.iter().filter_map(|at| calls.get(*at)).map(|([_, argument], _)| argument.as_str()).collect();
        found.push(Suggestion {
            surface: key.0.clone(),
            pattern: key.1.clone(),
            requests: times(removed, &done),
            also_allows: also_allows(&judge, &rules, &checked(key), &key.0, &asked),
        });
        done.extend(removed.iter().copied());
    }
    Ok(found)
}

fn new_rule((surface, pattern): &Key) -> Rule {
    Rule {
        surface: Arc::from(surface.as_str()),
        pattern: Arc::from(pattern.as_str()),
        action: PermissionState::Allow,
        reason: None,
        layer: Layer::Config,
        origin: Origin::Agent,
        location: None,
    }
}

/// The surfaces that a rule reaches: itself, or the members of its family.
fn reached(surface: &str) -> Vec<Surface> {
    let members = members_of(surface, None);
    let names = if members.is_empty() { vec![surface] } else { members.to_vec() };
    names.into_iter().map(|name| Surface { name: name.to_owned(), stands_for: None }).collect()
}

/// The rules on a surface with their values, in the spellings in which a place below the session directory is asked.
fn items(judge: &Judge, rules: &[&CheckedRule], below: bool) -> Vec<Item> {
    let cwd = judge.options().cwd.trim_end_matches('/');
    let set = |rule: &CheckedRule| if below { rule.set.clone().or(rule.set.after(&format!("{cwd}/"))) } else { rule.set.clone() };
    rules.iter().map(|rule| Item::new(set(rule), rule.rule.action)).collect()
}

/// Whether the rule, put last, would take anything that is denied today. In doubt it would.
fn overrides_a_deny(judge: &Judge, rules: &[CheckedRule], candidate: &CheckedRule, surface: &str) -> bool {
    let all = |surface: &Surface| {
        let applies = |rule: &&CheckedRule| rule.rule.layer == Layer::Default || rule.is_on(&surface.name);
        let here: Vec<&CheckedRule> = rules.iter().filter(applies).collect();
        let below = if surface.is_about_paths() && judge.match_options().platform == Platform::Posix {
            vec![false, true]
        } else {
            vec![false]
        };
        below.into_iter().any(|below| {
            let list = items(judge, &here, below);
            let target = items(judge, &[candidate], below);
            let Some(target) = target.first() else { return true };
            let last_of: Vec<(&PatternSet, bool)> =
                list.iter().map(|item| (&item.set, item.state == PermissionState::Deny)).collect();
            if !last_of.iter().any(|(_, denies)| *denies) {
                return false;
            }
            let search = Search { target: &target.set, over: Vec::new(), last_of, shape: &AnyText, budget: BUDGET };
            search.find() != Answer::None
        })
    };
    reached(surface).iter().any(all)
}

/// The calls that would go ahead with the rule behind all others, by their place in the list.
fn removed_by(options: &JudgeOptions, key: &Key, calls: &[(&[String; 2], &Asking)]) -> Result<BTreeSet<usize>, String> {
    let PolicySource::Files(files) = &options.source else {
        return Err("rules are suggested for policy files that are named with --policy".into());
    };
    let cannot = |error: std::io::Error| format!("no temporary folder: {error}");
    let folder = tempfile::tempdir().map_err(cannot)?;
    let file = folder.path().join("suggested.md");
    // The agent's scope comes last.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let text = format!("---\npermission:\n  {}:\n    {}: allow\n---\n", quoted(&key.0), quoted(&key.1));
    fs::write(&file, text).map_err(cannot)?;
    let judge = Judge::new(JudgeOptions {
        source: PolicySource::Files(PolicyFiles { agent: Some(file), ..files.clone() }),
        agent: Some("suggested".into()),
        ..options.clone()
    });
    if judge.policy().clamp() {
        // A pattern that cannot be written there.
        return Ok(BTreeSet::new());
    }
    let host = judge.session(std::iter::empty());
    let mut removed = BTreeSet::new();
    let likely =
        calls.iter().enumerate().filter(|(_, (_, asked))| asked.grants.iter().flatten().any(|(surface, _)| *surface == key.0));
    for (at, ([kind, argument], _)) in likely.take(CALLS) {
        let Ok(call) = Call::from_words(kind, std::slice::from_ref(argument)) else { continue };
        if judge.judge_in(&host, &call)?.verdict == Verdict::Allow {
            removed.insert(at);
        }
    }
    Ok(removed)
}

fn also_allows(judge: &Judge, rules: &[CheckedRule], candidate: &CheckedRule, surface: &str, asked: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let cwd = judge.options().cwd.trim_end_matches('/').to_owned();
    for surface in reached(surface) {
        let applies = |rule: &&CheckedRule| rule.rule.layer == Layer::Default || rule.is_on(&surface.name);
        let mut here: Vec<&CheckedRule> = rules.iter().filter(applies).collect();
        here.push(candidate);
        for room in surface.rooms(&cwd, judge.match_options().platform) {
            let list = items(judge, &here, room.below);
            while found.len() < MOST_ELSE {
                let mut without: Vec<PatternSet> = room.without.clone();
                without.extend(asked.iter().copied().chain(found.iter().map(String::as_str)).map(PatternSet::literal));
                let Some(value) = allowed_anew(&list, room.shape, &without) else { break };
                found.push(value);
            }
        }
    }
    found
}
