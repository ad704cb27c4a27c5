//! The examples of docs/spec/bash.md that say how a whole call ends (`d`, `o`), played through the whole gate.
//!
//! Where ours differs, the list says which requirement makes it so and what we do instead. Nothing is milder but what section 9
//! of docs/spec/hardening.md names.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::LogStream;
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, Happening, StartedHost, fake_host};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::examples;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bash_examples_decisions.txt");

/// The places of the examples and those of a world that exists, in both directions.
struct Places(Vec<(&'static str, String)>);

impl Places {
    fn of(host: &StartedHost) -> Self {
        let home = host.home();
        // The longer ones first.
        let shown = [("/proj/app", host.cwd().to_owned()), ("/proj", format!("{home}/work")), ("/sl", format!("{home}/sl"))];
        Self(shown.into_iter().chain([("/vault", format!("{home}/vault"))]).collect())
    }

    fn real(&self, value: &Value) -> Value {
        let text = self.0.iter().fold(value.to_string(), |text, (shown, real)| {
            // `a/vault` is no such place.
            let mut parts = text.split(shown);
            let mut out = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let begins = !out.ends_with(|c: char| c.is_alphanumeric());
                out.push_str(if begins { real } else { shown });
                out.push_str(part);
            }
            out
        });
        serde_json::from_str(&text).expect("JSON")
    }

    fn shown(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (shown, real)| text.replace(real, shown))
    }
}

/// What an example came to, in the words of the examples.
struct Played {
    lines: Vec<String>,
    /// The requirements that the trace names.
    named: Vec<String>,
}

fn play(example: &Value) -> Played {
    let answer = if example["ans"] == "session" { APPROVE_FOR_SESSION } else { APPROVE };
    let mut setup = fake_host().answers(vec![answer; 4]).tools(["bash", "exec_command"]);
    for member in ["shellTools", "y"] {
        if let Some(value) = example.get(member) {
            let (name, value) = if member == "y" { ("yoloMode", json!(true)) } else { (member, value.clone()) };
            setup = setup.setting(name, value);
        }
    }
    let mut host = setup.start();
    let places = Places::of(&host);
    if let Some(policy) = example.get("p") {
        host.set_policy(places.real(policy));
    }
    for (link, target) in places.real(&example["fs"]).as_object().into_iter().flatten() {
        std::os::unix::fs::symlink(target.as_str().expect("a path"), link).expect("a link");
    }
    for grant in example["ses"].as_array().into_iter().flatten() {
        let grant = places.real(grant);
        host.system.record_session_rule(grant[0].as_str().expect("a surface"), grant[1].as_str().expect("a pattern"));
    }
    let input = example.get("input").cloned().unwrap_or_else(|| json!({ "command": example["c"] }));
    let input = places.real(&input);
    let mut lines = Vec::new();
    if example.get("d").is_some() {
        let command = input["command"].as_str().expect("a command");
        let service = host.service().expect("a session");
        let check = service.check_permission("bash", Some(command), None).expect("an answer");
        let d = json!({
            "state": check.state, "pattern": check.matched_pattern, "command": check.command,
            "context": check.command_context, "source": check.source, "origin": check.origin,
        });
        lines.push(places.shown(&d.to_string()));
    }
    host.forget();
    if example.get("o").is_some() {
        let outcome = host.call(example["tool"].as_str().unwrap_or("bash"), input);
        lines.extend(records(&host).iter().map(|line| places.shown(line)));
        lines.push(if outcome == ToolCallAnswer::Allow { "allow".to_owned() } else { "block".to_owned() });
    }
    let traces = host.traces();
    let named = traces.iter().flat_map(|trace| &trace.tightenings).map(|raise| raise.requirement.to_owned()).collect();
    Played { lines, named }
}

/// Prompts with what they offer, log entries that end something, decision events.
fn records(host: &StartedHost) -> Vec<String> {
    let member = |value: &Value, name: &str| value[name].as_str().unwrap_or("null").to_owned();
    let traces = host.traces();
    let mut asks = traces.iter().flat_map(|trace| &trace.gates).filter_map(|gate| gate.ask.as_ref().zip(gate.decision.as_ref()));
    let mut out = Vec::new();
    for happening in host.journal.all() {
        match happening {
            Happening::Emitted { channel, payload } if channel == "permissions:ui_prompt" => {
                let (ask, decision) = asks.next().expect("an ask in the trace");
                let offers: Vec<&str> = ask.suggestion.iter().map(|(_, pattern)| pattern.as_str()).collect();
                let (surface, offers) = (&decision.surface, offers.join(" , "));
                out.push(format!("prompt {surface} | {} | offers {offers}", member(&payload, "value")));
            }
            Happening::Emitted { channel, payload } if channel == "permissions:decision" => out.push(format!(
                "decision {} | {} | {} {} | {}",
                member(&payload, "surface"),
                member(&payload, "value"),
                member(&payload, "result"),
                member(&payload, "resolution"),
                member(&payload, "matchedPattern")
            )),
            Happening::Line { stream: LogStream::Review, line } => {
                let event = member(&line, "event");
                let bracket = ["waiting", "approved", "denied"].iter().any(|word| event == format!("permission_request.{word}"));
                if !bracket && event.starts_with("permission_request.") {
                    out.push(format!("log {event} {}", member(&line, "resolution")));
                }
            }
            _ => {}
        }
    }
    out
}

fn expected(example: &Value) -> Vec<String> {
    let d = example.get("d").map(Value::to_string);
    let o = example["o"].as_array().into_iter().flatten().map(|line| line.as_str().expect("a text").to_owned());
    d.into_iter().chain(o).collect()
}

/// Where ours may be milder (docs/spec/hardening.md, section 9).
const MILDER: &[&str] = &["HARD-054"];

/// How strict: the end, then whether somebody was asked. Where a line says how the call ended, the advisory answer is no end.
fn rank(lines: &[String]) -> u8 {
    let ended = lines.iter().any(|line| line == "allow" || line == "block");
    let lines: Vec<&String> = lines.iter().filter(|line| !ended || !line.starts_with('{')).collect();
    let asked = lines.iter().any(|line| line.starts_with("prompt ") || line.contains(r#""state":"ask""#));
    let refused = lines.iter().any(|line| *line == "block" || line.contains(r#""state":"deny""#));
    if refused { 2 } else { u8::from(asked) }
}

/// Differences by example: the head (id, requirement, why), then our lines.
fn listed() -> BTreeMap<String, (String, Vec<String>)> {
    let text = std::fs::read_to_string(LIST).unwrap_or_default();
    let mut out = BTreeMap::new();
    for block in text.split("\n\n").filter(|block| !block.starts_with('#')) {
        let mut lines = block.lines().map(str::to_owned);
        let head = lines.next().unwrap_or_default();
        let id = head.split(' ').next().unwrap_or_default().to_owned();
        out.insert(id, (head, lines.map(|line| line.trim_start().to_owned()).collect()));
    }
    out
}

#[test]
fn every_example_of_a_decision_ends_as_it_says_or_as_the_list_says() {
    let mut known = listed();
    let mut rendered = String::from(
        "# Examples of bash.md that end otherwise here: example, requirement, why; then what we do. See bash_cases/decisions.rs.\n",
    );
    let mut wrong = Vec::new();
    let mut played = 0;
    for (id, example) in examples::all() {
        let expected = expected(&example);
        if expected.is_empty() {
            continue;
        }
        played += 1;
        let ours = play(&example);
        if ours.lines == expected {
            continue;
        }
        let (head, lines) = known.remove(&id).unwrap_or_default();
        let requirement = head.split(' ').nth(1).unwrap_or_default();
        if rank(&ours.lines) < rank(&expected) && !MILDER.contains(&requirement) {
            wrong.push(format!("{id} is milder"));
        }
        if lines != ours.lines || head.split(' ').count() < 3 {
            wrong.push(format!("{id} {:?}: {:#?} instead of {expected:#?}", ours.named, ours.lines));
        }
        let head = if head.is_empty() { format!("{id} {}", ours.named.first().map_or("", String::as_str)) } else { head };
        let _ = write!(rendered, "\n{head}\n  {}\n", ours.lines.join("\n  "));
    }
    if std::env::var_os("PORTCULLIS_REWRITE_DIFFERENCES").is_some() {
        std::fs::write(LIST, &rendered).expect("the list is writable");
    }
    let stale: Vec<String> = known.into_keys().collect();
    assert_eq!((wrong.join("\n"), stale.join(" ")), (String::new(), String::new()));
    assert_eq!(played, 40);
}
