//! Quote removal as the shell does it: backslashes, double quotes, `$'…'`.

use std::borrow::Cow;

use super::word::{Piece, Pieces};

/// Splits unquoted text at its backslashes: what a backslash protects becomes a quoted piece.
pub(crate) fn unquoted_pieces<'t>(source: &'t str, out: &mut Pieces<'t>) {
    if !source.contains('\\') {
        if !source.is_empty() {
            out.push(Piece::Text { text: Cow::Borrowed(source), quoted: false });
        }
        return;
    }
    let mut plain = String::new();
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('\n') => {}
            Some('\r') if chars.as_str().starts_with('\n') => {
                chars.next();
            }
            Some(protected) => {
                if !plain.is_empty() {
                    out.push(Piece::Text { text: Cow::Owned(std::mem::take(&mut plain)), quoted: false });
                }
                match out.last_mut() {
                    Some(Piece::Text { text, quoted: true }) => text.to_mut().push(protected),
                    _ => out.push(Piece::Text { text: Cow::Owned(protected.to_string()), quoted: true }),
                }
            }
            None => plain.push('\\'),
        }
    }
    if !plain.is_empty() {
        out.push(Piece::Text { text: Cow::Owned(plain), quoted: false });
    }
}

/// The content of double quotes: a backslash protects `$`, `` ` ``, `"`, itself and the end of the line only.
pub(crate) fn double_quoted(source: &str) -> Cow<'_, str> {
    if !source.contains('\\') {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('\n') => {}
            Some(protected @ ('$' | '`' | '"' | '\\')) => out.push(protected),
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    Cow::Owned(out)
}

/// The content of `$'…'`.
pub(crate) fn ansi_c(source: &str) -> String {
    let mut out: Vec<u8> = Vec::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(&mut out, c);
            continue;
        }
        let Some(escape) = chars.next() else {
            out.push(b'\\');
            break;
        };
        match escape {
            'n' => out.push(b'\n'),
            't' => out.push(b'\t'),
            'r' => out.push(b'\r'),
            'a' => out.push(7),
            'b' => out.push(8),
            'e' | 'E' => out.push(27),
            'f' => out.push(12),
            'v' => out.push(11),
            'c' => {
                if let Some(control) = chars.next() {
                    out.push((control as u32 & 0x1f) as u8);
                }
            }
            'x' => push_byte(&mut out, digits(&mut chars, 16, 2, None)),
            'u' => push_scalar(&mut out, digits(&mut chars, 16, 4, None)),
            'U' => push_scalar(&mut out, digits(&mut chars, 16, 8, None)),
            '0'..='7' => push_byte(&mut out, digits(&mut chars, 8, 2, escape.to_digit(8))),
            '\\' | '\'' | '"' | '?' => push_char(&mut out, escape),
            other => {
                out.push(b'\\');
                push_char(&mut out, other);
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize, first: Option<u32>) -> Option<u32> {
    let mut value = first;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        chars.next();
        value = Some(value.unwrap_or(0).wrapping_mul(radix).wrapping_add(digit));
    }
    value
}

fn push_byte(out: &mut Vec<u8>, value: Option<u32>) {
    if let Some(value) = value {
        out.push((value & 0xff) as u8);
    }
}

fn push_scalar(out: &mut Vec<u8>, value: Option<u32>) {
    if let Some(c) = value.and_then(char::from_u32) {
        push_char(out, c);
    }
}

fn push_char(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The content of backquotes as the shell parses it: a backslash before `` ` ``, `$` and itself goes away.
pub(crate) fn backquoted(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(protected @ ('`' | '$' | '\\'))) => {
                out.push(*protected);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

/// The programs in backquotes inside a text, each with the place where it starts. An open one reaches to the end.
pub(crate) fn backquotes(text: &str) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    let mut open: Option<usize> = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '`' => match open.take() {
                Some(start) => out.push((start, backquoted(text.get(start..at).unwrap_or_default()))),
                None => open = Some(at + 1),
            },
            _ => {}
        }
    }
    if let Some(start) = open {
        out.push((start, backquoted(text.get(start..).unwrap_or_default())));
    }
    out
}
