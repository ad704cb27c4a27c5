//! Plays a case on the reference and keeps what was seen of each step.

use std::path::Path;

use portcullis_conformance::implementation::{Implementation, InProcess, Observation, Places, Stage, StepRequest};
use portcullis_conformance::scenario::{Action, Level, Scenario, Step};
use portcullis_conformance::source::{Place, SourceFile};

use portcullis_test_fixtures::TempWorld;

use crate::case::{Act, Case};

/// What was seen of a case.
pub(crate) struct Played {
    pub(crate) places: Places,
    pub(crate) steps: Vec<Observation>,
}

/// A folder for the worlds of cases. They name absolute places, and some grant `/tmp`: none of these may hold the world
/// (docs/spec/gate-cases.md, "Places"), wherever the checkout itself lies.
fn parent_of_worlds() -> &'static Path {
    const NAMED: [&str; 8] = ["/tmp", "/etc", "/opt", "/srv", "/mnt", "/root", "/var/log", "/usr/share/doc"];
    [env!("CARGO_TARGET_TMPDIR"), "/var/tmp", "/dev/shm"]
        .into_iter()
        .map(Path::new)
        // Every system has one of them; without any there is nothing to compare with.
        .find(|folder| folder.is_dir() && !NAMED.iter().any(|named| folder.starts_with(named)))
        .unwrap()
}

pub(crate) fn play(case: &Case) -> Played {
    let scenario = Scenario {
        name: case.id.clone(),
        id: case.id.clone(),
        title: case.id.clone(),
        suite: "gate cases".into(),
        covers: Vec::new(),
        note: None,
        level: Level::Hardened,
        needs: Vec::new(),
        given: case.given.clone(),
        steps: Vec::new(),
        file: SourceFile::new("gate-cases.jsonl", ""),
        place: Place::START,
    };
    let world = TempWorld::new_in(parent_of_worlds()).unwrap();
    let mut stage = Stage::build_in(world, &case.given).unwrap();
    let mut reference = InProcess::default();
    reference.begin(&stage.world(&scenario)).unwrap();
    let start = reference.step(&StepRequest::SessionStart { reason: "startup".into() }).unwrap();
    let mut steps = Vec::new();
    for step in &case.steps {
        let action = match &step.act {
            Act::Start => {
                steps.push(start.clone());
                continue;
            }
            Act::FullReload => {
                steps.push(full_reload(&mut reference));
                continue;
            }
            Act::Do(action) => action.clone(),
        };
        let step = Step {
            action,
            id: step.call_id.clone(),
            answers: step.answers.clone(),
            session: None,
            meanwhile: Vec::new(),
            expect: None,
            place: Place::START,
        };
        let request = stage.request(&step).unwrap();
        steps.push(
            reference.step(&request).unwrap_or_else(|refusal| panic!("{}: {refusal:?} in {}", case.id, summary(&step.action))),
        );
    }
    reference.end();
    Played { places: stage.places().clone(), steps }
}

fn summary(action: &Action) -> String {
    action.summary()
}

fn full_reload(reference: &mut InProcess) -> Observation {
    let requests = [
        StepRequest::SessionShutdown,
        StepRequest::Restart,
        StepRequest::SessionStart { reason: "reload".into() },
        StepRequest::ResourcesDiscover { reason: "reload".into() },
    ];
    let mut all = Observation::default();
    for request in requests {
        let seen = reference.step(&request).unwrap();
        let notifications = std::mem::take(&mut all.notifications);
        all = Observation { notifications: [notifications, seen.notifications.clone()].concat(), ..seen };
    }
    all
}
