//! What lies within a directory, and what is outside the session directory (PATH-010 to PATH-012). Texts only.

use std::borrow::Cow;

use super::flavour::{fold, is_separator, locate, separator};
use super::normalise::normalise;
use crate::host::Platform;

/// The standard streams and the null device (PATH-011), exact texts. They are never external.
pub(crate) const SAFE_SYSTEM_PATHS: [&str; 4] = ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// Whether the text is a safe system path (PATH-011, EXT-004).
pub(crate) fn is_safe_system_path(path: &str) -> bool {
    SAFE_SYSTEM_PATHS.contains(&path)
}

/// Whether the path is the directory or lies below it (PATH-010). Both are absolute; the answer is "no" when one is empty.
///
/// ```
/// use portcullis_core::access::path::within;
/// use portcullis_core::host::Platform;
///
/// assert!(within(Platform::Posix, "/a/..b", "/a"));
/// assert!(!within(Platform::Posix, "/ab", "/a"));
/// assert!(within(Platform::Windows, "c:\\A\\b", "C:\\a"));
/// ```
pub fn within(platform: Platform, path: &str, directory: &str) -> bool {
    if path.is_empty() || directory.is_empty() {
        return false;
    }
    if path == directory {
        return true;
    }
    strictly_below(platform, path, directory).is_some()
}

/// The path relative to the directory, when it is strictly below it.
pub(crate) fn strictly_below(platform: Platform, path: &str, directory: &str) -> Option<String> {
    below_normalised(platform, &comparable(platform, path)?, &comparable(platform, directory)?).map(str::to_owned)
}

/// The text normalised and folded, if it is absolute. Most are already.
fn comparable(platform: Platform, text: &str) -> Option<Cow<'_, str>> {
    let is_plain = |names: &str| names.split('/').all(|name| !matches!(name, "" | "." | ".."));
    if platform == Platform::Posix && text.strip_prefix('/').is_some_and(is_plain) {
        return Some(text.into());
    }
    let normal = normalise(platform, &locate(platform, "", text)?).into_string();
    Some(fold(platform, &normal).into_owned().into())
}

/// [`strictly_below`] for texts that are normalised and folded already.
pub(crate) fn below_normalised<'a>(platform: Platform, path: &'a str, directory: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(directory)?;
    let rest = if directory.ends_with(separator(platform)) { rest } else { rest.strip_prefix(separator(platform))? };
    let rest = rest.trim_start_matches(|c| is_separator(platform, c));
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::path_010("/a/b", "/a", true)]
    #[case::path_010("/ab", "/a", false)]
    #[case::path_010("/a", "/a", true)]
    #[case::path_010("/a/..b", "/a", true)]
    #[case::path_010("/x", "/", true)]
    #[case::path_010("/a/b", "/a/", true)]
    #[case::path_010("/a", "/a/", false)]
    #[case::path_010("", "/a", false)]
    #[case::path_010("/a", "", false)]
    #[case::path_010_parent("/a/..", "/a", false)]
    #[case::path_010_above("/", "/a", false)]
    fn posix(#[case] path: &str, #[case] directory: &str, #[case] inside: bool) {
        assert_eq!(within(Platform::Posix, path, directory), inside);
    }

    #[rstest]
    #[case::path_010("c:\\A\\b", "C:\\a", true)]
    #[case::path_010("D:\\a", "C:\\a", false)]
    #[case::path_010("C:\\A", "c:\\a\\", false)]
    #[case::path_010("\\\\srv\\share\\x", "\\\\srv\\share\\", true)]
    fn windows(#[case] path: &str, #[case] directory: &str, #[case] inside: bool) {
        assert_eq!(within(Platform::Windows, path, directory), inside);
    }

    #[rstest]
    #[case::path_011("/dev/null", true)]
    #[case::path_011("/dev/stdin", true)]
    #[case::path_011("/dev/tty", false)]
    #[case::path_011("/dev/fd/0", false)]
    #[case::path_011("/dev/zero", false)]
    #[case::path_011("/dev/nullx", false)]
    fn safe(#[case] path: &str, #[case] yes: bool) {
        assert_eq!(is_safe_system_path(path), yes);
    }

    fn absolute() -> impl Strategy<Value = String> {
        proptest::collection::vec("[ab.]{1,2}", 0..4).prop_map(|names| {
            let names: Vec<String> = names.into_iter().filter(|name| name != "." && name != "..").collect();
            format!("/{}", names.join("/"))
        })
    }

    proptest! {
        /// Invariant 8 of docs/spec/gates.md.
        #[test]
        fn within_is_reflexive(path in absolute()) {
            prop_assert!(within(Platform::Posix, &path, &path));
        }

        /// Invariant 8 of docs/spec/gates.md.
        #[test]
        fn within_is_transitive(a in absolute(), b in absolute(), c in absolute()) {
            let inside = |x: &str, y: &str| within(Platform::Posix, x, y);
            prop_assert!(!(inside(&a, &b) && inside(&b, &c)) || inside(&a, &c));
        }

        /// The same on paths that really nest.
        #[test]
        fn nested_paths_are_within(a in absolute(), b in "[ab]{1,2}", c in "[ab]{1,2}") {
            let one = format!("{}/{b}", a.trim_end_matches('/'));
            let two = format!("{one}/{c}");
            prop_assert!(within(Platform::Posix, &two, &one) && within(Platform::Posix, &one, &a) && within(Platform::Posix, &two, &a));
            prop_assert!(!within(Platform::Posix, &one, &two));
        }
    }
}
