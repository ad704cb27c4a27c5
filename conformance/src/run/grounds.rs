//! Which row a worker plays next and in what world. A gate in this process has its world built when its row begins: a second thread would
//! only take the processor from it. For gates in other processes see [`ahead`](super::ahead).

use std::io;

use portcullis_test_fixtures::TempWorld;

use super::Worlds;
use super::queue::{Queue, Row};
use crate::implementation::{Implementation, Ready, Stage};
use crate::scenario::Scenario;

/// Where a row's world comes from, and where it goes.
pub(super) trait Grounds {
    /// The world of a row that begins.
    fn ready(&mut self, scenario: &Scenario, implementation: &dyn Implementation) -> io::Result<Ready>;
    /// The row is over and nobody is at work in its world: another row may have it.
    fn leave(&mut self, stage: Stage);
}

/// The rows of one worker.
pub(super) trait Turns<'a>: Grounds {
    /// The next one, begun.
    fn next(&mut self) -> Option<Row<'a>>;
}

/// Builds a world when its row begins, and empties it when the row is over.
#[derive(Default)]
pub(super) struct AtOnce {
    worlds: Worlds,
    spare: Option<TempWorld>,
}

impl AtOnce {
    pub(super) fn new(worlds: Worlds) -> Self {
        Self { worlds, spare: None }
    }
}

impl Grounds for AtOnce {
    fn ready(&mut self, scenario: &Scenario, implementation: &dyn Implementation) -> io::Result<Ready> {
        let memory = implementation.memory().filter(|_| self.worlds == Worlds::Memory);
        let fresh = || memory.map_or_else(TempWorld::new, |memory| TempWorld::in_memory(&memory));
        Ready::build(self.spare.take().map_or_else(fresh, Ok)?, scenario)
    }

    fn leave(&mut self, stage: Stage) {
        self.spare = stage.into_fresh_world();
    }
}

/// Takes each row when the one before is over.
pub(super) struct OneByOne<'q, 'a> {
    pub(super) queue: &'q Queue<'a>,
    pub(super) grounds: AtOnce,
}

impl Grounds for OneByOne<'_, '_> {
    fn ready(&mut self, scenario: &Scenario, implementation: &dyn Implementation) -> io::Result<Ready> {
        self.grounds.ready(scenario, implementation)
    }

    fn leave(&mut self, stage: Stage) {
        self.grounds.leave(stage);
    }
}

impl<'a> Turns<'a> for OneByOne<'_, 'a> {
    fn next(&mut self) -> Option<Row<'a>> {
        self.queue.take()
    }
}
