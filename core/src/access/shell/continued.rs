//! What the shell reads where the grammar sees nothing: continued lines and odd blanks inside a word (BASH-D04, HARD-004).
//!
//! The shell takes a backslash and the line break behind it away before it looks for words; to the grammar the two stand
//! between words. So `x=1\⏎a rm x` assigns `1a` and runs `rm`, and the tree shows a program `a`; in `echo a\⏎#b; rm x` the tree
//! shows a comment. To the shell an escaped blank is a letter, and so is a carriage return, a vertical tab or a form feed; the
//! grammar skips them, and takes a backslash with a carriage return and a line break behind it for a continued line. Here the
//! text is given back as the shell has it, to be read again.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::marks;
use super::tree::{Arena, Kind};
use super::word::slice;

/// The text without its continuations and with its odd blanks in quotes, when one of them stands where it matters.
pub(crate) fn joined(text: &str, arena: &Arena) -> Option<String> {
    if !marks::holds(text, [b'\\', b'\r', 0xb, 0xc]) {
        return None;
    }
    let mut kept = Ranges::of(kept(arena));
    let mut leaves = Ranges::of(leaves(arena));
    let mut out = String::with_capacity(text.len());
    let (mut done, mut matters, mut escaped) = (0, false, false);
    let mut last = None;
    for (at, c) in text.char_indices() {
        let before = last.replace(c);
        let escapes = std::mem::take(&mut escaped);
        if !matches!(c, '\\' | ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}') || kept.hold(at) {
            continue;
        }
        match c {
            '\\' => {
                escaped = !escapes;
                if escaped {
                    last = before;
                }
            }
            '\n' if escapes => {
                let next = slice(text, at + 1, text.len()).chars().next();
                matters |= match (before, next) {
                    (Some(' ' | '\t'), next) => next == Some('\n'),
                    (Some('\n') | None, _) => true,
                    (Some(_), next) => !matches!(next, Some(' ' | '\t') | None),
                };
                out.push_str(slice(text, done, at - 1));
                done = at + 1;
            }
            '\n' => {}
            _ => {
                let begin = at - usize::from(escapes);
                let usual = matches!(c, ' ' | '\t') || c == '\r' && slice(text, at, text.len()).starts_with("\r\n");
                if usual && !escapes || leaves.hold(begin) {
                    continue;
                }
                matters = true;
                out.push_str(slice(text, done, begin));
                out.extend(['\'', c, '\'']);
                done = at + 1;
            }
        }
    }
    out.push_str(slice(text, done, text.len()));
    matters.then_some(out)
}

/// Where a continuation is none, or is of no weight, in order and apart: in quotes, comments and documents.
fn kept(arena: &Arena) -> Vec<(usize, usize)> {
    let end = |id| match arena.kind(id) {
        Kind::RawString | Kind::AnsiCString | Kind::StringContent | Kind::HeredocContent | Kind::Comment => {
            Some(arena.get(id).end)
        }
        // What stands before the first expansion is no node of its own.
        Kind::HeredocBody => Some(arena.children(id).next().map_or(arena.get(id).end, |first| arena.get(first).start)),
        _ => None,
    };
    let range = |id| end(id).map(|end| (arena.get(id).start as usize, end as usize));
    let mut kept: Vec<(usize, usize)> = arena.ids().filter_map(range).collect();
    kept.sort_unstable();
    kept
}

/// What the grammar read: the tokens, in order and apart.
fn leaves(arena: &Arena) -> Vec<(usize, usize)> {
    arena.preorder().filter(|(_, is_leaf)| *is_leaf).map(|(node, _)| (node.start as usize, node.end as usize)).collect()
}

/// Ranges in order, asked in order.
struct Ranges(Peekable<IntoIter<(usize, usize)>>);

impl Ranges {
    fn of(ranges: Vec<(usize, usize)>) -> Self {
        Self(ranges.into_iter().peekable())
    }

    fn hold(&mut self, at: usize) -> bool {
        while self.0.next_if(|(_, stop)| *stop <= at).is_some() {}
        self.0.peek().is_some_and(|(start, _)| *start <= at)
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::super::tree::{Parsed, max_steps, parse};
    use super::joined;

    fn read(text: &str) -> Option<String> {
        let Parsed::Tree(arena) = parse(text, &mut max_steps(text.len()), 1, &|| false).unwrap() else {
            panic!("{text:?} is parsed");
        };
        joined(text, &arena)
    }

    #[rstest]
    #[case("ls -la")]
    #[case("ls \\\n  -la")]
    #[case("ls\\\n -la")]
    #[case("ls \\\n-la \\\n-b")]
    #[case("echo 'a\\\nb' \"c\\\nd\" $'e\\\nf'")]
    #[case("echo a\\\\\nls")]
    #[case("ls # a\\\nls")]
    #[case("cat <<'E'\na\\\nb\nE\n")]
    #[case("cat <<E\na\\\nb $x c\\\nd\nE\n")]
    #[case("ls a\\ b \"c\\ d\" 'e\\ f' [[ a =~ b\\ c ]]")]
    #[case("ls \r\n ls\r\n")]
    #[case("echo 'a\rb' \"c\u{b}d\" # e\u{c}")]
    fn bash_d04_continued_between_words(#[case] text: &str) {
        assert_eq!(read(text), None);
    }

    #[rstest]
    #[case("x=1\\\na rm x", "x=1a rm x")]
    #[case("> o\\\na \\\nrm x", "> oa rm x")]
    #[case("echo a\\\n#b; rm x", "echo a#b; rm x")]
    #[case("x\\\n=1 rm x", "x=1 rm x")]
    #[case("x=\\\n\\\n\nrm x", "x=\nrm x")]
    #[case("x= \\\n\nrm x", "x= \nrm x")]
    #[case("ls\n\\\nrm x", "ls\nrm x")]
    #[case("echo \"$(x=1\\\na rm x) b\\\nc\"", "echo \"$(x=1a rm x) b\\\nc\"")]
    #[case("a\\\\\\\nb", "a\\\\b")]
    #[case("ls \\\r\nrm x", "ls '\r'\nrm x")]
    #[case("x=\\ a rm x", "x=' 'a rm x")]
    #[case("x=a\\\tb rm x", "x=a'\t'b rm x")]
    #[case("x=a\u{b}b rm x", "x=a'\u{b}'b rm x")]
    #[case("echo a\r#b; rm x", "echo a'\r'#b; rm x")]
    fn bash_d04_continued_inside_a_word(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(read(text).as_deref(), Some(expected));
    }
}
