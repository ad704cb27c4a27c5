//! A case as a scenario file. Texts are written as JSON strings, which YAML reads alike.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::duel::Finding;
use super::relation::{Kind, Relation};
use crate::own_policy::Verdict;
use crate::scenario::{Action, Answer, ConfigTexts, FileEntry, Given, Policy, Step, Trusted};

/// The file. What is expected of the last step is the stricter answer; who disagrees with that changes it before the file is committed.
pub fn scenario_file(finding: &Finding, relation: Relation, names: [&str; 2]) -> String {
    let Finding { scenario, difference, .. } = finding;
    let [ours, theirs] = names;
    let right = difference.ours.verdict.max(difference.theirs.verdict);
    let right_side = if difference.kind == Kind::Milder { &difference.theirs } else { &difference.ours };
    let said = |verdict: Verdict, decided: &Option<String>| decided.clone().unwrap_or_else(|| verdict.as_str().to_owned());
    let note = format!(
        "{ours}: {} ({}). {theirs}: {} ({}).{}",
        difference.ours.verdict,
        said(difference.ours.verdict, &difference.ours.decided),
        difference.theirs.verdict,
        said(difference.theirs.verdict, &difference.theirs.decided),
        difference.what.as_ref().map(|what| format!(" Differs in {what}.")).unwrap_or_default(),
    );
    let mut text = String::new();
    let mut line = |indent: usize, words: String| {
        let _ = writeln!(text, "{:indent$}{words}", "");
    };
    line(0, "suite: generated calls".into());
    line(
        0,
        format!(
            "about: {}",
            quoted(&format!(
                "made by `portcullis compare --generate`, relation {}; says nothing about who is right",
                relation.as_str()
            ))
        ),
    );
    line(0, "level: baseline".into());
    line(0, "scenarios:".into());
    line(2, format!("- id: {}", scenario.name));
    line(4, format!("title: {}", quoted(&title(difference))));
    line(4, "covers: [RUN-006]".into());
    line(4, format!("note: {}", quoted(&note)));
    let given = given(&scenario.given);
    if !given.is_empty() {
        line(4, "given:".into());
        for (key, value) in &given {
            line(6, format!("{key}: {}", flow(value)));
        }
    }
    line(4, "steps:".into());
    for (index, step) in scenario.steps.iter().enumerate() {
        let (key, value) = action(&step.action);
        line(6, format!("- {key}: {}", flow(&value)));
        if let Some(answers) = &step.answers {
            line(8, format!("answers: {}", flow(&Value::Array(answers.iter().map(answer).collect()))));
        }
        if index + 1 == scenario.steps.len() {
            line(8, format!("expect: {}", flow(&expectation(step, right, right_side.decided.as_deref()))));
        }
    }
    text
}

fn title(difference: &super::Difference) -> String {
    let what = match difference.kind {
        Kind::Milder => "milder than",
        Kind::Stricter => "stricter than",
        Kind::Otherwise => "otherwise than",
    };
    format!("{}: {} {what} {}", difference.action, difference.ours.verdict, difference.theirs.verdict)
}

/// What the stricter gate did; where somebody was asked, the question.
fn expectation(step: &Step, right: Verdict, decided: Option<&str>) -> Value {
    if matches!(step.action, Action::Query { .. } | Action::ToolPermission { .. }) {
        return json!({ "outcome": right.as_str() });
    }
    let (goes, stops) = if matches!(step.action, Action::Input(_)) { ("continue", "handled") } else { ("allow", "block") };
    let mut expect = Map::new();
    let approved = step
        .answers
        .as_ref()
        .and_then(|answers| answers.first())
        .is_some_and(|answer| matches!(answer, Answer::Approve | Answer::ApproveForSession));
    let outcome = match right {
        Verdict::Allow => goes,
        Verdict::Ask if approved => goes,
        _ => stops,
    };
    expect.insert("outcome".into(), outcome.into());
    // The words of `Observation::decided`: outcome, `by`, gate, colon.
    let gate = decided.and_then(|words| words.split(" by ").nth(1)).and_then(|rest| rest.split([':', ',']).next());
    expect.insert("by".into(), json!({ "gate": gate.unwrap_or("tool") }));
    Value::Object(expect)
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// JSON on one line, which is YAML's flow form. A blank stands where YAML wants one.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) if map.is_empty() => "{}".into(),
        Value::Object(map) => {
            let members: Vec<String> = map.iter().map(|(key, value)| format!("{}: {}", quoted(key), flow(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn answer(answer: &Answer) -> Value {
    match answer {
        Answer::Approve => "approve".into(),
        Answer::ApproveForSession => "approve for session".into(),
        Answer::ApproveBothDirections => "approve both directions".into(),
        Answer::ApproveForWholeSession => "approve for whole session".into(),
        Answer::ApproveForSessionThenDismiss => "approve for session then dismiss".into(),
        Answer::Deny => "deny".into(),
        Answer::DenyWithReason(reason) => json!({ "deny": reason }),
        Answer::Dismiss => "dismiss".into(),
        Answer::Fail(text) => json!({ "fail": text }),
        Answer::Later(milliseconds, then) => json!({ "answer": self::answer(then), "after": format!("{milliseconds}ms") }),
    }
}

/// The keys of `given` that generated worlds use.
fn given(given: &Given) -> Vec<(&'static str, Value)> {
    let mut keys = Vec::new();
    let mut put = |key: &'static str, value: Option<Value>| keys.extend(value.map(|value| (key, value)));
    put("policy", (!given.policy.is_empty()).then(|| policy(&given.policy)));
    put("config", given.config.clone().map(Value::Object));
    put("tools", given.tools.clone().map(Value::Array));
    put("ui", given.ui.as_ref().map(|answers| json!({ "answers": answers.iter().map(answer).collect::<Vec<_>>() })));
    put("agent", given.agent.clone().map(Value::from));
    let trusted = match given.trusted {
        Trusted::Yes => None,
        Trusted::No => Some(json!(false)),
        Trusted::Unknown => Some(json!("unknown")),
    };
    put("trusted", trusted);
    put("files", (!given.files.is_empty()).then(|| files(&given.files)));
    let skills: Vec<Value> = given
        .skills
        .iter()
        .map(|skill| json!({ "name": skill.name, "location": skill.location, "description": skill.description }))
        .collect();
    put("skills", (!skills.is_empty()).then_some(Value::Array(skills)));
    put("mcp servers", given.mcp_servers.as_ref().map(|servers| json!(servers)));
    let extractors: Map<String, Value> =
        given.extractors.iter().map(|(tool, field)| (tool.clone(), field.clone().into())).collect();
    put("extractors", (!extractors.is_empty()).then_some(Value::Object(extractors)));
    keys
}

fn files(files: &[(String, FileEntry)]) -> Value {
    let entry = |entry: &FileEntry| match entry {
        FileEntry::Text(text) => text.clone().into(),
        FileEntry::Symlink(target) => json!({ "symlink": target }),
        FileEntry::Directory => json!({ "directory": true }),
    };
    Value::Object(files.iter().map(|(path, what)| (path.clone(), entry(what))).collect())
}

fn policy(policy: &Policy) -> Value {
    let mut scopes = Map::new();
    let mut put = |scope: &str, map: Option<Value>| {
        if let Some(map) = map {
            scopes.insert(scope.into(), map);
        }
    };
    let named = |files: &[(String, Value)]| (!files.is_empty()).then(|| Value::Object(files.iter().cloned().collect()));
    put("global", policy.global.clone());
    put("project", policy.project.clone());
    put("agents", named(&policy.agents));
    put("project-agents", named(&policy.project_agents));
    Value::Object(scopes)
}

fn texts(texts: &ConfigTexts) -> Value {
    let members = [("global", &texts.global), ("project", &texts.project)];
    Value::Object(members.into_iter().filter_map(|(key, text)| Some((key.to_owned(), text.clone()?.into()))).collect())
}

/// The key of a step and its value: the actions that generated cases use.
fn action(action: &Action) -> (&'static str, Value) {
    match action {
        Action::Tool { name, input } => ("tool", json!({ "name": name, "input": input })),
        Action::RawEvent(event) => ("raw event", event.clone()),
        Action::Input(text) => ("input", text.clone()),
        Action::AgentStart { .. } => ("agent start", json!({})),
        Action::SessionStart { reason } => ("session start", json!({ "reason": reason })),
        Action::SessionShutdown => ("session shutdown", json!({})),
        Action::SessionReload => ("session reload", json!({})),
        Action::ResourcesReload { reason } => ("resources reload", json!({ "reason": reason })),
        Action::PolicyChange(change) => {
            let mut members = Map::new();
            if !change.policy.is_empty() {
                members.insert("policy".into(), policy(&change.policy));
            }
            if change.texts != ConfigTexts::default() {
                members.insert("policy files".into(), texts(&change.texts));
            }
            ("policy change", Value::Object(members))
        }
        Action::HostChange(change) => {
            let mut members = Map::new();
            if let Some(agent) = &change.agent {
                members.insert("agent".into(), json!(agent));
            }
            if change.ui == Some(None) {
                members.insert("ui".into(), json!(false));
            }
            ("host change", Value::Object(members))
        }
        Action::Query { surface, value, agent } => {
            let mut members = Map::new();
            members.insert("surface".into(), surface.clone().into());
            for (key, text) in [("value", value), ("agent", agent)] {
                members.extend(text.clone().map(|text| (key.to_owned(), text.into())));
            }
            ("query", Value::Object(members))
        }
        Action::ToolPermission { tool, .. } => ("tool permission", tool.clone().into()),
        other => ("input", other.summary().into()),
    }
}
