//! Values inside words, as far as text alone tells: behind an option, behind a sign, in a `file:` reference.

use super::super::classify;

/// HARD-017 and RES-50: the value inside an option: `--opt=value`, `-o=value`, `-I/path`.
pub(super) fn option_value(text: &str) -> Option<&str> {
    if !text.starts_with('-') {
        return None;
    }
    if let Some((_, value)) = text.split_once('=') {
        return Some(value);
    }
    if text.starts_with("--") {
        return None;
    }
    let letters = text.chars().skip(1).take_while(char::is_ascii_alphanumeric).count();
    let value = text.get(1 + letters..).filter(|_| letters > 0)?;
    ["/", "~/", "../", "./"].iter().any(|head| value.starts_with(head)).then_some(value)
}

/// `key=value` without a dash and without a separator before the sign.
pub(super) fn assignment_value(text: &str) -> Option<&str> {
    let (key, value) = text.split_once('=')?;
    (!key.is_empty() && !key.contains('/') && !classify::is_url(text)).then_some(value)
}

/// The path of a `file:` reference.
pub(super) fn file_url_path(text: &str) -> String {
    let rest = text.get(5..).unwrap_or_default();
    let rest = rest.strip_prefix("//localhost").or_else(|| rest.strip_prefix("//")).unwrap_or(rest);
    let mut out = Vec::new();
    let mut bytes = rest.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let rest = bytes.as_slice_lossy();
        match rest.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                bytes.nth(1);
            }
            None => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

trait Rest {
    fn as_slice_lossy(&self) -> String;
}

impl Rest for std::str::Bytes<'_> {
    fn as_slice_lossy(&self) -> String {
        String::from_utf8_lossy(&self.clone().take(2).collect::<Vec<_>>()).into_owned()
    }
}
