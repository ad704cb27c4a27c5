use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::own_policy::{JudgeOptions, PolicySource};

/// Both as whole files.
fn diff_of(old: &str, new: &str) -> Result<PolicyDiff, String> {
    let folder = tempfile::tempdir().unwrap();
    let judge = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text.replace("${CWD}", "/srv/app")).unwrap();
        Judge::new(JudgeOptions::new(PolicySource::global(file), "/srv/app", "/home/user"))
    };
    policy_diff(&judge("old.json", old), &judge("new.json", new))
}

/// Surface, kind and witness of each change.
fn changes(old: &str, new: &str) -> Vec<String> {
    let wrap = |permission: &str| format!("{{\"permission\": {permission}}}");
    let diff = diff_of(&wrap(old), &wrap(new)).unwrap();
    let of = |surface: &SurfaceDiff| {
        let name = surface.surface.clone();
        let shown = move |change: &Change| {
            let mark = if change.call.is_some() { "" } else { " (unusual)" };
            format!("{name}: {} {} {}{mark}", change.from, change.to, change.values.last().unwrap())
        };
        surface.changes.iter().map(shown).collect::<Vec<_>>()
    };
    diff.surfaces.iter().flat_map(of).collect()
}

#[rstest]
#[case::same(r#"{"bash":{"*":"ask","git *":"allow"}}"#, r#"{"bash":{"*":"ask","git *":"allow"}}"#, &[])]
#[case::written_otherwise(r#"{"bash":{"git *":"allow"}}"#, r#"{"bash":{"git":"allow","git *":"allow"}}"#, &[])]
#[case::order_of_strangers(r#"{"bash":{"a *":"allow","b *":"deny"}}"#, r#"{"bash":{"b *":"deny","a *":"allow"}}"#, &[])]
#[case::narrower(r#"{"bash":{"git *":"allow"}}"#, r#"{"bash":{"git status":"allow"}}"#, &["bash: allow ask git"])]
#[case::deny_lost(
    r#"{"bash":{"*":"allow","rm *":"deny"}}"#,
    r#"{"bash":{"rm *":"deny","*":"allow"}}"#,
    &["bash: deny allow rm"]
)]
#[case::several_kinds(
    r#"{"bash":{"a":"allow","b":"deny","c":"ask"}}"#,
    r#"{"bash":{"a":"deny","b":"ask","c":"allow"}}"#,
    &["bash: ask allow c", "bash: deny ask b", "bash: allow deny a"]
)]
#[case::inside_by_absolute_rule(
    r#"{"read":{"src/*":"allow"}}"#,
    r#"{"read":{"src/*":"allow","${CWD}/src/k*":"deny"}}"#,
    &["read: allow deny src/k"]
)]
#[case::path_order_of_one_place_in_two_spellings(
    r#"{"read":{"src/*":"allow","${CWD}/*":"deny"}}"#,
    r#"{"read":{"${CWD}/*":"deny","src/*":"allow"}}"#,
    &["read: deny allow src/x"]
)]
#[case::default_is_silent_on_path(r#"{"*":"ask","path":{"x":"deny"}}"#, r#"{"*":"ask"}"#, &["path_read: deny allow x", "path_write: deny allow x"])]
#[case::hard_035_member(r#"{"path":{"x":"deny"}}"#, r#"{"path_write":{"x":"deny"}}"#, &["path_read: deny allow x"])]
#[case::boundary(
    r#"{"external_directory":{"*":"ask","/opt/*":"allow"}}"#,
    r#"{"external_directory":{"*":"ask","/opt/a":"allow"}}"#,
    &["external_directory_read: allow ask /opt/x", "external_directory_write: allow ask /opt/x"]
)]
#[case::tool_is_asked_by_star(r#"{"deploy":{"*":"ask","x":"allow"}}"#, r#"{"deploy":{"*":"ask"}}"#, &["deploy: allow ask x (unusual)"])]
#[case::other_tools(r#"{"deploy_*":"deny"}"#, r#"{"deploy_*":"deny","deploy_test":"ask"}"#, &["deploy_test: deny ask *"])]
#[case::names_of_a_pattern(r#"{"deploy_*":"deny"}"#, r#"{"dep*":"deny"}"#, &["dep: ask deny *"])]
#[case::odd_value(r#"{"bash":{"a|b":"deny"}}"#, r#"{"bash":"ask"}"#, &["bash: deny ask a|b (unusual)"])]
#[case::unexpandable(r#"{"path":{"~/k":"deny"}}"#, r#"{"path":{"/home/user/k":"deny"}}"#, &[])]
fn changes_have_shortest_witnesses(#[case] old: &str, #[case] new: &str, #[case] expected: &[&str]) {
    assert_eq!(changes(old, new), expected);
}

#[test]
fn the_default_reaches_every_surface_but_path() {
    let found = changes(r#"{"*":"ask"}"#, r#"{"*":"deny"}"#);
    assert_eq!(found.len(), 12, "{found:?}");
    assert_eq!(found.iter().filter(|line| line.starts_with("path")).count(), 0);
    assert!(found.contains(&"bash: ask deny x".to_owned()));
    assert!(found.contains(&"x: ask deny *".to_owned()), "any other name");
}

#[test]
fn each_side_names_its_rule_and_its_place() {
    let diff = diff_of(
        "{\"permission\": {\"bash\": {\n\"git *\": \"allow\"}}}",
        "{\"permission\": {\"bash\": {\n\n\"git *\": \"allow\",\n\"git push *\": \"ask\"}}}",
    )
    .unwrap();
    let change = &diff.surfaces[0].changes[0];
    let line = |rule: &Rule| rule.location.as_ref().map(|place| place.line);
    assert_eq!((&*change.old.pattern, line(&change.old)), ("git *", Some(2)));
    assert_eq!((&*change.new.pattern, line(&change.new)), ("git push *", Some(4)));
    assert_eq!(change.whole, Some([Verdict::Allow, Verdict::Ask]));
    assert_eq!(change.call, Some(["bash".into(), "git push".into()]));
}

#[test]
fn the_permissive_mode_loosens() {
    let diff = diff_of(r#"{"permission":{"bash":"ask"}}"#, r#"{"yoloMode":true,"permission":{"bash":"ask"}}"#).unwrap();
    assert_eq!(diff.settings, [SettingChange { setting: "yoloMode", old: "false".into(), new: "true".into() }]);
    assert!(diff.loosens());
    assert_eq!(diff.surfaces[0].changes[0].to, PermissionState::Allow);
}

#[test]
fn a_broken_policy_is_not_compared() {
    let error = diff_of(r#"{"permission":{"bash":"ask"}}"#, r#"{"permission":{"bash":"aks"}}"#).unwrap_err();
    assert!(error.starts_with("the new policy is broken"), "{error}");
}

#[test]
fn names_of_one_mcp_call_are_told_to_be_several() {
    let old = r#"{"permission":{"mcp":{"exa":"deny","exa_search":"allow"}}}"#;
    let new = r#"{"permission":{"mcp":{"exa_search":"allow","exa":"deny"}}}"#;
    let diff = diff_of(old, new).unwrap();
    let mcp = diff.surfaces.iter().find(|surface| surface.surface == "mcp").unwrap();
    assert_eq!((mcp.changes.len(), mcp.several_names), (0, true));
    assert!(diff.loosens(), "what is not known does not pass");
}

/// Of rules that decide nothing: they make words of commands paths, or may speak of words below an unknown directory.
#[rstest]
#[case::rule_023_later_rule_covers(
    r#"{"*":"allow","path":{"id_rsa":"deny","*":"deny"}}"#,
    r#"{"*":"allow","path":{"*":"deny"}}"#,
    &["Loosened cat id_rsa: deny allow"]
)]
#[case::rule_023_member(
    r#"{"*":"allow","path_write":{"*":"ask"}}"#,
    r#"{"*":"allow","path_write":{"key*":"ask","*":"ask"}}"#,
    &["Tightened cat key: allow ask"]
)]
#[case::rule_023_stars(
    r#"{"*":"allow","path":{"**":"deny"}}"#,
    r#"{"*":"allow","path":{"*":"deny"}}"#,
    &["Loosened cat x: deny allow"]
)]
#[case::res_51_later_allow(
    r#"{"*":"allow","path":{"/etc/shadow":"deny","/etc/*":"allow"}}"#,
    r#"{"*":"allow","path":{"/etc/*":"allow"}}"#,
    &["Loosened cd \"$SOMEWHERE\" && cat ./shadow: ask allow"]
)]
#[case::res_51_all_is_restricted(
    r#"{"*":"allow","path":{"/etc/shadow":"deny","*":"deny"}}"#,
    r#"{"*":"allow","path":{"*":"deny"}}"#,
    &[]
)]
#[case::res_51_a_word_is_free(
    r#"{"*":"allow","path":{"*":"deny","./shadow":"allow","/etc/shadow":"deny","/etc/*":"deny"}}"#,
    r#"{"*":"allow","path":{"*":"deny","./shadow":"allow"}}"#,
    &["Loosened cd \"$SOMEWHERE\" && cat ./x: deny deny"]
)]
#[case::shown_by_its_values(r#"{"path":{"id_rsa":"deny"}}"#, r#"{"path":{"*":"allow"}}"#, &[])]
#[case::another_pattern_names_it(r#"{"path":{"id_rsa":"deny","id_*":"deny"}}"#, r#"{"path":{"id_*":"deny"}}"#, &[])]
#[case::no_word(r#"{"path":{"src/x":"deny","*":"deny"}}"#, r#"{"path":{"*":"deny"}}"#, &[])]
fn words_that_only_one_policy_takes_for_paths(#[case] old: &str, #[case] new: &str, #[case] expected: &[&str]) {
    let wrap = |permission: &str| format!("{{\"permission\": {permission}}}");
    let diff = diff_of(&wrap(old), &wrap(new)).unwrap();
    let shown = |word: &WordChange| format!("{:?} {}: {} {}", word.way, word.call[1], word.whole[0], word.whole[1]);
    assert_eq!(diff.words.iter().map(shown).collect::<Vec<_>>(), expected);
    if expected.iter().any(|line| line.starts_with("Loosened")) {
        assert!(diff.loosens());
    }
    assert!(expected.is_empty() || diff.differs());
}
