//! A gate with a watch: how long it takes for what it is asked, its start left out. What the runner adds is the rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use portcullis_test_fixtures::MemoryFiles;

use super::{Factory, Hello, Implementation, Observation, Refusal, StepRequest, World};

/// Starts gates that share a watch.
pub struct Timed<'f> {
    factory: &'f dyn Factory,
    nanoseconds: Arc<AtomicU64>,
    starts: AtomicU64,
    apart: AtomicBool,
}

impl<'f> Timed<'f> {
    /// With a watch at zero.
    pub fn new(factory: &'f dyn Factory) -> Self {
        Self { factory, nanoseconds: Arc::default(), starts: AtomicU64::new(0), apart: AtomicBool::new(false) }
    }

    /// The time of all of them together.
    pub fn spent(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    /// How long it took to start them.
    pub fn starting(&self) -> Duration {
        Duration::from_nanos(self.starts.load(Ordering::Relaxed))
    }

    /// Whether they live in other processes, as far as any has started.
    pub fn is_apart(&self) -> bool {
        self.apart.load(Ordering::Relaxed)
    }
}

impl Factory for Timed<'_> {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        let began = Instant::now();
        let started = self.factory.start();
        add(&self.starts, began.elapsed());
        let gate = started?;
        self.apart.fetch_or(gate.is_apart(), Ordering::Relaxed);
        Ok(Box::new(TimedGate { gate, nanoseconds: Arc::clone(&self.nanoseconds) }))
    }
}

fn add(sum: &AtomicU64, span: Duration) {
    sum.fetch_add(u64::try_from(span.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

struct TimedGate {
    gate: Box<dyn Implementation>,
    nanoseconds: Arc<AtomicU64>,
}

impl TimedGate {
    fn on<T>(&mut self, work: impl FnOnce(&mut dyn Implementation) -> T) -> T {
        let (started, before) = (Instant::now(), self.gate.at_work());
        let done = work(self.gate.as_mut());
        let span = match (before, self.gate.at_work()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => started.elapsed(),
        };
        add(&self.nanoseconds, span);
        done
    }
}

impl Implementation for TimedGate {
    fn hello(&self) -> Hello {
        self.gate.hello()
    }

    fn memory(&self) -> Option<Arc<MemoryFiles>> {
        self.gate.memory()
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        self.on(|gate| gate.begin(world))
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        self.on(|gate| gate.step(request))
    }

    fn end(&mut self) {
        self.on(|gate| gate.end());
    }

    fn finish(&mut self) -> Result<(), Refusal> {
        self.on(|gate| gate.finish())
    }

    fn belated(&mut self) -> Option<String> {
        self.gate.belated()
    }

    fn leave(&mut self) -> Option<String> {
        self.gate.leave()
    }

    fn at_work(&self) -> Option<Duration> {
        self.gate.at_work()
    }

    fn remarks(&mut self) -> Option<String> {
        self.gate.remarks()
    }
}
