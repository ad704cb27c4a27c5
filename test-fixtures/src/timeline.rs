//! Time that stands still until everybody waits for it.
//!
//! Sessions that ask each other run in threads of their own, and yet one after the other: whoever waits gives the word to the one whose
//! time comes next, and the clock jumps there. So ten minutes pass at once, and every run of a test is the same.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, ThreadId};
use std::time::{Duration, Instant};

use portcullis_core::host::{Clock, Waiter};

/// Somebody who holds the word for so long waits for something that is no time: another's dialog, say. The word goes on without them.
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
    outside: Condvar,
}

impl Shared {
    /// Wakes whoever has the word now, and nobody else.
    fn wake_speaker(&self, state: &State) {
        match state.speaker {
            Some(OUTSIDE) => self.outside.notify_all(),
            Some(speaker) => state.actor(speaker).into_iter().for_each(|actor| actor.wake.notify_all()),
            None => {}
        }
    }
}

/// The one outside.
const OUTSIDE: u64 = 0;

#[derive(Debug)]
struct Actor {
    number: u64,
    thread: ThreadId,
    group: String,
    wake: Arc<Condvar>,
    /// Its group was stopped: it never gets the word again.
    stopped: bool,
    ended: bool,
}

#[derive(Debug)]
struct State {
    now: u64,
    /// Who has the word.
    speaker: Option<u64>,
    /// Grows whenever the word goes on.
    turns: u64,
    /// Who waits until when; earlier first, then who began to wait first.
    waiting: BTreeMap<(u64, u64), u64>,
    /// Whom the one outside waits for.
    joined: Option<u64>,
    next_ticket: u64,
    actors: Vec<Actor>,
    over: bool,
    threads: Vec<JoinHandle<()>>,
}

/// What an actor is thrown out with when everything is over.
struct Over;

impl State {
    fn actor(&self, number: u64) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.number == number)
    }

    fn me(&self) -> u64 {
        let thread = thread::current().id();
        self.actors.iter().find(|actor| actor.thread == thread).map_or(OUTSIDE, |actor| actor.number)
    }

    fn enqueue(&mut self, actor: u64, milliseconds: u64) {
        let when = (self.now.saturating_add(milliseconds), self.next_ticket);
        self.next_ticket += 1;
        self.waiting.insert(when, actor);
    }

    /// Gives the word to whose time comes next, and moves the clock there.
    fn pass_on(&mut self) {
        self.turns += 1;
        self.speaker = None;
        if let Some(joined) = self.joined
            && self.actor(joined).is_none_or(|actor| actor.ended || actor.stopped)
        {
            self.joined = None;
            self.speaker = Some(OUTSIDE);
            return;
        }
        while let Some(((when, _), actor)) = self.waiting.pop_first() {
            if self.actor(actor).is_some_and(|actor| actor.stopped) {
                continue;
            }
            self.now = self.now.max(when);
            self.speaker = Some(actor);
            return;
        }
    }
}

impl Timeline {
    /// A clock that starts here (milliseconds since 1970). The calling thread has the word.
    pub fn starting_at(start_ms: u64) -> Self {
        let state = State {
            now: start_ms,
            speaker: Some(OUTSIDE),
            turns: 0,
            waiting: BTreeMap::new(),
            joined: None,
            next_ticket: 0,
            actors: Vec::new(),
            over: false,
            threads: Vec::new(),
        };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), outside: Condvar::new() }) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts an actor; it gets the word when somebody waits. All of a group can be stopped at once.
    pub fn spawn(&self, group: &str, act: impl FnOnce() + Send + 'static) {
        self.start(group, act);
    }

    fn start(&self, group: &str, act: impl FnOnce() + Send + 'static) -> u64 {
        // The new thread meets this lock before it asks for the word.
        let mut state = self.lock();
        let number = 1 + state.actors.len() as u64;
        state.enqueue(number, 0);
        let timeline = self.clone();
        let thread = thread::spawn(move || {
            // Whatever an actor does, the word goes on.
            let _ended = panic::catch_unwind(AssertUnwindSafe(|| {
                timeline.await_word(number);
                act();
            }));
            let mut state = timeline.lock();
            if let Some(actor) = state.actors.iter_mut().find(|actor| actor.number == number) {
                actor.ended = true;
            }
            if state.speaker == Some(number) || state.speaker.is_none() {
                state.pass_on();
                timeline.shared.wake_speaker(&state);
            }
        });
        let thread_id = thread.thread().id();
        let actor =
            Actor { number, thread: thread_id, group: group.to_owned(), wake: Arc::default(), stopped: false, ended: false };
        state.actors.push(actor);
        state.threads.push(thread);
        number
    }

    /// Lets an actor do this and waits for it, as long as it takes; for the one outside. `None`: its group was stopped first, or it panicked.
    pub fn run<T: Send + 'static>(&self, group: &str, act: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let slot = Arc::new(Mutex::new(None));
        let result = Arc::clone(&slot);
        let actor = self.start(group, move || {
            let value = act();
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        });
        let mut state = self.lock();
        state.joined = Some(actor);
        state.pass_on();
        self.shared.wake_speaker(&state);
        drop(state);
        self.await_word(OUTSIDE);
        slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Stops all actors of a group where they are, as if their process had been killed. One that has the word goes on until it waits.
    /// Actors that are started later are not concerned.
    pub fn stop(&self, group: &str) {
        for actor in self.lock().actors.iter_mut().filter(|actor| actor.group == group) {
            actor.stopped = true;
        }
    }

    /// Ends every actor: those that wait are thrown out of what they do. Time passes for nobody but the one outside afterwards.
    pub fn end(&self) {
        let threads = {
            let mut state = self.lock();
            state.over = true;
            state.actors.iter().for_each(|actor| actor.wake.notify_all());
            std::mem::take(&mut state.threads)
        };
        let until = Instant::now() + GRACE;
        while threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < until {
            thread::sleep(Duration::from_micros(200));
        }
    }

    fn await_word(&self, actor: u64) {
        let mut state = self.lock();
        let own = state.actor(actor).map(|actor| Arc::clone(&actor.wake));
        let wake = own.as_deref().unwrap_or(&self.shared.outside);
        while state.speaker != Some(actor) && !(state.over && actor != OUTSIDE) {
            let turns = state.turns;
            let (again, waited) = wake.wait_timeout(state, BLOCKED).unwrap_or_else(PoisonError::into_inner);
            state = again;
            // Only the one outside looks after the others.
            if actor == OUTSIDE && waited.timed_out() && state.turns == turns {
                state.pass_on();
                self.shared.wake_speaker(&state);
            }
        }
        if state.over && actor != OUTSIDE {
            drop(state);
            panic::resume_unwind(Box::new(Over));
        }
    }
}

impl Waiter for Timeline {
    fn wait_ms(&self, milliseconds: u64) {
        let mut state = self.lock();
        let me = state.me();
        if state.over && me == OUTSIDE {
            state.now = state.now.saturating_add(milliseconds);
            return;
        }
        state.enqueue(me, milliseconds);
        // Who was taken for blocked has lost the word already; perhaps nobody took it up.
        if state.speaker == Some(me) || state.speaker.is_none() {
            state.pass_on();
            if state.speaker == Some(me) && !state.over {
                return;
            }
            self.shared.wake_speaker(&state);
        }
        drop(state);
        self.await_word(me);
    }
}

impl Clock for Timeline {
    fn now_ms(&self) -> u64 {
        self.lock().now
    }
}

#[cfg(test)]
mod tests;
