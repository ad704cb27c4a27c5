//! Whose row is next. Rows are taken in order; one whose world somebody prepares is his only when he begins it, so that nobody who has
//! nothing else to do waits for him, and nothing is lost if his gate does not start again.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::INTERRUPTED;
use crate::scenario::Scenario;

/// A row and its place in the suite.
pub(super) type Row<'a> = (usize, &'a Scenario);

/// The rows of a run.
pub(super) struct Queue<'a> {
    rows: &'a [Row<'a>],
    left: Mutex<Left>,
    stop: AtomicBool,
}

/// Rows that nobody has begun, as places in the run.
#[derive(Default)]
struct Left {
    /// This one and all behind it are nobody's.
    next: usize,
    /// Worlds are prepared for these.
    reserved: BTreeSet<usize>,
}

/// A row that somebody prepares and anybody may begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reserved<'a> {
    place: usize,
    pub(super) row: Row<'a>,
}

impl<'a> Queue<'a> {
    pub(super) fn new(rows: &'a [Row<'a>]) -> Self {
        Self { rows, left: Mutex::default(), stop: AtomicBool::new(false) }
    }

    /// Nobody begins a row any more.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || INTERRUPTED.load(Ordering::Relaxed)
    }

    /// The next row, begun; in the end one that another has not begun yet.
    pub(super) fn take(&self) -> Option<Row<'a>> {
        if self.is_over() {
            return None;
        }
        let mut left = self.left();
        let place = self.fresh(&mut left).or_else(|| left.reserved.pop_first());
        self.rows.get(place?).copied()
    }

    /// The next row, to be prepared.
    pub(super) fn reserve(&self) -> Option<Reserved<'a>> {
        if self.is_over() {
            return None;
        }
        let mut left = self.left();
        let place = self.fresh(&mut left)?;
        left.reserved.insert(place);
        self.rows.get(place).map(|row| Reserved { place, row: *row })
    }

    /// Begins a row that was reserved, unless the run is over or somebody else has begun it.
    pub(super) fn begin(&self, reserved: Reserved<'a>) -> bool {
        !self.is_over() && self.left().reserved.remove(&reserved.place)
    }

    fn fresh(&self, left: &mut Left) -> Option<usize> {
        let place = left.next;
        (place < self.rows.len()).then(|| {
            left.next += 1;
            place
        })
    }

    fn left(&self) -> MutexGuard<'_, Left> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
