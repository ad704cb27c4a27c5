//! One line of the file, as the world and the steps of the runner.

use portcullis_conformance::scenario::{Action, Answer, Change, ConfigTexts, FileEntry, Given, HostChange, Trusted};
use serde_json::Value;

/// A case.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) given: Given,
    pub(crate) steps: Vec<CaseStep>,
}

/// What happens in a step, and what the package did.
pub(crate) struct CaseStep {
    pub(crate) act: Act,
    pub(crate) answers: Option<Vec<Answer>>,
    pub(crate) call_id: Option<String>,
    pub(crate) observed: Value,
    pub(crate) hardened: Option<Value>,
}

/// What happens.
pub(crate) enum Act {
    /// Something that scenarios say too.
    Do(Action),
    /// What the start of the session showed.
    Start,
    /// Shutdown, a new instance, start and discovery.
    FullReload,
}

impl Case {
    pub(crate) fn read(line: &str) -> Self {
        let case: Value = serde_json::from_str(line).unwrap();
        let world = &case["world"];
        let mut given = Given {
            texts: texts(world),
            files: files(world),
            tools: Some(world["tools"].as_array().cloned().unwrap_or_default()),
            active_tools: world.get("active_tools").map(names),
            ui: (world["ui"] == Value::Bool(true)).then(Vec::new),
            agent: world["agent"].as_str().map(str::to_owned),
            mcp_servers: world.get("mcp_servers").map(names),
            ..Given::default()
        };
        if world["trusted"] == Value::Bool(false) {
            given.trusted = Trusted::No;
        }
        let steps = case["steps"].as_array().unwrap().iter().map(step).collect();
        Self { id: case["id"].as_str().unwrap().to_owned(), given, steps }
    }
}

fn names(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The configuration files as texts; member order is kept.
fn texts(world: &Value) -> ConfigTexts {
    let config = &world["config"];
    let raw = &world["config_text"];
    let object = |key: &str| raw[key].as_str().map(str::to_owned).or_else(|| config.get(key).map(pretty));
    let agents = |key: &str| pairs(&config[key]);
    ConfigTexts {
        global: object("global"),
        project: object("project"),
        agents: agents("agents"),
        project_agents: agents("project_agents"),
        ..ConfigTexts::default()
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

fn pairs(map: &Value) -> Vec<(String, String)> {
    let text = |(name, text): (&String, &Value)| Some((name.clone(), text.as_str()?.to_owned()));
    map.as_object().into_iter().flatten().filter_map(text).collect()
}

/// The world's paths are relative to the session's directory and may climb; ours may not.
fn path(text: &str) -> String {
    let mut parts: Vec<&str> = match text.split_once('/') {
        Some((place, _)) if place.starts_with("${") => Vec::new(),
        _ if text.starts_with("${") => Vec::new(),
        _ => vec!["${HOME}", "work", "app"],
    };
    for part in text.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            other => parts.push(other),
        }
    }
    parts.join("/")
}

fn files(world: &Value) -> Vec<(String, FileEntry)> {
    let texts = pairs(&world["files"]).into_iter().map(|(name, text)| (path(&name), FileEntry::Text(text)));
    let dirs = names(&world["dirs"]).into_iter().map(|name| (path(&name), FileEntry::Directory));
    let links = pairs(&world["links"]).into_iter().map(|(name, target)| (path(&name), FileEntry::Symlink(target)));
    dirs.chain(texts).chain(links).collect()
}

fn answer(value: &Value) -> Answer {
    match value.as_str() {
        Some("once") => Answer::Approve,
        Some("session") => Answer::ApproveForSession,
        Some("deny") => Answer::Deny,
        Some("dismiss") => Answer::Dismiss,
        Some(other) => panic!("unknown answer {other}"),
        None => match (value["deny"].as_str(), value["fail"].as_str()) {
            (Some(reason), _) => Answer::DenyWithReason(reason.to_owned()),
            (_, Some(text)) => Answer::Fail(text.to_owned()),
            _ => panic!("unknown answer {value}"),
        },
    }
}

fn step(step: &Value) -> CaseStep {
    let act = &step["do"];
    let is_call = ["tool", "event", "text"].iter().any(|key| act.get(key).is_some());
    let answers = act["answers"].as_array().map(|answers| answers.iter().map(answer).collect::<Vec<_>>());
    CaseStep {
        // Without a list every question is dismissed.
        answers: is_call.then(|| answers.unwrap_or_default()),
        call_id: act["id"].as_str().map(str::to_owned),
        act: act_of(act),
        observed: step["observed"].clone(),
        hardened: step.get("hardened").cloned(),
    }
}

fn act_of(act: &Value) -> Act {
    let text = |key: &str| act[key].as_str();
    if let Some(name) = text("tool") {
        return Act::Do(Action::Tool { name: name.to_owned(), input: act["input"].clone() });
    }
    if let Some(event) = act.get("event") {
        return Act::Do(Action::RawEvent(event.clone()));
    }
    if let Some(typed) = act.get("text") {
        return Act::Do(Action::Input(typed.clone()));
    }
    if let Some(start) = act.get("agent_start") {
        return Act::Do(Action::AgentStart {
            system_prompt: start["system_prompt"].as_str().map(str::to_owned),
            active_tools: start.get("active_tools").map(names),
        });
    }
    if let Some(host) = act.get("host") {
        return Act::Do(Action::HostChange(Box::new(host_change(host))));
    }
    if let Some(changed) = act.get("change") {
        return Act::Do(Action::PolicyChange(Box::new(change(changed))));
    }
    if let Some(field) = act.get("register_path_field") {
        return Act::Do(Action::RegisterExtractor {
            tool: field["tool"].as_str().unwrap().to_owned(),
            field: field["field"].as_str().unwrap_or_default().to_owned(),
            fails: field["fails"].as_str().map(str::to_owned),
        });
    }
    match (text("reload"), text("session"), act.get("start")) {
        (Some("session"), ..) => Act::Do(Action::SessionReload),
        (Some("resources"), ..) => Act::Do(Action::ResourcesReload { reason: "reload".into() }),
        (Some("full"), ..) => Act::FullReload,
        (_, Some("end"), _) => Act::Do(Action::SessionShutdown),
        (_, Some("start"), _) => Act::Do(Action::SessionStart { reason: "new".into() }),
        (.., Some(_)) => Act::Start,
        _ => panic!("unknown step {act}"),
    }
}

fn host_change(host: &Value) -> HostChange {
    HostChange {
        ui: host.get("ui").map(|ui| (*ui == Value::Bool(true)).then(Vec::new)),
        agent: host.get("agent").map(|name| name.as_str().map(str::to_owned)),
        tools: host.get("tools").map(|tools| tools.as_array().cloned().unwrap_or_default()),
        active_tools: host.get("active_tools").map(names),
        ..HostChange::default()
    }
}

fn change(changed: &Value) -> Change {
    let mut remove: Vec<String> = names(&changed["remove"]).iter().map(|name| path(name)).collect();
    let gone = |scope: &str| {
        changed["config"].get(scope).is_some_and(Value::is_null) || changed["config_text"].get(scope).is_some_and(Value::is_null)
    };
    if gone("global") {
        remove.push("${AGENT_DIR}/extensions/pi-permission-system/config.json".into());
    }
    if gone("project") {
        remove.push("${CWD}/.pi/extensions/pi-permission-system/config.json".into());
    }
    for (key, folder) in [("agents", "${AGENT_DIR}/agents"), ("project_agents", "${CWD}/.pi/agents")] {
        for (name, text) in changed["config"][key].as_object().into_iter().flatten() {
            if text.is_null() {
                remove.push(format!("{folder}/{name}.md"));
            }
        }
    }
    let mut texts = texts(changed);
    texts.global = texts.global.filter(|text| text != "null");
    texts.project = texts.project.filter(|text| text != "null");
    Change { texts, files: files(changed), remove, ..Change::default() }
}
