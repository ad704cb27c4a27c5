//! The command line: what was asked, where output goes, and how the program ends.

mod args;
mod check;
mod compare;
mod coverage;
mod demo_session;
mod diff;
mod doubles;
mod effective;
mod explain;
mod implementation;
mod init;
mod lint;
mod lint_args;
mod list;
mod man;
mod output;
mod own_policy;
mod parse;
mod replay;
mod report;
mod results;
mod revision;
mod run;
mod serve;
mod test;
mod timings;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::error::CliError;
use crate::report::stream::line_schema;
use crate::{protocol, schema};
use args::{Args, Command, ImplementationCommand, RevisionCommand};
pub use output::Output;

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let mut output = Output::from_process(args.color);
    match dispatch(args.command, &mut output) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            output.error(&error);
            ExitCode::from(error.kind.exit_code())
        }
    }
}

fn dispatch(command: Command, output: &mut Output) -> Result<u8, CliError> {
    match command {
        Command::Run(options) => run::run(&options, output),
        Command::Test(options) => test::test(options, output),
        Command::Init(options) => init::init(&options, output),
        Command::Check(options) => check::check(&options, output),
        Command::List(options) => list::list(&options, output),
        Command::Implementation { what: ImplementationCommand::Check(options) } => implementation::check(&options, output),
        Command::Parse(options) => parse::parse(&options, output),
        Command::Explain(options) => explain::explain(&options, output),
        Command::Compare(options) => compare::compare(&options, output),
        Command::Diff(options) => diff::diff(&options, output),
        Command::Replay(options) => replay::replay(&options, output),
        Command::Coverage(options) => coverage::coverage(&options, output),
        Command::Man(options) => man::man(&options, output),
        Command::Effective(options) => effective::effective(&options, output),
        Command::Lint(options) => lint::lint(&options, output),
        Command::Doubles(options) => doubles::doubles(&options, output),
        Command::Serve(options) => serve::serve(&options),
        Command::DemoSession(options) => demo_session::demo_session(&options),
        Command::Report { what } => report::report(&what, output),
        Command::Results(options) => results::results(&options, output),
        Command::Revision { what: RevisionCommand::Check } => revision::check(output),
        Command::Revision { what: RevisionCommand::Freeze { name } } => revision::freeze(&name, output),
        Command::Schema { protocol, results } => {
            let schema = match protocol {
                Some(message) => protocol::schema(message),
                None if results => line_schema(),
                None => schema::schema(),
            };
            let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
            output.line(&text)?;
            output.flush()?;
            Ok(0)
        }
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Args::command(), "portcullis", &mut std::io::stdout());
            Ok(0)
        }
    }
}
