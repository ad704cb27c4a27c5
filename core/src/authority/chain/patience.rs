//! Asking a link without trusting it to come back (HARD-044: one that throws or hangs defers).
//!
//! The link works in a thread of its own. Nobody waits for it longer than allowed, and it is asked nothing more until it is
//! done, so that one that hangs costs one thread and not one an ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::registry::Registered;
use super::{LinkAnswer, LinkAsk};
use crate::host::boundary::guarded;
use crate::host::{HostError, HostResult};

const WORKING: u8 = 0;
const DONE: u8 = 1;
const ABANDONED: u8 = 2;

pub(super) fn ask_link(registered: &Arc<Registered>, ask: &Arc<LinkAsk>, patience_ms: u64) -> HostResult<LinkAnswer> {
    if registered.abandoned.load(Ordering::SeqCst) > 0 {
        return Err(HostError::new("it is still busy with an earlier ask"));
    }
    let (answer, answered) = channel();
    let standing = Arc::new(AtomicU8::new(WORKING));
    let (link, asked, mine) = (Arc::clone(registered), Arc::clone(ask), Arc::clone(&standing));
    let work = move || {
        let given = guarded(|| link.link.decide(&asked));
        if mine.swap(DONE, Ordering::SeqCst) == ABANDONED {
            link.abandoned.fetch_sub(1, Ordering::SeqCst);
        }
        // Nobody may wait any more; then the answer came too late.
        let _ = answer.send(given);
    };
    thread::Builder::new()
        .name("portcullis-link".to_owned())
        .spawn(work)
        .map_err(|error| HostError::new(format!("it could not be asked: {error}")))?;
    match answered.recv_timeout(Duration::from_millis(patience_ms)) {
        Ok(given) => given,
        Err(RecvTimeoutError::Disconnected) => Err(HostError::new("it gave no answer")),
        Err(RecvTimeoutError::Timeout) => {
            // Counted first, so that whoever finds it abandoned finds it counted.
            registered.abandoned.fetch_add(1, Ordering::SeqCst);
            if standing.compare_exchange(WORKING, ABANDONED, Ordering::SeqCst, Ordering::SeqCst).is_err() {
                registered.abandoned.fetch_sub(1, Ordering::SeqCst);
            }
            Err(HostError::new(format!("it did not answer within {patience_ms} ms")))
        }
    }
}
