//! The reference with something changed around it: its world, its collaborators, what it is told, what is seen of it.

use std::sync::Arc;

use portcullis_core::composition::Host;
use portcullis_test_fixtures::MemoryFiles;

use crate::implementation::{Hello, Implementation, InProcess, Observation, Refusal, StepRequest, World, WorldMeanwhile};

/// What one double does otherwise. Everything that is left out is done as the reference does it.
pub(super) trait Variation: Send {
    /// Whether it makes sense where several sessions ask each other. What is remembered of one session is no matter of another's.
    fn plays_several(&self) -> bool {
        false
    }
    /// Changes the world before the gate is built in it.
    fn world(&mut self, _world: &mut World) {}
    /// Changes the collaborators of the gate; the world is the changed one.
    fn host(&self) -> fn(&World, &mut Host) {
        |_, _| {}
    }
    /// Changes what the gate is told: in worlds of several sessions first the whole step, then what happens in it.
    fn told(&mut self, _request: &mut StepRequest) {}
    /// Changes what is seen of a session's gate. The request is the changed one.
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
    fn plays_several(&self) -> bool {
        true
    }

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
        if !world.sessions.is_empty() && !self.variation.plays_several() {
            return Err(Refusal::Skip("it keeps one session in mind, and here are several".into()));
        }
        let mut world = world.clone();
        self.variation.world(&mut world);
        let (change, of) = (self.variation.host(), world.clone());
        self.gate.begin_with(&world, move |host| change(&of, host))
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        let mut request = request.clone();
        self.variation.told(&mut request);
        if let StepRequest::In { step, meanwhile, .. } = &mut request {
            self.variation.told(step);
            meanwhile.iter_mut().for_each(|one| self.variation.told(&mut one.step));
        }
        let mut seen = self.gate.step(&request)?;
        match &request {
            StepRequest::In { step, meanwhile, .. } => {
                self.variation.seen(step, &mut seen, &self.gate);
                for (name, seen) in &mut seen.sessions {
                    self.variation.seen(happened_in(name, meanwhile), seen, &self.gate);
                }
            }
            request => self.variation.seen(request, &mut seen, &self.gate),
        }
        Ok(seen)
    }

    fn end(&mut self) {
        self.gate.end();
    }
}

/// What happened in a session beside the step: its own call, or nothing but a look into its inbox.
fn happened_in<'m>(session: &str, meanwhile: &'m [WorldMeanwhile]) -> &'m StepRequest {
    meanwhile.iter().find(|one| one.session.as_deref() == Some(session)).map_or(&StepRequest::Serve, |one| &one.step)
}
