//! Plays a case on an implementation and keeps what was seen of each step.

use std::path::Path;

use portcullis_conformance::implementation::{Implementation, Observation, Places, Refusal, Stage, StepRequest};
use portcullis_conformance::scenario::{Level, Scenario, Step};
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

/// The steps until one is skipped, with the reason; an error is a failure of the test.
pub(crate) fn play(case: &Case, implementation: &mut dyn Implementation) -> Result<Played, String> {
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
        written: None,
    };
    let world = TempWorld::new_in(parent_of_worlds()).unwrap();
    let mut stage = Stage::build_in(world, &case.given).unwrap();
    let refused = |refusal: Refusal| match refusal {
        Refusal::Skip(reason) => reason,
        Refusal::Error(message) => panic!("{}: {message}", case.id),
    };
    let played = steps(case, &scenario, &mut stage, implementation).map_err(refused);
    implementation.finish().unwrap();
    Ok(Played { places: stage.places().clone(), steps: played? })
}

fn steps(
    case: &Case,
    scenario: &Scenario,
    stage: &mut Stage,
    implementation: &mut dyn Implementation,
) -> Result<Vec<Observation>, Refusal> {
    implementation.begin(&stage.world(scenario))?;
    let start = implementation.step(&StepRequest::SessionStart { reason: "startup".into() })?;
    let mut steps = Vec::new();
    for step in &case.steps {
        let action = match &step.act {
            Act::Start => {
                steps.push(start.clone());
                continue;
            }
            Act::FullReload => {
                steps.push(full_reload(implementation)?);
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
        steps.push(implementation.step(&request)?);
    }
    Ok(steps)
}

fn full_reload(implementation: &mut dyn Implementation) -> Result<Observation, Refusal> {
    let requests = [
        StepRequest::SessionShutdown,
        StepRequest::Restart,
        StepRequest::SessionStart { reason: "reload".into() },
        StepRequest::ResourcesDiscover { reason: "reload".into() },
    ];
    let mut all = Observation::default();
    for request in requests {
        let seen = implementation.step(&request)?;
        let notifications = std::mem::take(&mut all.notifications);
        all = Observation { notifications: [notifications, seen.notifications.clone()].concat(), ..seen };
    }
    Ok(all)
}
