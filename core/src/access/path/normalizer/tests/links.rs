//! Where links lead (PATH-006, GATES-D07, GATES-D08, BASH-D18).

use pretty_assertions::assert_eq;

use super::*;

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

#[test]
fn a_long_path_costs_linear_time() {
    let normalizer = posix(&[("/w/p/d", "dir"), ("/w/p/lnk", "-> d")]);
    let path = normalizer.tool_path(&"lnk/../".repeat(20_000)).unwrap();
    assert_eq!(path.lexical, "/w/p");
    let path = normalizer.tool_path(&"a/".repeat(100_000)).unwrap();
    assert!(!path.outside);
}
