use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::authority::forwarding::test_doubles::Variables;
use crate::host::HostError;

fn signs<'a>(registry: &'a SubagentRegistry, environment: &'a Variables, session_id: Option<&'a str>) -> ChildSigns<'a> {
    ChildSigns { registry, environment, agent_dir: "/a", session_id }
}

fn no_folder() -> HostResult<Option<String>> {
    Ok(None)
}

fn failing_folder() -> HostResult<Option<String>> {
    Err(HostError::new("the folder cannot be told"))
}

#[test]
fn sub_001_a_registered_id_wins_without_a_look_at_the_folder() {
    let registry = SubagentRegistry::default();
    registry.register("c", None);
    let environment = Variables::default();
    assert!(is_subagent(signs(&registry, &environment, Some("c")), || panic!("the folder is not asked for")));
}

#[test]
fn sub_001_nothing_matches() {
    let registry = SubagentRegistry::default();
    registry.register("other", None);
    assert!(!is_subagent(signs(&registry, &Variables::default(), Some("c")), no_folder));
}

#[rstest]
#[case::empty_even_when_registered("", Some(""), false)]
#[case::no_reader(" pad ", None, false)]
#[case::raw(" pad ", Some(" pad "), true)]
#[case::never_trimmed(" pad ", Some("pad"), false)]
fn sub_002_registry_membership(#[case] registered: &str, #[case] asked: Option<&str>, #[case] child: bool) {
    let registry = SubagentRegistry::default();
    registry.register(registered, None);
    assert_eq!(is_subagent(signs(&registry, &Variables::default(), asked), no_folder), child);
}

#[rstest]
#[case("PI_IS_SUBAGENT", "0", true)]
#[case("PI_IS_SUBAGENT", "false", true)]
#[case("PI_SUBAGENT_DEPTH", "0", true)]
#[case("PI_IS_SUBAGENT", "  ", false)]
#[case("PI_IS_SUBAGENT", "", false)]
#[case("pi_is_subagent", "1", false)]
#[case("PI_SUBAGENT", "1", false)]
fn sub_003_hints(#[case] name: &str, #[case] value: &str, #[case] child: bool) {
    let environment = Variables::of(&[(name, value)]);
    assert_eq!(is_subagent(signs(&SubagentRegistry::default(), &environment, Some("c")), no_folder), child);
}

#[test]
fn sub_003_every_hint_counts() {
    for name in CHILD_HINTS {
        let environment = Variables::of(&[(name, "x")]);
        assert!(is_subagent(signs(&SubagentRegistry::default(), &environment, None), failing_folder), "{name}");
    }
}

/// RES-59: a process that names a parent is a child; the package wants a hint beside it (SUB-012).
#[rstest]
#[case("PI_SUBAGENT_PARENT_SESSION", "p", true)]
#[case("PI_AGENT_ROUTER_PARENT_SESSION_ID", " p ", true)]
#[case("PI_SUBAGENT_PARENT_SESSION", " unknown ", false)]
#[case("PI_SUBAGENT_PARENT_SESSION", " ", false)]
fn res_59_naming_a_parent(#[case] name: &str, #[case] value: &str, #[case] child: bool) {
    let environment = Variables::of(&[(name, value)]);
    assert_eq!(is_subagent(signs(&SubagentRegistry::default(), &environment, Some("c")), no_folder), child);
}

#[rstest]
#[case::equal("/a/subagent-sessions", true)]
#[case::below("/a/subagent-sessions/k", true)]
#[case::another_name("/a/subagent-sessions-x/k", false)]
#[case::climbs_out("/a/subagent-sessions/../k", false)]
#[case::normalised("/a/z/../subagent-sessions/k", true)]
#[case::equal_when_normalised("/a/z/../subagent-sessions", true)]
#[case::other_case("/a/Subagent-Sessions/k", false)]
#[case::dots_in_a_name("/a/subagent-sessions/..k", true)]
#[case::separator_at_the_end("/a/subagent-sessions/", true)]
#[case::empty("", false)]
#[case::relative("subagent-sessions/k", false)]
fn sub_004_the_folder_of_children(#[case] folder: &str, #[case] child: bool) {
    let registry = SubagentRegistry::default();
    let found = is_subagent(signs(&registry, &Variables::default(), None), || Ok(Some(folder.to_owned())));
    assert_eq!(found, child);
}

#[test]
fn fwd_d14_a_separator_at_the_end_of_the_agent_directory_defeats_nothing() {
    let environment = Variables::default();
    let registry = SubagentRegistry::default();
    let signs = ChildSigns { agent_dir: "/a/", ..signs(&registry, &environment, None) };
    assert!(is_subagent(signs, || Ok(Some("/a/subagent-sessions".to_owned()))));
    assert!(in_children_folder(Platform::Posix, "/a/subagent-sessions", "/a/subagent-sessions/"));
}

#[rstest]
#[case(r"C:\A\SubAgent-Sessions\k", true)]
#[case(r"c:/a/subagent-sessions", true)]
#[case(r"D:\a\subagent-sessions\k", false)]
fn sub_004_windows(#[case] folder: &str, #[case] child: bool) {
    assert_eq!(in_children_folder(Platform::Windows, folder, r"c:\a/subagent-sessions"), child);
}

/// SUB-005 lets the failure through and blocks the call; FWD-D14 rules otherwise.
#[test]
fn fwd_d14_a_folder_that_cannot_be_read_is_unknown() {
    assert!(!is_subagent(signs(&SubagentRegistry::default(), &Variables::default(), Some("c")), failing_folder));
}
