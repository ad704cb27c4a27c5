//! `portcullis test`: `run` on people's own scenario files.

use std::path::Path;
use std::time::Duration;

use super::args::{RunOptions, Sources, TESTS, TestOptions, Times};
use super::output::Output;
use crate::error::{CliError, CliErrorKind};

pub(super) fn test(options: TestOptions, output: &mut Output) -> Result<u8, CliError> {
    if options.paths == [Path::new(TESTS)] && !Path::new(TESTS).exists() {
        let message = format!("there is no folder `{TESTS}`; `portcullis init POLICY` writes a first test into it");
        return Err(CliError::new(CliErrorKind::Input, message));
    }
    let limit = Duration::from_secs(60);
    let options = RunOptions {
        sources: Sources { paths: options.paths },
        selection: options.selection,
        implementation: "reference".into(),
        times: Times { start_timeout: limit, step_timeout: limit, scenario_timeout: limit },
        expected_failures: None,
        revision: None,
        update: false,
        playing: options.playing,
        own: true,
    };
    super::run::run(&options, output)
}
