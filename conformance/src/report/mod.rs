//! What a run looks like: on a terminal, in a pipe, as JSON lines, as JUnit.

mod style;

pub use style::Style;
