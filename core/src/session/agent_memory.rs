//! Which agent is active (HAND-016, TOOL-005 to TOOL-007 as ruled in RES-10): session entries first, then the tag of a system
//! prompt, then what is remembered. A null entry, a session start and a shutdown end the memory.

use super::agent_name::{EntryScan, scan_entries, tag_name};
use serde_json::Value;

/// The active agent of one event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActiveAgent {
    /// Its name; `None`: no agent.
    pub name: Option<String>,
    /// Known from a prompt tag only: it may not choose milder rules.
    pub from_tag: bool,
}

/// What is remembered between events.
#[derive(Debug, Clone, Default)]
pub(super) struct AgentMemory {
    last: ActiveAgent,
}

impl AgentMemory {
    /// The agent of an event with these entries and, at an agent start, this system prompt.
    pub(super) fn resolve(&mut self, entries: &[Value], system_prompt: Option<&str>) -> ActiveAgent {
        let tagged = || system_prompt.and_then(tag_name).map(|name| ActiveAgent { name: Some(name), from_tag: true });
        let found = match scan_entries(entries) {
            EntryScan::Named(name) => Some(ActiveAgent { name: Some(name), from_tag: false }),
            // None, whatever a prompt says: the calls of this turn see the same entry and no prompt.
            EntryScan::Null => Some(ActiveAgent::default()),
            EntryScan::Nothing => tagged(),
        };
        if let Some(agent) = found {
            self.last = agent;
        }
        self.last.clone()
    }

    /// Forgets the agent.
    pub(super) fn forget(&mut self) {
        self.last = ActiveAgent::default();
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    fn entry(name: Value) -> Value {
        json!({ "type": "custom", "customType": "active_agent", "data": { "name": name } })
    }

    fn named(name: &str, from_tag: bool) -> ActiveAgent {
        ActiveAgent { name: Some(name.to_owned()), from_tag }
    }

    #[test]
    fn tool_007_entries_beat_the_prompt_and_a_found_name_is_remembered() {
        let mut memory = AgentMemory::default();
        assert_eq!(memory.resolve(&[entry(json!("rev"))], Some("<active_agent name=\"other\">")), named("rev", false));
        assert_eq!(memory.resolve(&[], None), named("rev", false));
        assert_eq!(memory.resolve(&[entry(json!(5))], None), named("rev", false));
    }

    #[test]
    fn res_10_a_null_entry_ends_the_memory() {
        let mut memory = AgentMemory::default();
        memory.resolve(&[entry(json!(" A "))], None);
        assert_eq!(memory.resolve(&[entry(json!(" A ")), entry(Value::Null)], None), ActiveAgent::default());
        assert_eq!(memory.resolve(&[], None), ActiveAgent::default());
    }

    #[test]
    fn res_10_a_null_entry_means_none_in_a_turn_and_in_its_calls_alike() {
        let mut memory = AgentMemory::default();
        let entries = [entry(json!("A")), entry(Value::Null)];
        assert_eq!(memory.resolve(&entries, Some("<active_agent name='Bob'>")), ActiveAgent::default());
        assert_eq!(memory.resolve(&entries, None), ActiveAgent::default());
    }

    #[test]
    fn res_10_a_name_from_a_tag_says_so_and_is_forgotten_with_the_session() {
        let mut memory = AgentMemory::default();
        assert_eq!(memory.resolve(&[], Some("<active_agent name='Bob' foo>")), named("Bob", true));
        assert_eq!(memory.resolve(&[], None), named("Bob", true));
        memory.forget();
        assert_eq!(memory.resolve(&[], None), ActiveAgent::default());
    }
}
