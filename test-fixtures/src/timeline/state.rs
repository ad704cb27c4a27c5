//! Who has the word, who waits until when, and what comes next. Nothing here wakes or runs anybody.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Condvar, OnceLock};
use std::thread::{self, ThreadId};

/// The one outside.
pub(super) const OUTSIDE: u64 = 0;

#[derive(Debug)]
struct Actor {
    number: u64,
    /// Known when it runs; threads serve one actor after the other.
    thread: Arc<OnceLock<ThreadId>>,
    group: String,
    wake: Arc<Condvar>,
    /// Its group was stopped: it never gets the word again.
    stopped: bool,
    ended: bool,
}

/// Something that happens again and again.
#[derive(Clone)]
pub(super) struct Recurring {
    pub(super) group: String,
    pub(super) milliseconds: u64,
    /// Its first time is only the beginning of its waiting.
    pub(super) begins: bool,
    pub(super) is_idle: Arc<dyn Fn() -> bool + Send + Sync>,
    pub(super) act: Arc<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Recurring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recurring").field("group", &self.group).field("milliseconds", &self.milliseconds).finish_non_exhaustive()
    }
}

/// Whose time it is that somebody waits for.
#[derive(Debug, Clone, Copy)]
enum Due {
    Actor(u64),
    Recurring(usize),
}

/// What comes next.
pub(super) enum Next {
    /// Somebody has the word, or nobody waits.
    Speaker,
    /// This is to be done.
    Recurring(usize, Recurring),
}

#[derive(Debug)]
pub(super) struct State {
    now: u64,
    /// Who has the word.
    speaker: Option<u64>,
    /// Grows whenever the word goes on.
    turns: u64,
    /// Who waits until when; earlier first, then who began to wait first.
    waiting: BTreeMap<(u64, u64), Due>,
    /// Whom the one outside waits for.
    joined: Option<u64>,
    next_ticket: u64,
    actors: Vec<Actor>,
    /// `None`: its group was stopped.
    recurring: Vec<Option<Recurring>>,
    /// How often each bell rang, and who listens.
    bells: Vec<(u64, Vec<u64>)>,
    /// The thread that does something in passing.
    passing: Option<ThreadId>,
    /// Whether something that was done in passing waited.
    misused: bool,
    over: bool,
}

impl State {
    pub(super) fn new(now: u64) -> Self {
        Self {
            now,
            speaker: Some(OUTSIDE),
            turns: 0,
            waiting: BTreeMap::new(),
            joined: None,
            next_ticket: 0,
            actors: Vec::new(),
            recurring: Vec::new(),
            bells: Vec::new(),
            passing: None,
            misused: false,
            over: false,
        }
    }

    pub(super) fn now(&self) -> u64 {
        self.now
    }

    pub(super) fn pass(&mut self, milliseconds: u64) {
        self.now = self.now.saturating_add(milliseconds);
    }

    pub(super) fn turns(&self) -> u64 {
        self.turns
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    fn actor(&self, number: u64) -> Option<&Actor> {
        // They are numbered from one on, as they come.
        self.actors.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// The actor of this thread.
    pub(super) fn me(&self) -> u64 {
        let thread = thread::current().id();
        let is_me = |actor: &&Actor| !actor.ended && actor.thread.get() == Some(&thread);
        self.actors.iter().rev().find(is_me).map_or(OUTSIDE, |actor| actor.number)
    }

    /// A new actor, and where its thread has to be noted.
    pub(super) fn add_actor(&mut self, group: &str) -> (u64, Arc<OnceLock<ThreadId>>) {
        let number = 1 + self.actors.len() as u64;
        let thread = Arc::new(OnceLock::new());
        let actor = Actor {
            number,
            thread: Arc::clone(&thread),
            group: group.to_owned(),
            wake: Arc::default(),
            stopped: false,
            ended: false,
        };
        self.actors.push(actor);
        (number, thread)
    }

    pub(super) fn add_recurring(&mut self, recurring: Recurring) {
        let number = self.recurring.len();
        self.recurring.push(Some(recurring));
        self.enqueue_due(Due::Recurring(number), 0);
    }

    /// What recurs was done, and waits for its next time.
    pub(super) fn again(&mut self, number: usize) {
        if let Some(Some(recurring)) = self.recurring.get(number) {
            self.enqueue_due(Due::Recurring(number), recurring.milliseconds);
        }
    }

    pub(super) fn enqueue(&mut self, actor: u64, milliseconds: u64) {
        self.enqueue_due(Due::Actor(actor), milliseconds);
    }

    fn enqueue_due(&mut self, due: Due, milliseconds: u64) {
        let when = (self.now.saturating_add(milliseconds), self.next_ticket);
        self.next_ticket += 1;
        self.waiting.insert(when, due);
    }

    /// The one outside waits for this actor.
    pub(super) fn join(&mut self, actor: u64) {
        self.joined = Some(actor);
    }

    pub(super) fn ended(&mut self, number: u64) {
        if let Some(actor) = self.actors.iter_mut().find(|actor| actor.number == number) {
            actor.ended = true;
        }
    }

    pub(super) fn all_ended(&self) -> bool {
        self.actors.iter().all(|actor| actor.ended)
    }

    /// The group gets the word no more. What recurred in it is for the caller to drop.
    pub(super) fn stop(&mut self, group: &str) -> Vec<Recurring> {
        self.actors.iter_mut().filter(|actor| actor.group == group).for_each(|actor| actor.stopped = true);
        let of_group = |recurring: &mut Option<Recurring>| recurring.take_if(|recurring| recurring.group == group);
        self.recurring.iter_mut().filter_map(of_group).collect()
    }

    /// Everything is over: wakes all actors, and gives what recurs to whoever drops it.
    pub(super) fn end(&mut self) -> Vec<Option<Recurring>> {
        self.over = true;
        self.actors.iter().for_each(|actor| actor.wake.notify_all());
        std::mem::take(&mut self.recurring)
    }

    /// Whether the word is this one's to give away.
    pub(super) fn has_word(&self, actor: u64) -> bool {
        self.speaker.is_none_or(|speaker| speaker == actor)
    }

    /// Whether this one has waited long enough.
    pub(super) fn may_speak(&self, actor: u64) -> bool {
        self.speaker == Some(actor) || self.over && actor != OUTSIDE
    }

    pub(super) fn give_word(&mut self, actor: u64) {
        self.speaker = Some(actor);
    }

    /// Gives the word to whose time comes next, and moves the clock there.
    pub(super) fn pass_on(&mut self) -> Next {
        self.turns += 1;
        self.speaker = None;
        if let Some(joined) = self.joined
            && self.actor(joined).is_none_or(|actor| actor.ended || actor.stopped)
        {
            self.joined = None;
            self.speaker = Some(OUTSIDE);
            return Next::Speaker;
        }
        while let Some(((when, _), due)) = self.waiting.pop_first() {
            match due {
                Due::Actor(actor) if self.actor(actor).is_some_and(|actor| actor.stopped) => {}
                Due::Actor(actor) => {
                    self.now = self.now.max(when);
                    self.speaker = Some(actor);
                    return Next::Speaker;
                }
                Due::Recurring(number) => {
                    let Some(Some(recurring)) = self.recurring.get_mut(number) else { continue };
                    self.now = self.now.max(when);
                    if !std::mem::take(&mut recurring.begins) {
                        return Next::Recurring(number, recurring.clone());
                    }
                    self.again(number);
                }
            }
        }
        Next::Speaker
    }

    /// This actor keeps the word while its thread does something in passing.
    pub(super) fn begin_passing(&mut self, me: u64) {
        self.speaker = Some(me);
        self.passing = Some(thread::current().id());
    }

    pub(super) fn end_passing(&mut self) {
        self.passing = None;
    }

    /// Whether this thread does something in passing, which must not wait; that it did is noted.
    pub(super) fn waits_in_passing(&mut self) -> bool {
        let is_passing = self.passing == Some(thread::current().id());
        self.misused |= is_passing;
        is_passing
    }

    /// Whether something that was to take no time waited for some.
    pub(super) fn is_misused(&self) -> bool {
        self.misused
    }

    /// What wakes whoever has the word now, and nobody else.
    pub(super) fn speaker_bell(&self, outside: &Arc<Condvar>) -> Option<Arc<Condvar>> {
        Some(self.bell_of(self.speaker?, outside))
    }

    pub(super) fn bell_of(&self, actor: u64, outside: &Arc<Condvar>) -> Arc<Condvar> {
        Arc::clone(self.actor(actor).map_or(outside, |actor| &actor.wake))
    }

    pub(super) fn add_bell(&mut self) -> usize {
        self.bells.push((0, Vec::new()));
        self.bells.len() - 1
    }

    pub(super) fn rings(&self, bell: usize) -> u64 {
        self.bells.get(bell).map_or(0, |(rings, _)| *rings)
    }

    pub(super) fn listen(&mut self, bell: usize, actor: u64) {
        if let Some((_, listeners)) = self.bells.get_mut(bell) {
            listeners.push(actor);
        }
    }

    pub(super) fn ring(&mut self, bell: usize) {
        let Some((rings, listeners)) = self.bells.get_mut(bell) else { return };
        *rings += 1;
        for actor in std::mem::take(listeners) {
            self.enqueue(actor, 0);
        }
    }
}
