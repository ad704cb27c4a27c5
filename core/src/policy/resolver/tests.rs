//! Section 5.1, step by step.

mod invariants;
mod rules;
mod steps;
mod tightenings;
