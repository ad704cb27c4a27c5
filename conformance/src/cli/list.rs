//! `portcullis list`, and the table of requirements.

use std::collections::BTreeMap;

use serde_json::json;

use super::args::ListOptions;
use super::check::scenarios;
use super::output::Output;
use crate::coverage::{self, Shown, Table};
use crate::error::{CliError, CliErrorKind, EXIT_FAILED, count};
use crate::scenario::Scenario;

pub(super) fn list(options: &ListOptions, output: &mut Output) -> Result<u8, CliError> {
    let mut all = scenarios(&options.sources)?;
    let filter = options.selection.filter();
    refuse_unknown(&filter.unknown(&all), &all)?;
    all.retain(|scenario| filter.chooses(scenario));
    let code = if options.requirements { requirements(&all, options.json, output)? } else { names(&all, options.json, output)? };
    output.flush()?;
    Ok(code)
}

/// A name that nobody has is a mistake of the caller, not an empty list.
pub(super) fn refuse_unknown(unknown: &[&str], all: &[Scenario]) -> Result<(), CliError> {
    let Some(first) = unknown.first() else { return Ok(()) };
    let near = crate::problem::nearest(first, all.iter().map(|scenario| scenario.id.as_str()));
    let help = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(CliError::new(CliErrorKind::Input, format!("there is no scenario `{first}`{help}")))
}

fn names(all: &[Scenario], as_json: bool, output: &mut Output) -> Result<u8, CliError> {
    if as_json {
        for scenario in all {
            let line = json!({
                "name": scenario.name, "id": scenario.id, "title": scenario.title, "suite": &*scenario.suite,
                "level": scenario.level, "needs": scenario.needs, "covers": scenario.covers, "origin": scenario.origin(),
            });
            output.line(&line.to_string())?;
        }
        return Ok(0);
    }
    let style = output.style();
    let mut file = "";
    for scenario in all {
        if scenario.file.name != file {
            file = &scenario.file.name;
            output.line(&style.bold(file))?;
        }
        let level = style.dim(&format!("[{}]", scenario.level));
        output.line(&format!("  {} {level} {}", scenario.name, style.dim(&scenario.title)))?;
    }
    output.line(&count(all.len(), "scenario row"))?;
    Ok(0)
}

fn requirements(all: &[Scenario], as_json: bool, output: &mut Output) -> Result<u8, CliError> {
    let table = coverage::table(all);
    if as_json {
        for row in &table.rows {
            let line = json!({
                "id": row.requirement.id, "file": row.requirement.file, "scenarios": row.scenarios,
                "unitTests": row.requirement.unit_tests, "elsewhere": row.elsewhere, "inScope": row.in_scope,
                "missing": row.is_missing(),
            });
            output.line(&line.to_string())?;
        }
    } else {
        by_requirement(&table, output)?;
        by_scenario(all, output)?;
    }
    verdict(&table, output)
}

fn by_requirement(table: &Table, output: &mut Output) -> Result<(), CliError> {
    let style = output.style();
    let mut file = "";
    for row in &table.rows {
        if row.requirement.file != file {
            file = row.requirement.file;
            output.line(&style.bold(&format!("docs/spec/{file}")))?;
        }
        output.line(&format!("  {:<12} {}", row.requirement.id, shown_by(row)))?;
    }
    Ok(())
}

fn shown_by(row: &Shown) -> String {
    let mut parts = Vec::new();
    if !row.scenarios.is_empty() {
        parts.push(row.scenarios.join(", "));
    }
    if !row.requirement.unit_tests.is_empty() {
        parts.push(format!("tests: {}", row.requirement.unit_tests.join(", ")));
    }
    if let Some(reason) = row.elsewhere {
        parts.push(format!("({reason})"));
    }
    if parts.is_empty() {
        return if row.in_scope { "NOTHING".into() } else { "-".into() };
    }
    parts.join("; ")
}

fn by_scenario(all: &[Scenario], output: &mut Output) -> Result<(), CliError> {
    let style = output.style();
    let mut covers: BTreeMap<&str, &[String]> = BTreeMap::new();
    for scenario in all {
        covers.insert(&scenario.id, &scenario.covers);
    }
    output.line(&style.bold("scenarios"))?;
    for (id, ids) in covers {
        output.line(&format!("  {id}: {}", ids.join(", ")))?;
    }
    Ok(())
}

fn verdict(table: &Table, output: &mut Output) -> Result<u8, CliError> {
    let missing: Vec<&str> = table.rows.iter().filter(|row| row.is_missing()).map(|row| row.requirement.id).collect();
    let scope = table.rows.iter().filter(|row| row.in_scope).count();
    output.flush()?;
    for fault in &table.faults {
        output.remark(&format!("exceptions list: {fault}"));
    }
    if missing.is_empty() {
        output.remark(&format!("{} in scope, each is shown by something", count(scope, "requirement")));
    } else {
        output.remark(&format!("{} of {scope} in scope are shown by nothing: {}", missing.len(), missing.join(" ")));
    }
    Ok(if missing.is_empty() && table.faults.is_empty() { 0 } else { EXIT_FAILED })
}
