//! Reads expectations.

use serde_json::{Map, Value};

use super::given;
use super::reader::{Fields, Reader};
use crate::problem::did_you_mean;
use crate::scenario::words::{
    DEBUG_EVENTS, DECISION_MEMBERS, GATES, HARDENED_DEBUG_EVENTS, HARDENED_DECISION_MEMBERS, HARDENED_ORIGINS,
    HARDENED_RESOLUTIONS, HARDENED_REVIEW_EVENTS, ORIGINS, RESOLUTIONS, REVIEW_EVENTS, SOURCES, UI_PROMPT_MEMBERS,
};
use crate::scenario::{
    Action, By, EventExpectation, Expect, ListExpectation, NoticeExpectation, PromptExpectation, SystemPromptExpectation,
};
use crate::source::Place;
use crate::yaml::Node;

/// Keys of `expect`.
pub(crate) const EXPECT_KEYS: [&str; 23] = [
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
];
/// Keys of `by`.
pub(crate) const BY_KEYS: [&str; 8] = ["gate", "surface", "rule", "origin", "source", "resolution", "requirement", "value"];
/// Keys of a question.
pub(crate) const PROMPT_KEYS: [&str; 7] = ["surface", "value", "asks on", "contains", "lacks", "label", "options"];

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
    let fields = reader.fields(node, "`expect`", &EXPECT_KEYS)?;
    let mut expect = Expect { place, ..Expect::default() };
    expect.outcome = fields.get("outcome").and_then(|node| outcome(reader, node, action));
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
    Some(expect)
}

pub(crate) fn review_events() -> Vec<&'static str> {
    REVIEW_EVENTS.iter().chain(&HARDENED_REVIEW_EVENTS).copied().collect()
}

pub(crate) fn debug_events() -> Vec<&'static str> {
    DEBUG_EVENTS.iter().chain(&HARDENED_DEBUG_EVENTS).copied().collect()
}

fn outcome(reader: &Reader, node: &Node, action: &Action) -> Option<String> {
    let known = action.outcomes();
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
