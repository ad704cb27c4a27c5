//! What a run looks like: on a terminal, in a pipe, and in the forms that other programs read. All are made of one [`RunReport`], which is
//! what the lines of `stream` say. Texts of scenarios and implementations may hold anything; each form makes them harmless in its own way.

mod badge;
mod diff;
mod failure;
mod format;
mod github;
pub mod html;
mod junit;
mod markdown;
mod standing;
pub mod stream;
mod style;
mod tap;
mod text;
mod tree;

use github::github;
use junit::junit;
use markdown::markdown;
use tap::tap;

pub use diff::{Change, ChangeKind, Diff};
pub(crate) use failure::quoted;
pub use failure::{Repeat, render_failure};
pub use format::Format;
pub use standing::Standing;
pub use stream::RunReport;
pub use style::Style;
pub use text::{Detail, text};
pub use tree::Tree;

#[cfg(test)]
mod tests;
