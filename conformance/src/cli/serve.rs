//! `portcullis serve`: an implementation of this program on the standard streams.

use std::io::{stdin, stdout};

use super::args::ServeOptions;
use crate::doubles::Double;
use crate::error::{CliError, CliErrorKind};
use crate::implementation::{Factory, Reference};
use crate::protocol;

pub(super) fn serve(options: &ServeOptions) -> Result<u8, CliError> {
    let name = &options.implementation;
    let factory: &dyn Factory = match Double::named(name) {
        _ if name == "reference" => &Reference,
        Some(double) => double,
        None => return Err(CliError::new(CliErrorKind::Input, format!("there is no implementation `{name}` in this program"))),
    };
    protocol::serve(stdin().lock(), stdout().lock(), factory)?;
    Ok(0)
}
