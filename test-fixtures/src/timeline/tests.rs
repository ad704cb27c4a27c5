use std::sync::{Arc, Mutex};

use portcullis_core::host::{Bell, Clock as _, Waiter as _};
use pretty_assertions::assert_eq;

use super::{First, Timeline};

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

fn recurring(timeline: &Timeline, group: &str, every: u64, first: First, notes: &Notes, is_idle: bool, takes: u64) {
    let (inside, notes, name) = (timeline.clone(), Arc::clone(notes), group.to_owned());
    timeline.every(
        group,
        every,
        first,
        move || is_idle,
        move || {
            if takes > 0 {
                inside.wait_ms(takes);
            }
            notes.lock().unwrap().push(format!("{name} {}", inside.now_ms()));
        },
    );
}

#[test]
fn what_recurs_happens_in_its_turn_with_or_without_a_thread() {
    for is_idle in [true, false] {
        let timeline = Timeline::starting_at(0);
        let notes = Notes::default();
        recurring(&timeline, "later", 300, First::Later, &notes, is_idle, 0);
        recurring(&timeline, "now", 200, First::Now, &notes, is_idle, 0);
        ticking(&timeline, "actor", 300, &notes);
        timeline.wait_ms(650);
        let order = ["now 0", "now 200", "later 300", "actor 300", "now 400", "later 600", "actor 600", "now 600"];
        assert_eq!(*notes.lock().unwrap(), order, "{is_idle}");
        timeline.stop("now");
        timeline.wait_ms(300);
        assert_eq!(notes.lock().unwrap().get(order.len()..).unwrap(), ["later 900", "actor 900"], "{is_idle}");
        timeline.end();
    }
}

#[test]
fn what_recurs_and_takes_time_waits_from_its_end_on() {
    let timeline = Timeline::starting_at(0);
    let notes = Notes::default();
    recurring(&timeline, "slow", 100, First::Later, &notes, false, 70);
    timeline.wait_ms(400);
    assert_eq!(*notes.lock().unwrap(), ["slow 170", "slow 340"]);
    timeline.end();
}

#[test]
#[should_panic(expected = "something that was to take no time waited for some")]
fn what_waits_in_passing_is_told() {
    let timeline = Timeline::starting_at(0);
    recurring(&timeline, "liar", 100, First::Now, &Notes::default(), true, 1);
    timeline.wait_ms(10);
}

#[test]
fn who_waits_for_a_bell_wakes_when_it_rings_and_time_goes_on() {
    let timeline = Timeline::starting_at(0);
    let bell: Arc<dyn Bell> = timeline.bell();
    let notes = Notes::default();
    let (inside, heard, log) = (timeline.clone(), Arc::clone(&bell), Arc::clone(&notes));
    timeline.spawn("listener", move || {
        heard.wait(0);
        log.lock().unwrap().push(format!("rang at {}", inside.now_ms()));
    });
    let (inside, ringing) = (timeline.clone(), Arc::clone(&bell));
    timeline.spawn("ringer", move || {
        inside.wait_ms(30_000);
        ringing.ring();
    });
    timeline.wait_ms(60_000);
    assert_eq!(*notes.lock().unwrap(), ["rang at 30000"]);
    // A ring that was missed is no reason to wait.
    bell.wait(0);
    assert_eq!((bell.rings(), timeline.now_ms()), (1, 60_000));
    timeline.end();
}
