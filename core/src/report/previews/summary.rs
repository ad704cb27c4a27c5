//! Pieces that several families share: collapsed blanks, line counts, quantities, and the mark of a cut that drops arguments.

use serde_json::Value;

use crate::report::bounds::{bound, mark};
use crate::text::{is_js_space, js_trim};

/// Every run of white space as one blank (PREV-007, PREV-010).
pub(super) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_blank = false;
    for character in text.chars() {
        if is_js_space(character) {
            if !in_blank {
                out.push(' ');
            }
            in_blank = true;
        } else {
            in_blank = false;
            out.push(character);
        }
    }
    out
}

/// Lines as PREV-008 counts them: none in an empty text, else the pieces between CRLF, LF or CR.
pub(super) fn line_count(text: &str) -> usize {
    if text.is_empty() {
        return 0;
    }
    let mut breaks = 0;
    let mut after_cr = false;
    for byte in text.bytes() {
        match byte {
            b'\r' => breaks += 1,
            b'\n' if !after_cr => breaks += 1,
            _ => {}
        }
        after_cr = byte == b'\r';
    }
    breaks + 1
}

/// `1 line`, `2 lines`.
pub(super) fn quantity(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// A member that is a text and not blank, trimmed.
pub(super) fn text_member<'a>(input: &'a Value, name: &str) -> Option<&'a str> {
    input.get(name).and_then(Value::as_str).map(js_trim).filter(|text| !text.is_empty())
}

/// The path to show: `path`, else `file_path` (PREV-003).
pub(super) fn prompt_path(input: &Value) -> Option<&str> {
    text_member(input, "path").or_else(|| text_member(input, "file_path"))
}

/// How many characters of all the dropped names are spelled out.
const NAMES_LIMIT: usize = 400;

/// The text up to the cut, the mark, and the names of what was dropped whole (HARD-062).
pub(super) fn with_missing_names(full: &str, cut: usize, names: &[&str]) -> String {
    let (kept, rest) = (full.get(..cut).unwrap_or_default(), full.get(cut..).unwrap_or_default());
    let mark = mark(rest.chars().count());
    if names.is_empty() {
        return format!("{kept}{mark}");
    }
    let names = bound(&names.join(", "), NAMES_LIMIT);
    format!("{kept}{}, with {names}]", mark.trim_end_matches(']'))
}
