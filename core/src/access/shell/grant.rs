//! What a "for this session" yes to a unit may store (HARD-041; "What for this session stores", docs/spec/README.md).

use super::command::Simple;
use super::names::Names;
use super::program::{GrantWidth, WrapperKind};
use super::rooms::Rooms;
use super::word::Word;
use super::wrappers::{self, Wrapper, base_name};

/// Interpreters and `find`: a grant names the whole command (RES-30).
pub(super) const EXACT: Names = Names::of(&["find", "node", "perl", "ruby", "php", "lua", "awk", "gawk", "nawk", "mawk", "sed"]);

/// The width of a grant for a command. `inner` is where the innermost peeled command starts.
pub(crate) fn width(command: &Simple<'_>, wrapper: Option<Wrapper>, inner: Option<usize>) -> GrantWidth {
    let Some(name) = command.words.first().and_then(Word::literal) else { return GrantWidth::Nothing };
    let name = base_name(&name);
    if wrapper.is_none() && !command.rooms.has(Rooms::GRANTS) {
        return GrantWidth::Prefix;
    }
    if wrapper.is_none() {
        let python = name.strip_prefix("python").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'));
        let exact = python || EXACT.contains(name) || wrappers::is_shell(name);
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
        Some(at) => peeled(command, at),
        None => exact_text(&command.text),
    }
}

/// The wrapper's own words and the command it runs, as typed, blanks joined.
fn peeled(command: &Simple<'_>, inner: usize) -> GrantWidth {
    let end = command.offsets.get(inner).copied().unwrap_or(command.text.len());
    let part = |text: &str| text.split([' ', '\t']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let (own, rest) = command.text.split_at_checked(end).unwrap_or((command.text.as_ref(), ""));
    GrantWidth::Peeled { own: part(own), inner: part(rest) }
}

fn has_shell_syntax(word: &Word<'_>) -> bool {
    word.is_computed()
        || word.has_glob()
        || word.has_braces()
        || word.raw.contains(['\'', '"', '\\', '`', '$', ';', '&', '|', '<', '>', '*', '?'])
}

/// A text with wildcards would grant more than it shows.
fn exact_text(text: &str) -> GrantWidth {
    if text.contains(['*', '?']) { GrantWidth::Nothing } else { GrantWidth::Exact }
}
