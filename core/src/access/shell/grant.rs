//! What a "for this session" yes to a unit may store (HARD-041; "What for this session stores", docs/spec/README.md).

use super::command::Simple;
use super::program::{GrantWidth, WrapperKind};
use super::word::Word;
use super::wrappers::{self, Wrapper, base_name};

/// Interpreters and `find`: a grant names the whole command (RES-30).
const EXACT: &[&str] = &["find", "node", "perl", "ruby", "php", "lua", "awk", "gawk", "nawk", "mawk", "sed"];

/// The width of a grant for a command. `inner` is where the innermost peeled command starts.
pub(crate) fn width(command: &Simple, wrapper: Option<Wrapper>, inner: Option<usize>) -> GrantWidth {
    let Some(name) = command.words.first().and_then(Word::literal) else { return GrantWidth::Nothing };
    let name = base_name(&name);
    if wrapper.is_none() {
        let python = name.strip_prefix("python").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'));
        let exact = python || EXACT.contains(&name) || wrappers::is_shell(name);
        return if exact { exact_text(&command.text) } else { GrantWidth::Prefix };
    }
    let opaque = wrapper.is_some_and(|wrapper| wrapper.kind == WrapperKind::OpaquePayload);
    let replaces = name == "xargs"
        && command.words.iter().any(|word| {
            let value = word.value();
            value.starts_with("-I") || value.starts_with("-i") || value.starts_with("--replace")
        });
    let syntax = command.words.iter().any(has_shell_syntax);
    match inner.filter(|_| !opaque && !replaces && !syntax && command.assignments.is_empty()) {
        Some(at) => match command.words.get(at) {
            Some(_) => peeled(command, at),
            None => exact_text(&command.text),
        },
        None => exact_text(&command.text),
    }
}

/// The wrapper's own words apart from what it runs; the prefix of the latter (SESS-006) is for the suggestion to find.
fn peeled(command: &Simple, inner: usize) -> GrantWidth {
    let end = command.offsets.get(inner).copied().unwrap_or(command.text.len());
    let own = command.text.get(..end).unwrap_or_default().split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    GrantWidth::Peeled { own, inner: command.text.get(end..).unwrap_or_default().to_owned() }
}

fn has_shell_syntax(word: &Word) -> bool {
    word.is_computed()
        || word.has_glob()
        || word.has_braces()
        || word.raw.contains(['\'', '"', '\\', '`', '$', ';', '&', '|', '<', '>', '*', '?'])
}

/// A text with wildcards would grant more than it shows.
fn exact_text(text: &str) -> GrantWidth {
    if text.contains(['*', '?']) { GrantWidth::Nothing } else { GrantWidth::Exact }
}
