//! Two gates, the same case: what differs, and what explains it.

use std::cmp::Ordering;
use std::sync::Arc;

use super::counterfactual;
use super::gate::Gate;
use super::relation::{Difference, Kind, Relation, Side, differences, named, verdict};
use super::shrink::shrunk;
use super::tally::Tally;
use super::transcript::{Looks, SeenStep};
use crate::implementation::{Factory, Refusal};
use crate::own_policy::Verdict;
use crate::scenario::{Answer, Scenario};

/// A difference that nothing explains.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The case that showed it.
    pub number: u64,
    /// The case, or what is left of it; the last step shows the difference.
    pub scenario: Scenario,
    /// The difference.
    pub difference: Difference,
}

/// Two gates side by side. One that breaks is started anew.
pub struct Duel<'f> {
    relation: Relation,
    gates: [Arc<Gate<'f>>; 2],
}

impl<'f> Duel<'f> {
    /// Starts both when they are needed.
    pub fn new(relation: Relation, ours: &'f dyn Factory, theirs: &'f dyn Factory) -> Self {
        Self { relation, gates: [Gate::new(ours), Gate::new(theirs)] }
    }

    /// Starts both now. One that does not start is tried again when it is needed.
    pub fn start(&self) {
        for gate in &self.gates {
            let _ = gate.start();
        }
    }

    /// Another one, for another thread: on the same gates in turn where they live in other processes and run already, on others of the
    /// same kind elsewhere.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self { relation: self.relation, gates: self.gates.each_ref().map(Gate::beside) }
    }

    /// Plays one case on one gate.
    fn play(&self, second: bool, scenario: &Scenario) -> Result<super::Transcript, Refusal> {
        let looks = if self.relation == Relation::Equality { Looks::Files } else { Looks::Answers };
        let [ours, theirs] = &self.gates;
        if second { theirs } else { ours }.play(scenario, looks)
    }

    /// Where the two differ. A difference without requirements is one that nothing explains.
    pub fn differences(&self, scenario: &Scenario) -> Result<Vec<Difference>, Refusal> {
        let (ours, theirs) = (self.play(false, scenario)?, self.play(true, scenario)?);
        let mut found = differences(self.relation, scenario, &ours, &theirs);
        if self.relation == Relation::Refinement {
            for index in 0..found.len() {
                let (before, rest) = found.split_at_mut(index);
                if let Some(difference) = rest.first_mut()
                    && difference.requirements.is_empty()
                {
                    let played = [ours.as_slice(), theirs.as_slice()];
                    difference.requirements = self.explained(scenario, difference, before, played);
                }
            }
        }
        Ok(found)
    }

    /// What explains a difference that the first gate says nothing about.
    fn explained(
        &self,
        scenario: &Scenario,
        difference: &Difference,
        before: &[Difference],
        played: [&[SeenStep]; 2],
    ) -> Vec<String> {
        let mut until = scenario.clone();
        until.steps.truncate(difference.step);
        if let Some(requirement) = self.otherwise_there(&until, difference, difference.ours.verdict) {
            return vec![requirement.to_owned()];
        }
        if difference.kind == Kind::Milder
            && let Some(changed) = counterfactual::without_permissive_mode(&until)
            && let Some(ours) = self.last_verdict(false, &changed)
            && ours > difference.ours.verdict
        {
            if ours >= difference.theirs.verdict {
                return vec!["HARD-054".to_owned()];
            }
            // The mode answered what both would ask about, and something else parts them there.
            if let Some(requirement) = self.otherwise_there(&until, difference, ours) {
                return vec!["HARD-054".to_owned(), requirement.to_owned()];
            }
        }
        let earlier = self.follows(&until, difference, before, played);
        if earlier.is_empty() { self.two_things_there(&until, difference) } else { earlier }
    }

    /// Two things, of which neither alone makes the second gate answer as the first: a spelling that moves a file to where rules of
    /// another scope speak, say.
    fn two_things_there(&self, until: &Scenario, difference: &Difference) -> Vec<String> {
        for (requirement, change) in counterfactual::ALL {
            let Some(changed) = change(until, &difference.ours) else { continue };
            if let Some(other) = self.otherwise_there(&changed, difference, difference.ours.verdict) {
                let mut both = vec![requirement.to_owned(), other.to_owned()];
                both.dedup();
                return both;
            }
        }
        Vec::new()
    }

    /// The thing without which the second gate answers as this verdict of the first wants it.
    fn otherwise_there(&self, until: &Scenario, difference: &Difference, ours: Verdict) -> Option<&'static str> {
        counterfactual::ALL.into_iter().find_map(|(requirement, change)| {
            let changed = change(until, &difference.ours)?;
            let other = self.last_verdict(true, &changed)?;
            explains(difference.kind, ours, other).then_some(requirement)
        })
    }

    /// The thing without which the second gate puts no more questions in this step than the first.
    fn asks_less_there(&self, until: &Scenario, step: usize, first: &SeenStep) -> Option<&'static str> {
        let mut until = until.clone();
        until.steps.truncate(step);
        let ours = Side::of(&first.answer);
        counterfactual::ALL.into_iter().find_map(|(requirement, change)| {
            let seen = self.play(true, &change(&until, &ours)?).ok()?;
            (seen.last()?.answer.prompts.len() <= first.answer.prompts.len()).then_some(requirement)
        })
    }

    /// A grant that only one of them gave, because of an earlier difference, or of a question that only one of them put: without grants
    /// they do not differ in this way.
    fn follows(
        &self,
        until: &Scenario,
        difference: &Difference,
        before: &[Difference],
        [ours, theirs]: [&[SeenStep]; 2],
    ) -> Vec<String> {
        let is_grant = |step: usize| {
            let answers = until.steps.get(step - 1).and_then(|step| step.answers.as_ref());
            answers.is_some_and(|answers| answers.contains(&Answer::ApproveForSession))
        };
        let mut earlier: Vec<String> =
            before.iter().filter(|one| is_grant(one.step)).flat_map(|one| one.requirements.clone()).collect();
        for (index, (first, second)) in ours.iter().zip(theirs).enumerate().take(difference.step - 1) {
            if !is_grant(index + 1) {
                continue;
            }
            match first.answer.prompts.len().cmp(&second.answer.prompts.len()) {
                // One question may be about more.
                Ordering::Greater | Ordering::Equal => earlier.extend(named(&first.answer)),
                Ordering::Less => earlier.extend(self.asks_less_there(until, index + 1, first).map(str::to_owned)),
            }
        }
        earlier.sort_unstable();
        earlier.dedup();
        if earlier.is_empty() {
            return earlier;
        }
        let Some(changed) = counterfactual::without_grants(until) else { return Vec::new() };
        let sides = (self.last_verdict(false, &changed), self.last_verdict(true, &changed));
        let goes = match (difference.kind, sides) {
            (Kind::Milder, (Some(ours), Some(theirs))) => ours >= theirs,
            (Kind::Stricter, (Some(ours), Some(theirs))) => ours <= theirs,
            _ => false,
        };
        if goes { earlier } else { Vec::new() }
    }

    fn last_verdict(&self, second: bool, scenario: &Scenario) -> Option<Verdict> {
        self.play(second, scenario).ok()?.last().map(|step| verdict(&step.answer))
    }

    /// Compares one case, counts, and gives the worst of what nothing explains, as the last step.
    pub fn case(&self, number: u64, scenario: &Scenario, tally: &mut Tally) -> Option<Finding> {
        let found = match self.differences(scenario) {
            Ok(found) => found,
            Err(refusal) => {
                tally.refused(scenario, refusal);
                return None;
            }
        };
        tally.compared(scenario, &found);
        let difference = found.into_iter().filter(|one| one.requirements.is_empty()).min_by_key(|one| one.kind)?;
        let mut scenario = scenario.clone();
        scenario.steps.truncate(difference.step);
        Some(Finding { number, scenario, difference })
    }

    /// The same difference on as little as shows it.
    pub fn small(&self, finding: Finding) -> Finding {
        let (scenario, difference) = shrunk(self, &finding.scenario, finding.difference);
        Finding { number: finding.number, scenario, difference }
    }
}

fn explains(kind: Kind, ours: Verdict, other: Verdict) -> bool {
    match kind {
        Kind::Milder => other <= ours,
        Kind::Stricter => other >= ours,
        Kind::Otherwise => false,
    }
}
