use std::sync::{Arc, Mutex};

use portcullis_core::host::{Clock as _, Waiter as _};
use pretty_assertions::assert_eq;

use super::Timeline;

type Notes = Arc<Mutex<Vec<String>>>;

fn ticking(timeline: &Timeline, group: &str, every: u64, notes: &Notes) {
    let (inside, notes, name) = (timeline.clone(), Arc::clone(notes), group.to_owned());
    timeline.spawn(group, move || {
        loop {
            inside.wait_ms(every);
            notes.lock().unwrap().push(format!("{name} {}", inside.now_ms()));
        }
    });
}

#[test]
fn everybody_wakes_at_their_time_in_order() {
    for _ in 0..20 {
        let timeline = Timeline::starting_at(0);
        let notes = Notes::default();
        ticking(&timeline, "a", 300, &notes);
        ticking(&timeline, "b", 200, &notes);
        timeline.wait_ms(650);
        assert_eq!(*notes.lock().unwrap(), ["b 200", "a 300", "b 400", "a 600", "b 600"]);
        timeline.end();
        assert_eq!(timeline.now_ms(), 650);
    }
}

#[test]
fn a_stopped_group_never_wakes_and_a_new_one_of_its_name_does() {
    let timeline = Timeline::starting_at(0);
    let notes = Notes::default();
    ticking(&timeline, "a", 100, &notes);
    timeline.wait_ms(150);
    timeline.stop("a");
    timeline.wait_ms(300);
    ticking(&timeline, "a", 500, &notes);
    timeline.wait_ms(600);
    assert_eq!(*notes.lock().unwrap(), ["a 100", "a 950"]);
    timeline.end();
}

#[test]
fn an_actor_that_ends_or_panics_holds_nobody_up() {
    let timeline = Timeline::starting_at(0);
    timeline.spawn("a", || {});
    timeline.spawn("b", || panic!("on purpose"));
    timeline.wait_ms(10);
    timeline.wait_ms(10);
    assert_eq!(timeline.now_ms(), 20);
    timeline.end();
    timeline.wait_ms(5);
    assert_eq!(timeline.now_ms(), 25);
}

#[test]
fn what_is_run_is_waited_for_unless_its_group_is_stopped() {
    let timeline = Timeline::starting_at(0);
    let inside = timeline.clone();
    assert_eq!(
        timeline.run("a", move || {
            inside.wait_ms(70);
            7
        }),
        Some(7)
    );
    assert_eq!(timeline.now_ms(), 70);
    let killer = timeline.clone();
    timeline.spawn("world", move || {
        killer.wait_ms(30);
        killer.stop("a");
    });
    let inside = timeline.clone();
    assert_eq!(timeline.run("a", move || inside.wait_ms(1_000)), None);
    assert_eq!(timeline.now_ms(), 100);
    timeline.end();
}

#[test]
fn who_waits_for_another_and_not_for_time_does_not_hold_the_word() {
    let timeline = Timeline::starting_at(0);
    let gate = Arc::new(Mutex::new(()));
    let (inside, held) = (timeline.clone(), Arc::clone(&gate));
    timeline.spawn("a", move || {
        let _held = held.lock().unwrap();
        inside.wait_ms(100);
    });
    let (inside, wanted) = (timeline.clone(), Arc::clone(&gate));
    let done = timeline.run("b", move || {
        inside.wait_ms(10);
        drop(wanted.lock().unwrap());
        true
    });
    assert_eq!(done, Some(true));
    timeline.end();
}
