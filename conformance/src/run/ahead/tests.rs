use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use portcullis_test_fixtures::TempWorld;
use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{Builder, OnDisk};
use crate::implementation::{Factory, Hello, Implementation, Observation, Ready, Reference, Refusal, Stage, StepRequest, World};
use crate::load::load_all;
use crate::run::tests::hello;
use crate::run::{Options, RowResult, Verdict, run_in_worlds};
use crate::scenario::Scenario;
use crate::source::SourceFile;

/// What happened to the worlds; each is named by its folder, which stays while it is used again.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Event {
    Built(String, PathBuf),
    Emptied(PathBuf),
    Begun(String, PathBuf),
    NotStarted,
}

#[derive(Default)]
struct Diary {
    events: Mutex<Vec<Event>>,
    changed: Condvar,
}

impl Diary {
    fn note(&self, event: Event) {
        self.events.lock().unwrap().push(event);
        self.changed.notify_all();
    }

    /// Waits until it is so; an error if it never is.
    fn wait(&self, what: &str, until: impl Fn(&[Event]) -> bool) -> Result<(), Refusal> {
        let events = self.events.lock().unwrap();
        let (events, _) = self.changed.wait_timeout_while(events, Duration::from_secs(20), |events| !until(events)).unwrap();
        if until(&events) { Ok(()) } else { Err(Refusal::Error(format!("never: {what}"))) }
    }

    fn wait_for_built(&self, row: &str) -> Result<(), Refusal> {
        self.wait("built", |events| events.iter().any(|event| matches!(event, Event::Built(name, _) if name == row)))
    }

    fn all(&self) -> Vec<Event> {
        self.events.lock().unwrap().clone()
    }

    fn built(&self) -> Vec<(String, PathBuf)> {
        let built = |event| if let Event::Built(row, folder) = event { Some((row, folder)) } else { None };
        self.all().into_iter().filter_map(built).collect()
    }

    fn begun(&self) -> Vec<(String, PathBuf)> {
        let begun = |event| if let Event::Begun(row, folder) = event { Some((row, folder)) } else { None };
        self.all().into_iter().filter_map(begun).collect()
    }
}

fn folder(home: &str) -> PathBuf {
    Path::new(home).ancestors().nth(2).unwrap().to_path_buf()
}

fn names(rows: &[(String, PathBuf)]) -> Vec<&str> {
    rows.iter().map(|(row, _)| row.as_str()).collect()
}

/// What goes wrong with the world of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Nothing,
    Building,
    PanicWhileBuilding,
    Emptying,
    PanicWhileEmptying,
}

struct Watched {
    diary: Arc<Diary>,
    trouble: (&'static str, Trouble),
}

impl Builder for Watched {
    fn build(&self, spare: Option<TempWorld>, scenario: &Scenario) -> io::Result<Ready> {
        match self.trouble {
            (row, Trouble::Building) if row == scenario.name => return Err(io::Error::other("no room")),
            (row, Trouble::PanicWhileBuilding) if row == scenario.name => panic!("oh"),
            _ => {}
        }
        let ready = OnDisk.build(spare, scenario)?;
        self.diary.note(Event::Built(scenario.name.clone(), folder(&ready.stage.places().home)));
        Ok(ready)
    }

    fn empty(&self, stage: Stage) -> Option<TempWorld> {
        let world = folder(&stage.places().home);
        let is_of = |row: &str| self.diary.begun().contains(&(row.to_owned(), world.clone()));
        match self.trouble {
            (row, Trouble::Emptying) if is_of(row) => return None,
            (row, Trouble::PanicWhileEmptying) if is_of(row) => panic!("oh"),
            _ => {}
        }
        let fresh = OnDisk.empty(stage);
        self.diary.note(Event::Emptied(world));
        fresh
    }
}

/// What a gate does when a tool is called in a row.
type Does = dyn Fn(&str, &Diary) -> Result<(), Refusal> + Send + Sync;

struct Gates {
    diary: Arc<Diary>,
    does: Arc<Does>,
    starts: AtomicUsize,
    /// So many start, and no more.
    most: usize,
    /// In this row the second gate hears what the first said too late.
    belated: Option<&'static str>,
}

impl Factory for Gates {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        let number = self.starts.fetch_add(1, Ordering::Relaxed) + 1;
        if number > self.most {
            self.diary.note(Event::NotStarted);
            return Err("enough".into());
        }
        let belated = self.belated.filter(|_| number == 1);
        Ok(Box::new(Gate {
            diary: Arc::clone(&self.diary),
            does: Arc::clone(&self.does),
            row: String::new(),
            belated,
            said: None,
        }))
    }
}

struct Gate {
    diary: Arc<Diary>,
    does: Arc<Does>,
    row: String,
    belated: Option<&'static str>,
    said: Option<String>,
}

impl Implementation for Gate {
    fn hello(&self) -> Hello {
        hello()
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        self.row.clone_from(&world.scenario);
        self.diary.note(Event::Begun(self.row.clone(), folder(&world.home)));
        if self.belated == Some(self.row.as_str()) {
            self.said = Some("one more thing".into());
            return Err(Refusal::Error("what was that".into()));
        }
        // Whoever empties or removes a world too early is found out.
        if Path::new(&world.cwd).is_dir() { Ok(()) } else { Err(Refusal::Error("no world".into())) }
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        if matches!(request, StepRequest::ToolCall { .. }) {
            (self.does)(&self.row, &self.diary)?;
        }
        Ok(Observation::default())
    }

    fn end(&mut self) {}

    fn belated(&mut self) -> Option<String> {
        self.said.take()
    }
}

/// Rows of these names; what stands behind a name says more of it.
fn rows_of(wanted: &[(&str, &str)]) -> Vec<Scenario> {
    let mut text = String::from("suite: s\nlevel: baseline\nscenarios:\n");
    for (id, more) in wanted {
        text.push_str(&format!(
            "  - id: {id}\n    title: t\n    covers: [HARD-001]\n{more}    steps: [{{ bash: ls, expect: {{ prompts: [] }} }}]\n"
        ));
    }
    load_all(&[SourceFile::new("s.yaml", text)]).unwrap()
}

fn plain(names: &[&'static str]) -> Vec<Scenario> {
    rows_of(&names.iter().map(|name| (*name, "")).collect::<Vec<_>>())
}

struct Run {
    diary: Arc<Diary>,
    trouble: (&'static str, Trouble),
    gates: Gates,
}

impl Run {
    fn new(does: impl Fn(&str, &Diary) -> Result<(), Refusal> + Send + Sync + 'static) -> Self {
        let diary = Arc::new(Diary::default());
        let gates =
            Gates { diary: Arc::clone(&diary), does: Arc::new(does), starts: AtomicUsize::new(0), most: 100, belated: None };
        Self { diary, trouble: ("", Trouble::Nothing), gates }
    }

    fn results(&self, rows: &[Scenario], options: Options) -> Vec<RowResult> {
        let order: Vec<usize> = (0..rows.len()).collect();
        let builder = Watched { diary: Arc::clone(&self.diary), trouble: self.trouble };
        let results = run_in_worlds(&order, rows, &self.gates, options, &|_| {}, &builder).unwrap();
        for (row, folder) in self.diary.built() {
            assert!(!folder.exists(), "the world of {row} is still there");
        }
        results
    }

    fn verdicts(&self, rows: &[Scenario], options: Options) -> Vec<Verdict> {
        self.results(rows, options).into_iter().map(|result| result.verdict).collect()
    }
}

const ONE: Options = Options::new(1);

fn crash() -> Result<(), Refusal> {
    Err(Refusal::Error("exit 1".into()))
}

fn errored(message: &str) -> Verdict {
    Verdict::Errored { message: message.into() }
}

#[test]
fn while_a_row_is_played_the_next_world_is_built_and_the_last_one_is_emptied() {
    let run = Run::new(|row, diary| match row {
        "a" => {
            diary.wait_for_built("b")?;
            // One ahead, and no more.
            std::thread::sleep(Duration::from_millis(50));
            if diary.built().len() == 2 { Ok(()) } else { Err(Refusal::Error("two ahead".into())) }
        }
        "b" => diary.wait("emptied", |events| events.iter().any(|event| matches!(event, Event::Emptied(_)))),
        _ => Ok(()),
    });
    assert_eq!(run.verdicts(&plain(&["a", "b", "c"]), ONE), vec![Verdict::Passed; 3]);
}

#[test]
fn worlds_are_used_again() {
    let run = Run::new(|row, diary| {
        let worlds = usize::from(row != "a");
        diary.wait("emptied", |events| events.iter().filter(|event| matches!(event, Event::Emptied(_))).count() >= worlds)
    });
    assert_eq!(run.verdicts(&plain(&["a", "b", "c", "d", "e", "f"]), ONE), vec![Verdict::Passed; 6]);
    let mut folders: Vec<PathBuf> = run.diary.built().into_iter().map(|(_, folder)| folder).collect();
    folders.sort();
    folders.dedup();
    assert!(folders.len() < 6, "{folders:?}");
}

#[test]
fn rows_that_will_be_skipped_build_no_world() {
    let run = Run::new(|_, _| Ok(()));
    let rows = rows_of(&[("a", ""), ("b", "    needs: [mcp]\n"), ("c", "    level: hardened\n"), ("d", "")]);
    let skipped = |reason: &str| Verdict::Skipped { reason: reason.into() };
    let expected = [Verdict::Passed, skipped("needs mcp"), skipped("does not claim the level hardened"), Verdict::Passed];
    assert_eq!(run.verdicts(&rows, ONE), expected);
    assert_eq!(names(&run.diary.built()), ["a", "d"]);
}

#[test]
fn a_row_that_was_prepared_when_the_run_stops_is_not_run_and_its_world_is_removed() {
    let run = Run::new(|_, diary| diary.wait_for_built("b").and_then(|()| crash()));
    let options = Options { fail_fast: true, ..ONE };
    assert_eq!(run.verdicts(&plain(&["a", "b", "c"]), options), [errored("exit 1"), Verdict::NotRun, Verdict::NotRun]);
    assert_eq!((names(&run.diary.built()), names(&run.diary.begun())), (vec!["a", "b"], vec!["a"]));
}

#[test]
fn the_world_of_a_gate_that_broke_is_not_used_again_and_the_one_that_stands_ready_is() {
    let run = Run::new(|row, diary| match row {
        "b" => diary.wait_for_built("c").and_then(|()| crash()),
        _ => Ok(()),
    });
    let verdicts = run.verdicts(&plain(&["a", "b", "c", "d", "e"]), ONE);
    assert_eq!(verdicts, [Verdict::Passed, errored("exit 1"), Verdict::Passed, Verdict::Passed, Verdict::Passed]);
    let (built, begun) = (run.diary.built(), run.diary.begun());
    assert_eq!(built, begun);
    assert!(begun[2..].iter().all(|(_, folder)| *folder != begun[1].1), "{begun:?}");
    assert_eq!(run.gates.starts.load(Ordering::Relaxed), 2);
}

#[rstest]
#[case::building("c", Trouble::Building, Some("the world could not be built: no room"))]
#[case::building_the_first("a", Trouble::Building, Some("the world could not be built: no room"))]
#[case::panic_while_building("c", Trouble::PanicWhileBuilding, Some("panicked: oh"))]
#[case::emptying("a", Trouble::Emptying, None)]
fn what_goes_wrong_with_a_world_is_the_fault_of_the_row_that_was_prepared(
    #[case] row: &'static str,
    #[case] trouble: Trouble,
    #[case] message: Option<&str>,
) {
    let run = Run { trouble: (row, trouble), ..Run::new(|_, _| Ok(())) };
    let mut expected = vec![Verdict::Passed; 5];
    let place = if row == "a" && trouble == Trouble::Building { 0 } else { 2 };
    if let Some(message) = message {
        expected[place] = errored(message);
    }
    assert_eq!(run.verdicts(&plain(&["a", "b", "c", "d", "e"]), ONE), expected);
}

/// Whose world it was has its result already.
#[test]
fn what_panics_while_a_world_is_emptied_is_the_fault_of_one_row_that_is_prepared_after_it() {
    let run = Run::new(|row, diary| if row == "a" { diary.wait_for_built("b") } else { Ok(()) });
    let run = Run { trouble: ("a", Trouble::PanicWhileEmptying), ..run };
    let rows: Vec<String> = (0..50).map(|number| format!("row-{number}")).collect();
    let mut names = vec![("a", ""), ("b", "")];
    names.extend(rows.iter().map(|name| (name.as_str(), "")));
    let verdicts = run.verdicts(&rows_of(&names), ONE);
    assert_eq!(verdicts[..2], [Verdict::Passed, Verdict::Passed]);
    let odd: Vec<&Verdict> = verdicts.iter().filter(|verdict| **verdict != Verdict::Passed).collect();
    assert_eq!(odd, [&errored("panicked: oh")]);
}

#[rstest]
#[case::two(2)]
#[case::three(3)]
#[case::more_than_rows(20)]
fn more_workers_find_the_same(#[case] jobs: usize) {
    let wanted: Vec<(String, &str)> =
        (0..12).map(|number| (format!("row-{number}"), if number % 5 == 3 { "    needs: [mcp]\n" } else { "" })).collect();
    let rows = rows_of(&wanted.iter().map(|(name, more)| (name.as_str(), *more)).collect::<Vec<_>>());
    let results = |jobs| {
        let run = Run::new(|row, _| if row.ends_with('4') { crash() } else { Ok(()) });
        let run = Run { trouble: ("row-6", Trouble::PanicWhileBuilding), ..run };
        let results = run.results(&rows, Options::new(jobs));
        results.into_iter().map(|result| RowResult { microseconds: None, ..result }).collect::<Vec<_>>()
    };
    assert_eq!(results(jobs), results(1));
}

#[test]
fn a_row_that_was_prepared_for_a_gate_that_does_not_start_again_is_played_by_another() {
    let gone = |events: &[Event]| events.iter().filter(|event| **event == Event::NotStarted).count() == 3;
    let prepared = |events: &[Event]| events.iter().filter(|event| matches!(event, Event::Built(..))).count() == 4;
    let mut run =
        Run::new(
            move |row, diary| {
                if row == "a" { diary.wait("prepared", prepared).and_then(|()| crash()) } else { diary.wait("gone", gone) }
            },
        );
    run.gates.most = 2;
    let verdicts = run.verdicts(&plain(&["a", "b", "c", "d"]), Options::new(2));
    assert_eq!(verdicts[1..], vec![Verdict::Passed; 3]);
    let Verdict::Errored { message } = &verdicts[0] else { panic!("{verdicts:?}") };
    assert!(message.starts_with("exit 1\nit could not be started again"), "{message}");
}

#[test]
fn a_row_that_was_prepared_does_not_wait_for_a_long_one() {
    let begun = |events: &[Event]| events.iter().filter(|event| matches!(event, Event::Begun(..))).count() == 4;
    let prepared = |events: &[Event]| events.iter().filter(|event| matches!(event, Event::Built(..))).count() >= 4;
    let run = Run::new(
        move |row, diary| {
            if row == "a" { diary.wait("all begun", begun) } else { diary.wait("all prepared", prepared) }
        },
    );
    assert_eq!(run.verdicts(&plain(&["a", "b", "c", "d"]), Options::new(2)), vec![Verdict::Passed; 4]);
}

#[test]
fn a_row_that_is_played_once_more_has_a_new_world() {
    let mut run = Run::new(|_, _| Ok(()));
    run.gates.belated = Some("b");
    assert_eq!(run.verdicts(&plain(&["a", "b", "c"]), ONE), [errored("one more thing"), Verdict::Passed, Verdict::Passed]);
    let begun = run.diary.begun();
    assert_eq!(names(&begun), ["a", "b", "b", "c"]);
    assert!(begun[1].1 != begun[2].1 && begun[1].1 != begun[3].1, "{begun:?}");
}

#[test]
fn a_gate_in_this_process_has_no_second_thread() {
    let diary = Arc::new(Diary::default());
    let builder = Watched { diary: Arc::clone(&diary), trouble: ("", Trouble::Nothing) };
    let results = run_in_worlds(&[0, 1], &plain(&["a", "b"]), &Reference, ONE, &|_| {}, &builder).unwrap();
    assert!(results.iter().all(|result| !matches!(result.verdict, Verdict::Errored { .. } | Verdict::NotRun)), "{results:?}");
    assert_eq!(diary.all(), []);
}
