//! A clock that only waiting moves, and waiting that lets others have their turn (FIX-008).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_core::host::{Clock, Waiter};

/// A clock that stands still until somebody moves it. Clones are the same clock.
#[derive(Debug, Clone)]
pub struct VirtualClock(Arc<AtomicU64>);

impl Default for VirtualClock {
    fn default() -> Self {
        Self::at(1_700_000_000_000)
    }
}

impl VirtualClock {
    /// A clock that stands here (milliseconds since 1970).
    pub fn at(now_ms: u64) -> Self {
        Self(Arc::new(AtomicU64::new(now_ms)))
    }

    /// Lets time pass.
    pub fn advance(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

impl Clock for VirtualClock {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

type Turn = Arc<dyn Fn() + Send + Sync>;
type Event = Box<dyn FnOnce() + Send>;

/// Waiting that moves a [`VirtualClock`]: due events happen, then every other session has its turn once, in the order in which
/// they joined. A turn that waits itself lets the others go on, but is not entered a second time.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use portcullis_core::host::{Clock, Waiter};
/// use portcullis_test_fixtures::{VirtualClock, VirtualWaiter};
///
/// let clock = VirtualClock::at(0);
/// let waiter = VirtualWaiter::new(&clock);
/// let turns = Arc::new(AtomicU64::new(0));
/// let counter = Arc::clone(&turns);
/// waiter.on_turn(move || {
///     counter.fetch_add(1, Ordering::Relaxed);
/// });
/// waiter.wait_ms(250);
/// waiter.wait_ms(250);
/// assert_eq!((clock.now_ms(), turns.load(Ordering::Relaxed)), (500, 2));
/// ```
pub struct VirtualWaiter {
    clock: VirtualClock,
    turns: Mutex<Vec<(Turn, Arc<AtomicBool>)>>,
    events: Mutex<Vec<(u64, Event)>>,
    waits: Mutex<Vec<u64>>,
}

impl VirtualWaiter {
    /// Waiting that moves this clock.
    pub fn new(clock: &VirtualClock) -> Self {
        Self { clock: clock.clone(), turns: Mutex::default(), events: Mutex::default(), waits: Mutex::default() }
    }

    /// Somebody joins who has a turn whenever anybody waits.
    pub fn on_turn(&self, turn: impl Fn() + Send + Sync + 'static) {
        lock(&self.turns).push((Arc::new(turn), Arc::default()));
    }

    /// Something happens once, when the clock reaches this time during a wait, before the turns.
    pub fn at(&self, time_ms: u64, event: impl FnOnce() + Send + 'static) {
        lock(&self.events).push((time_ms, Box::new(event)));
    }

    /// Something happens once, when so much time has passed from now.
    pub fn after(&self, milliseconds: u64, event: impl FnOnce() + Send + 'static) {
        self.at(self.clock.now_ms().saturating_add(milliseconds), event);
    }

    /// Everybody has a turn without time passing.
    pub fn turn(&self) {
        let turns = lock(&self.turns).clone();
        for (turn, busy) in turns {
            if !busy.swap(true, Ordering::SeqCst) {
                let _free = Free(&busy);
                turn();
            }
        }
    }

    /// All waits so far, in milliseconds.
    pub fn waits(&self) -> Vec<u64> {
        lock(&self.waits).clone()
    }

    fn take_due(&self) -> Option<Event> {
        let mut events = lock(&self.events);
        let now = self.clock.now_ms();
        let due = events.iter().enumerate().filter(|(_, (time, _))| *time <= now).min_by_key(|(_, (time, _))| *time);
        let index = due.map(|(index, _)| index)?;
        Some(events.remove(index).1)
    }
}

impl Waiter for VirtualWaiter {
    fn wait_ms(&self, milliseconds: u64) {
        lock(&self.waits).push(milliseconds);
        self.clock.advance(milliseconds);
        while let Some(event) = self.take_due() {
            event();
        }
        self.turn();
    }
}

struct Free<'a>(&'a AtomicBool);

impl Drop for Free<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Weak;

    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_turn_that_waits_lets_others_go_on_and_is_not_entered_twice() {
        let clock = VirtualClock::at(0);
        let waiter = Arc::new(VirtualWaiter::new(&clock));
        let log = Arc::new(Mutex::new(Vec::new()));
        let (first, weak): (_, Weak<VirtualWaiter>) = (Arc::clone(&log), Arc::downgrade(&waiter));
        waiter.on_turn(move || {
            lock(&first).push("parent begins");
            if let Some(waiter) = weak.upgrade() {
                waiter.wait_ms(10);
            }
            lock(&first).push("parent ends");
        });
        let second = Arc::clone(&log);
        waiter.on_turn(move || lock(&second).push("sibling"));
        waiter.wait_ms(5);
        assert_eq!(*lock(&log), ["parent begins", "sibling", "parent ends", "sibling"]);
        assert_eq!((clock.now_ms(), waiter.waits()), (15, vec![5, 10]));
    }

    #[test]
    fn events_happen_once_in_the_order_of_their_time() {
        let clock = VirtualClock::at(100);
        let waiter = VirtualWaiter::new(&clock);
        let log = Arc::new(Mutex::new(Vec::new()));
        for (after, name) in [(20, "late"), (10, "early"), (21, "never")] {
            let log = Arc::clone(&log);
            waiter.after(after, move || lock(&log).push(name));
        }
        waiter.wait_ms(20);
        waiter.wait_ms(0);
        assert_eq!(*lock(&log), ["early", "late"]);
    }
}
