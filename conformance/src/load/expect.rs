//! Reads expectations.

use serde_json::{Map, Value};

use super::reader::{Fields, Reader};
use super::{given, sessions};
use crate::problem::did_you_mean;
use crate::scenario::words::{
    DEBUG_EVENTS, DECISION_MEMBERS, GATES, HARDENED_DEBUG_EVENTS, HARDENED_DECISION_MEMBERS, HARDENED_ORIGINS,
    HARDENED_RESOLUTIONS, HARDENED_REVIEW_EVENTS, ORIGINS, RESOLUTIONS, REVIEW_EVENTS, SOURCES, UI_PROMPT_MEMBERS,
};
use crate::scenario::{
    Action, By, EventExpectation, Expect, ListExpectation, MessageExpectation, NoticeExpectation, PromptExpectation,
    SystemPromptExpectation,
};
use crate::source::Place;
use crate::yaml::Node;

/// Keys of `expect`.
pub(crate) const EXPECT_KEYS: [&str; 31] = [
    "outcome",
    "by",
    "reason",
    "reason lacks",
    "prompts",
    "notifications",
    "decisions",
    "ui prompts",
    "review log",
    "review log has",
    "review log lacks",
    "debug log",
    "debug log has",
    "debug log lacks",
    "session rules",
    "active tools",
    "tools listed",
    "skills listed",
    "system prompt",
    "status",
    "files written",
    "source",
    "pattern",
    "sessions",
    "messages",
    "exchange",
    "exchange has",
    "modes",
    "heartbeats",
    "took",
    "ready",
];
/// Keys of a message.
pub(crate) const MESSAGE_KEYS: [&str; 3] = ["request", "response", "without"];
/// Keys of `by`.
pub(crate) const BY_KEYS: [&str; 8] = ["gate", "surface", "rule", "origin", "source", "resolution", "requirement", "value"];
/// Keys of a question.
pub(crate) const PROMPT_KEYS: [&str; 8] = ["surface", "value", "asks on", "contains", "lacks", "label", "options", "offers"];

/// All resolutions of E.
pub(crate) fn resolutions() -> Vec<&'static str> {
    RESOLUTIONS.iter().chain(&HARDENED_RESOLUTIONS).copied().collect()
}

/// All origins.
pub(crate) fn origins() -> Vec<&'static str> {
    ORIGINS.iter().chain(&HARDENED_ORIGINS).copied().collect()
}

/// All members of E.
pub(crate) fn decision_members() -> Vec<&'static str> {
    DECISION_MEMBERS.iter().chain(&HARDENED_DECISION_MEMBERS).copied().collect()
}

pub(super) fn expect(reader: &Reader, node: &Node, action: &Action, place: Place) -> Option<Expect> {
    expect_with(reader, node, action.outcomes(), place, true)
}

/// Calls that happen meanwhile end in other sessions.
const OUTCOMES_ELSEWHERE: [&str; 4] = ["allow", "block", "continue", "handled"];
/// What is seen from outside of all sessions.
const OF_THE_WORLD: [&str; 8] =
    ["sessions", "messages", "exchange", "exchange has", "modes", "heartbeats", "took", "files written"];

fn expect_with(reader: &Reader, node: &Node, outcomes: &[&str], place: Place, whole: bool) -> Option<Expect> {
    let fields = reader.fields(node, "`expect`", &EXPECT_KEYS)?;
    let mut expect = Expect { place, ..Expect::default() };
    expect.outcome = fields.get("outcome").and_then(|node| outcome(reader, node, outcomes));
    expect.by = fields.get("by").and_then(|node| by(reader, node));
    let texts = |key: &str| fields.get(key).and_then(|node| reader.text_or_texts(node, &format!("`{key}`")));
    let list = |key: &str| fields.get(key).and_then(|node| reader.texts(node, &format!("`{key}`")));
    expect.reason = texts("reason").unwrap_or_default();
    expect.reason_lacks = texts("reason lacks").unwrap_or_default();
    expect.prompts = fields.get("prompts").and_then(|node| prompts(reader, node));
    expect.notifications = fields.get("notifications").and_then(|node| notifications(reader, node));
    expect.decisions = fields.get("decisions").and_then(|node| events(reader, node, "`decisions`", &decision_members()));
    expect.ui_prompts = fields.get("ui prompts").and_then(|node| events(reader, node, "`ui prompts`", &UI_PROMPT_MEMBERS));
    expect.review_log = log(reader, &fields, "review log", &review_events());
    expect.debug_log = log(reader, &fields, "debug log", &debug_events());
    expect.session_rules = fields.get("session rules").map(|node| given::grants(reader, node));
    expect.active_tools = list("active tools");
    expect.tools_listed = list("tools listed");
    expect.skills_listed = list("skills listed");
    expect.files_written = list("files written");
    expect.system_prompt = fields.get("system prompt").and_then(|node| system_prompt(reader, node));
    expect.status = fields.get("status").and_then(|node| reader.text_or_null(node, "`status`"));
    expect.source = fields.get("source").and_then(|node| reader.word(node, "`source`", &SOURCES));
    expect.pattern = fields.get("pattern").and_then(|node| reader.text_or_null(node, "`pattern`"));
    expect.ready = fields.get("ready").and_then(|node| events(reader, node, "`ready`", &["sessionId", "adjudicates"]));
    if whole {
        of_the_world(reader, &fields, &mut expect);
    } else {
        for key in OF_THE_WORLD.iter().filter(|key| fields.get(key).is_some()) {
            reader.error(fields.key_place(key), format!("`{key}` is no matter of one session"), None);
        }
    }
    Some(expect)
}

fn of_the_world(reader: &Reader, fields: &Fields<'_>, expect: &mut Expect) {
    for entry in fields.get("sessions").and_then(|node| reader.entries(node, "`sessions`")).unwrap_or_default() {
        let found = expect_with(reader, &entry.value, &OUTCOMES_ELSEWHERE, entry.place, false);
        expect.sessions.extend(found.map(|found| (entry.key.to_string(), found)));
    }
    if let Some(items) = fields.get("messages").and_then(|node| reader.list(node, "`messages`")) {
        expect.messages = Some(items.iter().filter_map(|item| message(reader, item)).collect());
    }
    let list = |key: &str| fields.get(key).and_then(|node| reader.texts(node, &format!("`{key}`")));
    expect.exchange = list("exchange");
    expect.heartbeats = list("heartbeats");
    for entry in fields.get("exchange has").and_then(|node| reader.entries(node, "`exchange has`")).unwrap_or_default() {
        let found = event(reader, &entry.value, "`exchange has`", &[]);
        expect.exchange_has.extend(found.map(|found| (entry.key.to_string(), found)));
    }
    if let Some(node) = fields.get("modes") {
        expect.modes = given::texts_by_name(reader, node, "`modes`");
    }
    if let Some(fields) = fields.get("took").and_then(|node| reader.fields(node, "`took`", &["at least", "less than"])) {
        let bound = |key: &str| fields.get(key).map(|node| sessions::duration(reader, node, &format!("`{key}`")));
        let at_least = bound("at least").unwrap_or(Some(0));
        let less_than = bound("less than").unwrap_or(Some(u64::MAX));
        expect.took = at_least.zip(less_than);
    }
}

fn message(reader: &Reader, node: &Node) -> Option<MessageExpectation> {
    if let Some(kind) = node.as_text() {
        let kind = reader.word(node, "a message", &["request", "response"]).filter(|known| known == kind)?;
        return Some(MessageExpectation { request: kind == "request", members: Map::new(), without: Vec::new() });
    }
    let fields = reader.fields(node, "a message", &MESSAGE_KEYS)?;
    let without = fields.get("without").and_then(|node| reader.texts(node, "`without`")).unwrap_or_default();
    let (request, members) = match (fields.get("request"), fields.get("response")) {
        (Some(members), None) => (true, members),
        (None, Some(members)) => (false, members),
        _ => {
            reader.error(node.place, "a message is a `request` or a `response`", None);
            return None;
        }
    };
    Some(MessageExpectation { request, members: reader.object(members, "a message")?, without })
}

pub(crate) fn review_events() -> Vec<&'static str> {
    REVIEW_EVENTS.iter().chain(&HARDENED_REVIEW_EVENTS).copied().collect()
}

pub(crate) fn debug_events() -> Vec<&'static str> {
    DEBUG_EVENTS.iter().chain(&HARDENED_DEBUG_EVENTS).copied().collect()
}

fn outcome(reader: &Reader, node: &Node, known: &[&str]) -> Option<String> {
    if known.is_empty() {
        reader.error(node.place, "this step has no outcome", Some("calls, inputs and queries have one".into()));
        return None;
    }
    reader.word(node, "the outcome of this step", known)
}

fn by(reader: &Reader, node: &Node) -> Option<By> {
    let fields = reader.fields(node, "`by`", &BY_KEYS)?;
    let text = |key: &str| fields.get(key).and_then(|node| reader.text(node, &format!("`{key}`")));
    let mut by = By { surface: text("surface"), value: text("value"), requirement: text("requirement"), ..By::default() };
    by.gate = fields.get("gate").and_then(|node| reader.word(node, "`gate`", &GATES));
    by.rule = fields.get("rule").and_then(|node| reader.text_or_null(node, "`rule`"));
    by.source = fields.get("source").and_then(|node| reader.word(node, "`source`", &SOURCES));
    by.resolution = fields.get("resolution").and_then(|node| reader.word(node, "`resolution`", &resolutions()));
    by.origin = fields
        .get("origin")
        .and_then(|node| if node.is_null() { Some(None) } else { reader.word(node, "`origin`", &origins()).map(Some) });
    if node.as_map().is_some_and(<[_]>::is_empty) {
        reader.error(node.place, "`by` names nothing", Some(format!("any of: {}", BY_KEYS.join(", "))));
    }
    Some(by)
}

fn prompts(reader: &Reader, node: &Node) -> Option<Vec<PromptExpectation>> {
    Some(reader.list(node, "`prompts`")?.iter().filter_map(|item| prompt(reader, item)).collect())
}

fn prompt(reader: &Reader, node: &Node) -> Option<PromptExpectation> {
    if node.as_map().is_none() {
        let contains = reader.text_or_texts(node, "a prompt")?;
        return Some(PromptExpectation { contains, ..PromptExpectation::default() });
    }
    let fields = reader.fields(node, "a prompt", &PROMPT_KEYS)?;
    let texts = |key: &str| fields.get(key).and_then(|node| reader.text_or_texts(node, &format!("`{key}`")));
    let text = |key: &str| fields.get(key).and_then(|node| reader.text(node, &format!("`{key}`")));
    Some(PromptExpectation {
        surface: fields.get("surface").and_then(|node| reader.text_or_null(node, "`surface`")),
        value: fields.get("value").and_then(|node| reader.text_or_null(node, "`value`")),
        asks_on: text("asks on"),
        contains: texts("contains").unwrap_or_default(),
        lacks: texts("lacks").unwrap_or_default(),
        label: text("label"),
        options: fields.get("options").and_then(|node| number(reader, node, "`options`")),
        offers: texts("offers").unwrap_or_default(),
    })
}

fn number(reader: &Reader, node: &Node, what: &str) -> Option<u64> {
    let number = node.to_json().as_u64();
    if number.is_none() {
        reader.error(node.place, format!("{what} must be a whole number, this is {}", node.describe()), None);
    }
    number
}

fn notifications(reader: &Reader, node: &Node) -> Option<NoticeExpectation> {
    if node.as_list().is_some() {
        return reader.texts(node, "`notifications`").map(NoticeExpectation::Contain);
    }
    match node.to_json().as_u64() {
        Some(count) => Some(NoticeExpectation::Count(count)),
        None => {
            reader.error(node.place, "`notifications` must be a number or a list of texts", None);
            None
        }
    }
}

fn events(reader: &Reader, node: &Node, what: &str, members: &[&str]) -> Option<Vec<EventExpectation>> {
    Some(reader.list(node, what)?.iter().filter_map(|item| event(reader, item, what, members)).collect())
}

fn event(reader: &Reader, node: &Node, what: &str, members: &[&str]) -> Option<EventExpectation> {
    let item = format!("an item of {what}");
    if !members.is_empty() {
        let fields = reader.fields(node, &item, members)?;
        if let Some(resolution) = fields.get("resolution") {
            reader.word(resolution, "`resolution`", &resolutions());
        }
        if let Some(result) = fields.get("result") {
            reader.word(result, "`result`", &["allow", "deny"]);
        }
        if let Some(origin) = fields.get("origin").filter(|node| !node.is_null()) {
            reader.word(origin, "`origin`", &origins());
        }
        if let Some(gate) = fields.get("gate") {
            reader.word(gate, "`gate`", &GATES);
        }
    }
    let members: Map<String, Value> = reader.object(node, &item)?;
    if members.is_empty() {
        reader.error(node.place, format!("{item} names no member"), None);
    }
    Some(EventExpectation { members })
}

fn log(reader: &Reader, fields: &Fields<'_>, key: &str, names: &[&str]) -> ListExpectation {
    let lines = |node: &Node, what: &str| -> Vec<EventExpectation> {
        reader.list(node, what).unwrap_or_default().iter().filter_map(|item| line(reader, item, what, names)).collect()
    };
    let has = format!("{key} has");
    let lacks = format!("{key} lacks");
    ListExpectation {
        exactly: fields.get(key).map(|node| lines(node, &format!("`{key}`"))),
        has: fields.get(&has).map(|node| lines(node, &format!("`{has}`"))).unwrap_or_default(),
        lacks: fields
            .get(&lacks)
            .and_then(|node| reader.list(node, &format!("`{lacks}`")))
            .unwrap_or_default()
            .iter()
            .filter_map(|item| reader.word(item, "an event of the log", names))
            .collect(),
    }
}

/// A line is a map with members, or the event's name alone.
fn line(reader: &Reader, node: &Node, what: &str, names: &[&str]) -> Option<EventExpectation> {
    if node.as_map().is_none() {
        let name = reader.word(node, "the event of a line", names)?;
        return Some(EventExpectation { members: Map::from_iter([("event".to_owned(), Value::String(name))]) });
    }
    if let Some(name) = node.get("event") {
        reader.word(name, "the event of a line", names);
    }
    event(reader, node, what, &[])
}

fn system_prompt(reader: &Reader, node: &Node) -> Option<SystemPromptExpectation> {
    if let Some(word) = node.as_text() {
        if word == "unchanged" {
            return Some(SystemPromptExpectation::Unchanged);
        }
        reader.error(node.place, format!("`system prompt` cannot be `{word}`"), did_you_mean(word, ["unchanged"]));
        return None;
    }
    let fields = reader.fields(node, "`system prompt`", &["contains", "lacks"])?;
    let texts = |key: &str| fields.get(key).and_then(|node| reader.text_or_texts(node, &format!("`{key}`"))).unwrap_or_default();
    Some(SystemPromptExpectation::Texts { contains: texts("contains"), lacks: texts("lacks") })
}
