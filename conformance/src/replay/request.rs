//! Lines of one request put together, within bounds, and the call that it was.

use std::collections::{HashMap, VecDeque};

use portcullis_core::policy::RuntimeSettings;
use portcullis_core::policy::surfaces::PATH_TOOLS;
use portcullis_core::report::masking::MASK;
use serde_json::json;

use super::entry::{Entry, Reason};
use crate::own_policy::{Call, Verdict};

/// How many requests may be under way at once: more sessions than that do not write into one log.
const OPEN: usize = 4096;

/// One request with all that its lines say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) entry: Entry,
    pub(super) recorded: Verdict,
    /// Which log, and the line of the first record.
    pub(super) log: usize,
    pub(super) line: u64,
}

/// Requests whose lines may go on.
#[derive(Debug, Default)]
pub(super) struct Open {
    by_call: HashMap<(Option<String>, String), Request>,
    order: VecDeque<(Option<String>, String)>,
}

impl Open {
    /// Takes a line; gives back the request that is complete by it.
    pub(super) fn add(&mut self, entry: Entry, recorded: Verdict, log: usize, line: u64) -> Option<Request> {
        let Some(id) = entry.call_id.clone() else {
            return Some(Request { entry, recorded, log, line });
        };
        let key = (entry.agent.clone(), id);
        if let Some(known) = self.by_call.get_mut(&key) {
            if known.entry.fits(&entry) {
                known.entry.complete(entry);
                known.recorded = known.recorded.max(recorded);
                return None;
            }
            // Another call under the same id: of another session.
            return Some(std::mem::replace(known, Request { entry, recorded, log, line }));
        }
        self.by_call.insert(key.clone(), Request { entry, recorded, log, line });
        self.order.push_back(key);
        if self.order.len() > OPEN { self.take_oldest() } else { None }
    }

    /// Gives back one that nothing is to be added to any more.
    pub(super) fn take_oldest(&mut self) -> Option<Request> {
        let key = self.order.pop_front()?;
        self.by_call.remove(&key)
    }
}

impl Entry {
    fn fits(&self, other: &Self) -> bool {
        let same = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        self.source == other.source && same(&self.tool, &other.tool) && same(&self.command, &other.command)
    }

    fn complete(&mut self, other: Self) {
        self.tool = self.tool.take().or(other.tool);
        self.skill = self.skill.take().or(other.skill);
        self.path = self.path.take().or(other.path);
        self.command = self.command.take().or(other.command);
    }

    /// The call, under a policy that knows these shell tools; and how it is shown: a kind and its argument.
    pub(super) fn call(&self, settings: &RuntimeSettings) -> Result<(Call, [String; 2]), Reason> {
        if self.source == "skill_read" {
            return Err(Reason::SkillsNotRecorded);
        }
        let words = |kind: &str, text: &str| -> Result<(Call, [String; 2]), Reason> {
            let text = whole(text)?.to_owned();
            let call = Call::from_words(kind, std::slice::from_ref(&text)).map_err(|_| Reason::InputNotRecorded)?;
            Ok((call, [kind.to_owned(), text]))
        };
        if self.source == "skill_input" {
            return words("skill", self.skill.as_deref().ok_or(Reason::InputNotRecorded)?);
        }
        let (Some(tool), "tool_call") = (self.tool.as_deref(), self.source.as_str()) else {
            return Err(Reason::InputNotRecorded);
        };
        if let Some(command) = self.command.as_deref() {
            let alias = settings.shell_tools.iter().find(|(name, _)| name == tool).map(|(_, alias)| alias);
            return match alias {
                None if tool == "bash" => words("bash", command),
                None => Err(Reason::NoSuchTool),
                Some(alias) if alias.workdir_argument.is_some() => Err(Reason::DirectoryNotRecorded),
                Some(alias) => {
                    let command = whole(command)?;
                    let input = json!({ alias.command_argument.clone(): command });
                    let call = Call::from_words("tool", &[tool.to_owned(), input.to_string()]);
                    Ok((call.map_err(|_| Reason::InputNotRecorded)?, [tool.to_owned(), command.to_owned()]))
                }
            };
        }
        match self.path.as_deref() {
            Some(path) if PATH_TOOLS.contains(&tool) => words(tool, path),
            _ => Err(Reason::InputNotRecorded),
        }
    }

    /// In a few words, for what cannot be judged.
    pub(super) fn subject(&self) -> String {
        let tool = self.tool.as_deref().unwrap_or(&self.source);
        match self.command.as_deref().or(self.path.as_deref()).or(self.skill.as_deref()) {
            Some(text) => format!("{tool} {text}"),
            None => tool.to_owned(),
        }
    }
}

/// The text, if it is what the call really held.
fn whole(text: &str) -> Result<&str, Reason> {
    if text.contains(MASK) {
        Err(Reason::Masked)
    } else if text.contains("… [") && text.contains(" more ") {
        Err(Reason::Cut)
    } else if text.contains("\\u{") {
        Err(Reason::Escaped)
    } else {
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use portcullis_core::policy::ShellAlias;
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    fn entry(source: &str, tool: Option<&str>) -> Entry {
        Entry { source: source.into(), tool: tool.map(str::to_owned), ..Entry::default() }
    }

    fn shell(tool: &str, command: &str) -> Entry {
        Entry { command: Some(command.into()), ..entry("tool_call", Some(tool)) }
    }

    #[rstest]
    #[case::masked(shell("bash", "TOKEN=[redacted] ls"), Reason::Masked)]
    #[case::cut(shell("bash", "echo xx… [12 more characters]"), Reason::Cut)]
    #[case::escaped(shell("bash", "a\\u{a}b"), Reason::Escaped)]
    #[case::unknown_shell(shell("run", "ls"), Reason::NoSuchTool)]
    #[case::directory(shell("elsewhere", "ls"), Reason::DirectoryNotRecorded)]
    #[case::no_path(entry("tool_call", Some("write")), Reason::InputNotRecorded)]
    #[case::other_tool(Entry { path: Some("x".into()), ..entry("tool_call", Some("deploy")) }, Reason::InputNotRecorded)]
    #[case::mcp(entry("tool_call", Some("mcp")), Reason::InputNotRecorded)]
    #[case::skill_file(Entry { path: Some("x".into()), ..entry("skill_read", Some("read")) }, Reason::SkillsNotRecorded)]
    #[case::source(Entry { path: Some("x".into()), ..entry("", Some("read")) }, Reason::InputNotRecorded)]
    fn what_is_not_known_is_not_guessed(#[case] entry: Entry, #[case] expected: Reason) {
        assert_eq!(entry.call(&settings()).unwrap_err(), expected);
    }

    fn settings() -> RuntimeSettings {
        let alias =
            |workdir: Option<&str>| ShellAlias { command_argument: "cmd".into(), workdir_argument: workdir.map(str::to_owned) };
        RuntimeSettings {
            shell_tools: vec![("shell".into(), alias(None)), ("elsewhere".into(), alias(Some("dir")))],
            ..RuntimeSettings::default()
        }
    }

    #[rstest]
    #[case(shell("bash", "ls"), "bash: ls")]
    #[case(shell("shell", "ls"), r#"shell {"cmd":"ls"}"#)]
    #[case(Entry { path: Some("a b".into()), ..entry("tool_call", Some("read")) }, "read: a b")]
    #[case(Entry { skill: Some("deploy".into()), ..entry("skill_input", None) }, "input: /skill:deploy")]
    fn requests_are_calls(#[case] entry: Entry, #[case] expected: &str) {
        assert_eq!(entry.call(&settings()).unwrap().0.subject(), expected);
    }

    #[test]
    fn lines_of_one_call_are_one_request() {
        let mut open = Open::default();
        let line = |command: Option<&str>, path: Option<&str>| Entry {
            call_id: Some("c".into()),
            command: command.map(str::to_owned),
            path: path.map(str::to_owned),
            ..entry("tool_call", Some("bash"))
        };
        assert_eq!(open.add(line(None, Some("x")), Verdict::Allow, 0, 1), None);
        assert_eq!(open.add(line(Some("a"), None), Verdict::Ask, 0, 2), None);
        let complete = open.add(line(Some("b"), None), Verdict::Deny, 0, 3).unwrap();
        assert_eq!((complete.entry, complete.recorded, complete.line), (line(Some("a"), Some("x")), Verdict::Ask, 1));
        assert_eq!(open.take_oldest().unwrap().recorded, Verdict::Deny);
        assert_eq!(open.take_oldest(), None);
        let alone = Entry { call_id: None, ..line(Some("a"), None) };
        assert!(open.add(alone, Verdict::Ask, 0, 4).is_some());
    }

    #[test]
    fn what_is_open_is_bounded() {
        let mut open = Open::default();
        let add = |open: &mut Open, at: usize| {
            let entry = Entry { call_id: Some(at.to_string()), ..shell("bash", "ls") };
            open.add(entry, Verdict::Ask, 0, 0)
        };
        let done = (0..OPEN + 10).filter_map(|at| add(&mut open, at)).count();
        assert_eq!((done, open.by_call.len(), open.order.len()), (10, OPEN, OPEN));
    }
}
