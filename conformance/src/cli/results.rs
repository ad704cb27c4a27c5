//! `portcullis results`.

use std::fs;

use super::args::ResultsOptions;
use super::output::Output;
use crate::error::{CliError, CliErrorKind};
use crate::results::{Compared, page, read};

pub(super) fn results(options: &ResultsOptions, output: &mut Output) -> Result<u8, CliError> {
    let mut all = Vec::new();
    for file in &options.files {
        let fault = |what: String| CliError::new(CliErrorKind::Input, format!("{}:{what}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| fault(format!(" {error}")))?;
        read(&text, &mut all).map_err(fault)?;
    }
    let compared = options.compared.as_ref().map(|file| {
        let fault = |what: String| CliError::new(CliErrorKind::Input, format!("{}: {what}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| fault(error.to_string()))?;
        Compared::read(&text).map_err(fault)
    });
    output.line(page(&all, compared.transpose()?.as_ref()).trim_end())?;
    output.flush()?;
    Ok(0)
}
