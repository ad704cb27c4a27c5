//! Worlds in memory tell the truth: what is seen in one is, byte for byte, what is seen in the same world on disk, and the same files
//! stand in both at the end. Here a part of the suite without optimisation, and all of it with.

#![expect(clippy::unwrap_used, reason = "a test: whatever cannot be played is a failure")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use portcullis_conformance::implementation::{
    Factory as _, Hello, Implementation, Observation, Reference, Refusal, StepRequest, World,
};
use portcullis_conformance::load;
use portcullis_conformance::run::play;
use portcullis_conformance::scenario::Scenario;
use portcullis_core::host::EntryKind;
use portcullis_test_fixtures::{Disk, MemoryFiles, Tree};
use pretty_assertions::assert_eq;

/// The reference; keeps all that it is told, all that is seen of it, and what it leaves behind.
struct Recorder {
    gate: Box<dyn Implementation>,
    /// The worlds stand on disk.
    on_disk: bool,
    top: String,
    told: Vec<String>,
}

impl Recorder {
    fn new(on_disk: bool) -> Self {
        Self { gate: Reference.start().unwrap(), on_disk, top: String::new(), told: Vec::new() }
    }

    fn tell(&mut self, what: &str, text: &str) {
        let text = text.replace(&self.top, "${TOP}");
        self.told.push(format!("{what} {text}"));
    }

    fn play(&mut self, row: &Scenario) -> Vec<String> {
        let result = play(row, self);
        self.tell("verdict", &format!("{:?} {:?}", result.verdict, result.decided));
        std::mem::take(&mut self.told)
    }

    /// Everything below the home: what it is, what it holds, and whether others may look at it.
    fn leave_behind(&mut self) {
        let memory = self.memory();
        let tree: &dyn Tree = memory.as_deref().map_or(&Disk, |memory| memory as &dyn Tree);
        let mut found = Vec::new();
        let mut open = vec![Path::new(&self.top).join("home")];
        while let Some(folder) = open.pop() {
            for name in tree.list(&folder).unwrap() {
                let path = folder.join(name);
                let kind = tree.kind(&path).unwrap();
                let content = if kind == EntryKind::File { tree.read(&path).unwrap() } else { Vec::new() };
                let is_private = tree.mode(&path).unwrap().map(|mode| mode & 0o077 == 0);
                found.push(format!("{} {kind:?} {is_private:?} {}", path.display(), String::from_utf8_lossy(&content)));
                if kind == EntryKind::Directory {
                    open.push(path);
                }
            }
        }
        found.sort();
        self.tell("leaves", &found.join("\n"));
    }
}

impl Implementation for Recorder {
    fn hello(&self) -> Hello {
        self.gate.hello()
    }

    fn memory(&self) -> Option<Arc<MemoryFiles>> {
        self.gate.memory().filter(|_| !self.on_disk)
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        let home = Path::new(&world.real_home);
        self.top = home.parent().unwrap().to_string_lossy().into_owned();
        assert_eq!(home.exists(), self.on_disk, "{}", home.display());
        self.gate.begin(world)
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        self.tell("asked", &serde_json::to_string(request).unwrap());
        let mut seen = self.gate.step(request);
        if let Ok(seen) = &mut seen {
            seen.write_traces();
        }
        let text = match &seen {
            Ok(seen) => serde_json::to_string(seen).unwrap(),
            Err(refusal) => format!("{refusal:?}"),
        };
        self.tell("seen", &text);
        seen
    }

    fn end(&mut self) {
        self.gate.end();
        self.leave_behind();
    }
}

/// A row, and what is told of it in memory and on disk.
type Difference = (String, Vec<String>, Vec<String>);

#[test]
fn nothing_differs_between_a_world_in_memory_and_one_on_disk() {
    const EACH: usize = if cfg!(debug_assertions) { 25 } else { 1 };
    let (all, _) = load::load_playable(&load::embedded_sources()).unwrap();
    let rows: Vec<&Scenario> = all.iter().step_by(EACH).collect();
    assert!(rows.len() > 100, "{}", rows.len());
    let next = AtomicUsize::new(0);
    let differing: Mutex<Vec<Difference>> = Mutex::default();
    let worker = || {
        let (mut memory, mut disk) = (Recorder::new(false), Recorder::new(true));
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (in_memory, on_disk) = (memory.play(row), disk.play(row));
            if in_memory != on_disk {
                let parts = |these: &[String], those: &[String]| {
                    these.iter().zip(those).filter(|(one, other)| one != other).map(|(one, _)| one.clone()).take(2).collect()
                };
                let found = (row.name.clone(), parts(&in_memory, &on_disk), parts(&on_disk, &in_memory));
                differing.lock().unwrap_or_else(PoisonError::into_inner).push(found);
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(worker))));
    let mut differing = differing.into_inner().unwrap();
    differing.sort();
    let count = differing.len();
    differing.truncate(5);
    assert_eq!((count, differing), (0, Vec::new()));
}
