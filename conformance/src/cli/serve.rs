//! `portcullis serve`: the reference as an implementation on the standard streams.

use std::io::{stdin, stdout};

use crate::error::CliError;
use crate::implementation::Reference;
use crate::protocol;

pub(super) fn serve() -> Result<u8, CliError> {
    protocol::serve(stdin().lock(), stdout().lock(), &Reference)?;
    Ok(0)
}
