use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{Mismatch, Texts, Witnessed, compare};
use crate::implementation::{Observation, ObservedBy, ObservedPrompt, Places};
use crate::scenario::{By, EventExpectation, Expect, PromptExpectation};

fn places(windows: bool) -> Places {
    Places { cwd: "/t/home/project".into(), home: "/t/home".into(), agent_dir: "/t/home/.pi/agent".into(), windows }
}

#[rstest]
#[case("${CWD}/a", "/t/home/project/a", true)]
#[case("${HOME}/project/a", "/t/home/project/a", true)]
#[case("a${ANY}c", "abbc", true)]
#[case("a${ANY}c", "abb", false)]
#[case("${ANY}", "", true)]
#[case("${REQUEST_ID}", "1700000000000-1y69oeiy-4242", true)]
#[case("${REQUEST_ID}", "skill-input-1700000000000-1y69oeiy-4242", true)]
#[case("${REQUEST_ID}", "call-1", false)]
#[case("x ${REQUEST_ID} y", "x 1700000000000-a-1 y", true)]
#[case("$${CWD}", "${CWD}", true)]
#[case("$HOME", "$HOME", true)]
fn whole_texts(#[case] expected: &str, #[case] got: &str, #[case] same: bool) {
    assert_eq!(Texts::new(&places(false)).equal(expected, got), same);
}

#[test]
fn case_counts_but_on_windows() {
    assert!(!Texts::new(&places(false)).equal("${CWD}", "/T/HOME/PROJECT"));
    assert!(Texts::new(&places(true)).equal("${CWD}", "/T/HOME/PROJECT"));
}

#[test]
fn members_are_a_subset_and_null_may_be_absent() {
    let places = places(false);
    let texts = Texts::new(&places);
    let expected = json!({"a": null, "b": {"kind": "rule"}, "n": 1});
    let expected = expected.as_object().unwrap();
    assert!(texts.members(expected, &json!({"b": {"kind": "rule", "where": "own"}, "n": 1.0, "z": 2})));
    assert!(!texts.members(expected, &json!({"a": 1, "b": {"kind": "rule"}, "n": 1})));
}

#[test]
fn every_difference_is_named() {
    let expect = Expect {
        outcome: Some("block".into()),
        by: Some(By { rule: Some(None), gate: Some("path".into()), requirement: Some("HARD-008".into()), ..By::default() }),
        reason: vec!["rm".into()],
        prompts: Some(vec![PromptExpectation { contains: vec!["git".into()], ..PromptExpectation::default() }]),
        decisions: Some(vec![EventExpectation { members: json!({"surface": "bash"}).as_object().unwrap().clone() }]),
        ..Expect::default()
    };
    let seen = Observation {
        outcome: Some("allow".into()),
        by: Some(ObservedBy { rule: Some("*".into()), gate: Some("tool".into()), ..ObservedBy::default() }),
        prompts: vec![ObservedPrompt { message: "ls ${x} /t/home/project".into(), ..ObservedPrompt::default() }],
        decisions: vec![json!({"surface": "read", "value": "x"})],
        ..Observation::default()
    };
    let miss = |what: &str, expected: &str, got: &str| Mismatch { what: what.into(), expected: expected.into(), got: got.into() };
    assert_eq!(
        compare(&expect, &seen, &Witnessed::default(), &places(false)),
        [
            miss("outcome", "block", "allow"),
            miss("by.gate", "path", "tool"),
            miss("by.rule", "null", "*"),
            miss("by.requirement", "HARD-008", "the trace names no tightening"),
            miss("reason", "contains: rm", ""),
            miss("prompts[0]", "contains: git", "ls ${x} ${CWD}"),
            miss("decisions", "{\"surface\":\"bash\"}", "{\"surface\":\"read\"}"),
        ]
    );
}
