use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::*;

#[test]
fn sub_007_created_and_disposed_and_siblings_stay() {
    let registry = SubagentRegistry::default();
    register_child(&registry, &json!({"sessionId": "a", "parentSessionId": "p"}));
    register_child(&registry, &json!({"sessionId": "b"}));
    assert_eq!((registry.get("a"), registry.get("b")), (Some(Some("p".to_owned())), Some(None)));
    forget_child(&registry, &json!({"sessionId": "a"}));
    forget_child(&registry, &json!({"sessionId": "a"}));
    assert_eq!((registry.get("a"), registry.get("b")), (None, Some(None)));
}

/// The seven malformed payloads; the package registers a child of the name `undefined` for some of them.
#[rstest]
#[case(Value::Null)]
#[case(json!([]))]
#[case(json!("c"))]
#[case(json!({}))]
#[case(json!({"sessionId": null}))]
#[case(json!({"sessionId": ""}))]
#[case(json!({"sessionId": 5}))]
fn sub_008_malformed_payloads_name_nobody(#[case] payload: Value) {
    let registry = SubagentRegistry::default();
    registry.register("c", Some("p"));
    register_child(&registry, &payload);
    forget_child(&registry, &payload);
    let known: Vec<_> = ["", "undefined", "null", "5"].iter().filter_map(|id| registry.get(id)).collect();
    assert_eq!((known, registry.get("c")), (vec![], Some(Some("p".to_owned()))));
}

#[test]
fn sub_008_a_parent_that_is_no_text_is_unknown() {
    let registry = SubagentRegistry::default();
    register_child(&registry, &json!({"sessionId": "c", "parentSessionId": 7}));
    assert_eq!(registry.get("c"), Some(None));
}
