//! Two threads beside a worker whose gate lives in another process: while the gate plays a row, one builds the next one's world and the
//! other empties the last one's, so that the gate does not wait for a file system. They are two because to remove a directory may mean
//! to wait for the device, which takes no processor and need not hold up what is built.
//!
//! They only prepare, one row ahead. Whether a row is played, and whether it is skipped, is decided when it begins; what goes wrong here is
//! the fault of the row that was being prepared.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, Scope};

use portcullis_test_fixtures::TempWorld;

use super::grounds::{Grounds, Turns};
use super::play::skipped;
use super::queue::{Queue, Reserved, Row};
use crate::implementation::{Hello, Implementation, Ready, Stage};
use crate::scenario::Scenario;

/// Builds and empties worlds.
pub(super) trait Builder: Sync {
    /// In a spare world, if there is one.
    fn build(&self, spare: Option<TempWorld>, scenario: &Scenario) -> io::Result<Ready>;
    /// What is left of a world for another row, if it can be made as it was.
    fn empty(&self, stage: Stage) -> Option<TempWorld>;
}

/// On disk, where another process can see them.
pub(super) struct OnDisk;

impl Builder for OnDisk {
    fn build(&self, spare: Option<TempWorld>, scenario: &Scenario) -> io::Result<Ready> {
        Ready::build(spare.map_or_else(TempWorld::new, Ok)?, scenario)
    }

    fn empty(&self, stage: Stage) -> Option<TempWorld> {
        stage.into_fresh_world()
    }
}

/// A world that stands ready, why it does not, or what panicked.
type Built = thread::Result<io::Result<Ready>>;

/// A row that was prepared; without a world, if it will be skipped.
struct Prepared<'a> {
    reserved: Reserved<'a>,
    built: Option<Built>,
}

/// A world made as new, if that was possible, or what panicked.
type Emptied = thread::Result<Option<TempWorld>>;

/// So many worlds may wait to be emptied; who leaves one more waits himself.
const LEFT: usize = 2;

/// The worker's side.
pub(super) struct Ahead<'q, 'a> {
    queue: &'q Queue<'a>,
    builder: &'q dyn Builder,
    /// Each order is to prepare one row.
    orders: Sender<()>,
    /// One answer to each order: nothing, if no row is left to prepare.
    prepared: Receiver<Option<Prepared<'a>>>,
    /// Whether an answer is to come.
    is_ordered: bool,
    /// Worlds of rows that are over.
    left: SyncSender<Stage>,
    /// The world of the row that begins.
    current: Option<Built>,
}

impl<'q, 'a: 'q> Ahead<'q, 'a> {
    /// Starts the threads; they end when this value is dropped. `hello` tells them which rows will be skipped.
    pub(super) fn start<'s>(
        scope: &'s Scope<'s, 'q>,
        queue: &'q Queue<'a>,
        builder: &'q dyn Builder,
        hello: Hello,
    ) -> io::Result<Self> {
        let (orders, to_prepare) = mpsc::channel();
        let (done, prepared) = mpsc::channel();
        let (left, to_empty) = mpsc::sync_channel(LEFT);
        let (fresh, emptied) = mpsc::channel();
        let preparer = Preparer { queue, builder, hello, emptied };
        thread::Builder::new().spawn_scoped(scope, move || empty_all(builder, &to_empty, &fresh))?;
        thread::Builder::new().spawn_scoped(scope, move || preparer.work(&to_prepare, &done))?;
        let mut ahead = Self { queue, builder, orders, prepared, is_ordered: false, left, current: None };
        ahead.order();
        Ok(ahead)
    }

    fn order(&mut self) {
        // Without the thread, worlds are built when their rows begin.
        self.is_ordered = self.orders.send(()).is_ok();
    }

    fn answer(&mut self) -> Option<Prepared<'a>> {
        if std::mem::take(&mut self.is_ordered) { self.prepared.recv().ok().flatten() } else { None }
    }
}

impl Grounds for Ahead<'_, '_> {
    fn ready(&mut self, scenario: &Scenario, _implementation: &dyn Implementation) -> io::Result<Ready> {
        match self.current.take() {
            Some(Ok(ready)) => ready.map(Ready::begins_now),
            Some(Err(payload)) => panic::resume_unwind(payload),
            // Played once more, or begun in place of another worker.
            None => self.builder.build(None, scenario),
        }
    }

    fn leave(&mut self, stage: Stage) {
        // Without the thread, it is removed here.
        let _ = self.left.send(stage);
    }
}

impl<'a> Turns<'a> for Ahead<'_, 'a> {
    fn next(&mut self) -> Option<Row<'a>> {
        self.current = None;
        if let Some(Prepared { reserved, built }) = self.answer()
            && self.queue.begin(reserved)
        {
            self.order();
            self.current = built;
            return Some(reserved.row);
        }
        // No row is left that nobody has reserved: what others have not begun needs no order.
        self.queue.take()
    }
}

/// The thread that builds.
struct Preparer<'q, 'a> {
    queue: &'q Queue<'a>,
    builder: &'q dyn Builder,
    hello: Hello,
    /// Worlds in which rows were played.
    emptied: Receiver<Emptied>,
}

impl<'a> Preparer<'_, 'a> {
    fn work(self, orders: &Receiver<()>, done: &Sender<Option<Prepared<'a>>>) {
        for () in orders {
            let prepared = self.queue.reserve().map(|reserved| Prepared { reserved, built: self.built(reserved.row.1) });
            if done.send(prepared).is_err() {
                return;
            }
        }
    }

    fn built(&self, scenario: &Scenario) -> Option<Built> {
        if skipped(scenario, &self.hello).is_some() {
            return None;
        }
        Some(self.spare().and_then(|spare| caught(|| self.builder.build(spare, scenario))))
    }

    /// One that could not be emptied is passed over; what panicked comes to light.
    fn spare(&self) -> Emptied {
        self.emptied.try_iter().find(|emptied| !matches!(emptied, Ok(None))).unwrap_or(Ok(None))
    }
}

/// The thread that empties.
fn empty_all(builder: &dyn Builder, left: &Receiver<Stage>, fresh: &Sender<Emptied>) {
    for stage in left {
        // When nothing is built any more, it is removed here.
        let _ = fresh.send(caught(|| builder.empty(stage)));
    }
}

fn caught<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    panic::catch_unwind(AssertUnwindSafe(work))
}

#[cfg(test)]
mod tests;
