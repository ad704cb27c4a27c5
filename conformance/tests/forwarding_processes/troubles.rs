//! Folders that cannot be written, vanish, or are none: an ask is answered or unavailable, and never a yes that nobody gave.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::Value;

use crate::world::{Counts, Running, World, assert_answered, assert_unavailable, long, names, prompted};

/// The same command in a process that can create files and write nothing into them, as on a full disk.
fn without_space(command: &Command) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    limited
}

/// INBOX-015, FWD-002: a child that cannot write asks nobody; its siblings are not concerned.
#[test]
fn a_child_without_space() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut boss = world.boss(&["--answer", "approve"]);
    let command = world.session("full", &["--parent", "boss", "--repeat", "2", "make all"]);
    let answers = Running::start(without_space(&command)).answers();
    counts.add(&answers);
    answers.iter().for_each(assert_unavailable);
    assert_eq!(counts.of("confirmation_unavailable (write_failed)"), 2);
    let after = world.child("child", "make all", 1, &[]).answers();
    counts.add(&after);
    assert_eq!(counts.of("user_approved"), 1);
    assert!(boss.end().success());
    assert_eq!(boss.said("prompted").len(), 1);
    assert_eq!(world.left(), Vec::<String>::new());
    (counts.processes, counts.faults) = (3, 2);
    println!("a child without space: {counts}");
}

/// A parent that cannot write its sign of life is not there.
#[test]
fn a_parent_without_space() {
    let (world, mut counts) = (World::new(), Counts::default());
    let mut boss = Running::start(without_space(&world.session("boss", &["--answer", "approve"]))).ready();
    let answers = world.child("child", "make all", 1, &[]).answers();
    counts.add(&answers);
    assert_eq!(counts.of("confirmation_unavailable (target_absent)"), 1);
    assert!(boss.end().success());
    assert_eq!(world.left(), Vec::<String>::new());
    (counts.processes, counts.faults) = (2, 1);
    println!("a parent without space: {counts}");
}

/// The whole tree is swept away again and again while asks are under way (FWD-022, INBOX-015).
#[test]
fn folders_that_vanish() {
    let (world, mut counts) = (World::new(), Counts::default());
    let (children, times) = if long() { (6, 30) } else { (3, 5) };
    let mut boss = world.boss(&["--answer", "approve", "--after", "0.03"]);
    let (over, sweeps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let answers: Vec<Value> = thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(700));
                // Somebody may write into it at the same moment.
                let _ = fs::remove_dir_all(world.sessions());
                sweeps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let mut running: Vec<Running> =
            (0..children).map(|n| world.child(&format!("child-{n}"), "make all", times, &["--waiting-time", "2"])).collect();
        let answers = running.iter_mut().flat_map(Running::answers).collect();
        over.store(true, Ordering::Relaxed);
        answers
    });
    counts.add(&answers);
    assert_eq!(answers.len(), children * times);
    world.beats("boss", &boss);
    let last = world.child("last", "make all", 1, &[]).answers();
    assert_eq!(last[0]["resolution"], "user_approved", "all is well again");
    if long() {
        world.becomes_clean();
    }
    assert!(boss.end().success());
    let prompts = boss.said("prompted");
    let asked = prompted(&prompts);
    for answer in &answers {
        match answer["outcome"].as_str() {
            Some("allow") => assert_answered(answer, "allow", &asked),
            _ => assert_unavailable(answer),
        }
    }
    // An answer that came after its child gave up is swept ten seconds later; nothing else is left.
    let late = |name: &String| name.starts_with("boss/responses/") || world.sessions().join(name).is_dir();
    assert!(world.left().iter().all(late), "{:?}", world.left());
    counts.processes = children + 2;
    counts.faults = sweeps.into_inner();
    println!("folders that vanish: {counts}");
}

/// FWD-023, FWD-D08: what stands where a folder should be is not written through.
#[rstest]
#[case::a_file_for_requests("requests", false)]
#[case::a_link_for_requests("requests", true)]
#[case::a_file_for_responses("responses", false)]
#[case::a_link_for_responses("responses", true)]
fn no_folder_but_something_else(#[case] folder: &str, #[case] link: bool) {
    let (world, mut counts) = (World::new(), Counts::default());
    fs::create_dir_all(world.outside()).unwrap();
    let mut boss = world.boss(&["--answer", "approve"]);
    let place = world.inbox("boss").join(folder);
    if link {
        symlink(world.outside(), &place).unwrap();
    } else {
        fs::write(&place, "x").unwrap();
    }
    let answers = world.child("child", "make all", 1, &[]).answers();
    counts.add(&answers);
    answers.iter().for_each(assert_unavailable);
    assert_eq!(counts.of("confirmation_unavailable (write_failed)"), 1);
    assert_eq!(names(&world.outside()), Vec::<String>::new());
    fs::remove_file(&place).unwrap();
    let after = world.child("child", "make all", 1, &[]).answers();
    counts.add(&after);
    assert_eq!(counts.of("user_approved"), 1);
    assert!(boss.end().success());
    assert_eq!(world.left(), Vec::<String>::new());
    (counts.processes, counts.faults) = (3, 1);
    println!("no folder {folder}, link {link}: {counts}");
}
