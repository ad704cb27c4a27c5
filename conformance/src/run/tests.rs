use std::sync::atomic::{AtomicUsize, Ordering};

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{Options, Summary, Verdict, run};
use crate::implementation::{
    Factory, Hello, Implementation, Observation, ObservedTightening, Reference, Refusal, StepRequest, World,
};
use crate::load::load_all;
use crate::scenario::{Capability, Level, Scenario};
use crate::source::SourceFile;

/// What a double does at the first tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Allows,
    Crashes,
    Panics,
    Skips,
    Throws,
    Tightens,
    LosesItsPlace,
}

#[derive(Default)]
struct Starts(AtomicUsize);

struct DoubleFactory(Does, Starts);

impl Factory for DoubleFactory {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        self.1.0.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(Double(self.0)))
    }
}

struct Double(Does);

/// What a double says of itself: all but MCP, the baseline alone.
pub(super) fn hello() -> Hello {
    Hello {
        name: "double".into(),
        version: "1".into(),
        language: "Rust".into(),
        homepage: None,
        issues: None,
        capabilities: Capability::ALL.iter().copied().filter(|capability| *capability != Capability::Mcp).collect(),
        levels: vec![Level::Baseline],
    }
}

impl Implementation for Double {
    fn hello(&self) -> Hello {
        hello()
    }

    fn begin(&mut self, _world: &World) -> Result<(), Refusal> {
        if self.0 == Does::LosesItsPlace { Err(Refusal::Error("no place".into())) } else { Ok(()) }
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        let mut seen = Observation::default();
        if !matches!(request, StepRequest::ToolCall { .. }) {
            return Ok(seen);
        }
        seen.outcome = Some("allow".into());
        match self.0 {
            Does::Allows | Does::LosesItsPlace => {}
            Does::Crashes => return Err(Refusal::Error("exit 1".into())),
            Does::Panics => panic!("oh"),
            Does::Skips => return Err(Refusal::Skip("not today".into())),
            Does::Throws => (seen.outcome, seen.reason) = (Some("error".into()), Some("boom".into())),
            Does::Tightens => seen.tightenings.push(ObservedTightening {
                requirement: "HARD-008".into(),
                before: "ask".into(),
                after: "deny".into(),
                subject: "rm".into(),
                changed_call: true,
            }),
        }
        Ok(seen)
    }

    fn end(&mut self) {}
}

fn scenarios(rest: &str) -> Vec<Scenario> {
    let text = format!(
        "suite: s\nlevel: baseline\nscenarios:\n  - id: a\n    title: t\n    covers: [CFG-001]\n    steps: [{{ bash: ls, expect: {{ prompts: [] }} }}]\n  - id: b\n    title: t\n    covers: [HARD-001]\n{rest}    steps: [{{ bash: ls, expect: {{ prompts: [] }} }}]\n"
    );
    load_all(&[SourceFile::new("s.yaml", text)]).unwrap()
}

fn words(does: Does, rest: &str, options: Options) -> (Vec<Verdict>, usize) {
    let factory = DoubleFactory(does, Starts::default());
    let results = run(&scenarios(rest), &factory, options, &|_| {}).unwrap();
    (results.into_iter().map(|result| result.verdict).collect(), factory.1.0.load(Ordering::Relaxed))
}

const ONE: Options = Options::new(1);

#[rstest]
#[case::crash(Does::Crashes, Verdict::Errored { message: "exit 1".into() }, 3)]
#[case::panic(Does::Panics, Verdict::Errored { message: "panicked: oh".into() }, 3)]
#[case::begin(Does::LosesItsPlace, Verdict::Errored { message: "no place".into() }, 3)]
#[case::skip(Does::Skips, Verdict::Skipped { reason: "not today".into() }, 1)]
#[case::pass(Does::Allows, Verdict::Passed, 1)]
fn outcomes_are_kept_apart_and_what_broke_is_started_anew(#[case] does: Does, #[case] expected: Verdict, #[case] starts: usize) {
    assert_eq!(words(does, "", ONE), (vec![expected.clone(), expected], starts));
}

#[test]
fn a_handler_that_throws_never_passes() {
    let (verdicts, _) = words(Does::Throws, "", ONE);
    let Verdict::Failed { failure } = &verdicts[0] else { panic!("{verdicts:?}") };
    assert_eq!(failure.mismatches[0].got, "error: boom");
}

#[test]
fn a_tightening_that_changed_a_baseline_call_is_a_failure_and_a_hardened_level_is_not_claimed() {
    let (verdicts, _) = words(Does::Tightens, "    level: hardened\n", ONE);
    let Verdict::Failed { failure } = &verdicts[0] else { panic!("{verdicts:?}") };
    assert_eq!(failure.mismatches[0].got, "HARD-008 raised ask to deny (rm)");
    assert_eq!(verdicts[1], Verdict::Skipped { reason: "does not claim the level hardened".into() });
}

#[test]
fn details_say_what_was_written_done_and_seen() {
    let factory = DoubleFactory(Does::Allows, Starts::default());
    let rows = scenarios("    note: n\n    given: { policy: { bash: { 'rm *': ask } }, ui: true }\n");
    let results = run(&rows, &factory, Options { details: true, ..ONE }, &|_| {}).unwrap();
    let expected = json!({
        "covers": ["HARD-001"],
        "needs": ["bash"],
        "note": "n",
        "given": { "policy": { "bash": { "rm *": "ask" } }, "ui": true },
        "steps": [{ "bash": "ls", "expect": { "prompts": [] } }],
        "played": [{ "line": 13, "action": "bash: ls", "seen": { "outcome": "allow" } }],
    });
    assert_eq!(serde_json::to_value(&results[1].details).unwrap(), expected);
    assert_eq!(run(&rows, &factory, ONE, &|_| {}).unwrap()[1].details, None);
}

#[test]
fn details_of_the_reference_carry_its_trace_and_nothing_of_this_machine() {
    let played = || {
        run(&scenarios("    given: { policy: { bash: ask } }\n"), &Reference, Options { details: true, ..ONE }, &|_| {}).unwrap()
    };
    let (results, again) = (played(), played());
    let details = results[1].details.as_deref().unwrap();
    let trace = details.played[0].trace.as_ref().unwrap();
    assert_eq!(trace["end"]["gate"], "tool");
    assert_eq!(trace["snapshot"], json!({ "agent_from_tag": false }));
    assert_eq!(details.played[0].seen.get("trace"), None);
    assert_eq!(details.played[0].seen["outcome"], "block");
    assert_eq!(Some(details), again[1].details.as_deref());
}

#[test]
fn a_missing_capability_skips_and_is_named() {
    let (verdicts, _) = words(Does::Allows, "    needs: [mcp]\n", ONE);
    assert_eq!(verdicts, [Verdict::Passed, Verdict::Skipped { reason: "needs mcp".into() }]);
}

#[test]
fn fail_fast_leaves_the_rest_unrun() {
    let options = Options { fail_fast: true, ..Options::new(1) };
    let factory = DoubleFactory(Does::Crashes, Starts::default());
    let results = run(&scenarios(""), &factory, options, &|_| {}).unwrap();
    let summary = Summary::of(&results);
    assert_eq!(summary, Summary { errored: 1, not_run: 1, ..Summary::default() });
}
