//! Labels of the options that store something (SESS-010, RES-32, HARD-041): what is read is what is stored, letter by letter.

use super::words::AGENT_LIMIT;
use crate::report::bounds::bound;
use crate::report::escape::visible;

/// The second option. Without a pair it stays, and says that it approves once (RES-32).
///
/// ```
/// use portcullis_core::report::messages::session_label;
/// let pair = |surface: &str, pattern: &str| (surface.to_owned(), pattern.to_owned());
/// assert_eq!(session_label(&[pair("bash", "git status *")]), "Approve for this session: bash 'git status *'");
/// assert_eq!(session_label(&[pair("deploy", "*")]), "Approve for this session: every call of 'deploy'");
/// assert_eq!(session_label(&[]), "Approve once (nothing can be stored for this session)");
/// ```
pub fn session_label(pairs: &[(String, String)]) -> String {
    if pairs.is_empty() {
        return "Approve once (nothing can be stored for this session)".to_owned();
    }
    format!("Approve for this session: {}", stored(pairs))
}

/// The fifth option: the same patterns for reading and writing (RES-32).
pub fn both_directions_label(pairs: &[(String, String)]) -> String {
    format!("Approve for this session, reading and writing: {}", stored(pairs))
}

/// First answer of the scope question: only the requester (AUTH-012, SESS-010).
pub fn requester_scope_label(agent: Option<&str>) -> String {
    match agent.filter(|agent| !agent.is_empty()) {
        Some(agent) => format!("Only for the subagent '{}'", bound(&visible(agent), AGENT_LIMIT)),
        None => "Only for this subagent".to_owned(),
    }
}

/// The second option of a forwarded ask whose grant this session would not store itself: the requester remembers it.
pub fn requester_session_label(agent: Option<&str>) -> String {
    match agent.filter(|agent| !agent.is_empty()) {
        Some(agent) => format!("Yes, for this session of the subagent '{}'", bound(&visible(agent), AGENT_LIMIT)),
        None => "Yes, for this session of the subagent".to_owned(),
    }
}

/// Second answer of the scope question: this session and all its subagents.
pub fn serving_scope_label(pairs: &[(String, String)]) -> String {
    format!("For this session and all its subagents: {}", stored(pairs))
}

/// The pairs as stored, those of one surface together.
fn stored(pairs: &[(String, String)]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut open_surface: Option<&str> = None;
    for (surface, pattern) in pairs {
        match parts.last_mut() {
            Some(part) if open_surface == Some(surface.as_str()) => part.push_str(&format!(" and '{}'", visible(pattern))),
            _ if pattern == "*" => {
                parts.push(format!("every call of '{}'", visible(surface)));
                open_surface = None;
            }
            _ => {
                parts.push(format!("{} '{}'", visible(surface), visible(pattern)));
                open_surface = Some(surface);
            }
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests;
