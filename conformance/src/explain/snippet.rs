//! The line of a policy file that a rule stands on.

use std::fs;

use serde::Serialize;

/// A line with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Snippet {
    /// The file, as a person knows it.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
    /// The line as it stands in the file.
    pub text: String,
}

/// What is longer is cut: a rule is no novel.
const LONGEST: usize = 160;

impl Snippet {
    /// Reads the line; nothing when the file has changed meanwhile.
    pub fn read(file: &str, line: u32, column: u32) -> Option<Self> {
        let content = fs::read_to_string(file).ok()?;
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        let text: String = content.lines().nth(at)?.chars().take(LONGEST).collect();
        Some(Self { file: file.to_owned(), line, column, text })
    }

    /// The length of the quoted word at the column, for a mark below it.
    pub fn mark(&self) -> usize {
        let from = usize::try_from(self.column.saturating_sub(1)).unwrap_or_default();
        let rest: Vec<char> = self.text.chars().skip(from).collect();
        match rest.first() {
            Some('"') => {
                let mut escaped = false;
                let close = rest.iter().skip(1).position(|c| {
                    let closes = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    closes
                });
                close.map_or(rest.len(), |at| at + 2)
            }
            Some(_) => rest.iter().position(|c| matches!(c, ':' | ',')).unwrap_or(rest.len()).max(1),
            None => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(r#"  "git push *": "deny","#, 3, 12)]
    #[case(r#"  "a\"b": "deny""#, 3, 6)]
    #[case("  rm *: deny", 3, 4)]
    #[case("", 1, 1)]
    fn the_mark_is_as_long_as_the_key(#[case] text: &str, #[case] column: u32, #[case] expected: usize) {
        let snippet = Snippet { file: "f".into(), line: 1, column, text: text.into() };
        assert_eq!(snippet.mark(), expected);
    }
}
