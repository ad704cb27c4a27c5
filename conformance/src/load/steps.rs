//! Reads steps.

use serde_json::{Map, Value, json};

use super::reader::{Fields, Reader};
use super::{expect, given, policy_file, sessions};
use crate::scenario::{Action, Change, HostChange, Step};
use crate::yaml::{Entry, Node};

/// Keys that say what happens.
pub(crate) const ACTION_KEYS: [&str; 21] = [
    "bash",
    "read",
    "write",
    "edit",
    "grep",
    "find",
    "ls",
    "mcp",
    "tool",
    "skill",
    "input",
    "raw event",
    "agent start",
    "session start",
    "session shutdown",
    "session reload",
    "resources reload",
    "policy change",
    "host change",
    "register extractor",
    "query",
];
/// More of them, mostly about sessions that ask each other.
pub(crate) const MORE_ACTION_KEYS: [&str; 9] = [
    "tool permission",
    "stage",
    "exchange trouble",
    "clock",
    "serve",
    "kill",
    "subagent created",
    "subagent disposed",
    "register link",
];
/// Keys beside it.
pub(crate) const SIDE_KEYS: [&str; 5] = ["id", "in", "answers", "meanwhile", "expect"];
/// Keys of `policy change`.
pub(crate) const CHANGE_KEYS: [&str; 6] = ["policy", "policy files", "config", "project config", "files", "remove"];
/// Keys of `host change`.
pub(crate) const HOST_CHANGE_KEYS: [&str; 7] = ["ui", "agent", "tools", "active tools", "trusted", "session id", "env"];

/// All keys of a step.
pub(crate) fn step_keys() -> Vec<&'static str> {
    action_keys().into_iter().chain(SIDE_KEYS).collect()
}

fn action_keys() -> Vec<&'static str> {
    ACTION_KEYS.iter().chain(&MORE_ACTION_KEYS).copied().collect()
}

/// Reads one step.
pub(super) fn step(reader: &Reader, node: &Node, agent: Option<&str>) -> Option<Step> {
    let fields = reader.fields(node, "a step", &step_keys())?;
    let entries = node.as_map()?;
    let mut kinds = entries.iter().filter(|entry| !SIDE_KEYS.contains(&&*entry.key) && step_keys().contains(&&*entry.key));
    let Some(kind) = kinds.next() else {
        if entries.iter().all(|entry| SIDE_KEYS.contains(&&*entry.key)) {
            let keys = action_keys().join(", ");
            reader.error(node.place, "the step says not what happens", Some(format!("one of: {keys}")));
        }
        return None;
    };
    if let Some(second) = kinds.next() {
        let message = format!("a step is one thing: it cannot be `{}` and `{}`", kind.key, second.key);
        reader.error(second.place, message, Some("write two steps".into()));
        return None;
    }
    let action = action(reader, &kind.key, &kind.value, agent)?;
    let id = fields.get("id").and_then(|node| reader.text(node, "`id`"));
    let answers = fields.get("answers").map(|node| given::answers(reader, node));
    let session = fields.get("in").and_then(|node| reader.text(node, "`in`"));
    let meanwhile = fields.get("meanwhile").map(|node| sessions::meanwhile(reader, node, agent)).unwrap_or_default();
    let expect = fields.get("expect").and_then(|node| expect::expect(reader, node, &action, fields.key_place("expect")));
    Some(Step { action, id, answers, session, meanwhile, expect, place: node.place })
}

fn action(reader: &Reader, kind: &str, node: &Node, agent: Option<&str>) -> Option<Action> {
    match kind {
        "bash" => tool(reader, "bash", node, |text| json!({ "command": text })),
        "read" | "write" | "edit" | "grep" | "find" | "ls" => tool(reader, kind, node, |text| path_input(kind, text)),
        "mcp" => tool(reader, "mcp", node, |text| json!({ "tool": text })),
        "skill" => tool(reader, "skill", node, |text| json!({ "name": text })),
        "tool" => any_tool(reader, node),
        "input" => Some(Action::Input(node.to_json())),
        "raw event" => Some(Action::RawEvent(node.to_json())),
        "agent start" => agent_start(reader, node),
        "session start" => Some(Action::SessionStart { reason: reason(reader, node, kind, "startup")? }),
        "session shutdown" => nothing(reader, node, kind).then_some(Action::SessionShutdown),
        "session reload" => nothing(reader, node, kind).then_some(Action::SessionReload),
        "resources reload" => Some(Action::ResourcesReload { reason: reason(reader, node, kind, "reload")? }),
        "policy change" => Some(Action::PolicyChange(Box::new(change(reader, node, agent)?))),
        "host change" => Some(Action::HostChange(Box::new(host_change(reader, node)?))),
        "register extractor" => register_extractor(reader, node),
        "query" => query(reader, node),
        "tool permission" => tool_permission(reader, node),
        "stage" => Some(Action::Stage(sessions::stage(reader, node)?)),
        "exchange trouble" => Some(Action::ExchangeTrouble(sessions::troubles(reader, node)?)),
        "clock" => Some(Action::Clock(sessions::duration(reader, node, "`clock`")?)),
        "serve" => nothing(reader, node, kind).then_some(Action::Serve),
        "kill" => nothing(reader, node, kind).then_some(Action::Kill),
        "subagent created" | "subagent disposed" => sessions::subagent(reader, kind, node),
        "register link" => sessions::link(reader, node),
        _ => None,
    }
}

/// The other fields that the host's own tools require are filled in, so that a short step is a call as the host would send it.
/// `find` stays without its pattern: it is an operand of its own (HARD-058), and a step that means one says so.
fn path_input(tool: &str, path: &str) -> Value {
    match tool {
        "write" => json!({ "path": path, "content": "text" }),
        "edit" => json!({ "path": path, "edits": [{ "oldText": "a", "newText": "b" }] }),
        "grep" => json!({ "pattern": "text", "path": path }),
        _ => json!({ "path": path }),
    }
}

fn tool(reader: &Reader, name: &str, node: &Node, short: impl Fn(&str) -> Value) -> Option<Action> {
    let input = if node.as_map().is_some() {
        node.to_json()
    } else if let Some(text) = node.as_text() {
        short(text)
    } else {
        let help = "put a text in quotes; another shape stands under `tool: { name, input }`".to_owned();
        reader.error(
            node.place,
            format!("`{name}` must be a text or the whole input as a map, this is {}", node.describe()),
            Some(help),
        );
        return None;
    };
    Some(Action::Tool { name: name.to_owned(), input })
}

fn any_tool(reader: &Reader, node: &Node) -> Option<Action> {
    let fields = reader.fields(node, "`tool`", &["name", "input"])?;
    let Some(name) = fields.get("name") else {
        reader.error(node.place, "`tool` needs a `name`", None);
        return None;
    };
    let input = fields.get("input").map_or_else(|| Value::Object(Map::new()), Node::to_json);
    Some(Action::Tool { name: reader.text(name, "`name`")?, input })
}

fn agent_start(reader: &Reader, node: &Node) -> Option<Action> {
    let fields = reader.fields(node, "`agent start`", &["system prompt", "active tools"])?;
    Some(Action::AgentStart {
        system_prompt: optional_text(reader, &fields, "system prompt"),
        active_tools: fields.get("active tools").and_then(|node| reader.texts(node, "`active tools`")),
    })
}

fn optional_text(reader: &Reader, fields: &Fields<'_>, key: &str) -> Option<String> {
    fields.get(key).filter(|node| !node.is_null()).and_then(|node| reader.text(node, &format!("`{key}`")))
}

fn reason(reader: &Reader, node: &Node, kind: &str, default: &str) -> Option<String> {
    let fields = reader.fields(node, &format!("`{kind}`"), &["reason"])?;
    Some(optional_text(reader, &fields, "reason").unwrap_or_else(|| default.to_owned()))
}

fn nothing(reader: &Reader, node: &Node, kind: &str) -> bool {
    node.is_null() || reader.fields(node, &format!("`{kind}`"), &[]).is_some()
}

fn change(reader: &Reader, node: &Node, agent: Option<&str>) -> Option<Change> {
    let fields = reader.fields(node, "`policy change`", &CHANGE_KEYS)?;
    let mut change = Change::default();
    if let Some(node) = fields.get("policy files") {
        change.texts = given::config_texts(reader, node);
    }
    if let Some(node) = fields.get("policy") {
        change.policy = given::policy(reader, node, agent, &mut change.texts);
    }
    policy_file::contradictions(reader, &fields);
    change.config = fields.get("config").and_then(|node| given::config(reader, node, "`config`"));
    change.project_config = fields.get("project config").and_then(|node| given::config(reader, node, "`project config`"));
    change.files = fields.get("files").map(|node| given::files(reader, node)).unwrap_or_default();
    for item in fields.get("remove").and_then(|node| reader.list(node, "`remove`")).unwrap_or_default() {
        if let Some(path) = reader.text(item, "a path")
            && given::check_path(reader, &path, item.place)
        {
            change.remove.push(path);
        }
    }
    if change == Change::default() {
        reader.error(node.place, "`policy change` changes nothing", None);
    }
    Some(change)
}

fn host_change(reader: &Reader, node: &Node) -> Option<HostChange> {
    let fields = reader.fields(node, "`host change`", &HOST_CHANGE_KEYS)?;
    let mut change = HostChange::default();
    if let Some(node) = fields.get("ui") {
        let off = node.is_null() || node.to_json() == Value::Bool(false);
        change.ui = if off { Some(None) } else { given::user_interface(reader, node).map(Some) };
    }
    if let Some(node) = fields.get("agent") {
        change.agent = reader.text_or_null(node, "`agent`");
    }
    change.tools = fields.get("tools").and_then(|node| given::tools(reader, node));
    change.active_tools = fields.get("active tools").and_then(|node| reader.texts(node, "`active tools`"));
    change.trusted = fields.get("trusted").and_then(|node| given::trusted(reader, node));
    change.session_id = fields.get("session id").and_then(|node| reader.text_or_null(node, "`session id`"));
    if let Some(node) = fields.get("env") {
        let entries = reader.entries(node, "`env`").unwrap_or_default();
        let variable =
            |entry: &Entry| Some((entry.key.to_string(), reader.text_or_null(&entry.value, &format!("`{}`", entry.key))?));
        change.env = entries.iter().filter_map(variable).collect();
    }
    if change == HostChange::default() {
        reader.error(node.place, "`host change` changes nothing", None);
    }
    Some(change)
}

fn register_extractor(reader: &Reader, node: &Node) -> Option<Action> {
    let fields = reader.fields(node, "`register extractor`", &["tool", "field", "fails"])?;
    let Some(tool) = fields.get("tool") else {
        reader.error(node.place, "`register extractor` needs a `tool`", None);
        return None;
    };
    let field = optional_text(reader, &fields, "field");
    let fails = optional_text(reader, &fields, "fails");
    if field.is_none() && fails.is_none() {
        reader.error(node.place, "`register extractor` needs a `field`", None);
    }
    Some(Action::RegisterExtractor { tool: reader.text(tool, "`tool`")?, field: field.unwrap_or_default(), fails })
}

fn query(reader: &Reader, node: &Node) -> Option<Action> {
    let fields = reader.fields(node, "`query`", &["surface", "value", "agent"])?;
    let Some(surface) = fields.get("surface") else {
        reader.error(node.place, "`query` needs a `surface`", None);
        return None;
    };
    Some(Action::Query {
        surface: reader.text(surface, "`surface`")?,
        value: optional_text(reader, &fields, "value"),
        agent: optional_text(reader, &fields, "agent"),
    })
}

fn tool_permission(reader: &Reader, node: &Node) -> Option<Action> {
    if let Some(tool) = node.as_text() {
        return Some(Action::ToolPermission { tool: tool.to_owned(), agent: None });
    }
    let fields = reader.fields(node, "`tool permission`", &["tool", "agent"])?;
    let Some(tool) = fields.get("tool") else {
        reader.error(node.place, "`tool permission` needs a `tool`", None);
        return None;
    };
    Some(Action::ToolPermission { tool: reader.text(tool, "`tool`")?, agent: optional_text(reader, &fields, "agent") })
}
