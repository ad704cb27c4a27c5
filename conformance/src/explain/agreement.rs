//! The explanation and the runtime agree: each tool call and each typed text of the whole suite, in the state that its scenario has
//! reached, is explained as `explain` does it, and what the gate did and left behind is compared with that.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use portcullis_core::report::CallTrace;
use pretty_assertions::assert_eq;
use serde_json::Value;

use super::{Decider, decider, gate_behind};
use crate::implementation::{Factory, Hello, Implementation, InProcess, Observation, Refusal, StepRequest, World};
use crate::load::{embedded_sources, load_all};
use crate::own_policy::Verdict;
use crate::run::{Options, run};
use crate::scenario::Capability;

/// What was found: how many calls of each verdict, and every disagreement.
#[derive(Default)]
struct Found {
    calls: BTreeMap<Verdict, usize>,
    records: usize,
    wrong: Vec<String>,
}

struct Watching {
    inner: InProcess,
    scenario: String,
    found: Arc<Mutex<Found>>,
}

struct Watch(Arc<Mutex<Found>>);

impl Factory for Watch {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        Ok(Box::new(Watching { inner: InProcess::default(), scenario: String::new(), found: Arc::clone(&self.0) }))
    }
}

impl Implementation for Watching {
    fn hello(&self) -> Hello {
        self.inner.hello()
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        self.scenario = world.scenario.clone();
        self.inner.begin(world)
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        let seen = self.inner.step(request)?;
        for one in std::iter::once(&seen).chain(seen.sessions.values()) {
            if let Some(trace) = &one.explanation {
                self.found.lock().unwrap().compare(&self.scenario, trace, one);
            }
        }
        Ok(seen)
    }

    fn end(&mut self) {
        self.inner.end();
    }
}

impl Found {
    fn compare(&mut self, scenario: &str, trace: &CallTrace, seen: &Observation) {
        let verdict = Verdict::of(trace);
        let by = decider(trace, verdict);
        *self.calls.entry(verdict).or_default() += 1;
        let wrong = &mut self.wrong;
        let mut same = |what: &str, explained: Option<&str>, done: Option<&str>| {
            if explained != done {
                wrong.push(format!("{scenario}: {what}: explained {explained:?}, done {done:?} ({verdict} by {})", by.gate));
            }
        };
        let outcome = match seen.outcome.as_deref() {
            Some("continue") => Some("allow"),
            Some("handled") => Some("block"),
            other => other,
        };
        same("outcome", Some(&trace.end.outcome), outcome);
        let text = |event: &Value, key: &str| event.get(key).and_then(Value::as_str).map(str::to_owned);
        let last = seen.decisions.last();
        match verdict {
            // The gate that ended the call is the one that decided it.
            Verdict::Allow | Verdict::Deny => {
                same("gate", Some(&by.gate), seen.by.as_ref().and_then(|by| by.gate.as_deref()));
                if let Some(gate) = gate_behind(trace, verdict).filter(|gate| gate.decision.is_some()) {
                    let wanted = if verdict == Verdict::Allow { "allow" } else { "deny" };
                    same("result", Some(wanted), last.and_then(|event| text(event, "result")).as_deref());
                    same(
                        "rule",
                        Decider::behind(gate).pattern.as_deref(),
                        last.and_then(|event| text(event, "matchedPattern")).as_deref(),
                    );
                }
            }
            // The first gate that asked is the first whose record names an answer of somebody.
            Verdict::Ask => {
                let asked = seen.decisions.iter().find(|event| {
                    text(event, "resolution").is_some_and(|word| {
                        !word.starts_with("policy_")
                            && !word.starts_with("infrastructure")
                            && word != "session_approved"
                            && word != "gate_error"
                    })
                });
                if let Some(event) = asked {
                    same("gate", Some(&by.gate), text(event, "gate").as_deref());
                    same("rule", by.pattern.as_deref(), text(event, "matchedPattern").as_deref());
                }
            }
        }
        // And each gate's record names what the explanation says of that gate.
        for gate in &trace.gates {
            let Some(decision) = gate.decision.as_ref().filter(|_| gate.deciding().is_some()) else { continue };
            self.records += 1;
            same("rule of a gate", Decider::behind(gate).pattern.as_deref(), decision.matched_pattern.as_deref());
        }
    }
}

#[test]
fn explain_and_the_runtime_agree_on_every_step_of_the_suite() {
    let scenarios = load_all(&embedded_sources()).unwrap();
    // Where answers are mocked there is no policy to explain.
    let scenarios: Vec<_> = scenarios.into_iter().filter(|scenario| !scenario.needs.contains(&Capability::MockChecks)).collect();
    let found = Arc::new(Mutex::new(Found::default()));
    let options = Options::new(4);
    let results = run(&scenarios, &Watch(Arc::clone(&found)), options, &|_| {}).unwrap();
    assert_eq!(results.iter().filter(|result| result.is_bad()).count(), 0);
    let found = found.lock().unwrap();
    assert_eq!(found.wrong, Vec::<String>::new());
    for (verdict, least) in [(Verdict::Allow, 600), (Verdict::Ask, 600), (Verdict::Deny, 400)] {
        let calls = found.calls.get(&verdict).copied().unwrap_or_default();
        assert!(calls > least, "{calls} calls of {verdict}");
    }
    assert!(found.records > 1500, "{} records", found.records);
}
