//! Happenings as short texts, for assertions about an order.

use portcullis_core::host::LogStream;
use serde_json::Value;

use crate::journal::Happening;

/// One happening in short: `R event resolution`, `D event`, `E surface value result resolution`, `P surface value`,
/// `ready`, `dialog`, `input`, `notice`, `status text`, `active names`.
///
/// ```
/// use portcullis_test_fixtures::{Happening, in_short};
/// use serde_json::json;
///
/// let payload = json!({"surface": "bash", "value": "ls", "result": "allow", "resolution": "policy_allow"});
/// let event = Happening::Emitted { channel: "permissions:decision".into(), payload };
/// assert_eq!(in_short(&event), "E bash ls allow policy_allow");
/// ```
pub fn in_short(happening: &Happening) -> String {
    match happening {
        Happening::Emitted { channel, payload } => emitted(channel, payload),
        Happening::Dialog(_) => "dialog".to_owned(),
        Happening::Input { .. } => "input".to_owned(),
        Happening::Notice { .. } => "notice".to_owned(),
        Happening::Status { text, .. } => words("status", &[text.as_deref().unwrap_or("-")]),
        Happening::ActiveTools(names) => words("active", &[&names.join(",")]),
        Happening::Line { stream: LogStream::Debug, line } => words("D", &[&text(line, "event")]),
        Happening::Line { stream: LogStream::Review, line } => {
            let event = text(line, "event");
            let event = event.trim_start_matches("permission_request.");
            let resolution = line.get("resolution").and_then(Value::as_str);
            resolution.map_or_else(|| words("R", &[event]), |resolution| words("R", &[event, resolution]))
        }
    }
}

fn emitted(channel: &str, payload: &Value) -> String {
    let member = |name| text(payload, name);
    match channel {
        "permissions:decision" => words("E", &[&member("surface"), &member("value"), &member("result"), &member("resolution")]),
        "permissions:ui_prompt" => words("P", &[&member("surface"), &member("value")]),
        "permissions:ready" => "ready".to_owned(),
        other => words("event", &[other]),
    }
}

fn text(value: &Value, member: &str) -> String {
    value.get(member).and_then(Value::as_str).unwrap_or("-").to_owned()
}

fn words(kind: &str, rest: &[&str]) -> String {
    format!("{kind} {}", rest.join(" "))
}
