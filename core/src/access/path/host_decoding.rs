//! What the host does to a tool's path before it opens the file (HARD-024, RES-19), and nothing else: one leading `@`, the
//! home sign, `file:` URLs, Unicode spaces, drive mounts. No quotes are taken off and no variable is expanded.

use super::flavour::{locate, separator};
use super::normalise::{join_home, normalise};
use super::shell_word::drive_mount;
use crate::host::Platform;

/// A decoded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// This path, absolute or relative to the session directory.
    Path(String),
    /// A home form, and no home that can be trusted (POLICY-D10).
    UnknownHome,
}

/// Decodes a trimmed tool input as the host does. The home, if any, is absolute.
pub(crate) fn decode_tool_input(platform: Platform, home: Option<&str>, text: &str) -> Decoded {
    let text = text.strip_prefix('@').unwrap_or(text);
    let text: String = text.chars().map(plain_space).collect();
    if let Some(path) = decode_file_url(platform, &text) {
        return Decoded::Path(path);
    }
    if let Some(rest) = home_rest(platform, &text) {
        return match home {
            Some(home) => Decoded::Path(join_home(platform, home, rest)),
            None => Decoded::UnknownHome,
        };
    }
    let text = match platform {
        Platform::Windows => drive_mount(&text).unwrap_or(text),
        Platform::Posix => text,
    };
    // What is left of `@` alone names the session directory, as an empty path does for the host.
    Decoded::Path(if text.is_empty() { ".".to_owned() } else { text })
}

/// The rest behind `~` or `~/` (on Windows `~\` too).
fn home_rest(platform: Platform, text: &str) -> Option<&str> {
    let rest = text.strip_prefix('~')?;
    let is_home = rest.is_empty() || rest.starts_with('/') || (platform == Platform::Windows && rest.starts_with('\\'));
    is_home.then_some(rest)
}

/// A space of another width reads as a blank.
fn plain_space(c: char) -> char {
    match c {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        c => c,
    }
}

/// The path of a `file:` URL, as the URL standard reads it: scheme in any case, `localhost` or no host, query and fragment
/// cut off, percent escapes decoded, `.` and `..` removed as text. Another host's name is kept as a share on Windows and
/// left out elsewhere.
pub(crate) fn decode_file_url(platform: Platform, text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    // The standard reads `\` as `/` and drops tabs and line ends.
    let rest: String =
        rest.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).map(|c| if c == '\\' { '/' } else { c }).collect();
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = match rest.strip_prefix("//") {
        Some(authority) => match authority.find('/') {
            Some(slash) => authority.split_at(slash),
            None => (authority, "/"),
        },
        None => ("", rest),
    };
    let path = percent_decode(path);
    let path = path.trim_start_matches('/');
    let local = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    let absolute = match platform {
        Platform::Posix => format!("/{path}"),
        Platform::Windows if !local => format!("\\\\{host}\\{path}"),
        // `file://C:/x`: the drive stands where a host would.
        Platform::Windows => format!("\\{path}").replace('/', "\\"),
    };
    let absolute = match platform {
        Platform::Windows => without_leading_separator_before_drive(&absolute),
        Platform::Posix => absolute,
    };
    let normalised = locate(platform, "", &absolute).map(|place| normalise(platform, &place).into_string());
    let ends = path.ends_with('/');
    Some(match normalised {
        Some(mut text) => {
            if ends && !text.ends_with(separator(platform)) {
                text.push(separator(platform));
            }
            text
        }
        None => absolute,
    })
}

/// `\C:\x` reads as `C:\x`.
fn without_leading_separator_before_drive(path: &str) -> String {
    let rest = path.trim_start_matches('\\');
    let mut chars = rest.chars();
    let has_drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':');
    if has_drive { rest.to_owned() } else { path.to_owned() }
}

/// Percent escapes decoded; what is no escape stays, what is no UTF-8 becomes the replacement character.
fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let escaped = match (byte, ahead.next().and_then(hex), ahead.next().and_then(hex)) {
            (b'%', Some(high), Some(low)) => Some(high * 16 + low),
            _ => None,
        };
        match escaped {
            Some(decoded) => {
                rest = ahead;
                bytes.push(decoded);
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::hard_024("file:///etc/shadow", "/etc/shadow")]
    #[case::hard_024("FILE:///etc/shadow", "/etc/shadow")]
    #[case::hard_024("file:/etc/shadow", "/etc/shadow")]
    #[case::hard_024("file:etc/shadow", "/etc/shadow")]
    #[case::hard_024("file://localhost/etc/shadow", "/etc/shadow")]
    #[case::hard_024("file:///a%20b/%2e%2e/c", "/c")]
    #[case::hard_024("file:///a%C3%A9", "/aé")]
    #[case::hard_024("file:///a%zz%4", "/a%zz%4")]
    #[case::hard_024("file:///a?x#y", "/a")]
    #[case::hard_024("file:///a#y?x", "/a")]
    #[case::hard_024("file:\\\\\\a\\b", "/a/b")]
    #[case::hard_024("file:///a/d/", "/a/d/")]
    #[case::hard_024("@file:///a", "/a")]
    #[case::res_19_at("@src/x", "src/x")]
    #[case::res_19_at("@@x", "@x")]
    #[case::res_19_at("@", ".")]
    #[case::res_19_home("~", "/home/u")]
    #[case::res_19_home("~/x", "/home/u/x")]
    #[case::res_19_home("@~/x", "/home/u/x")]
    #[case::res_19_home("~/../y", "/home/y")]
    #[case::res_19_spaces("a\u{a0}b\u{202f}c\u{3000}d", "a b c d")]
    #[case::res_19_no_quotes("'a b'", "'a b'")]
    #[case::res_19_no_quotes("\"a\"", "\"a\"")]
    #[case::res_19_no_variable("$HOME/x", "$HOME/x")]
    #[case::res_19_no_variable("${HOME}/x", "${HOME}/x")]
    #[case::res_19_other_users("~root/x", "~root/x")]
    #[case::res_19_posix_backslash("~\\x", "~\\x")]
    #[case::res_19_no_url("profile:x", "profile:x")]
    #[case::path_022_posix("/c/x", "/c/x")]
    fn posix(#[case] text: &str, #[case] path: &str) {
        assert_eq!(decode_tool_input(Platform::Posix, Some("/home/u"), text), Decoded::Path(path.to_owned()));
    }

    #[rstest]
    #[case::hard_024("file:///C:/Dev/a%20b", "C:\\Dev\\a b")]
    #[case::hard_024("file:///etc/x", "\\etc\\x")]
    #[case::hard_024_share("file://srv/share/x", "\\\\srv\\share\\x")]
    #[case::res_19_mount("/c/Dev/x", "C:\\Dev\\x")]
    #[case::res_19_home("~\\x", "C:\\Users\\u\\x")]
    #[case::res_19_home("~/x", "C:\\Users\\u\\x")]
    #[case::path_022_no_device("/dev/null", "/dev/null")]
    fn windows(#[case] text: &str, #[case] path: &str) {
        assert_eq!(decode_tool_input(Platform::Windows, Some("C:\\Users\\u"), text), Decoded::Path(path.to_owned()));
    }

    #[rstest]
    #[case::policy_d10("~")]
    #[case::policy_d10("~/x")]
    fn without_a_home(#[case] text: &str) {
        assert_eq!(decode_tool_input(Platform::Posix, None, text), Decoded::UnknownHome);
    }
}
