//! Threads that are used again: most actors live for a few microseconds.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// The threads that have nothing to do.
static IDLE: Mutex<Vec<Sender<Job>>> = Mutex::new(Vec::new());

/// Does it in another thread.
pub(super) fn run(job: Job) {
    let mut job = job;
    loop {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(idle) = idle else { break };
        match idle.send(job) {
            Ok(()) => return,
            Err(unsent) => job = unsent.0,
        }
    }
    let (send, jobs) = channel::<Job>();
    thread::spawn(move || {
        let mut next = Some(job);
        while let Some(job) = next {
            job();
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(send.clone());
            next = jobs.recv().ok();
        }
    });
}
