//! "How to compare" of docs/spec/gate-cases.md.

use portcullis_conformance::compare::Texts;
use portcullis_conformance::implementation::Observation;
use serde_json::Value;

use crate::case::{Act, Case, CaseStep};
use crate::play::Played;

/// A step that is not as it has to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    /// In a few words, without anything that changes from run to run.
    pub(crate) what: String,
    /// The requirements that the case's mark or our trace names.
    pub(crate) requirements: Vec<String>,
}

/// The verdict on a call; later is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Allow,
    Ask,
    Deny,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    fn parse(word: &str) -> Self {
        match word {
            "allow" => Self::Allow,
            "ask" => Self::Ask,
            _ => Self::Deny,
        }
    }
}

fn verdict(outcome: Option<&str>, decisions: &[Value], prompts: usize) -> Verdict {
    let blocked = matches!(outcome, Some("block" | "handled"));
    let unavailable = decisions.iter().any(|event| event["resolution"] == "confirmation_unavailable");
    let last = decisions.last().map(|event| event["resolution"].as_str().unwrap_or_default());
    if blocked && (last == Some("policy_deny") || (prompts == 0 && !unavailable)) {
        Verdict::Deny
    } else if prompts > 0 || unavailable {
        Verdict::Ask
    } else {
        Verdict::Allow
    }
}

/// Differences by step, counted from 1.
pub(crate) fn judge(case: &Case, played: &Played) -> Vec<(usize, Difference)> {
    let texts = Texts::new(&played.places);
    let mut found = Vec::new();
    let mut stricter_before = false;
    for (index, (step, seen)) in case.steps.iter().zip(&played.steps).enumerate() {
        let mut named: Vec<String> = seen.tightenings.iter().map(|tightening| tightening.requirement.clone()).collect();
        // A call that ends at its shape was never judged: the end names the requirement itself.
        if seen.by.as_ref().is_some_and(|by| by.gate.as_deref() == Some("shape")) {
            named.push("HARD-063".into());
        }
        let what = match &step.act {
            Act::Do(action) if action.is_call() => call(step, seen, &named, &mut stricter_before, texts),
            _ => exposure(step, seen),
        };
        if let Some(what) = what {
            let marked = step.hardened.as_ref().and_then(|mark| mark["requirement"].as_str()).map(str::to_owned);
            let mut requirements: Vec<String> = marked.into_iter().chain(named).collect();
            requirements.dedup();
            found.push((index + 1, Difference { what, requirements }));
        }
    }
    found
}

/// Where an answer is not the recorded one. Whoever made the records has to give them again.
pub(crate) fn unlike_the_record(case: &Case, played: &Played) -> Vec<(usize, String)> {
    let texts = Texts::new(&played.places);
    let unlike = |(index, (step, seen)): (usize, (&CaseStep, &Observation))| {
        let what = match &step.act {
            // Grants are shown to nobody outside the package.
            Act::Do(action) if action.is_call() => records(step, seen, true, texts),
            _ => step.observed.get("exposed_tools").and_then(|expected| exposed(expected, seen)),
        };
        Some((index + 1, what?))
    };
    case.steps.iter().zip(&played.steps).enumerate().filter_map(unlike).collect()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn call(step: &CaseStep, seen: &Observation, named: &[String], stricter_before: &mut bool, texts: Texts<'_>) -> Option<String> {
    let package =
        verdict(step.observed["outcome"].as_str(), list(&step.observed, "decisions"), list(&step.observed, "prompts").len());
    let ours = verdict(seen.outcome.as_deref(), &seen.decisions, seen.prompts.len());
    let mark = step.hardened.as_ref();
    let marked = mark.and_then(|mark| mark["outcome"].as_str()).map(Verdict::parse);
    let milder = mark.is_some_and(|mark| mark["milder"] == Value::Bool(true));
    let words =
        |wanted: Verdict| Some(format!("verdict {} where {} is right, package {}", ours.word(), wanted.word(), package.word()));
    if milder {
        return if marked.is_none_or(|marked| marked == ours) { None } else { words(marked.unwrap_or(package)) };
    }
    if let Some(marked) = marked {
        *stricter_before |= ours > package;
        return if ours >= marked { None } else { words(marked) };
    }
    if ours > package {
        if named.is_empty() && !*stricter_before {
            return words(package).map(|words| format!("{words}, and no requirement is named"));
        }
        *stricter_before = true;
        return None;
    }
    if ours < package {
        return words(package);
    }
    if mark.is_some() {
        return None;
    }
    let difference = records(step, seen, *stricter_before, texts)?;
    // The same verdict for another reason that the trace names: one more question, another deciding unit or path.
    if named.is_empty() {
        return Some(difference);
    }
    *stricter_before |= seen.outcome.as_deref() != step.observed["outcome"].as_str();
    None
}

/// RES-30: a grant names the proven direction, the package's names the family.
fn family(surface: &str) -> &str {
    surface
        .strip_suffix("_read")
        .or_else(|| surface.strip_suffix("_write"))
        .filter(|family| matches!(*family, "path" | "external_directory"))
        .unwrap_or(surface)
}

/// Equal verdict, no mark: the records are the same.
fn records(step: &CaseStep, seen: &Observation, stricter_before: bool, texts: Texts<'_>) -> Option<String> {
    let observed = &step.observed;
    if observed["outcome"].as_str() != seen.outcome.as_deref() {
        return Some(format!("outcome {} instead of {}", seen.outcome.as_deref().unwrap_or("none"), observed["outcome"]));
    }
    decisions(list(observed, "decisions"), &seen.decisions, texts)
        .or_else(|| prompts(list(observed, "prompts"), seen, texts))
        .or_else(|| reason(list(observed, "reason_contains"), seen, texts))
        .or_else(|| if stricter_before { None } else { session_rules(observed, seen, texts) })
}

fn decisions(expected: &[Value], got: &[Value], texts: Texts<'_>) -> Option<String> {
    if expected.len() != got.len() {
        return Some(format!("{} decisions instead of {}", got.len(), expected.len()));
    }
    for (number, (expected, got)) in expected.iter().zip(got).enumerate() {
        for (key, expected) in expected.as_object().into_iter().flatten() {
            let one = serde_json::Map::from_iter([(key.clone(), expected.clone())]);
            if !texts.members(&one, got) {
                return Some(format!(
                    "decision {} has {key} {} instead of {expected}",
                    number + 1,
                    shown(&got[key.as_str()], texts)
                ));
            }
        }
    }
    None
}

fn shown(value: &Value, texts: Texts<'_>) -> String {
    texts.places().collapse(&value.to_string())
}

fn prompts(expected: &[Value], seen: &Observation, texts: Texts<'_>) -> Option<String> {
    if expected.len() != seen.prompts.len() {
        return Some(format!("{} questions instead of {}", seen.prompts.len(), expected.len()));
    }
    for (number, (expected, got)) in expected.iter().zip(&seen.prompts).enumerate() {
        if let Some(surface) = expected["asks_on"].as_str()
            && got.asks_on.as_deref() != Some(surface)
        {
            return Some(format!(
                "question {} asks on {} instead of {surface}",
                number + 1,
                got.asks_on.as_deref().unwrap_or("nothing")
            ));
        }
        for fact in list(expected, "contains").iter().filter_map(Value::as_str) {
            if !texts.contained(fact, &got.message) && !texts.contained(fact, &got.full_message) {
                return Some(format!("question {} lacks {fact:?}", number + 1));
            }
        }
    }
    None
}

fn reason(expected: &[Value], seen: &Observation, texts: Texts<'_>) -> Option<String> {
    let reason = seen.reason.as_deref().unwrap_or_default();
    expected
        .iter()
        .filter_map(Value::as_str)
        .find(|fact| !texts.contained(fact, reason))
        .map(|fact| format!("reason lacks {fact:?}"))
}

fn session_rules(observed: &Value, seen: &Observation, texts: Texts<'_>) -> Option<String> {
    let expected = observed["session_rules_after"].as_array()?;
    let got = seen.session_rules.as_deref().unwrap_or_default();
    let same = expected.len() == got.len()
        && expected.iter().zip(got).all(|(expected, got)| {
            texts.equal(expected["surface"].as_str().unwrap_or_default(), family(&got.surface))
                && texts.equal(expected["pattern"].as_str().unwrap_or_default(), &got.pattern)
        });
    if same {
        return None;
    }
    // What lies beside the session directory is named from there.
    let show = |surface: &str, pattern: &str| format!("{surface} {}", pattern.replace("${HOME}/work/", "${CWD}/../"));
    let ours: Vec<String> = got.iter().map(|grant| show(&grant.surface, &texts.places().collapse(&grant.pattern))).collect();
    let package = expected
        .iter()
        .map(|grant| show(grant["surface"].as_str().unwrap_or_default(), grant["pattern"].as_str().unwrap_or_default()));
    let package: Vec<String> = package.collect();
    Some(format!("session rules [{}] instead of [{}]", ours.join(", "), package.join(", ")))
}

fn exposure(step: &CaseStep, seen: &Observation) -> Option<String> {
    let mark = step.hardened.as_ref();
    let expected = mark.and_then(|mark| mark.get("exposed_tools")).or_else(|| step.observed.get("exposed_tools"))?;
    exposed(expected, seen)
}

fn exposed(expected: &Value, seen: &Observation) -> Option<String> {
    let expected: Vec<&str> = expected.as_array()?.iter().filter_map(Value::as_str).collect();
    let got = seen.active_tools.clone().unwrap_or_default();
    (expected != got).then(|| format!("exposed {} instead of {}", got.join(" "), expected.join(" ")))
}
