//! What a shell word names (EXT-001, PATH-001, PATH-002), and how Git Bash reads POSIX paths on Windows (PATH-022, PATH-024).
//!
//! Words arrive without the shell's own quoting. A word whose leading `~` was quoted arrives as `./~…`.

use super::containment::is_safe_system_path;
use super::flavour::{Place, separator};
use super::host_decoding::decode_file_url;
use super::normalise::{join_home, normalise};
use crate::host::Platform;
use crate::text::js_trim;

/// A cleaned word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CleanedWord {
    /// The word as the package cleans it: without quotes and `@` at its ends, home expanded.
    pub(crate) text: String,
    /// What it means.
    pub(crate) meaning: Meaning,
}

/// What a cleaned word means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The path of its text.
    Plain,
    /// The path of a `file:` URL (RES-50).
    Url(String),
    /// The path behind `${HOME}`, which the package takes for a name (HARD-018).
    BracedHome(String),
    /// Some home directory that nobody can tell (HARD-018).
    UnknownHome,
}

/// Whether [`clean_word`] takes nothing off the ends of the word. The shell itself takes nothing off: a file may be called
/// `@x`, `'x` or `x `.
pub(crate) fn is_clean(word: &str) -> bool {
    js_trim(word) == word && !word.starts_with(['\'', '"', '@']) && !word.ends_with(['\'', '"'])
}

/// Cleans a word (EXT-001): trim, one quote character off each end, blank means nothing, one `@` off the front, home forms
/// expanded.
pub(crate) fn clean_word(platform: Platform, home: Option<&str>, word: &str) -> Option<CleanedWord> {
    let text = js_trim(word);
    let text = text.strip_prefix(['\'', '"']).unwrap_or(text);
    let text = text.strip_suffix(['\'', '"']).unwrap_or(text);
    if js_trim(text).is_empty() {
        return None;
    }
    let text = text.strip_prefix('@').unwrap_or(text);
    if text.is_empty() {
        return None;
    }
    let plain = |text: String, meaning| Some(CleanedWord { text, meaning });
    if let Some(path) = decode_file_url(platform, text) {
        return plain(text.to_owned(), Meaning::Url(path));
    }
    match home_form(text) {
        HomeForm::Own(rest) => match home {
            Some(home) if text.starts_with("${") => plain(text.to_owned(), Meaning::BracedHome(join_home(platform, home, rest))),
            Some(home) => plain(join_home(platform, home, rest), Meaning::Plain),
            None => plain(text.to_owned(), Meaning::UnknownHome),
        },
        HomeForm::Unknown => plain(text.to_owned(), Meaning::UnknownHome),
        HomeForm::None => plain(text.to_owned(), Meaning::Plain),
    }
}

enum HomeForm<'a> {
    /// The own home, and the rest with its separator.
    Own(&'a str),
    /// `~user`, `~+`, `~-` (HARD-018).
    Unknown,
    None,
}

/// PATH-002, and `${HOME}` (HARD-018). The backslash variants count on every platform.
fn home_form(text: &str) -> HomeForm<'_> {
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with(['/', '\\']);
    if let Some(rest) = text.strip_prefix('~') {
        return if is_end(rest) { HomeForm::Own(as_separated(rest)) } else { HomeForm::Unknown };
    }
    match text.strip_prefix("$HOME").or_else(|| text.strip_prefix("${HOME}")) {
        Some(rest) if is_end(rest) => HomeForm::Own(as_separated(rest)),
        _ => HomeForm::None,
    }
}

/// The rest of a home form without its first separator, which may be a backslash on POSIX too.
fn as_separated(rest: &str) -> &str {
    rest.strip_prefix(['/', '\\']).unwrap_or(rest)
}

/// How Git Bash reads a word on Windows (PATH-022).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WindowsWord {
    /// A safe system path: all its values are the text itself.
    Device,
    /// A path below Git Bash's own root, that Windows has under another name: literal.
    PosixAbsolute {
        /// `.` and `..` resolved, when there were any; else as written.
        text: String,
    },
    /// A path of Windows, drive mounts translated.
    Native(String),
    /// A drive mount once its dots are resolved: the path of Windows. As written it is one of the kind before.
    DottedMount(String),
}

/// Classifies a cleaned word (PATH-022, EXT-011 to EXT-014).
pub(crate) fn windows_word(text: &str) -> WindowsWord {
    if is_safe_system_path(text) {
        return WindowsWord::Device;
    }
    let Some(rest) = text.strip_prefix('/') else { return WindowsWord::Native(text.to_owned()) };
    if let Some(native) = drive_mount(text) {
        return WindowsWord::Native(native);
    }
    // `/usr/../c/x` is a drive mount after all: dots are resolved before a rule sees the text (POLICY-D08).
    if rest.split('/').any(|name| matches!(name, "." | "..")) {
        let place = Place { root: "/".to_owned(), names: rest.split('/').collect() };
        let resolved = normalise(Platform::Posix, &place).into_string();
        return match drive_mount(&resolved) {
            Some(native) => WindowsWord::DottedMount(native),
            None => WindowsWord::PosixAbsolute { text: resolved },
        };
    }
    WindowsWord::PosixAbsolute { text: text.to_owned() }
}

/// The drive path behind `/c` or `/c/…` (EXT-012).
pub(crate) fn drive_mount(text: &str) -> Option<String> {
    let mut chars = text.strip_prefix('/')?.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let rest = chars.as_str();
    if !(rest.is_empty() || rest.starts_with('/')) {
        return None;
    }
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let separator = separator(Platform::Windows);
    Some(format!("{}:{separator}{}", letter.to_ascii_uppercase(), rest.replace('/', "\\")))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::path_001("'a b'", Some("a b"))]
    #[case::path_001("'a\"", Some("a"))]
    #[case::path_001("'a", Some("a"))]
    #[case::path_001("''a''", Some("'a'"))]
    #[case::path_001("@src/x", Some("src/x"))]
    #[case::path_001("'@x'", Some("x"))]
    #[case::path_001("@'x'", Some("'x"))]
    #[case::path_001("@@x", Some("@x"))]
    #[case::path_001("@", None)]
    #[case::path_001("'  a '", Some("  a "))]
    #[case::path_001("", None)]
    #[case::path_001("''", None)]
    #[case::path_001("\"", None)]
    #[case::path_001("'  '", None)]
    #[case::path_002("~", Some("/home/u"))]
    #[case::path_002("$HOME", Some("/home/u"))]
    #[case::path_002("~/x", Some("/home/u/x"))]
    #[case::path_002("~\\x", Some("/home/u/x"))]
    #[case::path_002("~//x", Some("/home/u/x"))]
    #[case::path_002("~/../y", Some("/home/y"))]
    #[case::path_002("@~/x", Some("/home/u/x"))]
    #[case::path_002("$HOMEx", Some("$HOMEx"))]
    #[case::path_002("$HOME/a", Some("/home/u/a"))]
    #[case::ext_001("~//d/", Some("/home/u/d/"))]
    #[case::ext_001("@/etc/d", Some("/etc/d"))]
    #[case::ext_001("'/etc/e'", Some("/etc/e"))]
    #[case::ext_001(" /etc/f ", Some("/etc/f"))]
    fn cleans(#[case] word: &str, #[case] expected: Option<&str>) {
        let cleaned = clean_word(Platform::Posix, Some("/home/u"), word);
        assert_eq!(cleaned, expected.map(|text| CleanedWord { text: text.into(), meaning: Meaning::Plain }));
    }

    #[test]
    fn hard_018_braces() {
        let cleaned = clean_word(Platform::Posix, Some("/home/u"), "${HOME}/x");
        let meaning = Meaning::BracedHome("/home/u/x".into());
        assert_eq!(cleaned, Some(CleanedWord { text: "${HOME}/x".into(), meaning }));
    }

    #[rstest]
    #[case::hard_018("~root/x", Some("/home/u"))]
    #[case::hard_018("~x", Some("/home/u"))]
    #[case::hard_018("~+", Some("/home/u"))]
    #[case::policy_d10("~/x", None)]
    #[case::policy_d10("$HOME", None)]
    fn homes_nobody_can_tell(#[case] word: &str, #[case] home: Option<&str>) {
        let cleaned = clean_word(Platform::Posix, home, word);
        assert_eq!(cleaned, Some(CleanedWord { text: word.into(), meaning: Meaning::UnknownHome }));
    }

    #[rstest]
    #[case::ext_011("/dev/null", WindowsWord::Device)]
    #[case::ext_011("/dev/NULL", WindowsWord::PosixAbsolute { text: "/dev/NULL".into() })]
    #[case::path_022("/dev/tty", WindowsWord::PosixAbsolute { text: "/dev/tty".into() })]
    #[case::path_022("/c/Dev/Proj/a", WindowsWord::Native("C:\\Dev\\Proj\\a".into()))]
    #[case::path_022("/C", WindowsWord::Native("C:\\".into()))]
    #[case::ext_012("/c/", WindowsWord::Native("C:\\".into()))]
    #[case::path_022("/cc/x", WindowsWord::PosixAbsolute { text: "/cc/x".into() })]
    #[case::path_022("/1/x", WindowsWord::PosixAbsolute { text: "/1/x".into() })]
    #[case::path_022("//srv/x", WindowsWord::PosixAbsolute { text: "//srv/x".into() })]
    #[case::path_022("/c\\x", WindowsWord::PosixAbsolute { text: "/c\\x".into() })]
    #[case::ext_013("/etc/", WindowsWord::PosixAbsolute { text: "/etc/".into() })]
    #[case::policy_d08("/usr/bin/../x", WindowsWord::PosixAbsolute { text: "/usr/x".into() })]
    #[case::policy_d08("/usr/../c/x", WindowsWord::DottedMount("C:\\x".into()))]
    #[case::ext_014("dir\\F", WindowsWord::Native("dir\\F".into()))]
    #[case::ext_014("\\abs", WindowsWord::Native("\\abs".into()))]
    fn git_bash(#[case] text: &str, #[case] expected: WindowsWord) {
        assert_eq!(windows_word(text), expected);
    }
}
