//! Which tools an agent is shown (TOOL-009, HAND-022, as HARD-051 and RES-25 harden them).

/// What a turn shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExposedTools {
    /// The tools to switch on: the host's own order, then those that come back.
    pub allowed: Vec<String>,
    /// The tools that are hidden, in the order first seen: what the next turn is told.
    pub withheld: Vec<String>,
    /// The tools that were withheld before and are shown again.
    pub returned: Vec<String>,
}

impl ExposedTools {
    /// Decides one turn. Candidates are the host's active tools, then those that were withheld before and are still
    /// registered; a tool that the host left off is never one of them. Duplicates of the host stay.
    ///
    /// ```
    /// use portcullis_core::handlers::agent_prep::ExposedTools;
    ///
    /// let all = ["read".to_owned(), "bash".to_owned()];
    /// let first = ExposedTools::of(&all, &[], &all, |tool| tool == "bash");
    /// assert_eq!((first.allowed, &*first.withheld), (vec!["read".to_owned()], &all[1..]));
    /// // The host now reports only what we left on; meanwhile the deny is gone.
    /// let second = ExposedTools::of(&all[..1], &first.withheld, &all, |_| false);
    /// assert_eq!(second.allowed, ["read", "bash"]);
    /// ```
    pub fn of(active: &[String], withheld: &[String], registered: &[String], is_hidden: impl Fn(&str) -> bool) -> Self {
        let (mut allowed, mut newly, mut returned) = (Vec::new(), Vec::new(), Vec::new());
        for name in active {
            if !is_hidden(name) {
                allowed.push(name.clone());
            } else if !withheld.contains(name) && !newly.contains(name) {
                newly.push(name.clone());
            }
        }
        // One that the host switched on by itself was judged above.
        let known = withheld.iter().filter(|name| registered.contains(name));
        let (mut still, back): (Vec<String>, Vec<String>) = known.cloned().partition(|name| is_hidden(name));
        returned.extend(back.into_iter().filter(|name| !active.contains(name)));
        allowed.extend(returned.iter().cloned());
        still.extend(newly);
        Self { allowed, withheld: still, returned }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;
    use crate::policy::test_support::{global, layered};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn tool_009_example() {
        let rules = global(json!({
            "*": "allow", "bash": "deny", "write": {"*": "deny", "src/*": "allow"}, "edit": {"*": "ask"}
        }));
        let active = names(&["read", "bash", "write", "edit", "find"]);
        let shown = ExposedTools::of(&active, &[], &active, |tool| rules.is_hidden(tool));
        // The package hides `write` too; its exception is within reach (HARD-051).
        assert_eq!(shown.allowed, ["read", "write", "edit", "find"]);
    }

    #[test]
    fn tool_009_agent_file() {
        let rules = layered(&[json!({"*": "allow"}), json!({}), json!({"read": "deny"})]);
        let active = names(&["read", "edit"]);
        assert_eq!(ExposedTools::of(&active, &[], &active, |tool| rules.is_hidden(tool)).allowed, ["edit"]);
    }

    #[test]
    fn tool_009_duplicates() {
        let active = names(&["read", "bash", "read", "bash"]);
        let shown = ExposedTools::of(&active, &[], &active, |tool| tool == "bash");
        assert_eq!((shown.allowed, shown.withheld), (names(&["read", "read"]), names(&["bash"])));
    }

    #[test]
    fn hard_051_comes_back_and_is_forgotten_when_unregistered() {
        let all = names(&["read", "bash", "write"]);
        let first = ExposedTools::of(&all, &[], &all, |tool| tool != "read");
        assert_eq!(first.withheld, ["bash", "write"]);
        // Still denied; the host meanwhile dropped `write`.
        let second = ExposedTools::of(&names(&["read"]), &first.withheld, &names(&["read", "bash"]), |tool| tool != "read");
        assert_eq!((second.allowed, &second.withheld), (names(&["read"]), &names(&["bash"])));
        // The deny is gone; `write` is registered again, but the host has it off.
        let third = ExposedTools::of(&names(&["read"]), &second.withheld, &all, |_| false);
        let expected = ExposedTools { allowed: names(&["read", "bash"]), withheld: Vec::new(), returned: names(&["bash"]) };
        assert_eq!(third, expected);
    }

    #[test]
    fn res_25_never_what_the_host_left_off() {
        let shown = ExposedTools::of(&names(&["read"]), &[], &names(&["read", "bash"]), |_| false);
        assert_eq!(shown.allowed, ["read"]);
    }

    #[test]
    fn res_25_the_host_switched_it_on_itself() {
        let all = names(&["bash", "read"]);
        let shown = ExposedTools::of(&all, &names(&["bash"]), &all, |_| false);
        assert_eq!((shown.allowed, shown.returned), (all, Vec::new()));
    }
}
