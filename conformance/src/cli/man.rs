//! `portcullis man`: the manual pages, made of the same declaration as the help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, CommandFactory as _};

use super::args::Args;
use super::output::Output;
use crate::error::{CliError, CliErrorKind};
use crate::problem::did_you_mean;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis man | man -l -
  portcullis man explain | man -l -
  portcullis man --to ~/.local/share/man/man1")]
pub(super) struct ManOptions {
    /// The command; without one, the program.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// Write one page a command into this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    to: Option<PathBuf>,
}

pub(super) fn man(options: &ManOptions, output: &mut Output) -> Result<u8, CliError> {
    let mut program = Args::command();
    program.build();
    let cannot = |error: std::io::Error| CliError::new(CliErrorKind::Output, format!("cannot write the manual: {error}"));
    if let Some(folder) = &options.to {
        clap_mangen::generate_to(program, folder).map_err(cannot)?;
        return Ok(0);
    }
    let command = match &options.command {
        None => program,
        Some(name) => {
            let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
            let found = program.find_subcommand(name).cloned();
            let hint = did_you_mean(name, known).map(|hint| format!("; {hint}")).unwrap_or_default();
            let found = found.ok_or_else(|| CliError::new(CliErrorKind::Input, format!("there is no command `{name}`{hint}")))?;
            // The page is called as `man` finds it.
            found.display_name(format!("portcullis-{name}"))
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(cannot)?;
    output.line(String::from_utf8_lossy(&page).trim_end())?;
    output.flush()?;
    Ok(0)
}
