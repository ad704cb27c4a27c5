//! Finding the block at the top of an agent file (CFG-017).

use super::super::json::{Position, TextFault};
use crate::text::is_js_space;

/// What stands at the top of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// No settings: the file is prose.
    None,
    /// The text between the dashes. Its first line is the file's second.
    Found(String),
    /// It looks like settings but is none (RES-09): the fault, and the text that was probably meant, from the second line.
    Broken(TextFault, String),
}

/// Finds the block: CRLF counts as LF; the text starts with exactly `---` LF; the block ends at the first later LF that
/// `---` follows.
pub(crate) fn find(text: &str) -> Block {
    let text = text.replace("\r\n", "\n");
    if let Some(body) = text.strip_prefix("---\n") {
        return match body.find("\n---") {
            Some(end) => Block::Found(body.get(..end).unwrap_or_default().to_owned()),
            None => {
                // The opening dashes may be followed at once by the closing ones: no block either, and nothing in it.
                let meant = if body.starts_with("---") { "" } else { body };
                broken("the settings at the top of the file do not end: a line `---` is missing", meant)
            }
        };
    }
    let visible = text.trim_start_matches(is_js_space);
    if visible.starts_with("---") {
        let rest = visible.split_once('\n').map_or("", |(_, rest)| rest);
        let meant = rest.find("\n---").and_then(|end| rest.get(..end)).unwrap_or(rest);
        return broken("the settings at the top of the file are not read: the first line must be exactly `---`", meant);
    }
    Block::None
}

fn broken(message: &str, meant: &str) -> Block {
    Block::Broken(TextFault::new(Position::START, message), meant.to_owned())
}
