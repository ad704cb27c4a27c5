//! `portcullis parse`.

use std::io::{self, BufRead, IsTerminal, Read};
use std::path::Path;

use super::args::ParseOptions;
use super::output::Output;
use crate::error::{CliError, CliErrorKind, count};
use crate::parse::{Place, Request, analyse, answer, read_request, refusal, render};

/// No line of a batch is longer.
const MAX_LINE: usize = 16 * 1024 * 1024;

pub(super) fn parse(options: &ParseOptions, output: &mut Output) -> Result<u8, CliError> {
    let place = place(options)?;
    if options.batch {
        return batch(options, &place, &mut io::stdin().lock(), output);
    }
    let request = Request { command: command(options)?, ..defaults(options) };
    let program = analyse(&request, &place).map_err(unusable)?;
    if options.json {
        output.line(&answer(&request, &program).to_string())?;
    } else {
        output.line(&render(&program, output.style()))?;
    }
    output.flush()?;
    Ok(0)
}

/// What the options say of every command line.
fn defaults(options: &ParseOptions) -> Request {
    Request {
        home: options.home.clone(),
        platform: options.platform,
        workdir: options.workdir.clone(),
        promote: options.promote.clone(),
        ..Request::default()
    }
}

fn unusable(error: impl std::fmt::Display) -> CliError {
    CliError::new(CliErrorKind::Input, error.to_string())
}

/// The argument, or with `-` the standard input whole.
fn command(options: &ParseOptions) -> Result<String, CliError> {
    match options.command.as_deref() {
        Some("-") => {
            let mut bytes = Vec::new();
            let limit = MAX_LINE as u64 + 1;
            io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(|error| unusable(format!("cannot read: {error}")))?;
            if bytes.len() > MAX_LINE {
                return Err(unusable("the command is longer than 16 MiB"));
            }
            String::from_utf8(bytes).map_err(|_| unusable("the command is no UTF-8"))
        }
        Some(command) => Ok(command.to_owned()),
        None => Err(unusable("a command is missing")),
    }
}

/// The real directory that was named, or none.
fn place(options: &ParseOptions) -> Result<Place, CliError> {
    let Some(dir) = &options.cwd else { return Ok(Place::Nowhere) };
    let cannot = |error: io::Error| unusable(format!("cannot look into {}: {error}", dir.display()));
    if !std::fs::metadata(dir).map_err(cannot)?.is_dir() {
        return Err(unusable(format!("{} is no directory", dir.display())));
    }
    let text = |path: &Path| path.to_str().map(str::to_owned);
    let cwd = std::path::absolute(dir).map_err(cannot)?;
    let cwd = text(&cwd).ok_or_else(|| unusable(format!("the name of {} is no UTF-8", cwd.display())))?;
    Ok(Place::Real { cwd, home: std::env::var("HOME").ok() })
}

/// One result a line, in order. A line that cannot be used gets an error in its place; the rest goes on.
fn batch(options: &ParseOptions, place: &Place, input: &mut impl BufRead, output: &mut Output) -> Result<u8, CliError> {
    if io::stdin().is_terminal() {
        output.remark("reading JSON lines from the terminal; end with Ctrl-D");
    }
    let (mut number, mut answered, mut refused) = (0_usize, 0_usize, 0_usize);
    let mut line = Vec::new();
    loop {
        line.clear();
        number += 1;
        let cannot = |error: io::Error| unusable(format!("cannot read: {error}"));
        if input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line).map_err(cannot)? == 0 {
            break;
        }
        let too_long = line.len() > MAX_LINE && !line.ends_with(b"\n");
        if too_long {
            skip_line(input).map_err(cannot)?;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let result = if too_long { Err((None, "the line is longer than 16 MiB".to_owned())) } else { one(options, place, &line) };
        let value = match result {
            Ok(value) => value,
            Err((id, fault)) => {
                refused += 1;
                refusal(number, id.as_deref(), &fault)
            }
        };
        answered += 1;
        output.line(&value.to_string())?;
        // Whoever waits for this answer before it writes the next line must get it.
        output.flush()?;
    }
    match (answered, refused) {
        (0, _) => Err(CliError::new(CliErrorKind::NothingRan, "no line on the standard input")),
        (_, 0) => Ok(0),
        (all, bad) => Err(unusable(format!("{bad} of {} could not be used", count(all, "line")))),
    }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let part = input.fill_buf()?;
        let (length, end) = match part.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (part.len(), part.is_empty()),
        };
        input.consume(length);
        if end {
            return Ok(());
        }
    }
}

fn one(options: &ParseOptions, place: &Place, line: &[u8]) -> Result<serde_json::Value, (Option<String>, String)> {
    let text = std::str::from_utf8(line).map_err(|_| (None, "the line is no UTF-8".to_owned()))?;
    let mut request = read_request(text)?;
    let general = defaults(options);
    request.home = request.home.or(general.home);
    request.platform = request.platform.or(general.platform);
    request.workdir = request.workdir.or(general.workdir);
    request.promote.extend(general.promote);
    let program = analyse(&request, place).map_err(|error| (request.id.clone(), error.to_string()))?;
    Ok(answer(&request, &program))
}
