use std::collections::BTreeMap;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::access::path::ProtectedReason;
use crate::host::{EntryKind, FileFault, FileFaultKind, FileStamp};

/// A small file system: what is listed exists, and so does every folder above it.
#[derive(Default)]
struct MemoryFiles {
    entries: BTreeMap<String, EntryKind>,
    refused: Vec<String>,
    folds_case: bool,
}

impl MemoryFiles {
    fn new(entries: &[(&str, &str)]) -> Self {
        let mut files = Self::default();
        for (path, content) in entries {
            let kind = match content.strip_prefix("-> ") {
                Some(target) => EntryKind::Symlink(target.to_owned()),
                None if *content == "dir" => EntryKind::Directory,
                None => EntryKind::File,
            };
            for (at, _) in path.match_indices(['/', '\\']).filter(|(at, _)| *at > 0) {
                files.entries.entry(path.get(..at).unwrap().to_owned()).or_insert(EntryKind::Directory);
            }
            files.entries.insert((*path).to_owned(), kind);
        }
        files
    }
}

impl FileView for MemoryFiles {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        let fault = |kind| Err(FileFault { kind, message: "no".into() });
        if path.contains('\0') || self.refused.iter().any(|refused| path.starts_with(refused)) {
            return fault(if path.contains('\0') { FileFaultKind::Other } else { FileFaultKind::PermissionDenied });
        }
        let found = if self.folds_case {
            self.entries.iter().find(|(entry, _)| entry.eq_ignore_ascii_case(path)).map(|(_, kind)| kind)
        } else {
            self.entries.get(path)
        };
        found.cloned().map_or_else(|| fault(FileFaultKind::NotFound), Ok)
    }

    fn read(&self, _: &str) -> Result<Vec<u8>, FileFault> {
        Ok(Vec::new())
    }

    fn stamp(&self, _: &str) -> Result<FileStamp, FileFault> {
        Err(FileFault { kind: FileFaultKind::Other, message: "no stamps".into() })
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        let below = |entry: &String| {
            let rest = entry.strip_prefix(path)?.trim_start_matches('/').to_owned();
            (!rest.is_empty() && !rest.contains('/')).then_some(rest)
        };
        Ok(self.entries.keys().filter_map(below).collect())
    }
}

fn posix_at(cwd: &str, files: MemoryFiles) -> PathNormalizer {
    PathNormalizer::new(PathFacts {
        cwd: cwd.into(),
        home: Some("/home/u".into()),
        agent_dir: "/home/u/.pi/agent".into(),
        extension_root: None,
        platform: Platform::Posix,
        files: Arc::new(files),
    })
}

fn posix(entries: &[(&str, &str)]) -> PathNormalizer {
    posix_at("/w/p", MemoryFiles::new(entries))
}

fn windows(cwd: &str, entries: &[(&str, &str)]) -> PathNormalizer {
    PathNormalizer::new(PathFacts {
        cwd: cwd.into(),
        home: Some("C:\\Users\\u".into()),
        agent_dir: "C:\\Users\\u\\.pi\\agent".into(),
        extension_root: None,
        platform: Platform::Windows,
        files: Arc::new(MemoryFiles::new(entries)),
    })
}

fn known(base: &str) -> Base {
    Base::Known(base.to_owned())
}

/// Main form, then further spellings.
fn spellings(path: &AccessPath) -> (Vec<&str>, Vec<(&str, &str)>) {
    let further = path.further.iter().map(|(text, by)| (text.as_str(), *by)).collect();
    (path.values.iter().map(String::as_str).collect(), further)
}

/// The values that the package would list (PATH-020): the main form, and the cleaned literal.
fn package_values(path: &AccessPath) -> Vec<&str> {
    let literal = path.further.iter().find(|(_, by)| *by == "POLICY-D08").map(|(text, _)| text.as_str());
    path.values.iter().map(String::as_str).chain(literal).collect()
}

#[rstest]
#[case::path_004("/w/p", "a/../b", "/w/p/b")]
#[case::path_004("/w/p", "../a", "/w/a")]
#[case::path_004("/w/p", "/x//y/./z/", "/x/y/z")]
#[case::path_004("/w/p", "a/", "/w/p/a")]
#[case::path_004("/w/p", ".", "/w/p")]
#[case::path_004("/w/p", "/", "/")]
#[case::path_004("/w/p", "//x/y", "/x/y")]
#[case::path_004("/w/p", "a\\b", "/w/p/a\\b")]
#[case::path_004("/w/p", "C:\\x", "/w/p/C:\\x")]
#[case::path_004("/w/p", "%2e%2e/x", "/w/p/%2e%2e/x")]
#[case::path_004("/w/p", "", "")]
#[case::path_005("/w/p", ".ENV", "/w/p/.ENV")]
#[case::path_005("/w/p", "été", "/w/p/été")]
#[case::root_stays("/w/p", "../../../..", "/")]
fn lexical_on_posix(#[case] cwd: &str, #[case] text: &str, #[case] expected: &str) {
    assert_eq!(posix_at(cwd, MemoryFiles::default()).lexical(text), expected);
}

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
#[case::path_006(&[("/o/d", "dir"), ("/w/p/lnk", "-> /o/d")], "lnk/f", "/o/d/f")]
#[case::path_006(&[("/o/d", "dir"), ("/w/p/lnk", "-> /o/d")], "lnk/new/deep", "/o/d/new/deep")]
#[case::path_006(&[("/w/p/real", "dir"), ("/w/p/inner", "-> real")], "inner/sub", "/w/p/real/sub")]
#[case::path_006(&[("/w/p/real/sub", "dir")], "real/sub/new", "/w/p/real/sub/new")]
#[case::path_006(&[("/w/p/file", "")], "file/x", "/w/p/file/x")]
#[case::path_006_loop(&[("/w/p/loopa", "-> loopb"), ("/w/p/loopb", "-> loopa")], "loopa/x", "/w/p/loopa/x")]
#[case::path_006_nul(&[("/w/p/x", "")], "a\0b", "/w/p/a\0b")]
#[case::path_006_device(&[("/dev/null", ""), ("/w/p/nil", "-> /dev/null")], "nil", "/dev/null")]
#[case::path_006_no_cwd(&[], "a/b", "/w/p/a/b")]
#[case::path_006_empty(&[], "", "")]
#[case::gates_d07(&[("/etc/shadow", ""), ("/w/p/lnk", "-> /etc")], "lnk/../shadow", "/shadow")]
#[case::gates_d07_chain(&[("/a/b/c", "dir"), ("/w/p/lnk", "-> /a/b/c")], "lnk/../../x", "/a/x")]
#[case::gates_d07_relative_target(&[("/w/o/d", "dir"), ("/w/p/lnk", "-> ../o/./d")], "lnk/../x", "/w/o/x")]
#[case::gates_d07_link_behind_link(&[("/a/b", "dir"), ("/w/p/x", "-> y"), ("/w/p/y", "-> /a/b")], "x/../z", "/a/z")]
#[case::gates_d07_missing(&[("/w/p/d", "dir")], "nope/../d/x", "/w/p/d/x")]
#[case::gates_d08(&[("/o", "dir"), ("/w/p/dangle", "-> /o/newfile")], "dangle", "/o/newfile")]
#[case::gates_d08_missing_folder(&[("/w/p/dangle", "-> /none/../o/x")], "dangle/y", "/o/x/y")]
#[case::gates_d08_through_two(&[("/w/p/a", "-> b"), ("/w/p/b", "-> /o/new")], "a", "/o/new")]
fn canonical(#[case] entries: &[(&str, &str)], #[case] text: &str, #[case] expected: &str) {
    assert_eq!(posix(entries).canonical(text), expected);
}

#[test]
fn path_006_an_unreadable_directory_ends_the_looking_not_the_way() {
    let mut files = MemoryFiles::new(&[("/o/secret", "dir"), ("/w/p/lnk", "-> /o")]);
    files.refused.push("/o/secret".into());
    let path = posix_at("/w/p", files).tool_path("lnk/secret/x").unwrap();
    assert_eq!((path.canonical.as_str(), path.lexical.as_str()), ("/o/secret/x", "/w/p/lnk/secret/x"));
    assert!(path.outside);
}

#[test]
fn the_link_budget_is_forty() {
    let chain = |length: usize| {
        let mut entries: Vec<(String, String)> = (0..length).map(|n| (format!("/w/p/l{n}"), format!("-> l{}", n + 1))).collect();
        entries.push((format!("/w/p/l{length}"), String::new()));
        let entries: Vec<(&str, &str)> = entries.iter().map(|(path, to)| (path.as_str(), to.as_str())).collect();
        posix(&entries).canonical("l0")
    };
    assert_eq!(chain(40), "/w/p/l40");
    assert_eq!(chain(41), "/w/p/l0");
}

#[rstest]
#[case::path_020("src/a.ts", &["/w/p/src/a.ts", "src/a.ts"])]
#[case::path_020("../x", &["/w/x", "../x"])]
#[case::path_020(".", &["/w/p", "."])]
#[case::path_020("./a", &["/w/p/a", "a", "./a"])]
#[case::path_020("a/", &["/w/p/a", "a", "a/"])]
#[case::path_020("*", &["*", "/w/p/*"])]
fn values_of_tool_paths(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(package_values(&posix(&[]).tool_path(text).unwrap()), expected);
}

#[rstest]
#[case::path_020("a", "/w/p/sub", &["/w/p/sub/a", "sub/a", "a"])]
#[case::path_020("../../z", "/w/p/sub", &["/w/z", "../../z"])]
#[case::path_020_typed("'a'", "/w/p", &["/w/p/a", "a", "'a'"])]
#[case::path_002_home("~/x", "/w/p", &["/home/u/x", "~/x"])]
#[case::ext_002("//etc//a/", "/w/p", &["/etc/a", "//etc//a/"])]
#[case::ext_002("src/../../x", "/w/p", &["/w/x", "src/../../x"])]
#[case::ext_002("/etc/../etc/b", "/w/p", &["/etc/b", "/etc/../etc/b"])]
#[case::ext_002("/", "/w/p", &["/"])]
#[case::ext_008("./src/a", "/w/p", &["/w/p/src/a", "src/a", "./src/a"])]
#[case::ext_008("src//b/../a", "/w/p", &["/w/p/src/a", "src/a", "src//b/../a"])]
#[case::ext_008("..", "/w/p", &["/w", ".."])]
#[case::ext_008("/w/p/src/a", "/w/p", &["/w/p/src/a", "src/a"])]
#[case::ext_008("a/b", "/w/p/pkg", &["/w/p/pkg/a/b", "pkg/a/b", "a/b"])]
#[case::ext_008_star("'*'", "/w/p", &["*", "/w/p/*", "'*'"])]
#[case::cwd_007("../x", "/srv", &["/x", "../x"])]
fn values_of_words(#[case] word: &str, #[case] base: &str, #[case] expected: &[&str]) {
    assert_eq!(package_values(&posix(&[]).resolve_word(word, &known(base)).unwrap()), expected);
}

#[rstest]
#[case::ext_001("$HOME/a", &["/home/u/a"], &[("$HOME/a", "POLICY-D08")])]
#[case::ext_001("~//d/", &["/home/u/d"], &[("/home/u/d/", "POLICY-D08"), ("~//d/", "POLICY-D08")])]
#[case::ext_001("@/etc/d", &["/etc/d"], &[("@/etc/d", "POLICY-D08")])]
#[case::ext_001("'/etc/e'", &["/etc/e"], &[("'/etc/e'", "POLICY-D08")])]
#[case::ext_001(" /etc/f ", &["/etc/f"], &[])]
#[case::hard_018("${HOME}/g", &["/home/u/g"], &[("${HOME}/g", "POLICY-D08"), ("/w/p/${HOME}/g", "HARD-018")])]
#[case::res_50_url("file:///etc/x", &["/etc/x"], &[
    ("file:///etc/x", "POLICY-D08"), ("/w/p/file:/etc/x", "BASH-D10"), ("file:/etc/x", "BASH-D10")
])]
fn spellings_of_words(#[case] word: &str, #[case] values: &[&str], #[case] further: &[(&str, &str)]) {
    let path = posix(&[]).resolve_word(word, &known("/w/p")).unwrap();
    assert_eq!(spellings(&path), (values.to_vec(), further.to_vec()));
}

#[rstest]
#[case("")]
#[case("@")]
#[case("''")]
#[case("  ")]
fn ext_001_words_that_name_nothing(#[case] word: &str) {
    assert_eq!(posix(&[]).resolve_word(word, &known("/w/p")), None);
}

#[test]
fn path_020_a_link_adds_its_target() {
    let path = posix(&[("/o/d", "dir"), ("/w/p/lnk", "-> /o/d")]).tool_path("lnk/f").unwrap();
    assert_eq!(spellings(&path), (vec!["/w/p/lnk/f", "lnk/f", "/o/d/f"], vec![]));
    assert_eq!((path.resolved_alias(), path.outside, path.outside_by), (Some("/o/d/f"), true, None));
}

#[test]
fn hard_024_a_link_inside_adds_the_targets_relative_name() {
    let path = posix(&[("/w/p/secrets/x", ""), ("/w/p/lnk", "-> secrets")]).tool_path("lnk/x").unwrap();
    let further = vec![("secrets/x", "HARD-024")];
    assert_eq!(spellings(&path), (vec!["/w/p/lnk/x", "lnk/x", "/w/p/secrets/x"], further));
    assert!(!path.outside && path.exists && !path.is_directory);
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
#[case::path_012("/etc/x", true)]
#[case::path_012("../x", true)]
#[case::path_012("/w/pp/x", true)]
#[case::path_012("/w/p", false)]
#[case::path_012("..x", false)]
#[case::path_012("/dev/null", false)]
#[case::path_011("/dev/tty", true)]
#[case::path_011("/dev/fd/0", true)]
#[case::path_011("/dev/nullx", true)]
#[case::ext_004("/dev/./null", false)]
#[case::ext_004("/dev/null/x", true)]
#[case::ext_003("../p/d", false)]
fn outside(#[case] text: &str, #[case] expected: bool) {
    let path = posix(&[]).tool_path(text).unwrap();
    assert_eq!((path.outside, path.outside_by), (expected, None));
}

#[rstest]
#[case::path_012_proc(&[("/proc/self", "-> 42"), ("/proc/42/root", "-> /"), ("/etc", "dir")], "/proc/self/root/etc", true, None)]
#[case::res_53(&[("/var/log/job", ""), ("/dev/stderr", "-> /var/log/job")], "/dev/stderr", false, None)]
#[case::path_012_safe_target(&[("/dev/null", ""), ("/w/p/nil", "-> /dev/null")], "nil", false, None)]
#[case::ext_003_out(&[("/etc/hosts", ""), ("/w/p/link", "-> /etc")], "/w/p/link/hosts", true, None)]
#[case::ext_005_in(&[("/w/p/a", ""), ("/sl", "-> /w/p")], "/sl/a", false, None)]
#[case::gates_d08(&[("/o", "dir"), ("/w/p/dangle", "-> /o/newfile")], "dangle", true, Some("GATES-D08"))]
#[case::gates_d07(&[("/etc", "dir"), ("/w/p/lnk", "-> /etc")], "lnk/../shadow", true, Some("GATES-D07"))]
#[case::gates_d07_textual_is_outside(&[("/w/p/a/b", "dir"), ("/w/p/lnk", "-> a/b")], "lnk/../../x", true, None)]
fn outside_by_links(
    #[case] entries: &[(&str, &str)],
    #[case] text: &str,
    #[case] outside: bool,
    #[case] by: Option<&'static str>,
) {
    let path = posix(entries).tool_path(text).unwrap();
    assert_eq!((path.outside, path.outside_by), (outside, by));
}

#[test]
fn bash_d18_the_textual_reading_is_a_further_spelling() {
    let normalizer = posix(&[("/etc/shadow", ""), ("/w/p/lnk", "-> /etc")]);
    let path = normalizer.resolve_word("lnk/../shadow", &known("/w/p")).unwrap();
    let further = vec![("lnk/../shadow", "POLICY-D08"), ("/w/p/shadow", "BASH-D18"), ("shadow", "BASH-D18")];
    assert_eq!(spellings(&path), (vec!["/shadow"], further));
    assert_eq!((path.lexical.as_str(), path.outside, path.outside_by), ("/shadow", true, Some("BASH-D18")));
}

#[test]
fn gates_d07_a_directory_reached_by_a_link_has_its_own_parent() {
    // `cd lnk && cat ../root/x`: the shell keeps the textual base, the system opens the physical parent.
    let normalizer = posix(&[("/etc", "dir"), ("/w/p/lnk", "-> /etc")]);
    let base = normalizer.fold_directory("lnk", &known("/w/p"));
    assert_eq!(base, known("/w/p/lnk"));
    let path = normalizer.resolve_word("../root/x", &base).unwrap();
    assert_eq!((path.canonical.as_str(), path.outside_by), ("/root/x", Some("BASH-D18")));
}

#[rstest]
#[case::path_012("file", false)]
#[case::path_012("/real/p/file", false)]
#[case::path_012("../out", true)]
#[case::path_012("/w/p", false)]
fn the_session_directory_may_be_a_link(#[case] text: &str, #[case] outside: bool) {
    let normalizer = posix(&[("/real/p", "dir"), ("/w/p", "-> /real/p")]);
    assert_eq!(normalizer.canonical_cwd(), "/real/p");
    assert_eq!(normalizer.tool_path(text).unwrap().outside, outside);
}

#[rstest]
#[case::path_026("/etc/x", &["/etc/x"])]
#[case::path_026("x", &["x"])]
fn path_026_without_a_session_directory_nothing_is_outside(#[case] text: &str, #[case] values: &[&str]) {
    let path = posix_at("", MemoryFiles::default()).tool_path(text).unwrap();
    assert_eq!((path.values.iter().map(String::as_str).collect::<Vec<_>>(), path.outside), (values.to_vec(), false));
}

#[rstest]
#[case::ext_010("ln/a", "ln/a")]
#[case::ext_010(".env", ".env")]
#[case::cwd_019("../x", "../x")]
#[case::cwd_019("./w", "./w")]
fn ext_010_words_under_an_unknown_base(#[case] word: &str, #[case] value: &str) {
    let path = posix(&[("/w/p/ln", "-> /vault")]).resolve_word(word, &Base::Unknown).unwrap();
    assert_eq!(spellings(&path), (vec![value], vec![]));
    assert_eq!((path.canonical.as_str(), path.outside, path.unknown_place), ("", true, true));
}

#[rstest]
#[case::cwd_019("/w/p/q", &["/w/p/q", "q"])]
#[case::cwd_019("~/r", &["/home/u/r"])]
fn cwd_019_words_that_need_no_base(#[case] word: &str, #[case] values: &[&str]) {
    let path = posix(&[]).resolve_word(word, &Base::Unknown).unwrap();
    assert_eq!((path.values.iter().map(String::as_str).collect::<Vec<_>>(), path.unknown_place), (values.to_vec(), false));
}

#[test]
fn ext_006_the_packages_boundary_values_are_kept() {
    let path = posix(&[]).resolve_word("src/../b", &Base::Unknown).unwrap();
    assert_eq!(path.assumed, ["/w/p/b", "b"]);
}

#[rstest]
#[case::hard_018("~root/h", &[("/w/p/~root/h", "HARD-018")])]
#[case::hard_018("~+", &[("/w/p/~+", "HARD-018")])]
fn hard_018_other_homes_are_unknown_places(#[case] word: &str, #[case] further: &[(&str, &str)]) {
    let path = posix(&[]).resolve_word(word, &known("/w/p")).unwrap();
    assert_eq!(spellings(&path), (vec![word], further.to_vec()));
    assert!(path.outside && path.unknown_place);
}

#[test]
fn policy_d10_without_a_home_its_forms_are_unknown_places() {
    for home in [None, Some(String::new()), Some("relative".into())] {
        let normalizer = PathNormalizer::new(PathFacts { home, ..posix(&[]).facts });
        assert_eq!(normalizer.home(), None);
        assert!(normalizer.tool_path("~/x").unwrap().unknown_place);
        assert!(normalizer.resolve_word("$HOME/x", &known("/w/p")).unwrap().unknown_place);
    }
}

#[rstest]
#[case::path_024("/", known("/w/p"), known("/"))]
#[case::path_024("~x", known("/w/p"), known("/w/p/~x"))]
#[case::cwd_006("~/p", known("/w/p"), known("/w/p/~/p"))]
#[case::cwd_003("..", known("/w/p"), known("/w"))]
#[case::cwd_007("../..", known("/w/p"), known("/"))]
#[case::cwd_007("/w/p/src", Base::Unknown, known("/w/p/src"))]
#[case::cwd_007("sub", Base::Unknown, Base::Unknown)]
#[case::cwd_020("pkg", known("/w/p"), known("/w/p/pkg"))]
#[case::cwd_020("/srv/a", known("/w/p"), known("/srv/a"))]
#[case::cwd_020("", known("/w/p"), known("/w/p"))]
fn folds_directories(#[case] word: &str, #[case] base: Base, #[case] expected: Base) {
    assert_eq!(posix(&[]).fold_directory(word, &base), expected);
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
#[case::hard_024_quote("'a b'", "/w/p/'a b'")]
#[case::hard_024_variable("$HOME/x", "/w/p/$HOME/x")]
#[case::res_19_at("@src/x", "/w/p/src/x")]
#[case::res_19_home("~/x", "/home/u/x")]
#[case::res_19_space("a\u{a0}b", "/w/p/a b")]
#[case::hard_024_url("file:///w/p/.env", "/w/p/.env")]
#[case::res_19_at_alone("@", "/w/p")]
fn res_19_tool_inputs(#[case] text: &str, #[case] lexical: &str) {
    assert_eq!(posix(&[]).tool_path(text).unwrap().lexical, lexical);
}

#[rstest]
#[case::typed_form_exists(&[("/w/p/é", ""), ("/w/p/e\u{301}", "")], "é", "/w/p/é")]
#[case::only_the_other_exists(&[("/w/p/e\u{301}", "")], "é", "/w/p/e\u{301}")]
#[case::none_exists(&[], "é", "/w/p/é")]
fn res_19_an_existing_other_normal_form(#[case] entries: &[(&str, &str)], #[case] text: &str, #[case] lexical: &str) {
    let path = posix(entries).tool_path(text).unwrap();
    assert_eq!(path.lexical, lexical);
    assert!(lexical == "/w/p/é" || path.further.contains(&("/w/p/é".to_owned(), "HARD-024")));
}

#[test]
fn gates_d19_a_volume_that_keeps_case_adds_nothing() {
    let path = posix(&[("/w/p/.env", "")]).tool_path(".ENV").unwrap();
    assert_eq!(spellings(&path), (vec!["/w/p/.ENV", ".ENV"], vec![]));
}

#[test]
fn gates_d19_a_volume_that_folds_case_adds_the_other_spellings() {
    let files = MemoryFiles { folds_case: true, ..MemoryFiles::new(&[("/w/p/Secrets/.env", "")]) };
    let path = posix_at("/w/p", files).tool_path("sEcrets/.ENV").unwrap();
    let texts: Vec<&str> = path.further.iter().map(|(text, _)| text.as_str()).collect();
    for expected in ["secrets/.env", "SECRETS/.ENV", "Secrets/.env", "/w/p/Secrets/.env"] {
        assert!(texts.contains(&expected), "{expected} in {texts:?}");
    }
    assert!(path.further.iter().all(|(_, by)| *by == "GATES-D19"));
}

#[test]
fn gates_d19_two_normal_forms_of_one_file() {
    let path = posix(&[("/w/p/é", ""), ("/w/p/e\u{301}", "")]).tool_path("é").unwrap();
    let further = vec![("e\u{301}", "GATES-D19"), ("/w/p/e\u{301}", "GATES-D19")];
    assert_eq!(spellings(&path), (vec!["/w/p/é", "é"], further));
}

fn operands(normalizer: &PathNormalizer, tool: &str, input: &Value) -> Vec<ToolOperand> {
    let raw = crate::access::tool_path(tool, input, &crate::access::ExtractorRegistry::new()).unwrap();
    normalizer.tool_operands(tool, raw.as_ref(), input)
}

#[rstest]
#[case::hard_058("ls", "secrets", true)]
#[case::hard_058("grep", "secrets", true)]
#[case::hard_058("find", "nowhere", true)]
#[case::hard_058_a_file("grep", "a.txt", false)]
#[case::hard_058_other_tools("read", "secrets", false)]
fn res_22_folder_aliases(#[case] tool: &str, #[case] path: &str, #[case] expected: bool) {
    let normalizer = posix(&[("/w/p/secrets/x", ""), ("/w/p/a.txt", "")]);
    let found = operands(&normalizer, tool, &json!({ "path": path }));
    let has_alias = found[0].path.further.contains(&(format!("{path}/"), "HARD-058"));
    assert_eq!((found.len(), has_alias), (1, expected));
}

#[test]
fn hard_058_operands_of_a_search() {
    let normalizer = posix(&[]);
    let found = operands(&normalizer, "grep", &json!({"pattern": "x", "path": "src", "glob": ".env"}));
    let texts: Vec<(&str, bool, Option<&str>)> =
        found.iter().map(|operand| (operand.path.lexical.as_str(), operand.is_search, operand.introduced_by)).collect();
    assert_eq!(texts, [("/w/p/src", false, None), ("/w/p/src/.env", true, Some("HARD-058"))]);
    assert_eq!(found[1].path.typed, ".env");

    let found = operands(&normalizer, "find", &json!({"pattern": "/etc/*"}));
    assert_eq!((found.len(), found[0].path.lexical.as_str(), found[0].path.outside), (1, "/etc/*", true));
}

#[test]
fn res_19_file_path_is_an_operand() {
    let found = operands(&posix(&[]), "read", &json!({"file_path": "/etc/x"}));
    assert_eq!((found[0].path.lexical.as_str(), found[0].introduced_by), ("/etc/x", Some("HARD-024")));
}

#[rstest]
#[case::hard_056(".pi/extensions/pi-permission-system/config.json", Some(ProtectedReason::PolicyFile))]
#[case::hard_056_git(".git/hooks/pre-commit", Some(ProtectedReason::GitHook))]
#[case::hard_056_link("lnk", Some(ProtectedReason::AgentFile))]
#[case::hard_056_into_a_link("real/config.json", Some(ProtectedReason::PolicyFile))]
#[case::res_24_folder(".pi", Some(ProtectedReason::ParentFolder))]
#[case::res_24_other("src/a", None)]
fn protected_paths(#[case] text: &str, #[case] reason: Option<ProtectedReason>) {
    let normalizer = posix(&[
        ("/home/u/.pi/agent/agents/a.md", ""),
        ("/w/p/lnk", "-> /home/u/.pi/agent/agents/a.md"),
        ("/w/p/real", "dir"),
        ("/w/p/.pi/extensions/pi-permission-system", "-> ../../real"),
    ]);
    assert_eq!(normalizer.tool_path(text).unwrap().protected, reason);
    assert_eq!(normalizer.resolve_word(text, &Base::Unknown).unwrap().protected, reason, "as if in the session directory");
}

fn is_infra(tool: &str, path: &str, configured: &[&str]) -> bool {
    let normalizer = posix_at("/w", MemoryFiles::default());
    let entries = InfrastructureEntries {
        package_roots: vec!["/usr/lib/node_modules".into()],
        configured: configured.iter().map(|entry| (*entry).to_owned()).collect(),
    };
    normalizer.is_infrastructure_read(tool, &normalizer.tool_path(path).unwrap(), &entries)
}

#[rstest]
#[case::path_014("read", "/opt/x/y", &["/opt/x"], true)]
#[case::path_014("ls", "/opt/x/y", &["/opt/x"], true)]
#[case::path_014("write", "/opt/x/y", &["/opt/x"], false)]
#[case::path_014("edit", "/opt/x/y", &["/opt/x"], false)]
#[case::path_014("bash", "/opt/x/y", &["/opt/x"], false)]
#[case::path_014("Read", "/opt/x/y", &["/opt/x"], false)]
#[case::path_014("read", "/opt/xy", &["/opt/x"], false)]
#[case::path_014("read", "/opt/x", &["/opt/x/"], false)]
#[case::path_014("read", "/home/u/d", &["~/d"], true)]
#[case::path_014("read", "/home/u/d/x", &["$HOME/d"], true)]
#[case::path_014("read", "/home/u/d/x", &["~/d/*"], true)]
#[case::path_014("read", "/a/b/c", &["/a/*"], true)]
#[case::path_014("read", "/a", &["/a/*"], false)]
#[case::path_014("read", "/a/bXc", &["/a/b?c"], true)]
#[case::path_014("read", "/a/b/c", &["/a/b?c"], true)]
#[case::path_014("read", "/a/bXc/d", &["/a/b?c"], false)]
#[case::path_014("read", "/any/thing", &["*"], true)]
#[case::path_014("read", "/any", &[""], false)]
#[case::path_014("read", "/w/.pi/git", &[], true)]
#[case::path_014("read", "/w/.pi/x", &[], false)]
#[case::cfg_026("ls", "/w/.pi/npm/x", &[], true)]
#[case::cfg_026("grep", "/opt/a/b/pkg/c", &["/opt/**/pkg/**"], true)]
#[case::cfg_026("read", "/home/u/k/x", &["~/k"], true)]
#[case::cfg_026("read", "/w/a", &["."], false)]
#[case::cfg_026_package_root("read", "/usr/lib/node_modules/pkg/README.md", &[], true)]
#[case::hard_025("read", "/home/u/.pi/agent/skills/a.md", &[], true)]
#[case::hard_025("read", "/home/u/.pi/agent/auth.json", &[], false)]
#[case::res_21_folder("find", "/home/u/.pi/agent/agents", &[], true)]
#[case::res_21_file("read", "/home/u/.pi/agent/settings.json", &[], true)]
#[case::res_21_file("read", "/home/u/.pi/agent/AGENTS.md", &[], true)]
#[case::res_21_git("read", "/home/u/.pi/agent/git/x", &[], true)]
#[case::res_21_other("read", "/home/u/.pi/agent/models.json", &[], false)]
#[case::res_21_root("ls", "/home/u/.pi/agent", &[], false)]
#[case::res_21_never("read", "/home/u/.pi/agent/auth.json", &["~/.pi", "*"], false)]
#[case::res_21_never("read", "/home/u/.pi/agent/sessions/s.jsonl", &["/"], false)]
#[case::res_21_logs("read", "/home/u/.pi/agent/extensions/pi-permission-system/logs/x.jsonl", &["/"], false)]
#[case::res_21_beside_logs("read", "/home/u/.pi/agent/extensions/pi-permission-system/README.md", &[], true)]
#[case::res_21_walks("grep", "/home/u/.pi", &["~/.pi"], false)]
#[case::res_21_lists("ls", "/home/u/.pi", &["~/.pi"], true)]
#[case::res_21_walks("find", "/home/u/.pi/agent/extensions", &[], false)]
fn infrastructure(#[case] tool: &str, #[case] path: &str, #[case] configured: &[&str], #[case] expected: bool) {
    assert_eq!(is_infra(tool, path, configured), expected);
}

#[test]
fn path_014_links_lead_out_of_the_exemption() {
    let normalizer = posix(&[("/etc/x", ""), ("/opt/x/lnk", "-> /etc/x"), ("/opt/alias", "-> /opt/real"), ("/opt/real/a", "")]);
    let entries = InfrastructureEntries { configured: vec!["/opt/x".into(), "/opt/alias".into()], ..Default::default() };
    let exempt = |path| normalizer.is_infrastructure_read("read", &normalizer.tool_path(path).unwrap(), &entries);
    assert!(!exempt("/opt/x/lnk"));
    assert!(!exempt("/opt/alias/a"), "an entry that is itself a link does not match its target");
    assert!(exempt("/opt/x/plain"));
}

#[rstest]
#[case::path_015("read", "/home/u/.pi/agent/auth.json", true)]
#[case::path_015("read", "/home/u/.pi/agent/sessions/x", true)]
#[case::path_015("write", "/home/u/.pi/agent/auth.json", false)]
#[case::path_015("read", "/home/u/.pi/x", false)]
fn the_packages_exemption(#[case] tool: &str, #[case] path: &str, #[case] expected: bool) {
    let normalizer = posix(&[]);
    let path = normalizer.tool_path(path).unwrap();
    let entries = InfrastructureEntries::default();
    assert_eq!(normalizer.is_baseline_infrastructure_read(tool, &path, &entries), expected);
}

#[test]
fn a_long_path_costs_linear_time() {
    let normalizer = posix(&[("/w/p/d", "dir"), ("/w/p/lnk", "-> d")]);
    let path = normalizer.tool_path(&"lnk/../".repeat(20_000)).unwrap();
    assert_eq!(path.lexical, "/w/p");
    let path = normalizer.tool_path(&"a/".repeat(100_000)).unwrap();
    assert!(!path.outside);
}

/// Entries of a small tree: links to places inside and outside, dangling ones, loops.
fn tree() -> impl Strategy<Value = Vec<(String, String)>> {
    let place = prop_oneof![Just("/w/p/"), Just("/o/"), Just("/")];
    let target =
        prop_oneof![Just("dir"), Just(""), Just("-> a"), Just("-> ../b"), Just("-> /o/c"), Just("-> /w/p/a"), Just("-> d/../e")];
    proptest::collection::vec((place, "[a-e]", target), 0..8)
        .prop_map(|entries| entries.into_iter().map(|(at, name, to)| (format!("{at}{name}"), to.to_owned())).collect())
}

fn tree_normalizer(entries: &[(String, String)]) -> PathNormalizer {
    let entries: Vec<(&str, &str)> = entries.iter().map(|(path, to)| (path.as_str(), to.as_str())).collect();
    posix(&entries)
}

proptest! {
    /// Invariant 7 of docs/spec/gates.md.
    #[test]
    fn values_are_distinct_and_hold_the_lexical_first_and_the_canonical(
        entries in tree(),
        text in "(/|\\.\\./|~/)?([a-e]|\\.\\.|\\.)(/([a-e]|\\.\\.|\\.)){0,4}/?",
    ) {
        let normalizer = tree_normalizer(&entries);
        let path = normalizer.tool_path(&text).unwrap();
        prop_assert_eq!(path.values.first(), Some(&path.lexical));
        prop_assert!(path.values.contains(&path.canonical));
        let mut all: Vec<&String> = path.values.iter().chain(path.further.iter().map(|(text, _)| text)).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        prop_assert_eq!(all.len(), count);
        prop_assert!(all.iter().all(|text| !text.is_empty()));
    }

    /// Invariant 7 of docs/spec/gates.md: the canonical value leads to itself, loops apart, whose text is all there is.
    #[test]
    fn canonical_values_are_idempotent(entries in tree(), text in "([a-e]|\\.\\.)(/([a-e]|\\.\\.)){0,4}") {
        let normalizer = tree_normalizer(&entries);
        let once = normalizer.canonical(&text);
        let reality = normalizer.place("/", &once, |place| normalizer.links().look(place)).unwrap();
        prop_assert_eq!(reality.canonical, once);
    }

    /// Invariant 8 of docs/spec/gates.md.
    #[test]
    fn outside_paths_are_not_within(entries in tree(), text in "(/|\\.\\./)?([a-e]|\\.\\.)(/([a-e]|\\.\\.)){0,4}") {
        let normalizer = tree_normalizer(&entries);
        let path = normalizer.tool_path(&text).unwrap();
        if !path.outside {
            prop_assert!(normalizer.within(&path.canonical, normalizer.canonical_cwd()));
        }
        let package = path.further.iter().all(|(_, by)| *by == "POLICY-D08");
        if path.outside && package {
            prop_assert!(!normalizer.within(&path.canonical, normalizer.canonical_cwd()));
        }
    }

    #[test]
    fn no_text_disturbs_the_normaliser(text in "\\PC{0,40}", base in "\\PC{0,10}", on_windows in any::<bool>()) {
        let normalizer = if on_windows { windows("C:\\w", &[]) } else { posix(&[]) };
        let _ = normalizer.tool_path(&text);
        for base in [Base::Unknown, known(&base), known(normalizer.cwd())] {
            let _ = normalizer.resolve_word(&text, &base);
            let _ = normalizer.fold_directory(&text, &base);
        }
        let _ = normalizer.search_operand(normalizer.tool_path(&base).as_ref(), &text);
    }
}
