//! Step 1 of section 5.1: which rule answers a question (RES-14 to RES-17).

use super::list::{Found, Probe, RuleList};
use super::question::Question;
use super::rule::{Direction, Layer, PermissionState, Rule};
use super::ruleset::Ruleset;
use super::surfaces::{direction_of, family_of, is_path_surface, members_of};
use super::wildcard::MatchOptions;
use crate::text::js_trim;

/// A question put to one surface or member.
pub(crate) struct Asked<'q> {
    pub(crate) question: &'q Question,
    /// The surface whose rules are looked up: the member of a family, else the surface, trimmed.
    pub(crate) name: &'q str,
    pub(crate) family: Option<&'static str>,
    pub(crate) direction: Option<Direction>,
    values: Vec<String>,
}

impl<'q> Asked<'q> {
    pub(crate) fn new(question: &'q Question, name: &'q str) -> Self {
        // A question without a value is asked with `*` (RULE-015).
        let values = if question.values.is_empty() { vec!["*".to_owned()] } else { question.values.clone() };
        Self { question, name, family: family_of(name), direction: direction_of(name), values }
    }

    /// The surface as asked, trimmed.
    pub(crate) fn trimmed(&self) -> &str {
        js_trim(&self.question.surface)
    }

    /// A rule applies when its surface matches one of these (RES-05).
    pub(crate) fn names(&self) -> Vec<&str> {
        std::iter::once(self.name).chain(self.family).collect()
    }

    /// The members that were not asked.
    pub(crate) fn other_members(&self) -> Vec<&'static str> {
        let all = self.family.map_or(&[][..], |family| members_of(family, None));
        all.iter().copied().filter(|member| *member != self.name).collect()
    }

    /// The main form.
    pub(crate) fn values(&self) -> &[String] {
        &self.values
    }

    /// What grants are compared with (RES-30).
    pub(crate) fn grant_values(&self) -> &[String] {
        self.question.grant_values.as_deref().unwrap_or(&self.values)
    }

    pub(crate) fn is_path_family(&self) -> bool {
        self.family == Some("path")
    }

    pub(crate) fn is_protected(&self) -> bool {
        use super::question::FloorKind::ProtectedPath;
        self.question.protected || self.question.floors.iter().any(|floor| floor.kind == ProtectedPath)
    }

    /// Where the main form is looked up.
    pub(crate) fn main_probes(&self, list: &RuleList, options: &MatchOptions) -> Vec<Probe> {
        let main = list.probe(&self.names(), self.values.clone(), options);
        let also = self.question.also.iter();
        let also = also.map(|(surface, value)| list.probe(&[surface.as_str()], vec![value.clone()], options));
        std::iter::once(main).chain(also).collect()
    }

    /// Whether a rule may answer at all: of an unknown place, an allow only as catch-all or default (RES-51).
    pub(crate) fn admits(&self, rule: &Rule) -> bool {
        !self.question.unknown_place || rule.action != PermissionState::Allow || rule.is_catch_all()
    }

    /// Whether the rule that decides a further spelling may count (RES-14): a deny does, an ask unless it is a catch-all.
    ///
    /// Of another text for the same thing, a catch-all or the default says nothing that it did not say of the main form, and
    /// a rule that allowed that stands behind it. The default is silent on `path` (GATE-010). A home form is no text that a
    /// home-anchored pattern could mean, because patterns are expanded.
    pub(crate) fn spelling_counts(&self, spelling: &str, by: &str, rule: &Rule) -> bool {
        let default = rule.layer == Layer::Default;
        let home_form = is_path_surface(self.name) && (spelling.starts_with('~') || spelling.starts_with("$HOME"));
        if default && self.is_path_family() || (default || rule.is_catch_all()) && (home_form || SAME_THING.contains(&by)) {
            return false;
        }
        match rule.action {
            PermissionState::Allow => false,
            PermissionState::Ask => !rule.is_catch_all(),
            PermissionState::Deny => true,
        }
    }
}

/// Spellings that are other texts of one thing. The others name another place, or the text that the package has instead.
const SAME_THING: [&str; 4] = ["POLICY-D08", "HARD-003", "HARD-027", "HARD-055"];

/// The last rule that applies. What is left of a broken file restricts and does nothing else (RES-06): an ask of it does not
/// take the place of a deny that stands without the file.
fn last_match<'r>(rules: &'r Ruleset, probes: &[Probe], asked: &Asked<'_>) -> Option<Found<'r>> {
    let list = rules.list();
    let found = list.last_match(probes, |rule| asked.admits(rule))?;
    if found.rule.action != PermissionState::Ask || !rules.is_from_broken_scope(found.rule) {
        return Some(found);
    }
    let without = list.last_match(probes, |rule| asked.admits(rule) && !rules.is_from_broken_scope(rule));
    Some(without.filter(|without| without.rule.action == PermissionState::Deny).unwrap_or(found))
}

/// The rule that answered, and how.
pub(crate) struct RuleAnswer<'r> {
    pub(crate) rule: &'r Rule,
    /// The value it applies to.
    pub(crate) value: String,
    /// What the main form alone gave.
    pub(crate) main: PermissionState,
    /// The further spelling that was stricter than the main form, with its requirement.
    spelling: Option<&'static str>,
    /// The value belongs to another surface than the one asked (RES-16).
    by_own_name: bool,
}

impl<'r> RuleAnswer<'r> {
    /// Looks the question up: the main form first, then each further spelling by itself (RES-14).
    pub(crate) fn find(rules: &'r Ruleset, asked: &Asked<'_>) -> Self {
        let list = rules.list();
        let probes = asked.main_probes(list, rules.options());
        let found = last_match(rules, &probes, asked);
        let mut answer = Self::of(list, found, &probes, asked);
        for (spelling, requirement) in &asked.question.further {
            let Some(probe) = probes.first().map(|main| main.with_values(vec![spelling.clone()])) else { continue };
            let found = last_match(rules, &[probe], asked).map(|found| found.rule);
            let rule = found.unwrap_or_else(|| list.default_rule());
            if rule.action > answer.state() && asked.spelling_counts(spelling, requirement, rule) {
                answer = Self { rule, value: spelling.clone(), spelling: Some(requirement), by_own_name: false, ..answer };
            }
        }
        answer
    }

    fn of(list: &'r RuleList, found: Option<Found<'r>>, probes: &[Probe], asked: &Asked<'_>) -> Self {
        let value_of = |found: Found<'_>| probes.get(found.probe)?.value(found.value).map(str::to_owned);
        let rule = found.map_or_else(|| list.default_rule(), |found| found.rule);
        Self {
            rule,
            value: found.and_then(value_of).or_else(|| asked.values().first().cloned()).unwrap_or_default(),
            main: rule.action,
            spelling: None,
            by_own_name: found.is_some_and(|found| found.probe > 0),
        }
    }

    pub(crate) fn state(&self) -> PermissionState {
        self.rule.action
    }

    /// The requirement of the spelling that decided, and the spelling.
    pub(crate) fn spelled_by(&self) -> Option<(&'static str, &str)> {
        self.spelling.map(|requirement| (requirement, self.value.as_str()))
    }

    /// The value to show: a native MCP tool that its own rules decide is shown by its first name (RES-16).
    pub(crate) fn shown_value(&self, asked: &Asked<'_>) -> String {
        if self.by_own_name { asked.values().first().cloned().unwrap_or_default() } else { self.value.clone() }
    }
}
