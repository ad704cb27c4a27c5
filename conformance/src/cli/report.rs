//! `portcullis report`.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::output::Output;
use crate::error::{CliError, CliErrorKind, EXIT_FAILED, count};
use crate::report::html::report_page;
use crate::report::{Diff, Format, RunReport, stream};

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// Lines for people, as `run` prints them.
    Text(Saved),
    /// The lines themselves, read and written again.
    JsonLines(Saved),
    /// JUnit XML.
    Junit(Saved),
    /// Test Anything Protocol, version 14.
    Tap(Saved),
    /// Markdown, for the page of a CI job.
    Markdown(Saved),
    /// GitHub workflow commands: remarks beside the lines that failed.
    Github(Saved),
    /// A badge as SVG.
    Badge(Saved),
    /// A badge as JSON, for the endpoint of shields.io.
    BadgeJson(Saved),
    /// One page of HTML that needs nothing else: the matrix of areas by implementation, the rows, and each call's walk through the gates.
    Html(HtmlOptions),
    /// What changed between two runs; exit code 1 when something got worse.
    Diff(DiffOptions),
}

/// A saved run.
#[derive(Debug, Args)]
pub(super) struct Saved {
    /// Results as JSON lines (`run --json-lines FILE`); `-` is the standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write to this file instead of the standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  portcullis run --quiet --details --json-lines reference.jsonl
  portcullis report html reference.jsonl --output report.html
  portcullis report html reference.jsonl mine.jsonl --output report.html")]
pub(super) struct HtmlOptions {
    /// Results as JSON lines (`run --details --json-lines FILE`); `-` is the standard input. Runs of one implementation are put together.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to this file instead of the standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct DiffOptions {
    /// The run before.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The run after.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// A report that is written beside the run: its form, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) format: Format,
    pub(super) path: PathBuf,
}

impl Wanted {
    pub(super) fn is_to_stdout(&self) -> bool {
        is_stream(&self.path)
    }

    /// `FORMAT=FILE`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let names = || Format::ALL.map(Format::name).join(", ");
        let (name, path) = text.split_once('=').ok_or_else(|| format!("a report is FORMAT=FILE, with one of {}", names()))?;
        let format = Format::named(name).ok_or_else(|| format!("there is no format `{name}`; there are {}", names()))?;
        if path.is_empty() { Err(format!("`{text}` names no file")) } else { Ok(Self { format, path: path.into() }) }
    }
}

pub(super) fn report(command: &ReportCommand, output: &mut Output) -> Result<u8, CliError> {
    let (format, saved) = match command {
        ReportCommand::Text(saved) => (Format::Text, saved),
        ReportCommand::JsonLines(saved) => (Format::JsonLines, saved),
        ReportCommand::Junit(saved) => (Format::Junit, saved),
        ReportCommand::Tap(saved) => (Format::Tap, saved),
        ReportCommand::Markdown(saved) => (Format::Markdown, saved),
        ReportCommand::Github(saved) => (Format::Github, saved),
        ReportCommand::Badge(saved) => (Format::Badge, saved),
        ReportCommand::BadgeJson(saved) => (Format::BadgeJson, saved),
        ReportCommand::Html(options) => return html(options, output),
        ReportCommand::Diff(options) => return diff(options, output),
    };
    let run = one(&saved.file)?;
    let to = saved.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    write(&Wanted { format, path: to }, &run, output)?;
    output.flush()?;
    Ok(0)
}

fn html(options: &HtmlOptions, output: &mut Output) -> Result<u8, CliError> {
    let mut runs = Vec::new();
    for file in &options.files {
        runs.extend(all(file)?);
    }
    let to = options.output.as_deref().unwrap_or(Path::new("-"));
    write_text(to, &report_page(&runs), output)?;
    output.flush()?;
    Ok(0)
}

fn diff(options: &DiffOptions, output: &mut Output) -> Result<u8, CliError> {
    if is_stream(&options.old) && is_stream(&options.new) {
        return Err(CliError::new(CliErrorKind::Input, "only one of two runs can come from the standard input"));
    }
    let (old, new) = (one(&options.old)?, one(&options.new)?);
    let diff = Diff::of(&old, &new);
    output.line(&if options.json { diff.json().to_string() } else { diff.text(output.style()) })?;
    output.flush()?;
    Ok(if diff.is_worse() { EXIT_FAILED } else { 0 })
}

/// `-`: the standard input or output.
pub(super) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn unusable(path: &Path, fault: &str) -> CliError {
    CliError::new(CliErrorKind::Input, format!("{}:{fault}", path.display()))
}

/// The one run of a file.
fn one(path: &Path) -> Result<RunReport, CliError> {
    let mut runs = all(path)?;
    match (runs.pop(), runs.len()) {
        (Some(run), 0) => Ok(run),
        (_, others) => {
            let fault = format!("1: {} in one file; this report is about one", count(others + 1, "run"));
            Err(unusable(path, &fault))
        }
    }
}

/// All runs of a file.
fn all(path: &Path) -> Result<Vec<RunReport>, CliError> {
    let cannot = |error: std::io::Error| CliError::new(CliErrorKind::Input, format!("cannot read {}: {error}", path.display()));
    let text = if is_stream(path) {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(cannot)?;
        text
    } else {
        fs::read_to_string(path).map_err(cannot)?
    };
    stream::read(&text).map_err(|fault| unusable(path, &fault))
}

/// Writes one report; whether it went to the standard output.
pub(super) fn write(wanted: &Wanted, run: &RunReport, output: &mut Output) -> Result<bool, CliError> {
    let text = wanted.format.render(run).map_err(|error| CliError::new(CliErrorKind::Output, error))?;
    write_text(&wanted.path, &text, output)?;
    Ok(wanted.is_to_stdout())
}

/// Writes a text to a file, or to the standard output.
pub(super) fn write_text(path: &Path, text: &str, output: &mut Output) -> Result<(), CliError> {
    if is_stream(path) {
        return output.line(text.trim_end_matches('\n'));
    }
    fs::write(path, text)
        .map_err(|error| CliError::new(CliErrorKind::Output, format!("cannot write {}: {error}", path.display())))
}
