//! The two flavours of path texts (PATH-013): what separates, what is absolute, where a text leads from a base. Texts only; no file
//! is looked at. Both flavours work on every machine.

use std::borrow::Cow;

use crate::host::Platform;

/// A path taken apart: its root, and the names behind it as written (`.`, `..` and empty ones included).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    /// `/`, `C:\`, `\\server\share\`. Ends with the separator.
    pub(crate) root: String,
    /// The names.
    pub(crate) names: Vec<&'a str>,
}

/// The separator that normalised texts use.
pub(crate) fn separator(platform: Platform) -> char {
    match platform {
        Platform::Posix => '/',
        Platform::Windows => '\\',
    }
}

/// Whether the character separates names.
pub(crate) fn is_separator(platform: Platform, c: char) -> bool {
    c == '/' || (platform == Platform::Windows && c == '\\')
}

/// Whether the text ends with a separator.
pub(crate) fn ends_with_separator(platform: Platform, text: &str) -> bool {
    text.ends_with(|c| is_separator(platform, c))
}

/// The form in which values are compared: lower case on Windows (PATH-004), the text itself elsewhere (PATH-005).
pub(crate) fn fold(platform: Platform, text: &str) -> Cow<'_, str> {
    match platform {
        Platform::Posix => Cow::Borrowed(text),
        Platform::Windows => Cow::Owned(text.to_lowercase()),
    }
}

/// How a text begins.
enum Start<'a> {
    /// A whole root, and the rest.
    Root(String, &'a str),
    /// Windows: a separator alone; the drive is the base's.
    Rooted(&'a str),
    /// Windows: `D:rest`, relative to the directory of that drive.
    Drive(char, &'a str),
    /// Anything else.
    Relative(&'a str),
}

fn start(platform: Platform, text: &str) -> Start<'_> {
    match platform {
        Platform::Posix => match text.strip_prefix('/') {
            Some(rest) => Start::Root("/".to_owned(), rest),
            None => Start::Relative(text),
        },
        Platform::Windows => windows_start(text),
    }
}

fn windows_start(text: &str) -> Start<'_> {
    let is_separator = |c| is_separator(Platform::Windows, c);
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if is_separator(first) && is_separator(second) => {
            share(chars.as_str()).map_or_else(|| Start::Rooted(text), |(root, rest)| Start::Root(root, rest))
        }
        (Some(first), _) if is_separator(first) => Start::Rooted(text),
        (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => {
            let rest = chars.as_str();
            if rest.starts_with(is_separator) { Start::Root(format!("{letter}:\\"), rest) } else { Start::Drive(letter, rest) }
        }
        _ => Start::Relative(text),
    }
}

/// `server\share` behind two separators.
fn share(text: &str) -> Option<(String, &str)> {
    let is_separator = |c| is_separator(Platform::Windows, c);
    let (server, rest) = text.split_once(is_separator)?;
    let rest = rest.trim_start_matches(is_separator);
    let (share, rest) = rest.split_once(is_separator).unwrap_or((rest, ""));
    (!server.is_empty() && !share.is_empty()).then(|| (format!("\\\\{server}\\{share}\\"), rest))
}

/// Whether the text is absolute, or at least independent of the base's names.
pub(crate) fn is_absolute(platform: Platform, text: &str) -> bool {
    matches!(start(platform, text), Start::Root(..) | Start::Rooted(_))
}

/// Where a text leads from an absolute base. `None` when the base is no absolute path and the text needs it.
pub(crate) fn locate<'a>(platform: Platform, base: &'a str, text: &'a str) -> Option<Place<'a>> {
    let names = |text: &'a str| text.split(move |c| is_separator(platform, c));
    let both = |before: &'a str, rest: &'a str| {
        let mut all = Vec::with_capacity(16);
        all.extend(names(before));
        all.extend(names(rest));
        all
    };
    match start(platform, text) {
        Start::Root(root, rest) => Some(Place { root, names: names(rest).collect() }),
        Start::Rooted(rest) => {
            let root = match start(platform, base) {
                Start::Root(root, _) => root,
                _ => return None,
            };
            Some(Place { root, names: names(rest).collect() })
        }
        Start::Drive(letter, rest) => match start(platform, base) {
            Start::Root(root, before) if root.starts_with(|c: char| c.eq_ignore_ascii_case(&letter)) && root.len() == 3 => {
                Some(Place { root, names: both(before, rest) })
            }
            _ => Some(Place { root: format!("{letter}:\\"), names: names(rest).collect() }),
        },
        Start::Relative(rest) => match start(platform, base) {
            Start::Root(root, before) => Some(Place { root, names: both(before, rest) }),
            _ => None,
        },
    }
}

/// The root of an absolute text and what stands behind it, as written.
pub(crate) fn split_root(platform: Platform, text: &str) -> Option<(String, &str)> {
    match start(platform, text) {
        Start::Root(root, rest) => Some((root, rest)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::posix(Platform::Posix, "/w/p", "a/../b", Some(("/", &["w", "p", "a", "..", "b"][..])))]
    #[case::posix_absolute(Platform::Posix, "/w/p", "/x", Some(("/", &["x"][..])))]
    #[case::posix_backslash(Platform::Posix, "/w", "a\\b", Some(("/", &["w", "a\\b"][..])))]
    #[case::posix_no_base(Platform::Posix, "", "a", None)]
    #[case::drive(Platform::Windows, "C:\\w", "a/b", Some(("C:\\", &["w", "a", "b"][..])))]
    #[case::rooted(Platform::Windows, "C:\\w", "\\abs", Some(("C:\\", &["", "abs"][..])))]
    #[case::same_drive(Platform::Windows, "C:\\w", "c:a", Some(("C:\\", &["w", "a"][..])))]
    #[case::other_drive(Platform::Windows, "C:\\w", "D:a", Some(("D:\\", &["a"][..])))]
    #[case::share(Platform::Windows, "C:\\w", "\\\\srv\\share\\x", Some(("\\\\srv\\share\\", &["x"][..])))]
    #[case::half_a_share(Platform::Windows, "C:\\w", "\\\\srv", Some(("C:\\", &["", "", "srv"][..])))]
    fn locates(#[case] platform: Platform, #[case] base: &str, #[case] text: &str, #[case] expected: Option<(&str, &[&str])>) {
        let found = locate(platform, base, text);
        // The root's own separator leaves an empty name in front; it means nothing.
        let found = found.map(|place| {
            let names: Vec<&str> = place.names.iter().copied().skip_while(|name| name.is_empty()).collect();
            (place.root, names)
        });
        let expected = expected
            .map(|(root, names)| (root.to_owned(), names.iter().copied().skip_while(|name| name.is_empty()).collect::<Vec<_>>()));
        assert_eq!(found, expected);
    }
}
