//! Quoted texts that the shell evaluates after all, later on the same line (HARD-001, HARD-031).
//!
//! An arithmetic expression evaluates the value of a name again, subscripts and the substitutions in them included, whoever
//! gave it the value: an assignment, a loop, a function's operand. `${x@P}` and `PS4` evaluate a value as a prompt. Here the
//! texts are found that would run something there; which of them reaches which name is not followed.

use super::command::is_literal;
use super::marks;
use super::tree::{Arena, Kind, NodeId};
use super::word::{self, Piece, Word};

/// What makes an expression of a value.
const ARITHMETIC: &[&str] = &["((", "$[", "let ", " -eq ", " -ne ", " -lt ", " -le ", " -gt ", " -ge "];
/// What declares a name whose values are expressions.
const DECLARATIONS: &[&str] = &["declare -", "local -", "typeset -"];
/// What makes a prompt of a value.
const PROMPTS: &[&str] = &["@P}", "PS4"];

/// The quoted texts with substitutions that this text may evaluate later, each with its place.
pub(crate) fn evaluated(text: &str, arena: &Arena) -> Vec<(usize, String)> {
    if !marks::holds(text, [b'$', b'`']) {
        return Vec::new();
    }
    let any = PROMPTS.iter().any(|sign| text.contains(sign)) || has_computed_subscript(text);
    let arithmetic = ARITHMETIC.iter().chain(DECLARATIONS).any(|sign| text.contains(sign));
    if !any && !arithmetic {
        return Vec::new();
    }
    let words = arena.ids().filter(|id| is_whole(arena, *id)).map(|id| word::read(text, arena, id));
    words
        .filter_map(|word| {
            let value = known(&word);
            let hosts = if any { substitution(&value).is_some() } else { is_subscripted(&value) };
            hosts.then_some((word.start, value))
        })
        .collect()
}

/// Whether a substitution stands behind an opening bracket: it may be the subscript of an expression.
pub(crate) fn is_subscripted(value: &str) -> bool {
    value.find('[').is_some_and(|open| substitution(value.get(open..).unwrap_or_default()).is_some())
}

/// The text of a word without what the shell computes at once.
pub(crate) fn known(word: &Word<'_>) -> String {
    let parts = word.pieces.iter().map(|piece| match piece {
        Piece::Text { text, .. } => text.as_ref(),
        _ => " ",
    });
    parts.collect()
}

fn substitution(value: &str) -> Option<usize> {
    value.find("$(").or_else(|| value.find('`'))
}

/// A word that is no part of another one, with something in it that keeps the shell from reading it at once.
fn is_whole(arena: &Arena, id: NodeId) -> bool {
    let outer = arena.parent(id).map(|parent| arena.kind(parent));
    let inside = matches!(outer, Some(Kind::Concatenation | Kind::Str | Kind::TranslatedString));
    is_literal(arena.kind(id)) && !inside
}

/// `a[$k]`: the subscript is expanded first, and some commands then evaluate what comes out.
fn has_computed_subscript(text: &str) -> bool {
    text.match_indices("[$").any(|(at, _)| {
        let named = text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        named && !text.get(at + 2..).is_some_and(|rest| rest.starts_with('('))
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::super::tree::tree_of;
    use super::evaluated;

    #[rstest]
    #[case("x='a[0$(rm x)]'; echo $((x))", &["a[0$(rm x)]"])]
    #[case("f() { echo $(($1)); }; f \"a[\\$(rm x)]\"", &["a[$(rm x)]"])]
    #[case("x='a[$'\"(rm x)]\"; (( x ))", &["a[$(rm x)]"])]
    #[case("x='$(rm x)'; echo ${x@P}", &["$(rm x)"])]
    #[case("PS4='`rm x`'; set -x", &["`rm x`"])]
    #[case("k='$(rm x)'; declare a[$k]=1", &["$(rm x)"])]
    #[case("x='a[$(rm x)]'; echo $x", &[])]
    #[case("echo '$(rm x)'; (( i++ ))", &[])]
    #[case("echo '[$(rm x)]'", &[])]
    fn hard_001_evaluated_later(#[case] text: &str, #[case] expected: &[&str]) {
        let found: Vec<String> = evaluated(text, &tree_of(text)).into_iter().map(|(_, value)| value).collect();
        assert_eq!(found, expected);
    }
}
