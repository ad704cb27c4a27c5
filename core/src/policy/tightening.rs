//! Which raises of a walk are tightenings: steps or facts that the package does not have and without which the verdict would
//! have been milder (docs/spec/README.md, section 8).
//!
//! For that the package's own answer is computed beside ours, from the merge by key (CFG-021, CFG-022) and by its own
//! evaluation (RULE-013, RULE-014), but only when the final answer is no allow. It never influences the answer.

use super::list::RuleList;
use super::resolver::PermissionResolver;
use super::rule::{Layer, PermissionState};
use super::rule_step::{Asked, RuleAnswer};
use super::ruleset::Ruleset;
use super::surfaces::is_path_surface;
use super::trace::Tightening;

/// Spellings of a path that the package counts among its aliases (GATES-D07, POLICY-D08, BASH-D18).
const PACKAGE_ALIASES: [&str; 3] = ["POLICY-D08", "GATES-D07", "BASH-D18"];
/// Spellings of a unit that the package has instead of ours (RES-44; without what looks like comment lines: BASH-D24).
const PACKAGE_TEXTS: [&str; 4] = ["HARD-003", "BASH-D04", "BASH-D05", "BASH-D24"];

/// The raises of one walk, as far as nothing has lifted them again.
#[derive(Debug, Default)]
pub(crate) struct Raises {
    list: Vec<Raise>,
    granted: bool,
}

#[derive(Debug)]
struct Raise {
    requirement: &'static str,
    after: PermissionState,
    subject: String,
    /// A grant of the package stands behind it: there the answer is allow.
    despite_grant: bool,
}

impl Raises {
    /// A step beyond the package raised the answer.
    pub(crate) fn add(&mut self, requirement: &'static str, after: PermissionState, subject: &str) {
        self.list.push(Raise { requirement, after, subject: subject.to_owned(), despite_grant: self.granted });
    }

    /// The same where a grant would have ended the matter in the package.
    pub(crate) fn add_despite_grant(&mut self, requirement: &'static str, after: PermissionState, subject: &str) {
        self.list.push(Raise { requirement, after, subject: subject.to_owned(), despite_grant: true });
    }

    /// Something gave allow: what was raised before is void.
    pub(crate) fn granted(&mut self) {
        self.list.clear();
        self.granted = true;
    }

    /// The tightenings of a finished walk.
    pub(crate) fn conclude(
        self,
        resolver: &PermissionResolver<'_>,
        asked: &Asked<'_>,
        answer: &RuleAnswer<'_>,
        tag_state: PermissionState,
        state: PermissionState,
    ) -> Vec<Tightening> {
        if state == PermissionState::Allow {
            return Vec::new();
        }
        let package = Package {
            rules: resolver.rules,
            asked,
            permissive: resolver.permissive || resolver.permissive_lost.is_some(),
            permissive_lost: resolver.permissive_lost,
        };
        let before = package.state();
        let mut tightenings = Vec::new();
        // What the main form says, before any further spelling and before the stricter of two agents.
        let rules_state = answer.main.min(tag_state);
        if !self.granted && rules_state > before {
            tightenings.push(Tightening {
                requirement: package.requirement(answer, rules_state),
                before,
                after: rules_state,
                subject: format!("{} = {}", answer.rule.surface, answer.rule.pattern),
            });
        }
        for raise in self.list {
            let before = if raise.despite_grant { PermissionState::Allow } else { before };
            if raise.after > before {
                let Raise { requirement, after, subject, .. } = raise;
                tightenings.push(Tightening { requirement, before, after, subject });
            }
        }
        if tightenings.is_empty()
            && let Some((requirement, subject)) = package.unseen()
        {
            // What those files say to the package is not known here; that they say nothing to us is.
            tightenings.push(Tightening {
                requirement,
                before: PermissionState::Allow,
                after: state,
                subject: subject.to_owned(),
            });
        }
        tightenings
    }
}

/// What the package would say.
struct Package<'p> {
    rules: &'p Ruleset,
    asked: &'p Asked<'p>,
    permissive: bool,
    /// Why the mode is on there only.
    permissive_lost: Option<&'static str>,
}

impl Package<'_> {
    /// Its answer from rules; it has no question at all where a requirement introduced ours.
    fn state(&self) -> PermissionState {
        if self.asked.question.introduced_by.is_some() {
            return PermissionState::Allow;
        }
        let state = self.evaluate(self.rules.package_list());
        // Its permissive mode rewrites the rules (RULE-021).
        if self.permissive && state == PermissionState::Ask { PermissionState::Allow } else { state }
    }

    fn evaluate(&self, list: &RuleList) -> PermissionState {
        let question = self.asked.question;
        let options = self.rules.options();
        let own_name = question.also.first();
        let surface = own_name.map_or(self.asked.family.unwrap_or(self.asked.name), |(surface, _)| surface);
        let values = own_name.map_or_else(|| self.values(), |(_, value)| vec![value.clone()]);
        let probe = list.probe(&[surface], values, options);
        if is_path_surface(surface) {
            let found = list.last_match(std::slice::from_ref(&probe), |_| true).map(|found| found.rule.action);
            // Its path gates stay silent where no rule of theirs speaks (GATE-010); a place outside is asked about by default.
            let silent = if surface == "path" { PermissionState::Allow } else { list.default_rule().action };
            return found.unwrap_or(silent);
        }
        // RULE-013: the first value that meets more than the universal default.
        let first = probe.one_by_one().find_map(|probe| list.last_match(&[probe], |_| true));
        first.map_or(list.default_rule().action, |found| found.rule.action)
    }

    fn values(&self) -> Vec<String> {
        let further = &self.asked.question.further;
        let known = |requirements: &'static [&'static str]| {
            further.iter().filter(move |(_, by)| requirements.contains(by)).map(|(spelling, _)| spelling.clone())
        };
        let instead: Vec<String> = known(&PACKAGE_TEXTS).collect();
        if !instead.is_empty() && self.asked.name == "bash" {
            return instead;
        }
        let aliases = known(&PACKAGE_ALIASES).filter(|_| is_path_surface(self.asked.name));
        self.asked.values().iter().cloned().chain(aliases).collect()
    }

    /// Why our rules say more than its rules.
    fn requirement(&self, answer: &RuleAnswer<'_>, ours: PermissionState) -> &'static str {
        let question = self.asked.question;
        let texts = question.further.iter().map(|(_, by)| *by).find(|by| PACKAGE_TEXTS.contains(by));
        if let Some(requirement) = question.introduced_by {
            requirement
        } else if let Some(requirement) = self.permissive_lost.filter(|_| self.evaluate(self.rules.package_list()) >= ours) {
            requirement
        } else if !question.also.is_empty() {
            "HARD-026"
        } else if question.unknown_place {
            "HARD-023"
        } else if self.rules.is_from_broken_scope(answer.rule) {
            "HARD-012"
        } else if self.is_directional(answer) {
            "HARD-035"
        } else if self.evaluate(self.rules.list()) >= ours {
            // The same evaluation over our order gives our answer: it is the order that differs.
            "HARD-061"
        } else if self.asked.name == "mcp" {
            "HARD-026"
        } else {
            texts.filter(|_| self.asked.name == "bash").unwrap_or("HARD-061")
        }
    }

    /// Whether the deciding rule speaks of one direction only.
    fn is_directional(&self, answer: &RuleAnswer<'_>) -> bool {
        let Some(family) = self.asked.family else { return false };
        answer.rule.layer == Layer::Config
            && !super::wildcard::Pattern::prepare(&answer.rule.surface, self.rules.options()).matches(family)
    }

    /// Files that speak to the package and not to us.
    fn unseen(&self) -> Option<(&'static str, &'static str)> {
        if self.asked.question.introduced_by.is_some() {
            return None;
        }
        if let Some(requirement) = self.rules.rejected_by() {
            return Some((requirement, "a rejected policy file"));
        }
        self.rules.has_unread_scopes().then_some(("HARD-011", "the project's files were not read"))
    }
}
