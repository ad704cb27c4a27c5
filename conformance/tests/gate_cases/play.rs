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
    // Some cases grant `/tmp`: their world must not lie in it.
    let world = TempWorld::new_in(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
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
        let step = Step { action, id: step.call_id.clone(), answers: step.answers.clone(), expect: None, place: Place::START };
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
