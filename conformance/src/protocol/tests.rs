use std::path::PathBuf;

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{Answer, Call, Message, Reply, Request, schema};

fn published(message: Message) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/protocol/{}.schema.json", message.name()))
}

/// The published copies; `PORTCULLIS_UPDATE=1 cargo test -p portcullis protocol` writes them anew.
#[test]
fn the_published_schemas_are_fresh() {
    for message in Message::all() {
        let fresh = format!("{}\n", serde_json::to_string_pretty(&schema(message)).unwrap());
        if std::env::var_os("PORTCULLIS_UPDATE").is_some() {
            std::fs::write(published(message), &fresh).unwrap();
        }
        assert_eq!(std::fs::read_to_string(published(message)).unwrap_or_default(), fresh, "{}", message.name());
    }
}

#[rstest]
#[case::no_json("hello", "is no JSON (expected value at line 1 column 1)")]
#[case::no_object("[1]", "is JSON, but no object")]
#[case::no_id(r#"{"result":{}}"#, "has no `id`")]
#[case::text_id(r#"{"id":"1","result":{}}"#, "has an `id` that is no whole number: \"1\"")]
#[case::nothing(r#"{"id":1}"#, "has none of `result`, `skip` and `error`")]
#[case::two(
    r#"{"id":1,"result":{},"skip":"no"}"#,
    "has `result` and `skip`; beside `id` stands exactly one of `result`, `skip` and `error`"
)]
#[case::other(r#"{"id":1,"observation":{}}"#, "has `observation` where one of `result`, `skip` and `error` belongs")]
#[case::no_reason(r#"{"id":1,"skip":true}"#, "has a `skip` that is no text")]
#[case::empty_reason(r#"{"id":1,"error":" "}"#, "has a `error` that is no text")]
fn a_line_that_is_no_answer_is_described(#[case] line: &str, #[case] fault: &str) {
    assert_eq!(Answer::parse(line), Err(fault.to_owned()));
}

#[rstest]
#[case(r#"{"id":7,"result":{"a":1}}"#, Reply::Result(json!({ "a": 1 })))]
#[case(r#"{"id":7,"skip":"no shell"}"#, Reply::Skip("no shell".into()))]
#[case(r#"{"id":7,"error":"lost"}"#, Reply::Error("lost".into()))]
fn an_answer_is_read_and_written(#[case] line: &str, #[case] reply: Reply) {
    let answer = Answer { id: 7, reply };
    assert_eq!(Answer::parse(line), Ok(answer.clone()));
    assert_eq!(answer.line(), line);
}

#[test]
fn a_request_is_one_flat_object() {
    let request = Request { id: 5, call: Call::End };
    assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"id":5,"method":"end"}"#);
    assert_eq!(serde_json::from_str::<Request>(r#"{"id":5,"method":"end"}"#).unwrap(), request);
}

/// What the runner writes and reads is what the schemas describe.
#[test]
fn messages_of_a_conversation_are_valid_by_the_schemas() {
    let request = json!({ "method": "hello", "protocol": 1, "runner": "r", "id": 1 });
    let world = json!({
        "scenario": "s", "cwd": "/tmp/none/work/app", "home": "/tmp/none", "agentDir": "/tmp/none/.pi/agent", "realHome": "/tmp/none",
        "platform": "posix", "env": [["HOME", "/tmp/none"]], "tools": ["read"], "activeTools": null, "ui": [{ "answer": "approve" }],
        "agent": null, "trust": "trusted", "sessionRules": [],
    });
    let event = json!({ "type": "tool_call", "toolName": "read", "toolCallId": "c", "input": { "path": "a" } });
    let requests = [
        request,
        json!({ "id": 2, "method": "begin", "world": world }),
        json!({ "id": 3, "method": "step", "step": { "kind": "sessionStart", "reason": "startup" } }),
        json!({ "id": 4, "method": "step", "step": { "kind": "toolCall", "event": event } }),
        json!({ "id": 5, "method": "end" }),
        json!({ "id": 6, "method": "bye" }),
    ];
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut output = Vec::new();
    super::serve(input.as_bytes(), &mut output, &crate::implementation::Reference).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output.lines().count(), requests.len());
    for (request, answer) in requests.iter().zip(output.lines()) {
        let method = request["method"].as_str().unwrap();
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
        for (kind, message) in [("request", request), ("answer", &answer)] {
            let schema = schema(Message::parse(&format!("{method}.{kind}")).unwrap());
            let faults: Vec<String> =
                jsonschema::validator_for(&schema).unwrap().iter_errors(message).map(|fault| fault.to_string()).collect();
            assert_eq!(faults, Vec::<String>::new(), "{message}");
        }
        let read: Request = serde_json::from_value(request.clone()).unwrap();
        let mut written = serde_json::to_value(&read).unwrap();
        written.sort_all_objects();
        let mut sent = request.clone();
        sent.sort_all_objects();
        assert_eq!(written, sent);
        assert!(answer.get("result").is_some(), "{answer}");
    }
}

#[rstest]
#[case::misspelt("step.answer", json!({ "id": 1, "result": { "outcom": "allow" } }))]
#[case::two("step.answer", json!({ "id": 1, "result": {}, "skip": "no" }))]
#[case::bare("step.answer", json!({ "id": 1 }))]
#[case::skipped_hello("hello.answer", json!({ "id": 1, "skip": "no" }))]
#[case::unknown_capability(
    "hello.answer",
    json!({ "id": 1, "result": { "protocol": 1, "name": "n", "version": "1", "language": "l", "capabilities": ["bsh"], "levels": [] } })
)]
#[case::unknown_kind("step.request", json!({ "id": 1, "method": "step", "step": { "kind": "tollCall" } }))]
fn a_schema_refuses_what_the_runner_refuses(#[case] name: &str, #[case] message: serde_json::Value) {
    let schema = schema(Message::parse(name).unwrap());
    assert!(!jsonschema::validator_for(&schema).unwrap().is_valid(&message));
}
