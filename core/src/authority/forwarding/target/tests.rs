use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::authority::forwarding::test_doubles::Variables;

const ROUTER: &str = "PI_AGENT_ROUTER_PARENT_SESSION_ID";
const PARENT: &str = "PI_SUBAGENT_PARENT_SESSION";

/// `entry`: the registry's entry of child `c`, with its parent.
#[rstest]
#[case::registry_first(Some(Some("rp")), &[(PARENT, "p")], Some("rp"))]
#[case::entry_without_parent(Some(None), &[(PARENT, "p")], Some("p"))]
#[case::registered_unknown(Some(Some("unknown")), &[(PARENT, "p")], Some("p"))]
#[case::registered_blank(Some(Some(" ")), &[(PARENT, "p")], Some("p"))]
#[case::router_unknown(None, &[(ROUTER, "unknown"), (PARENT, " p ")], Some("p"))]
#[case::router_first(None, &[(ROUTER, "r"), (PARENT, "p")], Some("r"))]
#[case::none(None, &[], None)]
#[case::own_parent(Some(Some("c")), &[], Some("c"))]
#[case::hints_are_no_targets(None, &[("PI_SUBAGENT_SESSION", "p"), ("PI_IS_SUBAGENT", "1")], None)]
fn sub_010_target_of_a_child(
    #[case] entry: Option<Option<&str>>,
    #[case] variables: &[(&str, &str)],
    #[case] expected: Option<&str>,
) {
    let registry = SubagentRegistry::default();
    if let Some(parent) = entry {
        registry.register("c", parent);
    }
    let environment = Variables::of(variables);
    let target = resolve_target(SessionRole::Child, Some("c"), &registry, &environment);
    assert_eq!(target.as_deref(), expected);
}

#[rstest]
#[case::own_id(SessionRole::WithUser, Some(" s "), Some("s"))]
#[case::unknown(SessionRole::WithUser, Some("unknown"), None)]
#[case::nobodys_child(SessionRole::Alone, Some("s"), None)]
fn sub_010_target_of_others(#[case] role: SessionRole, #[case] id: Option<&str>, #[case] expected: Option<&str>) {
    let environment = Variables::of(&[(PARENT, "p"), (ROUTER, "r")]);
    assert_eq!(resolve_target(role, id, &SubagentRegistry::default(), &environment).as_deref(), expected);
}

#[test]
fn sub_010_the_entry_is_looked_up_by_the_trimmed_id() {
    let registry = SubagentRegistry::default();
    registry.register(" pad ", Some("P"));
    let target = |id| resolve_target(SessionRole::Child, Some(id), &registry, &Variables::default());
    assert_eq!(target(" pad "), None);
    registry.register("pad", Some("P"));
    assert_eq!(target(" pad ").as_deref(), Some("P"));
}

#[rstest]
#[case(Some(" c "), "c")]
#[case(Some("  "), "unknown")]
#[case(Some(""), "unknown")]
#[case(None, "unknown")]
fn sub_014_the_session_id_in_messages(#[case] id: Option<&str>, #[case] expected: &str) {
    let identity = ChildIdentity {
        session_id: id.map(str::to_owned),
        registry: Arc::default(),
        environment: Arc::new(Variables::default()),
    };
    assert_eq!(identity.requester_session_id(), expected);
}
