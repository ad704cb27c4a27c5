//! Expected against observed. A scenario's texts are filled with the real places first; what people read shows places again.

mod sessions;
mod texts;

use std::borrow::Borrow;
use std::path::PathBuf;

use portcullis_test_fixtures::{LogLine, Tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::implementation::{ExchangeView, Observation, ObservedPrompt, Places, listed_skills, listed_tools};
use crate::scenario::{
    By, EventExpectation, Expect, ListExpectation, NoticeExpectation, PromptExpectation, SystemPromptExpectation,
};

pub use texts::Texts;

/// One expectation that was not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mismatch {
    /// The key of `expect`.
    pub what: String,
    /// What was expected.
    pub expected: String,
    /// What was seen.
    pub got: String,
}

/// What the runner itself saw of a step.
#[derive(Debug, Clone, Default)]
pub struct Witnessed<'w> {
    /// Paths that were created or changed, when it was looked.
    pub files_written: Option<Vec<String>>,
    /// The system prompt that was sent, for an agent start.
    pub sent_prompt: Option<String>,
    /// What stands in the shared folders, when it was looked.
    pub exchange: Option<WitnessedExchange<'w>>,
}

/// What stands in the shared folders.
#[derive(Debug, Clone)]
pub struct WitnessedExchange<'w> {
    /// The names.
    pub view: ExchangeView,
    /// Where they are.
    pub root: PathBuf,
    /// The files that they are part of.
    pub tree: &'w dyn Tree,
}

/// Everything in `expect` that the observation does not meet.
pub fn compare(expect: &Expect, seen: &Observation, witnessed: &Witnessed<'_>, places: &Places) -> Vec<Mismatch> {
    let mut comparison = Comparison { texts: Texts::new(places), found: Vec::new() };
    comparison.outcome(expect, seen);
    comparison.prompts(expect.prompts.as_deref(), &seen.prompts);
    comparison.notifications(expect.notifications.as_ref(), &seen.notifications);
    comparison.events("decisions", expect.decisions.as_deref(), &seen.decisions);
    comparison.events("ui prompts", expect.ui_prompts.as_deref(), &seen.ui_prompts);
    comparison.log("review log", &expect.review_log, &seen.review_log);
    comparison.log("debug log", &expect.debug_log, &seen.debug_log);
    comparison.state(expect, seen, witnessed);
    comparison.events("ready", expect.ready.as_deref(), &seen.ready);
    comparison.messages(expect, seen);
    comparison.took(expect, seen);
    if let Some(exchange) = &witnessed.exchange {
        comparison.exchange(expect, exchange);
    }
    for (name, expect) in &expect.sessions {
        let nothing = Observation::default();
        let seen = seen.sessions.get(name).unwrap_or(&nothing);
        let inner = compare(expect, seen, &Witnessed::default(), places);
        comparison.found.extend(inner.into_iter().map(|miss| Mismatch { what: format!("{name}: {}", miss.what), ..miss }));
    }
    comparison.found
}

struct Comparison<'a> {
    texts: Texts<'a>,
    found: Vec<Mismatch>,
}

fn or_null(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), str::to_owned)
}

impl Comparison<'_> {
    fn miss(&mut self, what: impl Into<String>, expected: impl Into<String>, got: impl Into<String>) {
        let got = self.texts.places().collapse(&got.into());
        self.found.push(Mismatch { what: what.into(), expected: expected.into(), got });
    }

    fn text(&mut self, what: &str, expected: Option<&str>, got: Option<&str>) {
        let same = match (expected, got) {
            (None, None) => true,
            (Some(expected), Some(got)) => self.texts.equal(expected, got),
            _ => false,
        };
        if !same {
            self.miss(what, or_null(expected), or_null(got));
        }
    }

    fn outcome(&mut self, expect: &Expect, seen: &Observation) {
        if let Some(expected) = &expect.outcome {
            self.text("outcome", Some(expected), seen.outcome.as_deref());
        }
        if let Some(by) = &expect.by {
            self.by(by, seen);
        }
        let reason = seen.reason.as_deref().unwrap_or_default();
        for expected in &expect.reason {
            if !self.texts.contained(expected, reason) {
                self.miss("reason", format!("contains: {expected}"), reason);
            }
        }
        for lacking in &expect.reason_lacks {
            if self.texts.contained(lacking, reason) {
                self.miss("reason lacks", format!("does not contain: {lacking}"), reason);
            }
        }
        if let Some(expected) = &expect.source {
            self.text("source", Some(expected), seen.source.as_deref());
        }
        if let Some(expected) = &expect.pattern {
            self.text("pattern", expected.as_deref(), seen.pattern.as_deref());
        }
    }

    fn by(&mut self, by: &By, seen: &Observation) {
        let got = seen.by.clone().unwrap_or_default();
        let plain = [
            ("by.gate", &by.gate, &got.gate),
            ("by.surface", &by.surface, &got.surface),
            ("by.source", &by.source, &got.source),
            ("by.resolution", &by.resolution, &got.resolution),
            ("by.value", &by.value, &got.value),
        ];
        for (what, expected, got) in plain {
            if let Some(expected) = expected {
                self.text(what, Some(expected), got.as_deref());
            }
        }
        if let Some(expected) = &by.rule {
            self.text("by.rule", expected.as_deref(), got.rule.as_deref());
        }
        if let Some(expected) = &by.origin {
            self.text("by.origin", expected.as_deref(), got.origin.as_deref());
        }
        if let Some(expected) = &by.requirement
            && !seen.tightenings.iter().any(|tightening| tightening.requirement == *expected)
        {
            let named: Vec<&str> = seen.tightenings.iter().map(|tightening| tightening.requirement.as_str()).collect();
            let got = if named.is_empty() { "the trace names no tightening".to_owned() } else { named.join(", ") };
            self.miss("by.requirement", expected, got);
        }
    }

    fn prompts(&mut self, expected: Option<&[PromptExpectation]>, got: &[ObservedPrompt]) {
        let Some(expected) = expected else { return };
        if expected.len() != got.len() {
            let shown: Vec<String> = got.iter().map(|prompt| prompt.message.clone()).collect();
            let wanted: Vec<String> = expected.iter().map(|prompt| prompt.contains.join(" … ")).collect();
            self.miss("prompts", counted(&wanted), counted(&shown));
            return;
        }
        for (index, (expected, got)) in expected.iter().zip(got).enumerate() {
            self.prompt(&format!("prompts[{index}]"), expected, got);
        }
    }

    fn prompt(&mut self, what: &str, expected: &PromptExpectation, got: &ObservedPrompt) {
        if let Some(surface) = &expected.surface {
            self.text(&format!("{what}.surface"), surface.as_deref(), got.surface.as_deref());
        }
        if let Some(value) = &expected.value {
            self.text(&format!("{what}.value"), value.as_deref(), got.value.as_deref());
        }
        if let Some(surface) = &expected.asks_on {
            self.text(&format!("{what}.asks on"), Some(surface), got.asks_on.as_deref());
        }
        for text in &expected.contains {
            if !self.texts.contained(text, &got.message) && !self.texts.contained(text, &got.full_message) {
                self.miss(what, format!("contains: {text}"), format!("{}\n{}", got.message, got.full_message).trim_end());
            }
        }
        for text in &expected.lacks {
            if self.texts.contained(text, &got.message) {
                self.miss(what, format!("does not contain: {text}"), &got.message);
            }
        }
        if let Some(label) = &expected.label {
            let seen = got.session_label.as_deref().unwrap_or_default();
            if !self.texts.contained(label, seen) {
                self.miss(format!("{what}.label"), format!("contains: {label}"), seen);
            }
        }
        let offered = got.options.len() == expected.offers.len()
            && expected.offers.iter().zip(&got.options).all(|(offer, option)| self.texts.contained(offer, option));
        if !expected.offers.is_empty() && !offered {
            self.miss(format!("{what}.offers"), expected.offers.join(" | "), got.options.join(" | "));
        }
        if let Some(options) = expected.options
            && usize::try_from(options) != Ok(got.options.len())
        {
            self.miss(format!("{what}.options"), options.to_string(), got.options.join(" | "));
        }
    }

    fn notifications(&mut self, expected: Option<&NoticeExpectation>, got: &[String]) {
        let (same, wanted) = match expected {
            None => return,
            Some(NoticeExpectation::Count(count)) => (usize::try_from(*count) == Ok(got.len()), count.to_string()),
            Some(NoticeExpectation::Contain(texts)) => {
                let each = texts.iter().zip(got).all(|(text, got)| self.texts.contained(text, got));
                (each && texts.len() == got.len(), counted(texts))
            }
        };
        if !same {
            self.miss("notifications", wanted, counted(got));
        }
    }

    fn events(&mut self, what: &str, expected: Option<&[EventExpectation]>, got: &[impl Borrow<Value>]) {
        let Some(expected) = expected else { return };
        let same = expected.len() == got.len()
            && expected.iter().zip(got).all(|(expected, got)| self.texts.members(&expected.members, got.borrow()));
        if !same {
            // Only the members that are compared are shown, so that the diff holds nothing else.
            let shown = got.iter().enumerate().map(|(index, got)| match expected.get(index) {
                Some(expected) => only(got.borrow(), &expected.members),
                None => got.borrow().clone(),
            });
            let shown: Vec<Value> = shown.collect();
            let wanted: Vec<Value> = expected.iter().map(|event| Value::Object(event.members.clone())).collect();
            self.miss(what, lines(&wanted), lines(&shown));
        }
    }

    fn log(&mut self, what: &str, expected: &ListExpectation, got: &[LogLine]) {
        self.events(what, expected.exactly.as_deref(), got);
        for line in &expected.has {
            if !got.iter().any(|got| self.texts.members(&line.members, got)) {
                let wanted = Value::Object(line.members.clone()).to_string();
                self.miss(format!("{what} has"), wanted, lines(&got.iter().map(|line| brief(line)).collect::<Vec<_>>()));
            }
        }
        for name in &expected.lacks {
            let named: Vec<Value> = got
                .iter()
                .filter(|line| line.get("event").and_then(Value::as_str) == Some(name))
                .map(|line| brief(line))
                .collect();
            if !named.is_empty() {
                self.miss(format!("{what} lacks"), format!("no {name}"), lines(&named));
            }
        }
    }

    fn names(&mut self, what: &str, expected: Option<&[String]>, got: Option<&[String]>) {
        let Some(expected) = expected else { return };
        let got = got.unwrap_or_default();
        if expected.len() != got.len() || !expected.iter().zip(got).all(|(expected, got)| self.texts.equal(expected, got)) {
            self.miss(what, expected.join("\n"), got.join("\n"));
        }
    }

    fn state(&mut self, expect: &Expect, seen: &Observation, witnessed: &Witnessed) {
        if let Some(expected) = &expect.session_rules {
            let show = |surface: &str, pattern: &str| format!("{surface}: {pattern}");
            let wanted: Vec<String> = expected.iter().map(|grant| show(&grant.surface, &grant.pattern)).collect();
            let got: Vec<String> =
                seen.session_rules.iter().flatten().map(|grant| show(&grant.surface, &grant.pattern)).collect();
            self.names("session rules", Some(&wanted), Some(&got));
        }
        self.names("active tools", expect.active_tools.as_deref(), seen.active_tools.as_deref());
        let prompt = seen.system_prompt.as_deref().or(witnessed.sent_prompt.as_deref()).unwrap_or_default();
        if expect.tools_listed.is_some() {
            self.names("tools listed", expect.tools_listed.as_deref(), Some(&listed_tools(prompt)));
        }
        if expect.skills_listed.is_some() {
            self.names("skills listed", expect.skills_listed.as_deref(), Some(&listed_skills(prompt)));
        }
        self.system_prompt(expect.system_prompt.as_ref(), seen);
        if let Some(expected) = &expect.status {
            let got = seen.status.values().last().cloned().flatten();
            self.text("status", expected.as_deref(), got.as_deref());
        }
        if expect.files_written.is_some() {
            self.names("files written", expect.files_written.as_deref(), witnessed.files_written.as_deref());
        }
    }

    fn system_prompt(&mut self, expected: Option<&SystemPromptExpectation>, seen: &Observation) {
        match expected {
            None => {}
            Some(SystemPromptExpectation::Unchanged) => {
                if let Some(prompt) = &seen.system_prompt {
                    self.miss("system prompt", "unchanged", prompt);
                }
            }
            Some(SystemPromptExpectation::Texts { contains, lacks }) => {
                let prompt = seen.system_prompt.as_deref().unwrap_or_default();
                for text in contains {
                    if !self.texts.contained(text, prompt) {
                        self.miss("system prompt", format!("contains: {text}"), prompt);
                    }
                }
                for text in lacks {
                    if self.texts.contained(text, prompt) {
                        self.miss("system prompt", format!("does not contain: {text}"), prompt);
                    }
                }
            }
        }
    }
}

fn counted(texts: &[String]) -> String {
    if texts.is_empty() { "none".to_owned() } else { format!("{}:\n{}", texts.len(), texts.join("\n")) }
}

fn only(value: &Value, members: &Map<String, Value>) -> Value {
    let Some(map) = value.as_object() else { return value.clone() };
    let kept = members.keys().map(|key| (key.clone(), map.get(key).cloned().unwrap_or(Value::Null)));
    Value::Object(kept.collect())
}

/// A log line without what every line has, what is null, and the long text.
fn brief(line: &Value) -> Value {
    let Some(map) = line.as_object() else { return line.clone() };
    let tells = |key: &str, value: &Value| !matches!(key, "timestamp" | "extension" | "stream" | "message") && !value.is_null();
    Value::Object(map.iter().filter(|(key, value)| tells(key, value)).map(|(key, value)| (key.clone(), value.clone())).collect())
}

fn lines(values: &[Value]) -> String {
    if values.is_empty() {
        return "none".to_owned();
    }
    values.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
