//! What ordinary values of a surface look like. A witness is looked for among them first: it can then be shown as a call.

use crate::pattern_set::{Shape, ShapeState};

/// A plain command line: words with one blank between them, nothing that the shell reads otherwise.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlainCommand;

/// Characters that the shell reads otherwise, at least somewhere.
const SHELL: &str = ";|&<>()$`\\\"'{}#~!*?";

impl PlainCommand {
    const FIRST_WORD: u8 = 1;
    const BLANK: u8 = 2;
    const WORD: u8 = 3;
}

impl Shape for PlainCommand {
    fn step(&self, state: ShapeState, c: char) -> Option<ShapeState> {
        let mode = match (state.mode, c) {
            (_, c) if c.is_control() || SHELL.contains(c) => return None,
            (Self::FIRST_WORD | Self::WORD, ' ') => Self::BLANK,
            (_, c) if c.is_whitespace() => return None,
            (0 | Self::FIRST_WORD, '=') => return None,
            (0 | Self::FIRST_WORD, _) => Self::FIRST_WORD,
            _ => Self::WORD,
        };
        Some(ShapeState { mode, at: 0 })
    }

    fn accepts(&self, state: ShapeState) -> bool {
        matches!(state.mode, Self::FIRST_WORD | Self::WORD)
    }

    fn special(&self, _: ShapeState) -> Vec<char> {
        vec![' ']
    }
}

/// A normalised POSIX path: no empty part, no `.`, no `..`, no slash at the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlainPath {
    /// From the root; else below the session directory.
    pub(super) absolute: bool,
}

impl PlainPath {
    const ROOT: u8 = 1;
    const PART_BEGINS: u8 = 2;
    const DOT: u8 = 3;
    const DOTS: u8 = 4;
    const PART: u8 = 5;
    const BLANK: u8 = 6;
}

impl Shape for PlainPath {
    fn step(&self, state: ShapeState, c: char) -> Option<ShapeState> {
        let mode = match (state.mode, c) {
            (_, c) if c.is_control() || matches!(c, '*' | '\\') => return None,
            (0, '/') if self.absolute => Self::ROOT,
            (0, _) if self.absolute => return None,
            // What a host or a shell would read otherwise.
            (0, '~' | '$' | '@' | '-' | '/') => return None,
            (Self::PART | Self::BLANK, '/') => Self::PART_BEGINS,
            (_, '/') => return None,
            (0, ' ') => return None,
            (_, ' ') => Self::BLANK,
            (_, c) if c.is_whitespace() => return None,
            (0 | Self::ROOT | Self::PART_BEGINS, '.') => Self::DOT,
            (Self::DOT, '.') => Self::DOTS,
            _ => Self::PART,
        };
        Some(ShapeState { mode, at: 0 })
    }

    fn accepts(&self, state: ShapeState) -> bool {
        matches!(state.mode, Self::ROOT | Self::PART)
    }

    fn special(&self, _: ShapeState) -> Vec<char> {
        vec!['/', '.', ' ', '*', '\\', '~', '$', '@', '-']
    }
}

/// A word of a command that is no path by its looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct BareWord;

impl Shape for BareWord {
    fn step(&self, state: ShapeState, c: char) -> Option<ShapeState> {
        let begins = state.mode == 0;
        let other = c.is_control() || matches!(c, '/' | '\\') || (begins && matches!(c, '.' | '~' | '-'));
        (!other).then_some(ShapeState { mode: 1, at: 0 })
    }

    fn accepts(&self, state: ShapeState) -> bool {
        state.mode == 1
    }

    fn special(&self, _: ShapeState) -> Vec<char> {
        vec!['/', '\\', '.', '~', '-']
    }
}

/// A name: one word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word;

impl Shape for Word {
    fn step(&self, _: ShapeState, c: char) -> Option<ShapeState> {
        (!c.is_whitespace() && !c.is_control() && c != '*').then_some(ShapeState { mode: 1, at: 0 })
    }

    fn accepts(&self, state: ShapeState) -> bool {
        state.mode == 1
    }

    fn special(&self, _: ShapeState) -> Vec<char> {
        vec![' ', '*']
    }
}

/// The value of a call without one: `*` (RULE-015).
#[derive(Debug, Clone, Copy)]
pub(super) struct Star;

impl Shape for Star {
    fn step(&self, state: ShapeState, c: char) -> Option<ShapeState> {
        (state.at == 0 && c == '*').then_some(ShapeState { mode: 0, at: 1 })
    }

    fn accepts(&self, state: ShapeState) -> bool {
        state.at == 1
    }

    fn special(&self, _: ShapeState) -> Vec<char> {
        vec!['*']
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    fn holds(shape: &dyn Shape, text: &str) -> bool {
        let state = text.chars().try_fold(ShapeState::default(), |state, c| shape.step(state, c));
        state.is_some_and(|state| shape.accepts(state))
    }

    #[rstest]
    #[case("git status", true)]
    #[case("git log --format=x", true)]
    #[case("", false)]
    #[case(" git", false)]
    #[case("git ", false)]
    #[case("a  b", false)]
    #[case("A=1 git", false)]
    #[case("a | b", false)]
    fn commands(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(holds(&PlainCommand, text), expected);
    }

    #[rstest]
    #[case("src/a b.rs", true, false)]
    #[case("/", false, true)]
    #[case("/etc/x", false, true)]
    #[case("a/", false, false)]
    #[case("/a//b", false, false)]
    #[case("a/./b", false, false)]
    #[case("..", false, false)]
    #[case("a/..", false, false)]
    #[case(".env", true, false)]
    #[case("...", true, false)]
    #[case("..a", true, false)]
    #[case("~/x", false, false)]
    #[case("a ", false, false)]
    fn paths(#[case] text: &str, #[case] relative: bool, #[case] absolute: bool) {
        assert_eq!(holds(&PlainPath { absolute: false }, text), relative);
        assert_eq!(holds(&PlainPath { absolute: true }, text), absolute);
    }
}
