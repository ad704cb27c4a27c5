//! The Windows flavour (PATH-022 to PATH-025, EXT-011 to EXT-015).

use pretty_assertions::assert_eq;

use super::*;

#[rstest]
#[case::path_004("A/B", "c:\\dev\\proj\\a\\b")]
#[case::path_004("C:/Dev/x", "c:\\dev\\x")]
#[case::path_004("..\\x", "c:\\dev\\x")]
#[case::ext_014("D:foo", "d:\\foo")]
#[case::ext_014("\\abs", "c:\\abs")]
#[case::ext_014("\\\\srv\\share\\x", "\\\\srv\\share\\x")]
#[case::same_drive("c:x", "c:\\dev\\proj\\x")]
fn lexical_on_windows(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(windows("C:\\Dev\\Proj", &[]).lexical(text), expected);
}

#[rstest]
#[case::path_020("src/A.ts", &["c:\\dev\\proj\\src\\a.ts", "src\\a.ts"], &["src/A.ts"])]
#[case::res_19_mount("/c/Dev/Proj/a", &["c:\\dev\\proj\\a", "a"], &["C:\\Dev\\Proj\\a", "/c/Dev/Proj/a"])]
#[case::hard_024("file:///C:/Dev/Proj/.env", &["c:\\dev\\proj\\.env", ".env"], &["C:\\Dev\\Proj\\.env", "file:///C:/Dev/Proj/.env"])]
fn tool_values_on_windows(#[case] text: &str, #[case] values: &[&str], #[case] further: &[&str]) {
    let path = windows("C:\\Dev\\Proj", &[]).tool_path(text).unwrap();
    let further = further.iter().map(|text| (*text, "POLICY-D08")).collect();
    assert_eq!(spellings(&path), (values.to_vec(), further));
    assert!(!path.outside);
}

#[test]
fn path_022_tool_inputs_know_no_devices() {
    let path = windows("C:\\Dev\\Proj", &[]).tool_path("/dev/null").unwrap();
    assert_eq!((path.lexical.as_str(), path.outside), ("c:\\dev\\null", true));
}

/// Word, lexical value, main form, canonical value, outside.
#[rstest]
#[case::ext_011("/dev/null", "/dev/null", &["/dev/null"], "/dev/null", false)]
#[case::ext_011("/dev/NULL", "/dev/NULL", &["/dev/NULL", "\\dev\\NULL"], "", true)]
#[case::ext_011("/dev/tty", "/dev/tty", &["/dev/tty", "\\dev\\tty"], "", true)]
#[case::ext_012("/c/proj/app/a", "c:\\proj\\app\\a", &["c:\\proj\\app\\a", "a"], "c:\\proj\\app\\a", false)]
#[case::ext_012("/c/Other/B", "c:\\other\\b", &["c:\\other\\b"], "c:\\other\\b", true)]
#[case::ext_012("/d", "d:\\", &["d:\\"], "d:\\", true)]
#[case::ext_012("/cc/x", "/cc/x", &["/cc/x", "\\cc\\x"], "", true)]
#[case::ext_013("/etc/", "/etc/", &["/etc/", "\\etc\\"], "", true)]
#[case::ext_013("//srv/share", "//srv/share", &["//srv/share", "\\\\srv\\share"], "", true)]
#[case::ext_013_policy_d08("/usr/bin/../x", "/usr/x", &["/usr/x", "\\usr\\x"], "", true)]
#[case::path_022("/usr/x", "/usr/x", &["/usr/x", "\\usr\\x"], "", true)]
#[case::ext_014("dir\\F", "c:\\proj\\app\\dir\\f", &["c:\\proj\\app\\dir\\f", "dir\\f"], "c:\\proj\\app\\dir\\f", false)]
#[case::ext_014("SRC/a", "c:\\proj\\app\\src\\a", &["c:\\proj\\app\\src\\a", "src\\a"], "c:\\proj\\app\\src\\a", false)]
#[case::ext_014("C:\\Users\\d", "c:\\users\\d", &["c:\\users\\d"], "c:\\users\\d", true)]
#[case::ext_014("C:/Proj/App/b", "c:\\proj\\app\\b", &["c:\\proj\\app\\b", "b"], "c:\\proj\\app\\b", false)]
#[case::ext_014("dir\\..\\..\\x", "c:\\proj\\x", &["c:\\proj\\x"], "c:\\proj\\x", true)]
#[case::ext_014("D:foo", "d:\\foo", &["d:\\foo"], "d:\\foo", true)]
#[case::ext_014("\\\\srv\\share\\x", "\\\\srv\\share\\x", &["\\\\srv\\share\\x"], "\\\\srv\\share\\x", true)]
#[case::ext_014("\\abs", "c:\\abs", &["c:\\abs"], "c:\\abs", true)]
fn words_on_windows(
    #[case] word: &str,
    #[case] lexical: &str,
    #[case] values: &[&str],
    #[case] canonical: &str,
    #[case] outside: bool,
) {
    let path = windows("C:\\Proj\\App", &[]).resolve_word(word, &known("C:\\Proj\\App")).unwrap();
    assert_eq!((path.lexical.as_str(), path.canonical.as_str(), path.outside), (lexical, canonical, outside));
    assert_eq!(path.values, values);
}

#[test]
fn ext_013_the_typed_form_stays_a_spelling() {
    let path = windows("C:\\Proj\\App", &[]).resolve_word("/usr/bin/../x", &known("C:\\Proj\\App")).unwrap();
    assert_eq!(path.further, [("/usr/bin/../x".to_owned(), "POLICY-D08"), ("\\usr\\bin\\..\\x".to_owned(), "POLICY-D08")]);
}

#[test]
fn path_022_dots_in_front_of_a_drive_mount() {
    let path = windows("C:\\Proj\\App", &[]).resolve_word("/usr/../c/Proj/App/x", &known("C:\\Proj\\App")).unwrap();
    assert_eq!(path.values, ["c:\\proj\\app\\x", "x"]);
    assert!(path.further.contains(&("\\usr\\..\\c\\Proj\\App\\x".to_owned(), "POLICY-D08")));
    assert!(path.outside, "the package takes it for a path of Git Bash's own root");
}

#[test]
fn windows_verbatim_paths_lead_to_the_plain_drive() {
    let path = windows("C:\\Dev\\Proj", &[]).tool_path("\\\\?\\C:\\Dev\\Proj\\a").unwrap();
    assert_eq!(path.canonical, "c:\\dev\\proj\\a");
    assert!(path.outside, "the package takes it for a share");
}

#[rstest]
#[case::path_024("/c/Other", known("C:\\Dev"), known("C:\\Other"))]
#[case::path_024("/usr/x", known("C:\\Dev"), Base::Unknown)]
#[case::path_024("/dev/null", known("C:\\Dev"), Base::Unknown)]
#[case::path_024("..\\x", known("C:\\Dev"), known("C:\\x"))]
#[case::ext_015("/c/Other", Base::Unknown, known("C:\\Other"))]
#[case::ext_015("sub", Base::Unknown, Base::Unknown)]
fn folds_directories_on_windows(#[case] word: &str, #[case] base: Base, #[case] expected: Base) {
    assert_eq!(windows("C:\\Dev\\Proj", &[]).fold_directory(word, &base), expected);
}

#[rstest]
#[case::ext_015("../x", "C:\\Other", "c:\\x")]
#[case::ext_015("./y", "C:\\Other", "c:\\other\\y")]
fn words_behind_a_directory_change_on_windows(#[case] word: &str, #[case] base: &str, #[case] lexical: &str) {
    assert_eq!(windows("C:\\Proj\\App", &[]).resolve_word(word, &known(base)).unwrap().lexical, lexical);
}

#[rstest]
#[case::hard_024_dot("a.env.", "c:\\dev\\proj\\a.env")]
#[case::hard_024_blank("a.env \\x", "c:\\dev\\proj\\a.env\\x")]
#[case::hard_024_stream("a.env::$DATA", "c:\\dev\\proj\\a.env")]
fn names_that_windows_cuts(#[case] text: &str, #[case] opened: &str) {
    let path = windows("C:\\Dev\\Proj", &[]).tool_path(text).unwrap();
    assert!(path.further.contains(&(opened.to_owned(), "HARD-024")), "{:?}", path.further);
    assert!(!path.outside);
}

#[test]
fn names_that_windows_reads_as_up_lead_outside() {
    let path = windows("C:\\Dev\\Proj", &[]).tool_path(".. \\secret").unwrap();
    assert_eq!((path.outside, path.outside_by), (true, Some("HARD-024")));
    assert!(path.further.contains(&("c:\\dev\\secret".to_owned(), "HARD-024")));
}
