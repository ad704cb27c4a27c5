//! Tool inputs, operands of searches, folded volumes.

use pretty_assertions::assert_eq;

use super::*;

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

#[rstest]
#[case::hard_058("secrets", &["/w/p/secrets/", "secrets/"])]
#[case::hard_058_absent("nowhere", &["/w/p/nowhere/", "nowhere/"])]
#[case::hard_058_a_file("a.txt", &[])]
#[case::hard_058_root("/", &[])]
#[case::hard_058_a_link("lnk", &["/w/p/lnk/", "lnk/", "/w/p/secrets/", "secrets/"])]
fn res_22_folder_aliases(#[case] text: &str, #[case] expected: &[&str]) {
    let normalizer = posix(&[("/w/p/secrets/x", ""), ("/w/p/a.txt", ""), ("/w/p/lnk", "-> secrets")]);
    let path = normalizer.with_folder_alias(normalizer.tool_path(text).unwrap());
    let added: Vec<&str> = path.further.iter().filter(|(_, by)| *by == "HARD-058").map(|(text, _)| text.as_str()).collect();
    assert_eq!(added, expected);
}

#[rstest]
#[case::hard_058(Some("src"), ".env", "/w/p/src/.env", false)]
#[case::hard_058(None, ".env", "/w/p/.env", false)]
#[case::hard_058(None, "/etc/*", "/etc/*", true)]
#[case::hard_058(Some("/etc"), "*.conf", "/etc/*.conf", true)]
#[case::hard_058(None, "../**/x", "/w/**/x", true)]
#[case::res_19_not_decoded(None, "~/x", "/w/p/~/x", false)]
fn search_operands_join_their_path(#[case] path: Option<&str>, #[case] raw: &str, #[case] lexical: &str, #[case] outside: bool) {
    let normalizer = posix(&[]);
    let base = path.and_then(|path| normalizer.tool_path(path));
    let operand = normalizer.search_operand(base.as_ref(), raw).unwrap();
    assert_eq!((operand.typed.as_str(), operand.lexical.as_str(), operand.outside), (raw, lexical, outside));
}

#[test]
fn a_search_below_an_unknown_place_is_one() {
    let normalizer = PathNormalizer::new(PathFacts { home: None, ..posix(&[]).facts });
    let base = normalizer.tool_path("~/d");
    assert!(normalizer.search_operand(base.as_ref(), "x").unwrap().unknown_place);
}
