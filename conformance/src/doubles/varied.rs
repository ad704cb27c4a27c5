//! The reference with something changed around it: its world, its collaborators, what it is told, what is seen of it.

use std::sync::Arc;

use portcullis_core::composition::Host;
use portcullis_test_fixtures::MemoryFiles;

use crate::implementation::{Hello, Implementation, InProcess, Observation, Refusal, StepRequest, World};

/// What one double does otherwise. Everything that is left out is done as the reference does it.
pub(super) trait Variation: Send {
    /// Changes the world before the gate is built in it.
    fn world(&mut self, _world: &mut World) {}
    /// Changes the collaborators of the gate; the world is the changed one.
    fn host(&self) -> fn(&World, &mut Host) {
        |_, _| {}
    }
    /// Changes what the gate is told.
    fn told(&mut self, _request: &mut StepRequest) {}
    /// Changes what is seen of the gate. The request is the changed one.
    fn seen(&mut self, _request: &StepRequest, _seen: &mut Observation, _gate: &InProcess) {}
}

/// A variation that remembers nothing.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) world: fn(&mut World),
    pub(super) host: fn(&World, &mut Host),
    pub(super) told: fn(&mut StepRequest),
    pub(super) seen: fn(&StepRequest, &mut Observation),
}

impl Plan {
    /// Changes nothing.
    pub(super) const NONE: Self = Self { world: |_| {}, host: |_, _| {}, told: |_| {}, seen: |_, _| {} };
}

impl Variation for Plan {
    fn world(&mut self, world: &mut World) {
        (self.world)(world);
    }

    fn host(&self) -> fn(&World, &mut Host) {
        self.host
    }

    fn told(&mut self, request: &mut StepRequest) {
        (self.told)(request);
    }

    fn seen(&mut self, request: &StepRequest, seen: &mut Observation, _gate: &InProcess) {
        (self.seen)(request, seen);
    }
}

/// The reference under a variation. A fresh variation is made for each world.
pub(super) struct Varied {
    name: &'static str,
    gate: InProcess,
    make: fn() -> Box<dyn Variation>,
    variation: Box<dyn Variation>,
}

impl Varied {
    pub(super) fn new(name: &'static str, make: fn() -> Box<dyn Variation>) -> Self {
        Self { name, gate: InProcess::default(), make, variation: make() }
    }
}

impl Implementation for Varied {
    fn hello(&self) -> Hello {
        Hello { name: format!("double:{}", self.name), ..self.gate.hello() }
    }

    fn memory(&self) -> Option<Arc<MemoryFiles>> {
        self.gate.memory()
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        self.variation = (self.make)();
        let mut world = world.clone();
        self.variation.world(&mut world);
        let (change, of) = (self.variation.host(), world.clone());
        self.gate.begin_with(&world, move |host| change(&of, host))
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        let mut request = request.clone();
        self.variation.told(&mut request);
        let mut seen = self.gate.step(&request)?;
        self.variation.seen(&request, &mut seen, &self.gate);
        Ok(seen)
    }

    fn end(&mut self) {
        self.gate.end();
    }
}
