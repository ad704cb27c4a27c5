//! `portcullis doubles`.

use std::num::NonZero;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::args::DoublesOptions;
use super::output::Output;
use super::run::{broken, default_jobs, end_gently, launcher};
use crate::doubles::{ALL, Caught, Double, GENERATED_CALLS, WITNESSES, generated, judge, naming, page};
use crate::error::{CliError, CliErrorKind, EXIT_FAILED, count};
use crate::implementation::Reference;
use crate::implementation::external::Limits;
use crate::run::{self, Options, Verdict};
use crate::scenario::Scenario;

/// A double that hangs is given up soon: what it is late with takes the reference no time.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn doubles(options: &DoublesOptions, output: &mut Output) -> Result<u8, CliError> {
    if options.page {
        output.line(page().trim_end())?;
        output.flush()?;
        return Ok(0);
    }
    let jobs = options.jobs.map_or_else(default_jobs, NonZero::get);
    if options.generated {
        return by_generated_calls(jobs, output);
    }
    let doubles = chosen(&options.name)?;
    end_gently();
    let all = super::check::playable(&options.sources, false, output)?;
    let chosen_rows: Vec<Scenario> =
        all.into_iter().filter(|row| options.whole || doubles.iter().any(|double| double.is_named_by(row))).collect();
    if chosen_rows.is_empty() {
        let text = "nothing ran: no row covers a requirement that these doubles break";
        return Err(CliError::new(CliErrorKind::NothingRan, text));
    }
    let scenarios = passing(chosen_rows, jobs, output)?;
    let launcher = launcher(Limits { step: PATIENCE, ..Limits::default() })?;
    let style = output.style();
    if !options.json {
        let whole = if options.whole { format!("{:>7}", "caught") } else { String::new() };
        let head = format!("{:<25} {:>7}{whole}  {}", "double", "naming", "what it does wrong; who noticed");
        output.line(&style.bold(&head))?;
    }
    let mut escaped = 0;
    for double in doubles {
        let caught = if options.whole {
            judge(double, &scenarios, &launcher, jobs)
        } else {
            judge(double, &naming(double, &scenarios), &launcher, jobs)
        }
        .map_err(broken)?;
        if run::INTERRUPTED.load(Ordering::Relaxed) {
            return Err(CliError::new(CliErrorKind::Interrupted, "interrupted"));
        }
        escaped += usize::from(caught.escapes());
        let text = if options.json { json(&caught) } else { line(&caught, options.whole) };
        output.line(&if caught.escapes() && !options.json { style.red(&text) } else { text })?;
        output.flush()?;
    }
    if escaped == 0 {
        return Ok(0);
    }
    output.remark(&format!("{} with fewer than {WITNESSES} scenarios that name what it breaks", count(escaped, "double")));
    Ok(EXIT_FAILED)
}

/// Which doubles generated calls give away.
fn by_generated_calls(jobs: usize, output: &mut Output) -> Result<u8, CliError> {
    end_gently();
    let all = generated(jobs).map_err(|fault| CliError::new(CliErrorKind::Implementation, fault))?;
    if run::INTERRUPTED.load(Ordering::Relaxed) {
        return Err(CliError::new(CliErrorKind::Interrupted, "interrupted"));
    }
    let style = output.style();
    for double in &all {
        let words = match (double.found, double.excuse) {
            (true, None) => "found".to_owned(),
            (false, Some(why)) => format!("not found: {why}"),
            (false, None) => style.red("NOT FOUND"),
            (true, Some(_)) => style.red("FOUND, though it is said to be hidden"),
        };
        output.line(&format!("{:<25} {words}", double.name))?;
    }
    output.flush()?;
    let odd = all.iter().filter(|double| !double.is_as_expected()).count();
    if odd == 0 {
        return Ok(0);
    }
    let text = format!("{} not as {GENERATED_CALLS} generated calls should find them", count(odd, "double"));
    output.remark(&text);
    Ok(EXIT_FAILED)
}

fn chosen(names: &[String]) -> Result<Vec<&'static Double>, CliError> {
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    let find = |name: &String| {
        let near = || crate::problem::nearest(name, ALL.iter().map(|double| double.name));
        let help = || near().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Double::named(name).ok_or_else(|| CliError::new(CliErrorKind::Input, format!("there is no double `{name}`{}", help())))
    };
    names.iter().map(find).collect()
}

/// A scenario that fails on the reference notices nothing when it fails on a double.
fn passing(scenarios: Vec<Scenario>, jobs: usize, output: &mut Output) -> Result<Vec<Scenario>, CliError> {
    let results = run::run(&scenarios, &Reference, Options::new(jobs), &|_| {}).map_err(broken)?;
    let rows = scenarios.len();
    let good: Vec<Scenario> =
        scenarios.into_iter().zip(results).filter(|(_, result)| result.verdict == Verdict::Passed).map(|(row, _)| row).collect();
    if good.len() < rows {
        output.remark(&format!("{} left out: not passed by the reference", count(rows - good.len(), "row")));
    }
    if good.is_empty() {
        return Err(CliError::new(CliErrorKind::NothingRan, "nothing ran: no row is passed by the reference"));
    }
    Ok(good)
}

fn line(caught: &Caught, whole: bool) -> String {
    let first: Vec<&str> = caught.naming.iter().take(WITNESSES).map(String::as_str).collect();
    let who = if first.is_empty() { "nobody".to_owned() } else { first.join(", ") };
    let word = if caught.escapes() { "ESCAPES: " } else { "" };
    let naming = format!("{}/{}", caught.naming.len(), caught.named);
    let whole = if whole { format!("{:>7}", caught.caught.len()) } else { String::new() };
    format!("{:<25} {naming:>7}{whole}  {word}{}; {who}", caught.name, caught.fault)
}

fn json(caught: &Caught) -> String {
    let mut line = serde_json::to_value(caught).unwrap_or_default();
    if let Some(members) = line.as_object_mut() {
        members.insert("escapes".into(), caught.escapes().into());
    }
    line.to_string()
}
