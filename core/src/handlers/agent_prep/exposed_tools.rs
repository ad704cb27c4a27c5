//! Which tools an agent is shown (TOOL-009, HAND-022, as HARD-051 and RES-25 harden them).

use serde_json::Value;

use crate::access::tool_name_of;

/// The tools that we withheld and nobody else, so that a policy change can give them back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExposureMemory {
    withheld: Vec<String>,
}

/// What a turn shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExposedTools {
    /// The tools to switch on: the host's own order, then those that come back.
    pub allowed: Vec<String>,
    /// The tools that are hidden, in the order first seen.
    pub withheld: Vec<String>,
    /// The tools that were withheld before and are shown again.
    pub returned: Vec<String>,
}

impl ExposureMemory {
    /// Decides one turn. Candidates are the host's active tools, then those we withheld that are still registered; a tool that
    /// the host left off is never one of them. Duplicates of the host stay, entries without a name go.
    ///
    /// ```
    /// use portcullis_core::handlers::agent_prep::ExposureMemory;
    /// use serde_json::json;
    ///
    /// let all = [json!("read"), json!("bash")];
    /// let mut memory = ExposureMemory::default();
    /// assert_eq!(memory.turn(&all, &all, |tool| tool == "bash").allowed, ["read"]);
    /// // The host now reports only what we left on; the deny is gone.
    /// assert_eq!(memory.turn(&[json!("read")], &all, |_| false).allowed, ["read", "bash"]);
    /// ```
    pub fn turn(&mut self, active: &[Value], registered: &[Value], is_hidden: impl Fn(&str) -> bool) -> ExposedTools {
        let active: Vec<String> = active.iter().filter_map(tool_name_of).collect();
        let registered: Vec<String> = registered.iter().filter_map(tool_name_of).collect();
        let before = std::mem::take(&mut self.withheld);
        let (mut allowed, mut newly) = (Vec::new(), Vec::new());
        for name in &active {
            let hidden = before.contains(name) || newly.contains(name);
            if is_hidden(name) {
                if !hidden {
                    newly.push(name.clone());
                }
            } else {
                allowed.push(name.clone());
            }
        }
        let mut returned = Vec::new();
        for name in before {
            // One that the host switched on by itself was judged above.
            if is_hidden(&name) {
                if registered.contains(&name) {
                    self.withheld.push(name);
                }
            } else if registered.contains(&name) && !active.contains(&name) {
                allowed.push(name.clone());
                returned.push(name);
            }
        }
        self.withheld.extend(newly);
        ExposedTools { allowed, withheld: self.withheld.clone(), returned }
    }

    /// Forgets everything (session start, shutdown); a reload of the configuration is no reason to.
    pub fn clear(&mut self) {
        self.withheld.clear();
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::{Value, json};

    use super::*;
    use crate::policy::test_support::{global, layered};

    fn values(names: &[&str]) -> Vec<Value> {
        names.iter().map(|name| json!(name)).collect()
    }

    #[test]
    fn tool_009_example() {
        let rules = global(json!({
            "*": "allow", "bash": "deny", "write": {"*": "deny", "src/*": "allow"}, "edit": {"*": "ask"}
        }));
        let active = values(&["read", "bash", "write", "edit", "find"]);
        let shown = ExposureMemory::default().turn(&active, &active, |tool| rules.is_hidden(tool));
        // The package hides `write` too; its exception is within reach (HARD-051).
        assert_eq!(shown.allowed, ["read", "write", "edit", "find"]);
    }

    #[test]
    fn tool_009_agent_file() {
        let rules = layered(&[json!({"*": "allow"}), json!({}), json!({"read": "deny"})]);
        let active = values(&["read", "edit"]);
        assert_eq!(ExposureMemory::default().turn(&active, &active, |tool| rules.is_hidden(tool)).allowed, ["edit"]);
    }

    #[test]
    fn tool_009_names_and_duplicates() {
        let rules = global(json!({"bash": "deny"}));
        let active = vec![json!({"name": "read"}), json!(null), json!(""), json!({"toolName": "bash"}), json!(" read ")];
        let shown = ExposureMemory::default().turn(&active, &active, |tool| rules.is_hidden(tool));
        assert_eq!(shown.allowed, ["read", "read"]);
    }

    #[test]
    fn hard_051_comes_back_and_is_forgotten_when_unregistered() {
        let mut memory = ExposureMemory::default();
        let all = values(&["read", "bash", "write"]);
        let shown = memory.turn(&all, &all, |tool| tool != "read");
        assert_eq!(shown.withheld, ["bash", "write"]);
        // Still denied; the host meanwhile dropped `write`.
        let shown = memory.turn(&values(&["read"]), &values(&["read", "bash"]), |tool| tool != "read");
        assert_eq!((shown.allowed, shown.withheld), (vec!["read".to_owned()], vec!["bash".to_owned()]));
        // The deny is gone; `write` is registered again, but the host has it off.
        let shown = memory.turn(&values(&["read"]), &all, |_| false);
        assert_eq!(shown.allowed, ["read", "bash"]);
        assert_eq!(shown.returned, ["bash"]);
        assert_eq!(memory, ExposureMemory::default());
    }

    #[test]
    fn res_25_cleared_at_session_start() {
        let mut memory = ExposureMemory::default();
        let all = values(&["read", "bash"]);
        memory.turn(&all, &all, |tool| tool == "bash");
        memory.clear();
        assert_eq!(memory.turn(&values(&["read"]), &all, |_| false).allowed, ["read"]);
    }
}
