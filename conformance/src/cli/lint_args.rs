//! The arguments of `portcullis lint`.

use std::path::PathBuf;

use clap::{ArgAction, Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis lint ~/.pi/agent/extensions/pi-permission-system/config.json
  portcullis lint --project . .pi/extensions/pi-permission-system/config.json .pi/agents/*.md
  portcullis lint --tool deploy --tool search config.json
  portcullis lint --format github config.json
  portcullis lint --fix --dry-run config.json

Errors and warnings end with exit code 1, notes do not. `portcullis-ignore ID: REASON` in a comment
on the line before silences one lint.")]
pub(super) struct LintOptions {
    /// Policy files, each looked at by itself; one that ends in .md is an agent's.
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// The session directory; by default the current one.
    #[arg(long, value_name = "DIR")]
    pub(super) project: Option<PathBuf>,
    /// A registered tool beside the built-in ones. With any, surfaces that no tool answers are found. May be repeated.
    #[arg(long, value_name = "NAME", action = ArgAction::Append, num_args = 1)]
    pub(super) tool: Vec<String>,
    /// Mend what can be mended without changing any answer, and show what was changed.
    #[arg(long, conflicts_with_all = ["format", "json", "sarif"])]
    pub(super) fix: bool,
    /// With --fix: show what would be changed, and change nothing.
    #[arg(long, requires = "fix")]
    pub(super) dry_run: bool,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = LintFormat::Text, conflicts_with_all = ["json", "sarif"])]
    format: LintFormat,
    /// Print one JSON object, as `--format json` does.
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// Print a SARIF log, as `--format sarif` does.
    #[arg(long)]
    sarif: bool,
}

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LintFormat {
    /// For people.
    Text,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub workflows.
    Github,
}

impl LintOptions {
    pub(super) fn format(&self) -> LintFormat {
        match (self.json, self.sarif) {
            (true, _) => LintFormat::Json,
            (_, true) => LintFormat::Sarif,
            _ => self.format,
        }
    }
}
