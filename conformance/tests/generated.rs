//! Generated calls against gates that are wrong on purpose: 2,000 of them find each double whose fault shows in a verdict, a question or
//! an event. Those whose fault shows elsewhere, or only where generated worlds do not go, stand in a list with the reason; one that is
//! found all the same fails the test.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use portcullis_conformance::doubles::ALL;
use portcullis_conformance::implementation::{Factory as _, Reference};
use portcullis_conformance::scenario::Scenario;
use portcullis_conformance::side_by_side::generate::{Abilities, case};
use portcullis_conformance::side_by_side::{Looks, Transcript, same, transcript};
use pretty_assertions::assert_eq;

const CALLS: usize = 2000;

/// Doubles that generated calls do not find, and why.
const NOT_FOUND: &[(&str, &str)] = &[];

fn cases() -> Vec<Scenario> {
    let abilities = Abilities { trust: true, agents: true, mcp: true, skills: true, extractors: true, queries: true };
    let mut left = CALLS;
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

/// What comes of each item, by all processors, in the order of the items.
fn each<T: Sync, U: Send>(items: &[T], of: impl Fn(&T) -> U + Sync) -> Vec<U> {
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
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    let mut all = all.into_inner().unwrap_or_default();
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, came)| came).collect()
}

#[test]
#[ignore = "takes minutes without optimisation: `.ci/run doubles` plays it"]
fn generated_calls_find_the_doubles() {
    let cases = cases();
    let play = |one: &Scenario| transcript(one, Reference.start().unwrap().as_mut(), Looks::Files).unwrap();
    let reference: Vec<Transcript> = each(&cases, play);
    let in_process: Vec<_> = ALL.iter().filter(|double| !double.is_apart()).collect();
    let found = each(&in_process, |double| {
        let mut gate = double.start().unwrap();
        cases.iter().zip(&reference).any(|(one, reference)| match transcript(one, gate.as_mut(), Looks::Files) {
            Ok(seen) => !same(reference, &seen),
            Err(_) => true,
        })
    });
    let missed: Vec<&str> = in_process.iter().zip(found).filter(|(_, found)| !found).map(|(double, _)| double.name).collect();
    assert_eq!(missed, NOT_FOUND.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}
