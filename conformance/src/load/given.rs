//! Reads `given`, and the parts of it that steps change.

use serde_json::Value;

use super::reader::{Fields, Reader};
use super::{policy_file, sessions};
use crate::problem::did_you_mean;
use crate::scenario::words::{ORIGINS, SOURCES, STATES};
use crate::scenario::{Answer, BashCheck, CheckAnswer, ConfigTexts, FileEntry, Given, Grant, Policy, SkillEntry, Trusted};
use crate::yaml::{Entry, Node, Yaml};

/// Keys of `given`.
pub(crate) const GIVEN_KEYS: [&str; 21] = [
    "policy",
    "policy files",
    "config",
    "project config",
    "tools",
    "active tools",
    "ui",
    "agent",
    "trusted",
    "platform",
    "env",
    "files",
    "skills",
    "mcp servers",
    "project mcp servers",
    "extractors",
    "session rules",
    "checks",
    "path checks",
    "bash checks",
    "sessions",
];
/// Keys of a map of scopes.
pub(crate) const SCOPE_KEYS: [&str; 6] = ["global", "project", "agents", "project-agents", "agent", "project-agent"];
/// Keys of `policy files`.
pub(crate) const POLICY_FILE_KEYS: [&str; 8] =
    ["global", "project", "agents", "project-agents", "legacy global", "legacy project", "mcp", "project mcp"];

/// Reads the merged entries of `given`.
pub(super) fn given(reader: &Reader, node: &Node) -> Given {
    let mut given = Given::default();
    let Some(fields) = reader.fields(node, "`given`", &GIVEN_KEYS) else { return given };
    given.agent = fields.get("agent").and_then(|node| reader.text_or_null(node, "`agent`")).flatten();
    if let Some(node) = fields.get("policy files") {
        given.texts = config_texts(reader, node);
    }
    if let Some(node) = fields.get("policy") {
        given.policy = policy(reader, node, given.agent.as_deref(), &mut given.texts);
    }
    given.config = fields.get("config").and_then(|node| config(reader, node, "`config`"));
    given.project_config = fields.get("project config").and_then(|node| config(reader, node, "`project config`"));
    given.tools = fields.get("tools").and_then(|node| tools(reader, node));
    given.active_tools = fields.get("active tools").and_then(|node| reader.texts(node, "`active tools`"));
    given.ui = fields.get("ui").and_then(|node| user_interface(reader, node));
    given.trusted = fields.get("trusted").and_then(|node| trusted(reader, node)).unwrap_or_default();
    if let Some(node) = fields.get("platform") {
        given.windows = reader.word(node, "`platform`", &["posix", "windows"]).is_some_and(|word| word == "windows");
    }
    given.env = fields.get("env").map(|node| texts_by_name(reader, node, "`env`")).unwrap_or_default();
    given.files = fields.get("files").map(|node| files(reader, node)).unwrap_or_default();
    given.skills = fields.get("skills").map(|node| skills(reader, node)).unwrap_or_default();
    given.mcp_servers = fields.get("mcp servers").and_then(|node| reader.texts(node, "`mcp servers`"));
    given.project_mcp_servers = fields.get("project mcp servers").and_then(|node| reader.texts(node, "`project mcp servers`"));
    given.extractors = fields.get("extractors").map(|node| texts_by_name(reader, node, "`extractors`")).unwrap_or_default();
    given.session_rules = fields.get("session rules").map(|node| grants(reader, node)).unwrap_or_default();
    checks(reader, &fields, &mut given);
    given.sessions = fields.get("sessions").map(|node| sessions::sessions(reader, node)).unwrap_or_default();
    contradictions(reader, &fields);
    policy_file::contradictions(reader, &fields);
    given
}

/// Two keys that would write the same file.
fn contradictions(reader: &Reader, fields: &Fields<'_>) {
    let texts = fields.get("policy files");
    let scopes = fields.get("policy");
    let scoped = scopes.is_some_and(is_scopes);
    for (scope, config_key) in [("global", "config"), ("project", "project config")] {
        if texts.is_none_or(|texts| texts.get(scope).is_none()) {
            continue;
        }
        let in_policy = scopes.is_some_and(|node| if scoped { node.get(scope).is_some() } else { scope == "global" });
        if in_policy || fields.get(config_key).is_some() {
            let place = fields.key_place("policy files");
            reader.error(place, format!("the {scope} file stands here as a text and again as `policy` or `{config_key}`"), None);
        }
    }
    for (texts_key, list_key) in [("mcp", "mcp servers"), ("project mcp", "project mcp servers")] {
        if texts.is_some_and(|texts| texts.get(texts_key).is_some()) && fields.get(list_key).is_some() {
            let place = fields.key_place(list_key);
            reader.error(place, format!("`{list_key}` and the text `{texts_key}` of `policy files` write the same file"), None);
        }
    }
    for key in ["ui", "agent", "session rules", "skills", "checks", "path checks", "bash checks", "platform"] {
        if fields.get("sessions").is_some() && fields.get(key).is_some() {
            let help = match key {
                "ui" | "agent" | "session rules" => Some(format!("say `{key}` in the session")),
                _ => None,
            };
            reader.error(fields.key_place(key), format!("`{key}` has no meaning beside `sessions`"), help);
        }
    }
    if ["checks", "path checks", "bash checks"].iter().any(|key| fields.get(key).is_some()) && scopes.is_some() {
        let help = "`checks` answer instead of a policy".to_owned();
        reader.error(fields.key_place("policy"), "a policy beside mocked checks is never read", Some(help));
    }
}

/// The value of a file's key of `given`, without what a scenario's own `given` writes in the other way; `None` when nothing is left.
pub(super) fn without_replaced(key: &str, value: &Node, own: &Node) -> Option<Node> {
    let own_policy = own.get("policy");
    let writes = |scope: &str| match own_policy {
        Some(node) if is_scopes(node) => node.get(scope).is_some(),
        Some(_) => scope == "global",
        None => false,
    };
    let config = |scope: &str| own.get(if scope == "global" { "config" } else { "project config" }).is_some();
    let texts = |scope: &str| own.get("policy files").is_some_and(|texts| texts.get(scope).is_some());
    match key {
        "policy files" => without(value, |scope| match scope {
            "global" | "project" => writes(scope) || config(scope),
            "mcp" => own.get("mcp servers").is_some(),
            "project mcp" => own.get("project mcp servers").is_some(),
            _ => false,
        }),
        "policy" if is_scopes(value) => without(value, |scope| matches!(scope, "global" | "project") && texts(scope)),
        "policy" | "config" if texts("global") => None,
        "project config" if texts("project") => None,
        "mcp servers" if texts("mcp") => None,
        "project mcp servers" if texts("project mcp") => None,
        _ => Some(value.clone()),
    }
}

fn without(node: &Node, gone: impl Fn(&str) -> bool) -> Option<Node> {
    let entries: Vec<Entry> = node.as_map()?.iter().filter(|entry| !gone(&entry.key)).cloned().collect();
    (!entries.is_empty()).then(|| Node { yaml: Yaml::Map(entries), ..node.clone() })
}

pub(super) fn is_scopes(node: &Node) -> bool {
    node.as_map().is_some_and(|entries| !entries.is_empty() && entries.iter().all(|entry| SCOPE_KEYS.contains(&&*entry.key)))
}

/// A bare surface map is the global scope; a map whose keys are all scopes is one of scopes. A scope that is `{ file: … }` goes to the
/// texts: the whole file counts, not only its rules.
pub(super) fn policy(reader: &Reader, node: &Node, agent: Option<&str>, texts: &mut ConfigTexts) -> Policy {
    let mut policy = Policy::default();
    if let Some(named) = policy_file::named(reader, node) {
        texts.global = policy_file::read(reader, named);
        return policy;
    }
    let Some(entries) = reader.entries(node, "`policy`") else { return policy };
    if !is_scopes(node) {
        if let Some(entry) = entries.iter().find(|entry| SCOPE_KEYS.contains(&&*entry.key)) {
            let message = format!("`{}` is a scope and stands among surfaces", entry.key);
            let help = "put the surfaces under `global:` when other scopes are given too".to_owned();
            reader.error(entry.place, message, Some(help));
        }
        check_surfaces(reader, entries);
        policy.global = Some(node.to_json());
        return policy;
    }
    for entry in entries {
        if let Some(named) = policy_file::named(reader, &entry.value) {
            policy_file::scope(reader, entry, named, agent, texts);
            continue;
        }
        match &*entry.key {
            "global" => policy.global = surfaces(reader, &entry.value, "the global policy"),
            "project" => policy.project = surfaces(reader, &entry.value, "the project policy"),
            "agents" => policy.agents.extend(by_agent(reader, &entry.value, &mut texts.agents)),
            "project-agents" => policy.project_agents.extend(by_agent(reader, &entry.value, &mut texts.project_agents)),
            scope => {
                let Some(name) = agent_of(reader, entry, agent) else { continue };
                let Some(map) = surfaces(reader, &entry.value, "an agent's policy") else { continue };
                let list = if scope == "agent" { &mut policy.agents } else { &mut policy.project_agents };
                list.push((name.to_owned(), map));
            }
        }
    }
    policy
}

/// The agent whose file a scope is.
pub(super) fn agent_of<'a>(reader: &Reader, entry: &Entry, agent: Option<&'a str>) -> Option<&'a str> {
    if agent.is_none() {
        let help = "give `agent: NAME`, or write the scope as `agents: { NAME: … }`".to_owned();
        reader.error(entry.place, format!("`{}` is the file of an agent, and no `agent` is given", entry.key), Some(help));
    }
    agent
}

fn by_agent(reader: &Reader, node: &Node, texts: &mut Vec<(String, String)>) -> Vec<(String, Value)> {
    let Some(entries) = reader.entries(node, "a map of agents") else { return Vec::new() };
    let mut maps = Vec::new();
    for entry in entries {
        if let Some(named) = policy_file::named(reader, &entry.value) {
            texts.extend(policy_file::read(reader, named).map(|text| (entry.key.to_string(), text)));
        } else if let Some(map) = surfaces(reader, &entry.value, "an agent's policy") {
            maps.push((entry.key.to_string(), map));
        }
    }
    maps
}

pub(super) fn surfaces(reader: &Reader, node: &Node, what: &str) -> Option<Value> {
    check_surfaces(reader, reader.entries(node, what)?);
    Some(node.to_json())
}

/// A policy may be wrong on purpose, but not by a slip of YAML: a state that is no text is a rule that nobody meant.
fn check_surfaces(reader: &Reader, entries: &[Entry]) {
    for entry in entries {
        let values: Vec<&Node> = match entry.value.as_map() {
            Some(patterns) => patterns.iter().map(|pattern| &pattern.value).collect(),
            None => vec![&entry.value],
        };
        for value in values {
            if let Some(text) = value.as_text()
                && !STATES.contains(&text)
                && let Some(near) = crate::problem::nearest(text, STATES)
            {
                let help = "a file that is wrong on purpose stands as a text under `policy files`".to_owned();
                reader.error(value.place, format!("`{text}` is no state; did you mean `{near}`?"), Some(help));
            }
        }
    }
}

pub(super) fn config(reader: &Reader, node: &Node, what: &str) -> Option<serde_json::Map<String, Value>> {
    let map = reader.object(node, what)?;
    if map.contains_key("permission") {
        reader.error(node.place, format!("{what} holds the other members; rules stand under `policy`"), None);
    }
    Some(map)
}

pub(super) fn config_texts(reader: &Reader, node: &Node) -> ConfigTexts {
    let mut texts = ConfigTexts::default();
    let Some(fields) = reader.fields(node, "`policy files`", &POLICY_FILE_KEYS) else { return texts };
    let text = |key: &str| fields.get(key).and_then(|node| reader.text(node, &format!("`{key}`")));
    texts.global = text("global");
    texts.project = text("project");
    texts.legacy_global = text("legacy global");
    texts.legacy_project = text("legacy project");
    texts.mcp = text("mcp");
    texts.project_mcp = text("project mcp");
    let by_name = |key: &str| fields.get(key).map(|node| texts_by_name(reader, node, &format!("`{key}`"))).unwrap_or_default();
    texts.agents = by_name("agents");
    texts.project_agents = by_name("project-agents");
    texts
}

pub(super) fn texts_by_name(reader: &Reader, node: &Node, what: &str) -> Vec<(String, String)> {
    let Some(entries) = reader.entries(node, what) else { return Vec::new() };
    entries
        .iter()
        .filter_map(|entry| Some((entry.key.to_string(), reader.text(&entry.value, &format!("`{}`", entry.key))?)))
        .collect()
}

pub(super) fn tools(reader: &Reader, node: &Node) -> Option<Vec<Value>> {
    Some(reader.list(node, "`tools`")?.iter().map(Node::to_json).collect())
}

pub(super) fn user_interface(reader: &Reader, node: &Node) -> Option<Vec<Answer>> {
    if node.to_json() == Value::Bool(true) {
        return Some(Vec::new());
    }
    let fields = reader.fields(node, "`ui`", &["answers"])?;
    Some(fields.get("answers").map(|node| answers(reader, node)).unwrap_or_default())
}

pub(super) fn answers(reader: &Reader, node: &Node) -> Vec<Answer> {
    let Some(items) = reader.list(node, "`answers`") else { return Vec::new() };
    items.iter().filter_map(|item| answer(reader, item)).collect()
}

fn answer(reader: &Reader, node: &Node) -> Option<Answer> {
    if let Some(word) = node.as_text() {
        let answer = Answer::parse(word);
        if answer.is_none() {
            let message = format!("nobody can answer `{word}`");
            reader.error(node.place, message, did_you_mean(word, Answer::WORDS));
        }
        return answer;
    }
    let fields = reader.fields(node, "an answer", &["deny", "fail", "answer", "after"])?;
    if let (Some(inner), Some(after)) = (fields.get("answer"), fields.get("after")) {
        let after = sessions::duration(reader, after, "`after`")?;
        return Some(Answer::Later(after, Box::new(plain_answer(reader, inner)?)));
    }
    plain_answer_fields(reader, node, &fields)
}

fn plain_answer(reader: &Reader, node: &Node) -> Option<Answer> {
    if let Some(word) = node.as_text() {
        return Answer::parse(&reader.word(node, "an answer", &Answer::WORDS).filter(|known| known == word)?);
    }
    let fields = reader.fields(node, "an answer", &["deny", "fail"])?;
    plain_answer_fields(reader, node, &fields)
}

fn plain_answer_fields(reader: &Reader, node: &Node, fields: &Fields<'_>) -> Option<Answer> {
    match (fields.get("deny"), fields.get("fail")) {
        (Some(reason), None) => Some(Answer::DenyWithReason(reader.text(reason, "the reason of a deny")?)),
        (None, Some(text)) => Some(Answer::Fail(reader.text(text, "the text of a failure")?)),
        _ => {
            reader.error(node.place, "an answer is a word, `{ deny: reason }`, `{ fail: text }` or `{ answer, after }`", None);
            None
        }
    }
}

pub(super) fn trusted(reader: &Reader, node: &Node) -> Option<Trusted> {
    match node.to_json() {
        Value::Bool(true) => Some(Trusted::Yes),
        Value::Bool(false) => Some(Trusted::No),
        Value::String(word) if word == "unknown" => Some(Trusted::Unknown),
        _ => {
            reader.error(node.place, "`trusted` must be true, false or `unknown`", None);
            None
        }
    }
}

pub(super) fn files(reader: &Reader, node: &Node) -> Vec<(String, FileEntry)> {
    let Some(entries) = reader.entries(node, "`files`") else { return Vec::new() };
    entries.iter().filter_map(|entry| Some((path_of(reader, entry)?, file(reader, &entry.value)?))).collect()
}

/// A path inside the world: the runner writes nowhere else.
fn path_of(reader: &Reader, entry: &Entry) -> Option<String> {
    check_path(reader, &entry.key, entry.place).then(|| entry.key.to_string())
}

pub(super) fn check_path(reader: &Reader, path: &str, place: crate::source::Place) -> bool {
    let inside = ["${CWD}/", "${HOME}/", "${AGENT_DIR}/"].iter().find_map(|prefix| path.strip_prefix(prefix));
    let fault = match inside {
        None if path.starts_with(['/', '\\', '~', '$']) => Some("must be relative or begin with a place such as `${HOME}/`"),
        None if path.is_empty() => Some("must not be empty"),
        _ if inside.unwrap_or(path).split(['/', '\\']).any(|part| part == "..") => Some("must not hold `..`"),
        _ => None,
    };
    if let Some(fault) = fault {
        reader.error(place, format!("the path `{path}` {fault}"), Some("files outside the world are never touched".into()));
    }
    fault.is_none()
}

fn file(reader: &Reader, node: &Node) -> Option<FileEntry> {
    if node.is_null() {
        return Some(FileEntry::Text(String::new()));
    }
    if node.as_map().is_none() {
        return reader.text(node, "a file").map(FileEntry::Text);
    }
    let fields = reader.fields(node, "a file", &["symlink", "directory"])?;
    match (fields.get("symlink"), fields.get("directory")) {
        (Some(target), None) => Some(FileEntry::Symlink(reader.name(target, "the target of a link")?)),
        (None, Some(flag)) if reader.flag(flag, "`directory`")? => Some(FileEntry::Directory),
        _ => {
            reader.error(node.place, "a file is a text, `{ symlink: target }` or `{ directory: true }`", None);
            None
        }
    }
}

fn skills(reader: &Reader, node: &Node) -> Vec<SkillEntry> {
    let Some(items) = reader.list(node, "`skills`") else { return Vec::new() };
    items.iter().filter_map(|item| skill(reader, item)).collect()
}

fn skill(reader: &Reader, node: &Node) -> Option<SkillEntry> {
    let (name, location, description) = match node.as_text() {
        Some(name) => (name.to_owned(), None, None),
        None => {
            let fields = reader.fields(node, "a skill", &["name", "location", "description"])?;
            let Some(name) = fields.get("name") else {
                reader.error(node.place, "a skill needs a `name`", None);
                return None;
            };
            let text = |key: &str| fields.get(key).and_then(|node| reader.text(node, &format!("`{key}`")));
            (reader.name(name, "`name`")?, text("location"), text("description"))
        }
    };
    let location = location.unwrap_or_else(|| format!("${{CWD}}/skills/{name}/SKILL.md"));
    let description = description.unwrap_or_else(|| format!("the skill {name}"));
    Some(SkillEntry { name, location, description })
}

pub(super) fn grants(reader: &Reader, node: &Node) -> Vec<Grant> {
    let Some(items) = reader.list(node, "`session rules`") else { return Vec::new() };
    items.iter().filter_map(|item| grant(reader, item)).collect()
}

fn grant(reader: &Reader, node: &Node) -> Option<Grant> {
    let fields = reader.fields(node, "a session rule", &["surface", "pattern"])?;
    let (Some(surface), Some(pattern)) = (fields.get("surface"), fields.get("pattern")) else {
        reader.error(node.place, "a session rule is `{ surface, pattern }`", None);
        return None;
    };
    Some(Grant { surface: reader.text(surface, "`surface`")?, pattern: reader.text(pattern, "`pattern`")? })
}

fn checks(reader: &Reader, fields: &Fields<'_>, given: &mut Given) {
    let named = |key: &str| -> Vec<(String, CheckAnswer)> {
        let Some(node) = fields.get(key) else { return Vec::new() };
        let Some(entries) = reader.entries(node, &format!("`{key}`")) else { return Vec::new() };
        entries.iter().filter_map(|entry| Some((entry.key.to_string(), check_answer(reader, &entry.value)?))).collect()
    };
    given.checks = named("checks");
    given.path_checks = named("path checks");
    let Some(items) = fields.get("bash checks").and_then(|node| reader.list(node, "`bash checks`")) else { return };
    for item in items {
        let Some(fields) = reader.fields(item, "a bash check", &["match", "state", "pattern", "origin", "source", "reason"])
        else {
            continue;
        };
        let Some(matches) = fields.get("match").and_then(|node| reader.text(node, "`match`")) else {
            reader.error(item.place, "a bash check needs `match`", None);
            continue;
        };
        if let Err(error) = regex::Regex::new(&matches) {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default().trim().to_owned();
            reader.error(fields.key_place("match"), format!("`{matches}` is no regular expression: {last}"), None);
            continue;
        }
        if let Some(answer) = answer_fields(reader, &fields) {
            given.bash_checks.push(BashCheck { matches, answer });
        }
    }
}

fn check_answer(reader: &Reader, node: &Node) -> Option<CheckAnswer> {
    if node.as_map().is_none() {
        let state = reader.word(node, "a check", &STATES)?;
        // A bare state stands for the rule `*` of the surface; a map without a pattern for the universal default.
        return Some(CheckAnswer { state, pattern: Some("*".to_owned()), origin: None, source: None, reason: None });
    }
    let fields = reader.fields(node, "a check", &["state", "pattern", "origin", "source", "reason"])?;
    answer_fields(reader, &fields)
}

fn answer_fields(reader: &Reader, fields: &Fields<'_>) -> Option<CheckAnswer> {
    let Some(state) = fields.get("state") else {
        reader.error(fields.node.place, "a check needs `state`", None);
        return None;
    };
    Some(CheckAnswer {
        state: reader.word(state, "`state`", &STATES)?,
        pattern: fields.get("pattern").and_then(|node| reader.text(node, "`pattern`")),
        origin: fields.get("origin").and_then(|node| reader.word(node, "`origin`", &ORIGINS)),
        source: fields.get("source").and_then(|node| reader.word(node, "`source`", &SOURCES)),
        reason: fields.get("reason").and_then(|node| reader.text(node, "`reason`")),
    })
}
