//! Generated calls against gates that are wrong on purpose: 2,000 of them find each double whose fault shows in a verdict, a question or
//! an event. Those whose fault shows elsewhere, or only where generated worlds do not go, say so in the table of doubles; one that is
//! found all the same has no business to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::{ALL, Double};
use crate::implementation::{Factory, Implementation, Reference};
use crate::run::INTERRUPTED;
use crate::scenario::Scenario;
use crate::side_by_side::generate::{Abilities, case};
use crate::side_by_side::{Looks, Transcript, same, transcript};

/// How many calls are generated.
pub const GENERATED_CALLS: usize = 2000;

/// How a double came through the generated calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generated {
    /// Its name.
    pub name: &'static str,
    /// Whether a call gave it away.
    pub found: bool,
    /// Why no call should.
    pub excuse: Option<&'static str>,
}

impl Generated {
    /// Whether it is as the table of doubles says.
    pub fn is_as_expected(&self) -> bool {
        self.found == self.excuse.is_none()
    }
}

/// Plays the calls on all doubles that live in this process. An error when the reference itself gives no answer.
pub fn generated(jobs: usize) -> Result<Vec<Generated>, String> {
    let cases = cases();
    let mut reference = Vec::new();
    for transcript in each(&cases, jobs, |one| played(one, Reference.start()?.as_mut())) {
        reference.push(transcript?);
    }
    let in_process: Vec<&Double> = ALL.iter().filter(|double| !double.is_apart()).collect();
    let judged = each(&in_process, jobs, |double| {
        let mut gate = double.start()?;
        let differs = |(one, reference): (&Scenario, &Transcript)| {
            !INTERRUPTED.load(Ordering::Relaxed) && played(one, gate.as_mut()).map_or(true, |seen| !same(reference, &seen))
        };
        let found = cases.iter().zip(&reference).any(differs);
        Ok(Generated { name: double.name, found, excuse: double.hidden })
    });
    judged.into_iter().collect()
}

fn played(one: &Scenario, gate: &mut dyn Implementation) -> Result<Transcript, String> {
    transcript(one, gate, Looks::Files).map_err(|refusal| format!("{}: {refusal:?}", one.name))
}

fn cases() -> Vec<Scenario> {
    let abilities =
        Abilities { trust: true, agents: true, mcp: true, skills: true, extractors: true, queries: true, directions: true };
    let mut left = GENERATED_CALLS;
    let mut all = Vec::new();
    for number in 0.. {
        if left == 0 {
            break;
        }
        let one = case(1, number, abilities);
        left = left.saturating_sub(one.steps.iter().filter(|step| step.action.is_call()).count());
        all.push(one);
    }
    all
}

/// What comes of each item, by several workers, in the order of the items.
fn each<T: Sync, U: Send>(items: &[T], jobs: usize, of: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let next = AtomicUsize::new(0);
    let all: Mutex<Vec<(usize, U)>> = Mutex::default();
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let came = of(item);
            all.lock().unwrap_or_else(PoisonError::into_inner).push((index, came));
        }
    };
    thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(worker))));
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, came)| came).collect()
}
