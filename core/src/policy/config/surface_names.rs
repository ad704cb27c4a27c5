//! Surface names: which ones are slips of a well-known one (HARD-013, RES-08).

use hashbrown::HashSet;

use super::super::issue::IssueKind;
use super::super::json::Node;
use super::super::wildcard::{Fold, MatchOptions, Pattern, WithoutHome};
use super::finding::Finding;
use crate::text::is_js_space;

/// The names that mean something without any tool behind them, and the built-in tools.
pub const WELL_KNOWN_SURFACES: [&str; 15] = [
    "read",
    "write",
    "edit",
    "find",
    "grep",
    "ls",
    "bash",
    "mcp",
    "skill",
    "path",
    "external_directory",
    "path_read",
    "path_write",
    "external_directory_read",
    "external_directory_write",
];

/// Names long enough that one edit, or two, is a slip rather than another name.
const BY_EDITS: [(&str, usize); 5] = [
    ("path_read", 1),
    ("path_write", 1),
    ("external_directory", 2),
    ("external_directory_read", 2),
    ("external_directory_write", 2),
];

/// Longer names get no hint: comparing them costs more than it helps.
const MAX_HINT: usize = 64;

/// How many warnings of one file carry a hint, and how many names are compared for each.
const MAX_HINTS: usize = 50;

/// The well-known surface that a key misspells (RES-08).
///
/// A key with a wildcard, a well-known name and a registered tool are never slips.
pub(crate) fn near_miss(key: &str, known_tools: &[String]) -> Option<&'static str> {
    if has_wildcard(key) || WELL_KNOWN_SURFACES.contains(&key) || known_tools.iter().any(|tool| tool == key) {
        return None;
    }
    let folded = fold(key);
    let same = WELL_KNOWN_SURFACES.into_iter().find(|name| fold(name) == folded);
    same.or_else(|| WELL_KNOWN_SURFACES.into_iter().find(|name| name.len() >= 4 && swapped(key, name))).or_else(|| by_edits(key))
}

/// Warnings for the keys of `permission` that no registered tool answers. Without any registered tool nothing is known,
/// and nothing reported.
pub(crate) fn unanswered_surfaces(permission: &Node, location: &str, known_tools: &[String]) -> Vec<Finding> {
    if known_tools.is_empty() {
        return Vec::new();
    }
    let tools: HashSet<&str> = known_tools.iter().map(String::as_str).collect();
    let mut hints = 0;
    let mut findings = Vec::new();
    for member in permission.members().unwrap_or_default() {
        let key = member.key.as_str();
        let answered = key.is_empty()
            || tools.contains(key)
            || WELL_KNOWN_SURFACES.contains(&key)
            || (has_wildcard(key) && matches_a_name(key, known_tools));
        if answered || near_miss(key, known_tools).is_some() {
            continue;
        }
        let mut message = "no registered tool answers to this name, so its rules have no effect".to_owned();
        if hints < MAX_HINTS && !has_wildcard(key) {
            hints += 1;
            if let Some(name) = nearest(key, known_tools) {
                message.push_str(&format!("; the nearest name is `{name}`"));
            }
        }
        findings.push(Finding::new(member.at, format!("{location}.{key}"), IssueKind::UnansweredSurface, message));
    }
    findings
}

/// Whether a key with wildcards covers a name that means something (RULE-012).
fn matches_a_name(key: &str, known_tools: &[String]) -> bool {
    let pattern = Pattern::compile(key, &MatchOptions::default(), Fold::Exact, WithoutHome::MatchNothing);
    WELL_KNOWN_SURFACES.into_iter().chain(known_tools.iter().map(String::as_str)).any(|name| pattern.matches(name))
}

fn has_wildcard(key: &str) -> bool {
    key.contains(['*', '?'])
}

/// The name without case, `-`, `_` and blanks.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_') && !is_js_space(*c)).flat_map(char::to_lowercase).collect()
}

/// Whether two neighbours changed places, and nothing else.
fn swapped(key: &str, name: &str) -> bool {
    if key.len() != name.len() {
        return false;
    }
    let different: Vec<(usize, (u8, u8))> = key.bytes().zip(name.bytes()).enumerate().filter(|(_, (a, b))| a != b).collect();
    match different.as_slice() {
        [(first, (a, b)), (second, (c, d))] => first + 1 == *second && a == d && b == c,
        _ => false,
    }
}

fn by_edits(key: &str) -> Option<&'static str> {
    let length = key.chars().count();
    BY_EDITS
        .into_iter()
        .filter(|(name, allowed)| name.len().abs_diff(length) <= *allowed)
        .map(|(name, allowed)| (strsim::levenshtein(key, name), allowed, name))
        .filter(|(distance, allowed, _)| distance <= allowed)
        .min_by_key(|(distance, _, _)| *distance)
        .map(|(_, _, name)| name)
}

fn nearest<'a>(key: &str, known_tools: &'a [String]) -> Option<&'a str> {
    if key.len() > MAX_HINT {
        return None;
    }
    let tools = known_tools.iter().map(String::as_str).take(500);
    WELL_KNOWN_SURFACES
        .into_iter()
        .chain(tools)
        .filter(|name| name.len() <= MAX_HINT)
        .map(|name| (strsim::osa_distance(key, name), name))
        .filter(|(distance, name)| distance * 2 <= name.len().min(key.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
