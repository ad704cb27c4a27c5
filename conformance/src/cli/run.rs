//! `portcullis run`.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::args::{Playing, RunOptions};
use super::list::refuse_unknown;
use super::output::Output;
use super::report::write;
use super::timings::{GateTime, Timings};
use crate::doubles::{ALL, Double, Launcher};
use crate::error::{CliError, CliErrorKind, EXIT_FAILED, count};
use crate::implementation::external::{External, Limits, adopt_orphans, end_all};
use crate::implementation::{Factory, Hello, Implementation, Reference, Timed};
use crate::report::{Detail, Format, Repeat, RunReport, text};
use crate::revision;
use crate::run::{self, Expected, Options, RowResult};
use crate::scenario::Scenario;
use crate::source::SourceFile;

pub(super) fn run(options: &RunOptions, output: &mut Output) -> Result<u8, CliError> {
    fit_together(&options.playing)?;
    let factory = implementation(&options.implementation, options.times.limits())?;
    let expected = options.expected_failures.as_deref().map(expected).transpose()?;
    let revision = options.revision.as_deref().map(revision::find).transpose().map_err(CliError::problems)?;
    let (scenarios, all) = chosen(options, output)?;
    let factory = Handed::after_hello(factory.as_ref())?;
    let hello = factory.hello.clone();
    let how = Options {
        jobs: options.playing.jobs.map_or_else(default_jobs, NonZero::get),
        fail_fast: options.playing.fail_fast,
        details: options.playing.details,
        worlds: options.playing.worlds.into(),
    };
    end_gently();
    let order = match options.playing.shuffle {
        Some(seed) => run::shuffled(&scenarios, seed),
        None => (0..scenarios.len()).collect(),
    };
    let is_known = |result: &RowResult| expected.as_ref().is_some_and(|expected| expected.expects(result));
    let watch = options.playing.timings.then(|| Timed::new(&factory));
    let timed: &dyn Factory = watch.as_ref().map_or(&factory, |watch| watch);
    let began = Instant::now();
    let mut results = play(&Rows { scenarios: &scenarios, order: &order, factory: timed, how, is_known: &is_known }, output)?;
    let timings = watch.map(|watch| timings(&watch, &options.implementation, how.jobs.min(scenarios.len()), began.elapsed()));
    drop(factory);
    if let Some(revision) = &revision {
        let sums = revision::sums(&scenarios);
        for (row, result) in scenarios.iter().zip(&mut results) {
            result.unscored = revision.unscored(row, &sums);
        }
    }
    let complaints = expected.as_ref().map(|expected| expected.judge(&mut results, &all)).unwrap_or_default();
    let repeat = Repeat {
        command: if options.own { "test" } else { "run" },
        implementation: (options.implementation != "reference").then(|| options.implementation.clone()),
        from_files: !options.sources.paths.is_empty(),
    };
    repeat.note_in(&mut results);
    if !options.playing.timings {
        results.iter_mut().for_each(|result| result.microseconds = None);
    }
    let not_chosen = all.len() - scenarios.len();
    let report = RunReport { implementation: hello, revision: options.revision.clone(), not_chosen, rows: results, complaints };
    let mut to_stdout = false;
    for wanted in options.playing.wanted() {
        to_stdout |= write(&wanted, &report, output)?;
    }
    if let (Some(expected), true) = (&expected, options.update) {
        let diff = expected.proposal(&report.rows, &all);
        output.line(if diff.is_empty() { "the list of known failures is right" } else { diff.trim_end() })?;
    } else if !to_stdout {
        let detail = match (output.is_terminal(), options.playing.quiet) {
            (true, _) => Detail::Skips,
            (false, true) => Detail::Nothing,
            (false, false) => Detail::Rows,
        };
        output.line(&text(&report, output.style(), detail))?;
    }
    output.flush()?;
    if run::INTERRUPTED.load(Ordering::Relaxed) {
        return Err(CliError::new(CliErrorKind::Interrupted, "interrupted"));
    }
    for complaint in &report.complaints {
        output.remark(complaint);
    }
    // Beside the results, so that two runs that went alike write the same.
    for line in timings.iter().flat_map(Timings::lines) {
        output.remark(&line);
    }
    let summary = report.summary();
    if summary.errored > 0 && summary.errored == summary.ran() {
        let text = "the implementation gave no answer to any row";
        return Err(CliError::new(CliErrorKind::Implementation, text));
    }
    if summary.failed + summary.errored + report.complaints.len() > 0 {
        return Ok(EXIT_FAILED);
    }
    if summary.ran() == 0 {
        let unscored = if summary.unscored > 0 { format!(", {} not scored", summary.unscored) } else { String::new() };
        let text = format!("nothing ran: {} chosen, {} skipped{unscored}", count(report.rows.len(), "row"), summary.skipped);
        return Err(CliError::new(CliErrorKind::NothingRan, text));
    }
    Ok(0)
}

fn timings(watch: &Timed<'_>, name: &str, workers: usize, wall: Duration) -> Timings {
    let gate = GateTime { name: name.to_owned(), spent: watch.spent(), apart: watch.is_apart() };
    Timings { workers, wall, starts: watch.starting(), gates: vec![gate] }
}

fn fit_together(playing: &Playing) -> Result<(), CliError> {
    let wanted = playing.wanted();
    let fault = if wanted.iter().filter(|wanted| wanted.is_to_stdout()).count() > 1 {
        "only one report can go to the standard output"
    } else if playing.details && !wanted.iter().any(|wanted| wanted.format == Format::JsonLines) {
        "`--details` go into the JSON lines: say `--json-lines FILE`"
    } else {
        return Ok(());
    };
    Err(CliError::new(CliErrorKind::Input, fault))
}

/// The first signal breaks off the rows under way, in order: no process and no world is left behind. The second ends the processes of
/// implementations at once, should one hold things up; the third ends the program, whatever it is at.
pub(super) fn end_gently() {
    adopt_orphans();
    let signals = AtomicUsize::new(0);
    let handler = move || {
        run::INTERRUPTED.store(true, Ordering::Relaxed);
        let before = signals.fetch_add(1, Ordering::Relaxed);
        if before > 0 {
            end_all();
        }
        if before > 1 {
            std::process::exit(i32::from(CliErrorKind::Interrupted.exit_code()));
        }
    };
    // Without a handler the program ends as programs do; that is no reason not to run.
    let _ = ctrlc::set_handler(handler);
}

pub(super) fn default_jobs() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// What a name or a command line stands for.
pub(super) fn implementation(name: &str, limits: Limits) -> Result<Box<dyn Factory>, CliError> {
    if name == "reference" {
        return Ok(Box::new(Reference));
    }
    if let Some(double) = Double::named(name) {
        return launcher(limits)?.factory(double).map_err(broken);
    }
    if let Some(external) = External::parse(name, limits) {
        return Ok(Box::new(external));
    }
    let plain = ["reference", "always-allow", "always-deny", "always-ask"].map(str::to_owned);
    let names: Vec<String> = plain.into_iter().chain(ALL.iter().map(|double| format!("double:{}", double.name))).collect();
    let help = crate::problem::nearest(name, names.iter().map(String::as_str)).map_or_else(
        || "`portcullis doubles --page` lists those that are wrong on purpose".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    Err(CliError::new(CliErrorKind::Input, format!("there is no implementation `{name}`; {help}")))
}

/// Starts doubles; those that hang or die are processes of this program.
pub(super) fn launcher(limits: Limits) -> Result<Launcher, CliError> {
    let cannot = |error: std::io::Error| broken(format!("this program does not know where it lies: {error}"));
    Ok(Launcher { program: std::env::current_exe().map_err(cannot)?, limits })
}

fn expected(path: &Path) -> Result<Expected, CliError> {
    let cannot = |error: std::io::Error| CliError::new(CliErrorKind::Input, format!("cannot read {}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(cannot)?;
    Expected::parse(&SourceFile::new(path.to_string_lossy(), text))
        .map_err(|faults| CliError::new(CliErrorKind::Input, format!("the list of known failures:\n{}", faults.join("\n"))))
}

/// What is played, and all that could be.
fn chosen(options: &RunOptions, output: &mut Output) -> Result<(Vec<Scenario>, Vec<Scenario>), CliError> {
    let all = super::check::playable(&options.sources, options.own, output)?;
    let filter = options.selection.filter();
    refuse_unknown(&filter.unknown(&all), &all)?;
    let chosen: Vec<Scenario> = all.iter().filter(|scenario| filter.chooses(scenario)).cloned().collect();
    if chosen.is_empty() {
        let text = format!("nothing ran: no row of {} is chosen", all.len());
        return Err(CliError::new(CliErrorKind::NothingRan, text));
    }
    Ok((chosen, all))
}

pub(super) fn broken(message: String) -> CliError {
    CliError::new(CliErrorKind::Implementation, format!("the implementation could not be started: {message}"))
}

/// Hands out the implementation that has said who it is before it starts others: starting one may take a while.
struct Handed<'a> {
    hello: Hello,
    first: Mutex<Option<Box<dyn Implementation>>>,
    factory: &'a dyn Factory,
}

impl<'a> Handed<'a> {
    fn after_hello(factory: &'a dyn Factory) -> Result<Self, CliError> {
        let first = factory.start().map_err(broken)?;
        Ok(Self { hello: first.hello(), first: Mutex::new(Some(first)), factory })
    }
}

impl Factory for Handed<'_> {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        first.map_or_else(|| self.factory.start(), Ok)
    }
}

/// What is played, how, and what of it is known to go wrong.
struct Rows<'a> {
    scenarios: &'a [Scenario],
    order: &'a [usize],
    factory: &'a dyn Factory,
    how: Options,
    is_known: &'a (dyn Fn(&RowResult) -> bool + Sync),
}

/// Plays with a bar on a terminal; elsewhere the lines come with the report.
fn play(playing: &Rows<'_>, output: &Output) -> Result<Vec<RowResult>, CliError> {
    let bar = if output.shows_progress() { ProgressBar::new(playing.order.len() as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    let bad = Mutex::new(0_usize);
    let watch = |result: &RowResult| {
        if result.verdict.is_bad() && !(playing.is_known)(result) {
            let mut bad = bad.lock().unwrap_or_else(PoisonError::into_inner);
            *bad += 1;
            bar.set_message(format!("{bad} failed"));
        }
        bar.inc(1);
    };
    let results = run::run_in_order(playing.order, playing.scenarios, playing.factory, playing.how, &watch).map_err(broken);
    bar.finish_and_clear();
    results
}
