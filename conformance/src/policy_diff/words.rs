//! What a restricting pattern on `path` does beside deciding: a bare word of a command that it matches is a path (RULE-023), and a
//! word below a directory that nobody knows may be what it speaks of (RES-51). Both hold whatever a later rule says, so a rule
//! that decides nothing may still be missed.

use portcullis_core::policy::PermissionState;

use super::lists::BUDGET;
use super::shapes::{BareWord, PlainPath};
use super::surfaces::Surface;
use super::{Side, Way, WordChange};
use crate::own_policy::{Call, Verdict};
use crate::pattern_set::{Answer, PatternSet, Search, Shape};
use crate::report::quoted;

/// Words that only one of the policies takes for paths, at most one for each way and reason, where nothing else shows them.
pub(super) fn words(old: &Side<'_>, new: &Side<'_>) -> Result<Vec<WordChange>, String> {
    let mut found = Vec::new();
    for (way, strict, mild) in [(Way::Loosened, old, new), (Way::Tightened, new, old)] {
        for call in [promoted(strict, mild), below_unknown(strict, mild)].into_iter().flatten() {
            let asked = Call::from_words("bash", std::slice::from_ref(&call)).map_err(|fault| fault.message)?;
            let whole: [Verdict; 2] = [old.judge.judge(&asked)?.verdict, new.judge.judge(&asked)?.verdict];
            found.push(WordChange { way, call: ["bash".to_owned(), call], whole });
        }
    }
    Ok(found)
}

/// A command with a word that is a restricted path under one policy and no path under the other.
fn promoted(strict: &Side<'_>, mild: &Side<'_>) -> Option<String> {
    let of = |side: &Side<'_>| side.rules.iter().filter(|rule| rule.rule.promotes_words()).map(|rule| rule.set.clone()).collect();
    let (targets, over): (Vec<PatternSet>, Vec<PatternSet>) = (of(strict), of(mild));
    let restricted = members().map(|surface| {
        let items = strict.items(&strict.on(&surface), true);
        items.into_iter().map(|item| (item.state != PermissionState::Allow, item.set)).collect::<Vec<_>>()
    });
    restricted
        .iter()
        .find_map(|list| {
            let list: Vec<(&PatternSet, bool)> = list.iter().map(|(restricts, set)| (set, *restricts)).collect();
            only_in(&targets, &over, &list, &BareWord)
        })
        .map(|word| format!("cat {}", quoted(&word)))
}

fn members() -> [Surface; 2] {
    ["path_read", "path_write"].map(|name| Surface { name: name.to_owned(), stands_for: None })
}

/// Whether every word that is a path is restricted: a lone star behind all that allows something.
fn restricts_all(side: &Side<'_>) -> bool {
    members().iter().all(|surface| {
        let rules = side.on(surface);
        let behind = rules.iter().rev().take_while(|(_, state)| *state != PermissionState::Allow);
        behind.into_iter().any(|(rule, _)| &*rule.rule.pattern == "*")
    })
}

/// A command with a word that a pattern may speak of, below a directory that nobody knows.
fn below_unknown(strict: &Side<'_>, mild: &Side<'_>) -> Option<String> {
    if restricts_all(mild) {
        return None;
    }
    let of = |side: &Side<'_>| {
        let rules = side.rules.iter().filter(|rule| rule.rule.restricts_unknown_places(&rule.surface));
        rules.map(|rule| rule.set.clone()).collect()
    };
    let (targets, over): (Vec<PatternSet>, Vec<PatternSet>) = (of(strict), of(mild));
    let all = PatternSet::everything();
    let path = only_in(&targets, &over, &[(&all, true)], &PlainPath { absolute: true })?;
    let word = path.rsplit('/').next().unwrap_or_default();
    Some(format!("cd \"$SOMEWHERE\" && cat {}", quoted(&format!("./{word}"))))
}

/// A shortest value of these patterns and none of those, for which the list ends on a marked entry. What would take more work than
/// allowed counts as found, by an example of the pattern.
fn only_in(targets: &[PatternSet], over: &[PatternSet], list: &[(&PatternSet, bool)], shape: &dyn Shape) -> Option<String> {
    let new = targets.iter().filter(|target| !over.contains(target));
    let search = |target: &PatternSet| {
        let search = Search { target, over: over.iter().collect(), last_of: list.to_vec(), shape, budget: BUDGET };
        match search.find() {
            Answer::Witness(value) => Some(value),
            Answer::None => None,
            Answer::Undecided => target.example("x"),
        }
    };
    new.filter_map(search).min_by_key(|value| (value.chars().count(), value.clone()))
}
