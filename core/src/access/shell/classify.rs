//! Which tokens look like paths: the package's two classifiers (TOK-016 to TOK-018) and the hardened one (HARD-014, RES-50).

use super::marks::Marks;
use crate::host::Platform;

/// Accepted by the package for external paths (TOK-017). The token is not [rejected](is_rejected).
pub(crate) fn is_strict(token: &str) -> bool {
    token.starts_with('/') || token.starts_with("~/") || has_parent(token) || is_drive_form(token)
}

/// Accepted by the package as rule candidate (TOK-018). The token is not [rejected](is_rejected).
pub(crate) fn is_broad(token: &str, platform: Platform) -> bool {
    let marks = Marks::of(token);
    token.starts_with('.')
        || marks.has(Marks::SLASH)
        || platform == Platform::Windows && token.contains('\\')
        || marks.has(Marks::DOT) && has_parent(token)
        || marks.has(Marks::COLON) && is_drive_form(token)
}

fn has_parent(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair == b"..")
}

/// Refused by the package before anything else (TOK-016).
pub(crate) fn is_rejected(token: &str) -> bool {
    if token.is_empty() || token.starts_with('-') {
        return true;
    }
    let marks = Marks::of(token);
    marks.has(Marks::EQUALS) && is_assignment_like(token)
        || marks.has(Marks::COLON) && is_url(token)
        || token.starts_with('@') && !token.starts_with("@/")
        || marks.has(Marks::GLOB.and(Marks::PLUS).and(Marks::OTHER)) && looks_like_regex(token)
}

/// `name=value` without a separator before the sign.
pub(crate) fn is_assignment_like(token: &str) -> bool {
    token.split_once('=').is_some_and(|(before, _)| !before.contains('/'))
}

/// `scheme://…`
pub(crate) fn is_url(token: &str) -> bool {
    token.contains(':')
        && token.split_once("://").is_some_and(|(scheme, _)| {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-'))
        })
}

/// A `file:` reference in any case.
pub(crate) fn is_file_url(token: &str) -> bool {
    token.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
}

fn looks_like_regex(token: &str) -> bool {
    let pair = |pair: &[u8]| matches!(pair, b".*" | b".+" | b"\\|" | b"\\(" | b"\\)" | b"^/");
    token.as_bytes().windows(2).any(pair) || has_bracket_pair(token)
}

/// `[…]` on one line.
fn has_bracket_pair(token: &str) -> bool {
    if !token.contains('[') {
        return false;
    }
    let mut open = false;
    for c in token.chars() {
        match c {
            '[' => open = true,
            ']' if open => return true,
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => open = false,
            _ => {}
        }
    }
    false
}

fn is_drive_form(token: &str) -> bool {
    let mut chars = token.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':') && matches!(chars.next(), Some('/' | '\\'))
}

/// Looks like a path to us (RES-50): absolute, a separator, a `..`, a leading dot, a drive; `@` or `file:` before one.
/// Options, other URLs and scoped packages do not.
pub(crate) fn has_path_shape(value: &str, platform: Platform) -> bool {
    let marks = Marks::of(value);
    let colon = marks.has(Marks::COLON);
    if value.is_empty()
        || value.starts_with('-')
        || colon && is_url(value) && !is_file_url(value)
        || marks.has(Marks::OTHER) && is_scoped_package(value)
    {
        return false;
    }
    // `@.env`: a sign in front of a path (RES-50).
    value.starts_with('.')
        || value.starts_with("@.")
        || marks.has(Marks::SLASH)
        || platform == Platform::Windows && value.contains('\\')
        || marks.has(Marks::DOT) && has_parent(value)
        || colon && (is_drive_form(value) || is_file_url(value))
}

/// `@scope/name`, with or without a version: no path. `@/x` and `@../x` are.
fn is_scoped_package(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('@') else { return false };
    rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && rest.matches('/').count() == 1 && !rest.contains("..")
}

#[cfg(test)]
mod tests;
