//! What the shell reads where the grammar tears a word or sees nothing (BASH-D04, HARD-004): the text is given back as the
//! shell has it, to be read again.
//!
//! The shell takes a backslash and the line break behind it away before it looks for words; to the grammar the two stand
//! between words. So `x=1\⏎a rm x` assigns `1a` and runs `rm`, and the tree shows a program `a`; in `echo a\⏎#b; rm x` the tree
//! shows a comment. To the shell an escaped blank is a letter, and so is a carriage return, a vertical tab or a form feed; the
//! grammar skips them, and takes a backslash with a carriage return and a line break behind it for a continued line. A lone
//! dollar sign is a letter too; the grammar looks for its name behind the blanks (`x=$ rm x`). And it begins a command in the
//! middle of an assigned word (`x=a[\b rm x`).

use std::borrow::Cow;
use std::iter::Peekable;
use std::vec::IntoIter;

use super::tree::{Arena, Kind, NodeId};
use super::word::slice;
use super::{marks, nested};

/// A part of the text, and what the shell has in its place.
pub(crate) type Patch = (usize, usize, Cow<'static, str>);

/// The text as the shell has it, when that matters.
pub(crate) fn joined(text: &str, arena: &Arena) -> Option<String> {
    let (mut patches, mut matters) = letters(text, arena);
    let others = patches.len();
    patches.extend(torn(text, arena));
    patches.extend(nested::apart(text, arena));
    matters |= patches.len() > others;
    matters.then(|| patched(text, patches))
}

fn patched(text: &str, mut patches: Vec<Patch>) -> String {
    patches.sort_by_key(|(start, ..)| *start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end, instead) in patches {
        if start >= done {
            out.push_str(slice(text, done, start));
            out.push_str(&instead);
            done = end;
        }
    }
    out.push_str(slice(text, done, text.len()));
    out
}

/// Continuations, taken away, and odd blanks, put in quotes; and whether one of them stands where it matters.
fn letters(text: &str, arena: &Arena) -> (Vec<Patch>, bool) {
    let mut patches: Vec<Patch> = Vec::new();
    if !marks::holds(text, [b'\\', b'\r', 0xb, 0xc]) {
        return (patches, false);
    }
    let mut kept = Ranges::of(kept(arena));
    let mut leaves = Ranges::of(leaves(arena));
    let mut matters = false;
    // What stands before this sign, a backslash that escapes it left out, and whether that was escaped itself.
    let (mut last, mut escaped, mut letter): (Option<char>, bool, bool) = (None, false, false);
    for (at, c) in text.char_indices() {
        let escapes = std::mem::take(&mut escaped);
        let (before, in_word) = (last, letter);
        (last, letter) = (Some(c), escapes && c != '\n');
        if !matches!(c, '\\' | ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}') || kept.hold(at) {
            continue;
        }
        match c {
            '\\' if !escapes => {
                escaped = true;
                (last, letter) = (before, in_word);
            }
            '\n' if escapes => {
                let next = slice(text, at + 1, text.len()).chars().next();
                matters |= match (before, next) {
                    (Some(' ' | '\t'), next) if !in_word => next == Some('\n'),
                    (Some('\n' | '=' | '$') | None, _) => true,
                    (Some(_), next) => !matches!(next, Some(' ' | '\t') | None),
                };
                patches.push((at - 1, at + 1, Cow::Borrowed("")));
            }
            '\\' | '\n' => {}
            _ => {
                let begin = at - usize::from(escapes);
                let line_end = c == '\r'
                    && slice(text, at, text.len()).starts_with("\r\n")
                    && (in_word || !matches!(before, Some(' ' | '\t' | '=' | '<' | '>' | '&' | '|' | '(')));
                if (matches!(c, ' ' | '\t') || line_end) && !escapes || leaves.hold(begin) {
                    continue;
                }
                matters = true;
                patches.push((begin, at + 1, Cow::Owned(format!("'{c}'"))));
            }
        }
    }
    (patches, matters)
}

/// Words that the grammar tears, or makes one of. Letters in the place of the signs that it stumbles over make it one word.
fn torn(text: &str, arena: &Arena) -> Vec<Patch> {
    let may_be = |kind| {
        matches!(
            kind,
            Kind::SimpleExpansion
                | Kind::CommandName
                | Kind::Comment
                | Kind::BackquoteJoin
                | Kind::Assignment
                | Kind::FileRedirect
                | Kind::HerestringRedirect
        )
    };
    arena.kinds().filter(|(_, kind)| may_be(*kind)).filter_map(|(id, _)| one_word(text, arena, id)).collect()
}

fn one_word(text: &str, arena: &Arena, id: NodeId) -> Option<Patch> {
    let at = arena.get(id);
    let (start, end) = (at.start as usize, at.end as usize);
    let own = slice(text, start, end);
    let before = slice(text, 0, start);
    let letter = |at: usize, instead| Some((at, at + 1, Cow::Borrowed(instead)));
    match at.kind {
        Kind::SimpleExpansion if own.strip_prefix('$').is_some_and(|rest| rest.starts_with(is_odd)) => letter(start, "_"),
        // The grammar knows no variable of this name.
        Kind::CommandName if own.starts_with("_=") || own.starts_with("_+=") => letter(start, "x"),
        Kind::Comment if !before.is_empty() && !before.ends_with(is_meta) && !before.ends_with('`') => letter(start, "_"),
        // Nothing, to the shell: to the grammar it joins what stands on both sides.
        Kind::BackquoteJoin if before.ends_with(is_meta) || slice(text, end, text.len()).starts_with(is_meta) => {
            Some((start, end, Cow::Borrowed("  ")))
        }
        Kind::Assignment | Kind::FileRedirect | Kind::HerestringRedirect if is_torn(arena, id, own) => {
            let mut rest = slice(text, end, text.len()).chars();
            let sign = rest.next().filter(|sign| !is_meta(*sign))?;
            let escaped = if sign == '\\' { rest.next().map_or(0, char::len_utf8) } else { 0 };
            let loose = own.ends_with(['$', '[', ']', '{', '}', '#']);
            Some((end - usize::from(loose), end + sign.len_utf8() + escaped, Cow::Borrowed(if loose { "__" } else { "_" })))
        }
        _ => None,
    }
}

/// Whether the next word begins where this one ends.
fn is_torn(arena: &Arena, id: NodeId, own: &str) -> bool {
    let end = arena.get(id).end;
    let next = arena.next(id).map(|next| arena.get(next));
    let ends = own.ends_with(is_meta) && !own.ends_with(')');
    next.is_some_and(|next| next.named && next.start == end && next.end > end) && !ends
}

fn is_odd(c: char) -> bool {
    c.is_whitespace() || c == '\\'
}

/// What ends a word to the shell.
fn is_meta(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
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

    use super::super::tree::tree_of;
    use super::joined;

    fn read(text: &str) -> Option<String> {
        joined(text, &tree_of(text))
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
    #[case("ls\r\nls -l\r\n")]
    #[case("echo a[b $x[1] {a} c$ 'd'$")]
    #[case("echo a``b x_=1")]
    #[case("x=(a b) y=a[1] >o ls >&2 2>p")]
    #[case("for ((i=0, j=1; i<2; i++, j--)); do ((a=b, c=1)); done; x=1 y=2>o")]
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
    #[case("echo a\r#b; rm x", "echo a'\r'_b; rm x")]
    #[case("> \r\nrm x", "> '\r'\nrm x")]
    #[case("x=\\\n rm x", "x= rm x")]
    #[case("x=a\\ \\\nb rm x", "x=a\\ b rm x")]
    #[case("x=$ rm x", "x=_ rm x")]
    #[case("> $\trm x", "> _\trm x")]
    #[case("x=$\\ a rm x", "x=_\\ a rm x")]
    #[case("_= rm x", "x= rm x")]
    #[case("env `` rm x", "env    rm x")]
    #[case("_+=a rm x", "x+=a rm x")]
    #[case("x=#[ rm x", "x=__ rm x")]
    #[case("x=a[\\b rm x", "x=a__ rm x")]
    #[case("x=a]$x- rm x", "x=a]__- rm x")]
    #[case("x=$\"a\"\\;b rm x", "x=$\"a\"_b rm x")]
    #[case("> $((1))\\a rm x", "> $((1))_ rm x")]
    #[case("export x=#\\\t; rm x", "export x=_\\\t; rm x")]
    #[case("((rm x) )", "( (rm x) )")]
    #[case("echo $((rm x) )", "echo $( (rm x) )")]
    fn bash_d04_continued_inside_a_word(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(read(text).as_deref(), Some(expected));
    }
}
