//! Reads what concerns several sessions and the folders between them.

use serde_json::{Map, Value};

use super::reader::{Fields, Reader};
use super::{given, policy_file, steps};
use crate::problem::did_you_mean;
use crate::scenario::{
    Action, ExchangeTrouble, GivenSession, LinkAnswer, Meanwhile, Staged, StagedContent, StagedMessage, parse_duration,
};
use crate::source::Place;
use crate::yaml::{Entry, Node};

/// Keys of one session.
pub(crate) const SESSION_KEYS: [&str; 13] =
    ["id", "child of", "process", "ui", "agent", "trusted", "cwd", "folder", "policy", "env", "tools", "session rules", "waits"];
/// Keys of what is staged, one each; `times`, `without` stand beside one.
pub(crate) const STAGED_KEYS: [&str; 9] =
    ["request", "response", "json", "text", "hex", "symlink", "directory", "moved to", "absent"];
/// Keys beside the kind of what is staged.
pub(crate) const STAGED_SIDE_KEYS: [&str; 2] = ["without", "times"];
/// Keys of `exchange trouble`.
pub(crate) const TROUBLE_KEYS: [&str; 4] = ["operation", "on", "error", "times"];
/// Side keys of a step in the midst of another one.
pub(crate) const MEANWHILE_KEY: &str = "after";

/// Reads `sessions` of `given`.
pub(super) fn sessions(reader: &Reader, node: &Node) -> Vec<GivenSession> {
    let Some(entries) = reader.entries(node, "`sessions`") else { return Vec::new() };
    if entries.is_empty() {
        reader.error(node.place, "`sessions` names no session", None);
    }
    let mut sessions: Vec<GivenSession> = Vec::new();
    for entry in entries {
        let Some(session) = session(reader, entry) else { continue };
        if let Some(parent) = &session.child_of
            && !sessions.iter().any(|known| known.name == *parent)
        {
            let names = entries.iter().map(|entry| &*entry.key);
            let help = did_you_mean(parent, names).or_else(|| Some("a parent stands before its children".into()));
            reader.error(entry.place, format!("no session before this one is named `{parent}`"), help);
        }
        if session.policy.is_some()
            && let Some(other) = sessions.iter().find(|known| known.directory() == session.directory() && known.policy.is_some())
        {
            let message = format!("the rules of `{}` and `{}` stand in the same project", other.name, session.name);
            reader.error(entry.place, message, Some("give one of them another `cwd`".into()));
        }
        sessions.push(session);
    }
    sessions
}

/// Names are ids too, and folders: they keep to what every encoding leaves alone.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
}

fn session(reader: &Reader, entry: &Entry) -> Option<GivenSession> {
    let mut session = GivenSession { name: entry.key.to_string(), ..GivenSession::default() };
    if !is_name(&session.name) {
        let help = "use small letters, digits and `-`; another session id stands under `id`".to_owned();
        reader.error(entry.place, format!("`{}` is no name of a session", session.name), Some(help));
    }
    let fields = reader.fields(&entry.value, "a session", &SESSION_KEYS)?;
    let text = |key: &str| fields.get(key).and_then(|node| reader.text(node, &format!("`{key}`")));
    session.id = fields.get("id").and_then(|node| reader.text_or_null(node, "`id`"));
    session.child_of = text("child of");
    session.process = text("process");
    session.ui = fields.get("ui").and_then(|node| given::user_interface(reader, node));
    session.agent = text("agent");
    session.trusted = fields.get("trusted").and_then(|node| given::trusted(reader, node));
    match fields.get("folder") {
        Some(node) if node.as_map().is_some() => {
            let fields = reader.fields(node, "`folder`", &["fail"]);
            let fails = fields.and_then(|fields| fields.get("fail"));
            session.folder_fails = fails.and_then(|node| reader.text(node, "the text of a failure"));
        }
        _ => session.folder = text("folder"),
    }
    session.cwd = text("cwd");
    if let Some(cwd) = &session.cwd {
        let place = fields.key_place("cwd");
        if cwd != "${CWD}" && cwd != "${HOME}" {
            given::check_path(reader, cwd, place);
        }
    }
    if let Some(named) = fields.get("policy").and_then(|node| policy_file::named(reader, node)) {
        reader.error(named.place, "the rules of a session stand here, not in a file", None);
    }
    session.policy = fields.get("policy").and_then(|node| given::surfaces(reader, node, "the rules of a session"));
    session.env = fields.get("env").map(|node| given::texts_by_name(reader, node, "`env`")).unwrap_or_default();
    session.tools = fields.get("tools").and_then(|node| given::tools(reader, node));
    session.session_rules = fields.get("session rules").map(|node| given::grants(reader, node)).unwrap_or_default();
    session.waits = fields.get("waits").and_then(|node| reader.flag(node, "`waits`")).unwrap_or_default();
    Some(session)
}

/// Reads `stage`.
pub(super) fn stage(reader: &Reader, node: &Node) -> Option<Vec<Staged>> {
    let entries = reader.entries(node, "`stage`")?;
    if entries.is_empty() {
        reader.error(node.place, "`stage` puts nothing anywhere", None);
    }
    Some(entries.iter().filter_map(|entry| staged(reader, entry)).collect())
}

fn staged(reader: &Reader, entry: &Entry) -> Option<Staged> {
    let path = entry.key.to_string();
    let parts_are_fine = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    if !parts_are_fine || path.contains(['\\', '\0']) {
        let help = "write it as `SESSION/requests/NAME.json`, relative to the folder of all sessions".to_owned();
        reader.error(entry.place, format!("`{path}` is no path in the shared folders"), Some(help));
        return None;
    }
    let place = entry.place;
    if entry.value.is_null() {
        return Some(Staged { path, content: StagedContent::Absent, place });
    }
    if let Some(text) = entry.value.as_text() {
        let content = StagedContent::Text { text: text.to_owned(), times: 1 };
        return Some(Staged { path, content, place });
    }
    let known: Vec<&str> = STAGED_KEYS.iter().chain(&STAGED_SIDE_KEYS).copied().collect();
    let fields = reader.fields(&entry.value, "what is staged", &known)?;
    let kinds: Vec<&str> = STAGED_KEYS.into_iter().filter(|key| fields.get(key).is_some()).collect();
    let [kind] = kinds.as_slice() else {
        let help = Some(format!("exactly one of: {}", STAGED_KEYS.join(", ")));
        reader.error(entry.value.place, "what is staged must be one thing", help);
        return None;
    };
    let content = content(reader, kind, &fields)?;
    Some(Staged { path, content, place })
}

fn content(reader: &Reader, kind: &str, fields: &Fields<'_>) -> Option<StagedContent> {
    let node = fields.get(kind)?;
    let what = format!("`{kind}`");
    Some(match kind {
        "request" => StagedContent::Request(message(reader, node, fields)?),
        "response" => StagedContent::Response(message(reader, node, fields)?),
        "json" => StagedContent::Json(node.to_json()),
        "text" => StagedContent::Text { text: reader.text(node, &what)?, times: times(reader, fields) },
        "hex" => StagedContent::Bytes(bytes(reader, node)?),
        "symlink" => StagedContent::Symlink(reader.name(node, &what)?),
        "moved to" => StagedContent::MovedTo(reader.name(node, &what)?),
        "directory" => reader.flag(node, &what)?.then_some(StagedContent::Directory)?,
        _ => reader.flag(node, &what)?.then_some(StagedContent::Absent)?,
    })
}

fn message(reader: &Reader, node: &Node, fields: &Fields<'_>) -> Option<StagedMessage> {
    let members = reader.object(node, "a message")?;
    let without = fields.get("without").and_then(|node| reader.texts(node, "`without`")).unwrap_or_default();
    Some(StagedMessage { members, without })
}

fn times(reader: &Reader, fields: &Fields<'_>) -> u64 {
    let Some(node) = fields.get("times") else { return 1 };
    match node.to_json().as_u64() {
        Some(times) if times <= 1_000_000 => times,
        _ => {
            reader.error(node.place, "`times` must be a whole number up to a million", None);
            1
        }
    }
}

fn bytes(reader: &Reader, node: &Node) -> Option<Vec<u8>> {
    let text = reader.text(node, "`hex`")?;
    let digits: Vec<u32> =
        text.chars().filter(|letter| !letter.is_whitespace()).filter_map(|letter| letter.to_digit(16)).collect();
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() || text.chars().any(|letter| !letter.is_whitespace() && !letter.is_ascii_hexdigit()) {
        reader.error(node.place, "`hex` must be pairs of hexadecimal digits", None);
        return None;
    }
    Some(pairs.iter().filter_map(|[high, low]| u8::try_from(high * 16 + low).ok()).collect())
}

/// Reads `clock` and every other span of time.
pub(super) fn duration(reader: &Reader, node: &Node, what: &str) -> Option<u64> {
    let text = reader.text(node, what)?;
    let found = parse_duration(text.strip_prefix('+').unwrap_or(&text));
    if found.is_none() {
        let help = "write `250ms`, `2s`, `11m` or `1h`; at most 30 days".to_owned();
        reader.error(node.place, format!("{what} cannot be `{text}`"), Some(help));
    }
    found
}

/// Reads `exchange trouble`.
pub(super) fn troubles(reader: &Reader, node: &Node) -> Option<Vec<ExchangeTrouble>> {
    let items = reader.list(node, "`exchange trouble`")?;
    Some(items.iter().filter_map(|item| trouble(reader, item)).collect())
}

fn trouble(reader: &Reader, node: &Node) -> Option<ExchangeTrouble> {
    let fields = reader.fields(node, "a trouble", &TROUBLE_KEYS)?;
    let Some(operation) = fields.get("operation") else {
        reader.error(node.place, "a trouble needs an `operation`", None);
        return None;
    };
    let error = fields
        .get("error")
        .map_or_else(|| Some("transient".to_owned()), |node| reader.word(node, "`error`", &ExchangeTrouble::ERRORS));
    Some(ExchangeTrouble {
        operation: reader.word(operation, "`operation`", &ExchangeTrouble::OPERATIONS)?,
        on: fields.get("on").and_then(|node| reader.text(node, "`on`")).unwrap_or_default(),
        error: error?,
        times: times(reader, &fields),
    })
}

/// Reads `register link`.
pub(super) fn link(reader: &Reader, node: &Node) -> Option<Action> {
    let fields = reader.fields(node, "`register link`", &["name", "answers"])?;
    let (Some(name), Some(answers)) = (fields.get("name"), fields.get("answers")) else {
        reader.error(node.place, "`register link` needs a `name` and `answers`", None);
        return None;
    };
    let items = reader.list(answers, "`answers`")?;
    let answers: Vec<LinkAnswer> = items.iter().filter_map(|item| link_answer(reader, item)).collect();
    if items.is_empty() {
        reader.error(fields.key_place("answers"), "a link says something", None);
    }
    Some(Action::RegisterLink { name: reader.text(name, "`name`")?, answers })
}

fn link_answer(reader: &Reader, node: &Node) -> Option<LinkAnswer> {
    if node.as_map().is_none() {
        return Some(match &*reader.word(node, "what a link says", &["allow", "defer"])? {
            "allow" => LinkAnswer::Allow,
            _ => LinkAnswer::Defer,
        });
    }
    let fields = reader.fields(node, "what a link says", &["deny", "fail"])?;
    match (fields.get("deny"), fields.get("fail")) {
        (Some(reason), None) => Some(LinkAnswer::Deny(reader.text(reason, "the reason of a deny")?)),
        (None, Some(text)) => Some(LinkAnswer::Fail(reader.text(text, "the text of a failure")?)),
        _ => {
            reader.error(node.place, "a link says `allow`, `defer`, `{ deny: reason }` or `{ fail: text }`", None);
            None
        }
    }
}

/// Reads `meanwhile`: steps with `after`, without expectations.
pub(super) fn meanwhile(reader: &Reader, node: &Node, agent: Option<&str>) -> Vec<Meanwhile> {
    let Some(items) = reader.list(node, "`meanwhile`") else { return Vec::new() };
    items.iter().filter_map(|item| one_meanwhile(reader, item, agent)).collect()
}

fn one_meanwhile(reader: &Reader, node: &Node, agent: Option<&str>) -> Option<Meanwhile> {
    let entries = reader.entries(node, "what happens meanwhile")?;
    let Some(after) = entries.iter().find(|entry| &*entry.key == MEANWHILE_KEY) else {
        reader.error(node.place, "what happens meanwhile needs `after`: how long after the step began", None);
        return None;
    };
    let after_ms = duration(reader, &after.value, "`after`")?;
    for entry in entries.iter().filter(|entry| matches!(&*entry.key, "expect" | "meanwhile")) {
        let help = "what it leads to is expected of the step that it happens in, under `sessions`".to_owned();
        reader.error(entry.place, format!("what happens meanwhile has no `{}`", entry.key), Some(help));
    }
    let rest: Vec<Entry> = entries.iter().filter(|entry| &*entry.key != MEANWHILE_KEY).cloned().collect();
    let node = Node { yaml: crate::yaml::Yaml::Map(rest), ..node.clone() };
    let step = steps::step(reader, &node, agent)?;
    Some(Meanwhile { after_ms, step })
}

/// Reads `subagent created` and `subagent disposed`: a payload, or the names of child and parent.
pub(super) fn subagent(reader: &Reader, kind: &str, node: &Node) -> Option<Action> {
    let created = kind == "subagent created";
    let fields = reader.fields(node, &format!("`{kind}`"), &["payload", "child", "parent"])?;
    if let Some(payload) = fields.get("payload") {
        return Some(Action::Subagent { created, payload: payload.to_json() });
    }
    let Some(child) = fields.get("child") else {
        reader.error(node.place, format!("`{kind}` needs the id of a `child`, or a whole `payload`"), None);
        return None;
    };
    let mut payload = Map::new();
    payload.insert("sessionId".into(), Value::String(reader.text(child, "`child`")?));
    if let Some(parent) = fields.get("parent") {
        payload.insert("parentSessionId".into(), Value::String(reader.text(parent, "`parent`")?));
    }
    Some(Action::Subagent { created, payload: Value::Object(payload) })
}

/// What makes no sense about sessions, step by step.
pub(super) fn check(reader: &Reader, sessions: &[GivenSession], steps: &[crate::scenario::Step]) {
    for step in steps {
        one_step(reader, sessions, step, step.place);
        for meanwhile in &step.meanwhile {
            one_step(reader, sessions, &meanwhile.step, meanwhile.step.place);
        }
        for (name, _) in step.expect.iter().flat_map(|expect| &expect.sessions) {
            known(reader, sessions, name, step.place);
        }
    }
}

fn known(reader: &Reader, sessions: &[GivenSession], name: &str, place: Place) {
    if !sessions.iter().any(|session| session.name == name) {
        let help = did_you_mean(name, sessions.iter().map(|session| session.name.as_str()));
        reader.error(place, format!("no session is named `{name}`"), help);
    }
}

fn one_step(reader: &Reader, sessions: &[GivenSession], step: &crate::scenario::Step, place: Place) {
    match (&step.session, sessions) {
        (Some(name), []) => {
            let help = Some("name the sessions under `given.sessions`".to_owned());
            reader.error(place, format!("the step happens in `{name}`, and the world has one nameless session"), help);
        }
        (Some(name), _) => known(reader, sessions, name, place),
        (None, [_, _, ..]) if step.action.is_in_a_session() => {
            let names: Vec<&str> = sessions.iter().map(|session| session.name.as_str()).collect();
            reader.error(place, "the step says not in which session it happens", Some(format!("in: {}", names.join(" or "))));
        }
        (None, []) if step.action.is_about_sessions() => {
            let help = Some("name the sessions under `given.sessions`".to_owned());
            reader.error(place, "such a step needs a world with named sessions", help);
        }
        _ => {}
    }
}
