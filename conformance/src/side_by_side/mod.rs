//! Several gates side by side: where they answer otherwise, on the suite and on calls that nobody wrote down (docs/guide/compare.md).
//!
//! `suite` sets the results of one run beside those of another. `generate` makes worlds and calls from a seed, `transcript` plays them
//! on a `gate` that several may use in turn, `relation` says what may differ and `aspect` in what (equality, or *never milder, and stricter
//! only with a requirement that is named*), `counterfactual` asks the other gate the same question in another world, `shrink` makes a difference small, `write` makes a scenario file of it,
//! and `tally` counts. This room knows gates as implementations only.

mod aspect;
mod counterfactual;
mod duel;
mod gate;
pub mod generate;
mod relation;
mod shrink;
mod suite;
mod tally;
mod transcript;
mod write;

pub use aspect::Aspect;
pub use duel::{Duel, Finding};
pub use relation::{Difference, Kind, Relation, Side, verdict};
pub use suite::{Disagreement, SideResult, Suite, disagreements};
pub use tally::Tally;
pub use transcript::{Looks, SeenStep, Transcript, same, transcript};
pub use write::scenario_file;

#[cfg(test)]
mod tests;
