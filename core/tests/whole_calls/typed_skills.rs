//! HAND-013 to HAND-015, PIPE-011 to PIPE-014, GATES-D14: what the user types.

use std::sync::Arc;

use portcullis_core::handlers::InputAnswer::{Continue, Handled};
use portcullis_core::host::NoticeLevel;
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, Happening, HostSetup, RecordingBus, ScriptedAnswer, fake_host};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::collaborators::{Panics, counts, members, seat_a_panicking_person};

fn skills() -> HostSetup {
    fake_host().policy(json!({ "skill": { "*": "allow", "bad": "deny", "good": "ask" } })).setting("debugLog", json!(true))
}

#[test]
fn hand_013_a_text_without_a_skill_leaves_nothing() {
    let host = skills().answers([APPROVE]).start();
    host.forget();
    for text in ["hello", "/skill:", "/skill: foo", "/Skill:foo", "run /skill:foo", ""] {
        assert_eq!(host.input(text), Continue, "{text}");
    }
    assert_eq!(host.happened(), Vec::<String>::new());
    assert_eq!(counts(&host), (0, 0, 0, 0), "5.3, 2: no count");
}

#[test]
fn pipe_011_pipe_013_a_denied_skill_warns_and_ends() {
    let host = skills().agent("A").answers([]).start();
    host.forget();
    assert_eq!(host.input("  /skill:bad now"), Handled);
    assert_eq!(
        host.happened(),
        ["notice ", "R blocked policy_denied", "E skill bad deny policy_deny", "D permission.decision"].map(str::trim_end)
    );
    let notice = Happening::Notice { level: NoticeLevel::Warning, text: "Skill 'bad' is not permitted for agent 'A'.".into() };
    assert_eq!(host.journal.all()[0], notice);
    assert_eq!(counts(&host), (1, 0, 1, 0));
}

#[test]
fn pipe_013_without_an_agent_and_without_a_person() {
    let host = skills().start();
    host.forget();
    assert_eq!(host.input("/skill:bad"), Handled);
    assert_eq!(host.happened(), ["R blocked policy_denied", "E skill bad deny policy_deny", "D permission.decision"]);
    host.set_ui(Some(vec![]));
    host.forget();
    host.input("/skill:bad");
    assert_eq!(host.journal.notices(), ["Skill 'bad' is not permitted by the current skill policy."]);
}

#[test]
fn pipe_014_a_yes_for_the_session_stores_nothing_and_asks_again() {
    let host = skills().answers([APPROVE_FOR_SESSION, APPROVE]).start();
    host.forget();
    let expected = |resolution: &str| {
        vec![
            "R waiting".to_owned(),
            "P skill good".to_owned(),
            "dialog".to_owned(),
            format!("R approved {resolution}"),
            "E skill good allow user_approved".to_owned(),
            "D permission.decision".to_owned(),
        ]
    };
    assert_eq!(host.input("/skill:good"), Continue);
    assert_eq!(host.happened(), expected("approved_for_session"));
    assert_eq!(host.granted(), Vec::<String>::new());
    let id = host.decisions()[0]["requestId"].as_str().unwrap().to_owned();
    assert!(id.starts_with("skill-input-"), "PIPE-012: {id}");
    host.forget();
    assert_eq!(host.input("/skill:good"), Continue);
    assert_eq!(host.happened(), expected("approved"));
}

#[test]
fn rule_025_a_grant_on_skills_says_nothing_about_typed_ones() {
    let host = skills().answers([]).start();
    host.system.record_session_rule("skill", "*");
    assert_eq!(host.input("/skill:good"), Handled, "it is asked all the same, and dismissed");
    assert_eq!(host.prompts().len(), 1);
}

/// GATES-D14: the text that the package raises on ends here, with the records of an error.
#[rstest]
#[case(json!(5))]
#[case(json!(null))]
#[case(json!(["/skill:good"]))]
fn hand_015_gates_d14_a_text_that_is_none(#[case] text: Value) {
    let host = skills().start();
    host.forget();
    assert_eq!(host.input_value(&text), Handled);
    assert_eq!(host.happened(), ["R blocked gate_error", "E skill skill deny gate_error", "D permission.decision"]);
    assert_eq!(members(&host.decisions()[0], &["gate", "origin", "agentName", "decidedBy"])["gate"], json!("boundary"));
    assert_eq!(counts(&host), (1, 0, 0, 1));
}

#[rstest]
#[case(json!(null))]
#[case(json!({}))]
#[case(json!("/skill:good"))]
fn hand_015_gates_d14_an_event_of_another_shape(#[case] event: Value) {
    let host = skills().start();
    host.forget();
    let context = Arc::clone(&host.context) as _;
    assert_eq!(host.system.handle_input(&event, Some(&context)), Handled);
    assert_eq!(host.happened(), ["R blocked gate_error", "E skill skill deny gate_error", "D permission.decision"]);
}

#[test]
fn gates_d14_failures_of_the_host_handle_the_text() {
    let text = json!("/skill:good");
    type Break = fn(&portcullis_test_fixtures::StartedHost);
    let breaks: [(&str, Break); 5] = [
        ("registry", |host| host.tools.fail("registry")),
        ("entries", |host| host.context.fail_entries("entries")),
        ("cwd", |host| host.context.fail_cwd("cwd")),
        ("dialog", |host| host.set_ui(Some(vec![ScriptedAnswer::Fail("dialog".into())]))),
        ("panic", |host| seat_a_panicking_person(host, "panic")),
    ];
    for (word, breaks) in breaks {
        let host = skills().answers([APPROVE]).start();
        breaks(&host);
        host.forget();
        assert_eq!(host.input_value(&text), Handled, "{word}");
        let last: Vec<String> = host.happened().into_iter().rev().take(3).collect();
        assert_eq!(last, ["D permission.decision", "E skill skill deny gate_error", "R blocked gate_error"], "{word}");
        let blocked = host.review_log().into_iter().find(|line| line["event"] == "permission_request.blocked").unwrap();
        assert!(blocked["error"].as_str().unwrap().contains(word), "{blocked}");
        assert_eq!(counts(&host), (1, 0, 0, 1), "{word}");
    }
}

#[test]
fn gates_d14_a_log_that_panics_does_not_reach_the_host() {
    let host = skills()
        .with(|builder| builder.change_host(|_, host| host.log = Some(Arc::new(Panics("log")))))
        .without_session_start()
        .start();
    assert_eq!(host.input("/skill:bad"), Handled);
    assert_eq!(host.input("/skill:fine"), Handled, "an allow that cannot be written down is none");
    assert_eq!(counts(&host), (2, 0, 0, 2));
}

#[test]
fn auth_014_a_bus_that_fails_changes_nothing_for_a_typed_skill() {
    let host = skills()
        .with(|builder| builder.change_host(|journal, host| host.bus = Arc::new(RecordingBus::failing(journal, "bus"))))
        .start();
    assert_eq!(host.input("/skill:fine"), Continue);
}
