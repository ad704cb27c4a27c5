//! How long a child has waited: by the clock, and by its own waits, whichever is more. A clock that is set back makes nobody
//! wait for longer.

use super::exchange::Exchange;
use super::heartbeat::Liveness;
use crate::report::Cause;

/// How long a child waits between two looks, in milliseconds (FWD-011).
pub(super) const POLL_INTERVAL_MS: u64 = 250;

/// How often the target's state is looked at while the child waits, in milliseconds (5.5, 5).
const LIFE_INTERVAL_MS: u64 = 1_000;

/// How long a target may show no life, in milliseconds (HARD-047).
pub(super) const LIFELESS_MS: u64 = 2_000;

/// The time of one wait.
pub(super) struct Patience<'a> {
    exchange: &'a Exchange,
    begun: u64,
    waited: u64,
}

impl<'a> Patience<'a> {
    /// Begins to count.
    pub(super) fn begin(exchange: &'a Exchange) -> Self {
        Self { exchange, begun: exchange.now_ms(), waited: 0 }
    }

    /// Lets one interval pass.
    pub(super) fn wait(&mut self) {
        self.exchange.wait_ms(POLL_INTERVAL_MS);
        self.waited = self.waited.saturating_add(POLL_INTERVAL_MS);
    }

    /// How many milliseconds are over.
    pub(super) fn elapsed(&self) -> u64 {
        self.exchange.now_ms().saturating_sub(self.begun).max(self.waited)
    }
}

/// Whether a target still lives, looked at now and then.
#[derive(Default)]
pub(super) struct LifeWatch {
    looked: u64,
    lifeless_since: Option<u64>,
}

impl LifeWatch {
    /// Whether it is time for a look; if so, it is taken for done.
    pub(super) fn is_due(&mut self, elapsed: u64) -> bool {
        let due = elapsed.saturating_sub(self.looked) >= LIFE_INTERVAL_MS;
        if due {
            self.looked = elapsed;
        }
        due
    }

    /// What a look showed at this time of the wait: why to give up, when the target has shown no life for too long.
    pub(super) fn saw(&mut self, elapsed: u64, state: Liveness) -> Option<Cause> {
        let Some(cause) = lifeless(state) else {
            self.lifeless_since = None;
            return None;
        };
        let since = *self.lifeless_since.get_or_insert(elapsed);
        (elapsed.saturating_sub(since) >= LIFELESS_MS).then_some(cause)
    }
}

/// Why a target in this state cannot be asked.
pub(super) fn lifeless(state: Liveness) -> Option<Cause> {
    match state {
        Liveness::Alive => None,
        Liveness::Absent => Some(Cause::TargetAbsent),
        Liveness::Stale => Some(Cause::TargetStale),
        Liveness::Dead => Some(Cause::TargetDead),
    }
}
