//! `portcullis report`.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::Output;
use crate::error::{CliError, CliErrorKind};
use crate::report::html::{Runs, report_page};

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// One page of HTML that needs nothing else: the matrix of areas by implementation, the rows, and each call's walk through the gates.
    Html(HtmlOptions),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  portcullis run --quiet --details --json-lines reference.jsonl
  portcullis report html reference.jsonl --output report.html
  portcullis report html reference.jsonl mine.jsonl --output report.html")]
pub(super) struct HtmlOptions {
    /// Results as JSON lines (`run --details --json-lines FILE`). Runs of one implementation are put together.
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Write to this file instead of the standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

pub(super) fn report(command: &ReportCommand, output: &mut Output) -> Result<u8, CliError> {
    match command {
        ReportCommand::Html(options) => html(options, output),
    }
}

fn html(options: &HtmlOptions, output: &mut Output) -> Result<u8, CliError> {
    let mut runs = Runs::default();
    for file in &options.files {
        let fault = |what: String| CliError::new(CliErrorKind::Input, format!("{}:{what}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| fault(format!(" {error}")))?;
        runs.read(&text).map_err(fault)?;
    }
    let page = report_page(&runs);
    match &options.output {
        None => output.line(page.trim_end())?,
        Some(path) => fs::write(path, page)
            .map_err(|error| CliError::new(CliErrorKind::Output, format!("cannot write {}: {error}", path.display())))?,
    }
    output.flush()?;
    Ok(0)
}
