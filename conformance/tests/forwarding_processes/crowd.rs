//! Many children of one parent, and two parents on one inbox: every ask is answered, once, and by the answer that was given to it.

use std::collections::BTreeMap;

use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::world::{Counts, Running, World, assert_answered, long, prompted};

const CHILDREN: usize = 8;

fn asks_each() -> usize {
    if long() { 50 } else { 6 }
}

/// `approve` and `deny` in turns, so that an answer that reaches the wrong child shows.
fn alternating(count: usize) -> Vec<&'static str> {
    (0..count).flat_map(|index| ["--answer", if index % 2 == 0 { "approve" } else { "deny" }]).collect()
}

fn children(world: &World, count: usize, times: usize) -> Vec<Running> {
    (0..count).map(|number| world.child(&format!("child-{number}"), &format!("make part-{number}"), times, &[])).collect()
}

/// FWD-010, INBOX-004, HARD-050: nothing is lost, doubled or mixed up between siblings.
#[test]
fn one_parent_and_eight_children() {
    let (world, mut counts) = (World::new(), Counts::default());
    let all = CHILDREN * asks_each();
    let mut boss = world.boss(&alternating(all));
    let mut children = children(&world, CHILDREN, asks_each());
    counts.processes = 1 + children.len();
    let answers: Vec<Value> = children.iter_mut().flat_map(Running::answers).collect();
    counts.add(&answers);
    assert!(boss.end().success());
    let prompts = boss.said("prompted");
    let asked = prompted(&prompts);
    let given: BTreeMap<&str, &str> =
        asked.iter().enumerate().map(|(index, id)| (*id, if index % 2 == 0 { "allow" } else { "block" })).collect();
    assert_eq!((answers.len(), asked.len(), given.len()), (all, all, all));
    for answer in &answers {
        assert_answered(answer, given[answer["requestId"].as_str().unwrap()], &asked);
    }
    assert_eq!(world.left(), Vec::<String>::new());
    for event in ["request_created", "prompted", "response_received"] {
        assert_eq!(world.log(&format!("forwarded_permission.{event}")).len(), all, "{event}");
    }
    assert_eq!((counts.of("user_approved"), counts.of("user_denied")), (all / 2, all / 2));
    println!("one parent and eight children: {counts}");
}

/// FWD-021: whoever claims a request answers it; the other one leaves it alone.
#[test]
fn two_parents_on_one_inbox() {
    let (world, mut counts) = (World::new(), Counts::default());
    let (count, times) = if long() { (8, 25) } else { (4, 6) };
    let mut parents = [world.boss(&["--answer", "approve"]), world.boss(&["--answer", "approve"])];
    let mut children = children(&world, count, times);
    counts.processes = parents.len() + children.len();
    let answers: Vec<Value> = children.iter_mut().flat_map(Running::answers).collect();
    counts.add(&answers);
    // The first one ends; the other one goes on, and its sign of life stays.
    assert!(parents[0].end().success());
    let last = world.child("late", "make late", 2, &[]).answers();
    counts.add(&last);
    assert!(parents[1].end().success());
    let prompts = parents.each_ref().map(|parent| parent.said("prompted"));
    let shares = prompts.each_ref().map(Vec::len);
    last.iter().for_each(|answer| assert_answered(answer, "allow", &prompted(&prompts[1])));
    let both = prompts.concat();
    let asked = prompted(&both);
    assert_eq!((answers.len(), last.len(), asked.len()), (count * times, 2, count * times + 2));
    for answer in &answers {
        assert_answered(answer, "allow", &asked);
    }
    assert_eq!(world.left(), Vec::<String>::new());
    println!("two parents on one inbox, {shares:?} asks each: {counts}");
}

/// HARD-050: a session that is told to end ends its asks itself, and takes its files along.
#[test]
fn sessions_that_are_told_to_end() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut boss = world.boss(&["--answer", "approve", "--after", "60"]);
    let mut child = world.child("child", "make all", 1, &[]);
    boss.wait_for("prompted", 1);
    child.end();
    let answers = child.said("asked");
    counts.add(&answers);
    assert_eq!(counts.of("confirmation_unavailable (session_ended)"), 1, "{answers:?}");
    assert!(boss.end().success());
    assert_eq!(world.left(), Vec::<String>::new());
    counts.processes = 2;
    println!("sessions that are told to end: {counts}");
}

/// A person at a terminal: an unknown key is asked for again, a reason travels, and after the last line every question is dismissed.
#[test]
fn a_parent_whose_person_types() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut boss = Running::typing(world.session("boss", &[]), "x\ny\nr\n  too risky \n").ready();
    let answers = world.child("child", "make all", 3, &[]).answers();
    counts.add(&answers);
    let said: Vec<(&str, Option<&str>)> =
        answers.iter().map(|answer| (answer["outcome"].as_str().unwrap(), answer["decidedBy"]["reason"].as_str())).collect();
    assert_eq!(said, [("allow", None), ("block", Some("too risky")), ("block", None)]);
    assert!(boss.end().success());
    assert_eq!(world.left(), Vec::<String>::new());
    counts.processes = 2;
    println!("a parent whose person types: {counts}");
}
