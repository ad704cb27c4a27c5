//! Sections of a system prompt: a header line and the lines that belong to it (TOOL-010, as POLICY-D22 hardens it).

use std::ops::Range;

use crate::text::{is_js_space, js_trim};

/// The two headers that are looked for.
pub(super) const TOOLS_HEADER: &str = "Available tools:";
pub(super) const GUIDELINES_HEADER: &str = "Guidelines:";

/// A section within the lines of a prompt: the header's line, and its body's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) header: usize,
    pub(super) body: Range<usize>,
}

/// The first section with this header. The body ends before the first line that is neither blank, nor a bullet, nor deeper
/// than the header; and before the other header in any case. (The package reads on to the next header, however far.)
pub(super) fn find_section(lines: &[String], header: &str) -> Option<Section> {
    let at = lines.iter().position(|line| js_trim(line) == header)?;
    let depth = indentation(lines.get(at)?);
    let belongs = |line: &&String| {
        let trimmed = js_trim(line);
        trimmed.is_empty()
            || (trimmed != TOOLS_HEADER
                && trimmed != GUIDELINES_HEADER
                && (bullet_text(line).is_some() || indentation(line) > depth))
    };
    let length = lines.iter().skip(at + 1).take_while(belongs).count();
    Some(Section { header: at, body: at + 1..at + 1 + length })
}

/// The number of leading white characters.
pub(super) fn indentation(line: &str) -> usize {
    line.chars().take_while(|c| is_js_space(*c)).count()
}

/// What follows the marker of a bullet: optional white, `-`, white.
pub(super) fn bullet_text(line: &str) -> Option<&str> {
    let after = line.trim_start_matches(is_js_space).strip_prefix('-')?;
    let text = after.trim_start_matches(is_js_space);
    (text.len() < after.len()).then_some(text)
}
