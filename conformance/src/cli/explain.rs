//! `portcullis explain`.

use std::io::Read as _;

use super::args::ExplainOptions;
use super::output::Output;
use super::own_policy::judge;
use super::report::{is_stream, write_text};
use crate::error::{CliError, CliErrorKind};
use crate::explain::{explain as explanation_of, render};
use crate::own_policy::Call;
use crate::report::html::explanation_page;

/// No event or command is longer.
const LONGEST: u64 = 16 * 1024 * 1024;

pub(super) fn explain(options: &ExplainOptions, output: &mut Output) -> Result<u8, CliError> {
    let judge = judge(&options.policy)?;
    let arguments = options.arguments.iter().map(|word| if word == "-" { standard_input() } else { Ok(word.clone()) });
    let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
    let call = Call::from_words(&options.call, &arguments).map_err(unusable)?;
    let judgement = judge.judge(&call).map_err(unusable)?;
    let explanation = explanation_of(&judge, &call.subject(), judgement);
    if let Some(path) = &options.html {
        write_text(path, &explanation_page(&explanation), output)?;
    }
    if options.json {
        let value = serde_json::to_string(&explanation).map_err(unusable)?;
        output.line(&value)?;
    } else if !options.html.as_deref().is_some_and(is_stream) {
        output.line(&render(&explanation, options.all_rules, output.style()))?;
    }
    output.flush()?;
    Ok(0)
}

fn standard_input() -> Result<String, CliError> {
    let mut text = String::new();
    std::io::stdin().lock().take(LONGEST).read_to_string(&mut text).map_err(|error| unusable(format!("cannot read: {error}")))?;
    Ok(text.trim_end_matches('\n').to_owned())
}

fn unusable(error: impl std::fmt::Display) -> CliError {
    CliError::new(CliErrorKind::Input, error.to_string())
}
