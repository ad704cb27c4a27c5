//! Processes that are killed: by somebody else in the middle of an ask, and by themselves at each operation on the shared folders.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::world::{Counts, Running, World, assert_answered, assert_unavailable, long, prompted};

const PLACES: [&str; 3] = ["before", "inside", "after"];

/// HARD-047, FWD-D09: the child learns within seconds that nobody is there any more, and takes its request back.
#[test]
fn a_parent_is_killed_in_the_middle_of_its_asks() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut boss = world.boss(&["--answer", "approve", "--after", "60"]);
    let mut children: Vec<Running> = (0..3).map(|n| world.child(&format!("child-{n}"), "make all", 1, &[])).collect();
    boss.wait_for("prompted", 1);
    let requests = world.inbox("boss").join("requests");
    let until = Instant::now() + Duration::from_secs(30);
    let asked = |name: &&String| name.ends_with(".json") || name.ends_with(".claim");
    while crate::world::names(&requests).iter().filter(asked).count() < 3 {
        assert!(Instant::now() < until);
        thread::sleep(Duration::from_millis(5));
    }
    boss.kill();
    counts.kills += 1;
    let begun = Instant::now();
    let answers: Vec<Value> = children.iter_mut().flat_map(Running::answers).collect();
    let waited = begun.elapsed();
    counts.add(&answers);
    answers.iter().for_each(assert_unavailable);
    assert_eq!(counts.of("confirmation_unavailable (target_dead)"), 3);
    // Two seconds and a look; far from the ten minutes of an ask, on a slow machine as well.
    assert!(waited < Duration::from_secs(30), "{waited:?}");
    // Whoever serves next finds nothing to answer, and leaves nothing.
    let mut next = world.boss(&["--answer", "approve"]);
    thread::sleep(Duration::from_millis(600));
    assert!(next.end().success());
    assert_eq!(next.said("prompted"), Vec::<Value>::new());
    assert_eq!(world.left(), Vec::<String>::new());
    counts.processes = 5;
    println!("a parent is killed, {} ms until the last child knows: {counts}", waited.as_millis());
}

/// FWD-D09: a parent that comes back in time asks again what its predecessor had claimed, and the child has its answer.
#[test]
fn a_parent_that_comes_back_answers() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut boss = world.boss(&["--answer", "approve", "--after", "60"]);
    let mut child = world.child("child", "make all", 1, &[]);
    boss.wait_for("prompted", 1);
    child.hold();
    boss.kill();
    let mut next = world.boss(&["--answer", "deny"]);
    child.go_on();
    let answers = child.answers();
    counts.add(&answers);
    assert!(next.end().success());
    let prompts = next.said("prompted");
    answers.iter().for_each(|answer| assert_answered(answer, "block", &prompted(&prompts)));
    assert_eq!(answers.len(), 1);
    assert_eq!(world.left(), Vec::<String>::new());
    (counts.processes, counts.kills) = (3, 1);
    println!("a parent that comes back: {counts}");
}

/// FWD-D09: a parent is killed while another one serves the same inbox; its claim is put back, and the other one asks its person.
#[test]
fn a_parent_is_killed_beside_another() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut first = world.boss(&["--answer", "approve", "--after", "60"]);
    let mut child = world.child("child", "make all", 1, &[]);
    first.wait_for("prompted", 1);
    let mut second = world.boss(&["--answer", "deny"]);
    child.hold();
    first.kill();
    world.beats("boss", &second);
    child.go_on();
    let begun = Instant::now();
    let answers = child.answers();
    let waited = begun.elapsed();
    counts.add(&answers);
    assert!(second.end().success());
    let prompts = second.said("prompted");
    answers.iter().for_each(|answer| assert_answered(answer, "block", &prompted(&prompts)));
    assert_eq!((answers.len(), prompts.len()), (1, 1));
    assert_eq!(world.left(), Vec::<String>::new());
    (counts.processes, counts.kills) = (3, 1);
    println!("a parent is killed beside another, answered {} ms later: {counts}", waited.as_millis());
}

/// FWD-D09, HARD-042: a parent was only stopped, and others took it for dead. When it goes on, its person's yes counts for nothing:
/// the ask is not its own any more.
#[test]
fn a_parent_that_was_only_stopped() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut first = world.boss(&["--answer", "whole-session", "--after", "4"]);
    let mut child = world.child("child", "make all", 1, &[]);
    first.wait_for("prompted", 1);
    first.hold();
    child.hold();
    // As if it had been stopped for longer than a sign of life counts.
    fs::remove_file(world.inbox("boss").join("heartbeat.json")).unwrap();
    let mut second = world.boss(&["--answer", "deny", "--after", "60"]);
    second.wait_for("prompted", 1);
    first.go_on();
    world.wait_for_log("forwarded_permission.withdrawn", 1);
    child.go_on();
    second.end();
    let answers = child.answers();
    counts.add(&answers);
    assert_eq!(counts.of("confirmation_unavailable (session_ended)"), 1, "{answers:?}");
    assert!(first.end().success());
    assert_eq!(world.log("forwarded_permission.session_recorded"), Vec::<Value>::new());
    assert_eq!((first.said("prompted").len(), second.said("prompted").len()), (1, 1));
    assert_eq!(world.left(), Vec::<String>::new());
    (counts.processes, counts.faults) = (3, 1);
    println!("a parent that was only stopped: {counts}");
}

/// A child dies: while it waits, while its request lies unclaimed, and at operations of its own. Its siblings are served, and after
/// a while nothing of it is left.
#[test]
fn children_are_killed_in_the_middle_of_their_asks() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut boss = world.boss(&["--answer", "approve", "--after", "0.4"]);
    let mut killed: Vec<Running> = (0..2).map(|n| world.child(&format!("killed-{n}"), "make all", 1, &[])).collect();
    boss.wait_for("prompted", 1);
    killed.iter_mut().for_each(Running::kill);
    counts.kills += killed.len();
    let step = if long() { 1 } else { 6 };
    let mut survivors = 0;
    for place in PLACES {
        for operation in (0..).step_by(step) {
            let mut child = world.child("mortal", "make all", 1, &["--die-at", &format!("{operation}:{place}")]);
            counts.processes += 1;
            let answers = child.answers();
            if answers.is_empty() {
                counts.kills += 1;
                continue;
            }
            counts.add(&answers);
            survivors += 1;
            break;
        }
    }
    let last = world.child("sibling", "make all", 1, &[]).answers();
    counts.add(&last);
    counts.processes += 4;
    assert_eq!((survivors, counts.of("user_approved")), (3, 4), "whoever lives is answered");
    world.becomes_clean();
    assert!(boss.end().success());
    prompted(&boss.said("prompted"));
    assert_eq!(world.left(), Vec::<String>::new());
    println!("children are killed: {counts}");
}

/// A parent dies at an operation: the child has the answer that was given, or none, and the next parent goes on. At the end of all
/// worlds their folders are clean.
#[test]
fn parents_die_at_their_operations() {
    // Until the child has its answer there are about 25.
    let (last, step) = (30, if long() { 1 } else { 12 });
    let cases: Vec<(usize, &str)> = PLACES.iter().flat_map(|place| (0..last).step_by(step).map(move |n| (n, *place))).collect();
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(Counts::default()));
    let work = || {
        while let Some((operation, place)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let one = parent_dies(*operation, place);
            let mut all = counts.lock().unwrap();
            all.processes += 4;
            all.kills += usize::from(one.died);
            all.add(&one.answers);
        }
    };
    thread::scope(|scope| {
        (0..9).map(|_| scope.spawn(work)).collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap())
    });
    let counts = counts.into_inner().unwrap();
    assert_eq!(counts.asks, 2 * cases.len());
    assert!(counts.kills * 2 > cases.len(), "{counts}");
    println!("parents die at {} operations: {counts}", cases.len());
}

struct ParentDied {
    died: bool,
    answers: Vec<Value>,
}

fn parent_dies(operation: usize, place: &str) -> ParentDied {
    let world = World::new();
    let context = format!("{operation}:{place}");
    let mut boss = Running::start(world.session("boss", &["--answer", "approve", "--die-at", &context]));
    let mut child = world.child("child", "make all", 1, &["--waiting-time", "20"]);
    let mut answers = child.answers();
    let died = boss.is_over();
    boss.kill();
    let prompts = boss.said("prompted");
    let asked = prompted(&prompts);
    assert_eq!(answers.len(), 1, "{context}");
    match answers[0]["outcome"].as_str() {
        Some("allow") => assert_answered(&answers[0], "allow", &asked),
        _ => assert_unavailable(&answers[0]),
    }
    let mut next = world.boss(&["--answer", "deny"]);
    let after = world.child("child", "make more", 1, &[]).answers();
    if long() {
        world.becomes_clean();
    }
    assert!(next.end().success(), "{context}");
    let prompts = next.said("prompted");
    assert_answered(&after[0], "block", &prompted(&prompts));
    // What the dead one was writing is swept ten seconds later; nothing else is left.
    let left = world.left();
    let alive = |name: &String| !name.ends_with(".tmp") && !world.sessions().join(name).is_dir();
    assert_eq!(left.iter().filter(|name| alive(name)).collect::<Vec<_>>(), Vec::<&String>::new(), "{context}");
    answers.extend(after);
    ParentDied { died, answers }
}
