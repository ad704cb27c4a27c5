//! What a run looks like: on a terminal, in a pipe, as JSON lines, as JUnit.

mod failure;
pub mod html;
mod json_lines;
mod junit;
mod style;
mod text;
mod tree;

pub use failure::{Repeat, render_failure};
pub use json_lines::json_lines;
pub use junit::junit;
pub use style::Style;
pub use text::{row_line, summary_line};
pub use tree::Tree;
