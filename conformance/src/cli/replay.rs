//! `portcullis replay`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args as ClapArgs};
use flate2::bufread::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};

use super::args::{PolicyOptions, Ui};
use super::diff::FailOn;
use super::output::Output;
use super::own_policy::judge_options;
use crate::error::{CliError, CliErrorKind, EXIT_FAILED};
use crate::own_policy::JudgeOptions;
use crate::replay::{Options, Replay, render};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis replay ~/.pi/agent/extensions/pi-permission-system/logs/pi-permission-system-permission-review.jsonl --policy new.json
  portcullis replay review.jsonl older.jsonl.gz --policy new.json --baseline config.json --fail-on loosened
  zcat logs/*.gz | portcullis replay - --policy new.json --suggest 3

A log holds what was asked, refused, or let pass by a grant; what a policy allowed silently is not in it.")]
pub(super) struct ReplayOptions {
    /// Review logs, plain or compressed by gzip; `-` is the standard input.
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// The policy under which everything is decided again; a second one is the project's. Without any: what is installed.
    #[arg(long, value_name = "FILE", action = ArgAction::Append, num_args = 1)]
    policy: Vec<PathBuf>,
    /// Compare with what this policy says, instead of with what was recorded.
    #[arg(long, value_name = "FILE", action = ArgAction::Append, num_args = 1)]
    baseline: Vec<PathBuf>,
    /// The session directory, against which relative paths are read; by default the current one.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// End with exit code 1 when some request is decided milder, or otherwise.
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,
    /// Name at most so many rules that would have removed most prompts, each with what else it would allow.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "5", requires = "policy")]
    suggest: Option<usize>,
    /// How many different examples are shown of each change.
    #[arg(long, value_name = "N", default_value_t = 3)]
    examples: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn replay(options: &ReplayOptions, output: &mut Output) -> Result<u8, CliError> {
    let session = |policy: &[PathBuf]| -> Result<JudgeOptions, CliError> {
        judge_options(&PolicyOptions {
            policy: policy.to_vec(),
            project: options.project.clone(),
            untrusted: false,
            agent: None,
            agent_file: None,
            ui: Ui::Person,
        })
    };
    let baseline = if options.baseline.is_empty() { None } else { Some(session(&options.baseline)?) };
    let unusable = |message: String| CliError::new(CliErrorKind::Input, message);
    let mut replay = Replay::new(Options {
        policy: session(&options.policy)?,
        baseline,
        examples: options.examples,
        suggest: options.suggest,
    })
    .map_err(unusable)?;
    let bar = bar(&options.logs, output);
    for log in &options.logs {
        let cannot = |error: io::Error| CliError::new(CliErrorKind::Input, format!("cannot read {}: {error}", log.display()));
        replay.read(&log.display().to_string(), open(log, &bar).map_err(cannot)?).map_err(cannot)?;
    }
    bar.finish_and_clear();
    let report = replay.finish().map_err(unusable)?;
    if options.json {
        let text = serde_json::to_string(&report).map_err(|error| CliError::new(CliErrorKind::Output, error.to_string()))?;
        output.line(&text)?;
    } else {
        output.line(&render(&report, output.style()))?;
    }
    output.flush()?;
    if !report.judged_any() {
        return Err(CliError::new(CliErrorKind::NothingRan, "no request could be judged"));
    }
    let fails = match options.fail_on {
        None => false,
        Some(FailOn::Loosened) => report.loosens(),
        Some(FailOn::Any) => report.differs(),
    };
    Ok(if fails { EXIT_FAILED } else { 0 })
}

/// Counts the bytes of all logs, as they lie on disk.
fn bar(logs: &[PathBuf], output: &Output) -> ProgressBar {
    if !output.shows_progress() || (logs.iter().any(|log| log == Path::new("-")) && io::stdin().is_terminal()) {
        return ProgressBar::hidden();
    }
    let size = |log: &PathBuf| std::fs::metadata(log).map_or(0, |facts| facts.len());
    let bar = ProgressBar::new(logs.iter().map(size).sum());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {eta}") {
        bar.set_style(style);
    }
    bar
}

/// Opens a log; what begins like a compressed file is one.
fn open(log: &Path, bar: &ProgressBar) -> io::Result<Box<dyn BufRead>> {
    let input: Box<dyn io::Read> = if log == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(File::open(log)?) };
    let mut input = BufReader::with_capacity(1 << 16, bar.wrap_read(input));
    let compressed = input.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    if !compressed {
        return Ok(Box::new(input));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input))))
}
