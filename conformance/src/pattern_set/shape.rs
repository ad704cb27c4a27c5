//! What values of a surface look like whatever the rules say: a search never leaves it.

use std::fmt::Debug;

/// How far a value has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ShapeState {
    /// What kind of place this is; each shape has its own.
    pub mode: u8,
    /// How far a fixed text has been followed.
    pub at: u32,
}

/// A set of texts, read character by character.
pub trait Shape: Debug {
    /// After one more character; nothing when no such value exists.
    fn step(&self, state: ShapeState, c: char) -> Option<ShapeState>;
    /// Whether a value may end here.
    fn accepts(&self, state: ShapeState) -> bool;
    /// Characters that mean something here, beside those of patterns.
    fn special(&self, state: ShapeState) -> Vec<char>;
}

/// Every text.
#[derive(Debug, Clone, Copy)]
pub struct AnyText;

impl Shape for AnyText {
    fn step(&self, state: ShapeState, _: char) -> Option<ShapeState> {
        Some(state)
    }

    fn accepts(&self, _: ShapeState) -> bool {
        true
    }

    fn special(&self, _: ShapeState) -> Vec<char> {
        Vec::new()
    }
}
