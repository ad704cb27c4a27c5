//! The invariants 1 to 6 and 10 of gates.md, as amended by section 9 of the specification's README, on small random policies
//! and calls.

use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::policy::PermissionState;
use portcullis_core::report::GateOutcomeTrace;
use portcullis_test_fixtures::{
    APPROVE, APPROVE_BOTH_DIRECTIONS, APPROVE_FOR_SESSION, DENY, ScriptedAnswer, StartedHost, fake_host,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn state() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("allow"), Just("ask"), Just("deny")]
}

fn map_of(patterns: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let rules = prop::collection::vec((prop::sample::select(patterns), state()), 0..4);
    rules.prop_map(|rules| {
        rules.into_iter().map(|(pattern, state)| (pattern.to_owned(), json!(state))).collect::<Map<_, _>>().into()
    })
}

/// A surface map whose parts meet the calls of [`call`] often.
fn policy() -> impl Strategy<Value = Value> {
    let bash = map_of(&["*", "git *", "git status", "rm *", "cat *", "echo *", "sudo *"]);
    let path = map_of(&["*", "*.key", "src/*", "/etc/*"]);
    let outside = map_of(&["*", "/etc/*", "/opt/*"]);
    let tool = || map_of(&["*", "*.key", "src/*"]);
    (state(), bash, path, outside, tool(), tool()).prop_map(|(default, bash, path, outside, read, write)| {
        json!({ "*": default, "bash": bash, "path": path, "external_directory": outside, "read": read, "write": write })
    })
}

const COMMANDS: [&str; 14] = [
    "git status",
    "git status && rm x",
    "cat src/a.key",
    "cat /etc/hosts",
    "cat /etc/hosts /opt/b ./c.key",
    "echo hi > out.key",
    "cd /opt && cat b",
    "sudo rm x",
    "echo $(git log; rm y)",
    "(git status; cat ../up)",
    "> f; git status",
    "if true; then rm z; fi",
    "cat 'unclosed",
    "",
];

#[derive(Debug, Clone)]
struct Call {
    tool: &'static str,
    input: Value,
}

fn call() -> impl Strategy<Value = Call> {
    let file = prop_oneof![Just("a"), Just("src/b.ts"), Just("src/c.key"), Just("/etc/hosts"), Just("/opt/x.key"), Just("../up")];
    let by_path = (prop_oneof![Just("read"), Just("write"), Just("grep"), Just("ls")], file)
        .prop_map(|(tool, file)| Call { tool, input: json!({ "path": file }) });
    let by_command =
        prop::sample::select(COMMANDS.as_slice()).prop_map(|text| Call { tool: "bash", input: json!({ "command": text }) });
    let odd = prop_oneof![
        Just(Call { tool: "nosuch", input: json!({}) }),
        Just(Call { tool: "bash", input: json!({}) }),
        Just(Call { tool: "deploy", input: json!({ "a": 1 }) }),
        Just(Call { tool: "read", input: json!({ "path": 5 }) }),
    ];
    prop_oneof![4 => by_path, 4 => by_command, 1 => odd]
}

fn answer() -> impl Strategy<Value = ScriptedAnswer> {
    prop_oneof![
        3 => Just(APPROVE),
        3 => Just(APPROVE_FOR_SESSION),
        1 => Just(APPROVE_BOTH_DIRECTIONS),
        1 => Just(DENY),
        1 => Just(ScriptedAnswer::Dismiss),
        1 => Just(ScriptedAnswer::Fail("ui broke".into())),
    ]
}

fn host(policy: Value, answers: Option<Vec<ScriptedAnswer>>) -> StartedHost {
    let host = fake_host()
        .policy(policy)
        .setting("debugLog", json!(true))
        .setting("shellTools", json!({ "run": { "commandArgument": "command" } }))
        .tools(["read", "write", "grep", "ls", "bash", "run", "deploy"]);
    match answers {
        Some(answers) => host.answers(answers).start(),
        None => host.start(),
    }
}

fn number(texts: &[String], start: &str) -> usize {
    texts.iter().filter(|text| text.starts_with(start)).count()
}

/// 1: one terminal count a call; block if and only if there is a reason.
fn one_count_and_a_reason(host: &StartedHost, before: portcullis_core::report::audit::AuditCounts, answer: &ToolCallAnswer) {
    let after = host.system.audit_counts();
    assert_eq!(after.tool_calls, before.tool_calls + 1);
    let ends = |counts: portcullis_core::report::audit::AuditCounts| counts.allowed + counts.blocked + counts.errors;
    assert_eq!(ends(after), ends(before) + 1);
    match answer {
        ToolCallAnswer::Allow => assert_eq!(after.allowed, before.allowed + 1),
        ToolCallAnswer::Block { reason } => assert!(!reason.trim().is_empty()),
    }
}

/// 2: no outcome is allow when the check of a gate that was consulted is deny, whatever its source.
fn no_allow_beside_a_deny(host: &StartedHost, answer: &ToolCallAnswer) {
    let traces = host.traces();
    let denies = |gate: &portcullis_core::report::GateTrace| {
        matches!(gate.outcome, GateOutcomeTrace::Check { state: PermissionState::Deny, .. })
    };
    let denied = traces[0].gates.iter().any(denies);
    assert!(!denied || *answer != ToolCallAnswer::Allow);
    if denied {
        assert_eq!(host.prompts().len(), 0, "HARD-008: no question beside a deny that was there from the start");
        assert_eq!(traces[0].gates.iter().filter(|gate| gate.ran).count(), 1, "RES-26");
    }
}

/// 3: nothing is emitted or logged for the call after its block, but for D.
fn nothing_after_a_block(texts: &[String]) {
    let last_deny = texts.iter().rposition(|text| text.starts_with("E ") && text.contains(" deny "));
    if let Some(at) = last_deny {
        assert_eq!(texts[at + 1..], ["D permission.decision"], "{texts:#?}");
    }
}

/// 4: each waiting has one closing line, each P a dialog right behind it.
fn brackets_are_closed(texts: &[String]) {
    let mut open = 0_usize;
    for text in texts {
        match text.split(' ').nth(1) {
            Some("waiting") if text.starts_with("R ") => open += 1,
            Some("approved" | "denied") if text.starts_with("R ") => open -= 1,
            _ => {}
        }
        assert!(open <= 1, "{texts:#?}");
    }
    assert_eq!(open, 0, "{texts:#?}");
    for (at, text) in texts.iter().enumerate() {
        if text.starts_with("P ") {
            assert_eq!(texts.get(at + 1).map(String::as_str), Some("dialog"), "{texts:#?}");
        }
    }
}

/// 5: one E for each gate that ran a check, one for an error or an invalid call; allow if and only if the gate let it through.
fn one_event_a_gate(host: &StartedHost, answer: &ToolCallAnswer) {
    let events = host.decisions();
    let trace = &host.traces()[0];
    let of_gates: Vec<Value> =
        trace.gates.iter().filter_map(|gate| gate.decision.as_ref()).map(|event| json!(event.result.as_str())).collect();
    let results: Vec<Value> = events.iter().map(|event| event["result"].clone()).collect();
    let outside = matches!(trace.end.gate.as_str(), "registration" | "shape" | "boundary");
    let expected = if outside { [of_gates.as_slice(), &[json!("deny")]].concat() } else { of_gates };
    assert_eq!(results, expected);
    let checks_that_ran = trace.gates.iter().filter(|gate| gate.ran && matches!(gate.outcome, GateOutcomeTrace::Check { .. }));
    let failed = usize::from(trace.end.gate == "boundary");
    assert_eq!(checks_that_ran.count().saturating_sub(failed), events.len() - usize::from(outside));
    assert_eq!(*answer == ToolCallAnswer::Allow, results.last() != Some(&json!("deny")));
    assert_eq!(results.iter().filter(|result| *result == "deny").count(), usize::from(*answer != ToolCallAnswer::Allow));
}

/// 6: grants grow by an E `user_approved_for_session` and by nothing else.
fn grants_grow_by_a_yes(host: &StartedHost, before: usize) {
    let yes = host.decisions().iter().filter(|event| event["resolution"] == "user_approved_for_session").count();
    let grown = host.session_rules().len() - before;
    assert_eq!(grown > 0, yes > 0, "{:#?}", host.decisions());
    assert!(grown >= yes);
}

/// What tells two calls apart but for the tool's name, ids, and the temp dir that each host has of its own.
fn verdicts(host: &StartedHost) -> Vec<Value> {
    let without_ids = |event: &Value| {
        let mut event = event.clone();
        event.as_object_mut().unwrap().shift_remove("requestId");
        serde_json::from_str(&event.to_string().replace(host.home(), "~")).unwrap()
    };
    host.decisions().iter().map(without_ids).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn gates_invariants_1_to_6(
        policy in policy(),
        calls in prop::collection::vec(call(), 1..5),
        answers in prop::option::of(prop::collection::vec(answer(), 0..8)),
    ) {
        let host = host(policy, answers);
        for Call { tool, input } in calls {
            host.forget();
            let (counts, grants) = (host.system.audit_counts(), host.session_rules().len());
            let answer = host.call(tool, input);
            let texts = host.happened();
            one_count_and_a_reason(&host, counts, &answer);
            no_allow_beside_a_deny(&host, &answer);
            nothing_after_a_block(&texts);
            brackets_are_closed(&texts);
            one_event_a_gate(&host, &answer);
            grants_grow_by_a_yes(&host, grants);
            prop_assert_eq!(number(&texts, "D "), 1);
            if answer != ToolCallAnswer::Allow {
                prop_assert!(number(&texts, "R blocked") + number(&texts, "R denied") >= 1, "{:#?}", texts);
            }
        }
    }

    /// 10, spellings apart: an alias with the same text is the same call.
    #[test]
    fn gates_invariant_10_an_alias_is_the_shell(
        policy in policy(),
        text in prop::sample::select(COMMANDS.as_slice()),
        answers in prop::option::of(prop::collection::vec(answer(), 0..6)),
    ) {
        let native = host(policy.clone(), answers.clone());
        let alias = host(policy, answers);
        native.forget();
        alias.forget();
        let input = json!({ "command": text });
        let one = native.call("bash", input.clone()) == ToolCallAnswer::Allow;
        let other = alias.call("run", input) == ToolCallAnswer::Allow;
        prop_assert_eq!(one, other);
        let end = |host: &StartedHost| host.traces()[0].end.gate.clone();
        if end(&native) != "boundary" {
            prop_assert_eq!(verdicts(&native), verdicts(&alias));
        }
        // Each host has a temp dir of its own.
        let granted = |host: &StartedHost| host.granted().iter().map(|text| text.replace(host.home(), "~")).collect::<Vec<_>>();
        prop_assert_eq!(granted(&native), granted(&alias));
    }

    /// HARD-012: beside a broken file nothing goes ahead that no person approved.
    #[test]
    fn hard_012_nothing_passes_a_broken_file_unasked(policy in policy(), calls in prop::collection::vec(call(), 1..5)) {
        let host = host(policy, None);
        host.set_project_text("{ \"permission\": { \"bash\": \"allow\", \"read\": \"allow\" }");
        for Call { tool, input } in calls {
            prop_assert!(!host.allows(tool, input));
        }
    }

    /// HARD-006, HARD-054: neither grants nor the permissive mode lift a deny, and neither makes anything stricter.
    #[test]
    fn hard_006_hard_054_a_deny_is_final(
        policy in policy(),
        Call { tool, input } in call(),
        grants in prop::collection::vec(
            (
                prop::sample::select(["bash", "read", "write", "path", "external_directory", "path_write"].as_slice()),
                prop::sample::select(["*", "git *", "rm *", "cat *", "/etc/*", "/opt/*", "*.key"].as_slice()),
            ),
            0..5,
        ),
    ) {
        let plain = host(policy.clone(), None);
        plain.forget();
        let allowed = plain.allows(tool, input.clone());
        let end = plain.decisions().last().map(|event| event["resolution"].clone());

        let granted = host(policy.clone(), None);
        for (surface, pattern) in grants {
            granted.system.record_session_rule(surface, pattern);
        }
        let permissive = fake_host()
            .policy(policy)
            .setting("yoloMode", json!(true))
            .tools(["read", "write", "grep", "ls", "bash", "run", "deploy"])
            .start();
        for host in [granted, permissive] {
            let now = host.allows(tool, input.clone());
            prop_assert!(now || !allowed, "what went ahead still does");
            if end == Some(json!("policy_deny")) || end == Some(json!("invalid_call")) {
                prop_assert!(!now, "{:#?}", host.decisions());
            }
        }
    }

    /// RES-11, and the gate remembers nothing that it should not: the same call without grants ends alike twice.
    #[test]
    fn the_same_call_ends_alike(policy in policy(), Call { tool, input } in call()) {
        let host = host(policy, None);
        let mut ends = Vec::new();
        for _ in 0..2 {
            host.forget();
            let allowed = host.allows(tool, input.clone());
            ends.push((allowed, verdicts(&host)));
        }
        prop_assert_eq!(&ends[0], &ends[1]);
    }
}
