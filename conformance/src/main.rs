//! The program `portcullis`. Everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    portcullis_conformance::cli::main()
}
