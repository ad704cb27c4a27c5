//! `portcullis compare`.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::args::{CompareOptions, RelationName, Sources};
use super::list::refuse_unknown;
use super::output::Output;
use super::run::{broken, default_jobs, end_gently, implementation};
use super::timings::{GateTime, Timings};
use crate::error::{CliError, CliErrorKind, EXIT_FAILED, count};
use crate::implementation::{Factory, Hello, Timed};
use crate::run::{self, Options};
use crate::scenario::Scenario;
use crate::side_by_side::generate::{Abilities, case};
use crate::side_by_side::{Aspect, Disagreement, Duel, Finding, Kind, Relation, Suite, Tally, disagreements, scenario_file};

/// The version of the JSON form.
const VERSION: u32 = 1;

pub(super) fn compare(options: &CompareOptions, output: &mut Output) -> Result<u8, CliError> {
    let limits = options.times.limits();
    let factories = options.implementations.iter().map(|name| implementation(name, limits)).collect::<Result<Vec<_>, _>>()?;
    end_gently();
    let mut hellos = Vec::new();
    for factory in &factories {
        hellos.push(factory.start().map_err(broken)?.hello());
    }
    match options.generate {
        None => suite(options, hellos, &factories, output),
        Some(calls) => generated(options, calls, &hellos, &factories, output),
    }
}

fn jobs(options: &CompareOptions) -> usize {
    options.jobs.map_or_else(default_jobs, NonZero::get)
}

fn interrupted() -> Result<(), CliError> {
    if run::INTERRUPTED.load(Ordering::Relaxed) { Err(CliError::new(CliErrorKind::Interrupted, "interrupted")) } else { Ok(()) }
}

/// The suite on each.
fn suite(
    options: &CompareOptions,
    hellos: Vec<Hello>,
    factories: &[Box<dyn Factory>],
    output: &mut Output,
) -> Result<u8, CliError> {
    let all = super::check::playable(&Sources { paths: options.scenarios.clone() }, false, output)?;
    let filter = options.selection.filter();
    refuse_unknown(&filter.unknown(&all), &all)?;
    let rows: Vec<Scenario> = all.into_iter().filter(|row| filter.chooses(row)).collect();
    if rows.is_empty() {
        return Err(CliError::new(CliErrorKind::NothingRan, "nothing ran: no row is chosen"));
    }
    let how = Options::new(jobs(options));
    let mut results = Vec::new();
    for factory in factories {
        results.push(run::run(&rows, factory.as_ref(), how, &|_| {}).map_err(broken)?);
        interrupted()?;
    }
    let suite = Suite { hellos, results };
    let found = disagreements(&suite, &rows, factories).map_err(broken)?;
    if options.json {
        let areas: Vec<_> = suite.areas().into_iter().map(|line| json!(line)).collect();
        let value = json!({ "version": VERSION, "implementations": suite.hellos, "areas": areas, "disagreements": found });
        output.line(&value.to_string())?;
    } else {
        let head: Vec<String> = ["area", "level"]
            .map(str::to_owned)
            .into_iter()
            .chain(options.implementations.iter().map(|name| short(name)))
            .collect();
        let lines: Vec<Vec<String>> = std::iter::once(head).chain(suite.areas()).collect();
        for line in table(&lines) {
            output.line(&line)?;
        }
        for one in &found {
            output.line("")?;
            disagreement(one, options, output)?;
        }
        output.line("")?;
        output.line(&format!("{}, {} on which they part", count(rows.len(), "row"), count(found.len(), "row")))?;
    }
    output.flush()?;
    Ok(if found.is_empty() { 0 } else { EXIT_FAILED })
}

fn disagreement(one: &Disagreement, options: &CompareOptions, output: &mut Output) -> Result<(), CliError> {
    let style = output.style();
    let origin = style.dim(&format!("{}:{}", one.origin.file, one.origin.line));
    let aspects: Vec<&str> = one.aspects.iter().map(|aspect| aspect.as_str()).collect();
    let aspects = if aspects.is_empty() { String::new() } else { format!("\n  {}", style.yellow(&aspects.join(", "))) };
    output.line(&format!("{}  {origin}\n  {}{aspects}", style.bold(&one.name), one.title))?;
    for (name, side) in options.implementations.iter().zip(&one.sides) {
        let word = match side.outcome {
            "passed" => style.green(side.outcome),
            "failed" | "errored" => style.red(side.outcome),
            other => style.yellow(other),
        };
        let why = side.why.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
        output.line(&format!("  {}: {word}  {}{why}", short(name), side.decided.as_deref().unwrap_or("nothing decided")))?;
        if options.traces {
            for line in side.trace.iter().flat_map(|trace| trace.lines()) {
                output.line(&format!("    {line}"))?;
            }
        }
    }
    Ok(())
}

/// A command line by its last two words' end, so that it fits a table.
fn short(name: &str) -> String {
    let word = name.split_whitespace().last().unwrap_or(name);
    let mut parts: Vec<&str> = word.rsplit('/').take(2).collect();
    parts.reverse();
    parts.join("/")
}

/// Columns under each other.
fn table(lines: &[Vec<String>]) -> Vec<String> {
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    let width =
        |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect()
}

/// Calls from a seed: the first with each other one.
fn generated(
    options: &CompareOptions,
    calls: u64,
    hellos: &[Hello],
    factories: &[Box<dyn Factory>],
    output: &mut Output,
) -> Result<u8, CliError> {
    let relation = match options.relation {
        RelationName::Equality => Relation::Equality,
        RelationName::Refinement => Relation::Refinement,
    };
    let Some((ours, others)) = factories.split_first() else { return Ok(0) };
    let mut good = true;
    let mut pairs = Vec::new();
    for (index, theirs) in others.iter().enumerate() {
        let both: Vec<Hello> = [hellos.first(), hellos.get(index + 1)].into_iter().flatten().cloned().collect();
        let mut abilities = Abilities::common(&both);
        // Their answers come without an explanation that could name why one is stricter.
        abilities.queries &= relation == Relation::Equality;
        let cases = cases(options.seed, calls, abilities);
        let watches = [Timed::new(ours.as_ref()), Timed::new(theirs.as_ref())];
        let (tally, findings, took) = play(&cases, relation, &watches, options);
        interrupted()?;
        if tally.calls == 0 {
            let why = tally.errors.first().cloned().or_else(|| tally.skipped.keys().next().cloned()).unwrap_or_default();
            return Err(CliError::new(CliErrorKind::NothingRan, format!("nothing ran: {why}")));
        }
        good &= tally.is_good();
        let names =
            [options.implementations.first(), options.implementations.get(index + 1)].map(|name| name.map_or("", String::as_str));
        if let Some(folder) = &options.write {
            write(folder, &findings, relation, names)?;
        }
        if options.json {
            let findings = findings.iter().map(|one| json!({ "number": one.number, "difference": one.difference, "scenario": scenario_file(one, relation, names) }));
            let mut pair = json!({ "implementations": both, "counts": tally, "findings": findings.collect::<Vec<_>>() });
            if let (true, Some(members)) = (options.timings, pair.as_object_mut()) {
                members.insert("seconds".into(), took.timings(names).json());
            }
            pairs.push(pair);
        } else {
            people(&tally, &findings, relation, names, options, output)?;
            if options.timings {
                for line in took.timings(names).lines() {
                    output.line(&line)?;
                }
            }
        }
    }
    if options.json {
        let value = json!({ "version": VERSION, "seed": options.seed, "calls": calls, "relation": relation, "pairs": pairs });
        output.line(&value.to_string())?;
    }
    output.flush()?;
    Ok(if good { 0 } else { EXIT_FAILED })
}

/// The first cases that hold so many calls.
fn cases(seed: u64, calls: u64, abilities: Abilities) -> Vec<Scenario> {
    let mut left = usize::try_from(calls).unwrap_or(usize::MAX);
    let mut all = Vec::new();
    for number in 0.. {
        if left == 0 {
            break;
        }
        let mut one = case(seed, number, abilities);
        one.place.line = all.len();
        left = left.saturating_sub(one.steps.iter().filter(|step| step.action.is_call()).count());
        all.push(one);
    }
    all
}

fn workers(options: &CompareOptions, cases: usize) -> usize {
    jobs(options).min(cases.max(1))
}

/// How long playing took.
struct Took {
    workers: usize,
    /// By the clock, from when all gates had started to when the last case had ended.
    wall: Duration,
    /// What each gate took of it, and whether it lives in another process.
    gates: [(Duration, bool); 2],
}

impl Took {
    fn timings(&self, names: [&str; 2]) -> Timings {
        let time = |((spent, apart), name): ((Duration, bool), &str)| GateTime { name: short(name), spent, apart };
        let gates = self.gates.into_iter().zip(names).map(time).collect();
        Timings { workers: self.workers, wall: self.wall, starts: Duration::ZERO, gates }
    }
}

/// So many play in turn on a gate in another process, so that it need not wait for worlds and comparisons.
const IN_TURN: usize = 6;

/// All cases, by several workers; what they find in the order of the cases.
fn play(cases: &[Scenario], relation: Relation, gates: &[Timed<'_>; 2], options: &CompareOptions) -> (Tally, Vec<Finding>, Took) {
    let [ours, theirs] = gates;
    let duels = started(workers(options, cases.len()), || Duel::new(relation, ours, theirs));
    let players = if gates.iter().any(|gate| gate.is_apart()) { IN_TURN } else { 1 };
    let more: Vec<Duel<'_>> = duels.iter().flat_map(|duel| (1..players).map(|_| duel.beside())).collect();
    let next = AtomicUsize::new(0);
    let all: Mutex<(Tally, Vec<Finding>)> = Mutex::default();
    let player = |duel: &Duel<'_>| {
        let (mut tally, mut found) = (Tally::default(), Vec::new());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(scenario) = cases.get(index) else { break };
            if run::INTERRUPTED.load(Ordering::Relaxed) {
                break;
            }
            found.extend(duel.case(index as u64, scenario, &mut tally));
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.0.add(tally);
        all.1.extend(found);
    };
    let began = Instant::now();
    thread::scope(|scope| {
        for duel in duels.iter().chain(&more) {
            scope.spawn(|| player(duel));
        }
    });
    // What is played after this makes findings small.
    let took = Took {
        workers: workers(options, cases.len()),
        wall: began.elapsed(),
        gates: gates.each_ref().map(|gate| (gate.spent(), gate.is_apart())),
    };
    let (tally, mut found) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The milder first: they are what one looks for.
    found.sort_by_key(|one| (one.difference.kind, one.number));
    found.truncate(options.show);
    let small = |finding| duels.first().map(|duel| duel.small(finding));
    (tally, found.into_iter().filter_map(small).collect(), took)
}

/// One for each worker; their gates start at the same time.
fn started<'f>(workers: usize, duel: impl Fn() -> Duel<'f> + Sync) -> Vec<Duel<'f>> {
    let one = || {
        let duel = duel();
        duel.start();
        duel
    };
    thread::scope(|scope| {
        let starting: Vec<_> = (0..workers).map(|_| scope.spawn(one)).collect();
        starting.into_iter().filter_map(|one| one.join().ok()).collect()
    })
}

fn write(folder: &Path, findings: &[Finding], relation: Relation, names: [&str; 2]) -> Result<(), CliError> {
    let cannot =
        |error: std::io::Error| CliError::new(CliErrorKind::Output, format!("cannot write to {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(cannot)?;
    for finding in findings {
        let path = folder.join(format!("{}.yaml", finding.scenario.name));
        fs::write(path, scenario_file(finding, relation, names)).map_err(cannot)?;
    }
    Ok(())
}

fn people(
    tally: &Tally,
    findings: &[Finding],
    relation: Relation,
    names: [&str; 2],
    options: &CompareOptions,
    output: &mut Output,
) -> Result<(), CliError> {
    let style = output.style();
    let [ours, theirs] = names;
    output.line(&style.bold(&format!("{} and {}, seed {}", short(ours), short(theirs), options.seed)))?;
    output.line(&format!(
        "{} in {}: {} alike; steps that differ: {} explained, {} not explained",
        count(tally.calls, "call"),
        count(tally.cases, "case"),
        tally.alike,
        tally.explained,
        tally.milder + tally.stricter + tally.otherwise,
    ))?;
    for (aspect, number) in &tally.aspects {
        output.line(&format!("  {}: {aspect}", count(*number, "step")))?;
    }
    if !tally.requirements.is_empty() {
        output.line("")?;
        output.line(tally.table().trim_end())?;
    }
    for (reason, number) in &tally.skipped {
        output.line(&style.yellow(&format!("{} skipped: {reason}", count(*number, "case"))))?;
    }
    for error in tally.errors.iter().take(options.show) {
        output.line(&style.red(&format!("no answer to {error}")))?;
    }
    for finding in findings {
        let word = match finding.difference.kind {
            Kind::Milder => format!("{} is milder", short(ours)),
            Kind::Stricter => format!("{} is stricter", short(ours)),
            Kind::Otherwise => finding.difference.aspect.unwrap_or(Aspect::Other).to_string(),
        };
        output.line("")?;
        output.line(&style.red(&format!("unexplained, {word} (case {})", finding.number)))?;
        output.line(scenario_file(finding, relation, names).trim_end())?;
        if options.traces {
            for line in finding.difference.ours.trace.iter().flat_map(|trace| trace.lines()) {
                output.line(&format!("    {line}"))?;
            }
        }
    }
    output.line("")
}
