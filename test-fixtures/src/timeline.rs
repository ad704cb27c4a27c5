//! Time that stands still until everybody waits for it.
//!
//! Sessions that ask each other run in threads of their own, and yet one after the other: whoever waits gives the word to the one whose
//! time comes next, and the clock jumps there. So ten minutes pass at once, and every run of a test is the same.
//!
//! What happens again and again ([`Timeline::every`]) is done by whoever has the word just then, where it cannot take time: to hand the
//! word to another thread and back costs more than most of what is done with it.

mod state;
mod threads;

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portcullis_core::host::{Bell, Clock, Waiter};

use state::{Next, OUTSIDE, Recurring, State};

/// Somebody who holds the word for so long waits for something that neither the clock nor a bell of it knows of. The word goes on without
/// them.
const BLOCKED: Duration = Duration::from_secs(2);
/// How long the end waits for threads that are blocked for good.
const GRACE: Duration = Duration::from_secs(5);

/// A clock, a way to wait, and the threads that do. Clones share it. The thread that made it is the one outside: it has the word unless
/// it waits.
///
/// ```
/// use portcullis_core::host::{Clock, Waiter};
/// use portcullis_test_fixtures::Timeline;
/// use std::sync::{Arc, Mutex};
///
/// let timeline = Timeline::starting_at(1_700_000_000_000);
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let (inside, notes) = (timeline.clone(), Arc::clone(&seen));
/// timeline.spawn("other", move || {
///     inside.wait_ms(500);
///     notes.lock().unwrap().push("other at 500");
/// });
/// timeline.wait_ms(600_000);
/// seen.lock().unwrap().push("this at 600000");
/// assert_eq!(*seen.lock().unwrap(), ["other at 500", "this at 600000"]);
/// assert_eq!(timeline.now_ms(), 1_700_000_600_000);
/// ```
#[derive(Debug, Clone)]
pub struct Timeline {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Wakes the one outside.
    outside: Arc<Condvar>,
}

/// What an actor is thrown out with when everything is over.
struct Over;

/// When something that happens again and again happens first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// When somebody waits.
    Now,
    /// When its time is over for the first time.
    Later,
}

impl Timeline {
    /// A clock that starts here (milliseconds since 1970). The calling thread has the word.
    pub fn starting_at(start_ms: u64) -> Self {
        Self { shared: Arc::new(Shared { state: Mutex::new(State::new(start_ms)), outside: Arc::default() }) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts an actor; it gets the word when somebody waits. All of a group can be stopped at once.
    pub fn spawn(&self, group: &str, act: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        let number = self.start(&mut state, group, act);
        state.enqueue(number, 0);
    }

    /// Does this again and again, with so many milliseconds between the end of one time and the next. `is_idle` says whether it is sure to
    /// take no time just now, so that whoever has the word can do it in passing; what may have to wait gets a thread.
    ///
    /// ```
    /// use portcullis_core::host::{Clock, Waiter};
    /// use portcullis_test_fixtures::{First, Timeline};
    /// use std::sync::{Arc, Mutex};
    ///
    /// let timeline = Timeline::starting_at(0);
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let (clock, notes) = (timeline.clone(), Arc::clone(&seen));
    /// timeline.every("other", 200, First::Later, || true, move || notes.lock().unwrap().push(clock.now_ms()));
    /// timeline.wait_ms(500);
    /// assert_eq!(*seen.lock().unwrap(), [200, 400]);
    /// # timeline.end();
    /// ```
    pub fn every(
        &self,
        group: &str,
        milliseconds: u64,
        first: First,
        is_idle: impl Fn() -> bool + Send + Sync + 'static,
        act: impl Fn() + Send + Sync + 'static,
    ) {
        self.lock().add_recurring(Recurring {
            group: group.to_owned(),
            milliseconds,
            begins: first == First::Later,
            is_idle: Arc::new(is_idle),
            act: Arc::new(act),
        });
    }

    /// A thread for an actor. It asks for the word at once, which it does not have yet.
    fn start(&self, state: &mut State, group: &str, act: impl FnOnce() + Send + 'static) -> u64 {
        let (number, me) = state.add_actor(group);
        let timeline = self.clone();
        threads::run(Box::new(move || {
            let _known = me.set(thread::current().id());
            // Whatever an actor does, the word goes on.
            let _ended = panic::catch_unwind(AssertUnwindSafe(|| {
                timeline.await_word(number);
                act();
            }));
            let mut state = timeline.lock();
            state.ended(number);
            if state.has_word(number) {
                timeline.go_on(state, number);
            }
        }));
        number
    }

    /// Lets an actor do this and waits for it, as long as it takes; for the one outside. `None`: its group was stopped first, or it panicked.
    pub fn run<T: Send + 'static>(&self, group: &str, act: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let slot = Arc::new(Mutex::new(None));
        let result = Arc::clone(&slot);
        let mut state = self.lock();
        let actor = self.start(&mut state, group, move || {
            let value = act();
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        });
        state.enqueue(actor, 0);
        state.join(actor);
        self.go_on(state, OUTSIDE);
        self.await_word(OUTSIDE);
        slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Stops all actors of a group where they are, as if their process had been killed. One that has the word goes on until it waits.
    /// Actors that are started later are not concerned.
    pub fn stop(&self, group: &str) {
        // What they hold may hold this clock, and is let go where no lock is held.
        let _stopped = self.lock().stop(group);
    }

    /// Ends every actor: those that wait are thrown out of what they do. Time passes for nobody but the one outside afterwards.
    pub fn end(&self) {
        let _done = self.lock().end();
        let until = Instant::now() + GRACE;
        while !self.lock().all_ended() && Instant::now() < until {
            thread::sleep(Duration::from_micros(50));
        }
    }

    /// The word goes to whoever's time comes next. `me` does in passing what comes before that.
    fn go_on<'a>(&'a self, mut state: MutexGuard<'a, State>, me: u64) {
        while let Next::Recurring(number, recurring) = state.pass_on() {
            // It keeps the word in the meantime, so that nobody takes it.
            state.begin_passing(me);
            drop(state);
            let is_idle = panic::catch_unwind(AssertUnwindSafe(|| (recurring.is_idle)())).unwrap_or(false);
            let done = is_idle.then(|| panic::catch_unwind(AssertUnwindSafe(|| (recurring.act)())).is_ok());
            state = self.lock();
            state.end_passing();
            match done {
                None => {
                    let (timeline, act) = (self.clone(), Arc::clone(&recurring.act));
                    let actor = self.start(&mut state, &recurring.group, move || {
                        act();
                        timeline.lock().again(number);
                    });
                    state.give_word(actor);
                    break;
                }
                Some(true) => state.again(number),
                // As an actor that panics: it happens no more.
                Some(false) => {}
            }
        }
        let wake = state.speaker_bell(&self.shared.outside);
        drop(state);
        // Without the lock: whoever wakes needs it at once.
        if let Some(wake) = wake {
            wake.notify_all();
        }
    }

    #[expect(clippy::panic, reason = "whoever says falsely that nothing waits has to hear of it, and nobody else can say it")]
    fn await_word(&self, actor: u64) {
        let mut state = self.lock();
        let wake = state.bell_of(actor, &self.shared.outside);
        while !state.may_speak(actor) {
            let turns = state.turns();
            let (again, waited) = wake.wait_timeout(state, BLOCKED).unwrap_or_else(PoisonError::into_inner);
            state = again;
            // Only the one outside looks after the others.
            if actor == OUTSIDE && waited.timed_out() && state.turns() == turns {
                self.go_on(state, OUTSIDE);
                state = self.lock();
            }
        }
        let (is_over, is_misused) = (state.is_over(), state.is_misused());
        drop(state);
        if is_over && actor != OUTSIDE {
            panic::resume_unwind(Box::new(Over));
        }
        if is_misused && actor == OUTSIDE {
            panic!("something that was to take no time waited for some");
        }
    }
}

impl Waiter for Timeline {
    fn wait_ms(&self, milliseconds: u64) {
        let mut state = self.lock();
        let me = state.me();
        if state.is_over() && me == OUTSIDE {
            state.pass(milliseconds);
            return;
        }
        if state.waits_in_passing() {
            return;
        }
        state.enqueue(me, milliseconds);
        // Who was taken for blocked has lost the word already; perhaps nobody took it up.
        if state.has_word(me) {
            self.go_on(state, me);
        } else {
            drop(state);
        }
        self.await_word(me);
    }

    fn bell(&self) -> Arc<dyn Bell> {
        let number = self.lock().add_bell();
        Arc::new(TimelineBell { timeline: self.clone(), number })
    }
}

/// Who waits for it gives the word away, and gets it again in their turn once it has rung.
struct TimelineBell {
    timeline: Timeline,
    number: usize,
}

impl Bell for TimelineBell {
    fn rings(&self) -> u64 {
        self.timeline.lock().rings(self.number)
    }

    fn ring(&self) {
        self.timeline.lock().ring(self.number);
    }

    fn wait(&self, heard: u64) {
        let mut state = self.timeline.lock();
        let me = state.me();
        if state.rings(self.number) != heard || state.waits_in_passing() {
            return;
        }
        state.listen(self.number, me);
        if state.has_word(me) {
            self.timeline.go_on(state, me);
        } else {
            drop(state);
        }
        self.timeline.await_word(me);
    }
}

impl Clock for Timeline {
    fn now_ms(&self) -> u64 {
        self.lock().now()
    }
}

#[cfg(test)]
mod tests;
