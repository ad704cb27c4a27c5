//! A gate with a watch: how long it takes for what it is asked. What the runner adds is the rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use portcullis_test_fixtures::MemoryFiles;

use crate::implementation::{Factory, Hello, Implementation, Observation, Refusal, StepRequest, World};

/// Starts gates that share a watch.
pub struct Timed<'f> {
    factory: &'f dyn Factory,
    nanoseconds: Arc<AtomicU64>,
}

impl<'f> Timed<'f> {
    /// With a watch at zero.
    pub fn new(factory: &'f dyn Factory) -> Self {
        Self { factory, nanoseconds: Arc::default() }
    }

    /// The time of all of them together.
    pub fn spent(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

impl Factory for Timed<'_> {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        let nanoseconds = Arc::clone(&self.nanoseconds);
        let gate = on(&nanoseconds, || self.factory.start())?;
        Ok(Box::new(TimedGate { gate, nanoseconds }))
    }
}

fn on<T>(nanoseconds: &AtomicU64, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = work();
    nanoseconds.fetch_add(u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    done
}

struct TimedGate {
    gate: Box<dyn Implementation>,
    nanoseconds: Arc<AtomicU64>,
}

impl Implementation for TimedGate {
    fn hello(&self) -> Hello {
        self.gate.hello()
    }

    fn memory(&self) -> Option<Arc<MemoryFiles>> {
        self.gate.memory()
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        on(&self.nanoseconds, || self.gate.begin(world))
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        on(&self.nanoseconds, || self.gate.step(request))
    }

    fn end(&mut self) {
        on(&self.nanoseconds, || self.gate.end());
    }

    fn finish(&mut self) -> Result<(), Refusal> {
        on(&self.nanoseconds, || self.gate.finish())
    }

    fn belated(&mut self) -> Option<String> {
        self.gate.belated()
    }

    fn leave(&mut self) -> Option<String> {
        self.gate.leave()
    }

    fn remarks(&mut self) -> Option<String> {
        self.gate.remarks()
    }
}
