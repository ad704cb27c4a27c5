//! Time and randomness that repeat.

use std::sync::atomic::{AtomicU64, Ordering};

use portcullis_core::host::{Clock, IdSource};

/// A clock that moves one millisecond a look, from a fixed day.
#[derive(Debug)]
pub struct FixedClock(AtomicU64);

impl Default for FixedClock {
    fn default() -> Self {
        Self::at(1_700_000_000_000)
    }
}

impl FixedClock {
    /// A clock that starts here (milliseconds since 1970).
    pub fn at(start_ms: u64) -> Self {
        Self(AtomicU64::new(start_ms))
    }

    /// Lets time pass.
    pub fn advance(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now_ms(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Numbers that count up, spread over all bits.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl IdSource for CountingIds {
    fn random(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn process_id(&self) -> u32 {
        4242
    }
}
