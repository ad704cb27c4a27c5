//! How many calls were compared, how many differ, and what explains them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::Aspect;
use super::relation::{Difference, Kind};
use crate::implementation::Refusal;
use crate::requirements;
use crate::scenario::Scenario;

/// The counts of one run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Cases that were played on both.
    pub cases: usize,
    /// Calls in them.
    pub calls: usize,
    /// Steps that are alike.
    pub alike: usize,
    /// Steps that differ, and something explains it.
    pub explained: usize,
    /// Steps that differ, and nothing explains it: the first gate is milder.
    pub milder: usize,
    /// The same, and the first gate is stricter.
    pub stricter: usize,
    /// The same verdict, and something else differs.
    pub otherwise: usize,
    /// The same verdict, by what else differs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub aspects: BTreeMap<Aspect, usize>,
    /// Explained differences by requirement: how often the first gate is stricter, how often milder. A step may name several.
    pub requirements: BTreeMap<String, Counts>,
    /// Cases that one of them does not play, by reason.
    pub skipped: BTreeMap<String, usize>,
    /// Cases that one of them broke on.
    pub errors: Vec<String>,
}

/// How often a requirement explains a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// The first gate is stricter.
    pub stricter: usize,
    /// The first gate is milder.
    pub milder: usize,
}

impl Tally {
    pub(super) fn compared(&mut self, scenario: &Scenario, found: &[Difference]) {
        let calls = scenario.steps.iter().filter(|step| step.action.is_call()).count();
        self.cases += 1;
        self.calls += calls;
        let is_call = |one: &&Difference| scenario.steps.get(one.step - 1).is_some_and(|step| step.action.is_call());
        self.alike += calls - found.iter().filter(is_call).count();
        for difference in found {
            if difference.requirements.is_empty() {
                *match difference.kind {
                    Kind::Milder => &mut self.milder,
                    Kind::Stricter => &mut self.stricter,
                    Kind::Otherwise => &mut self.otherwise,
                } += 1;
                if let Some(aspect) = difference.aspect {
                    *self.aspects.entry(aspect).or_default() += 1;
                }
                continue;
            }
            self.explained += 1;
            for requirement in &difference.requirements {
                let counts = self.requirements.entry(requirement.clone()).or_default();
                *if difference.kind == Kind::Milder { &mut counts.milder } else { &mut counts.stricter } += 1;
            }
        }
    }

    pub(super) fn refused(&mut self, scenario: &Scenario, refusal: Refusal) {
        match refusal {
            Refusal::Skip(reason) => *self.skipped.entry(reason).or_default() += 1,
            Refusal::Error(message) => self.errors.push(format!("{}: {message}", scenario.name)),
        }
    }

    /// Puts the counts of another worker in.
    pub fn add(&mut self, other: Self) {
        self.cases += other.cases;
        self.calls += other.calls;
        self.alike += other.alike;
        self.explained += other.explained;
        self.milder += other.milder;
        self.stricter += other.stricter;
        self.otherwise += other.otherwise;
        for (requirement, more) in other.requirements {
            let counts = self.requirements.entry(requirement).or_default();
            (counts.stricter, counts.milder) = (counts.stricter + more.stricter, counts.milder + more.milder);
        }
        for (aspect, more) in other.aspects {
            *self.aspects.entry(aspect).or_default() += more;
        }
        for (reason, more) in other.skipped {
            *self.skipped.entry(reason).or_default() += more;
        }
        self.errors.extend(other.errors);
        self.errors.sort_unstable();
    }

    /// Whether nothing differs that nothing explains, and nobody broke.
    pub fn is_good(&self) -> bool {
        self.milder + self.stricter + self.otherwise + self.errors.len() == 0
    }

    /// The counts by requirement as a Markdown table, the most frequent first.
    pub fn table(&self) -> String {
        let mut text = String::from("| requirement | stricter | milder | says |\n| --- | ---: | ---: | --- |\n");
        let mut rows: Vec<_> = self.requirements.iter().collect();
        rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.stricter + counts.milder));
        for (id, counts) in rows {
            let known = requirements::all().iter().find(|requirement| requirement.id == id);
            let title = known.map(|requirement| requirement.title).unwrap_or_default();
            let _ = writeln!(text, "| {id} | {} | {} | {title} |", counts.stricter, counts.milder);
        }
        text
    }
}
