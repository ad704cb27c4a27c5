//! Every rule on the asked surface with its fate, for whoever asked for the whole story. A view of the walk that decided: it
//! uses the same probes and only adds why the others lost.

use super::rule::{PermissionState, Rule};
use super::rule_step::{Asked, RuleAnswer};
use super::ruleset::Ruleset;
use super::trace::{ConsideredRule, LossReason};

/// The rules of the surface, last first, the universal default at the end.
pub(crate) fn list(rules: &Ruleset, asked: &Asked<'_>, answer: &RuleAnswer<'_>) -> Vec<ConsideredRule> {
    let list = rules.list();
    let probes = asked.main_probes(list, rules.options());
    let spellings = asked.question.further.iter().map(|(spelling, _)| spelling.clone()).collect();
    let spellings = probes.first().map(|main| main.with_values(spellings));
    let decided = |rule: &Rule| std::ptr::eq(rule, answer.rule);
    let mut considered: Vec<ConsideredRule> = Vec::new();
    for place in list.places(&probes) {
        let Some(rule) = list.rule(place) else { continue };
        let by_main = list.first_value(&probes, place).and_then(|(probe, value)| probes.get(probe)?.value(value));
        let by_spelling = spellings.iter().find_map(|probe| {
            let (_, value) = list.first_value(std::slice::from_ref(probe), place)?;
            probe.value(value)
        });
        let matched = if decided(rule) { Some(answer.value.as_str()) } else { by_main.or(by_spelling) };
        let lost = if decided(rule) {
            None
        } else if matched.is_some() && !asked.admits(rule) {
            Some(LossReason::UnknownPlace)
        } else if by_main.is_some() {
            Some(LossReason::LaterRuleWins)
        } else if by_spelling.is_some() {
            let milder = rule.action == PermissionState::Allow || rule.is_catch_all();
            Some(if milder { LossReason::MilderSpelling } else { LossReason::LaterRuleWins })
        } else {
            Some(LossReason::PatternDoesNotMatch)
        };
        considered.push(ConsideredRule { rule: rule.clone(), matched: matched.map(str::to_owned), lost });
    }
    let default = list.default_rule();
    considered.push(ConsideredRule {
        rule: default.clone(),
        matched: asked.values().first().cloned(),
        lost: (!decided(default)).then_some(LossReason::LaterRuleWins),
    });
    considered
}
