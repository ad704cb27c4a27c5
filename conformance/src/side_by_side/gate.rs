//! A gate on which several play in turn. One in another process would wait while worlds are built and answers are looked at; so whoever has
//! the next question stands there with a ready world, and looks at what was seen after the turn has gone on.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use portcullis_test_fixtures::TempWorld;

use super::transcript::{Looks, Transcript, built, collapsed, played};
use crate::implementation::{Factory, Implementation, Ready, Refusal};
use crate::scenario::Scenario;

/// A gate, started when it is needed and again when it broke.
pub(super) struct Gate<'f> {
    factory: &'f dyn Factory,
    running: Mutex<Option<Box<dyn Implementation>>>,
    /// Whether it lives in another process, once it was started: its worlds stand on disk.
    is_apart: OnceLock<bool>,
    /// Worlds in which somebody played, made as new.
    spare: Mutex<Vec<TempWorld>>,
}

impl<'f> Gate<'f> {
    pub(super) fn new(factory: &'f dyn Factory) -> Arc<Self> {
        Arc::new(Self { factory, running: Mutex::default(), is_apart: OnceLock::new(), spare: Mutex::default() })
    }

    /// For another player: this one in turn if it lives in another process, else one more.
    pub(super) fn beside(self: &Arc<Self>) -> Arc<Self> {
        if self.is_apart() { Arc::clone(self) } else { Self::new(self.factory) }
    }

    fn is_apart(&self) -> bool {
        self.is_apart.get().copied().unwrap_or_default()
    }

    /// Starts it before anybody plays.
    pub(super) fn start(&self) -> Result<(), Refusal> {
        let mut running = lock(&self.running);
        if running.is_none() {
            *running = Some(self.started()?);
        }
        Ok(())
    }

    fn started(&self) -> Result<Box<dyn Implementation>, Refusal> {
        let gate = self.factory.start().map_err(Refusal::Error)?;
        self.is_apart.get_or_init(|| gate.is_apart());
        Ok(gate)
    }

    /// Plays one case.
    pub(super) fn play(&self, scenario: &Scenario, looks: Looks) -> Result<Transcript, Refusal> {
        let ready = if self.is_apart() { Some(self.ready(scenario)?) } else { None };
        let mut running = lock(&self.running);
        let mut gate = match running.take() {
            Some(gate) => gate,
            None => self.started()?,
        };
        let Ready { mut stage, world } = match ready {
            Some(ready) => ready.begins_now(),
            None => built(Ready::build_for(gate.as_ref(), scenario))?,
        };
        let seen = played(scenario, &mut stage, &world, gate.as_mut(), looks);
        // Whoever broke may still be writing into its world.
        if !matches!(seen, Err(Refusal::Error(_))) {
            *running = Some(gate);
        }
        drop(running);
        let seen = collapsed(seen?, &stage, looks)?;
        if self.is_apart()
            && let Some(world) = stage.into_fresh_world()
        {
            lock(&self.spare).push(world);
        }
        Ok(seen)
    }

    /// A world that needs no gate to be built.
    fn ready(&self, scenario: &Scenario) -> Result<Ready, Refusal> {
        let spare = lock(&self.spare).pop();
        let world = spare.map_or_else(TempWorld::new, Ok);
        built(world.and_then(|world| Ready::build(world, scenario)))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
