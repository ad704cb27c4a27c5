//! Which agent is active (TOOL-005 to TOOL-007, HAND-016, as RES-10, POLICY-D16 and GATES-D18 harden them).

use serde_json::Value;

use crate::text::{is_js_space, non_blank};

/// A name with how it became known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveAgent {
    /// The name, trimmed. Whether it may become part of a path is the loader's question (RES-10).
    pub name: String,
    /// Only a tag of the system prompt tells it: the stricter of the answers with and without its files counts (RES-10).
    pub from_tag: bool,
}

/// What the session's entries say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryScan {
    /// A name.
    Named(String),
    /// The host says that no agent is active.
    Nobody,
    /// No entry speaks of it.
    Silent,
}

/// The newest word of the session's entries (TOOL-005): custom entries of type `active_agent` only; a blank or misshapen name
/// is passed over, an explicit null is an answer.
///
/// ```
/// use portcullis_core::handlers::agent_prep::{EntryScan, agent_from_entries};
/// use serde_json::json;
///
/// let entry = |name| json!({"type": "custom", "customType": "active_agent", "data": {"name": name}});
/// assert_eq!(agent_from_entries(&[entry("a"), entry("b")]), EntryScan::Named("b".into()));
/// ```
pub fn agent_from_entries(entries: &[Value]) -> EntryScan {
    let is = |entry: &Value, key: &str, word: &str| entry.get(key).and_then(Value::as_str) == Some(word);
    let speaking = entries.iter().rev().filter(|entry| is(entry, "type", "custom") && is(entry, "customType", "active_agent"));
    for entry in speaking {
        match entry.get("data").and_then(|data| data.get("name")) {
            Some(Value::Null) => return EntryScan::Nobody,
            Some(Value::String(name)) => {
                if let Some(name) = non_blank(name) {
                    return EntryScan::Named(name.to_owned());
                }
            }
            _ => {}
        }
    }
    EntryScan::Silent
}

/// The name in the first tag of the right shape (TOOL-006): `<active_agent`, white space, `name=` and a quoted value without
/// quotes, up to `>`; case does not count. A blank value is no name, and no later tag is tried.
///
/// ```
/// use portcullis_core::handlers::agent_prep::agent_from_prompt;
///
/// assert_eq!(agent_from_prompt("You are <ACTIVE_AGENT name='rev'/>.").as_deref(), Some("rev"));
/// assert_eq!(agent_from_prompt("<active_agent name=rev>"), None);
/// ```
pub fn agent_from_prompt(prompt: &str) -> Option<String> {
    let last_end = prompt.rfind('>')?;
    let mut rest = prompt;
    while let Some((_, after)) = rest.split_once('<') {
        rest = after;
        let Some((name, after_quote)) = name_attribute(after) else { continue };
        // Anything may stand before the `>`, as long as there is one.
        if prompt.len() - after_quote.len() <= last_end {
            return non_blank(name).map(str::to_owned);
        }
    }
    None
}

/// The quoted value of the first attribute, and what follows its closing quote.
fn name_attribute(tag: &str) -> Option<(&str, &str)> {
    let after = strip_word(tag, "active_agent")?;
    let attribute = after.trim_start_matches(is_js_space);
    if attribute.len() == after.len() {
        return None;
    }
    let value = strip_word(attribute, "name=")?.strip_prefix(['"', '\''])?;
    value.split_once(['"', '\'']).filter(|(name, _)| !name.is_empty())
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

/// The last known name (TOOL-007). It ends at an explicit null, at session start and at shutdown (RES-10).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentMemory {
    last: Option<ActiveAgent>,
}

impl AgentMemory {
    /// Who is active: what the entries say, else what the prompt's tag says (only at agent start there is one), else the last
    /// known name. A null entry means nobody, whatever a prompt says.
    pub fn resolve(&mut self, entries: &[Value], prompt: Option<&str>) -> Option<ActiveAgent> {
        let found = match agent_from_entries(entries) {
            EntryScan::Nobody => {
                self.last = None;
                return None;
            }
            EntryScan::Named(name) => Some(ActiveAgent { name, from_tag: false }),
            EntryScan::Silent => prompt.and_then(agent_from_prompt).map(|name| ActiveAgent { name, from_tag: true }),
        };
        if found.is_some() {
            self.last = found;
        }
        self.last.clone()
    }

    /// Forgets the name (session start, shutdown).
    pub fn clear(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    fn entry(name: Value) -> Value {
        json!({"type": "custom", "customType": "active_agent", "data": {"name": name}})
    }

    fn named(name: &str) -> EntryScan {
        EntryScan::Named(name.to_owned())
    }

    #[rstest]
    #[case::newest(vec![entry(json!("a")), entry(json!("b"))], named("b"))]
    #[case::null_ends(vec![entry(json!("a")), entry(json!(null))], EntryScan::Nobody)]
    #[case::blank_is_skipped(vec![entry(json!("a")), entry(json!(" "))], named("a"))]
    #[case::number_is_skipped(vec![entry(json!("a")), entry(json!(5))], named("a"))]
    #[case::no_data(vec![entry(json!("a")), json!({"type": "custom", "customType": "active_agent"})], named("a"))]
    #[case::null_data(
        vec![entry(json!("a")), json!({"type": "custom", "customType": "active_agent", "data": null})], named("a"))]
    #[case::other_type(vec![json!({"type": "message", "customType": "active_agent", "data": {"name": "a"}})], EntryScan::Silent)]
    #[case::other_custom_type(vec![json!({"type": "custom", "customType": "x", "data": {"name": "a"}})], EntryScan::Silent)]
    #[case::trimmed(vec![entry(json!(" rev\u{a0}"))], named("rev"))]
    #[case::nothing(vec![json!(5), json!(null)], EntryScan::Silent)]
    fn tool_005(#[case] entries: Vec<Value>, #[case] expected: EntryScan) {
        assert_eq!(agent_from_entries(&entries), expected);
    }

    #[rstest]
    #[case("<active_agent name=\"rev\">", Some("rev"))]
    #[case("<ACTIVE_AGENT NAME=\"Rev\" x=1>", Some("Rev"))]
    #[case("<active_agent name='rev'/>", Some("rev"))]
    #[case("<active_agent\n name='rev'>", Some("rev"))]
    #[case("<active_agent name=\"mix'>", Some("mix"))]
    #[case("<active_agent name=rev>", None)]
    #[case("<active_agent id=\"1\" name=\"rev\">", None)]
    #[case("<active_agent name = \"x\">", None)]
    #[case("<active_agent name=\"\">", None)]
    #[case("<active_agent name=\"rev\"", None)]
    #[case("<active_agent name=\"it's\">", Some("it"))]
    #[case("<active_agent name=\"a&amp;b\">", Some("a&amp;b"))]
    #[case("<active_agent name=\"a\"><active_agent name=\"b\">", Some("a"))]
    #[case("<active_agent id=\"1\" name=\"a\"><active_agent name=\"b\">", Some("b"))]
    #[case("<active_agent name=\" \"><active_agent name=\"b\">", None)]
    #[case("<active_agentname=\"a\">", None)]
    #[case("no tag", None)]
    #[case("", None)]
    fn tool_006(#[case] prompt: &str, #[case] expected: Option<&str>) {
        assert_eq!(agent_from_prompt(prompt).as_deref(), expected);
    }

    fn agent(name: &str, from_tag: bool) -> Option<ActiveAgent> {
        Some(ActiveAgent { name: name.to_owned(), from_tag })
    }

    #[test]
    fn tool_007_order() {
        let mut memory = AgentMemory::default();
        let tag = "<active_agent name='other'>";
        assert_eq!(memory.resolve(&[entry(json!("rev"))], Some(tag)), agent("rev", false));
        assert_eq!(memory.resolve(&[], None), agent("rev", false), "the last known name");
        assert_eq!(memory.resolve(&[], Some(tag)), agent("other", true));
        assert_eq!(memory.resolve(&[], None), agent("other", true), "still known from the tag only");
    }

    #[test]
    fn res_10_memory_ends() {
        let mut memory = AgentMemory::default();
        memory.resolve(&[entry(json!("rev"))], None);
        assert_eq!(memory.resolve(&[entry(json!(null))], Some("<active_agent name='x'>")), None);
        assert_eq!(memory.resolve(&[], None), None, "a null entry ends the memory (GATES-D18)");
        memory.resolve(&[entry(json!("rev"))], None);
        memory.clear();
        assert_eq!(memory.resolve(&[], None), None, "session start and shutdown end it too");
    }
}
