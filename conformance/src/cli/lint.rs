//! `portcullis lint`.

use std::path::Path;
use std::sync::Arc;

use super::lint_args::{LintFormat, LintOptions};
use super::output::Output;
use super::own_policy::lint_options;
use crate::error::{CliError, CliErrorKind, EXIT_FAILED, count};
use crate::lint::{Finding, Level, fix, github, json, lint_file, replace, sarif};
use crate::own_policy::JudgeOptions;
use crate::source::SourceFile;

/// No policy file is longer.
const LONGEST: u64 = 16 * 1024 * 1024;

pub(super) fn lint(options: &LintOptions, output: &mut Output) -> Result<u8, CliError> {
    let judge = lint_options(options)?;
    let (mut findings, mut rules, mut undecided): (Vec<Finding>, usize, usize) = (Vec::new(), 0, 0);
    for path in &options.files {
        let mut source = read(path)?;
        let mut report = lint_file(&source, path, &judge);
        if options.fix
            && let Some(fixed) = mended(path, &source, &report.findings, options, &judge, output)?
        {
            source = SourceFile::new(source.name.clone(), fixed);
            report = lint_file(&source, path, &judge);
        }
        findings.extend(report.findings);
        rules += report.rules;
        undecided += report.undecided;
    }
    match options.format() {
        LintFormat::Text => text(&findings, options, rules, undecided, output)?,
        LintFormat::Json => output.line(&json(&findings, rules, undecided).to_string())?,
        LintFormat::Sarif => output.line(&sarif(&findings).to_string())?,
        LintFormat::Github => {
            for finding in findings.iter().filter(|finding| finding.ignored.is_none()) {
                output.line(&github(finding))?;
            }
        }
    }
    output.flush()?;
    let fails = findings.iter().any(|finding| finding.ignored.is_none() && finding.lint.level >= Level::Warning);
    Ok(if fails { EXIT_FAILED } else { 0 })
}

/// Mends a file and shows how; gives back its new text when it was written.
fn mended(
    path: &Path,
    source: &SourceFile,
    findings: &[Finding],
    options: &LintOptions,
    judge: &JudgeOptions,
    output: &mut Output,
) -> Result<Option<String>, CliError> {
    let Some(fixed) = fix(path, &source.text, findings, judge) else { return Ok(None) };
    let diff = similar::TextDiff::from_lines(source.text.as_str(), fixed.text.as_str());
    let (old, new) = (format!("a/{}", source.name), format!("b/{}", source.name));
    output.line(diff.unified_diff().context_radius(2).header(&old, &new).to_string().trim_end())?;
    if options.dry_run {
        output.line(&format!("{} would be mended, and no answer would change", count(fixed.mended.len(), "finding")))?;
        return Ok(None);
    }
    let cannot = |error: std::io::Error| CliError::new(CliErrorKind::Output, format!("cannot write {}: {error}", path.display()));
    replace(path, &fixed.text).map_err(cannot)?;
    output.line(&format!("{} mended; no answer changes", count(fixed.mended.len(), "finding")))?;
    Ok(Some(fixed.text))
}

fn text(
    findings: &[Finding],
    options: &LintOptions,
    rules: usize,
    undecided: usize,
    output: &mut Output,
) -> Result<(), CliError> {
    let shown: Vec<&Finding> = findings.iter().filter(|finding| finding.ignored.is_none()).collect();
    for finding in &shown {
        output.problem(&finding.problem())?;
    }
    let of = |level| shown.iter().filter(|finding| finding.lint.level == level).count();
    let mut counts: Vec<String> = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")]
        .into_iter()
        .filter(|(level, _)| of(*level) > 0)
        .map(|(level, noun)| count(of(level), noun))
        .collect();
    if counts.is_empty() {
        counts.push("nothing found".into());
    }
    let ignored = findings.len() - shown.len();
    if ignored > 0 {
        counts.push(format!("{ignored} ignored"));
    }
    if undecided > 0 {
        counts.push(format!("the order of {} is too entangled to be judged", count(undecided, "rule")));
    }
    output.line(&format!("{}, {}: {}", count(options.files.len(), "file"), count(rules, "rule"), counts.join(", ")))
}

pub(super) fn read(path: &Path) -> Result<Arc<SourceFile>, CliError> {
    let cannot = |error: std::io::Error| CliError::new(CliErrorKind::Input, format!("cannot read {}: {error}", path.display()));
    let facts = std::fs::metadata(path).map_err(cannot)?;
    if !facts.is_file() || facts.len() > LONGEST {
        let what = if facts.is_file() { "is larger than 16 MiB" } else { "is no file" };
        return Err(CliError::new(CliErrorKind::Input, format!("{} {what}", path.display())));
    }
    let bytes = std::fs::read(path).map_err(cannot)?;
    Ok(SourceFile::new(path.display().to_string(), String::from_utf8_lossy(&bytes)))
}
