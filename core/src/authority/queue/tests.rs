use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use pretty_assertions::assert_eq;

use super::PromptQueue;

/// Waits until this many asks stand in the line; the queue itself offers no other sign.
fn wait_for_line(queue: &PromptQueue, length: usize) {
    for _ in 0..2000 {
        if queue.pending() == length {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("the line never reached {length}");
}

#[test]
fn hard_050_turns_are_taken_in_the_order_of_arrival() {
    let queue = Arc::new(PromptQueue::new());
    let shown = Arc::new(Mutex::new(Vec::new()));
    let first = queue.take_turn().unwrap().unwrap();
    let mut others = Vec::new();
    for name in ["second", "third", "fourth"] {
        let (line, log) = (Arc::clone(&queue), Arc::clone(&shown));
        let waiting = queue.pending();
        others.push(thread::spawn(move || {
            let _turn = line.take_turn().unwrap().unwrap();
            log.lock().unwrap().push(name);
        }));
        wait_for_line(&queue, waiting + 1);
    }
    assert_eq!(*shown.lock().unwrap(), Vec::<&str>::new());
    drop(first);
    for other in others {
        other.join().unwrap();
    }
    assert_eq!(*shown.lock().unwrap(), ["second", "third", "fourth"]);
    assert_eq!(queue.pending(), 0);
}

#[test]
fn res_63_the_end_of_the_session_sends_everybody_away() {
    let queue = Arc::new(PromptQueue::new());
    let shown = queue.take_turn().unwrap().unwrap();
    let waiting = {
        let line = Arc::clone(&queue);
        thread::spawn(move || line.take_turn().unwrap().is_none())
    };
    wait_for_line(&queue, 2);
    queue.end_session();
    assert!(waiting.join().unwrap());
    assert!(shown.session_ended());
    // The next session does not wait for a dialog of the last one, and the old turn takes nothing away from it.
    let (told, hear) = mpsc::channel();
    let line = Arc::clone(&queue);
    let next = thread::spawn(move || {
        let turn = line.take_turn().unwrap().unwrap();
        told.send(()).unwrap();
        turn.session_ended()
    });
    hear.recv().unwrap();
    drop(shown);
    assert!(!next.join().unwrap());
}

#[test]
fn an_ask_from_inside_a_dialog_is_an_error_and_no_standstill() {
    let queue = PromptQueue::new();
    let turn = queue.take_turn().unwrap().unwrap();
    assert_eq!(queue.take_turn().unwrap_err().message, "a prompt cannot be opened from inside another prompt");
    drop(turn);
    assert!(queue.take_turn().unwrap().is_some());
}
