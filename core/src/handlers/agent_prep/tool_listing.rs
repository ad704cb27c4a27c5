//! What the system prompt says of tools that the agent does not have (TOOL-010 to TOOL-013, as POLICY-D22 hardens them).

use super::sections::{GUIDELINES_HEADER, TOOLS_HEADER, bullet_text, find_section, indentation};
use crate::text::{is_js_space, js_trim};

/// Lines of the host's prompt that make sense with certain tools only (TOOL-012): the line, normalised, and what has to be
/// allowed. Every group needs one of its tools.
const GUIDELINES: [(&str, &[&[&str]]); 9] = [
    ("use bash for file operations like ls, rg, find", &[&["bash"]]),
    (
        "prefer grep/find/ls tools over bash for file exploration (faster, respects .gitignore)",
        &[&["bash"], &["grep", "find", "ls"]],
    ),
    ("use read to examine files before editing. you must use this tool instead of cat or sed.", &[&["read"]]),
    ("use read to examine files instead of cat or sed.", &[&["read"]]),
    ("use edit for precise changes (old text must match exactly)", &[&["edit"]]),
    ("use write only for new files or complete rewrites", &[&["write"]]),
    (
        "when summarizing your actions, output plain text directly - do not use cat or bash to display what you did",
        &[&["edit", "write"]],
    ),
    (
        "use task when work should be delegated to one or more specialized agents instead of handled entirely in the current session.",
        &[&["task"]],
    ),
    ("use mcp for mcp discovery first: search by capability, describe one exact tool name, then call it.", &[&["mcp"]]),
];

/// The prompt without the bullets of tools that are not allowed, and without the guidelines that need them. `None`: nothing
/// was removed, the prompt stays byte for byte (TOOL-013).
///
/// ```
/// use portcullis_core::handlers::agent_prep::narrow_tool_listing;
///
/// let prompt = "Available tools:\n- read: reads\n- bash: runs\n  anything\n\nBe kind.";
/// let allowed = ["read".to_owned()];
/// assert_eq!(narrow_tool_listing(prompt, &allowed).as_deref(), Some("Available tools:\n- read: reads\n\nBe kind."));
/// ```
pub fn narrow_tool_listing(prompt: &str, allowed: &[String]) -> Option<String> {
    let mut lines: Vec<String> = prompt.replace("\r\n", "\n").split('\n').map(str::to_owned).collect();
    let tools = narrow(&mut lines, TOOLS_HEADER, |body| tool_lines(body, allowed));
    let guidelines = narrow(&mut lines, GUIDELINES_HEADER, |body| guideline_lines(body, allowed));
    (tools || guidelines).then(|| tidy(&lines))
}

/// What stays of a section's body.
struct Kept {
    lines: Vec<String>,
    dropped: bool,
    /// Whether a bullet is left; without one, header and body go.
    bullets: bool,
}

fn narrow(lines: &mut Vec<String>, header: &str, keep: impl Fn(&[String]) -> Kept) -> bool {
    let Some(section) = find_section(lines, header) else { return false };
    let kept = keep(lines.get(section.body.clone()).unwrap_or_default());
    if !kept.dropped {
        return false;
    }
    if kept.bullets {
        lines.splice(section.body, kept.lines);
    } else {
        lines.splice(section.header..section.body.end, None);
    }
    true
}

/// TOOL-011: bullets of tools that are not allowed go, with the deeper lines that belong to them.
fn tool_lines(body: &[String], allowed: &[String]) -> Kept {
    let mut kept = Kept { lines: Vec::new(), dropped: false, bullets: false };
    // The bullet we are in: how deep it is, and whether it goes.
    let mut bullet: Option<(usize, bool)> = None;
    for line in body {
        let depth = indentation(line);
        let continues = bullet.filter(|(at, _)| depth > *at);
        let goes = match (continues, bullet_text(line).and_then(tool_name)) {
            _ if js_trim(line).is_empty() => false,
            (Some((_, goes)), _) => goes,
            (None, Some(name)) => {
                let goes = !allowed.iter().any(|tool| tool == name);
                bullet = Some((depth, goes));
                kept.bullets |= !goes;
                goes
            }
            (None, None) => {
                bullet = None;
                false
            }
        };
        if goes {
            kept.dropped = true;
        } else {
            kept.lines.push(line.clone());
        }
    }
    kept
}

/// The text of a bullet up to the first colon or blank, without marks of emphasis.
fn tool_name(text: &str) -> Option<&str> {
    let name = text.split(|c| c == ':' || is_js_space(c)).next()?;
    Some(name.trim_matches(['`', '*'])).filter(|name| !name.is_empty())
}

/// TOOL-012: known lines whose tools are missing go; all others stay.
fn guideline_lines(body: &[String], allowed: &[String]) -> Kept {
    let mut kept = Kept { lines: Vec::new(), dropped: false, bullets: false };
    let has = |tool: &&str| allowed.iter().any(|name| name == tool);
    for line in body {
        let text = js_trim(line).strip_prefix("- ");
        let normal =
            text.map(|text| text.split(is_js_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase());
        let needs = normal.and_then(|normal| GUIDELINES.iter().find(|(key, _)| *key == normal));
        if needs.is_some_and(|(_, needs)| !needs.iter().all(|one_of| one_of.iter().any(has))) {
            kept.dropped = true;
        } else {
            kept.bullets |= text.is_some();
            kept.lines.push(line.clone());
        }
    }
    kept
}

/// TOOL-013: at most one blank line in a row, nothing white at the end.
fn tidy(lines: &[String]) -> String {
    let mut text = String::new();
    let mut breaks = 0;
    for c in lines.join("\n").chars() {
        breaks = if c == '\n' { breaks + 1 } else { 0 };
        if breaks <= 2 {
            text.push(c);
        }
    }
    text.truncate(text.trim_end_matches(is_js_space).len());
    text
}

#[cfg(test)]
mod tests;
