//! What a yes to a plain command stores (SESS-005, RES-30, HARD-041). Wrappers are the shell analysis' business: it says what
//! stands behind them.

use super::arity::bash_prefix;
use super::{names_itself, suggest_name_pattern};
use crate::access::strip_comment_lines;

/// The pattern for a plain command: its naming words and ` *`, or the whole text where a prefix would say too much. `None`:
/// nothing can be stored.
///
/// ```
/// use portcullis_core::session::suggestion::suggest_bash_pattern;
///
/// assert_eq!(suggest_bash_pattern("git push origin").as_deref(), Some("git push *"));
/// assert_eq!(suggest_bash_pattern("git -C /x status").as_deref(), Some("git -C /x status"));
/// assert_eq!(suggest_bash_pattern("FOO=1 make"), None);
/// ```
pub fn suggest_bash_pattern(text: &str) -> Option<String> {
    let stripped = strip_comment_lines(text);
    // Only blanks part words for the shell; a line break inside a unit is quoted or escaped (HARD-041).
    let tokens: Vec<&str> = stripped.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
    let first = tokens.first()?;
    if is_assignment(first) || is_redirection(first) {
        return None;
    }
    let prefix = bash_prefix(&tokens);
    if tokens.len() == 1 || wants_whole_text(first) || prefix.iter().any(|word| word.starts_with('-')) {
        return suggest_name_pattern(&stripped);
    }
    let pattern = if prefix.len() == tokens.len() {
        format!("{}*", names_itself(&stripped)?)
    } else {
        format!("{} *", names_itself(&prefix.join(" "))?)
    };
    (pattern != "/*").then_some(pattern)
}

/// The pattern for a wrapper that was peeled: its own words, the naming words of what it runs, and ` *`; the whole text where
/// the inner command has no prefix that says enough (HARD-041).
pub fn suggest_peeled_pattern(own: &str, inner: &str) -> Option<String> {
    let tokens: Vec<&str> = inner.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
    let prefix = bash_prefix(&tokens);
    if prefix.is_empty() || wants_whole_text(prefix.first()?) || prefix.iter().any(|word| word.starts_with('-')) {
        return suggest_name_pattern(&format!("{own} {inner}"));
    }
    Some(format!("{} *", names_itself(&format!("{own} {}", prefix.join(" ")))?))
}

/// Programs of which one invocation says nothing about the next: what they do is in their arguments.
fn wants_whole_text(word: &str) -> bool {
    const PROGRAMS: [&str; 11] = ["find", "node", "perl", "ruby", "php", "lua", "awk", "gawk", "mawk", "nawk", "sed"];
    const SHELLS: [&str; 11] = ["sh", "bash", "dash", "zsh", "ksh", "fish", "csh", "tcsh", "ash", "mksh", "pwsh"];
    let plain: String = word.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
    let name = plain.rsplit('/').next().unwrap_or_default();
    // `lua5.4`, `perl5.36`
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    name.starts_with("python") || PROGRAMS.contains(&unversioned) || SHELLS.contains(&unversioned)
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split_once('[').map_or(name, |(array, _)| array);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_redirection(word: &str) -> bool {
    let descriptor = word.strip_prefix('{').and_then(|rest| rest.split_once('}')).map_or(word, |(_, after)| after);
    descriptor.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('&').starts_with(['<', '>'])
}
